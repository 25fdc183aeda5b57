package physics

import (
	"math"

	"github.com/hindcast/hindcast/world/detmath"
)

// jointed is a joint that holds in this step.
type jointed struct {
	joint  *Joint
	a, b   int32 // ranks; b may be the world
	ra, rb Vec   // anchors from the centres of mass at the start of the step
	d      Vec   // from A's centre of mass to B's at the start of the step
	axis   Vec   // of Slider and Wheel at the start of the step
	angle  float64
	h      float64 // seconds of a sub-step
	spring spring
	push   Vec     // N s of the whole step, in the directions of the rows
	twist  float64 // N m s of the whole step
}

// turn is the rotation of a body since the start of the step. A movement has
// one too, but not for circles.
type turn struct{ cos, sin float64 }

// stance has the poses of the two bodies of a joint in the present sub-step.
type stance struct {
	ra, rb Vec // anchors from the centres of mass
	apart  Vec // from A's anchor to B's
	angle  float64
	turnA  turn
}

// newJointed returns a joint that holds, for sub-steps of h seconds.
func newJointed(j *Joint, s *State, bodies *rankedBodies, h float64) jointed {
	c := jointed{joint: j, a: bodies.ranks().rankOf(j.SlotA), b: int32(len(bodies.outlines())), h: h}
	a := &s.Bodies[j.SlotA]
	oa := bodies.outline(c.a)
	c.ra = j.AnchorA.sub(oa.def.centreOfMass()).rotate(a.Cos, a.Sin)
	c.rb = j.AnchorB
	c.d = oa.centre.neg()
	c.angle = -a.Angle - j.Angle
	if j.SlotB >= 0 {
		c.b = bodies.ranks().rankOf(j.SlotB)
		b, ob := &s.Bodies[j.SlotB], bodies.outline(c.b)
		c.rb = j.AnchorB.sub(ob.def.centreOfMass()).rotate(b.Cos, b.Sin)
		c.d = ob.centre.sub(oa.centre)
		c.angle += b.Angle
	}
	c.angle = detmath.Wrap(c.angle)
	sin, cos := detmath.Sincos(j.Axis)
	c.axis = Vec{cos, sin}.rotate(a.Cos, a.Sin)
	c.spring = springFor(j.Hertz, j.Damping, h)
	return c
}

// ranks returns those of the two bodies; b may be the world.
func (c *jointed) ranks() (a, b int32) { return c.a, c.b }

// is reports whether c is the joint j.
func (c *jointed) is(j *Joint) bool { return c.joint == j }

// stance returns the poses of the bodies with their turns so far.
func (c *jointed) stance(a, b *movement, ta, tb turn) (st stance) {
	st.ra, st.rb = c.ra.rotate(ta.cos, ta.sin), c.rb.rotate(tb.cos, tb.sin)
	st.apart = c.d.add(b.d.sub(a.d)).add(st.rb.sub(st.ra))
	st.angle = c.angle + (b.turn - a.turn)
	st.turnA = ta
	return st
}

// line returns the direction of a Slider or Wheel in the present sub-step.
func (c *jointed) line(st *stance) Vec { return c.axis.rotate(st.turnA.cos, st.turnA.sin) }

// warmStart applies the impulses of the sub-step before.
func (c *jointed) warmStart(a, b *movement, st *stance) {
	p, stops := &c.joint.Impulse, c.joint.stopped()
	switch c.joint.Kind {
	case Distance:
		n, _ := st.apart.normal()
		st.along(n, false).push(a, b, p[rowX]+p[rowY]+stops)
	case Slider, Wheel:
		n := c.line(st)
		if c.joint.Kind == Wheel {
			st.along(n, true).push(a, b, p[rowY]+stops)
			a.twist(b, p[rowMotor])
		} else {
			st.along(n, true).push(a, b, p[rowY]+p[rowMotor]+stops)
		}
		st.along(Vec{-n.Y, n.X}, true).push(a, b, p[rowX])
		a.twist(b, p[rowAngle])
	case Hinge:
		a.twist(b, p[rowAngle]+p[rowMotor]+stops)
		st.pushAnchors(a, b, Vec{p[rowX], p[rowY]})
	default:
		a.twist(b, p[rowAngle])
		st.pushAnchors(a, b, Vec{p[rowX], p[rowY]})
	}
}

// tally adds the impulses of a sub-step to those of the step.
func (c *jointed) tally() {
	p, stops := &c.joint.Impulse, c.joint.stopped()
	push, twist := Vec{p[rowX], p[rowY]}, p[rowAngle]
	switch c.joint.Kind {
	case Distance:
		push = Vec{0, p[rowX] + p[rowY] + stops}
	case Hinge:
		twist += p[rowMotor] + stops
	case Slider:
		push.Y += p[rowMotor] + stops
	case Wheel:
		push.Y += stops
		twist = p[rowMotor]
	}
	c.push = c.push.add(push)
	c.twist += twist
}

// ends reports whether a joint ends, and the event for that. c is nil for a joint that
// does not hold.
func (j *Joint) ends(c *jointed, dt float64) (bool, JointEvent) {
	e := JointEvent{Key: j.Key, A: j.SlotA, B: j.SlotB, KeyA: j.KeyA, KeyB: j.KeyB}
	if c == nil {
		return j.Gone(), e
	}
	e.Force, e.Torque = c.push.length()/dt, math.Abs(c.twist)/dt
	for _, p := range j.Impulse {
		if !finite(p) { // only with a body of which the numbers are not
			j.Impulse = [jointRows]float64{}
			break
		}
	}
	e.Broke = j.BreakForce > 0 && e.Force > j.BreakForce || j.BreakTorque > 0 && e.Torque > j.BreakTorque
	return e.Broke, e
}
