// Package world holds the vocabulary of a simulation (Tick, PlayerID,
// ObjectID, Input) and all of its rewindable state.
//
// A State is flat: objects, their script fields and their bodies lie in
// slices without pointers, so that saving and restoring a tick is a copy.
// A World is a State on its way through one tick. Whoever drives it (package
// runtime) calls, for each tick:
//
//	w.Begin()                    // the tick counts
//	w.BeginBlock(i)              // objects now see each other as they are here
//	w.Act(slot)                  // a hook of this object runs; scripts call
//	w.See(id), w.Do(op), w.Spawn(...), w.Random()
//	w.EndOrder()                 // writes to other objects are carried out
//	w.Step()                     // bodies move; w.Contacts() tells who met
//	w.End()                      // removed objects go
//	h := w.Now.Hash()
//
// Three rules make a tick independent of who ran first in it. An object sees
// itself as it is and all others as they were when the order began. What it
// does to itself counts at once, what it does to others when the order ends,
// by (acting object, sequence). Ids, random numbers and spawn limits are
// functions of the acting object and the tick, of nothing that the world
// shares.
//
// Joints are objects too (Tie), of a class of our own, so that all of this holds
// for them; Attach makes one object follow another by a joint of its own.
//
// A Part runs ticks again that have been run, in each only what can come out
// otherwise, and mends the history in place (docs/architecture.md, One
// rewind). For that a World that is given a Trace notes in it what the tick
// did. It can note only what goes through See, the queries, Do and Spawn: a
// hook must not look at Now for anything but its own object.
//
// A hook may look at the world as its player's screen showed it (BeginSeen): where
// the objects of some classes were between two ticks that are over.
//
// In a client's world (World.Client) objects of classes that it does not simulate
// are stand-ins: they are put where they were told to be at the end of a tick (Put),
// and what is known for certain is put in likewise (Restate). KeepShared cuts out
// of a State what all clients simulate; AppendPatch says what they lack of it.
//
// A hook may also give a Cue: an effect for viewers, kept in the Trace and in no
// state.
//
// A Schema says what classes there are, what fields and inputs they declare
// and what bodies they have. It comes from a script bundle and its level
// (Setup) and never changes; a bundle switch is World.Migrate.
//
// The package imports no clock, no random source and no float function whose
// bits differ between CPUs. Same inputs, same Hash, on amd64, arm64, 386 and
// wasm.
package world
