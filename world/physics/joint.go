package physics

import (
	"errors"
	"fmt"
)

// ErrJoint is the reason why a joint is refused, wrapped with the details.
var ErrJoint = errors.New("bad joint")

// JointKind is the kind of a joint: the motions that it allows its two bodies.
type JointKind uint8

// The kinds of joint. In all of them an anchor is a point of a body, given in
// its frame.
const (
	// Distance keeps the anchors Length apart: a rod. With JointLimits alone
	// it is a rope, from Min to Max; with JointSpring a spring of rest Length,
	// with both a spring between two stops.
	Distance JointKind = iota + 1
	// Hinge keeps the anchors together and lets the bodies turn. The turn of B
	// against A, less Angle, has limits, a motor and a spring.
	Hinge
	// Weld keeps the anchors together and the turn of B against A at Angle;
	// softly where Hertz or TurnHertz say so.
	Weld
	// Slider keeps B's anchor on a line through A's anchor, which turns with A
	// and lies at the angle Axis in A's frame, and the turn of B against A at
	// Angle. The way along the line has limits, a motor and a spring.
	Slider
	// Wheel is a Slider whose B turns freely: its spring and limits are along
	// the line, its motor turns B.
	Wheel
	// Target pulls the anchors together as a spring of Hertz and Damping, with
	// MaxForce at most; with 0 Hz it does nothing.
	Target
)

// JointFlags switches parts of a joint on.
type JointFlags uint8

// The flags of a joint.
const (
	JointLimits  JointFlags = 1 << iota // Min and Max count
	JointMotor                          // Speed and MaxForce count
	JointSpring                         // Hertz and Damping count
	JointCollide                        // the two bodies collide with each other
	JointFixedA                         // A is static or kinematic; Step keeps it up
	JointFixedB                         // likewise B, or it is the world
	JointGoneA                          // A was removed; the next Step reports it
	JointGoneB                          // B was removed; likewise

	jointFixed = JointFixedA | JointFixedB
	jointGone  = JointGoneA | JointGoneB
)

// Limits of a joint's numbers.
const (
	MaxJointHertz   = 1e3
	MaxJointDamping = 1e3
	MaxJointForce   = 1e15 // N, N m
	MaxHingeLimit   = 3.1  // radians, either way
)

// Rows of a joint's impulses: each is one thing that it holds or drives.
const (
	rowX     = iota // N s: along x; of Distance along the joint, of Slider and Wheel across the line
	rowY            // N s: along y; of Distance, Slider and Wheel the spring
	rowAngle        // N m s: against turning; of Hinge the spring
	rowMotor        // N s or N m s
	rowLower        // N s or N m s: pushes off Min, at least 0
	rowUpper        // N s or N m s: pushes off Max, at least 0
	jointRows
)

// Joint ties two bodies, or a body to the world. It is flat: 224 bytes without pointers. All of it is
// state, so a script may change a motor, a limit or a target between steps, which wakes sleeping bodies.
type Joint struct {
	Key          uint64 // names the joint for good, not 0
	KeyA, KeyB   uint64 // its bodies; KeyB 0: the world, AnchorB is then a place in it
	SlotA, SlotB int32  // of the bodies; -1 if there is none
	Kind         JointKind
	Flags        JointFlags
	_            [2]byte
	Rest         uint32 // whether its bodies sleep; scripts must not change it

	AnchorA, AnchorB       Vec     // m, in the frames of A and of B
	Axis                   float64 // rad, in A's frame: direction of Slider and Wheel
	Angle                  float64 // rad: the turn of B against A that counts as 0
	Length                 float64 // m: of Distance
	Min, Max               float64 // m; rad for Hinge, within MaxHingeLimit
	Hertz, Damping         float64 // of the spring: frequency, and share of critical damping
	TurnHertz, TurnDamping float64 // Weld: of the turn; 0 Hz: stiff
	Speed                  float64 // m/s or rad/s of B against A that the motor wants
	MaxForce               float64 // N or N m, of the motor and of Target
	BreakForce             float64 // N, mean of a step; 0: never breaks
	BreakTorque            float64 // N m, mean of a step; 0: never breaks

	Impulse [jointRows]float64 // of the last sub-step
}

// NewJoint returns a joint of a kind at a point of the world. Its anchors, Angle and
// Length (0) are such that the joint holds the bodies as they are. If b is nil, the joint
// ties a to the world.
func NewJoint(key uint64, kind JointKind, a, b *Body, at Vec) Joint {
	j := Joint{Key: key, Kind: kind, KeyA: a.Key, AnchorA: a.ToBody(at), AnchorB: at, Angle: -a.Angle}
	if b != nil {
		j.KeyB, j.AnchorB, j.Angle = b.Key, b.ToBody(at), b.Angle-a.Angle
	}
	return j
}

// NewDistance returns a rod that keeps two points as far apart as they are, one on each
// body. The points are given in the world. If b is nil, the rod ties a to the world.
func NewDistance(key uint64, a, b *Body, atA, atB Vec) Joint {
	j := NewJoint(key, Distance, a, b, atB)
	j.AnchorA = a.ToBody(atA)
	j.Length = atB.sub(atA).length()
	return j
}

// Gone reports whether one of the two bodies has been removed.
func (j *Joint) Gone() bool { return j.Flags&jointGone != 0 }

// joins reports whether the joint makes one island of its bodies.
func (j *Joint) joins() bool {
	return j.Flags&(jointFixed|jointGone) == 0
}

// stopped returns the sum of the impulses of the two limits.
func (j *Joint) stopped() float64 { return j.Impulse[rowLower] - j.Impulse[rowUpper] }

// forget clears the impulses of rows that the joint does not have: a script
// may have switched them off.
func (j *Joint) forget() {
	p, spring := &j.Impulse, j.Flags&JointSpring != 0
	if j.Flags&JointMotor == 0 || j.Kind == Distance || j.Kind == Weld || j.Kind == Target {
		p[rowMotor] = 0
	}
	if j.Flags&JointLimits == 0 || j.Kind == Weld || j.Kind == Target {
		p[rowLower], p[rowUpper] = 0, 0
	}
	switch {
	case j.Kind == Distance && j.Flags&(JointSpring|JointLimits) != 0, j.Kind == Target && j.Hertz == 0:
		p[rowX], p[rowAngle] = 0, 0
	case j.Kind == Hinge && !spring, j.Kind == Wheel, j.Kind == Target, j.Kind == Distance:
		p[rowAngle] = 0
	}
	if !spring && (j.Kind == Distance || j.Kind == Slider || j.Kind == Wheel) || j.Kind == Target && j.Hertz == 0 {
		p[rowY] = 0
	}
}

// Check returns an error that wraps ErrJoint for numbers that the solver cannot work
// with.
func (j *Joint) Check() error {
	switch {
	case j.Key == 0 || j.KeyA == 0 || j.KeyA == j.KeyB:
		return fmt.Errorf("%w: it needs a key, a body A, and another B or the world", ErrJoint)
	case j.Kind < Distance || j.Kind > Target:
		return fmt.Errorf("%w: kind %d: must be Distance, Hinge, Weld, Slider, Wheel or Target", ErrJoint, j.Kind)
	case j.Flags&jointGone == jointGone || j.KeyB == 0 && j.Gone():
		return fmt.Errorf("%w: flags %08b", ErrJoint, j.Flags)
	case !(j.Min <= j.Max):
		return fmt.Errorf("%w: min = %v, max = %v: min must not be above max", ErrJoint, j.Min, j.Max)
	}
	if err := j.checkRanges(); err != nil {
		return err
	}
	for row, impulse := range j.Impulse {
		if !finite(impulse) || row >= rowLower && impulse < 0 {
			return fmt.Errorf("%w: impulse %d = %v", ErrJoint, row, impulse)
		}
	}
	return nil
}

func (j *Joint) checkRanges() error {
	limit := float64(MaxSize)
	if j.Kind == Hinge {
		limit = MaxHingeLimit
	}
	for _, f := range [...]struct {
		name          string
		value, lo, hi float64
	}{
		{"anchor A x", j.AnchorA.X, -MaxSize, MaxSize},
		{"anchor A y", j.AnchorA.Y, -MaxSize, MaxSize},
		{"anchor B x", j.AnchorB.X, -MaxSize, MaxSize},
		{"anchor B y", j.AnchorB.Y, -MaxSize, MaxSize},
		{"axis", j.Axis, -MaxSpin, MaxSpin},
		{"angle", j.Angle, -MaxSpin, MaxSpin},
		{"length", j.Length, 0, MaxSize},
		{"min", j.Min, -limit, limit},
		{"max", j.Max, -limit, limit},
		{"hertz", j.Hertz, 0, MaxJointHertz},
		{"damping", j.Damping, 0, MaxJointDamping},
		{"turn hertz", j.TurnHertz, 0, MaxJointHertz},
		{"turn damping", j.TurnDamping, 0, MaxJointDamping},
		{"speed", j.Speed, -MaxSpeed, MaxSpeed},
		{"max force", j.MaxForce, 0, MaxJointForce},
		{"break force", j.BreakForce, 0, MaxJointForce},
		{"break torque", j.BreakTorque, 0, MaxJointForce},
	} {
		if !(f.value >= f.lo && f.value <= f.hi) {
			return fmt.Errorf("%w: %s = %v: must be %v to %v", ErrJoint, f.name, f.value, f.lo, f.hi)
		}
	}
	return nil
}

const jointSettings = 17 // numbers of a joint before its impulses

// floats returns the numbers of a joint, in the order of the byte form.
func (j *Joint) floats() [jointSettings + jointRows]*float64 {
	return [...]*float64{
		&j.AnchorA.X,
		&j.AnchorA.Y,
		&j.AnchorB.X,
		&j.AnchorB.Y,
		&j.Axis,
		&j.Angle,
		&j.Length,
		&j.Min,
		&j.Max,
		&j.Hertz,
		&j.Damping,
		&j.TurnHertz,
		&j.TurnDamping,
		&j.Speed,
		&j.MaxForce,
		&j.BreakForce,
		&j.BreakTorque,
		&j.Impulse[0],
		&j.Impulse[1],
		&j.Impulse[2],
		&j.Impulse[3],
		&j.Impulse[4],
		&j.Impulse[5],
	}
}

// jointFloatNames returns the names of floats.
func jointFloatNames() [jointSettings + jointRows]string {
	return [...]string{
		"anchor a x",
		"anchor a y",
		"anchor b x",
		"anchor b y",
		"axis",
		"angle",
		"length",
		"min",
		"max",
		"hertz",
		"damping",
		"turn hertz",
		"turn damping",
		"speed",
		"max force",
		"break force",
		"break torque",
		"impulse x",
		"impulse y",
		"impulse angle",
		"impulse motor",
		"impulse lower",
		"impulse upper",
	}
}
