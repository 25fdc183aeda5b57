// Package wire holds every message that a Hindcast host and client send each
// other: its type, how it becomes bytes, and how bytes from a stranger become
// it again. PROTOCOL.md beside this file draws the bytes and tells when which
// message is sent.
//
// For each message X there are
//
//	AppendX(b []byte, m *X) []byte   // appends the bytes of m to b
//	ParseX(b []byte) (X, error)      // b is the whole message
//
// The two messages that travel every tick are parsed into a struct that the
// caller keeps, so that nothing is allocated once its slices have grown:
//
//	ParseInputPacket(b []byte, m *InputPacket) error
//	ParseHostPacket(b []byte, m *HostPacket) error
//
// A host fills a HostPacket record by record, until the datagram is full:
//
//	w.Reset(buf, wire.HostPacket{Seq: seq, Tick: tick, Inputs: ack})
//	for i := range records {
//		if !w.Add(&records[i]) {
//			break // the next frame takes it
//		}
//	}
//	link.SendDatagram(now, peer, w.Bytes())
//
// A [Snapshot] is written as what changed since an earlier one that the other end
// has, its base; both ends keep those that may become bases:
//
//	next.Reset(seq, bundle, tick)
//	layout.AddObject(next, state, slot) // object by object, by id
//	data := wire.AppendSnapshot(buf, layout, base, next)
//	...
//	seq, of, bundle, err := wire.SnapshotHead(data)
//	err = wire.ParseSnapshot(data, layout, kept[of], next)
//
// A receiver looks at [KindOf] first:
//
//	switch wire.KindOf(data) {
//	case wire.KindInputPacket:
//		err = wire.ParseInputPacket(data, &frame)
//	case wire.KindPing:
//		ping, err = wire.ParsePing(data)
//	}
//
// # What is promised
//
// Parse functions take anything: they return an error that wraps
// [ErrMalformed] and names the field and where it stands, they never panic, and
// they allocate nothing for a length that the bytes cannot hold. They refuse
// bytes that are left over, numbers above their bounds or written longer than
// needed, text that is not UTF-8, and numbers that are not finite in places and
// claims. After an error the content of a struct that was parsed into means
// nothing. Fields of type []byte point into the bytes that were parsed: copy
// them before the buffer is used again.
//
// Append functions keep bounds only where a person wrote the text: names,
// reasons and chat are cut to their length, and control characters become
// spaces. Any other message that is out of bounds is written as it is and
// refused at the other end; in particular the caller sees to it that an
// InputPacket stays below [MaxDatagram].
//
// An axis of an input keeps every bit, NaN and -0 too: whether a value is
// allowed is the host's to say, see world.CheckInput.
//
// # What it leaves out
//
// How datagrams and messages get to the other end, who a peer is and whether
// its address is proved: net/kcplink and net/memlink. When a message is sent,
// and what is done about it: package runtime. The bytes within a state: package
// world. The bytes within a bundle: package runtime.
package wire
