// Package timeline has the Timeline: the ordered log of all events of a room and a ring of
// its world's states, one per tick. Inserting an event in the past rewinds to its tick and
// simulates forward again, and only what the event can have affected is simulated again. The
// result has the same bits as simulating everything again.
//
// You own the order of calls, the time and the network. The Timeline owns the log, the states
// and the tick; it has no clock, no goroutine and no random source. A host and a client use it
// alike:
//
//	tl := timeline.New(script, timeline.Options{States: 64})
//	for {
//		for _, e := range arrived {
//			tl.Insert(e, timeline.Origin{}) // may be for a tick in the past
//		}
//		tl.Rewind()                    // runs again what these events changed
//		tl.Step()                      // simulates the next tick
//		show(tl.At(tl.Now()))
//		tl.Release(tl.Now() - window)  // these ticks cannot change any more
//	}
//
// A client does three things more. It puts guesses in the place of what it does not know yet:
// its own player's events (Guess), and states that the host sent (Correct, ApplyProxy). It
// tells with Complete up to which tick the log is complete; what stood in for missing events
// is dropped there. And where clients simulate only a part of the room, a SharedRun
// simulates that part of the complete ticks again.
//
// With Options.Check, call Check after each Rewind: it simulates the same ticks again as a
// whole and compares every bit. Explain tells why an object came out of a Rewind otherwise
// than before, and Locate finds the lines of scripts that made the difference.
//
// A Timeline is used by one goroutine. The states that it returns are its own: they change
// with the next call.
package timeline
