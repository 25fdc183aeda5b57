package physics

import (
	"errors"
	"fmt"
	"math"
)

// ErrDef is the reason why a Def is refused, wrapped with field and range.
var ErrDef = errors.New("bad body definition")

// BodyType is the way in which a body moves.
type BodyType uint8

// The types of body.
const (
	None      BodyType = iota // a free slot, or a class without a body
	Static                    // never moves
	Kinematic                 // moves by its velocity; nothing pushes it
	Dynamic                   // moves by forces and contacts
)

// Limits of a Def's numbers.
const (
	MaxDensity  = 1e6 // kg a square metre
	MaxFriction = 10
	MaxDamping  = 1e3 // a second
	MaxGravity  = 1e3 // gravity scale, either sign
	MinMass     = 1e-6
	MaxMass     = 1e12 // kg; inertia likewise, in kg m2
	MaxParts    = 256  // shapes of a body
)

// Def has the properties that all bodies of a class share. It never changes once prepared and is not
// part of the State. A Body names it by its index.
//
// A zero Layer or Collides collides with nothing; a zero GravityScale means no gravity.
type Def struct {
	Type        BodyType
	Shape       Shape
	Shapes      []Shape // if any, the parts of the body, in the place of Shape
	Density     float64 // kg a square metre, above 0 for a dynamic body unless Mass is given
	Mass        float64 // kg; 0: from Density and Shape
	Inertia     float64 // kg m2 about the centre of mass; 0: from mass and Shape
	Friction    float64 // of a pair: the geometric mean
	Restitution float64 // 0 to 1; of a pair: the greater
	// resistance of what is round to rolling: torque by normal force and radius; of a pair: the greater
	Rolling        float64
	SurfaceSpeed   float64 // m/s at which the surface runs counter-clockwise round the body: a conveyor
	LinearDamping  float64 // a second: v *= 1/(1+h*c) each sub-step of h seconds
	AngularDamping float64 // a second
	GravityScale   float64
	FixedRotation  bool   // never turns; its W is held at 0
	Bullet         bool   // does not pass through moving bodies either, even if struck or spinning
	ForcePerMass   bool   // forces are m/s2 and torques rad/s2
	NoSleep        bool   // never sleeps, nor do bodies that touch it
	Sensor         bool   // reports overlaps, pushes nothing, is not seen by queries
	Unsensed       bool   // kinematic: no sensor reports it, unless that is dynamic
	Layer          uint64 // bits: the layers it is on
	Collides       uint64 // bits: the layers it collides with; a pair collides if both agree

	mass, invMass       float64
	inertia, invInertia float64
	centre              Vec
	reach               float64
	core                float64 // how thin the thinnest part is, metres
	parts               []Shape // never empty once prepared
	kernels             []Shape // of the parts
	prepared            bool
}

// What Prepare derives.

func (d *Def) ready() bool             { return d.prepared }
func (d *Def) bodyMass() float64       { return d.mass }
func (d *Def) inverseMass() float64    { return d.invMass }
func (d *Def) inverseInertia() float64 { return d.invInertia }
func (d *Def) centreOfMass() Vec       { return d.centre }
func (d *Def) radius() float64         { return d.reach } // the greatest distance of any point from the centre of mass
func (d *Def) thickness() float64      { return d.core }
func (d *Def) pieces() []Shape         { return d.parts }
func (d *Def) pieceKernels() []Shape   { return d.kernels }

// Prepare checks every number and computes mass, inertia and centre of mass. It
// must be called once before the Def is used; a Def that was refused, or never
// prepared, makes bodies that do nothing. The error wraps ErrDef, and ErrShape where a
// shape is at fault.
func (d *Def) Prepare() error {
	d.prepared = false
	if d.Type < Static || d.Type > Dynamic {
		return fmt.Errorf("%w: type = %d: must be Static, Kinematic or Dynamic", ErrDef, d.Type)
	}
	if err := d.checkParts(); err != nil {
		return err
	}
	for _, f := range [...]struct {
		name          string
		value, lo, hi float64
	}{
		{"density", d.Density, 0, MaxDensity},
		{"mass", d.Mass, 0, MaxMass},
		{"inertia", d.Inertia, 0, MaxMass},
		{"friction", d.Friction, 0, MaxFriction},
		{"restitution", d.Restitution, 0, 1},
		{"rolling", d.Rolling, 0, MaxFriction},
		{"surface speed", d.SurfaceSpeed, -MaxSpeed, MaxSpeed},
		{"linear damping", d.LinearDamping, 0, MaxDamping},
		{"angular damping", d.AngularDamping, 0, MaxDamping},
		{"gravity scale", d.GravityScale, -MaxGravity, MaxGravity},
	} {
		if !(f.value >= f.lo && f.value <= f.hi) {
			return fmt.Errorf("%w: %s = %v: must be %v to %v", ErrDef, f.name, f.value, f.lo, f.hi)
		}
	}
	return d.derive()
}

// Parts returns the shapes of a prepared Def: Shapes, or Shape alone. They must not be changed.
func (d *Def) Parts() []Shape { return d.parts }

// checkParts checks the shapes and lists them.
func (d *Def) checkParts() error {
	d.parts = []Shape{d.Shape}
	if len(d.Shapes) > 0 {
		d.parts = append([]Shape(nil), d.Shapes...)
	}
	if len(d.parts) > MaxParts {
		return fmt.Errorf("%w: %d shapes: at most %d", ErrDef, len(d.parts), MaxParts)
	}
	for i := range d.parts {
		s := &d.parts[i]
		if err := s.Check(); err != nil {
			return fmt.Errorf("%w: shape %d: %w", ErrDef, i+1, err)
		}
		if d.Type == Dynamic && (s.Kind == Segment || s.Kind == Link) {
			return fmt.Errorf("%w: shape %d: a segment or chain has no area: a dynamic body needs another shape",
				ErrDef, i+1)
		}
	}
	return nil
}

// round reports whether the body is a circle about its centre of mass, whose
// turn nothing sees.
func (d *Def) round() bool { return len(d.parts) == 1 && d.parts[0].Kind == Circle }

// derive computes the masses. A body that nothing pushes has none.
func (d *Def) derive() error {
	unit := massOfParts(d.parts, 1)
	d.mass, d.inertia, d.invMass, d.invInertia, d.centre = 0, 0, 0, 0, unit.centre
	d.reach, d.core = 0, d.parts[0].core()
	d.kernels = make([]Shape, len(d.parts))
	for i := range d.parts {
		d.kernels[i] = d.parts[i].kernel()
		d.reach = max(d.reach, d.parts[i].reach(d.centre))
		d.core = min(d.core, d.parts[i].core())
	}
	d.prepared = true
	if d.Type != Dynamic {
		return nil
	}
	d.prepared = false
	d.mass = float64(d.Density * unit.mass)
	if d.Mass != 0 {
		d.mass = d.Mass
	}
	if !(d.mass >= MinMass && d.mass <= MaxMass) {
		return fmt.Errorf("%w: mass = %v kg (density %v): must be %v to %v; give a density above 0, or a mass",
			ErrDef, d.mass, d.Density, MinMass, float64(MaxMass))
	}
	d.inertia = float64(d.mass * (unit.inertia / unit.mass))
	if d.Inertia != 0 {
		d.inertia = d.Inertia
	}
	d.invMass = 1 / d.mass
	if !d.FixedRotation {
		d.invInertia = 1 / d.inertia
	}
	d.prepared = true
	return nil
}

// MassKg returns the mass of a dynamic body in kilograms, 0 for others.
func (d *Def) MassKg() float64 { return d.mass }

// InertiaKgM2 returns the moment of inertia about the centre of mass, 0 for bodies
// that are not dynamic.
func (d *Def) InertiaKgM2() float64 { return d.inertia }

// Centre returns the centre of mass in the body's frame, metres.
func (d *Def) Centre() Vec { return d.centre }

// Reach returns the greatest distance of the outline from the centre of mass.
func (d *Def) Reach() float64 { return d.reach }

// meets reports whether bodies of the two Defs collide or sense each other.
func (d *Def) meets(e *Def) bool {
	return d.Layer&e.Collides != 0 && e.Layer&d.Collides != 0
}

// CanTouch reports whether a body of one Def and another body of the other one collide or sense each other where they
// overlap: by their types, as sensors and by their layers.
func (d *Def) CanTouch(e *Def) bool {
	senses := func(a, b *Def) bool { return a.Sensor && b.Type >= Kinematic && !b.Unsensed }
	return d.Type != None && e.Type != None && !(d.Sensor && e.Sensor) && d.meets(e) &&
		(d.Type == Dynamic || e.Type == Dynamic || senses(d, e) || senses(e, d))
}

// NewDef returns a Def of these shapes with usual values in place of zeros: friction 0.6,
// on layer 1, colliding with all layers. A dynamic body also gets a density of 1 kg a
// square metre and a gravity scale of 1. Change what you like, then call Prepare.
func NewDef(t BodyType, shapes ...Shape) Def {
	d := Def{Type: t, Friction: 0.6, Layer: 1, Collides: math.MaxUint64}
	if t == Dynamic {
		d.Density, d.GravityScale = 1, 1
	}
	if len(shapes) == 1 {
		d.Shape = shapes[0]
	} else {
		d.Shapes = shapes
	}
	return d
}

// NewParams returns the Params of a world that makes hertz steps a second: gravity is
// 10 m/s2 downwards, a step has 4 sub-steps, islands sleep after 0.5 s at rest, and
// contacts that close in at 1 m/s are hits.
func NewParams(hertz float64) Params {
	return Params{DT: 1 / hertz, GravityY: -10, Substeps: 4, SleepAfter: 0.5, HitSpeed: 1}
}
