package goscript

import (
	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
)

// Body is the rigid body of an object: where the object is, and how it moves. Units
// are metres, kilograms, seconds, newtons and radians.
type Body struct{ of Object }

// Pose returns where the object is and where it faces.
func (b Body) Pose() physics.Pose { return b.of.body().Pose }

// Velocity returns how the object moves and turns.
func (b Body) Velocity() physics.Velocity { return b.of.body().Velocity }

// Mass returns the mass; 0 for a body that nothing pushes.
func (b Body) Mass() float64 {
	p := b.of.body()
	return b.of.stage().world().Schema().Defs[p.Def].MassKg()
}

// Copy returns the whole body, for points in its frame (ToWorld) and for joints.
func (b Body) Copy() physics.Body { return *b.of.body() }

// SetPosition moves the object at once, whatever is in between.
func (b Body) SetPosition(x, y float64) { b.set(world.SetPosition, x, y) }

// SetDirection turns the object to an angle.
func (b Body) SetDirection(angle float64) { b.set(world.SetDirection, angle, 0) }

// SetVelocity sets the velocity of the centre of mass.
func (b Body) SetVelocity(vx, vy float64) { b.set(world.SetVelocity, vx, vy) }

// SetAngularVelocity sets the angular velocity.
func (b Body) SetAngularVelocity(w float64) { b.set(world.SetAngularVelocity, w, 0) }

// SetForce sets a force that acts until it is set again.
func (b Body) SetForce(fx, fy float64) { b.set(world.SetForce, fx, fy) }

// SetTorque sets a torque that acts until it is set again.
func (b Body) SetTorque(torque float64) { b.set(world.SetTorque, torque, 0) }

// SetDirectionalForce is SetForce with a direction and an amount.
func (b Body) SetDirectionalForce(angle, force float64) {
	b.set(world.SetDirectionalForce, angle, force)
}

// ApplyForce adds a force for this tick only.
func (b Body) ApplyForce(fx, fy float64) { b.set(world.AddForce, fx, fy) }

// ApplyTorque adds a torque for this tick only.
func (b Body) ApplyTorque(torque float64) { b.set(world.AddTorque, torque, 0) }

// ApplyImpulse changes the velocity at once, in newton seconds at the centre.
func (b Body) ApplyImpulse(jx, jy float64) { b.set(world.AddImpulse, jx, jy) }

// ApplyAngularImpulse changes the angular velocity at once, in newton metre seconds.
func (b Body) ApplyAngularImpulse(j float64) { b.set(world.AddAngularImpulse, j, 0) }

// set changes the body. A change of another object is carried out later, when it
// is too late to fail, so the object is looked at first.
func (b Body) set(kind world.OpKind, x, y float64) {
	b.of.body()
	b.of.do(world.Op{Kind: kind, A: x, B: y})
}

// MoveAndSlide moves the acting object by dx, dy metres, and slides it along obstacles.
// It returns the contacts with them, valid until the next call.
func (b Body) MoveAndSlide(dx, dy float64) []world.Bump {
	st := b.of.stage()
	b.of.body()
	if b.of != st.self() {
		fail("MoveAndSlide moves the object whose hook runs")
	}
	finite("MoveAndSlide", dx, dy)
	bumps, err := st.change(moveCost).MoveAndSlide(dx, dy)
	if err != nil {
		fail("MoveAndSlide: %s", err)
	}
	p := b.Pose()
	st.traced(world.Op{Target: b.of.ID(), Kind: world.SetPosition, A: p.X, B: p.Y}, "")
	return bumps
}

// Attach puts the object at dx, dy metres in the frame of a holder, and holds it
// there. The two do not collide with each other.
func (b Body) Attach(holder Object, dx, dy float64) {
	b.of.body()
	holder.body()
	w := b.of.stage().change(1)
	b.of.stage().traced(world.Op{Target: b.of.ID(), Kind: world.AttachTo, Word: uint64(holder.ID()), A: dx, B: dy}, "")
	if err := w.Attach(b.of.ID(), holder.ID(), dx, dy); err != nil {
		fail("Attach: %s", err)
	}
}

// Detach ends the attachment of the object, if there is one.
func (b Body) Detach() {
	b.of.body()
	w := b.of.stage().change(1)
	b.of.stage().traced(world.Op{Target: b.of.ID(), Kind: world.LetGo}, "")
	if err := w.Detach(b.of.ID()); err != nil {
		fail("Detach: %s", err)
	}
}

// Holder returns the object that this one is attached to; no object if it is not.
func (b Body) Holder() Object {
	j, ok := b.of.joint()
	if !ok {
		return Object{}
	}
	return b.of.object(world.ObjectID(j.KeyA))
}
