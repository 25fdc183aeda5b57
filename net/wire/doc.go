// Package wire defines every message that a Hindcast host and client send each
// other: its type, how it is written as bytes, and how bytes from a stranger are
// parsed. PROTOCOL.md beside this file specifies the bytes, and when each message
// is sent.
//
// For each message X there are
//
//	AppendX(b []byte, m *X) []byte   // appends the bytes of m to b
//	ParseX(b []byte) (X, error)      // b is the whole message
//
// The two messages that are sent every tick are parsed into a struct that the
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
//			break // for the next packet
//		}
//	}
//	link.SendDatagram(now, peer, w.Bytes())
//
// A [Snapshot] is sent as a change from an earlier one that the other end has, its
// baseline. Both ends keep the snapshots that may become baselines:
//
//	next.Reset(seq, bundle, tick)
//	layout.AddObject(next, state, slot, viewer) // for each object, by ID
//	data := wire.AppendSnapshot(buf, layout, rows, baseline, next)
//	...
//	seq, base, bundle, err := wire.SnapshotHead(data)
//	err = wire.ParseSnapshot(data, layout, rows, kept[base], next)
//
// A [Row] brings fields that take too much of a Snapshot. [Rows] has those that Snapshots can
// refer to, at both ends.
//
// A receiver looks at [KindOf] first:
//
//	switch wire.KindOf(data) {
//	case wire.KindInputPacket:
//		err = wire.ParseInputPacket(data, &packet)
//	case wire.KindPing:
//		ping, err = wire.ParsePing(data)
//	}
//
// # Guarantees
//
// Parse functions take any bytes. They return an error that wraps [ErrMalformed]
// and names the field and its place; they never panic; and they allocate nothing
// for a length that the bytes cannot hold. They refuse bytes that are left over,
// numbers that are above their bounds or longer than needed, text that is not UTF-8,
// and poses and claims that are not finite. After an error, the content of a struct
// that was parsed into is undefined. Fields of type []byte point into the bytes that
// were parsed: copy them before the buffer is used again.
//
// Append functions enforce bounds only for text that people write: names, reasons
// and chat are truncated, and their control characters become spaces. Any other
// message that is out of bounds is written as it is, and the other end refuses it. In
// particular the caller must keep an InputPacket within [MaxDatagram].
//
// An axis of an input keeps every bit, NaN and -0 included. Whether the host allows
// a value is decided by world.CheckInput.
//
// # Concurrency
//
// The functions have no state. They may be called by several goroutines, each with messages
// of its own.
//
// # Not in this package
//
// How datagrams and messages reach the other end, who a peer is and whether its
// address is proved: package net/link and its implementations. When a message is sent and what
// follows from it: packages host and client. The bytes within a state: package world. The
// bytes within a bundle: package runtime/bundle.
//
// # Adding a message
//
// Add a Kind, at the end, and its type in message.go; its name in kind.go; its
// Append and Parse functions, in a file of its own or beside related messages; a
// codec with a sample in codec_test.go and a generator in gen_test.go, which put it
// through all tests; a fuzz function in fuzz_test.go; and its section in PROTOCOL.md.
// Raise [Version]. CONTRIBUTING.md says where it is sent and handled.
package wire
