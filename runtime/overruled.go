package runtime

import (
	"math"

	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
)

// An owner who says where his object is (authority = "owner") is overruled where
// all who simulate it, the host among them, refuse his move. The host need not send
// a correction: the log has the move, and his own client refuses it as well, in its
// tick, and has the object where all have it. What is left is to tell of it.

// overruled tells of this player's moves that the host has put into the match, and
// that are refused. It reports whether a Rewind just run moved such an object.
func (p *predictor) overruled(c *endpoint) (moved bool) {
	for _, r := range p.tl.RefusedPoses(c.Session.Player) {
		p.overrule(c, &r)
		slot, there := p.tl.At(p.tl.Now()).Find(r.Object)
		moved = moved || there && p.tl.Differs(slot)
	}
	return moved
}

// overrule tells of a move that is refused in its tick.
func (p *predictor) overrule(c *endpoint, r *timeline.RefusedPose) {
	m := Displacement{Kind: Correction, Object: r.Object, Class: r.Class, Distance: p.offBy(c, r), Verdict: world.Verdict{Why: r.Why},
		Provenance: timeline.Provenance{Tick: r.Tick, Cause: timeline.CauseRefused, Player: r.Player, Event: world.OwnerPoseEvent, InputTick: r.Tick}}
	c.Stats.Corrections.Add(m.Distance)
	p.moves.counts[Correction].add(&m)
	if p.mayTell(c, r.Object) {
		if v := p.tl.LocateRefusal(&m.Provenance, r); v.Why == r.Why {
			m.Verdict = v // else what other players did has been heard of since
		}
		c.Log.Info("corrected", "tick", uint32(m.Tick), "object", m.Object.String(), "distance", m.Distance, "why", m.why())
		if c.Cfg.Moved != nil {
			c.Cfg.Moved(m)
		}
	}
}

// offBy is how far from where an object was when a tick began its owner said that
// it was.
func (p *predictor) offBy(c *endpoint, r *timeline.RefusedPose) float64 {
	before := p.tl.At(r.Tick - 1)
	if before == nil {
		return 0
	}
	slot, ok := before.Find(r.Object)
	if !ok {
		return 0
	}
	b := before.Body(slot)
	return math.Hypot(r.Pose.X-b.X, r.Pose.Y-b.Y)
}
