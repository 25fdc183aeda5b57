// Package runtime is Hindcast's core: the Timeline, the Host and the Client
// that run it, and the Driver that gives them the time.
//
// Everything that changes a world is an event with a tick (world.Event). A
// Timeline is the log of these events and a ring of states, one a tick.
// Inserting an event into the past marks its tick dirty; Rewind runs again from
// there to the present, with all that is known by then, what can come out
// otherwise:
//
//	tl := runtime.NewTimeline(script, 64)
//	tl.Insert(world.Event{Tick: 2, Kind: world.JoinEvent, Player: 1})
//	for range 100 {
//		tl.Step()
//	}
//	tl.Insert(lateInput)  // for tick 90
//	r := tl.Rewind()      // r.From 90, r.Ticks 11
//
// A Host feeds its Timeline with inputs from the network, and relays what was
// applied to everybody. A Client feeds the same kind of Timeline with its own
// inputs, as guesses, and with the host's log, and runs it ahead of the host,
// so that its inputs arrive when they are due. When the log of a tick is
// complete, the client has simulated exactly what the host has: it compares
// hashes and reports the first difference.
//
// Host, Client and Timeline are machines, not programs: no goroutine, clock,
// socket or global in them; the time is a parameter. They see scripts through
// the interface Script (package luabind), and the network through link.Link
// (net/kcplink on UDP, net/memlink in memory). Driver, in driver.go, is the
// one place where time is read:
//
//	driver := runtime.NewDriver()
//	go driver.Host(ctx, host)                            // until ctx is done
//	driver.Do(func(now time.Duration) { ... host.Report(now) ... })
//	runtime.NewDriver().Clients(ctx, clients, nil)       // each side has its own
//
// A program that embeds a Client hands in three small interfaces. Controls is where
// inputs come from, once a tick or, as FrameControls, in each frame; Frames hears when the Client goes back to an earlier tick, and what
// the present is when it is back from there; link.Link is the network. ExampleFrames
// has the first two.
//
// A Recorder writes all that happens to a host into a file (runtime/replay), and
// a Replay plays it again: seeks, verifies, and tells where edited scripts would
// have made it go another way.
//
// A Client with Watch does not simulate: a teller of the Host's sends it
// snapshots, and a playback shows them a moment later.
//
// In a room with classes that clients do not simulate (world.LOD), a knownRun on
// both sides simulates what all of them do; what it became otherwise in truth the host
// gives (Host.give, Client.settleKnown). The rest a Client's Timeline has stand-ins
// of, which snapshots move (Client.standIns).
//
// A client whose line is lost, or whose program starts again, comes back as the
// same player with all that is his, within the grace time: a new Client, on a new
// link, with the Ticket of the one before. HostConfig.Random makes tickets.
//
// A Move says why an object of a player's is not where it was: with whose input that
// began, which line of a script made the difference, and how it came to the object.
//
// A cueBook sees to it that an effect which a tick asks for is told of once,
// however often the tick is run.
//
// To follow one input: Client.sample, Client.send, net/wire, Host.readInputs,
// Host.queue, Timeline.Insert, Timeline.Rewind, runner.steer, Script.Call,
// World.Step, Host.confirm, relay.frame, Client.hostFrame, Client.reconcile,
// Client.View.
//
// What owners say besides inputs goes the same way, in messages and logs of its own:
// Client.place and Client.makeFrame, Host.readMotion, runner.move, runner.simulate.
//
// What a re-run leaves out: prints are shown, and errors are counted, the
// first time only.
package runtime
