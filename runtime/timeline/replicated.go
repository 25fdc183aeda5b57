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
	Culled   bool           // this client simulated the object in complete ticks only, until that result came
}

// String says what differed, and where that came from.
func (r *Replicated) String() string {
	who := r.Class + " " + r.Object.String()
	switch {
	case r.Culled:
		return fmt.Sprintf("%s of %s was guessed, because it was culled, and differs in the host's result", r.Field, who)
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
// may have touched on the host. If there is none, the same is searched for the objects that it met, and for those that
// these met before. It fills in Replicated, and the steps of the path; nothing if there was none.
func (c *Causes) LocateReplicated(p *Provenance, id world.ObjectID) {
	_ = c.searchReplicated(p, id, 1, c.metReplicated) || c.searchReplicated(p, id, 1, c.nearReplicated) ||
		c.searchReplicated(p, id, mostMet, c.metReplicated) || c.searchReplicated(p, id, mostMet, c.nearReplicated)
}

// mostMet is for how many objects, of those that have met, one in snapshots is searched.
const mostMet = 16

// met is an object that another one touched, or that the other one's hooks read.
type met struct {
	step Through
	by   int // index of the other one; -1: none
}

// searchReplicated asks find, from tick p.Tick backwards, for the slot of an object that affected the one in a slot of a
// state: that with an id, and those that it has met, up to most of them. -1 is none. It reports whether there was one,
// which it makes the cause.
func (c *Causes) searchReplicated(
	p *Provenance,
	id world.ObjectID,
	most int,
	find func(s *world.State, slot int) (other int, kind world.ProvenanceKind),
) bool {
	oldest, _ := c.history.bounds()
	list := []met{{Through{Object: id}, -1}}
	for t := p.Tick; t > oldest && t+searchTicks > p.Tick; t-- {
		s := c.history.at(t)
		if _, here := s.Find(id); !here {
			break
		}
		for i := 0; i < len(list); i++ {
			slot, here := s.Find(list[i].step.Object)
			if !here {
				continue
			}
			if other, kind := find(s, slot); other >= 0 {
				c.blameReplicated(p, s, other, append(list, met{c.through(s, other, kind), i}))
				return true
			}
			list = c.appendMet(list, i, s, slot, most)
		}
	}
	return false
}

// appendMet appends the objects that the ith one, in a slot of s, touched in the tick of s, or that its hooks read. The
// list gets at most most objects.
func (c *Causes) appendMet(list []met, i int, s *world.State, slot, most int) []met {
	add := func(at int, kind world.ProvenanceKind) {
		body := c.scripts.classOf(s, at).Body
		if len(list) >= most || s.Body(at).Key != 0 && (body == nil || !body.Moves()) ||
			slices.ContainsFunc(list, func(m met) bool { return m.step.Object == s.Objects[at].ID }) {
			return
		}
		list = append(list, met{c.through(s, at, kind), i})
	}
	if most <= len(list) {
		return list
	}
	for _, at := range s.Touching(slot, nil) {
		add(int(at), world.FromTouch)
	}
	c.history.entry(s.Tick).Trace.ObjectsRead(int32(slot), func(id world.ObjectID) {
		if at, here := s.Find(id); here {
			add(at, world.FromRead)
		}
	})
	return list
}

// through returns the step of a path that comes from the object in a slot of s.
func (c *Causes) through(s *world.State, slot int, kind world.ProvenanceKind) Through {
	o := &s.Objects[slot]
	return Through{Kind: kind, Object: o.ID, Class: c.scripts.classOf(s, slot).Name, Owner: o.Owner, Tick: s.Tick}
}

// blameReplicated makes the object in a slot of s the cause, which is the last one of a list.
func (c *Causes) blameReplicated(p *Provenance, s *world.State, slot int, list []met) {
	o := &s.Objects[slot]
	p.Replicated = c.proxies.correcting(o.ID, s.Tick)
	p.Replicated.Object, p.Replicated.Class = o.ID, c.scripts.classOf(s, slot).Name
	p.Through = p.Through[:0]
	for i := len(list) - 1; list[i].by >= 0; i = list[i].by {
		p.Through = append(p.Through, list[i].step)
	}
	slices.Reverse(p.Through)
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

// replacedShared marks the end of tick t, with each object of which the shared set replaces something there in s, the
// history's state.
func (d *dirtySpans) replacedShared(t world.Tick, s *world.State, schema *world.Schema, with world.Committed) {
	var shared []Replicated
	s.EachReplaced(schema, with, func(o *world.Object, part string) {
		at, here := s.Find(o.ID)
		shared = append(shared, Replicated{
			Object: o.ID,
			Class:  schema.Classes[o.Class].Name,
			Field:  part,
			Culled: here && s.Objects[at].Culled,
		})
	})
	d.mark(dirtySpan{end: true, from: t, to: t, shared: shared, why: change{kind: CauseReplicated, tick: t}})
}

// end returns the cause by which an object differs at the end of tick t: what replaced the object itself there.
// Otherwise that has replaced others, one of which carries the object, or touches it, or does not any more: the nearest
// one. s is the state of the tick; nil: it is not kept.
func (c rerunCauses) end(id world.ObjectID, t world.Tick, s *world.State) (cause dirtySpan, ok bool) {
	least := math.Inf(1)
	for i := range c {
		if !c[i].end || c[i].from != t {
			continue
		}
		if !ok {
			cause, ok = c[i], true
			cause.replaced = Replicated{Object: id, Field: "state"} // something of it that has no name
		}
		c[i].eachReplaced(func(r Replicated) {
			far := -1.0
			if r.Object != id {
				far = apart(s, id, r.Object)
			}
			if far < least {
				cause, least = c[i], far
				cause.replaced = r
			}
		})
	}
	return cause, ok
}

// nameReplicated fills in the class of the object that was replaced at the beginning of a path.
func (c *Causes) nameReplicated(r *Replicated, t world.Tick) {
	_, now := c.history.bounds()
	for _, s := range [...]*world.State{c.history.at(t), c.history.at(now)} {
		if s == nil || r.Class != "" {
			continue
		}
		if slot, here := s.Find(r.Object); here {
			r.Class = c.scripts.classOf(s, slot).Name
		}
	}
}

// eachReplaced calls f for each object that was replaced at the end of the span.
func (s *dirtySpan) eachReplaced(f func(r Replicated)) {
	if s.replaced.Object != 0 {
		f(s.replaced)
	}
	for _, r := range s.shared {
		f(r)
	}
}

// apart returns the distance between two objects of a state; the largest number if it does not have both, or is nil.
func apart(s *world.State, a, b world.ObjectID) float64 {
	if s == nil {
		return math.MaxFloat64
	}
	i, here := s.Find(a)
	j, there := s.Find(b)
	if !here || !there {
		return math.MaxFloat64
	}
	p, q := s.Body(i), s.Body(j)
	return math.Hypot(p.X-q.X, p.Y-q.Y)
}
