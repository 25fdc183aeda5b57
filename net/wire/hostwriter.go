package wire

// HostPacketWriter builds a HostPacket in a datagram, item by item, and knows when
// the datagram is full. Use one again and again: nothing is allocated when the
// buffer holds MaxDatagram bytes. The zero value waits for Reset.
type HostPacketWriter struct {
	b     []byte // without the end
	coder recordCoder
}

// Reset starts a frame at the start of buf, whose content is overwritten. Of
// header, Seq, Tick and Inputs count.
func (w *HostPacketWriter) Reset(buf []byte, header HostPacket) {
	w.b = appendHostHeader(buf[:0], &header)
	w.coder.reset(header.Tick)
}

// Define adds a channel, or writes nothing and reports false when it does not
// fit. Add no record before its channel is defined, in this frame or in one
// that the client is known to have.
func (w *HostPacketWriter) Define(ch Channel) bool {
	return w.keep(appendChannel(w.b, ch))
}

// Add adds a record, or writes nothing and reports false when it does not fit.
// The next one may be smaller and fit.
func (w *HostPacketWriter) Add(rec *Record) bool {
	if !w.keep(w.coder.append(w.b, rec)) {
		return false
	}
	w.coder.after(rec)
	return true
}

// keep takes over the longer frame if it and the end fit a datagram.
func (w *HostPacketWriter) keep(longer []byte) bool {
	if len(longer)+1 > MaxDatagram {
		return false
	}
	w.b = longer
	return true
}

// Bytes is the whole frame as it is now, until the next call of Reset, Define
// or Add. Bytes are in the buffer given to Reset, if it was large enough.
func (w *HostPacketWriter) Bytes() []byte { return append(w.b, itemEnd) }
