package client

import (
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
)

// A predictor has proxies of replicated objects: bodies that other bodies bump into. A
// proxy moves to the pose of its object in a snapshot, and continues with its velocity.
// Own objects of replicated classes are simulated with the player's inputs, and
// corrected where a snapshot disagrees; see ownproxies.go for those that are not.

// snapshot makes proxy updates from a snapshot, for the objects in it and for those
// that are missing.
func (p *predictor) snapshot(r *replica, l *library, clock *clock, m *wire.Snapshot) {
	if newest, _ := r.acked(); m.Seq != newest || m.Tick <= p.tl.Oldest() {
		return
	}
	s := p.tl.At(m.Tick) // nil: not simulated yet
	if s != nil && (s.Bundle != m.Bundle || !p.tl.Scripts().Partial(s)) {
		return // its objects may be of other classes
	}
	for i := range m.Entities {
		p.updateProxy(r, l, clock, m, &m.Entities[i], s)
	}
	if s == nil { // present objects that are not in the snapshot are removed when its tick is simulated
		if s = p.tl.At(p.tl.Now()); s.Bundle != m.Bundle {
			return
		}
	}
	schema := p.tl.Scripts().SchemaOf(s)
	for _, slot := range s.Run {
		if id := s.Objects[slot].ID; !s.Shared(schema, int(slot)) {
			if _, here := m.Find(id); !here {
				p.tl.ApplyProxy(m.Tick, world.ProxyUpdate{Object: id, Gone: true})
			}
		}
	}
}

// updateProxy makes a proxy update of one object, unless the history agrees with the
// snapshot. s is the state of the snapshot's tick; nil if it is not simulated yet.
func (p *predictor) updateProxy(r *replica, l *library, clock *clock, m *wire.Snapshot, e *wire.Entity, s *world.State) {
	class := &r.schema().Classes[e.Class]
	if class.LOD == world.Predict {
		return // a joint: the snapshot only says that it exists
	}
	own := e.Owner == p.tl.World().Client
	slot, here := -1, false
	if s != nil {
		if slot, here = s.Find(e.ID); here && s.Objects[slot].Class != e.Class {
			here = false
		}
	}
	if here && e.Tick != m.Tick {
		return // nothing new
	}
	if !own && class.LOD == world.Interpolate {
		p.tl.ExtendProxy(e.ID, m.Tick, clock.ticks(l.bundle(m.Bundle).Rules.Snapshots.Interpolation.Extrapolate))
	}
	if e.FieldsTick == 0 && !here {
		return // it appears with its fields
	}
	if s == nil && own && keepsOwn(p.tl, class, e) {
		return // this client has yet to simulate the tick
	}
	u := r.proxyUpdate(m, e)
	if here {
		then := s
		if e.FieldsTick != m.Tick && (e.FieldsTick == 0 || own || class.LOD == world.Extrapolate) {
			then = stateOf(p.tl, e.FieldsTick, m.Bundle) // the hooks of the object have run here since
		}
		switch owned := own && s.Objects[slot].Owner == e.Owner; {
		case owned && class.Independent:
			p.motion.updateFramed(p.tl, &p.displaced, r, &l.bundle(m.Bundle).Rules, ownEntity{m, e, class})
			return
		case owned && class.Moves != nil:
			p.motion.updateMoved(p.tl, &p.displaced, r, ownEntity{m, e, class}, s, slot, then)
			return
		}
		if r.refine(&u, m, e, s, slot, then, false) && !world.HoldDiffers(s, class, slot) {
			return
		}
		if own {
			p.displaced.adjustOwn(&l.bundle(s.Bundle).Rules, m.Tick, s, slot, p.tl.Scripts().SchemaOf(s), &u)
		}
	}
	p.tl.ApplyProxy(m.Tick, u)
}

// stateOf returns the state of a tick if it is in the history and of a bundle, else nil.
func stateOf(tl *timeline.Timeline, t world.Tick, bundle uint32) *world.State {
	if t <= tl.Oldest() {
		return nil
	}
	s := tl.At(t)
	if s == nil || s.Bundle != bundle || !tl.Scripts().Partial(s) {
		return nil
	}
	return s
}
