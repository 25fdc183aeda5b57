package runtime

import (
	"math"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/detmath"
	"github.com/hindcast/hindcast/world/physics"
)

// claimFor is where this state has an object, as a client claims it.
func claimFor(s *world.State, slot int, known uint32) wire.Claim {
	b := s.Body(slot)
	return wire.Claim{Object: s.Objects[slot].ID, Tick: s.Tick, Known: known,
		X: float32(b.X), Y: float32(b.Y), Angle: float32(b.Angle),
		VX: float32(b.VX), VY: float32(b.VY), AngularRate: float32(b.W)}
}

// wrong compares a claim with the truth. distance is how far apart they are.
func (t *Thresholds) wrong(s *world.State, slot int, c *wire.Claim) (distance float64, in wire.Wrong) {
	b := s.Body(slot)
	claimed := physics.Body{X: float64(c.X), Y: float64(c.Y), Angle: float64(c.Angle), VX: float64(c.VX), VY: float64(c.VY), W: float64(c.AngularRate)}
	return t.apart(&claimed, b)
}

// apart says in what two bodies differ by more than the thresholds, and how far
// apart they are.
func (t *Thresholds) apart(a, b *physics.Body) (distance float64, in wire.Wrong) {
	if distance = math.Hypot(a.X-b.X, a.Y-b.Y); distance > t.Position {
		in |= wire.WrongPosition
	}
	if math.Abs(detmath.Wrap(a.Angle-b.Angle)) > t.Angle {
		in |= wire.WrongAngle
	}
	if math.Hypot(a.VX-b.VX, a.VY-b.VY) > t.Velocity {
		in |= wire.WrongVelocity
	}
	if math.Abs(a.W-b.W) > t.AngularVelocity {
		in |= wire.WrongSpin
	}
	return distance, in
}
