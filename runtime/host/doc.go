// Package host simulates a room of scripted objects, as its authority.
//
// A Host collects the inputs of clients, rewinds for late ones, steps the world, and relays every
// applied event to every client. It has no goroutine, clock, socket or global variable: a room.Driver
// runs it in real time, or the program calls Poll and Update itself, as the example does. Package room
// explains these duties.
//
// Besides what package room names, the program may supply: Admit, which decides who may join; Random,
// from which tickets are drawn; Callbacks, which are called when something happens in the room; and a
// replay.Recorder, which writes the match to a file.
//
// # Functions that are called
//
// The Callbacks may call every method of the Host that acts on the room or reads it, and Pause, but none
// that a Driver calls: Poll, Update, Tick, Wake, End, Abandon, Shutdown and Close. Admit,
// Confirmed, Rewound and Displaced may call those that read it. The other functions of Config are
// called in the middle of a tick: Compile, Random, Stopwatch, Stop, and the writers behind Log and Recorder.
// They must not call the Host.
//
// # Its methods
//
// They are three groups, each in one file:
//
//   - What drives a room (drive.go): Poll, Update and Due, which a Driver or the program calls in turns; Tick, Ready,
//     Wake, Pause and Replace; and Shutdown, Close, End and Abandon, which end it.
//   - What acts on a room (act.go): Spawn, Set, SetOwner, Remove and Call, Switch and Refuse for scripts, SetAssets,
//     Kick and Say.
//   - What reads a room (read.go): State, StateAt, Reader, At, View, Players, Report and the others.
//
// # Acting on a room
//
// Spawn, Set, SetOwner, Remove and Call make events of the coming tick, in the order of the calls. A
// call that cannot be carried out returns an error at once and makes no event. Clients simulate these
// events, rewinds simulate them again, and replays contain them. Kick and Say act on players and are
// not simulated.
//
// SetAssets announces the pictures, sounds and fonts of a game, an asset.Set, to all clients. Nothing
// that is simulated depends on them.
//
// # Where to look
//
// Files are named after what they hold. packets.go takes in every message, and admission.go says when
// a client may send it. input.go decides about each input: unwanted drops those that are too late for
// good, and lateness.go admits the others now or in a later tick. drive.go has the frame of a tick.
// send.go and logfeed.go send what happened. Each part counts what it does, stats.go what the Host itself
// does, and read.go makes a report of these counts.
//
// # Concurrency
//
// A Host, and what its methods return, belongs to one goroutine: with a Driver, to the one that called
// Driver.Run. That goroutine also calls the functions of Config. Other goroutines use Driver.Do and
// Driver.Post.
//
// # Caveats
//
// States, schemas and views that a Host hands out are its own: they change with the next Tick or View.
// Copy what you keep. Host.At reads the room as it was, Host.Reader the present.
//
// A Ticket is a secret: any client that has it can return as its player within the grace time.
package host
