package physics

import "math"

// Vec is a point or a direction in the plane, in metres unless said otherwise.
type Vec struct{ X, Y float64 }

// Limits of the world. Beyond them bodies are held back and counted.
const (
	MaxPosition = 1e5 // metres, each of x and y
	MaxSpeed    = 1e3 // metres a second
	MaxSpin     = 1e3 // radians a second
)

// slop is the length below which the engine does not distinguish: 5 mm.
const slop = 0.005

func (a Vec) add(b Vec) Vec          { return Vec{a.X + b.X, a.Y + b.Y} }
func (a Vec) sub(b Vec) Vec          { return Vec{a.X - b.X, a.Y - b.Y} }
func (a Vec) neg() Vec               { return Vec{-a.X, -a.Y} }
func (a Vec) scale(s float64) Vec    { return Vec{float64(a.X * s), float64(a.Y * s)} }
func (a Vec) dot(b Vec) float64      { return float64(a.X*b.X) + float64(a.Y*b.Y) }
func (a Vec) cross(b Vec) float64    { return float64(a.X*b.Y) - float64(a.Y*b.X) }
func (a Vec) lengthSquared() float64 { return float64(a.X*a.X) + float64(a.Y*a.Y) }
func (a Vec) length() float64        { return math.Sqrt(a.lengthSquared()) }
func (a Vec) addScaled(b Vec, s float64) Vec {
	return Vec{a.X + float64(b.X*s), a.Y + float64(b.Y*s)}
}

// rotate turns a by the angle of the given cosine and sine.
func (a Vec) rotate(c, s float64) Vec {
	return Vec{float64(c*a.X) - float64(s*a.Y), float64(s*a.X) + float64(c*a.Y)}
}

// unrotate turns a back.
func (a Vec) unrotate(c, s float64) Vec {
	return Vec{float64(c*a.X) + float64(s*a.Y), float64(c*a.Y) - float64(s*a.X)}
}

// normal returns the unit vector along a, or +x where a has no direction.
func (a Vec) normal() (n Vec, length float64) {
	length = a.length()
	if length < 1e-12 {
		return Vec{1, 0}, length
	}
	return Vec{a.X / length, a.Y / length}, length
}

func finite(v float64) bool { return v-v == 0 }

func (a Vec) finite() bool { return finite(a.X) && finite(a.Y) }

func clamp(v, lo, hi float64) float64 {
	if v < lo {
		return lo
	}
	if v > hi {
		return hi
	}
	return v
}
