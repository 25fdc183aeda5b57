package world

import "github.com/hindcast/hindcast/world/physics"

// asSeen holds the bodies as the client of the acting object's player showed them.
type asSeen struct {
	moved  bool // some bodies are at other poses than in the tick
	bodies physics.State
	hidden SlotSet // objects that did not exist then
	made   asSeenKey
}

// asSeenKey is the moment and the acting object for which bodies and hidden were made.
type asSeenKey struct {
	at    ViewTime
	actor int
	order uint64
}

// hides reports whether an object did not exist at the shown moment.
func (a *asSeen) hides(slot int32) bool { return a.moved && a.hidden.Has(slot) }

// state returns the bodies at the shown moment; on is false if that is the present.
func (a *asSeen) state() (s *physics.State, on bool) { return &a.bodies, a.moved }

// end goes back to the present.
func (a *asSeen) end() { a.moved = false }

// begin reports whether the bodies have to be made for a key.
func (a *asSeen) begin(k asSeenKey) bool {
	made := a.made == k
	a.made = k
	return !made
}

// on turns on the use of the bodies.
func (a *asSeen) on() { a.moved = true }

// reset starts with the bodies of s.
func (a *asSeen) reset(s *physics.State) {
	a.hidden.reset()
	a.bodies.Bodies = append(a.bodies.Bodies[:0], s.Bodies...)
}

// body returns the body of a slot; nil if the object was spawned since reset.
func (a *asSeen) body(slot int) *physics.Body {
	if slot >= len(a.bodies.Bodies) {
		return nil
	}
	return &a.bodies.Bodies[slot]
}

// hide hides the object of a slot, because it did not exist.
func (a *asSeen) hide(slot int32) {
	a.bodies.Bodies[slot] = physics.Body{}
	a.hidden.add(slot)
}

// beginSeen makes the acting object see others, until endSeen, where its player's
// client showed them: objects of classes with Seen, at a moment before the tick. Only
// queries and poses are affected; velocities and fields are those of the tick. The
// object itself and objects attached to it stay where they are. An object that did not
// exist then is hidden.
func (w *World) beginSeen(in ViewTime) {
	w.asSeen.end()
	t, part, ok := in.Around(w.Now.Tick)
	if !ok || !w.schema.HasSeen() || w.PosesAt == nil {
		return
	}
	w.readPast(t)
	to, known := w.PosesAt(t)
	if !known {
		return
	}
	from, _ := w.PosesAt(t - 1)
	if w.asSeen.begin(asSeenKey{in, w.actor, w.log.number()}) {
		w.lookBack(in, t, part, &from, &to)
	}
	w.asSeen.on()
}

// endSeen makes the acting object see the world as it is again.
func (w *World) endSeen() { w.asSeen.end() }

// lookBack makes the bodies as they were at a part of the time between the ticks t-1
// and t.
func (w *World) lookBack(in ViewTime, t Tick, part int64, from, to *PastPoses) {
	a := &w.asSeen
	a.reset(w.bodies())
	for _, slot := range w.Now.ByID {
		b := a.body(int(slot))
		if b == nil {
			continue // spawned in this order
		}
		o := &w.Now.Objects[slot]
		if b.Key == 0 || int(slot) == w.actor || !in.shows(&w.schema.Classes[o.Class]) || w.holds(w.actor, slot) {
			continue
		}
		end, there := to.of(o.ID, slot)
		switch {
		case there:
			begin, before := from.of(o.ID, slot)
			putBetween(b, begin, before, end, part)
		case o.Spawned > t:
			a.hide(slot)
		}
	}
}

// putBetween puts a body where it was at the part between two ticks. before says that it
// existed in the first one.
func putBetween(b *physics.Body, begin PastPose, before bool, end PastPose, part int64) {
	if !before {
		begin = end
	}
	begin.put(b, end, part)
}

// shows reports whether a client shows objects of a class at a different time than that
// of its player's inputs.
func (v ViewTime) shows(c *Class) bool { return c.Seen && (v.All || c.LOD == Interpolate) }

// holds reports whether the object in slot is attached to the one in holder, as
// the latter sees it.
func (w *World) holds(holder int, slot int32) bool {
	if holder < 0 || len(w.Now.Physics.Joints) == 0 && w.log.unchanged() {
		return false
	}
	j, ok := w.seeJoint(w.Now.Objects[slot].ID)
	return ok && ObjectID(j.KeyA) == w.Now.Objects[holder].ID
}

// shown returns the body of another object as it is seen; b is the body that see
// returns.
func (w *World) shown(id ObjectID, b *physics.Body) *physics.Body {
	if !w.asSeen.moved {
		return b
	}
	slot, ok := w.Find(id)
	if !ok || w.mine(slot) {
		return b
	}
	if shown := w.asSeen.body(slot); shown != nil {
		return shown
	}
	return b
}

// read records a read of the acting object's hook.
func (w *World) read(r read) {
	if w.OnRead != nil {
		w.OnRead(r.ID)
	}
	if w.unit >= 0 {
		r.Unit = int32(w.unit)
		w.rec.read(r)
	}
}

// readObject records that the hook read an object, or looked for it.
func (w *World) readObject(id ObjectID, slot int, ok bool) {
	if !ok {
		slot = -1
	}
	w.read(read{Kind: readObject, Slot: int32(slot), ID: id})
}

// readRegion records that the hook queried the bodies in a region.
func (w *World) readRegion(r region) { w.read(read{Kind: readRegion, Box: r}) }

// readPast records that the hook read the poses after t-1 and t.
func (w *World) readPast(t Tick) {
	if w.unit >= 0 {
		w.rec.readPast(pastRead{int32(w.unit), t})
	}
}
