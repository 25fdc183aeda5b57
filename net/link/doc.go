// Package link says what a network is to the rest of Hindcast: a Link, its
// peers, and the events a poll delivers.
//
// It holds types only. net/kcplink implements Link on a UDP socket, net/memlink
// in memory with a seeded, lossy network, and package runtime drives whichever
// it is given. None of the three imports another.
//
// A host's loop, in short:
//
//	for {
//		select {
//		case <-l.Ready():
//		case <-ticker.C: // at least 100 times a second
//		}
//		l.Poll(now(), func(ev link.Event) {
//			switch ev.Kind {
//			case link.Opened: // a new peer, ev.Peer
//			case link.Datagram: // ev.Data, perhaps out of order, perhaps never
//			case link.Message: // ev.Data, in order within ev.Stream
//			case link.Closed: // ev.Reason
//			}
//		})
//		// ... l.SendDatagram(now(), peer, snapshot)
//	}
//
// What it leaves out: the meaning of the bytes (net/wire), who a peer is (the
// join message of package runtime), and encryption.
package link
