package host

import (
	"log/slog"
	"slices"
	"time"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/internal/replicate"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/world"
)

// send sends each client the new records of the log, and the notices that are due.
func (h *Host) send(now time.Duration) {
	for _, p := range h.roster.All() {
		if p.feed.Open() {
			p.feed.Packets(now, h.match.Now(), p.inbox.Ack(), func(b []byte) { h.mail.Datagram(now, p.id, b) })
			h.stats.RoundTrip(p.feed.RTT())
		}
		p.notices.Flush(now, func(n *wire.Notice) {
			_ = h.mail.Control(now, p.id, wire.AppendNotice(nil, n))
			h.cfg.Recorder.Notice(p.Player(), int(n.Count), n.Tick, n.Reason)
			h.lines.Line(now, slog.LevelWarn, p.source(), "inputs not applied",
				"player", p.Player(), "count", n.Count, "total", p.notices.Total(), "tick", uint32(n.Tick),
				"reason", n.Reason)
		})
	}
}

// sendPings sends the list of players again when their pings or names have changed.
func (h *Host) sendPings(now time.Duration) {
	if h.pings.NamesDue(now) || h.pings.Due(now) && h.pings.Changed(h.roster.List()) {
		h.sendRoster()
	}
}

// sendSnapshots sends the snapshots that are due.
func (h *Host) sendSnapshots(now time.Duration) {
	s, schema, listed := h.State(), h.Schema(), false
	room := h.Reader()
	h.relevancy.NextTick()
	every := max(h.inForce().bundle.Ticks(time.Second/time.Duration(h.match.Rules().Snapshots.Rate)), 1)
	for _, p := range h.roster.All() {
		sender := p.replica.Sender(schema, s.Bundle, p.Playing())
		if sender == nil || !p.feed.Open() || !sender.Due(s.Tick, every) {
			continue
		}
		if !listed {
			listed = true
			h.candidates.Update(s, schema)
			h.relevancy.Configure(h.match.Scripts().Of(s.Bundle), &h.inForce().bundle.Rules.Snapshots)
		}
		slots := p.replica.Select(h.relevancy, room, p.Player(), &h.candidates)
		sender.Applied(h.late.AppliedTo(&p.ledger, p.inbox.Ack().Newest))
		sender.Settled(p.replica.cues.ConfirmedTo(h.cues.settled))
		b := sender.Snapshot(s, schema, slots, p.Player(), h.match.Rules().Snapshots.Bytes)
		h.mail.Snapshot(len(b))
		h.mail.Datagram(now, p.id, b)
		h.sendRows(now, p, sender, s)
		h.noteUnsent(p, sender, s)
	}
}

// sendRows sends the fields that took too much of the snapshot just sent.
func (h *Host) sendRows(now time.Duration, p *peer, sender *replicate.Sender, s *world.State) {
	for b := sender.Row(s, p.Player()); b != nil; b = sender.Row(s, p.Player()) {
		if h.mail.Bulk(now, p.id, slices.Clone(b)) != nil {
			sender.RowLost()
			return
		}
		h.mail.Snapshot(len(b))
		h.stats.Snapshots().Rows++
	}
}

// noteUnsent counts and names the objects that a client is not kept up to date of. Objects that do not fit are named
// once for each class and bundle: they are many, in each snapshot.
func (h *Host) noteUnsent(p *peer, sender *replicate.Sender, s *world.State) {
	name := func(slot int, what string) {
		h.lines.Line(h.clock.Now(), slog.LevelWarn, p.source(), what,
			"player", p.Player(), "object", s.Objects[slot].ID.String(),
			"class", h.Schema().Classes[s.Objects[slot].Class].Name, "tick", uint32(s.Tick))
	}
	sender.EachLate(s, world.Tick(fieldsLate/h.clock.Length()), func(slot int) {
		h.stats.Snapshots().LateFields++
		name(slot, "the fields of an object wait to be sent")
	})
	sender.EachLeftOut(func(slot int) {
		h.stats.Snapshots().LeftOut++
		h.errors.Once("left out "+h.Schema().Classes[s.Objects[slot].Class].Name, func() {
			name(slot, "an object does not fit into a snapshot: [snapshots] bytes is too small for the room")
		})
	})
}

// fieldsLate is how long the fields of an object may wait before that is counted and logged.
const fieldsLate = 2 * time.Second

// interestCounts returns nil in a game without that hook.
func (h *Host) interestCounts() *room.InterestCounts {
	n, ok := h.relevancy.Counts()
	if !ok {
		return nil
	}
	return &room.InterestCounts{Asked: n.Asked, Failed: n.Failed, Skipped: n.Skipped}
}
