package client

import (
	"errors"
	"fmt"
	"time"

	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/internal/side"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
)

// Frames tells a program that keeps a scene, sounds or a camera of its own how the world of a
// Client changes. The Readers are valid during the call.
type Frames interface {
	// RestoreFrame is called when the Client rewinds. r reads the world before the oldest dirty
	// tick; later ticks that the program has seen are no longer valid. It is also called
	// with the world of a keyframe, when the Client joins or has fallen too far behind.
	RestoreFrame(r world.Reader)
	// FinalizeFrame is called in each Update that ran a tick. r reads the present to be shown,
	// after the ticks that this Update ran again and all new ticks.
	FinalizeFrame(r world.Reader)
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

// Client plays in a room over a link. How it treats the messages of the host depends on its
// Kind. It has no goroutine and no clock: a Driver calls its methods, or the program calls
// Poll and Update whenever a packet arrives or the Client is due, with the time since a moment
// of its choice.
type Client struct {
	cfg       Config
	now       time.Duration // of the last call
	end       endpoint
	role      role
	scope     snapshotScope
	names     map[world.PlayerID]wire.RosterEntry // looked up, or sorted
	datagrams room.DatagramCounts
	overlays  overlayNotes
}

// endpoint has the parts of all kinds of clients. Each part owns its state; the endpoint has none of
// its own.
type endpoint struct {
	session session
	times   sessionTimes
	out     side.Mailbox
	library library
	clock   clock
	pings   pinger
	log     logReceiver
	replica replica
	cues    remoteCues
	sampler sampler
	sent    sentInputs
	assets  assetFetcher
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

// ErrRefused is the error of a client that the host did not admit, or that it
// disconnected.
var ErrRefused = errors.New("refused by the host")

// ErrClosed is the error of a client whose connection has ended although the host did not say
// that the room is over, or whose host has failed. Another Client may return with the ticket.
var ErrClosed = errors.New("connection closed")

// ErrStopped is the error of a client whose host says that the room is over.
var ErrStopped = errors.New("the room is over")

// ErrKind is the error of a Config that sets an option which its Kind does not
// support.
var ErrKind = errors.New("not for this kind of client")

// New returns a client that asks to join over the link of cfg as soon as the link is
// open. The client is over at once, with ErrKind, if its Kind does not support a setting of
// cfg, and with ErrConfig if cfg lacks a link or Compile.
func New(cfg Config) *Client {
	err := cfg.check()
	if cfg.Link == nil {
		cfg.Link = noLink{}
	}
	cfg.Log, cfg.Cues = side.OrDiscard(cfg.Log), mergeCues(cfg.Cues)
	c := &Client{cfg: cfg, names: map[world.PlayerID]wire.RosterEntry{}}
	c.role, c.scope = newRole(&c.cfg)
	c.end = endpoint{session: session{snapshots: c.scope == allObjects, onlooker: cfg.Onlooker}, out: side.NewMailbox(cfg.Link), library: newLibrary(&c.cfg),
		clock: newClientClock(&cfg), pings: newPinger(), replica: newReplica(cfg.Verify), cues: newRemoteCues(cuesOf(&cfg)), sampler: sampler{controls: cfg.Controls}, assets: newAssetFetcher(&c.cfg)}
	c.end.out.HandTo(c.received)
	if err != nil {
		c.over(err, "")
	}
	return c
}

// Player returns this client's player, 0 before the host admits it.
func (c *Client) Player() world.PlayerID { return c.end.session.Player() }

// Ticket returns the secret with which another Client can return as this player, after a lost
// connection or in another run of the program. It is all 0 before the host admits the client,
// and if the host issues none.
func (c *Client) Ticket() room.Ticket { return c.end.session.Ticket() }

// Playing reports whether the client is in the room, at its present.
func (c *Client) Playing() bool { return c.end.session.Playing() && c.role.status().arrived }

// Stage returns how far the client has come.
func (c *Client) Stage() room.Stage {
	if s := c.end.session.Stage(); s != room.StagePlaying || !c.role.status().waits {
		return s
	}
	return room.StageStalled
}

// Status says in a few words what the client is doing.
func (c *Client) Status() string { return c.Stage().String() }

// Err returns why the client is over, nil while it is connected or connecting.
func (c *Client) Err() error { return c.end.session.Err() }

// Desync returns the first difference from the host's confirmed states, nil if there is none.
func (c *Client) Desync() *Desync {
	return c.role.status().desync
}

// Now returns the last tick simulated, 0 before there is any.
func (c *Client) Now() world.Tick {
	return c.role.status().now
}

// Bundle returns the bundle in force at the client's present, nil before there is one.
func (c *Client) Bundle() *bundle.Bundle {
	w := c.role.status().world
	if w == nil {
		return nil
	}
	return c.end.library.bundle(w.Now.Bundle)
}

// State returns the present as this client predicts it, nil before there is any. It
// is the Client's own and changes with Update.
func (c *Client) State() *world.State {
	w := c.role.status().world
	if w == nil {
		return nil
	}
	return w.Now
}

// Schema returns the schema of State, nil before there is any.
func (c *Client) Schema() *world.Schema {
	w := c.role.status().world
	if w == nil {
		return nil
	}
	return w.Schema()
}

// Reader reads the present as this client predicts it, until the next Poll or Update. ok is false
// before there is a present, and for a client that does not simulate: use its View.
func (c *Client) Reader() (r world.Reader, ok bool) {
	status := c.role.status()
	if status.timeline == nil {
		return world.Reader{}, false
	}
	return status.world.Reader(), true
}

// At calls f with the room as this client has it between the ticks t-1 and t: at t-1 if fraction is
// 0, at t if it is 1. The latest tick is Now. f reads a copy, as with Host.At, which also says what f
// reads where the state of a tick is not kept.
//
// A client keeps the state of each tick that is not complete, and of every fourth older tick, for
// Config.History ticks in all. Ticks after Confirmed are a prediction: after the next Update f
// may read something else there.
//
// The error wraps timeline.ErrAhead if t is after Now or nothing has been simulated yet,
// timeline.ErrTooOld if t is before the history, and ErrKind if the client is no predictor. A fraction
// outside of 0 to 1 is an error, too.
func (c *Client) At(t world.Tick, fraction float64, f func(r world.Reader)) error {
	status := c.role.status()
	switch {
	case !status.simulates:
		return fmt.Errorf("%w: At needs a predictor, this is a %s client", ErrKind, c.cfg.Kind)
	case status.timeline == nil:
		return fmt.Errorf("tick %d: %w", t, timeline.ErrAhead)
	}
	return side.ReadAt(status.timeline.Past(), t, fraction, f)
}

// Confirmed returns the last tick that was compared with the host's.
func (c *Client) Confirmed() world.Tick {
	return c.role.status().confirmed
}

// Update reconciles with what Poll took in, samples the controls for each tick that is due, simulates
// it, and sends. The error is Err: why the client is over.
func (c *Client) Update(now time.Duration) error {
	c.now = now
	if c.end.session.Playing() {
		c.endOverlay(now)
		if err := c.role.frame(&c.end, now); err != nil {
			c.over(err, err.Error())
		}
	}
	return c.Err()
}

// Frame is Update for a program that displays a frame now: it also makes one independent frame of this
// player's objects, whose length is the time since the last one. There are at most 8 per tick. From then on
// there is no other frame, until the program has displayed none for a quarter of a second.
func (c *Client) Frame(now time.Duration) error {
	c.end.sampler.display()
	return c.Update(now)
}

// Played returns how long the client has been in the room, at its present.
func (c *Client) Played(now time.Duration) time.Duration { return c.end.times.played(now) }

// Enter lets the player join, if the client is an onlooker (Config.Onlooker).
func (c *Client) Enter(now time.Duration) {
	c.now = now
	c.end.session.Enter(now, &c.end.out)
}

// Say sends a line of chat.
func (c *Client) Say(now time.Duration, text string) {
	if c.end.session.Playing() {
		c.now = now
		_ = c.end.out.Control(now, link.HostPeer, wire.AppendChat(nil, &wire.Chat{Text: text}))
	}
}
