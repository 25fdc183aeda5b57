// Package linktest is the conformance test of link.Link. It checks the requirements that
// every link meets, on whatever network it runs. All links of this module pass it. It is an
// ordinary package, so a link in another module can be tested as well.
//
// # Testing a link of your own
//
// Write a function that makes a [Network], and give it to [Run]:
//
//	func TestLink(t *testing.T) {
//		linktest.Run(t, func(t *testing.T) linktest.Network {
//			host, err := mylink.Listen("127.0.0.1:0")
//			if err != nil {
//				t.Fatal(err)
//			}
//			return linktest.Network{
//				Host: host,
//				Dial: func() link.Link { return mylink.Dial(host.Addr()) },
//				Step: linktest.RealTime(),
//			}
//		})
//	}
//
// Run calls the function for each case. The cases are parallel subtests, so each Network
// needs its own sockets. A case shuts down the links that it gets; t.Cleanup is for
// everything else. With real sockets the cases mostly wait: a TestMain that calls
// [SideBySide] makes them wait at the same time.
//
// These three fields are enough for most cases. Set DialBad as well if the link has to
// deal with loss and reordering itself: a memlink.Shaper in each direction makes a good line
// a bad one. Set Cut if the test can stop a line without telling the ends, and Apart if the ends
// do not share memory. Run with -v shows which cases were skipped, and why.
//
// # What the cases check
//
//   - Opening: the first event of both ends is Opened; a dial that nobody answers ends with
//     Closed; the host of a client is peer 1; no peer number is used again.
//   - Datagrams: they arrive whole and at most once, also when the line repeats them.
//   - Messages: they arrive whole, once and in order, also when the line loses, repeats and
//     reorders packets, and when an end does not poll for a while. A large message on Bulk
//     holds up neither Control nor datagrams. Peers are told apart.
//   - Sizes: data that is too large or empty is refused with the right error, and the
//     largest messages arrive.
//   - Backlog: the data that waits for a peer that takes nothing has a bound. No method blocks.
//   - Ends: Close and Shutdown in every state, in the delivery of every kind of event, and
//     by both ends at once. Messages that were sent before arrive, the other end gets the
//     reason, no event follows, and sends return the right error.
//   - Due and Ready: in most cases an end is polled only when it is due or ready. An idle
//     link is seldom due.
//   - Goroutines: each end runs on a goroutine of its own (run this with the race detector),
//     and none is left after Shutdown.
//
// In all cases the order of events, their fields, and their data during the call of deliver
// are checked, and the caller's buffers are overwritten after each send.
//
// # Concurrency
//
// Run may be called by parallel tests, each with a network of its own. In all cases but one
// the ends of a case are used on one goroutine.
//
// # What they do not check
//
// Who may connect, whether addresses are proved, what forged or malformed packets do, how
// fast the link is and how it shares a thin line: those are for the tests of the link
// itself.
package linktest
