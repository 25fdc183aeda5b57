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
	"github.com/hindcast/hindcast/runtime/internal/view"
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

// ClientConfig is what a Client is made of.
type ClientConfig struct {
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
	Frames     Frames       // nil: nobody is told. Not told by a Blind client
	Log        *slog.Logger // nil: silent
	// Verify: as in HostConfig.
	Verify bool
	// Blind clients send, receive and acknowledge but don't simulate: for load tests.
	Blind bool
	// Watch makes a Blind client see: the host tells it where things are, and its
	// View shows that, a moment ago.
	Watch bool
	// History is how many ticks the client keeps: never fewer than those of 4
	// seconds, nor than 256.
	History int
	// Confirmed is told of every tick this client confirmed, with its own hash.
	Confirmed func(t world.Tick, hash uint64)
	// Cues is told of the cues that are for this player, each once, at the end
	// of a Frame; nil: nobody wants them. A client that watches is told when it
	// shows the tick; other Blind clients have none.
	Cues func(CueEvent)
	// Moved is told when what became known moves an object of this player's beyond
	// the thresholds of the game ([correct]), or the host refuses where its owner says
	// that it is, and why: at most once an object and round trip; nil: nobody wants to know. Blind clients are not moved.
	Moved func(Move)
	// Chat is told what is said.
	Chat func(from world.PlayerID, text string)
	// Cache keeps bundles for the next run; nil: each is asked for.
	Cache bundle.Cache
	// Stopwatch: as in HostConfig.
	Stopwatch func() time.Duration
}

// Client predicts a room: it simulates everybody with the inputs it knows,
// ahead of the host by the time an input travels, and goes back whenever it
// learns more. It has no goroutine and no clock: call Poll and Frame often
// (100 times a second or more) with the time since a moment of your choice.
type Client struct {
	cfg   ClientConfig
	log   *slog.Logger
	out   outbox
	stage Stage
	err   error // why it is over

	player  world.PlayerID
	ticket  Ticket
	peer    link.Peer
	names   map[world.PlayerID]string // looked up, never ranged over
	tl      *timeline.Timeline        // nil before the keyframe
	errors  errorLog
	scripts profile
	clock   *clocksync.Clock
	now     time.Duration // of the last call
	pinged  time.Duration
	pings   int

	library library

	in      relay.Receiver
	origin  timeline.Origin // of the last record of the log
	frame   wire.HostPacket
	hostAt  world.Tick          // the newest tick the host has told of
	finals  []final             // marks not confirmed yet, by tick
	givens  []given             // of ticks that are not settled, by Seq
	known   *timeline.SharedRun // what all simulate, where that is not all; else not begun
	settled world.Tick          // the log is complete up to here
	late    []world.Event       // switches to bundles that have not come
	moved   time.Duration       // when settled last rose

	confirmed    world.Tick // compared with the host up to here
	confirmedSum uint64
	keyframe     world.Tick // where the Timeline began

	caughtUp    bool       // has reached the present once since the keyframe
	heldTo      world.Tick // ticks up to here have been counted as held
	lookAt      world.Tick // blind: a keyframe from here on is to be looked at
	leaving     bool       // steps no more, waits for what it played to be confirmed
	outSeq      uint32
	acked       wire.InputAck
	sent        sentInputs
	motion      motion
	framed      framed
	lastSend    time.Duration
	present     world.State // as it was before a Rewind, to see what changed
	shown       world.Tick  // the present that Frames was told of last
	unshown     bool        // it is another since
	desync      *Desync
	desyncState world.State  // mine, of the tick that differs
	hostState   *world.State // the host's, of that tick or a later one, until it is compared
	claimed     world.Tick   // the newest tick claimed
	runBuf      []wire.InputRun
	// justCorrected: a correction changed the guess since the last Rewind.
	justCorrected bool
	replica       replica
	dueCues       view.CueQueue // cues that a spectator is sent and has not shown
	viewedAt      int64         // the latest view time of an input, in world.ViewParts of a tick
	presentation  presentation
	cues          *view.CueBook // nil: nobody asked for cues
	stats         clientStats
	moves         moves
	buf           []byte
}

// final is the host's mark that a tick cannot change any more.
type final struct {
	tick world.Tick
	seq  uint32
	hash uint64
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

// NewClient asks to join over the link of cfg as soon as it is open.
func NewClient(cfg ClientConfig) *Client {
	return &Client{cfg: cfg, scripts: profile{watch: cfg.Stopwatch}, log: silent(cfg.Log), out: outbox{link: cfg.Link}, names: map[world.PlayerID]string{}, pinged: -time.Hour}
}

// Player is this client's player, 0 before it is let in.
func (c *Client) Player() world.PlayerID { return c.player }

// Ticket is with what another Client can come back as this one's player: after
// the line was lost, or in another run of the program. It is a secret. All 0
// before the client is let in, and from a host that gives none.
func (c *Client) Ticket() Ticket { return c.ticket }

// Playing reports whether the client simulates the room.
func (c *Client) Playing() bool { return c.stage == StagePlaying && (c.caughtUp || c.cfg.Blind) }

// Stage is how far the client has come.
func (c *Client) Stage() Stage { return c.stage }

// Status says in a few words what the client is doing.
func (c *Client) Status() string { return c.stage.String() }

// Err is why the client's stay is over, nil while it goes on.
func (c *Client) Err() error { return c.err }

// Desync is the first difference from the host's confirmed states, nil if there is none.
func (c *Client) Desync() *Desync { return c.desync }

// Now is the last tick simulated, 0 before there is any.
func (c *Client) Now() world.Tick {
	if c.tl == nil {
		return 0
	}
	return c.tl.Now()
}

// Bundle is the bundle in force at the client's present, nil before there is one.
func (c *Client) Bundle() *bundle.Bundle {
	if c.tl == nil {
		return nil
	}
	return c.library.bundle(c.tl.World().Now.Bundle)
}

// State is the present as this client predicts it, nil before there is any. It
// is the Client's own and changes with Frame.
func (c *Client) State() *world.State {
	if c.tl == nil {
		return nil
	}
	return c.tl.At(c.tl.Now())
}

// Confirmed is the last tick that was compared with the host's.
func (c *Client) Confirmed() world.Tick { return c.confirmed }

// over ends the client's stay.
func (c *Client) over(err error) {
	if c.stage == StageOver {
		return
	}
	if c.peer != 0 {
		c.out.Close(c.now, c.peer, err.Error()) // nothing is done if it was the host who closed
	}
	c.stage, c.err = StageOver, err
	c.log.Info("left the room", "reason", err)
}

// Leave stops stepping; the client stays until what it has played is
// confirmed. Done tells when; then Close.
func (c *Client) Leave(now time.Duration) {
	if !c.leaving {
		c.leaving, c.stats.left = true, now
	}
}

// Played is how long the client has been in the room, at its present.
func (c *Client) Played(now time.Duration) time.Duration {
	if c.stats.playing == 0 {
		return 0
	}
	return now - c.stats.playing
}

// Done reports whether everything played has been confirmed, or will not be.
func (c *Client) Done() bool {
	return c.stage != StagePlaying || c.tl == nil || c.cfg.Blind || c.confirmed >= c.tl.Now() || c.desync != nil && c.desync.Named
}

// Close says goodbye.
func (c *Client) Close(now time.Duration, reason string) {
	c.now = now
	if c.stage != StageOver && c.peer != 0 {
		c.out.Close(now, c.peer, reason)
	}
	c.over(ErrLeft)
}

// closed: the other end is gone.
func (c *Client) closed(reason string) {
	if reason == StoppedByHost {
		c.over(ErrStopped)
		return
	}
	c.over(fmt.Errorf("%w: %s", ErrClosed, reason))
}

// Say sends a line of chat.
func (c *Client) Say(now time.Duration, text string) {
	if c.stage == StagePlaying {
		c.now = now
		_ = c.control(wire.AppendChat(nil, &wire.Chat{Text: text}))
	}
}
