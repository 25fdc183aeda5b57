package world

import "github.com/hindcast/hindcast/world/physics"

// asSeen is the world as the screen of the acting object's player showed it.
type asSeen struct {
	on      bool
	moved   bool // some bodies stand elsewhere than at the tick
	bodies  physics.State
	hidden  slotSet  // who was not there
	seen    ViewTime // what bodies and hidden were made for ...
	actor   int
	builtIn uint64 // ... in this order
}

// BeginSeen has the acting object see the others, until EndSeen, where its
// player's screen showed them: those of classes with Seen, at a moment before
// the tick. All that moves bodies or looks at more than places is as ever: speeds and
// fields are those of the tick. The object itself stays where it is, and so does
// what is attached to it; who was not there yet is not there.
func (w *World) BeginSeen(in ViewTime) {
	a := &w.asSeen
	a.on, a.moved = true, false
	f, part, ok := in.Around(w.Now.Tick)
	if !ok || !w.schema.seen || w.PosesAt == nil {
		return
	}
	w.noteLook(f)
	to, known := w.PosesAt(f)
	if !known {
		return
	}
	from, _ := w.PosesAt(f - 1)
	if a.builtIn != w.order || a.actor != w.actor || a.seen != in {
		a.builtIn, a.actor, a.seen = w.order, w.actor, in
		w.lookBack(f, part, &from, &to)
	}
	a.moved = true
}

// EndSeen has the acting object see the world as it is again.
func (w *World) EndSeen() { w.asSeen.on, w.asSeen.moved = false, false }

// lookBack makes bodies as they stood at the part between two frames, f being
// the later one.
func (w *World) lookBack(f Tick, part int64, from, to *PastPoses) {
	a := &w.asSeen
	a.hidden.reset()
	a.bodies.Bodies = append(a.bodies.Bodies[:0], w.bodies().Bodies...)
	for _, slot := range w.Now.byID {
		if int(slot) >= len(a.bodies.Bodies) {
			continue // spawned in this order
		}
		o, b := &w.Now.Objects[slot], &a.bodies.Bodies[slot]
		if b.Key == 0 || int(slot) == w.actor || !a.seen.shows(&w.schema.Classes[o.Class]) || w.holds(w.actor, slot) {
			continue
		}
		end, there := to.of(o.ID, slot)
		switch {
		case there:
			begin, before := from.of(o.ID, slot)
			if !before {
				begin = end
			}
			begin.put(b, end, part)
		case o.Spawned > f:
			*b = physics.Body{}
			a.hidden.add(slot)
		}
	}
}

// shows reports whether a screen shows objects of a class at another moment
// than that of its player's inputs.
func (v ViewTime) shows(c *Class) bool { return c.Seen && (v.All || c.LOD == Interpolate) }

// holds reports whether the object in slot is attached to the one in holder, as
// the latter sees it.
func (w *World) holds(holder int, slot int32) bool {
	if holder < 0 || len(w.Now.Physics.Joints) == 0 && len(w.undo.slots) == w.first {
		return false
	}
	j, ok := w.SeeJoint(w.Now.Objects[slot].ID)
	return ok && ObjectID(j.KeyA) == w.Now.Objects[holder].ID
}

// hides reports whether an object was not there at the moment that is looked at.
func (w *World) hides(slot int32) bool { return w.asSeen.moved && w.asSeen.hidden.has(slot) }

// Shown is where another object's body stands, b being what See gives of it.
func (w *World) Shown(id ObjectID, b *physics.Body) *physics.Body {
	slot, ok := w.Find(id)
	if !ok || !w.asSeen.moved || w.mine(slot) || slot >= len(w.asSeen.bodies.Bodies) {
		return b
	}
	return &w.asSeen.bodies.Bodies[slot]
}

// look is that a hook of the object in slot unit looked at the frames f-1 and f.
type look struct {
	unit int32
	f    Tick
}

const lookSize = 8

func (w *World) noteLook(f Tick) {
	if w.unit < 0 {
		return
	}
	looks := &w.notes.looks
	if w.block < 0 && w.trace != nil {
		looks = &w.trace.looks
	}
	l := look{int32(w.unit), f}
	if n := len(*looks); n == 0 || (*looks)[n-1] != l {
		*looks = append(*looks, l)
	}
}
