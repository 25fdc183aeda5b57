package wire

// HostPacketWriter builds a HostPacket item by item until the datagram is full. It can be
// reused, and allocates nothing if its buffer holds MaxDatagram bytes. Call Reset first.
type HostPacketWriter struct {
	b     []byte // without the end
	coder recordCoder
}

// Reset begins a packet at the start of buf and overwrites its content. It uses Seq, Tick
// and Inputs of header.
func (w *HostPacketWriter) Reset(buf []byte, header HostPacket) {
	w.b = appendHostHeader(buf[:0], &header)
	w.coder.reset(header.Tick)
}

// Define adds a channel, or reports false if it does not fit. Before a record that uses
// a channel is added, the channel must be defined in this packet or in one that the
// client has acknowledged.
func (w *HostPacketWriter) Define(ch Channel) bool {
	return w.keep(appendChannel(w.b, ch))
}

// Add adds a record, or reports false if it does not fit. A smaller one may still fit.
func (w *HostPacketWriter) Add(rec *Record) bool {
	if !w.keep(w.coder.append(w.b, rec)) {
		return false
	}
	w.coder.after(rec)
	return true
}

// keep takes the longer packet if it and the end item fit into a datagram.
func (w *HostPacketWriter) keep(longer []byte) bool {
	if len(longer)+1 > MaxDatagram {
		return false
	}
	w.b = longer
	return true
}

// Bytes returns the whole packet so far, valid until the next call of Reset, Define or
// Add. It is in the buffer given to Reset, if that was large enough.
func (w *HostPacketWriter) Bytes() []byte { return append(w.b, itemEnd) }
