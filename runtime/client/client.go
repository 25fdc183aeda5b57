package client

import (
	"errors"
	"fmt"
	"time"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/internal/side"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
)

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
	cfg         Config
	now         time.Duration // of the last call
	end         endpoint
	role        role
	scope       snapshotScope
	names       map[world.PlayerID]wire.RosterEntry // looked up, or sorted
	datagrams   room.DatagramCounts
	reasons     side.Reasons // malformed datagrams
	overlays    overlayNotes
	errors      side.ScriptLog // of hooks that this client runs
	told        room.Problems  // by the host
	toldEarly   *room.Problems // before a bundle was there: without the tick rate it cannot say how long a pause is
	refusals    side.Refusals  // among that
	early       *wire.Keyframe // arrived while its bundle is being read; nil: none
	earlyEvents []byte         // the HostPacket that followed it
	stopped     error          // why a Driver ends the client; nil: it does not
}

// endpoint has the parts of all kinds of clients. Each part owns its state; the endpoint has none of
// its own.
type endpoint struct {
	session  session
	times    sessionTimes
	mail     side.Mailbox
	library  library
	clock    clock
	pings    pinger
	receiver logReceiver
	replica  replica
	cues     remoteCues
	sampler  sampler
	sent     sentInputs
	assets   assetFetcher
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

// ErrRefused is the error of a client that the host did not admit, or that it disconnected because of what the client
// did or did not do.
var ErrRefused = errors.New("refused by the host")

// ErrKicked is the error of a client whose player the program of the host has disconnected (host.Host.Kick), with its
// reason. The ticket of the player is void.
var ErrKicked = errors.New("kicked by the host")

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
	c.role, c.scope = newRole(&c.cfg, &c.errors)
	c.end = endpoint{
		session: session{snapshots: c.scope == allObjects, onlooker: cfg.Onlooker},
		mail:    side.NewMailbox(cfg.Link),
		library: newLibrary(&c.cfg, &c.errors, c.present),
		clock:   newClientClock(&cfg),
		pings:   newPinger(),
		replica: newReplica(cfg.Verify),
		cues:    newRemoteCues(cuesOf(&cfg)),
		sampler: sampler{controls: cfg.Controls},
		assets:  newAssetFetcher(&c.cfg),
	}
	c.errors.FilesFrom(c.end.library.files)
	c.errors.ReportAsked(cfg.AskedError)
	c.end.mail.HandTo(c.received)
	if err != nil {
		c.over(err, "")
	}
	return c
}
