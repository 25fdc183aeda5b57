package client

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/internal/side"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/stats"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
)

// What reads the room as the client has it, and how far the client is. It changes nothing.

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

// Playing reports whether the client is in the room, at its present.
func (c *Client) Playing() bool { return c.end.session.Playing() && c.role.status().arrived }

// Player returns this client's player, 0 before the host admits it.
func (c *Client) Player() world.PlayerID { return c.end.session.Player() }

// Ticket returns the secret with which another Client can return as this player, after a lost
// connection or in another run of the program. It is all 0 before the host admits the client,
// and if the host issues none.
func (c *Client) Ticket() room.Ticket { return c.end.session.Ticket() }

// Now returns the last tick simulated, 0 before there is any.
func (c *Client) Now() world.Tick {
	return c.role.status().now
}

// Confirmed returns the last tick that was compared with the host's.
func (c *Client) Confirmed() world.Tick {
	return c.role.status().confirmed
}

// Desync returns the first difference from the host's confirmed states, nil if there is none.
func (c *Client) Desync() *Desync {
	return c.role.status().desync
}

// Bundle returns the bundle in force at the client's present, nil before there is one.
func (c *Client) Bundle() *bundle.Bundle {
	w := c.role.status().world
	if w == nil {
		return nil
	}
	return c.end.library.bundle(w.Now.Bundle)
}

// BundleTick returns the tick from which Bundle is in force, as the host logs it; 0: from the first tick on, or there
// is none yet.
func (c *Client) BundleTick() world.Tick {
	w := c.role.status().world
	if w == nil {
		return 0
	}
	return c.end.library.from(w.Now.Bundle)
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

// present reports whether this client knows objects of a class at its present.
func (c *Client) present(class string) bool {
	s := c.State()
	return s != nil && s.Has(c.Schema(), class)
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

// Played returns how long the client has been in the room, at its present.
func (c *Client) Played(now time.Duration) time.Duration { return c.end.times.played(now) }

// View fills v with the present as this client predicts it, at the time of the last Poll or
// Update. Poses are between two ticks, and the errors of predictions decay instead of
// making objects jump.
func (c *Client) View(v *room.View) {
	v.Begin(c.Stage(), c.end.library.shower(c.Now()))
	defer v.End()
	v.Player, v.Onlooker = c.Player(), c.end.session.Onlooker()
	if err := c.Err(); err != nil {
		v.Status = err.Error()
	}
	v.RTT = c.end.clock.smoothedRTT().Seconds() * 1000
	if c.role.status().world == nil {
		return
	}
	v.Lead = c.end.clock.leadTicks()
	v.Confirmed = c.Confirmed()
	if b := c.Bundle(); b != nil {
		v.Game = b.Game
	}
	c.role.view(v, &c.end.replica, c.end.clock.frame(c.now, c.Now()), c.names)
	now := c.State()
	v.DropGone(func(id world.ObjectID) (here bool) {
		if now != nil {
			_, here = now.Find(id)
		}
		return here || c.end.replica.has(id)
	})
	if tl := c.role.status().timeline; tl != nil && v.Alpha >= 1 {
		c.end.library.tryShowers(tl)
	}
	v.Ask(c.Schema())
}

// Overlay fills o. From a call on, the client notes what rewinds run again, until there was no call for a second.
func (c *Client) Overlay(o *Overlay) {
	*o = Overlay{
		AtHost:   o.AtHost[:0],
		Buffered: o.Buffered[:0],
		Contacts: o.Contacts[:0],
		Rewound:  OverlayRewind{Objects: o.Rewound.Objects[:0]},
	}
	if s := c.role.status(); s.timeline != nil {
		c.overlays.Ask(c.now)
		s.timeline.NoteReruns(true)
		o.Complete = s.complete
		o.addAtHost(s.timeline)
		o.addContacts(s.timeline)
		o.Rewound = OverlayRewind{
			From:    s.rewound.From,
			To:      s.rewound.To,
			Whole:   s.rewound.Whole,
			Objects: append(o.Rewound.Objects, s.rewound.Objects...),
		}
	}
	c.end.replica.overlay(o)
}

// Report returns the counters and times of the client up to now. Its seconds are those of play,
// without the time of joining and of waiting for the last ticks to be confirmed.
func (c *Client) Report(now time.Duration) room.Report {
	e, status := &c.end, c.role.status()
	rtt := e.pings.roundTrips()
	r := room.Report{
		Role:          "client",
		Player:        c.Player(),
		Name:          cmp.Or(c.names[c.Player()].Name, c.cfg.Name),
		Tick:          status.now,
		Seconds:       stats.Round(e.times.stepped(now).Seconds()),
		RTT:           &rtt,
		Lead:          &stats.Percentiles{},
		Inputs:        e.sent.counted(),
		Repredictions: &room.JumpCounts{},
		BytesPerS:     e.mail.PerSecond(e.times.lived(now).Seconds()),
		Bytes:         e.mail.Parts(),
		Cut:           *e.mail.Cut(),
		Datagrams:     c.datagrams,
		Refused:       c.reasons.Counts(),
		Assets:        e.assets.counted(),
		Resyncs:       e.session.Resyncs(),
		Players:       len(c.names),
	}
	e.library.report(&r)
	if w := status.world; w != nil {
		if b := c.Bundle(); b != nil {
			r.Game = b.Game
		}
		r.TickRate, r.Objects = w.Schema().Setup.TickRate, w.Now.Len()
		c.role.report(&r)
	}
	r.Confirmed.LastTick, r.Confirmed.LastHash = status.confirmed, side.HashText(status.hash)
	if status.desync != nil {
		r.Desync = status.desync.Differences
	}
	return r
}

// EachInput calls f for each input that the host has relayed, of the complete ticks that the client keeps, by object,
// player and tick. Clients that do not simulate have none.
func (c *Client) EachInput(f func(e world.Event)) {
	if c.end.session.Playing() {
		c.role.inputs(f)
	}
}

// presentPlayers lists the players who are present, by number.
func presentPlayers(v *room.View, names map[world.PlayerID]wire.RosterEntry) {
	// order: sorted below
	for id, q := range names {
		v.AddPlayer(id, q.Name, q.Ping)
	}
	slices.SortFunc(v.Players, func(a, b room.ViewPlayer) int { return cmp.Compare(a.ID, b.ID) })
}
