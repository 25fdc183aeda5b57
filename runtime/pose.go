package runtime

import (
	"math"

	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
)

// arc is the shortest way from one angle to another, in [-pi, pi].
func arc(from, to float64) float64 { return math.Remainder(to-from, 2*math.Pi) }

// offset is the way from one pose to another, that of the angle by the shortest arc.
func offset(from, to physics.Pose) physics.Pose {
	return physics.Pose{X: to.X - from.X, Y: to.Y - from.Y, Angle: arc(from.Angle, to.Angle)}
}

// along is the pose after a part of an offset.
func along(p, offset physics.Pose, part float64) physics.Pose {
	return physics.Pose{X: p.X + float64(offset.X*part), Y: p.Y + float64(offset.Y*part), Angle: math.Remainder(p.Angle+float64(offset.Angle*part), 2*math.Pi)}
}

// ahead is the pose after some seconds at a velocity.
func ahead(p physics.Pose, v physics.Velocity, seconds float64) physics.Pose {
	return along(p, physics.Pose{X: v.VX, Y: v.VY, Angle: v.W}, seconds)
}

// distance is the length of an offset, in metres.
func distance(offset physics.Pose) float64 { return math.Hypot(offset.X, offset.Y) }

// towards is the pose after a part of the way from p to q. A body that was put
// elsewhere does not travel: it is at p until it is at q.
func towards(p, q physics.Pose, part float64, leapt bool) physics.Pose {
	switch {
	case !leapt:
		return along(p, offset(p, q), part)
	case part < 1:
		return p
	}
	return q
}

// leapRoom is by how much a body may have moved beyond what its speeds tell.
const leapRoom = 1 // m

// leapt reports whether a way was not gone but leapt: farther than twice what
// the faster of two speeds, in m/s, makes in a time.
func leapt(way physics.Pose, v1, v2, seconds float64) bool {
	return distance(way) > leapRoom+float64(2*max(v1, v2)*seconds)
}

// speed is the length of a velocity, in m/s.
func speed(v physics.Velocity) float64 { return math.Hypot(v.VX, v.VY) }

// bodyOf is the body of an object in a state that may be nil; nil if there is none.
func bodyOf(s *world.State, id world.ObjectID) *physics.Body {
	if s == nil {
		return nil
	}
	slot, ok := s.Find(id)
	if !ok || s.Body(slot).Key == 0 {
		return nil
	}
	return s.Body(slot)
}
