package world

import (
	"math"

	"github.com/hindcast/hindcast/world/physics"
)

// The aux fields that a class with a Carried body has besides its own: by what an object was attached last, where
// in the holder's frame, and at which angle to it. Joints are in no snapshot. So a client that does
// not simulate an object, or its holder, knows from these fields that it is carried. They cost next to nothing
// in classes whose objects nothing carries.
const (
	heldBy = iota
	heldX
	heldY
	heldTurn
	heldWords
)

func (b *BodySpec) carried() bool { return b != nil && b.Carried }

// heldFields returns these fields.
func heldFields() []Field {
	fields := []Field{{Name: "held by", Kind: Ref, Aux: true}}
	for _, name := range [...]string{"held x", "held y", "held turn"} {
		fields = append(fields, Field{Name: name, Kind: Number, Aux: true, Show: ShowStep})
	}
	return fields
}

// held returns these fields of the row of an object with a Carried body.
func held(c *Class, row Row) []uint64 {
	at := c.Fields[len(c.Declared())].Offset
	return row.Aux[at : at+heldWords]
}

// Hold is how a holder carries an object: the object's position and angle in the holder's frame.
type Hold struct {
	Holder ObjectID // 0: nothing carries it
	physics.Pose
}

// HoldOf returns by what an object of a class is carried, from its row. The holder may have been
// removed since.
func HoldOf(c *Class, row Row) (h Hold) {
	if !row.Known() || !c.Body.carried() {
		return h
	}
	words := held(c, row)
	h.Holder = ObjectID(words[heldBy])
	h.X, h.Y = math.Float64frombits(words[heldX]), math.Float64frombits(words[heldY])
	h.Angle = math.Float64frombits(words[heldTurn])
	return h
}

// At returns where the object is drawn whose holder is drawn at a pose.
func (h *Hold) At(holder physics.Pose) physics.Pose {
	at := holder.ToWorld(physics.Vec{X: h.X, Y: h.Y})
	return physics.Pose{X: at.X, Y: at.Y, Angle: holder.Angle + h.Angle}
}

// joint returns the weld that makes the holder carry an object.
func (h *Hold) joint(id ObjectID) physics.Joint { return holding(id, h.Holder, h.X, h.Y, h.Angle) }

// keepHold writes into an object's fields by what it is carried from now on.
func (w *World) keepHold(slot int, h Hold) {
	c := w.Class(slot)
	if !c.Body.carried() {
		return
	}
	row := w.editRow(slot)
	words := held(c, row)
	words[heldBy] = uint64(h.Holder)
	words[heldX], words[heldY], words[heldTurn] = NumberBits(h.X), NumberBits(h.Y), NumberBits(h.Angle)
	w.Now.Rows.putAux(slot, c, row.Aux)
}

// regainHold writes into an object's fields by what it is carried, after a switch to scripts in which
// its body is Carried. It may not have been so in those before, and the joint stayed meanwhile.
func (w *World) regainHold(slot int) {
	if !w.Class(slot).Body.carried() {
		return
	}
	if j, tied := w.Now.joint(w.Now.Objects[slot].ID); tied && !j.Gone() {
		w.keepHold(slot, Hold{ObjectID(j.KeyA), physics.Pose{X: j.AnchorA.X, Y: j.AnchorA.Y, Angle: j.Angle}})
	}
}

// HoldDiffers reports whether the joint of an object is not the one that its fields ask for, because
// both came at different times to a client that simulates only one of the object and its holder.
func HoldDiffers(s *State, c *Class, slot int) bool {
	_, differs := differingHold(s, c, slot)
	return differs
}

// differingHold is HoldDiffers, with the hold that the fields ask for. A holder that is not here carries nothing.
func differingHold(s *State, c *Class, slot int) (h Hold, differs bool) {
	if !c.Body.carried() {
		return h, false
	}
	id := s.Objects[slot].ID
	if h = HoldOf(c, s.Row(slot)); h.Holder != 0 {
		if at, here := s.Find(h.Holder); !here || s.Body(at).Key == 0 {
			h = Hold{}
		}
	}
	want := h.joint(id)
	switch j, tied := s.joint(id); {
	case !tied:
		return h, h.Holder != 0
	case j.Gone():
		return h, false // it ends in the next physics step
	default:
		return h, j.KeyA != want.KeyA || j.AnchorA != want.AnchorA || j.Angle != want.Angle
	}
}

// follow attaches an object to the holder that its fields name, or detaches it, after its fields
// were received.
func (w *World) follow(slot int) {
	h, differs := differingHold(w.Now, w.Class(slot), slot)
	if !differs {
		return
	}
	id := w.Now.Objects[slot].ID
	w.Now.Physics.DropJoint(uint64(id))
	if h.Holder != 0 {
		w.Now.Body(slot).Def = w.Class(slot).DefIndex() // a joint needs a body that moves, which a proxy's does not
		if j := h.joint(id); w.resolveNow(&j) == nil {
			w.Now.Physics.PutJoint(j)
		}
	}
	w.setDef(slot)
}
