package host

import (
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/internal/replicate"
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
		h.expel(now, p, wrongVersion,
			fmt.Sprintf("this host speaks protocol %d, you speak %d", wire.Version, m.Version))
		return nil
	case h.roster.Full(back, h.match.Rules().MaxPlayers) && !h.makePlace(now, p):
		h.expel(now, p, roomFull, "the room is full: "+h.roster.Occupied())
		return nil
	}
	if h.cfg.Admit != nil {
		if err := h.cfg.Admit(m.Name, m.Token); err != nil {
			h.expel(now, p, notAdmitted, err.Error())
			return nil
		}
	}
	if back == nil {
		var err error
		if back, err = h.roster.NewTicket(h.State(), m.Ticket); err != nil {
			h.lines.Line(now, slog.LevelError, p.source(), "no ticket: this player cannot return",
				"player", back.player, "error", err)
		}
		if asked := m.Ticket.Number(); asked != 0 && asked != back.player {
			h.lines.Line(now, slog.LevelWarn, p.source(), "returns with another number: the one before is taken",
				"player", back.player, "before", asked, "name", p.Name())
		}
	}
	h.roster.Return(back)
	h.admit(now, p, back.player)
	return h.welcome(now, p, &wire.Welcome{Player: p.Player(), Ticket: back.secret}, &m)
}

// mostUnasked is up to how many bytes the host sends the bundles with the Welcome. A client may have them in its cache,
// and a large game is not to be sent for nothing; to ask takes a round trip, in which a slow line carries as much.
const mostUnasked = 32 << 10

// welcome tells a client that it is admitted. If the client wants it and the bundles are small, they follow, each packed
// against the one before, and the keyframe as if the client had asked for it. All this is on one stream, so that nothing
// overtakes what it needs.
func (h *Host) welcome(now time.Duration, p *peer, w *wire.Welcome, m *wire.Hello) error {
	var messages [][]byte
	size := 0
	for _, a := range h.bundles.From(1) {
		if h.match.Scripts().Of(a.number) == nil {
			continue
		}
		w.Bundles = append(w.Bundles, a.wire())
		if !m.AtOnce || size > mostUnasked {
			continue
		}
		var base *announced
		if len(messages) > 0 {
			base = h.bundles.Before(a)
		}
		messages = append(messages, a.message(base))
		size += len(messages[len(messages)-1])
	}
	w.Follow = m.AtOnce && size <= mostUnasked
	p.Announced(len(w.Bundles))
	if err := h.mail.Bulk(now, p.id, wire.AppendWelcome(nil, w)); err != nil || !w.Follow {
		return err
	}
	for _, b := range messages {
		if err := h.mail.Bulk(now, p.id, b); err != nil {
			return err
		}
	}
	return h.ready(now, p, wire.AppendReady(nil, &wire.Ready{Snapshots: m.Snapshots, Onlooker: m.Onlooker}))
}

func (h *Host) bundleWant(now time.Duration, p *peer, data []byte) error {
	m, err := wire.ParseBundleWant(data)
	if err != nil {
		return err
	}
	a := h.bundles.ByHash(m.Hash)
	switch {
	case a == nil:
		return because(noSuchScript, "no bundle %s here", bundle.Hash(m.Hash))
	case !p.WantBundle():
		return errBundles
	}
	base := h.bundles.Before(a)
	if base != nil && base.hash != m.Base {
		base = nil
	}
	return h.mail.Bulk(now, p.id, a.message(base))
}

// ready lets an admitted client join in the coming tick. The client gets the last
// committed state and the log since. A client that is already playing gets them again.
func (h *Host) ready(now time.Duration, p *peer, data []byte) error {
	m, err := wire.ParseReady(data)
	if err != nil {
		return err
	}
	k, ok := keyframe{}, false
	busy := p.States() > 0 && h.mail.Busy(p.id) // the bundle may be on its way to one who is not in yet
	if !busy {
		k, ok = h.keyframeFor(now, p, m.Snapshots)
	}
	if !ok {
		h.answers.Wait(p.id, p.States(), busy, data)
		return nil
	}
	if err := h.takeIn(p, m.Onlooker); err != nil {
		return err
	}
	p.Restart(now, k.key.first, k.key.tick, &m)
	if k.open != nil {
		schema := h.match.Scripts().SchemaOf(k.open)
		p.replica.Restart(schema, h.answers.Baseline(k.key, func() *wire.Snapshot {
			return replicate.Baseline(schema, k.open, k.key.snapshot)
		}))
	}
	h.mail.State(k.size, false)
	p.SentState()
	err = h.mail.Bulk(now, p.id, k.message)
	if b := h.firstEvents(p, k.key.first); b != nil && err == nil {
		err = h.mail.Bulk(now, p.id, b)
	}
	h.announceAssets(now, p)
	if h.problems.Any() {
		_ = h.mail.Control(now, p.id, h.problems.Message())
	}
	return err
}

// firstEvents returns a HostPacket with the events of the log from a record on, if the player's own join is one of them;
// nil: it is not, or they do not fit. It follows the keyframe, so that the player has their objects with it: the log
// begins a round trip later. What others press is left out, as for any tick that is not known yet. All else is there: the
// objects of a player may depend on who has joined before.
func (h *Host) firstEvents(p *peer, first uint32) []byte {
	var w wire.HostPacketWriter
	w.Reset(nil, wire.HostPacket{Tick: h.match.Now()})
	joins := false
	for seq := first; seq < h.applied.End(); seq++ {
		r := h.applied.At(seq)
		if !r.IsEvent() || r.UsesChannel() {
			continue
		}
		if !w.Add(r) {
			return nil
		}
		joins = joins || r.Event.Kind == world.JoinEvent && r.Event.Player == p.Player()
	}
	if !joins {
		return nil
	}
	return w.Bytes()
}

// keyframe is the state with which a client begins.
type keyframe struct {
	key     answerKey
	message []byte
	size    int          // bytes of state
	open    *world.State // for a client that gets snapshots: without the objects that are hidden from it
}

// keyframeFor returns the keyframe of the last committed tick for a client. ok is false if it has to wait.
func (h *Host) keyframeFor(now time.Duration, p *peer, snapshots bool) (k keyframe, ok bool) {
	t := h.match.Commits().Tick()
	s := h.match.At(t)
	k.key = answerKey{kind: wire.KindKeyframe, tick: t, first: h.applied.Since(t), onlooks: snapshots}
	if s != nil && snapshots {
		k.key.snapshot = p.replica.NextNumber()
		k.open = s
		if h.hides(s) {
			if !h.answers.Free(now) {
				return k, false
			}
			k.key.viewer, k.open = p.Player(), h.openTo(p.Player(), s)
		}
	}
	k.message, k.size, ok = h.answers.Make(now, t, k.key, func() ([]byte, int) {
		held := h.match.Keyframe(true)
		frame := wire.Keyframe{FirstSeq: k.key.first, Snapshot: k.key.snapshot, LastInputs: held.Held}
		switch {
		case s == nil:
		case snapshots:
			frame.State = h.stateBytes(k.open)
		default:
			frame.State = h.stateBytes(h.match.Commits().Shared(h.match.Scripts(), s))
			if !h.match.Scripts().Partial(s) {
				frame.PoseHistory = held.Poses
			}
		}
		return wire.AppendKeyframe(nil, &frame), len(frame.State) + len(frame.PoseHistory)
	})
	return k, ok
}

// takeIn lets an admitted client receive the match, and join unless it is an onlooker.
func (h *Host) takeIn(p *peer, onlooker bool) error {
	joins := !onlooker && p.Present() == 0
	switch {
	case p.Playing() && !joins:
		return nil
	case onlooker && p.Present() == 0:
		p.Enter(0)
		h.lines.Line(h.clock.Now(), slog.LevelInfo, p.source(), "looks on", "player", p.Player(), "name", p.Name())
		return h.mail.Control(h.clock.Now(), p.id, wire.AppendRoster(nil, &wire.Roster{Players: h.roster.List()}))
	}
	return h.join(p)
}

// enter lets the player of an onlooker join.
func (h *Host) enter(p *peer, data []byte) error {
	if _, err := wire.ParseEnter(data); err != nil || p.Present() != 0 {
		return err
	}
	return h.join(p)
}

// hides reports whether objects of a state may be hidden from a player.
func (h *Host) hides(s *world.State) bool {
	classes := h.match.Scripts().SchemaOf(s).Classes
	return slices.ContainsFunc(classes, func(c world.Class) bool { return c.Ranges.Hidden })
}

// openTo returns s without the objects that are hidden from a player.
func (h *Host) openTo(player world.PlayerID, s *world.State) *world.State {
	var open world.State
	open.CopyFrom(s)
	open.DropHidden(h.match.Scripts().SchemaOf(s), player)
	return &open
}

// errRoomFull is the error of an onlooker who cannot join, because the room has other players by now.
var errRoomFull = because(
	roomFull,
	"the room is full: it has %d players, with those who left and may return",
	world.MaxPlayers,
)

// roomFor reports whether the world has room for a player. Players who join in the coming tick count as well.
func (h *Host) roomFor(id world.PlayerID) bool {
	s := h.State()
	if _, known := s.PlayerByID(id); known {
		return true
	}
	players := len(s.Players) - h.roster.GivingWay(s)
	h.roster.Present(func(p *peer) {
		if _, known := s.PlayerByID(p.Player()); !known {
			players++
		}
	})
	return players < world.MaxPlayers
}

// join makes a player present in the coming tick, or the next one. The error is errRoomFull, or that of the event.
func (h *Host) join(p *peer) error {
	returned := p.Present() != 0 // the player was present on another connection
	if !returned && !h.roomFor(p.Player()) && !h.makeRoom() {
		return errRoomFull
	}
	next := h.match.Now() + 1
	if h.roster.GivingWay(h.State()) > 0 {
		next++ // joins come before leaves in a tick
	}
	t := h.roster.Enter(p, next)
	if _, err := h.insert(world.Event{Tick: t, Kind: world.JoinEvent, Player: p.Player()}); err != nil {
		return err
	}
	if !returned {
		h.notify.Joined(p.Player(), p.Name())
	}
	h.cfg.Recorder.Name(p.Player(), p.Name())
	h.lines.Line(h.clock.Now(), slog.LevelInfo, p.source(), "joined",
		"player", p.Player(), "name", p.Name(), "tick", uint32(t))
	h.sendRoster()
	return nil
}

// leave makes a player absent, after it has been present.
func (h *Host) leave(p *peer) {
	_, _ = h.insert(world.Event{
		Tick:   h.roster.Leaving(p, h.match.Now()+1),
		Kind:   world.LeaveEvent,
		Player: p.Player(),
	})
}

// admit makes a client a player. If the player still has another connection, that one ends; the
// player stays in the world.
func (h *Host) admit(now time.Duration, p *peer, player world.PlayerID) {
	old := h.roster.ByPlayer(player)
	p.Admit(now, player, old)
	if old != nil {
		h.supersede(now, old, player)
	}
}

// supersede closes a connection of a player who has another one since.
func (h *Host) supersede(now time.Duration, old *peer, player world.PlayerID) {
	const reason = "you have joined from elsewhere"
	h.lines.Line(now, slog.LevelInfo, old.source(), "is back on another connection", "player", player,
		"name", old.Name())
	_ = h.mail.Control(now, old.id, wire.AppendRefuse(nil, &wire.Refuse{Reason: reason}))
	h.mail.Close(now, old.id, reason)
	h.remove(old.id)
}

// remove forgets a client.
func (h *Host) remove(id link.Peer) *peer {
	p := h.roster.Remove(id)
	h.assets.Left(id)
	h.answers.Left(id)
	if p != nil {
		h.cues.Left(p)
	}
	return p
}

// gone removes a client; its objects remain for the grace time.
func (h *Host) gone(id link.Peer, reason string) {
	p := h.remove(id)
	if p != nil && p.Present() == 0 && p.Playing() {
		h.lines.Line(h.clock.Now(), slog.LevelInfo, p.source(), "looks on no more",
			"player", p.Player(), "name", p.Name(), "reason", reason)
	}
	if p != nil && p.Present() != 0 {
		h.lines.Line(h.clock.Now(), slog.LevelInfo, p.source(), "left",
			"player", p.Player(), "name", p.Name(), "reason", reason)
		h.notify.Left(p.Player(), p.Name(), reason)
		h.leave(p)
		h.sendRoster()
	}
}

// expel disconnects a client, and counts why; "": it is no refusal.
func (h *Host) expel(now time.Duration, p *peer, why refusal, reason string) {
	if why != "" {
		h.refused.Add(why)
	}
	h.lines.Line(now, slog.LevelWarn, p.source(), "turned away", "name", p.Name(), "reason", reason)
	_ = h.mail.Control(now, p.id, wire.AppendRefuse(nil, &wire.Refuse{Reason: reason}))
	h.mail.Close(now, p.id, reason)
	h.gone(p.id, reason)
}

// lookLimit is how long an onlooker may keep a place that others may need. A player may leave a page open and never
// press Play.
const lookLimit = 10 * time.Minute

// overdue returns why to disconnect a client, "" if there is no reason. Onlookers have to go when fewer than a
// quarter of the places are free.
func (h *Host) overdue(now time.Duration, p *peer) (why refusal, reason string) {
	places := h.match.Rules().MaxPlayers
	if p.Playing() && p.Present() == 0 && now-p.feed.Begun() >= lookLimit && 4*(places-h.roster.Admitted()) < places {
		return watchedLong, fmt.Sprintf(
			"you have watched for %d minutes without joining, and others may need the place",
			int(lookLimit.Minutes()))
	}
	if !p.Admitted() && now-p.Since() > helloLimit {
		return notInTime, fmt.Sprintf("nothing was asked for in %v", helloLimit)
	}
	return notInTime, p.feed.Overdue(now, h.applied.End())
}

// expelIdle disconnects clients that are admitted and do not play, or have looked on for too long.
func (h *Host) expelIdle(now time.Duration) {
	for i := 0; i < len(h.roster.All()); {
		p := h.roster.All()[i]
		if why, reason := h.overdue(now, p); reason != "" {
			h.expel(now, p, why, reason) // which removes it from the roster
			continue
		}
		i++
	}
}

// sendRoster sends the list of the players who are present to all clients.
func (h *Host) sendRoster() {
	m := wire.Roster{Players: h.roster.List()}
	h.pings.Sent(m.Players)
	b := wire.AppendRoster(nil, &m)
	h.roster.Playing(func(p *peer) { _ = h.mail.Control(h.clock.Now(), p.id, b) })
}
