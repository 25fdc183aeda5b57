// Package kcplink implements link.Link on a UDP socket: connections from proved
// addresses, datagrams that are sent once, and two reliable streams on the core of
// kcp-go. It is the only package that imports kcp-go.
//
// The main type is [Link]. [Listen] makes a host's, with many peers; [Dial] makes a
// client's, with one:
//
//	l, err := kcplink.Dial("192.0.2.1:7777", kcplink.Options{Protocol: wire.Version})
//	// ...
//	defer l.Shutdown("player left")
//	for {
//		select {
//		case <-l.Ready(): // packets have come
//		case <-timer.C: // set to l.Due
//		}
//		l.Poll(now(), func(ev link.Event) {
//			// ev.Kind: Opened, Datagram, Message, Closed
//		})
//		l.SendDatagram(now(), 1, input)
//	}
//
// LINK.md in this folder specifies every packet, with reasons.
//
// # Concurrency
//
// A Link belongs to one goroutine; only Ready and LocalAddr may be called from others. A
// goroutine of its own reads the socket into a queue of bounded length. Everything else happens
// in the calls, on the caller's goroutine, with the caller's clock. Only the core of KCP
// reads the wall clock, within kcp-go: retransmissions and acknowledgements run in real
// time; handshakes, keepalive and timeouts in the time that Poll is given.
//
// # Threats
//
// The network is hostile. A host keeps no state for a client, and sends it no more bytes
// than it received, until a cookie has proved the client's address. Every packet of a
// connection carries a random number of 64 bits that only the two ends know: an attacker
// who does not see the packets can neither close nor disturb the connection, nor move it
// to another address. A peer whose address changes must prove that it receives at the new
// one. An attacker who sees the packets can do all of this: nothing is encrypted or
// signed. A connected peer can waste its own connection, and memory up to
// Options.MaxBulk.
//
// # Not in this package
//
// Encryption; limits for one address (one machine can take all places of a host); the
// packet size of a path (1,200 bytes are assumed to pass everywhere); forward error
// correction; and the identity of peers.
//
// # Caveats
//
// A write to a socket whose buffer is full blocks until the system has room. With
// buffers of megabytes and paced packets, this has not been observed.
//
// Importing kcp-go starts goroutines that never end: one, and one for each processor. They
// sleep, since this package uses none of its sessions.
package kcplink
