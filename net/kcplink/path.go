package kcplink

import "net/netip"

// path is the way that the packets of one connection take: its id and numbers on the wire, and
// the address of the other end.
type path struct {
	id       uint64         // only those who see the packets know it
	addr     netip.AddrPort // where the peer proved to be
	seq      uint32         // of the next packet
	received seqWindow
}

// address returns where the peer proved to be.
func (w *path) address() netip.AddrPort { return w.addr }

// connection returns the id on the wire.
func (w *path) connection() uint64 { return w.id }

// move notes that the peer proved to be at another address.
func (w *path) move(to netip.AddrPort) { w.addr = to }

// accept says whether a packet with a number is fresh, and notes it.
func (w *path) accept(seq uint32) verdict { return w.received.take(seq) }

// send sends a packet to the proved address.
func (w *path) send(io *conduit, k kind, body []byte) { w.sendTo(io, w.addr, k, body) }

// sendTo sends a packet to any address.
func (w *path) sendTo(io *conduit, to netip.AddrPort, k kind, body []byte) {
	b := appendHeader(io.begin(), k, w.id, w.seq)
	w.seq++
	io.send(to, append(b, body...))
}
