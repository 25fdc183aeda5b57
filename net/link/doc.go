// Package link defines what a network is to the rest of Hindcast: a [Link], its peers,
// and the events that a poll delivers.
//
// It has only types and CleanReason. net/kcplink implements Link on a UDP socket,
// net/streamlink on TCP, WebSocket and the like, and net/memlink in memory with a seeded,
// lossy network; net/linkmux shares one among rooms. A room.Driver drives any of them.
// linktest has the tests that every implementation passes.
//
// The loop of a host, in short:
//
//	for {
//		select {
//		case <-l.Ready():
//		case <-time.After(l.Due(now()) - now()): // or one timer, which is reset
//		}
//		l.Poll(now(), func(ev link.Event) {
//			switch ev.Kind {
//			case link.Opened: // a new peer: ev.Peer
//			case link.Datagram: // ev.Data: perhaps out of order, perhaps never
//			case link.Message: // ev.Data: in order within ev.Stream
//			case link.Closed: // ev.Reason
//			}
//		})
//		// ... l.SendDatagram(now(), peer, snapshot)
//	}
//
// # Concurrency
//
// A Link belongs to one goroutine, which also runs the function that is given to Poll. Only
// Ready may be called from others.
//
// Not in this package: the meaning of the bytes (net/wire), the identity of peers
// (package host), and encryption.
package link
