package space

import (
	"fmt"
	"math"

	"github.com/hindcast/hindcast/world/physics"
)

// BodyID names a body of a Space: it is the body's Key. 0 names none.
type BodyID uint64

// AddBody adds a body of a Def at rest. The pose is in metres and radians. It refuses
// what physics.CheckBody finds wrong, and angles of more than a turn, which are usually
// degrees.
func (s *Space) AddBody(of DefID, at physics.Pose) (BodyID, error) {
	n := &s.now
	if of == 0 || int(of) > len(n.defs) {
		return 0, fmt.Errorf("body of def %d: %w: there are %d Defs: use the id that AddDef returned", of, ErrID,
			len(n.defs))
	}
	key, err := n.bodies.next()
	if err != nil {
		return 0, fmt.Errorf("body of def %d: %w", of, err)
	}
	b := physics.NewBody(key, uint32(of-1), at.Position(), at.Angle)
	found := physics.CheckBody(&b, n.defs)
	if !(math.Abs(at.Angle) <= 2*math.Pi) {
		found = append(found, physics.Finding{What: fmt.Sprintf("Angle = %v: give radians, at most a turn", at.Angle)})
	}
	if err := refuse(fmt.Sprintf("body of def %d", of), found); err != nil {
		return 0, err
	}
	slot := n.bodies.add(len(n.state.Bodies))
	if slot == len(n.state.Bodies) {
		n.state.Bodies = append(n.state.Bodies, physics.Body{})
	}
	n.state.Bodies[slot] = b
	n.disturb(slot)
	s.stepped = false
	return BodyID(key), nil
}

// RemoveBody removes a body. The next Step reports the ends of its contacts and joints. The
// error is ErrID.
func (s *Space) RemoveBody(id BodyID) error {
	slot, err := s.now.bodies.find(id)
	if err != nil {
		return fmt.Errorf("remove: %w", err)
	}
	s.now.bodies.remove(id, s.now.def(slot).Sensor)
	s.now.state.Remove(slot)
	s.stepped = false
	return nil
}

// Body returns a copy of a body: its pose, velocity and forces. The error is ErrID.
func (s *Space) Body(id BodyID) (physics.Body, error) {
	slot, err := s.now.bodies.find(id)
	if err != nil {
		return physics.Body{}, err
	}
	return s.now.state.Bodies[slot], nil
}

// Bodies goes through all bodies in the order in which they were added:
//
//	for id, b := range s.Bodies { ... }
//
// Bodies may be changed, added and removed on the way: one that is added comes last.
func (s *Space) Bodies(yield func(BodyID, physics.Body) bool) {
	for key, slot := range s.now.bodies.each {
		if !yield(BodyID(key), s.now.state.Bodies[slot]) {
			return
		}
	}
}

// ChangeBody calls change with a body and its Def, to push it, turn it, move it or set
// its velocity:
//
//	err := s.ChangeBody(id, func(b *physics.Body, d *physics.Def) { b.ApplyImpulse(d, 0, 5) })
//
// change must leave the Def alone, and must not add or remove bodies. If it sets numbers
// that a step would ignore or clamp, the body does not change, and ChangeBody returns
// what physics.CheckBody reports. It returns ErrID if there is no such body.
//
// A body that is pushed or moved wakes, and so does what is near a static body that is
// moved.
func (s *Space) ChangeBody(id BodyID, change func(b *physics.Body, d *physics.Def)) error {
	n := &s.now
	slot, err := n.bodies.find(id)
	if err != nil {
		return fmt.Errorf("change: %w", err)
	}
	was := n.state.Bodies[slot]
	b, d := was, n.def(slot)
	change(&b, d)
	where := fmt.Sprintf("body %d", id)
	if b.Key != was.Key || b.Def != was.Def {
		return fmt.Errorf("%s: Key or Def were changed: remove the body, and add one of the other Def", where)
	}
	if err := refuse(where, physics.CheckBody(&b, n.defs)); err != nil {
		return err
	}
	if b.Pose != was.Pose {
		n.disturb(slot)
	}
	n.state.Bodies[slot] = b
	if b.Pose != was.Pose {
		n.disturb(slot)
	}
	s.stepped = false
	return nil
}

// def returns the Def of the body in a slot.
func (c *content) def(slot int) *physics.Def { return &c.defs[c.state.Bodies[slot].Def] }

// disturb wakes the dynamic bodies near a static one that appears, or moves: a step
// would not notice.
func (c *content) disturb(slot int) {
	if c.def(slot).Type != physics.Static {
		return
	}
	still := &c.state.Bodies[slot]
	for i := range c.state.Bodies {
		b := &c.state.Bodies[i]
		if b.Key == 0 || !b.Asleep() {
			continue
		}
		d := c.def(i)
		from, to := still.CentreOfMass(c.def(slot)), b.CentreOfMass(d)
		dx, dy, reach := to.X-from.X, to.Y-from.Y, c.def(slot).Reach()+d.Reach()+near
		if float64(dx*dx)+float64(dy*dy) <= float64(reach*reach) {
			b.Wake()
		}
	}
}

// near is the distance in metres within which a static body is noticed.
const near = 0.1
