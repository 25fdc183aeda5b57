package client

import (
	"fmt"
	"log/slog"
	"time"

	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/runtime/asset"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/internal/side"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
)

// Config configures a Client. Its functions run on the goroutine that calls the Client,
// the driving goroutine of a Driver, and the Client waits for them. The package comment says
// what they may call; Driver.Do in them runs its function at once.
type Config struct {
	Kind Kind
	Link link.Link // the Driver closes it, or Client.Close
	// Compile is called within Poll, when scripts arrive, or by a job of Background. It must not call the Client.
	Compile world.Compile
	// Background runs a job on another goroutine, as func(job func()) { go job() } does. The client reads and compiles
	// the bundles of the host in such jobs, and plays on meanwhile; a job ends by itself. It is called within Poll.
	// nil: within Poll.
	Background func(job func())
	Name       string // shown to the others, at most 32 bytes
	Token      []byte // for the host's Admit
	// Ticket is the ticket of an earlier Client. Within the grace time, this client is
	// the same player and has the same objects.
	Ticket room.Ticket
	// Onlooker makes the player an onlooker until Client.Enter: the client receives and shows the match, and
	// its player has not joined.
	Onlooker bool
	// Controls is called within Update and must not call the Client.
	Controls Controls
	// FrameEvery is the least time between two independent frames of this player's
	// objects. A call of Update makes a frame if one is due. There are at most 8 per tick.
	// 0: one frame per tick, or per call of Frame.
	FrameEvery time.Duration
	// Frames may be nil. It is for a Predictor only. Called within Update, or within Poll when a
	// keyframe arrives. It may call the Client.
	Frames Frames
	// DrawTicksFrom is the tick rate from which on View shows the newest tick as it is (Alpha is 1) instead of
	// moments between it and the tick before, which are one tick later. It is for a program that calls View once
	// for each tick, as Frames tells, and moves bodies on by itself until the next one. 0: no tick rate.
	DrawTicksFrom int
	Log           *slog.Logger // nil: no log. Its handler must not call the Client
	// Verify is check mode, as in host.Config. Only a Predictor has rewinds to compare; other
	// kinds assert their invariants.
	Verify bool
	// VerifyEvery is of how many rewinds check mode does one again, on average. The first rewind is one of them,
	// and the invariants are asserted in any case. 0: each rewind.
	VerifyEvery int
	// History is how many ticks the client keeps. It keeps at least the ticks of 4
	// seconds, and at least 256.
	History int
	// CatchUp is how many ticks a Predictor simulates in one Update, 1 to MaxCatchUp, on the way from a
	// keyframe to the present and after a late Update. With more of them it is at the present sooner;
	// with fewer it takes less of the processor from the program until then. It must be more than the
	// ticks that are due between two Updates. 0: 64 on the way to the present, and 16 after that.
	CatchUp int
	// Prediction is how far ahead of what it knows a Predictor simulates.
	Prediction Prediction
	// Confirmed is called within Update for every tick that this client confirms, with its own
	// hash; may be nil. It may call the Client.
	Confirmed func(t world.Tick, hash uint64)
	// Cues is called once for each cue for this player, at the end of an Update. For a
	// Spectator, that is when it shows the cue's tick. An InputOnly client has no cues.
	// May be nil. It may call the Client.
	Cues func(room.CueEvent)
	// Displaced is called when an object of this player is displaced by more than the thresholds
	// of the game ([correct]), or when the host refuses its owner pose: at most once per
	// object and round trip. It may be nil, and is for a Predictor only. Called within Update
	// or Poll; it may call the Client.
	Displaced func(room.Displacement)
	// Chat is called within Poll for each line of chat; may be nil. It may call the Client.
	Chat func(from world.PlayerID, text string)
	// ScriptError is called for each kind of script error, as errors are logged: once per class,
	// hook, text and bundle. t is the tick. It may be nil, and is for a Predictor only. It is called
	// in the middle of a tick and must not call the Client.
	ScriptError func(t world.Tick, f world.Fault)
	// AskedError is called when a function that a client asks between ticks fails, once per text and bundle, as it is
	// logged: name is "show" for one that shows a field, and "predicted". t is the present. It may be nil. It is called
	// within Update, Poll or View, and must not call the Client.
	AskedError func(t world.Tick, name string, err error)
	// Problems is called within Poll when the host says that something else is wrong with the scripts, or nothing
	// any more; may be nil. It has the failures of functions that this client does not run, too. It may call the
	// Client, which may have no state yet.
	Problems func(room.Problems)
	// Cache keeps bundles for the next run; nil: each is asked for. Called within Poll. It must not
	// call the Client.
	Cache bundle.Cache
	// Assets gets the pictures, sounds and fonts of the game; nil: the client does not fetch them.
	Assets asset.Receiver
	// Stopwatch and Stop: as in host.Config.
	Stopwatch func() time.Duration
	Stop      func() bool
	// Prices: as in host.Config, for predicted ticks. One that is more work than it may be is given up, and the client
	// waits until it knows which hooks the host suspends.
	Prices timeline.Prices
}

// check returns an error that names a missing setting, or one that does not apply to
// the kind of client.
func (cfg *Config) check() error {
	if err := cfg.Prediction.Check(); err != nil {
		return fmt.Errorf("%w: client.Config.Prediction: %w", room.ErrConfig, err)
	}
	switch {
	case cfg.Kind > InputOnly:
		return fmt.Errorf("%w: there is no kind %d", ErrKind, cfg.Kind)
	case cfg.Kind != Predictor && cfg.Frames != nil:
		return fmt.Errorf("%w: Frames needs a predictor, this is a %s client", ErrKind, cfg.Kind)
	case cfg.CatchUp < 0 || cfg.CatchUp > MaxCatchUp:
		return fmt.Errorf("%w: client.Config.CatchUp is %d: must be 1 to %d ticks, or 0 for the default",
			room.ErrConfig, cfg.CatchUp, MaxCatchUp)
	case cfg.Kind != Predictor && cfg.Prediction != Prediction{}:
		return fmt.Errorf("%w: Prediction needs a predictor, this is a %s client", ErrKind, cfg.Kind)
	case cfg.Compile == nil:
		return side.MissingSetting("client.Config.Compile", side.CompileIs)
	case cfg.Link == nil:
		return side.MissingSetting("client.Config.Link", side.LinkIs)
	}
	return nil
}

// noLink is the link of a Config without one. Nothing happens on it.
type noLink struct{}

// Poll has nothing to deliver.
func (noLink) Poll(time.Duration, func(link.Event)) {}

// SendDatagram sends nothing.
func (noLink) SendDatagram(time.Duration, link.Peer, []byte) error { return link.ErrNoPeer }

// SendMessage sends nothing.
func (noLink) SendMessage(time.Duration, link.Peer, link.Stream, []byte) error {
	return link.ErrNoPeer
}

// Close has nothing to close.
func (noLink) Close(time.Duration, link.Peer, string) {}

// Queued returns 0.
func (noLink) Queued(link.Peer, link.Stream) int { return 0 }

// Due returns link.Never.
func (noLink) Due(time.Duration) time.Duration { return link.Never }

// Shutdown has nothing to shut down.
func (noLink) Shutdown(string) error { return nil }

// Ready returns nil: nothing ever arrives.
func (noLink) Ready() <-chan struct{} { return nil }
