package host

import (
	"io"
	"time"

	"github.com/hindcast/hindcast/runtime/internal/side"
	"github.com/hindcast/hindcast/runtime/replay"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/stats"
	"github.com/hindcast/hindcast/world"
)

// What reads the room, and changes nothing in it.

// Now returns the last tick simulated.
func (h *Host) Now() world.Tick { return h.match.Now() }

// Committed returns the last committed tick.
func (h *Host) Committed() world.Tick { return h.match.Commits().Tick() }

// State returns the present state; it is the Host's own and changes with Tick.
func (h *Host) State() *world.State { return h.match.At(h.match.Now()) }

// StateAt returns the state after tick t, nil if the host does not keep it. It is
// the Host's own and changes with Tick.
func (h *Host) StateAt(t world.Tick) *world.State { return h.match.At(t) }

// Schema returns the schema of the present state.
func (h *Host) Schema() *world.Schema { return h.match.Scripts().SchemaOf(h.State()) }

// Newest returns the schema of the bundle announced last, which may not be in
// force yet.
func (h *Host) Newest() *world.Schema {
	return h.match.Scripts().Of(h.bundles.Newest().number).Schema()
}

// Reader reads the present state, until the next Tick. Do not call it within a callback of Tick.
func (h *Host) Reader() world.Reader { return h.match.Reader() }

// At calls f with the room as it was between the ticks t-1 and t: at t-1 if fraction is 0, at t
// if it is 1. It counts in 64ths of a tick (world.ViewParts), as the view times of inputs do.
// f reads a copy, and the room does not change. The Reader is valid during f; its tick is t.
//
// From max_rewind ago on, a host keeps the state after each tick. There, bodies stand where
// self:asSeen shows them at that moment, so that a ray hits what a shot with that view time hits.
// Fields, owners, speeds and everything else are exactly those after tick t.
//
// Before that, a host keeps for max_seen the poses of all objects of classes with seen, and, for a
// second more, the state after every fourth tick. There:
//
//   - Objects of classes with seen stand exactly where self:asSeen shows them, for max_seen.
//   - Other bodies are interpolated, on a straight line, between the two kept states around the
//     moment. They are exact only at a tick whose state is kept, with a fraction of 1.
//   - Everything else is exactly as in the later one of these states, which is up to three ticks
//     after t. Objects that were removed by then are missing. Objects that were spawned after t
//     are left out.
//
// StateAt returns nil for a tick whose state is not kept. The error wraps timeline.ErrAhead or
// timeline.ErrTooOld, or is about the fraction.
func (h *Host) At(t world.Tick, fraction float64, f func(r world.Reader)) error {
	return side.ReadAt(h.match.Past(), t, fraction, f)
}

// TickLength returns how long a tick lasts.
func (h *Host) TickLength() time.Duration { return h.clock.Length() }

// Idle returns how long ago the last tick began; 0 while paused.
func (h *Host) Idle(now time.Duration) time.Duration { return h.clock.Idle(now) }

// Players returns how many clients are in the room, onlookers included. Report.Players does not count onlookers.
func (h *Host) Players() (n int) {
	h.roster.Playing(func(*peer) { n++ })
	return n
}

// View fills v with the host's present.
func (h *Host) View(v *room.View) {
	v.Begin(room.StageRunning, nil)
	v.Game, v.Confirmed, v.Alpha = h.inForce().bundle.Game, h.Committed(), 1
	v.Rewinds, v.Corrections = h.stats.Rewinds(), h.corrector.Jumps().Count
	v.Show(h.State(), h.Schema())
	for _, q := range h.roster.List() {
		v.AddPlayer(q.Player, q.Name, q.Ping)
	}
	v.DropGone(func(id world.ObjectID) bool { _, here := h.State().Find(id); return here })
}

// Report returns the counters and times of the host up to now.
func (h *Host) Report(now time.Duration) room.Report {
	s := &h.stats
	seconds := h.clock.Running(now).Seconds()
	rtt, lead := s.rtt.Percentiles(), h.intake.Leads()
	claims, owners, snapshots := h.corrector.Claims(), *h.intake.Owners(), s.snapshots
	inForce := h.inForce()
	if _, open := h.clock.Due(now); open {
		s.Present(len(h.roster.List()), h.Players())
	}
	onlookers := s.onlookers
	r := room.Report{
		Role:        "host",
		Game:        inForce.bundle.Game,
		Bundle:      inForce.hash.String(),
		Tick:        h.match.Now(),
		TickRate:    inForce.bundle.Setup.TickRate,
		Seconds:     stats.Round(seconds),
		RTT:         &rtt,
		Lead:        &lead,
		Inputs:      *h.intake.Inputs(),
		Rewinds:     s.rewinds.Counts(),
		Corrections: h.corrector.Jumps(),
		Confirmed: room.ConfirmedCounts{
			Objects:  h.State().Len(),
			LastTick: h.match.Commits().Tick(),
			LastHash: side.HashText(h.match.Commits().SharedHash()),
		},
		TickMS:        s.tickMS.Spread(),
		BytesPerS:     h.mail.PerSecond(seconds),
		Bytes:         h.mail.Parts(),
		Cut:           *h.mail.Cut(),
		Datagrams:     s.datagrams,
		Refused:       h.refused.Counts(h.mail.Dropped()),
		Claims:        &claims,
		Owners:        &owners,
		Lateness:      h.late.Counts(),
		Work:          h.watch.Report(),
		Interest:      h.interestCounts(),
		Snapshots:     &snapshots,
		Cues:          h.cueCounts(),
		HistoryBytes:  h.match.Past().Bytes(),
		ScriptErrors:  h.errors.Count(),
		Clamped:       s.clamped,
		Crowded:       s.crowded,
		Players:       s.players,
		Onlookers:     &onlookers,
		Objects:       h.State().Len(),
		Desync:        differences(h.match.Failed()),
		VerifiedTicks: s.verified,
		Classes:       h.profile.Report(),
		LateTicks:     s.behind.late,
		SkippedMS:     stats.Round(s.behind.skipped.Seconds() * 1000),
	}
	return r
}

// Problems returns what is wrong with the scripts now, as the clients are told.
func (h *Host) Problems() room.Problems { return h.problems.now }

// EachInput calls f for each input that the host still has, by object, player and tick. relayed tells whether clients
// get it.
func (h *Host) EachInput(f func(e world.Event, relayed bool)) { h.match.Log().EachInput(f) }

// WriteReplay writes a replay of everything that can still change: the last committed
// state, and the events and states since. host replay -verify shows where these states
// do not follow from the events, so write one when check mode finds a difference. The
// error is that of writing.
func (h *Host) WriteReplay(out io.Writer, packing replay.Packing) error {
	r := replay.NewRecorder(out, packing)
	for _, a := range h.bundles.From(1) {
		if a.bytes != nil && h.match.Scripts().Of(a.number) != nil {
			r.Bundle(a.number, a.tick, a.hash, a.bytes)
		}
	}
	r.Keyframe(h.keyRecord())
	h.endRecord(r, true)
	return r.Err()
}
