package physics

import (
	"math"

	"github.com/hindcast/hindcast/world/detmath"
)

// Body is the state of one body, flat: 128 bytes without pointers.
//
// X, Y is the position of the body's origin; VX, VY is the velocity of its centre of
// mass. Cos and Sin are those of Angle: set the angle with SetAngle. Position, velocity
// and forces may be written directly.
type Body struct {
	Key  uint64 // names the body for good; 0: the slot is free
	Def  uint32 // index of its Def
	Rest uint32 // steps at rest, or that it sleeps: see Asleep and Wake
	Pose        // SetAngle sets the angle
	Velocity
	Cos, Sin           float64 // of Angle
	FX, FY             float64 // N, stay until set again
	Torque             float64 // N m, stays until set again
	ImpFX, ImpFY, ImpT float64 // N and N m of this tick only: Step uses and clears them
}

// NewBody returns a body at rest at p, turned by angle in radians.
func NewBody(key uint64, def uint32, p Vec, angle float64) Body {
	b := Body{Key: key, Def: def, Pose: Pose{X: p.X, Y: p.Y}}
	b.SetAngle(angle)
	return b
}

// SetAngle turns the body to angle, in radians, taken into (-pi, pi], and wakes
// it. An angle that is not finite counts as 0.
func (b *Body) SetAngle(angle float64) {
	if !finite(angle) {
		angle = 0
	}
	b.Angle = detmath.Wrap(angle)
	b.Sin, b.Cos = detmath.Sincos(b.Angle)
	b.Wake()
}

// ApplyForce pushes at the centre of mass during the next step, in newtons
// (m/s2 where the Def says ForcePerMass).
func (b *Body) ApplyForce(fx, fy float64) {
	b.ImpFX += fx
	b.ImpFY += fy
}

// ForceFor returns the force and the torque that accelerate a body by itself so much, in m/s2 and rad/s2; 0 for what
// nothing accelerates.
func (d *Def) ForceFor(ax, ay, angular float64) (fx, fy, torque float64) {
	mass, inertia := d.inverseMass(), d.inverseInertia()
	if mass == 0 || d.ForcePerMass {
		fx, fy = ax, ay
	} else {
		fx, fy = ax/mass, ay/mass
	}
	switch {
	case mass == 0:
		fx, fy = 0, 0
	case inertia == 0:
	case d.ForcePerMass:
		torque = angular
	default:
		torque = angular / inertia
	}
	return fx, fy, torque
}

// ApplyForceAt is ApplyForce at a point of the world, which also turns the body.
func (b *Body) ApplyForceAt(def *Def, fx, fy float64, at Vec) {
	b.ApplyForce(fx, fy)
	b.ApplyTorque(at.sub(b.CentreOfMass(def)).cross(Vec{fx, fy}))
}

// ApplyTorque turns during the next step, in newton metres.
func (b *Body) ApplyTorque(t float64) { b.ImpT += t }

// ApplyImpulse changes the velocity at once by an impulse at the centre of
// mass, in newton seconds. Only dynamic bodies take impulses.
func (b *Body) ApplyImpulse(def *Def, jx, jy float64) {
	b.VX += float64(def.inverseMass() * jx)
	b.VY += float64(def.inverseMass() * jy)
}

// ApplyImpulseAt is ApplyImpulse at a point of the world, which also turns the
// body.
func (b *Body) ApplyImpulseAt(def *Def, jx, jy float64, at Vec) {
	b.ApplyImpulse(def, jx, jy)
	b.ApplyAngularImpulse(def, at.sub(b.CentreOfMass(def)).cross(Vec{jx, jy}))
}

// ApplyAngularImpulse changes the spin at once, by newton metre seconds.
func (b *Body) ApplyAngularImpulse(def *Def, j float64) { b.W += float64(def.inverseInertia() * j) }

// CentreOfMass returns the centre of mass in the world.
func (b *Body) CentreOfMass(def *Def) Vec {
	return b.Position().add(def.centreOfMass().rotate(b.Cos, b.Sin))
}

// VelocityAt returns the velocity in m/s of the body's matter at a point of the world.
func (b *Body) VelocityAt(def *Def, at Vec) Vec {
	r := at.sub(b.CentreOfMass(def))
	return Vec{b.VX - float64(b.W*r.Y), b.VY + float64(b.W*r.X)}
}

// ToWorld converts a point of the body's frame to the world.
func (b *Body) ToWorld(p Vec) Vec { return b.Position().add(p.rotate(b.Cos, b.Sin)) }

// ToBody converts a point of the world to the body's frame.
func (b *Body) ToBody(p Vec) Vec { return p.sub(b.Position()).unrotate(b.Cos, b.Sin) }

// FlipX flips the lowest bit of X: a fault for tests to find.
func (b *Body) FlipX() { b.X = math.Float64frombits(math.Float64bits(b.X) ^ 1) }

// sanitise brings numbers that are out of range back within the limits, and reports
// whether there were any.
func (b *Body) sanitise() bool {
	x, y, w := hold(&b.X, MaxPosition), hold(&b.Y, MaxPosition), hold(&b.W, MaxSpin)
	v := holdSpeed(&b.VX, &b.VY)
	if !finite(b.Angle) {
		b.SetAngle(0)
		return true
	}
	return x || y || w || v
}

// hold brings a number within the limit. NaN becomes 0.
func hold(p *float64, limit float64) bool {
	switch v := *p; {
	case v > limit:
		*p = limit
	case v < -limit:
		*p = -limit
	case v != v:
		*p = 0
	default:
		return false
	}
	return true
}

// holdSpeed shortens a velocity to MaxSpeed.
func holdSpeed(vx, vy *float64) bool {
	s := float64(*vx**vx) + float64(*vy**vy)
	if s <= MaxSpeed*MaxSpeed {
		return false
	}
	hold(vx, 1e100) // so that the length does not overflow
	hold(vy, 1e100)
	if l := (Vec{*vx, *vy}).length(); l > MaxSpeed {
		k := MaxSpeed / l
		*vx, *vy = float64(*vx*k), float64(*vy*k)
	}
	return true
}
