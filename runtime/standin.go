package runtime

import (
	"math"
	"time"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/detmath"
)

// A client has stand-ins of the objects that it does not simulate: bodies that
// others bump into, which are put where snapshots say that the objects were, and go on
// from there. Its own objects of such classes it simulates, with its inputs, and
// puts right where a snapshot says otherwise.

// standIns puts in what a snapshot tells: where objects were at the end of its
// tick, who came and who went.
func (c *Client) standIns(m *wire.Snapshot) {
	if m.Seq != c.watch.newest || m.Tick <= c.tl.Oldest() {
		return
	}
	s := c.tl.At(m.Tick) // nil: not simulated yet
	if s != nil && (s.Bundle != m.Bundle || !c.tl.Partial(s)) {
		return // or it would be of other classes
	}
	for i := range m.Entities {
		c.standIn(m, &m.Entities[i], s)
	}
	if s == nil { // who is here now and not there then goes in between
		if s = c.tl.At(c.tl.Now()); s.Bundle != m.Bundle {
			return
		}
	}
	schema := c.tl.SchemaOf(s)
	for _, slot := range s.Run {
		if id := s.Objects[slot].ID; !s.Shared(schema, int(slot)) {
			if _, here := m.Find(id); !here {
				c.tl.ApplyProxy(m.Tick, world.ProxyUpdate{Object: id, Gone: true})
			}
		}
	}
}

// standIn puts in what is told of one object, unless that is what the history
// has anyway.
func (c *Client) standIn(m *wire.Snapshot, e *wire.Entity, s *world.State) {
	class := &c.watch.schema.Classes[e.Class]
	if class.LOD == world.Predict {
		return // a joint: it is told that it is there
	}
	slot, here := -1, false
	if s != nil {
		if slot, here = s.Find(e.ID); here && s.Objects[slot].Class != e.Class {
			here = false
		}
	}
	if here && e.Tick != m.Tick {
		return // nothing new
	}
	if e.Owner != c.player && class.LOD == world.Interpolate {
		c.tl.ExtendProxy(e.ID, m.Tick, c.ticks(maxExtrapolation))
	}
	p := c.place(m, e)
	if here {
		if c.watch.agrees(m, e, s, slot) {
			return
		}
		c.watch.keepFields(m, e, s, slot, &p)
		if e.Owner == c.player {
			c.putRight(s, slot, &p)
		}
	}
	c.tl.ApplyProxy(m.Tick, p)
}

func (c *Client) ticks(d time.Duration) world.Tick {
	return world.Tick(math.Ceil(d.Seconds() * float64(c.rate())))
}

// place is what a snapshot says of an object, as of the snapshot's tick: one
// that it did not tell anew has gone on by its speed.
func (c *Client) place(m *wire.Snapshot, e *wire.Entity) world.ProxyUpdate {
	p := world.ProxyUpdate{Object: e.ID, Bundle: m.Bundle, Class: e.Class, Owner: e.Owner, Pose: e.Pose.Dequantize(), Velocity: e.Velocity.Dequantize()}
	past := min(float64(m.Tick-e.Tick)/float64(c.rate()), maxExtrapolation.Seconds())
	p.X, p.Y, p.Angle = p.X+float64(p.VX*past), p.Y+float64(p.VY*past), detmath.Wrap(p.Angle+float64(p.W*past))
	fields := m.Fields(e, c.watch.layout)
	p.Fields = make([]uint64, len(fields))
	c.watch.layout.PutFields(p.Fields, e.Class, fields)
	return p
}

// putRight counts what a snapshot corrects of an object of this player's.
func (c *Client) putRight(s *world.State, slot int, p *world.ProxyUpdate) {
	b := s.Body(slot)
	distance := math.Hypot(b.X-p.X, b.Y-p.Y)
	if rules := c.library.bundle(s.Bundle); rules != nil && distance > rules.Rules.Correct.Position {
		c.stats.corrections.Add(distance)
		c.justCorrected = true
	}
}

// agrees reports whether an object is, in a state, where and as it is told to be.
func (w *watcher) agrees(m *wire.Snapshot, e *wire.Entity, s *world.State, slot int) bool {
	w.mine.Reset(0, m.Bundle, m.Tick)
	w.layout.AddObject(&w.mine, s, slot)
	mine := &w.mine.Entities[0]
	if mine.Owner != e.Owner || !e.Near(mine) {
		return false
	}
	theirs := m.Fields(e, w.layout)
	for i, v := range w.mine.Fields(mine, w.layout) {
		if v != theirs[i] {
			return false
		}
	}
	return true
}

// keepFields leaves what the state has, which is finer, where that is what is told.
func (w *watcher) keepFields(m *wire.Snapshot, e *wire.Entity, s *world.State, slot int, p *world.ProxyUpdate) {
	theirs, mine := m.Fields(e, w.layout), w.mine.Fields(&w.mine.Entities[0], w.layout)
	row := s.Row(slot)
	for i := range p.Fields {
		if mine[i] == theirs[i] {
			p.Fields[i] = row[i]
		}
	}
	if e.Near(&w.mine.Entities[0]) {
		b := s.Body(slot)
		p.Pose, p.Velocity = b.Pose, b.Velocity
	}
}
