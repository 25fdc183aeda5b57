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
//     net/memlink in memory, or a room of net/linkmux). The Driver closes it; without one, Close
//     does.
//   - Time: any monotonic time since a moment of your choice. Host and client
//     each have their own.
//   - For a client: Controls, where inputs come from. Optionally Frames, which is
//     notified when the client returns to an earlier tick and when there is a new
//     present to show; and functions that are called for cues, displacements and chat.
//   - For a host: optionally Admit, which decides who may join; Random, from which
//     tickets are drawn; HostCallbacks, which are called when something happens in the
//     room; and a replay.Recorder, which writes the match to a file.
//
// # Your duties
//
// With a Driver there is one: call Driver.Host or Driver.Client in a goroutine. It runs one Host
// or one Client to its end, and closes the link. Reach the Host or the Client from other
// goroutines through Driver.Do and Driver.Post only.
//
// Without a Driver, call from one goroutine, with a time that never decreases:
//
//  1. Poll, as soon as Link.Ready says that packets have arrived, and when Due says so. It takes
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
// # The loop
//
// A host without a Driver:
//
//	host, err := runtime.NewHost(runtime.HostConfig{Bundle: b, Compile: compile, Link: l})
//	...
//	timer := time.NewTimer(0)
//	for running {
//		host.Poll(clock())
//		if err := host.Update(clock()); err != nil {
//			return err // check mode found a difference
//		}
//		timer.Reset(host.Due(clock()) - clock())
//		select {
//		case <-l.Ready():
//		case <-timer.C:
//		}
//	}
//	host.Close(clock(), "the host has stopped")
//
// A client without a Driver:
//
//	client := runtime.NewClient(runtime.ClientConfig{Link: l, Compile: compile, Name: "ann", Controls: keys})
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
//	driver.Do(ctx, func(ctx context.Context, now time.Duration) error {
//		report = host.Report(now)
//		return nil
//	})
//
//	err := runtime.NewDriver().Client(ctx, client)
//
// # Functions that are called
//
// The functions of a HostConfig and a ClientConfig are called within Poll, Update or Tick, on the
// goroutine that called these: with a Driver, on its driving goroutine. The room waits until they
// return. Driver.Do runs its function at once in all of them, and Driver.Post after them.
//
// HostCallbacks may call every method of the Host but Poll, Update, Tick, Shutdown and Close. Admit,
// Confirmed, Rewound and Displaced may call those that read it. Confirmed, Cues, Displaced, Chat and Frames
// of a client may read the Client, and call Say and Leave.
//
// The other functions are called in the middle of a tick: Compile, Controls, Cache, Random,
// Stopwatch, and the writers behind Log and Recorder. They must not call the Host or the Client.
//
// # Many rooms
//
// Each room has a Driver, and so a goroutine of its own, which sleeps until its room is due. So
// rooms use all processors, and a slow script delays no other room. To end a room, end its context,
// and wait for Driver.Host to return. Package linkmux lets rooms share a socket.
//
// # Concurrency
//
// A Host or a Client, and what its methods return, belongs to one goroutine: with a
// Driver, to the one that called Driver.Host or Driver.Client. That goroutine also
// calls the functions of HostConfig and ClientConfig, the Controls and the Frames.
// Other goroutines reach a Host or a Client through Driver.Do and Driver.Post. Hosts and Clients have
// nothing in common, so a program may run as many as it likes.
//
// # Acting on a room
//
// Spawn, Set, SetOwner, Remove and Call of a Host make events of the coming tick, in
// the order of the calls. A call that cannot be carried out returns an error at once
// and makes no event. Clients simulate these events, rewinds simulate them again, and
// replays contain them. Kick and Say act on players and are not simulated.
//
// # Assets
//
// SetAssets of a Host announces the pictures, sounds and fonts of a game, an asset.Set, to all clients. A client
// with ClientConfig.Assets, an asset.Receiver, fetches the files that the receiver lacks. Nothing that is simulated
// depends on them.
//
// # How far clients predict
//
// A Prediction in ClientConfig, or later SetPrediction, says how many ticks a client delays its player's inputs, and
// how far it simulates beyond the newest tick of the host that it knows. Its zero value is a good choice.
//
// # Where to look
//
// The log of events and the history of states that both sides run is a
// timeline.Timeline. The log is sent to clients by package relay, snapshots by package
// replicate, and package view computes what is drawn between ticks. Package replay
// records matches, and plays and verifies them. A View has everything to draw. A Report
// has the counters and times of a host or a client.
//
// Files that begin with host are the Host, divided by task: hostjoin.go, hostinput.go,
// hostsend.go and so on; hostpackets.go takes in every message, and admission.go says when a
// client may send it. Files that begin with
// client have what all clients have in common; clientpoll.go takes in every message.
// The three roles of a client (role.go) are predictor.go, spectator.go and inputonly.go.
// Most other files hold one part of the Host or the Client, and are named after it: session.go has a
// client's stay in a room, logreceiver.go its end of the log.
//
// docs/architecture.md explains each mechanism and follows one input from a key
// to the screen. docs/glossary.md defines the terms.
//
// # Caveats
//
// States, schemas and views that a Host or a Client hands out are its own: they
// change with the next Tick, Update or View. Copy what you keep.
//
// State and View of a client show a prediction. Only ticks up to Confirmed are known to
// equal the host's. Do not act on a prediction in a way that cannot be taken back; cues
// with when = "confirmed" exist for that.
//
// A tick may run many times. Printing and the logging of script errors happen the
// first time only; cues are compared with what was shown. Other side effects in a
// Compile or Controls implementation are yours to avoid.
//
// Host.At and Client.At read the room as it was; Host.Reader and Client.Reader read the
// present. Controls and Frames get a world.Reader, which is valid during the call. The State
// that it returns is the client's own and must not be changed.
//
// A Ticket is a secret: any client that has it can return as its player within the
// grace time.
package runtime
