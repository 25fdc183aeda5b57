package wire

// InputFrameSeq reads the Seq of an InputFrame and no more of it: which of
// several is the newest can be told before any is parsed.
func InputFrameSeq(b []byte) (uint32, error) {
	r := openDatagram(b, KindInputFrame)
	return r.uint32("seq"), r.err
}
