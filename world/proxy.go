package world

import "github.com/hindcast/hindcast/world/physics"

// ProxyUpdate is what a client has been told of an object that it does not simulate, or
// its own of such a class: how the object was at the end of a tick. It is put in the place of what
// the client's world has there.
type ProxyUpdate struct {
	Object ObjectID
	Bundle uint32 // whose Class it is
	Class  uint16
	Owner  PlayerID
	physics.Pose
	physics.Velocity
	Fields []uint64 // of its row
	Gone   bool     // it is not there
	Freeze bool     // no more than: it has stopped
}

// ApplyProxy puts an object where it was told to be, at the end of the tick.
func (w *World) ApplyProxy(p *ProxyUpdate) {
	slot, here := w.Find(p.Object)
	switch {
	case p.Freeze:
		if here && w.Proxy(slot) != Predict {
			w.toPut(slot)
			b := w.Now.Body(slot)
			b.Velocity = physics.Velocity{}
		}
	case p.Gone:
		if here {
			w.toPut(slot)
			if w.trace != nil {
				w.trace.updateRemovals.take(w.Now, slot)
			}
			w.takeOut(slot)
		}
	case p.Bundle == w.Now.Bundle:
		w.putThere(p)
	}
}

func (w *World) putThere(p *ProxyUpdate) {
	slot := w.slots.take(p.Object)
	w.Now.grow(slot + 1)
	w.growActing()
	w.toPut(slot)
	o, class := w.Now.Objects[slot], &w.schema.Classes[p.Class]
	if o.ID == 0 || o.Class != p.Class {
		o = Object{ID: p.Object, Spawned: w.Now.Tick, Order: class.Order, Class: p.Class}
	}
	o.Owner, o.Removed = p.Owner, false
	w.Now.set(slot, o)
	row := w.Now.Row(slot)
	clear(row[copy(row, p.Fields):])
	if class.Body == nil {
		return
	}
	b := w.Now.Body(slot)
	if b.Key == 0 {
		*b = physics.Body{Key: uint64(p.Object), Def: class.def}
	}
	b.Pose, b.Velocity = p.Pose, p.Velocity
	b.SetAngle(p.Angle)
	w.setDef(slot)
}

// takeOut takes an object out of the world, its joint too if it stands for one.
func (w *World) takeOut(slot int) {
	if w.IsJoint(slot) {
		w.Now.Physics.DropJoint(uint64(w.Now.Objects[slot].ID))
	}
	w.Now.drop(slot)
}

// toPut keeps what a slot is like before Put changes it.
func (w *World) toPut(slot int) {
	if w.trace != nil {
		w.trace.updates.take(w.Now, slot, deeds{})
	}
}

// Reopen goes back to the end of a tick of the history of which nothing else is
// to be run again, for Put.
func (p *PartialRerun) Reopen(tick *HistoryEntry, schema *Schema) {
	p.tick = tick
	p.w.Enter(&tick.State, &tick.Trace, schema)
	p.takeBackPuts()
	p.ran.reset()
	p.Solved, p.Whole = 0, false
}

// takeBackPuts takes back what was put at the end of the tick.
func (p *PartialRerun) takeBackPuts() {
	t := p.tick
	p.formerUpdates.reset(t.State.Stride)
	for _, slot := range t.Trace.updates.slots {
		p.formerUpdates.take(&t.State, int(slot), deeds{})
	}
	t.Trace.updateRemovals.comeBack(&t.State)
	t.Trace.updates.putBack(&t.State, 0)
	p.formerUpdateRemovals, t.Trace.updateRemovals = t.Trace.updateRemovals, p.formerUpdateRemovals
	t.Trace.resetPut(t.State.Stride)
}

// ApplyProxies puts objects where they were told to be at the end of the tick, all that
// there are of that tick, and finds who differs from the history.
func (p *PartialRerun) ApplyProxies(places []ProxyUpdate) {
	w, n := p.w, len(p.dirty.list)
	for i := range places {
		w.ApplyProxy(&places[i])
	}
	put := &w.trace.updates
	for i, slot := range p.formerUpdates.slots {
		p.judgePut(slot, &p.formerUpdates, i)
	}
	for i, slot := range put.slots {
		if !p.dirty.has(slot) {
			p.judgePut(slot, put, i)
		} else if differentShape(&put.at.Objects[i], &w.Now.Objects[slot]) {
			p.shape.add(slot)
		}
	}
	p.formerUpdateRemovals.without(&w.trace.updateRemovals, p.tellNeighbour, w.slots.find)
	w.trace.updateRemovals.without(&p.formerUpdateRemovals, p.tellNeighbour, w.slots.find)
	p.formerUpdates.reset(w.Now.Stride)
	p.formerUpdateRemovals.reset()
	p.spreadToJoints()
	p.whyPut(n)
}

// whyPut notes of the dirty ones from the nth on that they differ because of what was put in.
func (p *PartialRerun) whyPut(n int) {
	if p.provenance != nil {
		for _, slot := range p.dirty.list[n:] {
			p.addStep(slot, FromEvent, -1)
		}
	}
	p.noteSeen()
}

// judgePut marks a slot that differs from entry i of then, which the history has.
func (p *PartialRerun) judgePut(slot int32, then *undoLog, i int) {
	if p.dirty.has(slot) || !then.same(i, p.w.Now, int(slot), deeds{}) {
		p.spoil(slot, &then.at.Objects[i], &then.at.Physics.Bodies[i])
	}
}
