// Package runtime simulates a room of scripted objects on a host and predicts it
// on clients.
//
// The three main types are Host, Client and Driver. A Host is the authority over
// one room: it collects inputs, rewinds for late ones, steps the world and
// relays every applied input to every client. A Client of Kind Predictor simulates
// the same room ahead of the host, with the inputs that it knows, and rewinds when
// it learns more; a Spectator draws the host's snapshots instead. A Driver runs
// either of them in real time.
//
// Host and Client are machines, not programs. They have no goroutine, clock,
// socket or global variable. They take packets and a time, and return when they
// have done what is due. So a match on virtual time is a loop in one goroutine
// (package simtest), and the same seed plays the same match again.
//
// # What you own
//
// The program that embeds the package supplies:
//
//   - A bundle of scripts and settings (package bundle; package scripts makes one
//     of a folder) and the function that compiles it (luabind).
//   - The network: a link.Link (net/kcplink on UDP, net/streamlink on TCP and WebSocket,
//     net/memlink in memory, or a room of net/linkmux).
//   - Time: any monotonic time since a moment of your choice. Host and client
//     each have their own.
//   - For a client: Controls, where inputs come from. Optionally Frames, which is
//     told when the client returns to an earlier tick and when there is a new
//     present to show; and functions that are called for cues, displacements and chat.
//   - For a host: optionally Admit, which decides who may join; Random, from which
//     tickets are drawn; HostCallbacks, which are called when something happens in the
//     room; and a replay.Recorder, which writes the match to a file.
//
// # Your duties
//
// With a Driver there are none: call Driver.Host or Driver.Clients in a goroutine,
// and reach the Host or the Client from others through Driver.Do only.
//
// Without a Driver, call from one goroutine, with a time that never decreases:
//
//  1. Poll, at least 100 times per second, and as soon as Link.Ready says that
//     packets have arrived. It takes in packets and answers joins and pings.
//  2. On a host: Tick, once per tick length. It rewinds for late inputs, steps one
//     tick, commits the tick that is now too old to change, and sends. If it is
//     called late, call it again until it has caught up; if that is hopeless, give
//     the time up.
//     On a client: Update, after each Poll. It rewinds for what Poll took in, steps
//     the ticks that are due, and sends.
//  3. On a client: View, whenever you draw. It changes nothing in the simulation.
//  4. At the end: Shutdown of a host. On a client Leave, then the loop until Done,
//     then Close. After that, Poll the link for a moment, so that the last packets
//     leave.
//
// # The loop
//
// A host without a Driver:
//
//	host, err := runtime.NewHost(runtime.HostConfig{Bundle: b, Compile: compile, Link: link})
//	...
//	next := clock()
//	for running {
//		host.Poll(clock())
//		for clock() >= next {
//			if err := host.Tick(clock()); err != nil {
//				return err // check mode found a difference
//			}
//			next += host.TickLength()
//		}
//		select {
//		case <-link.Ready():
//		case <-time.After(min(next-clock(), 2*time.Millisecond)):
//		}
//	}
//	host.Shutdown(clock(), "the host has stopped")
//
// A client without a Driver:
//
//	client := runtime.NewClient(runtime.ClientConfig{Link: link, Compile: compile, Name: "ann", Controls: keys})
//	for client.Err() == nil {
//		client.Poll(clock())
//		client.Update(clock())
//		client.View(&view)
//		draw(&view)
//	}
//
// With Drivers, which each have a clock of their own:
//
//	driver := runtime.NewDriver()
//	go driver.Host(ctx, host)
//	driver.Do(func(now time.Duration) { report = host.Report(now) })
//
//	runtime.NewDriver().Clients(ctx, []*runtime.Client{client}, nil)
//
// # Concurrency
//
// A Host or a Client, and what its methods return, belongs to one goroutine: with a
// Driver, to the one that called Driver.Host or Driver.Clients. That goroutine also
// calls the functions of HostConfig and ClientConfig, the Controls and the Frames.
// Other goroutines reach a Host or a Client through Driver.Do. Hosts and Clients have
// nothing in common, so a program may run as many as it likes.
//
// # Acting on a room
//
// Spawn, Set, SetOwner, Remove and Call of a Host are events of the coming tick, in the
// order of the calls. They return an error at once for what cannot be done. Clients
// simulate them, rewinds pass over them, and replays have them. Kick and Say act on
// players and are not simulated.
//
// # Where to look
//
// The log of events and the history of states that both sides run is a
// timeline.Timeline. The log is sent to clients by package relay, snapshots by
// package replicate, and package view computes what is drawn between ticks.
// Package replay records matches, and plays and verifies them. A View is what
// there is to draw, and a Report what a run of a host or a client did.
//
// Files that begin with host are the Host by what it does: hostjoin.go,
// hostinput.go, hostsend.go and so on; hostpackets.go takes in every message. Files
// that begin with client are what all clients do; clientpoll.go takes in every
// message. The three roles of a client are predictor.go, spectator.go and
// inputonly.go. Most of the other files each have one part of these, and its name.
//
// docs/architecture.md explains each mechanism and follows one input from a key
// to the screen. docs/glossary.md defines the terms.
//
// # Caveats
//
// States, schemas and views that a Host or a Client hands out are its own: they
// change with the next Tick, Update or View. Copy what you keep.
//
// State and View of a client show a prediction. Only ticks up to Confirmed are
// known to be what the host has. Do not act on a prediction in a way that cannot
// be taken back; cues with when = "confirmed" exist for that.
//
// A tick may run many times. Printing and the logging of script errors happen the
// first time only; cues are compared with what was shown. Other side effects in a
// Compile or Controls implementation are yours to avoid.
//
// Host.At reads the room as it was; Host.Reader and Client.Reader read the present.
// Controls get a world.Reader, which is valid during the call. The State that it
// returns is the client's own and must not be changed.
//
// A Ticket is a secret: whoever has it can return as its player within the grace
// time.
package runtime
