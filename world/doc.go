// Package world holds the vocabulary of a simulation (Tick, PlayerID, ObjectID,
// Input, Event) and all of its rewindable state.
//
// A State is flat: objects, their script fields and their bodies are in slices
// without pointers, so saving and restoring a tick is a copy. A World moves a
// State through one tick. What drives it (package timeline) makes these calls for
// each tick:
//
//	w.Begin()                    // the tick counts up
//	w.BeginBlock(i)              // for each order: from here on, objects see others as they are now
//	script.Call(w.Actor(), hook, slot, args) // of the acting object (w.Act)
//	w.EndOrder()                 // operations on other objects are carried out
//	w.Step()                     // bodies move; w.Contacts() and w.JointBreaks() say what happened
//	w.End()                      // owners change, objects are removed
//	h := w.Now.Hash()
//
// A tick has several blocks of hooks, each between BeginBlock and EndOrder: the inputs
// of each order and the ticks of each order before Step, contacts and removals after it.
//
// A World has two other faces. Script code sees it as an Actor, which reads and
// changes it on behalf of the acting object. Code that only reads it between two
// ticks sees it as a Reader.
//
// Three rules make the result of a tick independent of the order in which
// objects of one order run:
//
//   - An object sees itself as it is, and all others as they were when the order
//     began.
//   - What an object does to itself takes effect at once. What it does to others
//     takes effect when the order ends, sorted by (acting object, sequence).
//   - Ids, random numbers and spawn limits are functions of the acting object
//     and the tick, and of nothing that the objects share.
//
// Joints are objects too (Actor.Tie), of a built-in class, so the rules hold for
// them. Actor.Attach makes one object follow another by a joint of its own.
//
// # Rewinds
//
// A HistoryEntry is the state after a tick, and the Trace of the tick. A PartialRerun
// simulates ticks of a history again. Of each tick it runs only what can come out
// differently, and corrects the history in place (docs/architecture.md, "One rewind").
// The trace records only what a hook does through an Actor. So a hook must read other
// objects by Actor.See and the queries, never from the state.
//
// # Clients
//
// In the World of a client (Options.Client), objects of classes that the client
// does not simulate are proxies. ApplyProxy moves them to where snapshots say
// that they were at the end of a tick. In such a room the objects that all clients
// simulate are the shared set: KeepShared cuts it out of a State, a patch
// (AppendPatch, ApplyPatch) corrects it, another one (AppendCuePatch, ApplyCuePatch) corrects its
// cues, and ApplyCommitted puts a committed one into a World.
//
// A hook can look at the world as its player's screen showed it
// (Actor.BeginAsSeen): at a ViewTime, or where the Sight of the input has objects. A Cue is an effect for viewers. It
// is kept in the Trace and is not part of the state.
//
// # Schema
//
// A Schema says which classes there are, what fields and inputs they declare and
// what bodies they have. It is made of a script bundle and its level (Setup) and
// never changes. World.Migrate switches to another one.
//
// A new kind of field begins at FieldKind (schema.go), a new level of detail at LOD
// (lod.go), a new rule for merging inputs at Merge (merge.go). CONTRIBUTING.md lists what
// else each of them touches, here and in other packages.
//
// # Sources
//
// The division into input, state and aux is that of InputCmd, SyncState and AuxState in "Network
// Prediction Plugin Overview" (Epic Games), and so is the idea that a tick is a function of these three
// which has no branches for host, client or re-run. Classes with Independent are its independent
// ticking. The script interface, in which a method applyInput turns keys into forces, is from the
// article about the networked physics of the game "Operation Black Sun".
//
// # Concurrency
//
// A World, and what its methods return, serves one goroutine at a time. A Schema never
// changes and may be shared. Anything that only reads a State may run on several goroutines
// as long as none writes to it. Worlds have nothing in common.
//
// The package uses no clock, no random source and no floating-point function whose
// bits differ between CPUs. The same inputs give the same Hash on amd64, arm64, 386
// and wasm.
package world
