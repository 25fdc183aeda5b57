package runtime

import (
	"fmt"
	"slices"
	"time"

	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/world"
)

func (h *Host) hello(now time.Duration, p *peer, data []byte) error {
	m, err := wire.ParseHello(data)
	if err != nil {
		return err
	}
	p.Introduce(m.Name)
	back := h.roster.TicketOf(m.Ticket)
	switch {
	case m.Version != wire.Version:
		h.expel(now, p, fmt.Sprintf("this host speaks protocol %d, you speak %d", wire.Version, m.Version))
		return nil
	case h.roster.Full(back, h.State(), h.rules.MaxPlayers):
		h.expel(now, p, fmt.Sprintf("the room is full: %d players", h.roster.Seats()))
		return nil
	}
	if h.cfg.Admit != nil {
		if err := h.cfg.Admit(m.Name, m.Token); err != nil {
			h.expel(now, p, err.Error())
			return nil
		}
	}
	if back == nil {
		back = h.roster.NewTicket(h.State(), h.log)
	}
	h.admit(now, p, back.Player)
	w := wire.Welcome{Player: p.Player(), Ticket: back.Secret}
	for _, a := range h.bundles.From(1) {
		if h.tl.Scripts().Of(a.Number) != nil {
			w.Bundles = append(w.Bundles, a.wire())
		}
	}
	return h.out.Control(now, p.ID(), wire.AppendWelcome(nil, &w))
}

func (h *Host) bundleWant(now time.Duration, p *peer, data []byte) error {
	m, err := wire.ParseBundleWant(data)
	if err != nil {
		return err
	}
	if a := h.bundles.ByHash(m.Hash); a != nil {
		return h.out.Bulk(now, p.ID(), wire.AppendBundle(nil, &wire.Bundle{Data: a.Bytes}))
	}
	return fmt.Errorf("no bundle %s here", bundle.Hash(m.Hash))
}

// ready lets an admitted client join in the coming tick. The client gets the last
// committed state and the log since. A client that is already playing gets them again.
func (h *Host) ready(now time.Duration, p *peer, data []byte) error {
	m, err := wire.ParseReady(data)
	if err != nil {
		return err
	}
	if !p.Playing() {
		if err := h.join(p); err != nil {
			return err
		}
	}
	from := h.applied.Since(h.commits.Tick())
	p.Restart(now, from, h.commits.Tick(), &m)
	key := h.tl.Keyframe(h.commits.Tick(), true)
	frame := wire.Keyframe{FirstSeq: from, LastInputs: key.Held}
	switch s := key.State; {
	case s == nil:
	case m.Snapshots:
		s = h.openTo(p.Player(), s)
		frame.State, frame.Snapshot = h.stateBytes(s), p.Replica().Restart(h.tl.Scripts().SchemaOf(s), s)
	default:
		frame.State = h.stateBytes(h.commits.Shared(h.tl, s))
		if !h.tl.Scripts().Partial(s) {
			frame.PoseHistory = key.Poses
		}
	}
	h.out.State(len(frame.State)+len(frame.PoseHistory), false)
	return h.out.Bulk(now, p.ID(), wire.AppendKeyframe(nil, &frame))
}

// openTo returns s without the objects that are hidden from a player.
func (h *Host) openTo(player world.PlayerID, s *world.State) *world.State {
	schema := h.tl.Scripts().SchemaOf(s)
	if !slices.ContainsFunc(schema.Classes, func(c world.Class) bool { return c.Hidden }) {
		return s
	}
	var open world.State
	open.CopyFrom(s)
	open.DropHidden(schema, player)
	return &open
}

// join makes a player present in the coming tick, or the next one.
func (h *Host) join(p *peer) error {
	returned := p.Present() != 0 // the player was present on another connection
	t := h.roster.Enter(p, h.tl.Now()+1)
	if _, err := h.insert(world.Event{Tick: t, Kind: world.JoinEvent, Player: p.Player()}, 0); err != nil {
		return err
	}
	if !returned {
		h.notify.Joined(p.Player(), p.Name())
	}
	h.cfg.Recorder.Name(p.Player(), p.Name())
	h.log.Info("joined", "player", p.Player(), "name", p.Name(), "tick", uint32(t))
	h.sendRoster()
	return nil
}

// leave makes a player absent, after it has been present.
func (h *Host) leave(p *peer) {
	_, _ = h.insert(world.Event{Tick: h.roster.Leaving(p, h.tl.Now()+1), Kind: world.LeaveEvent, Player: p.Player()}, 0)
}

// admit makes a client a player. If the player still has another connection, that one ends; the
// player stays in the world.
func (h *Host) admit(now time.Duration, p *peer, player world.PlayerID) {
	old := h.roster.ByPlayer(player)
	p.Admit(now, player, old)
	if old != nil {
		h.expel(now, old, "you have joined from elsewhere")
	}
}

// gone removes a client; its objects remain for the grace time.
func (h *Host) gone(id link.Peer, reason string) {
	p := h.roster.Remove(id)
	if p != nil {
		h.cues.Left(p)
	}
	if p != nil && p.Present() != 0 {
		h.log.Info("left", "player", p.Player(), "name", p.Name(), "reason", reason)
		h.notify.Left(p.Player(), p.Name(), reason)
		h.leave(p)
		h.sendRoster()
	}
}

// expel disconnects a client.
func (h *Host) expel(now time.Duration, p *peer, reason string) {
	h.log.Warn("turned away", "name", p.Name(), "reason", reason)
	_ = h.out.Control(now, p.ID(), wire.AppendRefuse(nil, &wire.Refuse{Reason: reason}))
	h.out.Close(now, p.ID(), reason)
	h.gone(p.ID(), reason)
}

// expelIdle disconnects clients that hold a seat and do not play.
func (h *Host) expelIdle(now time.Duration) {
	for _, p := range slices.Clone(h.roster.All()) {
		if why := p.Log().Overdue(now, h.applied.End()); why != "" {
			h.expel(now, p, why)
		}
	}
}

// sendRoster sends the list of players to all of them.
func (h *Host) sendRoster() {
	var m wire.Roster
	h.roster.Playing(func(p *peer) { m.Players = append(m.Players, wire.RosterEntry{Player: p.Player(), Name: p.Name()}) })
	h.roster.Playing(func(p *peer) { _ = h.out.Control(h.now, p.ID(), wire.AppendRoster(nil, &m)) })
}
