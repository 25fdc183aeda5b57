package wire

// InputPacketSeq reads the Seq of an InputPacket and no more of it: which of
// several is the newest can be told before any is parsed.
func InputPacketSeq(b []byte) (uint32, error) {
	r := openDatagram(b, KindInputPacket)
	return r.uint32("seq"), r.failure()
}
