package runtime

import (
	"math"

	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
)

// pose is where a body is drawn: metres and radians.
type pose struct{ x, y, angle float64 }

func poseOf(b *physics.Body) pose { return pose{b.X, b.Y, b.Angle} }

// arc is the shortest way from one angle to another, in [-pi, pi].
func arc(from, to float64) float64 { return math.Remainder(to-from, 2*math.Pi) }

// from is the way from q to p, the angle's by the shortest arc.
func (p pose) from(q pose) pose { return pose{p.x - q.x, p.y - q.y, arc(q.angle, p.angle)} }

// along is p and a part of a way.
func (p pose) along(way pose, part float64) pose {
	return pose{p.x + float64(way.x*part), p.y + float64(way.y*part), math.Remainder(p.angle+float64(way.angle*part), 2*math.Pi)}
}

func (p pose) distance() float64 { return math.Hypot(p.x, p.y) }

// towards is the part of the way from p to q. A body that was put elsewhere
// does not go there: it is at p until it is at q.
func (p pose) towards(q pose, part float64, leapt bool) pose {
	switch {
	case !leapt:
		return p.along(q.from(p), part)
	case part < 1:
		return p
	}
	return q
}

// leapRoom is by how much a body may have moved beyond what its speeds tell.
const leapRoom = 1 // m

// leapt reports whether a way was not gone but leapt: farther than twice what
// the faster of two speeds, in m/s, makes in a time.
func leapt(way pose, v1, v2, seconds float64) bool {
	return way.distance() > leapRoom+float64(2*max(v1, v2)*seconds)
}

// speed is how fast a body is, in m/s.
func speed(b *physics.Body) float64 { return math.Hypot(b.VX, b.VY) }

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
