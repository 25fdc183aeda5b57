package world

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/hindcast/hindcast/world/detmath"
)

// OpKind is a change that one object asks for on itself or on another object.
type OpKind uint8

// The changes a script can make. A, B, C are the Op's numbers.
const (
	SetWord             OpKind = iota // field word Field = Word
	SetText                           // string field Field = Text
	SetPosition                       // A, B metres
	SetVelocity                       // A, B m/s
	SetDirection                      // A radians
	SetAngularVelocity                // A rad/s
	SetForce                          // A, B newtons, until set again
	SetTorque                         // A newton metres, until set again
	SetDirectionalForce               // A radians, B newtons, until set again
	AddForce                          // A, B newtons, this tick only
	AddTorque                         // A newton metres, this tick only
	AddImpulse                        // A, B newton seconds at the centre
	AddAngularImpulse                 // A newton metre seconds
	SetOwner                          // Word: a PlayerID, from the end of the tick
	Remove                            // at the end of the tick; a joint stops pulling at once
	SetItem                           // item Item of list Field: see applyItem
	InsertItem                        // before item Item
	RemoveItem                        // item Item
	ClearItems                        // all items
	SetMotor                          // of a joint: A m/s or rad/s, B the maximum in N or N m; 0 switches it off
	SetLimits                         // of a joint: A, B metres, or radians of a hinge
	SetLength                         // of a joint: A metres
	SetSpring                         // of a joint: A Hz, 0 switches it off, B share of critical damping
	AttachTo                          // to Word at A, B in its frame, turned by C against it: World.Attach
	LetGo                             // from its holder: World.Detach
	wake                              // the body
)

// Op is one change of one object: an operation.
type Op struct {
	Target  ObjectID
	Kind    OpKind
	Item    int32   // of a list, from 1; 0: the one after the last, for RemoveItem the last
	Field   int     // index in the class's Fields
	A, B, C float64 // their meaning depends on Kind
	Word    uint64  // of a field
	Text    string  // of a String field
	actor   ObjectID
	seq     uint32
	unit    int32 // slot of the object whose outermost hook asked for it
}

// do carries out an operation that the acting object asks for: at once on itself, when the
// present order ends on another object. Numbers must be finite.
func (w *World) do(op Op) error {
	if !finite(op.A) || !finite(op.B) || !finite(op.C) {
		return fmt.Errorf("%v, %v: numbers must be finite", op.A, op.B)
	}
	if err := w.prepare(&op); err != nil {
		return err
	}
	if slot, ok := w.atOnce(op.Target); ok {
		return w.apply(slot, &op)
	}
	s, slot, ok := w.see(op.Target)
	if !ok {
		return ErrRemoved
	}
	if op.Kind == SetText {
		f := &w.schema.Classes[s.Objects[slot].Class].Fields[op.Field]
		if len(op.Text) > f.Cap {
			return fmt.Errorf("%s holds at most %d bytes, not %d", f.Name, f.Cap, len(op.Text))
		}
	}
	a := &w.deeds[w.actor]
	a.ops++
	op.actor, op.seq, op.unit = w.Now.Objects[w.actor].ID, a.ops, int32(w.unit)
	w.ops = append(w.ops, op)
	return nil
}

// atOnce returns the slot of an object that the acting object may change at once.
func (w *World) atOnce(id ObjectID) (slot int, ok bool) {
	if w.actor >= 0 && w.Now.Objects[w.actor].ID == id {
		return w.actor, true
	}
	slot, ok = w.Find(id)
	return slot, ok && w.mine(slot)
}

// prepare checks an operation on a joint, and asks for those that it entails.
func (w *World) prepare(op *Op) error {
	switch {
	case isJointOp(op.Kind):
		return w.checkJointOp(op)
	case op.Kind == Remove:
		return w.letGo(op.Target)
	}
	return nil
}

func finite(v float64) bool { return v-v == 0 }

// flush carries out the deferred operations, in an order that does not depend on the order
// in which objects ran.
func (w *World) flush() {
	w.log.endCheckpoints()
	slices.SortFunc(w.ops, func(a, b Op) int {
		if c := cmp.Compare(a.actor, b.actor); c != 0 {
			return c
		}
		return cmp.Compare(a.seq, b.seq)
	})
	for i := range w.ops {
		if slot, ok := w.Find(w.ops[i].Target); ok {
			_ = w.apply(slot, &w.ops[i]) // an operation on a body that does not exist has no effect
		}
	}
}

func (w *World) apply(slot int, op *Op) error {
	w.touch(slot)
	b := w.Now.Body(slot)
	switch op.Kind {
	case SetWord, SetText:
		return w.Class(slot).setField(w.Now.Row(slot), op)
	case SetItem, InsertItem, RemoveItem, ClearItems:
		return w.Class(slot).setList(w.Now.Row(slot), op)
	case SetOwner:
		w.give(slot, PlayerID(op.Word))
	case Remove:
		w.remove(slot)
	case SetMotor, SetLimits, SetLength, SetSpring, AttachTo, LetGo:
		w.applyToJoint(slot, op)
	default:
		if b.Key == 0 {
			return fmt.Errorf("class %s has no body", w.Class(slot).Name)
		}
		w.applyToBody(slot, op)
	}
	return nil
}

// remove marks an object for removal at the end of the tick. The game object stays.
func (w *World) remove(slot int) {
	if o := &w.Now.Objects[slot]; o.ID != GameID {
		o.Removed = true
		if w.isJoint(slot) {
			w.Now.Physics.DropJoint(uint64(o.ID))
		}
		w.removed = append(w.removed, int32(slot))
	}
}

// applyToBody carries out the operations that concern the body.
func (w *World) applyToBody(slot int, op *Op) {
	b, def := w.Now.Body(slot), &w.schema.Defs[w.Now.Body(slot).Def]
	switch op.Kind {
	case SetPosition:
		b.X, b.Y = op.A, op.B
	case SetVelocity:
		b.VX, b.VY = op.A, op.B
	case SetDirection:
		b.SetAngle(detmath.Wrap(op.A))
	case SetAngularVelocity:
		b.W = op.A
	case wake:
		b.Wake()
	case SetForce:
		b.FX, b.FY = op.A, op.B
	case SetTorque:
		b.Torque = op.A
	case SetDirectionalForce:
		s, c := detmath.Sincos(op.A)
		b.FX, b.FY = float64(op.B*c), float64(op.B*s)
	case AddForce:
		b.ApplyForce(op.A, op.B)
	case AddTorque:
		b.ApplyTorque(op.A)
	case AddImpulse:
		b.ApplyImpulse(def, op.A, op.B)
	case AddAngularImpulse:
		b.ApplyAngularImpulse(def, op.A)
	}
}

// by returns the slot of the object whose outermost hook asked for the operation.
func (op *Op) by() int32 { return op.unit }

// Number returns the value of a number word.
func (op *Op) Number() float64 { return math.Float64frombits(op.Word) }
