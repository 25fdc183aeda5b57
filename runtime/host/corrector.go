package host

import (
	"slices"
	"time"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/stats"
	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
)

// corrector decides which claims of clients are corrected, and counts them.
type corrector struct {
	claims room.ClaimCounts
	jumps  stats.Series // distances of corrections, m
}

// Claims returns the counts of claims.
func (c *corrector) Claims() room.ClaimCounts { return c.claims }

// Jumps returns the distances by which corrections moved objects.
func (c *corrector) Jumps() room.JumpCounts {
	return room.JumpCounts{Count: c.jumps.Count(), Distance: c.jumps.Spread()}
}

// Old counts a claim about a tick whose state is no longer kept.
func (c *corrector) Old() { c.claims.Old++ }

// Judge compares a claim with the host's body. It returns the parts that differ by more than the thresholds,
// and the distance in metres. send is set if the client must be corrected: it had every record of the log,
// which explained tells, and no correction is on its way, nor does one that is large wait, which allowed tells.
func (c *corrector) Judge(
	limits *bundle.Thresholds,
	claim *wire.Claim,
	b *physics.Body,
	explained func() bool,
	allowed func(wrong wire.Mismatch) bool,
) (distance float64, send bool) {
	c.claims.Checked++
	distance, wrong := exceeds(limits, claim, b)
	switch {
	case wrong == 0:
		c.claims.Agreed++
	case explained():
		c.claims.Explained++
	case !allowed(wrong):
		c.claims.Wrong++
		c.claims.LockedOut++
	default:
		c.claims.Wrong++
		c.jumps.Add(distance)
		send = true
	}
	return distance, send
}

// exceeds compares a claim with the host's body. distance is the distance between them in metres;
// in has the parts that differ by more than the thresholds.
func exceeds(t *bundle.Thresholds, c *wire.Claim, b *physics.Body) (distance float64, in wire.Mismatch) {
	claimed := physics.Body{Pose: physics.Pose{X: float64(c.X), Y: float64(c.Y), Angle: float64(c.Angle)},
		Velocity: physics.Velocity{VX: float64(c.VX), VY: float64(c.VY), W: float64(c.AngularVelocity)}}
	return t.Exceeded(&claimed, b)
}

// pendingClaim is the claim of one client about its object, until it is judged.
type pendingClaim struct {
	claim   wire.Claim
	waiting bool
	until   time.Duration // no other correction before this time
}

// Put keeps a claim for Take.
func (c *pendingClaim) Put(m wire.Claim) { c.claim, c.waiting = m, true }

// Drop discards the claim.
func (c *pendingClaim) Drop() { c.waiting = false }

// Take returns and removes the claim that waits.
func (c *pendingClaim) Take() (m *wire.Claim, ok bool) {
	ok, c.waiting = c.waiting, false
	return &c.claim, ok
}

// Correct reports whether a correction can be sent now. If so, none can be sent for the time
// pause: until the client has the correction, its claims may still be wrong for the same reason.
func (c *pendingClaim) Correct(now, pause time.Duration) (ok bool) {
	ok = now >= c.until
	if ok {
		c.until = now + pause
	}
	return ok
}

// judgeClaims compares the claims of clients with the host's states. It corrects clients whose
// claims were wrong although they had every record of the log up to then.
func (h *Host) judgeClaims(now time.Duration) {
	for _, p := range h.roster.All() {
		if c, ok := p.claim.Take(); ok && p.feed.Open() {
			h.judge(now, p, c)
		}
	}
}

func (h *Host) judge(now time.Duration, p *peer, c *wire.Claim) {
	s := h.match.At(c.Tick)
	if s == nil {
		h.corrector.Old()
		return
	}
	slot, ok := s.Find(c.Object)
	if !ok || s.Objects[slot].Owner != p.Player() || s.Body(slot).Key == 0 {
		return
	}
	limits := h.match.Rules().CorrectOf(&h.match.Scripts().SchemaOf(s).Classes[s.Objects[slot].Class])
	explained := func() bool { return h.applied.HasNews(c.KnownSeq, c.Tick) }
	var m wire.Correction
	var b []byte
	allowed := func(wrong wire.Mismatch) bool {
		if !p.claim.Correct(now, max(p.feed.RTT(), h.clock.Length())) {
			return false
		}
		m = h.correction(s, slot, wrong)
		b = wire.AppendCorrection(nil, &m)
		return len(b) <= wire.MaxDatagram || !h.mail.Busy(p.id)
	}
	distance, send := h.corrector.Judge(&limits, c, s.Body(slot), explained, allowed)
	if send {
		h.cfg.Recorder.Correction(p.Player(), s.Tick, c.Object, distance)
		h.correct(now, p, &m, b)
	}
}

// correction returns the exact state of an object and its island, without replicated objects. Snapshots correct those
// of the player, and say which of their inputs and frames the host has: without these, a press would count again on the
// client.
func (h *Host) correction(s *world.State, slot int, wrong wire.Mismatch) wire.Correction {
	schema := h.match.Scripts().SchemaOf(s)
	slots := slices.DeleteFunc(s.Touching(slot, nil), func(slot int32) bool {
		return !s.Shared(schema, int(slot))
	})
	id := s.Objects[slot].ID
	return wire.Correction{
		Tick: s.Tick, Object: id, Mismatch: wrong, Cause: h.rewindings.For(id, s.Tick),
		State: world.AppendObjects(nil, s, schema, slots),
	}
}

// correct sends a correction, which is encoded as b.
func (h *Host) correct(now time.Duration, p *peer, m *wire.Correction, b []byte) {
	h.mail.State(len(m.State), false)
	h.log.Debug("correction", "player", p.Player(), "tick", uint32(m.Tick), "object", m.Object.String(),
		"wrong", m.Mismatch.Words())
	if len(b) > wire.MaxDatagram { // a pile: it needs a stream, which is slower
		_ = h.mail.Bulk(now, p.id, b)
		return
	}
	h.mail.Datagram(now, p.id, b)
}

// tellRewinding reports that a rewind moved a player's object.
func (h *Host) tellRewinding(owner world.PlayerID, m room.Displacement) {
	if h.cfg.Displaced != nil {
		h.cfg.Displaced(m)
	}
	h.log.Debug("a rewind moved a player's object", "tick", uint32(m.Provenance.Tick), "object", m.Object.String(),
		"player", owner, "why", m.String())
}
