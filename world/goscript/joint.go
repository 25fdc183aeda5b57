package goscript

import (
	"math"

	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
)

// Joint is a joint as an object: it can be kept in a Ref, changed, and removed.
type Joint struct{ of Object }

// SetMotor sets the target speed of the joint's motor, in m/s or rad/s, and its maximum
// force or torque, in N or N m; a maximum of 0 switches it off.
func (j Joint) SetMotor(speed, most float64) { j.set(world.SetMotor, speed, most) }

// SetLimits sets the range of the joint, in metres, or in radians for a hinge.
func (j Joint) SetLimits(min, max float64) { j.set(world.SetLimits, min, max) }

// SetLength sets the length of a rope, a rod or a spring in metres.
func (j Joint) SetLength(length float64) { j.set(world.SetLength, length, 0) }

// SetSpring sets the frequency of the joint's spring in Hz, and its share of critical
// damping.
func (j Joint) SetSpring(hertz, damping float64) { j.set(world.SetSpring, hertz, damping) }

func (j Joint) set(kind world.OpKind, a, b float64) {
	j.of.look()
	j.of.do(world.Op{Kind: kind, A: a, B: b})
}

// Object returns the object that stands for the joint.
func (j Joint) Object() Object { return j.of }

// Ends returns the two objects that the joint ties. The second is no object if it is
// the world.
func (j Joint) Ends() (a, b Object) {
	tied := j.Get()
	return j.of.object(world.ObjectID(tied.KeyA)), j.of.object(world.ObjectID(tied.KeyB))
}

// Get returns the numbers of the joint.
func (j Joint) Get() physics.Joint {
	j.of.look()
	tied, _ := j.of.joint()
	return tied
}

// The functions below return joints for Actor.Tie, with the defaults of Lua
// scripts. b may be no object: then the joint ties a to the world, where a is.
// Change their numbers as needed; physics.NewJoint and physics.NewDistance make
// joints with ends elsewhere.

// Rope returns a rope: a and b are at most as far apart as they are now.
func Rope(a, b Object) physics.Joint {
	j := distance(a, b)
	j.Flags, j.Max = physics.JointLimits, j.Length
	return j
}

// Rod returns a rod: a and b stay as far apart as they are now.
func Rod(a, b Object) physics.Joint { return distance(a, b) }

// Spring returns a spring, which is at rest now: 2 Hz, with 0.3 of critical damping.
func Spring(a, b Object) physics.Joint {
	j := distance(a, b)
	j.Flags, j.Hertz, j.Damping = physics.JointSpring, 2, 0.3
	return j
}

// Hinge returns a hinge at the position of b, around which both turn.
func Hinge(a, b Object) physics.Joint { return joined(physics.Hinge, a, b) }

// Weld returns a joint that keeps the present relative pose of a and b.
func Weld(a, b Object) physics.Joint { return joined(physics.Weld, a, b) }

// Slider returns a joint that lets b slide along the x axis of a, without turning.
func Slider(a, b Object) physics.Joint { return joined(physics.Slider, a, b) }

// Wheel returns a joint that makes b a wheel of a, sprung along the y axis of a: 4
// Hz, with 0.7 of critical damping.
func Wheel(a, b Object) physics.Joint {
	j := joined(physics.Wheel, a, b)
	j.Flags, j.Axis, j.Hertz, j.Damping = physics.JointSpring, math.Pi/2, 4, 0.7
	return j
}

// ends returns copies of the bodies of two objects. of is nil if b is no object.
func ends(a, b Object) (from physics.Body, to *physics.Body) {
	from = *a.body()
	if b.ID() != 0 {
		body := *b.body()
		to = &body
	}
	return from, to
}

func distance(a, b Object) physics.Joint { return joined(physics.Distance, a, b) }

// joined returns a joint that is at rest as the bodies stand. The ends of a
// distance are at the two bodies; those of other joints are both where b is, or,
// for the world, where a is.
func joined(kind physics.JointKind, a, b Object) physics.Joint {
	from, to := ends(a, b)
	j := physics.Joint{Kind: kind, KeyA: from.Key, Angle: 0 - from.Angle} // which is never -0
	end := from.ToWorld(physics.Vec{})
	switch {
	case to == nil:
		j.AnchorB = end
	default:
		j.KeyB, j.Angle = to.Key, to.Angle-from.Angle
		if end = to.ToWorld(physics.Vec{}); kind != physics.Distance {
			j.AnchorA = from.ToBody(end)
		}
	}
	if kind == physics.Distance {
		j.Length = physics.NewDistance(0, &from, to, from.ToWorld(physics.Vec{}), end).Length
	}
	return j
}
