package wire

// InputPacketSeq reads only the Seq of an InputPacket, so that of several the newest can
// be found before one is parsed. The error wraps ErrMalformed.
func InputPacketSeq(b []byte) (uint32, error) {
	r := openDatagram(b, KindInputPacket)
	return r.uint32("seq"), r.failure()
}
