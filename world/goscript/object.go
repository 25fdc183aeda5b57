package goscript

import (
	"errors"

	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
)

// Object is an object as a hook holds it. Objects compare with ==; the zero value
// is no object. An Object is valid while the hook runs that got it: a Ref field
// keeps one for longer.
//
// All methods but ID and Valid fail for an object that does not exist (any more).
// What they change takes effect at once on the acting object, and when the order
// ends on others.
type Object struct {
	on *stage
	id world.ObjectID
}

// ID returns the id of the object; 0 for none. It stays valid after the hook.
func (o Object) ID() world.ObjectID { return o.id }

// Valid reports whether the object exists.
func (o Object) Valid() bool {
	if o.id == 0 {
		return false
	}
	_, _, ok := o.on.see(o.id)
	return ok
}

// Class returns the name of the object's class.
func (o Object) Class() string {
	s, slot := o.look()
	return o.on.world().Schema().Classes[s.Objects[slot].Class].Name
}

// Is reports whether the object is of a class, or of one that extends it.
func (o Object) Is(c *Class) bool {
	s, slot := o.look()
	return o.on.class(s.Objects[slot].Class).is(c.declared())
}

// Owner returns the player whose inputs steer the object; 0 for nobody.
func (o Object) Owner() world.PlayerID {
	s, slot := o.look()
	return s.Objects[slot].Owner
}

// SetOwner gives the object to a player, or to nobody (0), at the end of the tick.
func (o Object) SetOwner(player world.PlayerID) {
	switch o.Class() {
	case world.JointClass:
		fail("a joint has no owner")
	case world.GameClass, world.PlayerClass:
		fail("the %s cannot be given away", o.Class())
	}
	o.do(world.Op{Kind: world.SetOwner, Word: uint64(player)})
}

// Remove removes the object at the end of the tick. A joint lets go at once.
func (o Object) Remove() {
	o.look()
	if world.HoldsState(o.Class()) {
		fail("the %s cannot be removed", o.Class())
	}
	o.do(world.Op{Kind: world.Remove})
}

// Body returns the object's body. It fails for an object of a class without one.
func (o Object) Body() Body {
	o.body()
	return Body{o}
}

// Joint returns the joint that the object stands for. It fails for other objects.
func (o Object) Joint() Joint {
	if o.Class() != world.JointClass {
		fail("a %s is no joint", o.Class())
	}
	return Joint{o}
}

// object returns the object with an id, which may have been removed; no object for 0.
func (o Object) object(id world.ObjectID) Object { return o.on.object(id) }

// look returns the state and the slot in which the acting object sees the object.
func (o Object) look() (*world.State, int) {
	s, slot, ok := o.on.see(o.id)
	if !ok && o.on.seesPast() {
		fail(
			"the object does not exist, or this player's client did not show it; call Valid " +
				"before you use a stored Object",
		)
	}
	if !ok {
		fail(removedObject)
	}
	return s, slot
}

const removedObject = "the object has been removed; call Valid before you use an Object that was kept"

// row returns the fields of the object, which is of a class or of one that extends it, and the declaration of its
// class.
func (o Object) row(of *declaration) (world.Row, *declaration) {
	s, slot := o.look()
	is := o.on.class(s.Objects[slot].Class)
	if !is.is(of) {
		fail("a field of class %s is used with an object of class %s", of.name(), o.Class())
	}
	return s.Row(slot), is
}

// body returns the object's body as the acting object sees it.
func (o Object) body() *physics.Body {
	s, slot := o.look()
	b := s.Body(slot)
	if o.on.seesPast() {
		b = o.on.world().SeenBody(o.id, b)
	}
	if b.Key == 0 {
		fail("%s has no body: declare one", o.Class())
	}
	return b
}

// do changes the object.
func (o Object) do(op world.Op) {
	op.Target = o.id
	o.on.do(op)
}

// joint returns the joint that the object stands for, or that attaches it.
func (o Object) joint() (physics.Joint, bool) { return o.on.seeJoint(o.id) }

// stage returns the stage of the object.
func (o Object) stage() *stage { return o.on }

// failBecause fails with the error of a change of an object.
func failBecause(err error, id world.ObjectID) {
	if errors.Is(err, world.ErrRemoved) {
		fail(removedObject)
	}
	fail("%s", err)
}
