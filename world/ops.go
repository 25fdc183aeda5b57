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
	AddWord                           // number field Field = its value when this takes effect + Number
	MultiplyWord                      // number field Field = its value when this takes effect * Number
	DivideWord                        // number field Field = its value when this takes effect / Number
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
	SetItem                           // item Item of list Field: see setList
	InsertItem                        // before item Item
	RemoveItem                        // item Item
	ClearItems                        // all items
	SetMotor                          // of a joint: A m/s or rad/s, B the maximum in N or N m; 0 switches it off
	SetLimits                         // of a joint: A, B metres, or radians of a hinge
	SetLength                         // of a joint: A metres
	SetSpring                         // of a joint: A Hz, 0 switches it off, B share of critical damping
	AttachTo                          // to Word at A, B in its frame, turned by C against it: Actor.Attach
	LetGo                             // from its holder: Actor.Detach
	wake                              // the body
	carries                           // Word, from this order on, A = 1: no more; see unring
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
		f := &w.Schema().Classes[s.Objects[slot].Class].Fields[op.Field]
		if len(op.Text) > f.Cap {
			return fmt.Errorf("%s holds at most %d bytes, not %d", f.Name, f.Cap, len(op.Text))
		}
	}
	w.acting.number(&op, w.actorID())
	w.ops.add(&op)
	return nil
}

// asks returns the last operation of a kind on an object that the acting object has asked for since its order began,
// and of which fits is true.
func (w *World) asks(on ObjectID, kind OpKind, fits func(Op) bool) (op Op, found bool) {
	w.eachOwnOp(func(o *Op) bool {
		if o.Target == on && o.Kind == kind && fits(*o) {
			op, found = *o, true
		}
		return !found
	})
	return op, found
}

// eachOwnOp calls f with the operations that the acting object has asked for since its order began, if asksAgain says
// that it can ask about them, the last one first, until f returns false. Each is work.
func (w *World) eachOwnOp(f func(op *Op) bool) {
	for i := w.ops.lastOf(w.actorID()); i >= 0; i = w.ops.before[i] {
		w.lookup.work++
		if !f(&w.ops.list[i]) {
			return
		}
	}
}

// handsOver returns the objects whose owner the acting object has asked to change since its order began, by id. Those
// that it may change at once are not among them.
func (w *World) handsOver() (ids []ObjectID) {
	w.eachOwnOp(func(op *Op) bool {
		if op.Kind == SetOwner {
			ids = append(ids, op.Target)
		}
		return true
	})
	slices.Sort(ids)
	return ids
}

// atOnce returns the slot of an object that the acting object may change at once.
func (w *World) atOnce(id ObjectID) (slot int, ok bool) {
	if actor := w.acting.slot(); actor >= 0 && w.Now.Objects[actor].ID == id {
		return actor, true
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
	w.ops.sort()
	ops := w.ops.all()
	for i := range ops {
		if slot, ok := w.Find(ops[i].Target); ok && ops[i].Kind != carries {
			_ = w.apply(slot, &ops[i]) // an operation on a body that does not exist has no effect
		}
	}
	for i := range ops {
		if slot, ok := w.Find(ops[i].Target); ok && ops[i].Kind == carries {
			w.unring(slot, &ops[i], ops[i+1:])
		}
	}
}

func (w *World) apply(slot int, op *Op) error {
	w.touch(slot)
	b := w.Now.Body(slot)
	switch {
	case op.OfField(), op.OfList():
		return w.applyToFields(slot, op)
	}
	switch op.Kind {
	case SetOwner:
		if !w.holdsState(slot) {
			w.give(slot, PlayerID(op.Word))
		}
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

// applyToFields carries out the operations that concern fields.
func (w *World) applyToFields(slot int, op *Op) error {
	c := w.Class(slot)
	if !c.Fields[op.Field].Aux {
		return c.setField(w.Now.Row(slot), op)
	}
	row := w.editRow(slot)
	err := c.setField(row, op)
	w.Now.Rows.putAux(slot, c, row.Aux)
	return err
}

// remove marks an object for removal at the end of the tick. Objects that hold state stay.
func (w *World) remove(slot int) {
	if !w.holdsState(slot) {
		w.dismiss(slot)
	}
}

// dismiss marks an object for removal at the end of the tick, of whatever class it is.
func (w *World) dismiss(slot int) {
	o := &w.Now.Objects[slot]
	o.Removed = true
	if w.isJoint(slot) {
		w.Now.Physics.DropJoint(uint64(o.ID))
	}
	w.ending.remove(slot)
}

// applyToBody carries out the operations that concern the body.
func (w *World) applyToBody(slot int, op *Op) {
	b, def := w.Now.Body(slot), &w.Schema().Defs[w.Now.Body(slot).Def]
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

// number sets who asks for the operation: the acting object, of whose operations it is number seq, within a hook
// of the object in slot unit.
func (op *Op) number(actor ObjectID, seq uint32, unit int32) {
	op.actor, op.seq, op.unit = actor, seq, unit
}

// compareOps compares operations by (acting object, sequence).
func compareOps(a, b Op) int { return cmp.Or(cmp.Compare(a.actor, b.actor), cmp.Compare(a.seq, b.seq)) }

// computes reports whether the operation computes with the value that a field has when it takes effect.
func (op *Op) computes() bool {
	return op.Kind == AddWord || op.Kind == MultiplyWord || op.Kind == DivideWord
}

// OfField reports whether the operation writes Field, and no list.
func (op *Op) OfField() bool { return op.Kind == SetWord || op.Kind == SetText || op.computes() }

// OfList reports whether the operation changes the list Field.
func (op *Op) OfList() bool { return op.Kind >= SetItem && op.Kind <= ClearItems }

// wordIn returns the word that SetWord, AddWord, MultiplyWord and DivideWord put into a field of a row.
func (op *Op) wordIn(row Row, f *Field) uint64 {
	was, by := math.Float64frombits(row.Word(f)), op.Number()
	switch op.Kind {
	case AddWord:
		was += by
	case MultiplyWord:
		was = float64(was * by)
	case DivideWord:
		was /= by
	default:
		return op.Word
	}
	return NumberBits(f.Quantize(was))
}

// Number returns the value of a number word.
func (op *Op) Number() float64 { return math.Float64frombits(op.Word) }
