package physics

import "github.com/hindcast/hindcast/world/detmath"

// Pose is where a body is: the position of its origin, in metres, and its
// angle in radians, in (-pi, pi].
type Pose struct{ X, Y, Angle float64 }

// Position returns the position of the origin.
func (p *Pose) Position() Vec { return Vec{p.X, p.Y} }

// ToWorld converts a point of the frame that has this pose to the world.
func (p *Pose) ToWorld(v Vec) Vec {
	s, c := detmath.Sincos(p.Angle)
	return p.Position().add(v.rotate(c, s))
}

// ToBody converts a point of the world to the frame that has this pose.
func (p *Pose) ToBody(v Vec) Vec {
	s, c := detmath.Sincos(p.Angle)
	return v.sub(p.Position()).unrotate(c, s)
}

// Velocity is how a body moves: VX and VY are the velocity of its centre of mass
// in metres a second, W its spin in radians a second.
type Velocity struct{ VX, VY, W float64 }
