package space

import (
	"errors"
	"fmt"
	"math"

	"github.com/hindcast/hindcast/world/detmath"
	"github.com/hindcast/hindcast/world/physics"
)

// JointID names a joint of a Space: it is the joint's Key. 0 names none.
type JointID uint64

// Joint says how AddJoint ties two bodies, or a body to the world. A part that is nil is
// off. The joint holds the bodies as they are now: their present poses are the 0 of a
// Hinge, Weld or Slider.
type Joint struct {
	Kind physics.JointKind
	A, B BodyID // B 0: the world

	At   physics.Vec  // m, in the world: where it holds A, and B too
	To   *physics.Vec // m, in the world: where a Distance or a Target holds B instead
	Axis physics.Vec  // in the world: the direction of a Slider or a Wheel, of any length

	Length float64 // m, of a Distance; 0: from At to To
	Limits *Limits
	Motor  *Motor
	Spring *Spring
	Turn   *Spring // of a Weld: lets it bend

	MaxForce    float64 // N, of a Target
	BreakForce  float64 // N, mean of a step; 0: never breaks
	BreakTorque float64 // N m, mean of a step; 0: never breaks
	Collide     bool    // the two bodies collide with each other
}

// Limits bound a Distance (m), a Slider or a Wheel (m along the axis), or a Hinge (rad, within
// physics.MaxHingeLimit).
type Limits struct{ Min, Max float64 }

// Motor drives B against A: along the axis of a Slider, round that of a Hinge or a Wheel.
type Motor struct {
	Speed    float64 // m/s for a Slider, otherwise rad/s, counter-clockwise
	MaxForce float64 // N for a Slider, otherwise N m; 0 is refused
}

// Spring makes a part of a joint a spring instead of stiff. It is no faster than a
// quarter of the sub-step rate.
type Spring struct {
	Hertz   float64 // its frequency; 0 is refused
	Damping float64 // share of critical damping: with 1 it does not swing
}

// AddJoint adds a joint and wakes its bodies. It refuses what physics.Joint.Check
// refuses, what physics.CheckJoint finds wrong, and bodies of which neither is dynamic.
func (s *Space) AddJoint(of Joint) (JointID, error) {
	n := &s.now
	j, err := n.flatten(&of)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", of.where(), err)
	}
	if err := refuse(of.where(), physics.CheckJoint(&j, n.params)); err != nil {
		return 0, err
	}
	if err := n.state.AddJoint(n.defs, j); err != nil {
		return 0, fmt.Errorf("%s: %w", of.where(), err)
	}
	n.lastJoint = j.Key
	s.stepped = false
	return JointID(j.Key), nil
}

// where names the joint in an error.
func (of *Joint) where() string {
	if of.B == 0 {
		return fmt.Sprintf("joint of body %d and the world", of.A)
	}
	return fmt.Sprintf("joint of bodies %d and %d", of.A, of.B)
}

// flatten makes a flat joint.
func (c *content) flatten(of *Joint) (j physics.Joint, err error) {
	if c.lastJoint == math.MaxUint64 {
		return j, fmt.Errorf("%w: no key is left: the greatest one has been used", ErrID)
	}
	slotA, err := c.bodies.find(of.A)
	if err != nil {
		return j, fmt.Errorf("body A: %w", err)
	}
	a, b := &c.state.Bodies[slotA], (*physics.Body)(nil)
	if of.B != 0 {
		slotB, err := c.bodies.find(of.B)
		if err != nil {
			return j, fmt.Errorf("body B: %w", err)
		}
		b = &c.state.Bodies[slotB]
	}
	j = physics.NewJoint(c.lastJoint+1, of.Kind, a, b, of.At)
	if err := of.place(&j, a, b); err != nil {
		return j, err
	}
	of.set(&j)
	return j, nil
}

// place sets To, Axis and Length of a joint, as far as its kind has them.
func (of *Joint) place(j *physics.Joint, a, b *physics.Body) error {
	slides := of.Kind == physics.Slider || of.Kind == physics.Wheel
	apart := of.Kind == physics.Distance || of.Kind == physics.Target
	switch zero := (physics.Vec{}); {
	case slides && of.Axis == zero:
		return errors.New("the Axis is (0, 0): give a direction in the world, such as (0, 1)")
	case !slides && of.Axis != zero:
		return errors.New("an Axis counts for Slider and Wheel only")
	case apart && of.To == nil:
		return errors.New("the To is nil: give the place in the world where the joint holds B; At is where it holds A")
	case !apart && of.To != nil:
		return errors.New("a To counts for Distance and Target only: At is where other joints hold both bodies")
	case slides:
		j.Axis = detmath.Wrap(detmath.Atan2(of.Axis.Y, of.Axis.X) - a.Angle)
	case apart:
		j.AnchorB = *of.To
		if b != nil {
			j.AnchorB = b.ToBody(*of.To)
		}
	}
	if j.Length = of.Length; of.Kind == physics.Distance && j.Length == 0 {
		j.Length = physics.NewDistance(j.Key, a, b, of.At, *of.To).Length
	}
	return nil
}

// set gives a joint the parts that are not nil, and switches them on.
func (of *Joint) set(j *physics.Joint) {
	j.MaxForce, j.BreakForce, j.BreakTorque = of.MaxForce, of.BreakForce, of.BreakTorque
	if of.Collide {
		j.Flags |= physics.JointCollide
	}
	if of.Limits != nil {
		j.Min, j.Max, j.Flags = of.Limits.Min, of.Limits.Max, j.Flags|physics.JointLimits
	}
	if of.Motor != nil {
		j.Speed, j.MaxForce, j.Flags = of.Motor.Speed, of.Motor.MaxForce, j.Flags|physics.JointMotor
	}
	if of.Spring != nil {
		j.Hertz, j.Damping, j.Flags = of.Spring.Hertz, of.Spring.Damping, j.Flags|physics.JointSpring
	}
	if of.Turn != nil {
		j.TurnHertz, j.TurnDamping = of.Turn.Hertz, of.Turn.Damping
	}
}

// RemoveJoint removes a joint and wakes its bodies. No event reports it. The error is
// ErrID.
func (s *Space) RemoveJoint(id JointID) error {
	if _, err := s.now.joint(id); err != nil {
		return fmt.Errorf("remove: %w", err)
	}
	s.now.state.RemoveJoint(uint64(id))
	s.stepped = false
	return nil
}

// Joint returns a copy of a joint. The error is ErrID, also for a joint that broke or
// lost a body.
func (s *Space) Joint(id JointID) (physics.Joint, error) {
	j, err := s.now.joint(id)
	if err != nil {
		return physics.Joint{}, err
	}
	return *j, nil
}

// ChangeJoint calls change with a joint, to set its motor, limits, spring or anchors, and
// wakes its bodies:
//
//	err := s.ChangeJoint(id, func(j *physics.Joint) { j.Speed = 3 })
//
// If it sets something that a step would ignore, such as a Speed without JointMotor in
// Flags, the joint does not change, and ChangeJoint returns what physics.CheckJoint
// reports. It returns ErrID if there is no such joint.
func (s *Space) ChangeJoint(id JointID, change func(j *physics.Joint)) error {
	found, err := s.now.joint(id)
	if err != nil {
		return fmt.Errorf("change: %w", err)
	}
	was := *found
	j := was
	change(&j)
	where := fmt.Sprintf("joint %d", id)
	if j.Key != was.Key || j.KeyA != was.KeyA || j.KeyB != was.KeyB || j.SlotA != was.SlotA || j.SlotB != was.SlotB ||
		j.Kind != was.Kind {
		return fmt.Errorf("%s: its Key, bodies or Kind were changed: remove the joint, and add another one", where)
	}
	if err := refuse(where, physics.CheckJoint(&j, s.now.params)); err != nil {
		return err
	}
	s.now.state.PutJoint(j)
	s.stepped = false
	return nil
}

// joint finds a joint that holds.
func (c *content) joint(id JointID) (*physics.Joint, error) {
	if i, ok := c.state.FindJoint(uint64(id)); ok && id != 0 {
		return &c.state.Joints[i], nil
	}
	switch {
	case id == 0:
		return nil, fmt.Errorf("%w: 0 is no joint: use the id that AddJoint returned", ErrID)
	case uint64(id) <= c.lastJoint:
		return nil, fmt.Errorf("%w: joint %d broke, or it or one of its bodies was removed", ErrID, id)
	}
	return nil, fmt.Errorf(
		"%w: joint %d was not added: the id is of another Space, or from after the state that was restored", ErrID,
		id)
}
