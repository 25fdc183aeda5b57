// Package timeline has the Timeline: the ordered log of all events of a room, and the states of
// its world, one per tick. Inserting an event in the past makes its tick dirty. A rewind goes
// back to the oldest dirty tick and simulates to the present again, but only what the event
// can have affected. The result has the same bits as simulating everything again.
//
// You own the order of calls, the time and the network. The Timeline owns the log, the states
// and the tick; it has no clock, no goroutine and no random source. Host and client use it
// alike:
//
//	tl := timeline.New(script, timeline.Options{States: 64})
//	for {
//		for _, e := range arrived {
//			tl.Insert(e, timeline.Origin{}) // may be for a tick in the past
//		}
//		tl.Rewind()                    // simulates again what these events changed
//		tl.Step()                      // simulates the next tick
//		show(tl.At(tl.Now()))
//		tl.Release(tl.Now() - window)  // these ticks cannot change any more
//	}
//
// A client does three more things. It fills in what it does not know yet: events of its own
// player (Guess), and states that the host sent (Correct, ApplyProxy). It calls Complete when
// it has the whole log up to a tick; guesses that the log does not have are dropped there.
// Where clients simulate only some of the objects, a SharedRun simulates those of the
// complete ticks again, without guesses.
//
// With Options.Check, call Check after each Rewind. It simulates the same ticks again as a
// whole and compares every bit. After a Rewind, Explain says why an object came out of it
// differently, and Locate finds the lines of scripts that made the difference.
//
// # Concurrency
//
// A Timeline must be used by one goroutine at a time. The states that it returns belong to it:
// they change with the next call.
package timeline
