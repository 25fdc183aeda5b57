// Package room has what both sides of a room share: the Driver, which runs a host or a
// client in real time, and the types that both hand out: View, Report, CueEvent, Displacement.
//
// A room of scripted objects is simulated on a host and predicted on clients. The host, of package
// host, is the authority: it collects inputs, rewinds for late ones, steps the world and relays
// every applied input to every client. A client, of package client, simulates the same room ahead of
// the host, with the inputs that it knows, and rewinds when it learns more; or it draws the host's
// snapshots. Neither package knows the other.
//
// Host and client are machines, not programs. They have no goroutine, clock, socket or global
// variable. They take packets and a time, and return when they have done what is due. So a match on
// virtual time is a loop in one goroutine (package simtest), and the same seed plays the same match
// again.
//
// # What you own
//
// The program that embeds a host or a client supplies:
//
//   - A bundle of scripts and settings (package bundle; package scripts makes one
//     of a folder) and the function that compiles it (luabind).
//   - The network: a link.Link (net/kcplink on UDP, net/streamlink on TCP and WebSocket,
//     net/memlink in memory, or a room of net/linkmux). The Driver closes it; without one, Close
//     does.
//   - Time: any monotonic time since a moment of your choice. Host and client
//     each have their own.
//
// Package host and package client say what else they take.
//
// # Your duties
//
// With a Driver there is one: call Driver.Run in a goroutine. It runs one host or one client to its
// end, and closes the link. Reach the host or the client from other goroutines through Driver.Do and
// Driver.Post only.
//
// Without a Driver, call from one goroutine, with a time that never decreases:
//
//  1. Wake and Poll, as soon as Ready says that packets have arrived, and when Due says so. Poll takes
//     in packets and answers joins and pings.
//  2. Update, after each Poll. On a host it runs the ticks that are due: each rewinds for late
//     inputs, steps, commits the tick that is now too old to change, and sends. On a client it
//     rewinds for what Poll took in, steps the ticks that are due, and sends.
//  3. Due, when both are done. It says until when nothing needs to be called, if no packet arrives.
//  4. On a client: View, whenever you draw. It changes nothing in the simulation, and shows the
//     time of the last Poll or Update.
//  5. At the end: on a host Shutdown, then the loop until Due is link.Never, or until a time limit of
//     yours has passed. On a client Leave, then the loop until Done. Then Close, on either. Close alone
//     is enough if last messages need not arrive.
//
// ExampleHost_Update and ExampleClient_Update have these loops. With Drivers, which each have a clock of
// their own:
//
//	driver := room.NewDriver()
//	go driver.Run(ctx, h)
//	driver.Do(ctx, func(ctx context.Context, now time.Duration) error {
//		report = h.Report(now)
//		return nil
//	})
//
//	err := room.NewDriver().Run(ctx, c)
//
// # Functions that are called
//
// The functions of a host.Config and a client.Config are called within Poll, Update or Tick, on the
// goroutine that called these: with a Driver, on its driving goroutine. The room waits until they
// return. Driver.Do runs its function at once in all of them, and Driver.Post after them. The
// packages host and client say which of them may call the host or the client.
//
// # Many rooms
//
// Each room has a Driver, and so a goroutine of its own, which sleeps until its room is due. So
// rooms use all processors, and a slow script delays no other room. To end a room, end its context,
// and wait for Driver.Run to return. Package linkmux lets rooms share a socket.
//
// # Concurrency
//
// A host or a client, and what its methods return, belongs to one goroutine: with a Driver, to the
// one that called Driver.Run. That goroutine also calls the functions of the configuration. Other
// goroutines reach a host or a client through Driver.Do and Driver.Post. Hosts and clients have
// nothing in common, so a program may run as many as it likes.
//
// # Where to look
//
// The log of events and the history of states that both sides run is a
// timeline.Timeline. The log is sent to clients by package relay, snapshots by package
// replicate, and package view computes what is drawn between ticks. Package side has what hosts and
// clients are both made of: the mailbox of the link, the log of script errors, the profile of hooks.
// Package replay records matches, and plays and verifies them.
//
// docs/architecture.md explains each mechanism and follows one input from a key
// to the screen. docs/glossary.md defines the terms.
package room
