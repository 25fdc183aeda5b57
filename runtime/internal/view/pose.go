package view

import (
	"math"

	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
)

// BodyOf returns the body of an object in a state, which may be nil. It is nil if there
// is none.
func BodyOf(s *world.State, id world.ObjectID) *physics.Body {
	if s == nil {
		return nil
	}
	slot, ok := s.Find(id)
	if !ok || s.Body(slot).Key == 0 {
		return nil
	}
	return s.Body(slot)
}

// Offset returns the offset from one pose to another, with the angle along the shorter
// arc.
func Offset(from, to physics.Pose) physics.Pose {
	return physics.Pose{X: to.X - from.X, Y: to.Y - from.Y, Angle: arc(from.Angle, to.Angle)}
}

// arc returns the shorter arc from one angle to another, in [-pi, pi].
func arc(from, to float64) float64 { return math.Remainder(to-from, 2*math.Pi) }

// along returns the pose after a part of an offset.
func along(p, offset physics.Pose, part float64) physics.Pose {
	return physics.Pose{
		X:     p.X + float64(offset.X*part),
		Y:     p.Y + float64(offset.Y*part),
		Angle: math.Remainder(p.Angle+float64(offset.Angle*part), 2*math.Pi),
	}
}

// ahead returns the pose after some seconds at a velocity.
func ahead(p physics.Pose, v physics.Velocity, seconds float64) physics.Pose {
	return along(p, physics.Pose{X: v.VX, Y: v.VY, Angle: v.W}, seconds)
}

// distance returns the length of an offset, in metres.
func distance(offset physics.Pose) float64 { return math.Hypot(offset.X, offset.Y) }

// speed returns the length of a velocity, in m/s.
func speed(v physics.Velocity) float64 { return math.Hypot(v.VX, v.VY) }

// towards returns the pose after a part of the offset from p to q. A body that was
// teleported is at p until it is at q.
func towards(p, q physics.Pose, part float64, teleported bool) physics.Pose {
	switch {
	case !teleported:
		return along(p, Offset(p, q), part)
	case part < 1:
		return p
	}
	return q
}

// Between returns the pose of a body after a part of a tick, 0 to 1. before is the body at
// the beginning of the tick, nil if it did not exist, and body the one at the end. seconds
// is the length of the tick.
func Between(before, body *physics.Body, part, seconds float64) physics.Pose {
	if before == nil || before.Pose == body.Pose {
		return body.Pose
	}
	far := teleported(Offset(before.Pose, body.Pose), speed(before.Velocity), speed(body.Velocity), seconds)
	return towards(before.Pose, body.Pose, part, far)
}

// VelocityBetween returns the velocity of a body after a part of a tick, as Between its pose.
func VelocityBetween(before, body *physics.Body, part, seconds float64) physics.Velocity {
	if before == nil ||
		teleported(Offset(before.Pose, body.Pose), speed(before.Velocity), speed(body.Velocity), seconds) {
		return body.Velocity
	}
	return gaining(before.Velocity, body.Velocity, part)
}

// gaining returns the velocity after a part of the change from v to w.
func gaining(v, w physics.Velocity, part float64) physics.Velocity {
	return physics.Velocity{
		VX: v.VX + float64((w.VX-v.VX)*part),
		VY: v.VY + float64((w.VY-v.VY)*part),
		W:  v.W + float64((w.W-v.W)*part),
	}
}

// teleportSlack is how far a body may move beyond what its speeds explain, in metres.
const teleportSlack = 1

// teleported reports whether a body was moved to another place: the offset is more than
// twice the distance that the greater of two speeds, in m/s, covers in a time.
func teleported(way physics.Pose, v1, v2, seconds float64) bool {
	return distance(way) > teleportSlack+float64(2*max(v1, v2)*seconds)
}
