// Package memlink simulates a bad network in memory, on virtual time: packets are
// delayed, lost, duplicated and reordered as a seed decides. Equal seeds and calls give
// equal events on all machines.
//
// It has three parts. Each can be used without the next:
//
//   - [Profile] describes a line. [ParseProfile] reads "bad" or
//     "delay=80ms,jitter=20ms,loss=5%,dup=1%,reorder=2%,rate=1mbit".
//   - [Shaper] is one direction of a line: Push a packet, Pop those that are due. It has
//     no clock, so it can also shape the packets of a socket in real time.
//   - [Network] connects a host and its clients by such lines. Its [End] implements
//     link.Link, so hosts and clients cannot tell it from a socket.
//
// For example:
//
//	network := memlink.New(seed)
//	host := network.Host()
//	client := network.Dial(memlink.Bad(), memlink.Bad()) // up, down
//	for now := time.Duration(0); now < time.Minute; now += tick {
//		host.Poll(now, func(ev link.Event) { ... })   // Opened: there is a client
//		client.Poll(now, func(ev link.Event) { ... }) // Opened: the host has answered
//		client.SendDatagram(now, 1, input)            // the host is peer 1
//	}
//	network.SetProfile(0, memlink.Awful(), memlink.Bad()) // of client 0, at any time
//	network.Cut(0, true)                                  // after 10 s both ends get Closed
//
// # The connections
//
// A client sends five hellos a second until it gets a welcome, for at most 5 s. A
// datagram passes the line once; one that the line duplicates is delivered once. A stream
// cuts its messages into numbered segments, which are acknowledged cumulatively and one by
// one. A segment is sent again when one that was sent well after it has arrived, or after
// a timeout that follows from the measured round trips. Bulk is paced: it begins with
// 1 Mbit/s, speeds up to 5, and slows down when round trips show a queue. A connection on
// which nothing arrives for 10 s is closed.
//
// This is near enough to the KCP of net/kcplink for tests of what is above a link. The two
// cannot talk to each other.
//
// # Time
//
// Times count in whole microseconds. An End acts only in a Poll: with 60 polls a second a
// round trip is up to two intervals longer than the line, as in a real program. Events are
// in the order of Dial, then in the order in which the packets are due.
//
// [End.Ready] returns nil, which never receives. [End.Due] says when the next packet
// arrives or something else is to be done, so a program can go from one such moment to the
// next. What one End sends changes when another one is due.
//
// # Concurrency
//
// A Network and its Ends belong to one goroutine, and so does a Shaper. Networks have
// nothing in common.
//
// # Not in this package
//
// There is no attacker in this network: addresses are not proved, the number of clients is
// not limited, and packets are not checked.
package memlink
