// Package timeline has the Timeline: the ordered log of all events of a room, and the states of
// its world, one per tick. Inserting an event in the past makes its tick dirty. A rewind goes
// back to the oldest dirty tick and simulates to the present again, but only what the event
// can have affected. The result has the same bits as simulating everything again.
//
// Host, client and replay run the same Timeline. They differ only in where events come from.
//
// # What you own
//
// The program that uses a Timeline supplies:
//
//   - The script of the first bundle, and with AddScript that of each bundle that comes later. A
//     script must read and change the world through its Actor only, and must give the same result
//     for the same reads.
//   - The events. The Timeline puts them in order; it does not matter when they arrive.
//   - The time and the network: the program decides when to simulate a tick, and to which tick
//     events may still arrive.
//
// The Timeline owns the log, the states and the tick. It has no clock, no goroutine and no random
// source.
//
// # Your duties
//
// In this order, for each tick:
//
//  1. Insert each event that has arrived. An event for a tick that has been simulated makes that tick
//     dirty, unless it changes nothing. An event for a tick up to Oldest is refused with ErrTooOld.
//  2. Rewind. Without a dirty tick it does nothing. With Options.Check, call Check after it: it
//     simulates the same ticks again as a whole, in a separate world, and compares every bit.
//  3. Step, which simulates the next tick. If a tick is still dirty, the step begins with a state
//     that will change, and the next Rewind simulates the new tick again, too.
//  4. Read what you need: At, World for the present, or one of the parts: Past has the states that
//     are kept, Log what players did, Scripts the rules of each bundle. After a Rewind, Causes has
//     the objects that came out of it differently: Explain says why, and Locate finds the lines of
//     scripts that made the difference, until the next Rewind.
//  5. Release the ticks for which no event is accepted any more. Without Release, a tick can change
//     until Options.States later ones have been simulated.
//
// A client has four more:
//
//  1. Start with the keyframe of the host, before the first Step.
//  2. Guess, before each Step, the inputs, owner poses and independent frames of its own player, which
//     the log does not have yet.
//  3. Correct and ApplyProxy, when the host has sent states.
//  4. Complete, when it has the whole log up to a tick. Guesses up to there that the log does not have
//     are dropped, and corrections as well.
//
// It may call RewindPredicted in the place of Rewind, which bounds the work of a call: a rewind may take several of
// them, with steps in between.
//
// Where clients simulate only some of the objects, a SharedRun simulates those of the complete ticks
// again, without guesses.
//
// A client that cannot afford to predict all objects again and again makes some of them cheap: Culling.Cull
// replaces an object by a proxy, and the SharedRun simulates it only in complete ticks, until Culling.Restore.
//
// Before a client sends an input, Look finds what the hook of that input asks for with asSeen, where the
// last frame drew it. The host and all clients use these poses when they simulate the input.
//
// # The loop
//
// A host or a replay:
//
//	tl := timeline.New(script, timeline.Options{States: 64})
//	for {
//		for _, e := range arrived {
//			tl.Insert(e, timeline.Origin{}) // may be for a tick in the past
//		}
//		tl.Rewind()                   // simulates again what these events changed
//		tl.Step()                     // simulates the next tick
//		show(tl.At(tl.Now()))
//		tl.Release(tl.Now() - window) // these ticks cannot change any more
//	}
//
// A client:
//
//	tl := timeline.New(script, timeline.Options{Client: me})
//	if err := tl.Start(keyframe); err != nil {
//		return err
//	}
//	for {
//		for _, r := range arrived {
//			tl.Insert(r.Event, timeline.Origin{Record: r.Number, Packet: packet})
//		}
//		tl.Complete(complete, timeline.Origin{Packet: packet})
//		tl.Rewind()
//		tl.Guess(world.Event{Tick: tl.Now() + 1, Kind: world.InputEvent, Player: me, Object: ship, Input: in}, false)
//		tl.Step()
//		show(tl.At(tl.Now()))
//		tl.Release(complete)
//	}
//
// # Sources
//
// The rewind of late inputs is that of the article about the networked physics of the game "Operation
// Black Sun": a queue of inputs, a state for each step, and at most one rewind in a tick. There the
// whole world is simulated again. That all objects go back together to the oldest tick in question is
// also the fixed ticking of "Network Prediction Plugin Overview" (Epic Games).
//
// # Concurrency
//
// A Timeline must be used by one goroutine at a time. The states that it returns belong to it:
// they change with the next call.
//
// # Caveats
//
// A Rewind is exact only if scripts read nothing behind the back of their Actor. Check finds a script
// that does, as ErrDesync with a Mismatch.
//
// A rewind simulates a tick in part only if it has no events other than inputs, owner poses and
// independent frames, no correction, and room for more objects. The other ticks are simulated as a
// whole each time that a rewind passes them (Rewound.Whole), which takes as long as a Step. A few
// host events in a second cost little; one in each tick can double the work of a room in which all
// inputs are late. BenchmarkRewindOverHostEvents measures it.
//
// A tick may be simulated many times. Options.Ran is called each time, Options.Print only the
// first time.
//
// Of several inputs for the same object and tick, the one with the highest Origin.Record counts;
// of equal ones, the first.
package timeline
