package runtime

import (
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
)

// claimFor is where this state has an object, as a client claims it.
func claimFor(s *world.State, slot int, known uint32) wire.Claim {
	b := s.Body(slot)
	return wire.Claim{Object: s.Objects[slot].ID, Tick: s.Tick, KnownSeq: known,
		X: float32(b.X), Y: float32(b.Y), Angle: float32(b.Angle),
		VX: float32(b.VX), VY: float32(b.VY), AngularVelocity: float32(b.W)}
}

// exceeds compares a claim with the body that the host has. distance is how far
// apart they are in metres, in what differs by more than the thresholds.
func exceeds(t *bundle.Thresholds, c *wire.Claim, b *physics.Body) (distance float64, in wire.Mismatch) {
	claimed := physics.Body{Pose: physics.Pose{X: float64(c.X), Y: float64(c.Y), Angle: float64(c.Angle)},
		Velocity: physics.Velocity{VX: float64(c.VX), VY: float64(c.VY), W: float64(c.AngularVelocity)}}
	return t.Exceeded(&claimed, b)
}
