package runtime

import (
	"math"

	"github.com/hindcast/hindcast/world"
)

// An owner who says where his object is (authority = "owner") is overruled where
// all who simulate it, the host among them, refuse his move. The host need not send
// a correction: the log has the move, and his own client refuses it as well, in its
// tick, and has the object where all have it. What is left is to tell of it.

// overruled tells of this player's moves that the host has put into the match, and
// that are refused. It reports whether a Rewind just run moved such an object.
func (c *Client) overruled() (moved bool) {
	now := c.tl.At(c.tl.now)
	for i := range c.tl.moves.tracks {
		tr := &c.tl.moves.tracks[i]
		if tr.of.player != c.player {
			continue
		}
		for j := range tr.entries {
			if e := &tr.entries[j]; e.ours && c.overrule(tr.of, e) {
				slot, there := now.Find(tr.of.object)
				moved = moved || there && c.tl.part.Differs(slot)
			}
		}
	}
	return moved
}

// overrule tells of a move if it is refused in its tick.
func (c *Client) overrule(of steering, e *moveEntry) bool {
	s := c.tl.At(e.tick)
	if s == nil {
		return false
	}
	slot, ok := s.Find(of.object)
	if !ok {
		return false
	}
	class := &c.tl.Schema(e.tick).Classes[s.Objects[slot].Class]
	_, why := s.MoveAt(slot, class, e.tick)
	if why == world.NotRefused {
		return false
	}
	e.ours = false
	m := Move{Kind: Correction, Object: of.object, Class: class.Name, Tick: e.tick, Distance: c.offBy(of.object, e),
		Cause: CauseRefused, Player: of.player, Event: world.MoveEvent, InputTick: e.tick, Verdict: world.Verdict{Why: why}}
	c.stats.corrections.Add(m.Distance)
	c.moves.counts[Correction].add(&m)
	if c.mayTell(of.object) {
		c.tl.findVerdict(&m, of, &e.at)
		c.log.Info("corrected", "tick", uint32(m.Tick), "object", m.Object.String(), "distance", m.Distance, "why", m.why())
		if c.cfg.Moved != nil {
			c.cfg.Moved(m)
		}
	}
	return true
}

// offBy is how far from where an object was when a tick began its owner said that
// it was.
func (c *Client) offBy(id world.ObjectID, e *moveEntry) float64 {
	before := c.tl.At(e.tick - 1)
	if before == nil {
		return 0
	}
	slot, ok := before.Find(id)
	if !ok {
		return 0
	}
	b := before.Body(slot)
	return math.Hypot(e.at.X-b.X, e.at.Y-b.Y)
}

// findVerdict finds the figures of a move that was refused, and the line of the
// script that did: it judges it once more, in a world of its own.
func (tl *Timeline) findVerdict(m *Move, of steering, p *world.Placement) {
	b := blockRun{runner: runner{tl: tl}, object: of.object, block: -1, out: &hookRun{}}
	b.steers = func(script world.Script, slot int) {
		v := b.judge(b.w, script, slot, p)
		if v.Why != m.Verdict.Why {
			return // what other players did has been heard of since
		}
		m.Verdict = v
		if lines, ok := script.(world.SourceLines); ok && v.Why == world.NotVerified {
			if m.File, m.Line = lines.ReturnLine(); m.Line != 0 {
				m.Text = "in verify"
			}
		}
	}
	b.run(m.Tick)
}
