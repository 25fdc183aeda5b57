package runtime

import (
	"slices"
	"time"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
)

// claimed is the claim of one client about its object, until it is judged.
type claimed struct {
	claim   wire.Claim
	waiting bool
	until   time.Duration // no other correction before this time
}

// Put keeps a claim for Take.
func (c *claimed) Put(m wire.Claim) { c.claim, c.waiting = m, true }

// Drop discards the claim.
func (c *claimed) Drop() { c.waiting = false }

// Take returns and removes the claim that waits.
func (c *claimed) Take() (m *wire.Claim, ok bool) {
	ok, c.waiting = c.waiting, false
	return &c.claim, ok
}

// Correct reports whether a correction can be sent now. If so, none can be sent for the time
// pause: until the client has the correction, its claims may still be wrong for the same reason.
func (c *claimed) Correct(now, pause time.Duration) (ok bool) {
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
		if c, ok := p.Claim().Take(); ok && p.Log().Open() {
			h.judge(now, p, c)
		}
	}
}

// exceeds compares a claim with the host's body. distance is the distance between them in metres;
// in has the parts that differ by more than the thresholds.
func exceeds(t *bundle.Thresholds, c *wire.Claim, b *physics.Body) (distance float64, in wire.Mismatch) {
	claimed := physics.Body{Pose: physics.Pose{X: float64(c.X), Y: float64(c.Y), Angle: float64(c.Angle)},
		Velocity: physics.Velocity{VX: float64(c.VX), VY: float64(c.VY), W: float64(c.AngularVelocity)}}
	return t.Exceeded(&claimed, b)
}

func (h *Host) judge(now time.Duration, p *peer, c *wire.Claim) {
	count := &h.stats.claims
	s := h.tl.At(c.Tick)
	if s == nil {
		count.Old++
		return
	}
	slot, ok := s.Find(c.Object)
	if !ok || s.Objects[slot].Owner != p.Player() || s.Body(slot).Key == 0 {
		return
	}
	count.Checked++
	limits := h.rules.CorrectOf(&h.tl.Scripts().SchemaOf(s).Classes[s.Objects[slot].Class])
	distance, wrong := exceeds(&limits, c, s.Body(slot))
	switch {
	case wrong == 0:
		count.Agreed++
	case h.applied.HasNews(c.KnownSeq, c.Tick):
		count.Explained++
	case !p.Claim().Correct(now, max(p.Log().RTT(), h.tickLen)):
		count.Wrong++
		count.LockedOut++
	default:
		count.Wrong++
		h.stats.jumps.Add(distance)
		h.cfg.Recorder.Correction(p.Player(), s.Tick, c.Object, distance)
		h.correct(now, p, s, slot, wrong)
	}
}

// correct sends the exact state of an object and its island.
func (h *Host) correct(now time.Duration, p *peer, s *world.State, slot int, wrong wire.Mismatch) {
	schema := h.tl.Scripts().SchemaOf(s)
	slots := slices.DeleteFunc(s.Touching(slot, nil), func(slot int32) bool {
		return s.Objects[slot].Owner != p.Player() && !s.Shared(schema, int(slot))
	})
	part := world.AppendObjects(nil, s, schema, slots)
	id := s.Objects[slot].ID
	m := wire.Correction{Tick: s.Tick, Object: id, Mismatch: wrong, Cause: h.rewindings.For(id, s.Tick), State: part}
	b := wire.AppendCorrection(nil, &m)
	h.out.State(len(part), false)
	h.log.Debug("correction", "player", p.Player(), "tick", uint32(s.Tick), "object", id.String(), "wrong", wrong.Words())
	if len(b) > wire.MaxDatagram { // a pile: it needs a stream, which is slower
		_ = h.out.Bulk(now, p.ID(), b)
		return
	}
	h.out.Datagram(now, p.ID(), b)
}

// tellRewinding reports that a rewind moved a player's object.
func (h *Host) tellRewinding(owner world.PlayerID, m Displacement) {
	if h.cfg.Moved != nil {
		h.cfg.Moved(m)
	}
	h.log.Debug("a rewind moved a player's object", "tick", uint32(m.Provenance.Tick), "object", m.Object.String(), "player", owner, "why", m.String())
}
