package physics

// Pose is where a body is: the position of its origin, in metres, and its
// angle in radians, in (-pi, pi].
type Pose struct{ X, Y, Angle float64 }

// Position returns the position of the origin.
func (p *Pose) Position() Vec { return Vec{p.X, p.Y} }

// Velocity is how a body moves: VX and VY are the velocity of its centre of mass
// in metres a second, W its spin in radians a second.
type Velocity struct{ VX, VY, W float64 }
