// Package kcplink is the network of Hindcast on one UDP socket: connections that
// are proved, datagrams sent once, and two reliable streams on the core of kcp-go.
// It is the only package that imports kcp-go.
//
// The main type is Link. Listen makes a host's, with many peers, Dial a client's,
// with one. Both are link.Link:
//
//	l, err := kcplink.Dial("192.0.2.1:7777", kcplink.Options{Protocol: 1})
//	// ...
//	defer l.Shutdown("player left")
//	for range ticker.C { // at least 100 times a second
//		l.Poll(now(), func(ev link.Event) {
//			// ev.Kind: Opened, Datagram, Message, Closed
//		})
//		l.SendDatagram(now(), 1, input)
//	}
//
// One goroutine reads the socket into a queue of bounded length; everything else
// happens in the calls, on the caller's goroutine, with the caller's clock. Only
// the core of KCP reads the wall clock, inside kcp-go: repeats and acknowledgements
// run in real time, handshakes, keepalive and timeouts in the time that Poll is
// told.
//
// LINK.md in this folder draws every packet, and gives the reasons.
//
// # What a stranger can do
//
// The network is hostile. A host keeps no state for a stranger, and sends no byte
// more than it got, until a cookie has proved the stranger's address. Whoever cannot
// see the packets of a connection can neither close nor disturb it, nor move it
// elsewhere: every packet carries a random number of 64 bits that only the two ends
// were told. A peer that moves to another address must prove that it receives
// there. Whoever can see the packets can do all of this: nothing is encrypted or
// signed. A peer that is connected can waste its own connection only, and memory
// up to Options.MaxBulk.
//
// # What it leaves out
//
// Encryption, limits for one address (a single machine may take all places of a
// host), finding the packet size of a path (1,200 bytes are taken to pass
// everywhere), forward error correction, and who a peer is.
//
// A write to a socket whose buffer is full waits for room in the system: with
// buffers of megabytes and packets paced, this is not seen in practice.
//
// Importing kcp-go starts goroutines of its own that never end: one and one for
// each processor, at least two. They sleep, since this package uses none of its
// sessions.
package kcplink
