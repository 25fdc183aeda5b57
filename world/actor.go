package world

import "github.com/hindcast/hindcast/world/physics"

// Actor is the face of a World that script code sees: it reads and changes the
// world on behalf of the acting object, which is the object whose hook runs
// (Calls.Act). It sees that object as it is now, and all others as they were
// when the order began. What it changes on that object takes effect at once;
// what it changes on others takes effect when the order ends.
//
// An Actor is a value. Its zero value is not usable.
type Actor struct {
	w     *World
	reads bool // the Actor of a Reader, which changes nothing
}

// Actor returns the face of w for script code.
func (w *World) Actor() Actor { return Actor{w: w} }

// Calls returns the face of the world for an interpreter.
func (a Actor) Calls() Calls { return Calls{a.w} }

// Queries returns the queries about many objects. They leave the acting object out.
func (a Actor) Queries() Queries { return Queries{a.w, a.w.actorID()} }

// State returns the present state of the world. Script code reads only the acting
// object, the tick and the players from it, and reads other objects through See.
func (a Actor) State() *State { return a.w.Now }

// Schema returns the schema in force.
func (a Actor) Schema() *Schema { return a.w.Schema() }

// Class returns the class of the object in a slot of State.
func (a Actor) Class(slot int) *Class { return a.w.Class(slot) }

// Find returns the slot of an object that exists now.
func (a Actor) Find(id ObjectID) (slot int, ok bool) { return a.w.Find(id) }

// See returns the state in which the acting object sees another object, and the slot of
// the object in that state. ok is false for an object that does not exist (any more).
// The state may be read until the next write.
func (a Actor) See(id ObjectID) (s *State, slot int, ok bool) { return a.w.see(id) }

// SeeJoint returns the joint of an object as the acting object sees it: the
// joint that an object of JointClass stands for, or the one that attaches an
// object to another.
func (a Actor) SeeJoint(id ObjectID) (j physics.Joint, ok bool) { return a.w.seeJoint(id) }

// BeginAsSeen makes the acting object see others, until EndAsSeen, where its player's
// client showed them: at the given view time, or where a sight has them. Only objects
// whose class declares seen are moved, and only their poses: speeds and fields are those of
// the tick. The acting object and what is attached to it stay where they are. Objects that
// did not exist at the view time are not seen. It has no effect if the Actor is that of a
// Reader.
//
// Source: "Lag Compensation in Unity" (TwoTen). There the host moves the objects back and forth again;
// here queries use a copy.
func (a Actor) BeginAsSeen(at ViewTime, sight Sight) {
	if !a.reads {
		a.w.beginSeen(at, sight)
	}
}

// EndAsSeen ends BeginAsSeen.
func (a Actor) EndAsSeen() { a.w.endSeen() }

// SeenBody returns the body of another object at the time of BeginAsSeen. b is
// the body that See gives, and is the result outside BeginAsSeen.
func (a Actor) SeenBody(id ObjectID, b *physics.Body) *physics.Body { return a.w.shown(id, b) }

// Random returns the next number in [0, 1) of the acting object's stream of
// this tick. It is 0 if the Actor is that of a Reader.
func (a Actor) Random() float64 {
	if a.reads {
		return 0
	}
	return a.w.random()
}

// Do carries out a change that the acting object asks for. It returns an error for
// numbers that are not finite, for a removed object (ErrRemoved), and for a field or a
// body that its class does not have.
func (a Actor) Do(op Op) error {
	if a.reads {
		return ErrReadOnly
	}
	return a.w.do(op)
}

// AtOnce reports whether what the acting object does to an object takes effect at once: the object is itself, or was
// spawned by it in the present order.
func (a Actor) AtOnce(id ObjectID) bool {
	_, ok := a.w.atOnce(id)
	return ok
}

// Settled returns an operation that takes effect at once and computes with the value of a field as the SetWord that it
// amounts to. All others are returned as they are.
func (a Actor) Settled(op Op) Op {
	if !op.computes() {
		return op
	}
	if slot, ok := a.w.atOnce(op.Target); ok {
		if c, row := a.w.Class(slot), a.w.Now.Row(slot); c.Has(row, op.Field) {
			op.Kind, op.Word = SetWord, op.wordIn(row, &c.Fields[op.Field])
		}
	}
	return op
}

// Pending returns the fields of an object as they would be after what the acting object has asked for in this order, if
// that changes any. It goes through all operations of the order.
func (a Actor) Pending(id ObjectID) (row Row, ok bool) {
	s, slot, here := a.w.see(id)
	if !here {
		return Row{}, false
	}
	class, by := &a.w.Schema().Classes[s.Objects[slot].Class], a.w.actorID()
	row = NewRow(class, s.Row(slot).AppendWords(nil, class))
	for i := range a.w.ops.all() {
		if op := &a.w.ops.all()[i]; op.actor == by && op.Target == id && (op.OfField() || op.OfList()) {
			_ = class.setField(row, op) // what has no effect has none here
			ok = true
		}
	}
	return row, ok
}

// Asked returns the last operation on an object that an object has asked for in this order and that fits. It goes through
// all operations of the order.
func (a Actor) Asked(by, of ObjectID, fits func(*Op) bool) (op Op, ok bool) {
	for i := range a.w.ops.all() {
		if o := &a.w.ops.all()[i]; o.actor == by && o.Target == of && fits(o) {
			op, ok = *o, true
		}
	}
	return op, ok
}

// Spawn makes an object of a class, with its default fields. The acting object
// can write to it at once. All others see it when the order ends. The error wraps
// ErrNoClass or ErrTooMany, or names a number out of range.
func (a Actor) Spawn(class string, p Placement) (slot int, err error) {
	if a.reads {
		return 0, ErrReadOnly
	}
	return a.w.Spawn(class, p)
}

// Tie makes a joint and an object of JointClass that stands for it. Like Spawn
// it takes effect at once. Tie chooses j.Key; j.KeyA and j.KeyB are the
// ObjectIDs of the bodies. It returns an error for a joint that package physics
// refuses.
func (a Actor) Tie(j physics.Joint) (slot int, err error) {
	if a.reads {
		return 0, ErrReadOnly
	}
	return a.w.tie(j)
}

// Attach welds an object to a holder at dx, dy metres in the holder's frame and gives
// it the holder's motion. The two do not collide with each other. It ends an earlier
// attachment of the object. It returns an error if one of the two has no body or was
// removed, and for numbers that are not finite.
func (a Actor) Attach(id, holder ObjectID, dx, dy float64) error {
	if a.reads {
		return ErrReadOnly
	}
	return a.w.attach(id, holder, dx, dy)
}

// Detach ends the attachment of an object, if there is one. It returns ErrRemoved if
// the object was removed.
func (a Actor) Detach(id ObjectID) error {
	if a.reads {
		return ErrReadOnly
	}
	return a.w.detach(id)
}

// MoveAndSlide moves the acting object at once by dx, dy metres, and slides along
// obstacles: the bodies of the layers it collides with, as they were when the order
// began. If it overlaps a body, it is pushed out first. The bumps are in the order in
// which they happened, and valid until the next call. It returns ErrBody if the object
// has no body.
func (a Actor) MoveAndSlide(dx, dy float64) ([]Bump, error) {
	if a.reads {
		return nil, ErrReadOnly
	}
	return a.w.moveAndSlide(dx, dy)
}

// Tell sends a message of at most MaxMessage bytes to one player, when the tick cannot change any more: once, and to
// nobody else. It counts as a cue of the acting object. The error wraps ErrCue.
func (a Actor) Tell(p PlayerID, text string) error {
	if a.reads {
		return ErrReadOnly
	}
	return a.w.tell(p, text)
}

// Cue emits a cue of the acting object. Its effect lasts so many seconds, at most MaxCueLasts; 0: not
// declared. Cue keeps fields, which must be sorted by name. The error wraps ErrCue.
func (a Actor) Cue(name string, to CueTo, when CueWhen, lasts float64, fields []CueField) error {
	if a.reads {
		return ErrReadOnly
	}
	return a.w.cue(name, to, when, lasts, fields)
}
