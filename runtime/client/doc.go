// Package client plays in a room: it predicts the room ahead of its host, or shows the host's snapshots.
//
// A Client of Kind Predictor simulates the room with the inputs that it knows, and rewinds when it
// learns more. A Spectator draws the host's snapshots instead. An InputOnly client sends, and shows
// nothing. A Client has no goroutine, clock, socket or global variable: a room.Driver runs it in real
// time, or the program calls Poll, Update and View itself, as the example does. Package room explains
// these duties.
//
// Besides what package room names, the program supplies Controls, where inputs come from. Optionally
// Frames, which is notified when the client returns to an earlier tick and when there is a new present
// to show; and functions that are called for cues, displacements and chat.
//
// # Functions that are called
//
// Confirmed, Cues, Displaced, Chat and Frames may read the Client, and call Say and Leave. The other
// functions of Config are called in the middle of a tick: Compile, Controls, Cache, Stopwatch, and the
// writer behind Log. They must not call the Client.
//
// # Assets
//
// A client with Config.Assets, an asset.Receiver, fetches the pictures, sounds and fonts that the
// receiver lacks. Nothing that is simulated depends on them.
//
// # How far clients predict
//
// A Prediction in Config, or later SetPrediction, says how many ticks a client delays its player's
// inputs, and how far it simulates beyond the newest tick of the host that it knows. Its zero value is a
// good choice.
//
// # Where to look
//
// packets.go takes in every message. The three roles of a client (role.go) are predictor.go, spectator.go
// and inputonly.go. Most other files hold one part of the Client, and are named after it: session.go has
// a client's stay in a room, relayedlog.go its end of the log.
//
// # Concurrency
//
// A Client, and what its methods return, belongs to one goroutine: with a Driver, to the one that called
// Driver.Run. That goroutine also calls the functions of Config, the Controls and the Frames. Other
// goroutines use Driver.Do and Driver.Post. With Config.Background, a job on another goroutine calls Compile, which
// can take half a second for what the limits allow; bundlereader.go has these jobs.
//
// # Caveats
//
// States, schemas and views that a Client hands out are its own: they change with the next Update or
// View. Copy what you keep.
//
// State and View show a prediction. Only ticks up to Confirmed are known to equal the host's. Do not act
// on a prediction in a way that cannot be taken back; cues with when = "confirmed" exist for that.
//
// A tick may run many times. Printing and the logging of script errors happen the first time only; cues
// are compared with what was shown. Other side effects in a Compile or Controls implementation are yours
// to avoid.
//
// Client.At reads the room as it was, Client.Reader the present. Controls and Frames get a world.Reader,
// which is valid during the call.
package client
