package runtime

import (
	"math"
	"time"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/internal/view"
	"github.com/hindcast/hindcast/world"
)

// A client has proxies of the objects that it does not simulate: bodies that others bump
// into. They are put where snapshots say that the objects were, and move on with their
// velocity. Its own objects of such classes the client simulates with its inputs, and
// corrects where a snapshot disagrees.

// applySnapshot makes proxy updates of a snapshot: of the objects that are in it, and of
// those that are gone.
func (c *Client) applySnapshot(m *wire.Snapshot) {
	if m.Seq != c.replica.acked() || m.Tick <= c.tl.Oldest() {
		return
	}
	s := c.tl.At(m.Tick) // nil: not simulated yet
	if s != nil && (s.Bundle != m.Bundle || !c.tl.Partial(s)) {
		return // its objects would be of other classes
	}
	for i := range m.Entities {
		c.updateProxy(m, &m.Entities[i], s)
	}
	if s == nil { // what is here now and not in the snapshot is removed when its tick comes
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

// updateProxy makes a proxy update of one object, unless the history agrees with the
// snapshot.
func (c *Client) updateProxy(m *wire.Snapshot, e *wire.Entity, s *world.State) {
	class := c.replica.entityClass(e)
	if class.LOD == world.Predict {
		return // a joint: the host says that it exists
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
		c.tl.ExtendProxy(e.ID, m.Tick, c.ticks(view.MaxExtrapolation))
	}
	u := c.replica.proxyUpdate(m, e)
	if here {
		if c.replica.refine(&u, m, e, s, slot) {
			return
		}
		if e.Owner == c.player {
			c.countOwnCorrection(s, slot, &u)
		}
	}
	c.tl.ApplyProxy(m.Tick, u)
}

func (c *Client) ticks(d time.Duration) world.Tick {
	return world.Tick(math.Ceil(d.Seconds() * float64(c.rate())))
}

// countOwnCorrection counts a snapshot that moves an object of this player's.
func (c *Client) countOwnCorrection(s *world.State, slot int, u *world.ProxyUpdate) {
	b := s.Body(slot)
	distance := math.Hypot(b.X-u.X, b.Y-u.Y)
	if rules := c.library.bundle(s.Bundle); rules != nil && distance > rules.Rules.Correct.Position {
		c.stats.corrections.Add(distance)
		c.justCorrected = true
	}
}
