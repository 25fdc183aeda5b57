package runtime

import (
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/hindcast/hindcast/net/clocksync"
	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/internal/relay"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
)

// Controls decides a player's input: keys, a bot. It is asked once a tick for
// each object the player owns, before that tick is simulated. What a player does within a
// tick it merges itself (world.Merger), or has the Client do so: FrameControls.
type Controls interface {
	// Input is what the object in slot of w.Now is to do in the coming tick.
	// w may be read, not changed. What it gives is put in range (world.Conform).
	Input(w *world.World, slot int) world.Input
}

// Frames is what a program that keeps things of its own beside a Client's world
// (sounds, a scene, a camera) hears of it. The states are the Client's own: they may be
// read during the call.
type Frames interface {
	// RestoreFrame: the Client goes back. s is the last state that stands; what was
	// seen of later ticks did not happen so. It is also called with the state that a
	// Client begins from, when it joins or has fallen too far behind.
	RestoreFrame(s *world.State)
	// FinalizeFrame: s is the present, after all that this Frame ran again and all new
	// ticks: what is to be shown. Called in each Frame in which there was any.
	FinalizeFrame(s *world.State)
}

// Kind is what a client does with what the host sends.
type Kind uint8

const (
	// Predictor simulates the room ahead of the host, with the inputs that it knows, and corrects
	// itself when it learns more.
	Predictor Kind = iota
	// Spectator simulates nothing: its View shows the snapshots that the host sends, an interpolation
	// delay late. It can still steer objects.
	Spectator
	// InputOnly sends, receives and acknowledges, and shows nothing: for load tests.
	InputOnly
)

// String is the kind in words.
func (k Kind) String() string { return [...]string{"predictor", "spectator", "input-only"}[k] }

// ClientConfig is what a Client is made of.
type ClientConfig struct {
	Kind    Kind
	Link    link.Link
	Compile world.Compile
	Name    string // shown to the others, at most 32 bytes
	Token   []byte // for the host's Admit
	// Ticket is an earlier Client's: this one is the same player, with all that is
	// his, if it is within the grace time.
	Ticket   Ticket
	Controls Controls
	// FrameEvery is how far apart the frames are at least in which this player's
	// objects are simulated that tick independently: a call of Frame makes one if it
	// is time. At most 8 a tick. 0: one each tick.
	FrameEvery time.Duration
	Frames     Frames       // nil: nobody is told. Only of a Predictor
	Log        *slog.Logger // nil: silent
	// Verify: as in HostConfig.
	Verify bool
	// History is how many ticks the client keeps: never fewer than those of 4
	// seconds, nor than 256.
	History int
	// Confirmed is told of every tick this client confirmed, with its own hash.
	Confirmed func(t world.Tick, hash uint64)
	// Cues is told of the cues that are for this player, each once, at the end
	// of a Frame; nil: nobody wants them. A Spectator is told when it
	// shows the tick; an InputOnly client has none.
	Cues func(CueEvent)
	// Moved is told when what became known moves an object of this player's beyond
	// the thresholds of the game ([correct]), or the host refuses where its owner says
	// that it is, and why: at most once an object and round trip; nil: nobody wants to know. Only of a Predictor.
	Moved func(Displacement)
	// Chat is told what is said.
	Chat func(from world.PlayerID, text string)
	// Cache keeps bundles for the next run; nil: each is asked for.
	Cache bundle.Cache
	// Stopwatch: as in HostConfig.
	Stopwatch func() time.Duration
}

// Client plays in a room over a link. What it makes of what the host sends depends on its
// Kind. It has no goroutine and no clock: call Poll and Frame often
// (100 times a second or more) with the time since a moment of your choice.
type Client struct {
	end    endpoint
	role   role
	packet wire.HostPacket // memory
}

// endpoint is what all kinds of clients have in common: it joins, fetches the scripts, keeps the host's
// time, takes in the applied-input log and sends its player's inputs. It is a record of parts, each of
// which owns its state.
type endpoint struct {
	Cfg      ClientConfig
	Log      *slog.Logger
	Errors   errorLog
	Stats    clientStats
	Now      time.Duration // of the last call
	Session  session
	Out      outbox
	Library  library
	Clock    *clocksync.Clock // nil before the first bundle
	Receiver relay.Receiver
	Replica  replica
	Inputs   sentInputs
	framed   framed
	pings    pinger
	Hooks    profile
}

// session is how far a client has come.
type session struct {
	Stage    Stage
	Err      error // why it is over
	Peer     link.Peer
	Player   world.PlayerID
	Ticket   Ticket
	Names    map[world.PlayerID]string // looked up, never ranged over
	Leaving  bool                      // steps no more, waits for what it played to be confirmed
	TickRate int                       // 0 before the first bundle
	Begun    bool                      // a keyframe has come
	HostTick world.Tick                // the newest tick the host has told of
}

// role is what a kind of client makes of what the host sends. Its methods are given what all kinds
// have in common.
type role interface {
	begin(c *endpoint, s *world.State, script world.Script, m *wire.Keyframe) error
	scripts(c *endpoint) // more of them have come
	record(c *endpoint, r *wire.Record, packet uint32)
	correction(c *endpoint, m wire.Correction) error
	snapshot(c *endpoint, m *wire.Snapshot)
	cueUpdates(c *endpoint, m wire.Cues) error
	stateReply(c *endpoint, m wire.StateReply) error
	frame(c *endpoint, now time.Duration)
	revise(object world.ObjectID, player world.PlayerID, t world.Tick, in world.Input)
	view(c *endpoint, v *View)
	report(r *Report)
	status() roleStatus
}

// roleStatus is how far a role has come.
type roleStatus struct {
	World     *world.World // nil before the keyframe
	Now       world.Tick   // the last tick simulated
	Arrived   bool         // at the present, since the keyframe
	Done      bool         // with everything that was played
	Confirmed world.Tick   // compared with the host up to here
	Hash      uint64       // of that tick
	Desync    *Desync      // the first difference
}

func newRole(k Kind) role {
	switch k {
	case Spectator:
		return &spectator{}
	case InputOnly:
		return &inputOnly{}
	}
	return &predictor{}
}

// Desync says where a client's confirmed state differs from the host's.
type Desync struct {
	Tick        world.Tick
	Host, Mine  uint64
	Differences []world.Difference // A is the host's value, B this client's; empty until the host has answered
	Named       bool               // the host has answered
}

// Error names the tick, and the objects and fields once they are known.
func (d *Desync) Error() string {
	if len(d.Differences) == 0 {
		return fmt.Sprintf("desync at tick %d: the host's hash is %016x, this client's %016x", d.Tick, d.Host, d.Mine)
	}
	return fmt.Sprintf("desync: %s (host against this client)", d.Differences[0])
}

// Is makes a Desync a timeline.ErrDesync.
func (d *Desync) Is(target error) bool { return target == timeline.ErrDesync }

// ErrRefused: the host did not let the client in, or sent it away.
var ErrRefused = errors.New("refused by the host")

// ErrClosed: the line is gone.
var ErrClosed = errors.New("connection closed")

// ErrStopped: the host ended the room.
var ErrStopped = errors.New(StoppedByHost)

// ErrLeft: this client left by itself.
var ErrLeft = errors.New("left")

// ErrKind: a ClientConfig asks for what its Kind does not do.
var ErrKind = errors.New("not for this kind of client")

// check names what a client of this kind does not do.
func (cfg *ClientConfig) check() error {
	what := ""
	switch {
	case cfg.Kind > InputOnly:
		return fmt.Errorf("%w: there is no kind %d", ErrKind, cfg.Kind)
	case cfg.Kind == Predictor:
	case cfg.Verify:
		what = "Verify"
	case cfg.Frames != nil:
		what = "Frames"
	}
	if what != "" {
		return fmt.Errorf("%w: %s needs a predictor, this is a %s client", ErrKind, what, cfg.Kind)
	}
	return nil
}

// NewClient asks to join over the link of cfg as soon as it is open. It is over at once, with
// ErrKind, if its Kind does not do what cfg asks for.
func NewClient(cfg ClientConfig) *Client {
	c := &Client{role: newRole(cfg.Kind), end: endpoint{Cfg: cfg, Log: silent(cfg.Log), Out: outbox{link: cfg.Link}, Hooks: profile{watch: cfg.Stopwatch},
		Session: session{Names: map[world.PlayerID]string{}}, pings: pinger{last: -time.Hour}}}
	if err := cfg.check(); err != nil {
		c.end.over(err)
	}
	return c
}

// Player is this client's player, 0 before it is let in.
func (c *Client) Player() world.PlayerID { return c.end.Session.Player }

// Ticket is with what another Client can come back as this one's player: after
// the line was lost, or in another run of the program. It is a secret. All 0
// before the client is let in, and from a host that gives none.
func (c *Client) Ticket() Ticket { return c.end.Session.Ticket }

// Playing reports whether the client is in the room, at its present.
func (c *Client) Playing() bool {
	return c.end.Session.Stage == StagePlaying && (c.end.Cfg.Kind != Predictor || c.role.status().Arrived)
}

// Stage is how far the client has come.
func (c *Client) Stage() Stage { return c.end.Session.Stage }

// Status says in a few words what the client is doing.
func (c *Client) Status() string { return c.end.Session.Stage.String() }

// Err is why the client's stay is over, nil while it goes on.
func (c *Client) Err() error { return c.end.Session.Err }

// Desync is the first difference from the host's confirmed states, nil if there is none.
func (c *Client) Desync() *Desync {
	return c.role.status().Desync
}

// Now is the last tick simulated, 0 before there is any.
func (c *Client) Now() world.Tick {
	return c.role.status().Now
}

// Bundle is the bundle in force at the client's present, nil before there is one.
func (c *Client) Bundle() *bundle.Bundle {
	w := c.role.status().World
	if w == nil {
		return nil
	}
	return c.end.Library.bundle(w.Now.Bundle)
}

// State is the present as this client predicts it, nil before there is any. It
// is the Client's own and changes with Frame.
func (c *Client) State() *world.State {
	w := c.role.status().World
	if w == nil {
		return nil
	}
	return w.Now
}

// Confirmed is the last tick that was compared with the host's.
func (c *Client) Confirmed() world.Tick {
	return c.role.status().Confirmed
}

// Frame is one frame of the client: it takes what Poll brought into account, samples the controls for
// each tick that is due, and sends.
func (c *Client) Frame(now time.Duration) {
	c.end.Now = now
	if c.end.Session.Stage == StagePlaying {
		c.role.frame(&c.end, now)
	}
}

// over ends the client's stay.
func (c *endpoint) over(err error) {
	if c.Session.Stage == StageOver {
		return
	}
	if c.Session.Peer != 0 {
		c.Out.Close(c.Now, c.Session.Peer, err.Error()) // nothing is done if it was the host who closed
	}
	c.Session.Stage, c.Session.Err = StageOver, err
	c.Log.Info("left the room", "reason", err)
}

// link is what the client plays over.
func (c *Client) link() link.Link { return c.end.Out.Link() }

// Leave stops stepping; the client stays until what it has played is
// confirmed. Done tells when; then Close.
func (c *Client) Leave(now time.Duration) {
	if !c.end.Session.Leaving {
		c.end.Session.Leaving, c.end.Stats.Pace.Left = true, now
	}
}

// Played is how long the client has been in the room, at its present.
func (c *Client) Played(now time.Duration) time.Duration {
	if c.end.Stats.Pace.Playing == 0 {
		return 0
	}
	return now - c.end.Stats.Pace.Playing
}

// Done reports whether everything played has been confirmed, or will not be.
func (c *Client) Done() bool {
	return c.end.Session.Stage != StagePlaying || c.role.status().World == nil || c.role.status().Done
}

// Close says goodbye.
func (c *Client) Close(now time.Duration, reason string) {
	c.end.Now = now
	if c.end.Session.Stage != StageOver && c.end.Session.Peer != 0 {
		c.end.Out.Close(now, c.end.Session.Peer, reason)
	}
	c.end.over(ErrLeft)
}

// closed: the other end is gone.
func (c *Client) closed(reason string) {
	if reason == StoppedByHost {
		c.end.over(ErrStopped)
		return
	}
	c.end.over(fmt.Errorf("%w: %s", ErrClosed, reason))
}

// Say sends a line of chat.
func (c *Client) Say(now time.Duration, text string) {
	if c.end.Session.Stage == StagePlaying {
		c.end.Now = now
		_ = c.end.control(wire.AppendChat(nil, &wire.Chat{Text: text}))
	}
}

func (c *endpoint) rate() int                 { return c.Session.TickRate }
func (c *endpoint) tickLength() time.Duration { return time.Second / time.Duration(c.rate()) }

// due is the tick that the client should be at by now.
func (c *endpoint) due(now time.Duration) world.Tick {
	if c.Session.Leaving || !c.Clock.Synced() {
		return 0
	}
	return world.Tick(c.Clock.Present(now) / c.tickLength())
}

func (c *endpoint) stopwatch() func() float64 {
	if c.Cfg.Stopwatch == nil {
		return func() float64 { return 0 }
	}
	begin := c.Cfg.Stopwatch()
	return func() float64 { return float64(c.Cfg.Stopwatch()-begin) / float64(time.Millisecond) }
}
