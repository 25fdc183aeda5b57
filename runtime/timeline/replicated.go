package timeline

import (
	"fmt"
	"math"
	"slices"

	"github.com/hindcast/hindcast/world"
)

// Replicated is what a client learnt of an object without simulating it: a snapshot, or the host's
// result, had other values than the client.
type Replicated struct {
	Object   world.ObjectID // 0: it is not known which one
	Class    string         // of the object
	Field    string         // the first that differed, as ProxyUpdate.DifferingField of package world names it
	Snapshot world.Tick     // the tick of the snapshot; 0: the host's result came with the log
}

// String says what differed, and where that came from.
func (r *Replicated) String() string {
	who := r.Class + " " + r.Object.String()
	switch {
	case r.Snapshot == 0:
		return fmt.Sprintf(
			"%s of %s differs in the host's result, which has the effects of objects that this "+
				"client does not simulate",
			r.Field,
			who,
		)
	case r.Field == world.Presence:
		return fmt.Sprintf("%s is in the snapshot of tick %d and was not here, or is missing there", who, r.Snapshot)
	}
	return fmt.Sprintf("%s of %s differs in the snapshot of tick %d", r.Field, who, r.Snapshot)
}

// describe returns what the history has that a proxy update of tick t replaces. Without
// Options.Provenance it knows the tick only.
func (tl *Timeline) describe(t world.Tick, u *world.ProxyUpdate) Replicated {
	r := Replicated{Object: u.Object, Snapshot: t}
	s := tl.At(t)
	if s == nil || !tl.part.Provenance().Tracks() {
		return r
	}
	schema := tl.scripts.SchemaOf(s)
	slot, here := s.Find(u.Object)
	if r.Field = u.DifferingField(s, schema); here {
		r.Class = schema.Classes[s.Objects[slot].Class].Name
	} else if !u.Gone && !u.Freeze && int(u.Class) < len(schema.Classes) {
		r.Class = schema.Classes[u.Class].Name
	}
	return r
}

const (
	searchTicks = 64 // how many ticks before a wrong claim are searched for an object that was not simulated
	missedBy    = 1  // metres between two bodies that may touch on the host
)

// LocateReplicated finds the object in snapshots that made an object come out wrong in tick p.Tick on
// this client: the last one that it touched, or that its hooks read, otherwise the nearest one that it
// may have touched on the host. It fills in Replicated, and the step of the path; nothing if there was
// none.
func (c *Causes) LocateReplicated(p *Provenance, id world.ObjectID) {
	if !c.searchReplicated(p, id, c.metReplicated) {
		c.searchReplicated(p, id, c.nearReplicated)
	}
}

// searchReplicated asks find, from tick p.Tick backwards, for the slot of an object that affected the one
// in a slot of a state; -1 is none. It reports whether there was one, which it makes the cause.
func (c *Causes) searchReplicated(
	p *Provenance,
	id world.ObjectID,
	find func(s *world.State, slot int) (other int, kind world.ProvenanceKind),
) bool {
	oldest, _ := c.history.bounds()
	for t := p.Tick; t > oldest && t+searchTicks > p.Tick; t-- {
		s := c.history.at(t)
		slot, ok := s.Find(id)
		if !ok {
			break
		}
		if other, kind := find(s, slot); other >= 0 {
			c.blameReplicated(p, s, other, kind)
			return true
		}
	}
	return false
}

// blameReplicated makes the object in a slot of s the cause.
func (c *Causes) blameReplicated(p *Provenance, s *world.State, slot int, kind world.ProvenanceKind) {
	o, class := &s.Objects[slot], c.scripts.classOf(s, slot).Name
	p.Replicated = c.proxies.correcting(o.ID, s.Tick)
	p.Replicated.Object, p.Replicated.Class = o.ID, class
	p.Through = []Through{{Kind: kind, Object: o.ID, Class: class, Owner: o.Owner, Tick: s.Tick}}
}

// metReplicated returns the slot of an object that is not in the shared set and that the object in a
// slot touched in the tick of s, or that its hooks read; -1 if there is none.
func (c *Causes) metReplicated(s *world.State, slot int) (other int, kind world.ProvenanceKind) {
	schema := c.scripts.SchemaOf(s)
	for _, at := range s.Touching(slot, nil) {
		if int(at) != slot && !s.Shared(schema, int(at)) {
			return int(at), world.FromTouch
		}
	}
	other = -1
	c.history.entry(s.Tick).Trace.ObjectsRead(int32(slot), func(id world.ObjectID) {
		if at, ok := s.Find(id); ok && at != slot && other < 0 && !s.Shared(schema, at) {
			other = at
		}
	})
	return other, world.FromRead
}

// nearReplicated returns the slot of the nearest body that is not in the shared set and that the body in
// a slot may have touched on the host; -1 if there is none.
func (c *Causes) nearReplicated(s *world.State, slot int) (nearest int, kind world.ProvenanceKind) {
	schema, b, least := c.scripts.SchemaOf(s), s.Body(slot), float64(missedBy)
	nearest = -1
	for _, at := range s.Run {
		o := s.Body(int(at))
		if o.Key == 0 || b.Key == 0 || s.Shared(schema, int(at)) || schema.Defs[o.Def].Sensor {
			continue
		}
		gap := math.Hypot(o.X-b.X, o.Y-b.Y) - schema.Defs[o.Def].Reach() - schema.Defs[b.Def].Reach()
		if gap < least {
			nearest, least = int(at), gap
		}
	}
	return nearest, world.FromMiss
}

// correcting returns the first update of a proxy that came for a tick after t; the last one before if
// there is none.
func (p *proxyUpdates) correcting(id world.ObjectID, t world.Tick) (r Replicated) {
	for i := range p.list {
		if u := &p.list[i]; u.at.Object == id {
			if r = u.replaced; u.tick >= t {
				return r
			}
		}
	}
	return r
}

// maxReplaced is how many objects of the host's result a Rewind can name.
const maxReplaced = 8

// replacedShared marks the end of tick t for each object whose values differ between the history and the
// shared set that replaces them there.
func (d *dirtySpans) replacedShared(t world.Tick, s, shared *world.State, schema *world.Schema) {
	d.end(t, Replicated{})
	n := 0
	for _, slot := range shared.Run {
		o := &shared.Objects[slot]
		b := shared.Body(int(slot))
		if at, here := s.Find(o.ID); here && s.Objects[at].Culled {
			continue
		}
		u := world.ProxyUpdate{
			Object:   o.ID,
			Class:    o.Class,
			Owner:    o.Owner,
			Pose:     b.Pose,
			Velocity: b.Velocity,
			Fields:   shared.Row(int(slot)),
		}
		if field := u.DifferingField(s, schema); field != "" && n < maxReplaced {
			n++
			d.end(t, Replicated{Object: o.ID, Class: schema.Classes[o.Class].Name, Field: field})
		}
	}
	if n > 0 {
		return
	}
	if slot, what := s.DifferingTie(shared); what != "" {
		o := &shared.Objects[slot]
		d.end(t, Replicated{Object: o.ID, Class: schema.Classes[o.Class].Name, Field: what})
	}
}

// end returns the cause by which an object differs at the end of a tick: what replaced it there.
func (c rerunCauses) end(first *world.ProvenanceStep) (s *dirtySpan, ok bool) {
	i := slices.IndexFunc(c, func(s dirtySpan) bool {
		return s.end && s.from == first.Tick && s.replaced.Object == first.Object
	})
	if i < 0 {
		return nil, false
	}
	return &c[i], true
}

// endOfOthers returns what replaced other objects at the end of a tick: one that carries the object, or does not any
// more.
func (c rerunCauses) endOfOthers(t world.Tick) (s *dirtySpan, ok bool) {
	i := slices.IndexFunc(c, func(s dirtySpan) bool { return s.end && s.from == t && s.replaced.Object != 0 })
	if i < 0 {
		return nil, false
	}
	return &c[i], true
}
