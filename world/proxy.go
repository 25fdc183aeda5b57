package world

import "github.com/hindcast/hindcast/world/physics"

// ProxyUpdate is the received state of an object that a client does not simulate, or of
// its own object of such a class, at the end of a tick. It replaces the state of the
// client's world there.
type ProxyUpdate struct {
	Object ObjectID
	Bundle uint32 // Class belongs to it
	Class  uint16 // index in the Classes of that bundle's Schema
	Owner  PlayerID
	physics.Pose
	physics.Velocity
	Fields Row  // without fields if they are not known: an object that exists keeps its own
	Gone   bool // the object does not exist
	Freeze bool // the object stops; nothing else is known
	Culled bool // all clients simulate the object, and this one does so in complete ticks only
}

// ApplyProxy applies an update at the end of the tick.
func (w *World) ApplyProxy(p *ProxyUpdate) {
	slot, here := w.Find(p.Object)
	switch {
	case p.Freeze:
		if here && w.Proxy(slot) != Predict {
			w.rec.end().update(w.Now, slot)
			w.Now.Body(slot).Velocity = physics.Velocity{}
		}
	case p.Gone:
		if here {
			w.rec.end().update(w.Now, slot)
			w.rec.end().updateRemoves(w.Now, slot)
			w.takeOut(slot)
		}
	case p.Bundle == w.Now.Bundle:
		w.placeProxy(p)
	}
}

// placeProxy gives an object the values of an update. If the object does not exist, it
// creates it.
func (w *World) placeProxy(p *ProxyUpdate) {
	slot := w.slots.take(p.Object)
	w.Now.grow(slot + 1)
	w.growActing()
	w.rec.end().update(w.Now, slot)
	w.endOther(slot, p.Class, w.rec.end())
	o, class := w.Now.Objects[slot], &w.Schema().Classes[p.Class]
	known := p.Fields.Known()
	if o.ID == 0 || o.Class != p.Class {
		known = true // there are none to keep
		o = Object{ID: p.Object, Spawned: w.Now.Tick, Order: class.Order, Class: p.Class}
	}
	o.Owner, o.Removed, o.Culled = p.Owner, false, p.Culled
	w.Now.set(slot, o)
	if known {
		w.Now.Rows.put(slot, class, p.Fields)
	}
	def := BodyDef(w.Schema(), class, w.Now.Row(slot))
	if w.Schema().Defs[def].Type == physics.None {
		return
	}
	b := w.Now.Body(slot)
	if b.Key == 0 {
		*b = physics.Body{Key: uint64(p.Object), Def: def}
	}
	b.Pose, b.Velocity = p.Pose, p.Velocity
	b.SetAngle(p.Angle)
	w.setDef(slot)
	w.follow(slot)
}

// endOther ends what another object that the slot holds has besides its fields, before one of a class takes its place.
// Both have the same id if a hook made something else here than on the host. rec records a removed body.
func (w *World) endOther(slot int, class uint16, rec *endTrace) {
	o := &w.Now.Objects[slot]
	if o.ID == 0 || o.Class == class {
		return
	}
	w.Now.Physics.DropJoint(uint64(o.ID))
	if w.Now.Body(slot).Key != 0 && w.Schema().Classes[class].Body == nil {
		rec.updateRemoves(w.Now, slot)
		w.Now.Physics.Remove(slot)
	}
}

// takeOut removes an object. If the object stands for a joint, it removes the joint as
// well.
func (w *World) takeOut(slot int) {
	if w.isJoint(slot) {
		w.Now.Physics.DropJoint(uint64(w.Now.Objects[slot].ID))
	}
	w.Now.drop(slot)
}
