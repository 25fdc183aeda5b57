package runtime

import (
	"math"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/detmath"
)

// claimFor is where this state has an object, as a client claims it.
func claimFor(s *world.State, slot int, known uint32) wire.Claim {
	b := s.Body(slot)
	return wire.Claim{Object: s.Objects[slot].ID, Tick: s.Tick, Known: known,
		X: float32(b.X), Y: float32(b.Y), Angle: float32(b.Angle),
		VX: float32(b.VX), VY: float32(b.VY), AngularRate: float32(b.W)}
}

// wrong compares a claim with the truth. distance is how far apart they are.
func (t *Thresholds) wrong(s *world.State, slot int, c *wire.Claim) (distance float64, wrong bool) {
	b := s.Body(slot)
	distance = math.Hypot(float64(c.X)-b.X, float64(c.Y)-b.Y)
	return distance, distance > t.Position ||
		math.Abs(detmath.Wrap(float64(c.Angle)-b.Angle)) > t.Angle ||
		math.Hypot(float64(c.VX)-b.VX, float64(c.VY)-b.VY) > t.Velocity ||
		math.Abs(float64(c.AngularRate)-b.W) > t.AngularVelocity
}
