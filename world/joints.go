package world

import (
	"errors"
	"fmt"
	"slices"

	"github.com/hindcast/hindcast/world/physics"
)

// ErrBody is returned for an operation on a body that the object's class does not have.
var ErrBody = errors.New("the object has no body")

// jointClass returns the class of the objects that stand for joints. They have no body and
// no hooks. bodyA and bodyB are the connected objects; bodyB is none if A is connected to
// the world.
func jointClass() Class {
	return Class{
		Name:  JointClass,
		Order: jointOrder,
		Fields: []Field{{
			Name:    "bodyA",
			Kind:    Ref,
			Default: []uint64{0},
		}, {
			Name:    "bodyB",
			Kind:    Ref,
			Default: []uint64{0},
		}},
	}
}

// jointOrder is the order of game.lua, so that joints add no block to a tick.
const jointOrder = 1<<31 - 1

// isJoint reports whether the object in a slot stands for a joint.
func (w *World) isJoint(slot int) bool { return w.Schema().isJoint(w.Now.Objects[slot].Class) }

// tie makes a joint and an object of JointClass that stands for it. Like Spawn it takes
// effect at once. Tie chooses the Key of j; KeyA and KeyB are the ObjectIDs of its bodies.
// It returns an error for a joint that package physics refuses.
func (w *World) tie(j physics.Joint) (slot int, err error) {
	j.Key = 1 // the real one is not known before the object exists
	if err := w.resolve(&j); err != nil {
		return 0, err
	}
	class := &w.Schema().Classes[w.Schema().jointClass()]
	slot, err = w.spawn(w.Schema().jointClass(), class.DefIndex(), Placement{})
	if err != nil {
		return 0, err
	}
	row := w.Now.Rows.flat(slot)
	row[0], row[1] = j.KeyA, j.KeyB
	j.Key = uint64(w.Now.Objects[slot].ID)
	w.Now.Physics.PutJoint(j)
	return slot, nil
}

// resolve makes a joint fit the bodies as they were when the present order began, and those that it spawned: whether one
// moves may depend on what carries it, which operations of the order change.
func (w *World) resolve(j *physics.Joint) error { return w.resolveWith(j, w.bodyBefore) }

// resolveNow is resolve with the bodies as they are.
func (w *World) resolveNow(j *physics.Joint) error { return w.resolveWith(j, w.Now.Body) }

func (w *World) resolveWith(j *physics.Joint, body func(slot int) *physics.Body) error {
	return j.Resolve(w.Schema().Defs, func(key uint64) (int, *physics.Body) {
		slot, ok := w.Find(ObjectID(key))
		if !ok || w.Now.Body(slot).Key == 0 {
			return 0, nil
		}
		return slot, body(slot)
	})
}

// bodyBefore returns the body in a slot as it was when the present order began, or as it is if it was spawned since.
func (w *World) bodyBefore(slot int) *physics.Body {
	if s, entry, changed := w.log.stateBefore(int32(slot)); changed && s.Body(entry).Key != 0 {
		return s.Body(entry)
	}
	return w.Now.Body(slot)
}

// seeJoint returns the joint of an object as the acting object sees it: the joint that an
// object of JointClass stands for, or the one that attaches an object to another.
func (w *World) seeJoint(id ObjectID) (j physics.Joint, ok bool) {
	s, slot, ok := w.see(id)
	if !ok {
		return j, false
	}
	at, ok := s.joint(id)
	if before, had, known := w.log.jointBefore(s, slot); known {
		at, ok = before, had
	}
	if !ok {
		return j, false
	}
	return *at, true
}

// changeJoint carries out a change of a joint's settings.
func changeJoint(j *physics.Joint, op *Op) error {
	k := *j
	switch op.Kind {
	case SetMotor:
		k.Flags &^= physics.JointMotor
		if k.Speed, k.MaxForce = op.A, op.B; op.B > 0 {
			k.Flags |= physics.JointMotor
		}
	case SetLimits:
		k.Min, k.Max, k.Flags = op.A, op.B, k.Flags|physics.JointLimits
	case SetLength:
		if k.Length = op.A; isRope(&k) {
			k.Max = op.A
		}
	case SetSpring:
		k.Flags &^= physics.JointSpring
		if k.Hertz, k.Damping = op.A, op.B; op.A > 0 && k.Kind != physics.Weld {
			k.Flags |= physics.JointSpring
		}
	}
	if err := k.Check(); err != nil {
		return err
	}
	*j = k
	return nil
}

// isRope reports whether only the maximum length of a joint counts.
func isRope(j *physics.Joint) bool {
	return j.Kind == physics.Distance && j.Flags&(physics.JointLimits|physics.JointSpring) == physics.JointLimits
}

// isJointOp reports whether an operation changes a joint's settings.
func isJointOp(k OpKind) bool { return k >= SetMotor && k <= SetSpring }

// checkJointOp returns an error if a change of a joint's settings is invalid.
func (w *World) checkJointOp(op *Op) error {
	j, ok := w.seeJoint(op.Target)
	if !ok {
		return nil // it has ended: there is nothing to change
	}
	return changeJoint(&j, op)
}

// applyToJoint carries out the operations that concern the joint of a slot. They were
// checked when they were asked for. An operation that no longer fits, because others
// changed the joint too, has no effect.
func (w *World) applyToJoint(slot int, op *Op) {
	id := w.Now.Objects[slot].ID
	j, ok := w.Now.joint(id)
	switch {
	case op.Kind == AttachTo:
		hold := holding(id, ObjectID(op.Word), op.A, op.B, op.C)
		if w.resolve(&hold) == nil {
			w.Now.Physics.PutJoint(hold)
			w.keepHold(slot, Hold{ObjectID(op.Word), physics.Pose{X: op.A, Y: op.B, Angle: op.C}})
			w.setDef(slot)
		}
	case op.Kind == LetGo:
		w.keepHold(slot, Hold{})
		w.Now.Physics.DropJoint(uint64(id))
		w.setDef(slot)
	case ok:
		_ = changeJoint(j, op)
	}
}

// letGo wakes, when the present order ends, the objects that an object's joint connects,
// because the joint is about to end.
func (w *World) letGo(id ObjectID) error {
	j, ok := w.seeJoint(id)
	if !ok {
		return nil
	}
	for _, key := range [...]uint64{j.KeyA, j.KeyB} {
		if key == 0 {
			continue
		}
		if err := w.do(Op{Target: ObjectID(key), Kind: wake}); err != nil && !errors.Is(err, ErrRemoved) {
			return err
		}
	}
	return nil
}

// attach puts an object at dx, dy metres in the frame of a holder, with the holder's
// motion, and welds it there. The two do not collide with each other. It ends an earlier
// attachment. Like all operations it takes effect at once if the acting object attaches
// itself, otherwise when the order ends.
func (w *World) attach(id, holder ObjectID, dx, dy float64) error {
	if !finite(dx) || !finite(dy) {
		return fmt.Errorf("attach at %v, %v: numbers must be finite", dx, dy)
	}
	body, err := w.seeBody(id)
	if err != nil {
		return err
	}
	if w.carries(id, holder) {
		return errors.New("the holder is attached to the object that it is to carry, or to one that this carries: " +
			"detach it first")
	}
	if id == holder {
		return errors.New("an object cannot carry itself")
	}
	if slot, _ := w.Find(id); !w.Class(slot).Body.carried() {
		return fmt.Errorf("attach: the Body of class %s is not Carried", w.Class(slot).Name)
	}
	h, err := w.seeBody(holder)
	if err != nil {
		return err
	}
	turn := body.Angle - h.Angle
	weld := holding(id, holder, dx, dy, turn)
	if err := w.resolve(&weld); err != nil {
		return err
	}
	at := h.ToWorld(physics.Vec{X: dx, Y: dy})
	v := h.VelocityAt(&w.Schema().Defs[h.Def], at)
	if err := w.letGo(id); err != nil {
		return err
	}
	w.forgetCarries(id)
	for _, op := range [...]Op{
		{Kind: SetPosition, A: at.X, B: at.Y}, {Kind: SetVelocity, A: v.X, B: v.Y}, {Kind: SetAngularVelocity, A: h.W},
		{Kind: AttachTo, Word: uint64(holder), A: dx, B: dy, C: turn},
	} {
		op.Target = id
		if err := w.do(op); err != nil {
			return err
		}
	}
	w.askCarries(holder, id, 0)
	return nil
}

// askCarries notes at a holder that it carries an object from this order on, or, with 1, no more.
func (w *World) askCarries(holder, id ObjectID, no float64) {
	op := Op{Target: holder, Kind: carries, Word: uint64(id), A: no}
	w.acting.number(&op, w.actorID())
	w.ops.add(&op)
}

// forgetCarries takes back, of what the acting object has asked for since its order began, that something carries an
// object.
func (w *World) forgetCarries(id ObjectID) {
	by := ObjectID(0)
	w.eachOwnOp(func(op *Op) bool {
		if op.Kind != carries || ObjectID(op.Word) != id {
			return true
		}
		if op.A == 0 {
			by = op.Target
		}
		return false
	})
	if by != 0 {
		w.askCarries(by, id, 1)
	}
}

// unring detaches the object in a slot from one that it carries from this order on, as asked says. Two objects that
// touch may attach each other in one order, in which neither sees what the other one does: of two, that with the larger
// id is let go. This is decided at the object that is let go, by its own joint and by what others asked of it, so that
// an order of which only a part runs again gives the same. later are the operations that follow.
func (w *World) unring(slot int, asked *Op, later []Op) {
	o, carried := &w.Now.Objects[slot], ObjectID(asked.Word)
	if asked.A != 0 || o.ID < carried || w.Now.Holder(slot) != carried {
		return
	}
	takesBack := func(op Op) bool {
		return op.Kind == carries && op.A != 0 && op.Target == asked.Target && op.Word == asked.Word &&
			op.actor == asked.actor
	}
	if slices.ContainsFunc(later, takesBack) {
		return
	}
	w.touch(slot)
	w.applyToJoint(slot, &Op{Target: o.ID, Kind: LetGo})
	hook := OnTick
	if w.Schema().phase(w.rec.present()) == 3 {
		hook = OnContact
	}
	err := fmt.Errorf("attach: %v and this object attached each other at the same time, and an object cannot carry "+
		"what carries it: this one is let go", carried)
	w.outcome.fault(Fault{Object: o.ID, Class: w.Class(slot).Name, Hook: hook, Err: err})
}

// carries reports whether an object carries another one, which may itself carry a third one and so on, as the acting
// object sees it, with what it has asked for since its order began.
func (w *World) carries(id, other ObjectID) bool {
	for range mostCarried {
		if other == id {
			return false // attached to itself, which package physics refuses
		}
		j, ok := w.seeJoint(other)
		holder := ObjectID(j.KeyA)
		if !ok || j.Key != j.KeyB || j.Gone() {
			holder = 0
		}
		if asked, found := w.asksToHold(other); found {
			holder = asked
		}
		if holder == id {
			return true
		}
		if holder == 0 {
			return false
		}
		other = holder
	}
	return true
}

// mostCarried is how many objects may carry each other in a row.
const mostCarried = 64

// asksToHold returns to what the acting object has asked to attach an object since its order began, 0: to nothing.
func (w *World) asksToHold(id ObjectID) (holder ObjectID, found bool) {
	w.eachOwnOp(func(op *Op) bool {
		if op.Target == id && (op.Kind == AttachTo || op.Kind == LetGo) {
			holder, found = ObjectID(op.Word), true // which is 0 for LetGo
		}
		return !found
	})
	return holder, found
}

// Holder returns the object that carries the one in a slot, 0 if none does.
func (s *State) Holder(slot int) ObjectID {
	j, ok := s.joint(s.Objects[slot].ID)
	if !ok || j.Key != j.KeyB || j.Gone() {
		return 0
	}
	return ObjectID(j.KeyA)
}

// detach ends the attachment of an object, if there is one.
func (w *World) detach(id ObjectID) error {
	if err := w.letGo(id); err != nil {
		return err
	}
	w.forgetCarries(id)
	return w.do(Op{Target: id, Kind: LetGo})
}

// holding returns the weld that attaches an object to a holder.
func holding(id, holder ObjectID, dx, dy, turn float64) physics.Joint {
	return physics.Joint{Key: uint64(id), Kind: physics.Weld, KeyA: uint64(holder), KeyB: uint64(id),
		AnchorA: physics.Vec{X: dx, Y: dy}, Angle: turn}
}

// seeBody returns a copy of an object's body as the acting object sees it.
func (w *World) seeBody(id ObjectID) (b physics.Body, err error) {
	s, slot, ok := w.see(id)
	if !ok {
		return b, ErrRemoved
	}
	if b = s.Physics.Bodies[slot]; b.Key == 0 {
		return b, fmt.Errorf("%w: class %s", ErrBody, w.Schema().Classes[s.Objects[slot].Class].Name)
	}
	return b, nil
}

// JointBreak says that a joint ended in this tick's physics step: it broke, or a
// connected object was removed. Joint is 0 for an attachment, B is 0 for the world.
type JointBreak struct {
	Joint, A, B   ObjectID
	Broke         bool    // otherwise a connected object was removed
	Force, Torque float64 // mean of the tick, newtons and newton metres

	key uint64
}

func jointBreakOf(e *physics.JointEvent) JointBreak {
	b := JointBreak{
		A:      ObjectID(e.KeyA),
		B:      ObjectID(e.KeyB),
		Broke:  e.Broke,
		Force:  e.Force,
		Torque: e.Torque,
		key:    e.Key,
	}
	if e.Key != e.KeyB {
		b.Joint = ObjectID(e.Key)
	}
	return b
}

// endJoints removes the objects of the joints that ended.
func (w *World) endJoints() {
	breaks := w.JointBreaks()
	for i := range breaks {
		slot, ok := w.Find(breaks[i].Joint)
		if ok && w.isJoint(slot) && !w.Now.Objects[slot].Removed {
			w.touch(slot)
			w.remove(slot)
		}
	}
}
