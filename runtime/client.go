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

// Controls decides a player's input: keys, a bot. Input is called once per tick for each object
// that the player owns, before that tick is simulated. Controls merge everything that a player
// does within a tick (world.Merger), unless they are FrameControls: then the Client does.
type Controls interface {
	// Input returns the input of the object in slot of r.State() for the coming tick. r
	// is valid during the call. The result is clamped to its range (world.Conform).
	Input(r world.Reader, slot int) world.Input
}

// Frames tells a program that keeps a scene, sounds or a camera of its own how the world of a
// Client changes. The states are the Client's own: the program may read them during the call.
type Frames interface {
	// RestoreFrame is called when the Client rewinds. s is the state before the oldest dirty
	// tick; later states that the program has seen are no longer valid. It is also called
	// with the state of a keyframe, when the Client joins or has fallen too far behind.
	RestoreFrame(s *world.State)
	// FinalizeFrame is called in each Update that ran a tick. s is the present to be shown,
	// after the ticks that this Update ran again and all new ticks.
	FinalizeFrame(s *world.State)
}

// Kind is a client's role: what it does with the data of the host.
type Kind uint8

const (
	// Predictor simulates the room ahead of the host, with the inputs that it knows, and rewinds
	// when it receives more.
	Predictor Kind = iota
	// Spectator simulates nothing. Its View shows the host's snapshots after the interpolation delay.
	// It can still steer objects.
	Spectator
	// InputOnly sends, receives and acknowledges, and shows nothing. It is for load
	// tests.
	InputOnly
)

// String returns the kind in words.
func (k Kind) String() string { return [...]string{"predictor", "spectator", "input-only"}[k] }

// ClientConfig configures a Client. Its functions run on the goroutine that calls the Client,
// the driving goroutine of a Driver, and the Client waits for them. The package comment says
// what they may call; Driver.Do in them runs its function at once.
type ClientConfig struct {
	Kind    Kind
	Link    link.Link     // the Driver closes it, or Client.Close
	Compile world.Compile // called within Poll, when scripts arrive. It must not call the Client
	Name    string        // shown to the others, at most 32 bytes
	Token   []byte        // for the host's Admit
	// Ticket is the ticket of an earlier Client. Within the grace time, this client is
	// the same player and has the same objects.
	Ticket Ticket
	// Controls is called within Update and must not call the Client.
	Controls Controls
	// FrameEvery is the least time between two independent frames of this player's
	// objects. A call of Update makes a frame if one is due. There are at most 8 per tick.
	// 0: one frame per tick.
	FrameEvery time.Duration
	// Frames may be nil. It is for a Predictor only. Called within Update, or within Poll when a
	// keyframe arrives. It may call the Client.
	Frames Frames
	Log    *slog.Logger // nil: no log. Its handler must not call the Client
	// Verify is check mode, as in HostConfig. Only a Predictor has rewinds to compare; other
	// kinds assert their invariants.
	Verify bool
	// History is how many ticks the client keeps. It keeps at least the ticks of 4
	// seconds, and at least 256.
	History int
	// Confirmed is called within Update for every tick that this client confirms, with its own
	// hash; may be nil. It may call the Client.
	Confirmed func(t world.Tick, hash uint64)
	// Cues is called once for each cue for this player, at the end of an Update. For a
	// Spectator, that is when it shows the cue's tick. An InputOnly client has no cues.
	// May be nil. It may call the Client.
	Cues func(CueEvent)
	// Moved is called when an object of this player is displaced by more than the thresholds
	// of the game ([correct]), or when the host refuses its owner pose: at most once per
	// object and round trip. It may be nil, and is for a Predictor only. Called within Update
	// or Poll; it may call the Client.
	Moved func(Displacement)
	// Chat is called within Poll for each line of chat; may be nil. It may call the Client.
	Chat func(from world.PlayerID, text string)
	// Cache keeps bundles for the next run; nil: each is asked for. Called within Poll. It must not
	// call the Client.
	Cache bundle.Cache
	// Stopwatch: as in HostConfig.
	Stopwatch func() time.Duration
}

// Client plays in a room over a link. What it makes of what the host sends depends on its
// Kind. It has no goroutine and no clock: a Driver calls its methods, or the program calls
// Poll and Update whenever a packet arrives or the Client is due, with the time since a moment
// of its choice.
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
	HostTick world.Tick                // the newest tick of a HostPacket
}

// role is what a kind of client does with what the host sends. Its methods get the endpoint, which
// all kinds have, as an argument.
type role interface {
	begin(c *endpoint, s *world.State, script world.Script, m *wire.Keyframe) error
	scripts(c *endpoint) // more of them have come
	record(c *endpoint, r *wire.Record, packet uint32)
	correction(c *endpoint, m wire.Correction) error
	snapshot(c *endpoint, m *wire.Snapshot)
	cueUpdates(c *endpoint, m wire.Cues) error
	stateReply(c *endpoint, m wire.StateReply) error
	frame(c *endpoint, now time.Duration)
	wakeAt(c *endpoint, now time.Duration) time.Duration // when frame has something to do, if nothing arrives
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
	Host, Mine  uint64             // the hashes of the tick
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

// NewClient asks to join over the link of cfg as soon as it is open. It is over at once, with
// ErrKind, if its Kind does not do what cfg asks for, and with ErrConfig if cfg lacks a link or
// Compile.
func NewClient(cfg ClientConfig) *Client {
	err := cfg.check()
	if cfg.Link == nil {
		cfg.Link = noLink{}
	}
	c := &Client{role: newRole(cfg.Kind), end: endpoint{Cfg: cfg, Log: silent(cfg.Log), Out: outbox{link: cfg.Link}, Hooks: profile{watch: cfg.Stopwatch}, Replica: newReplica(cfg.Verify),
		Session: session{Names: map[world.PlayerID]string{}}, pings: pinger{last: -time.Hour}}}
	if err != nil {
		c.end.over(err)
	}
	return c
}

// Player returns this client's player, 0 before it is let in.
func (c *Client) Player() world.PlayerID { return c.end.Session.Player }

// Ticket returns the secret with which another Client can return as this player, after a lost
// connection or in another run of the program. It is all 0 before the client is let in, and if
// the host issues none.
func (c *Client) Ticket() Ticket { return c.end.Session.Ticket }

// Playing reports whether the client is in the room, at its present.
func (c *Client) Playing() bool {
	return c.end.Session.Stage == StagePlaying && (c.end.Cfg.Kind != Predictor || c.role.status().Arrived)
}

// Stage returns how far the client has come.
func (c *Client) Stage() Stage { return c.end.Session.Stage }

// Status says in a few words what the client is doing.
func (c *Client) Status() string { return c.end.Session.Stage.String() }

// Err returns why the client is over, nil while it is connected or connecting.
func (c *Client) Err() error { return c.end.Session.Err }

// Desync returns the first difference from the host's confirmed states, nil if there is none.
func (c *Client) Desync() *Desync {
	return c.role.status().Desync
}

// Now returns the last tick simulated, 0 before there is any.
func (c *Client) Now() world.Tick {
	return c.role.status().Now
}

// Bundle returns the bundle in force at the client's present, nil before there is one.
func (c *Client) Bundle() *bundle.Bundle {
	w := c.role.status().World
	if w == nil {
		return nil
	}
	return c.end.Library.bundle(w.Now.Bundle)
}

// State returns the present as this client predicts it, nil before there is any. It
// is the Client's own and changes with Update.
func (c *Client) State() *world.State {
	w := c.role.status().World
	if w == nil {
		return nil
	}
	return w.Now
}

// Schema returns the schema of State, nil before there is any.
func (c *Client) Schema() *world.Schema {
	w := c.role.status().World
	if w == nil {
		return nil
	}
	return w.Schema()
}

// Reader reads the present as this client predicts it, until the next Poll or Update. ok is false
// before there is a present, and for a client that does not simulate: use its View.
func (c *Client) Reader() (r world.Reader, ok bool) {
	w := c.role.status().World
	if w == nil || c.end.Cfg.Kind != Predictor {
		return world.Reader{}, false
	}
	return w.Reader(), true
}

// Confirmed returns the last tick that was compared with the host's.
func (c *Client) Confirmed() world.Tick {
	return c.role.status().Confirmed
}

// Update reconciles with what Poll took in, samples the controls for each tick that is due, simulates
// it, and sends.
func (c *Client) Update(now time.Duration) {
	c.end.Now = now
	if c.end.Session.Stage == StagePlaying {
		c.role.frame(&c.end, now)
	}
}

// Played returns how long the client has been in the room, at its present.
func (c *Client) Played(now time.Duration) time.Duration {
	if c.end.Stats.Pace.Playing == 0 {
		return 0
	}
	return now - c.end.Stats.Pace.Playing
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

// due returns the tick that the client should be at by now.
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
