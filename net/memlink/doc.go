// Package memlink is a bad network in memory, on virtual time: packets are late,
// lost, doubled and overtaken as a seed decides, and the same seed and calls give
// the same events on every machine.
//
// It has three parts, each of use without the next:
//
//   - [Profile] says how bad a line is. [ParseProfile] reads "bad" or
//     "delay=80ms,jitter=20ms,loss=5%,dup=1%,reorder=2%,rate=1mbit".
//   - [Shaper] is one direction of a line: Push a packet, Pop those that are due.
//     It holds no clock, so it also shapes a real socket's packets in real time.
//   - [Network] joins a host and its clients by such lines. Its ends implement
//     link.Link, so that package runtime can't tell it from a socket.
//
// How it is used:
//
//	network := memlink.New(seed)
//	host := network.Host()
//	client := network.Dial(memlink.Bad(), memlink.Bad()) // up, down
//	for now := time.Duration(0); now < time.Minute; now += tick {
//		host.Poll(now, func(ev link.Event) { ... })   // ev.Kind Opened: a client is there
//		client.Poll(now, func(ev link.Event) { ... }) // Opened: the host answered
//		client.SendDatagram(now, 1, input)            // to a client the host is peer 1
//	}
//	network.SetProfile(0, memlink.Awful(), memlink.Bad()) // client 0, while it runs
//	network.Cut(0, true)                                  // after 10 s both ends get Closed
//
// # What the ends do
//
// A client says hello five times a second until it is welcomed, for 5 s. Datagrams
// go through the line once; those that the line doubles are delivered once. Each
// stream cuts its messages into segments with a number; they are acknowledged
// cumulatively and one by one, and sent again when one sent well after them has
// arrived, or when the time taken from the measured round trip is over. Bulk is
// paced: it starts with 1 Mbit/s, speeds up to 5, and falls back behind what the
// line delivers when round trips show a queue. An end of which nothing is heard for 10 s is closed.
//
// This behaves like the KCP of net/kcplink, near enough for tests of what is
// above it; it isn't KCP, and the two don't talk to each other.
//
// # Time
//
// Packets are counted in whole microseconds. An end acts only when it is polled:
// at a poll every 60th of a second a round trip is longer than the line by up to
// two such spans, as in a real program. Events come connection by connection in
// the order of Dial, and within one in the order in which the packets were due.
//
// # What it leaves out
//
// Nobody forges packets here, so there is no proof of addresses, no limit on the
// number of clients, and no check of packets. [End.Ready] is nil and never fires.
package memlink
