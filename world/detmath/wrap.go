package detmath

import "math"

const fullTurn = 2 * math.Pi

// Wrap returns the angle, in radians, that differs from a by a multiple of
// 2*math.Pi and lies in (-math.Pi, math.Pi]. It is exact, and leaves angles
// alone that lie there.
//
// The turn is the float64 2*math.Pi, which is 2.4e-16 short of a true one, as
// it is in code that adds and subtracts turns. Far from zero that adds up: for
// the sine and cosine of a large angle call Sincos on the angle itself.
//
// Special cases: Wrap(±0) = ±0; Wrap(±Inf) and Wrap(NaN) = NaN.
func Wrap(a float64) float64 {
	if a > -math.Pi && a <= math.Pi {
		return a
	}
	// Up to 3 pi one turn is enough, and the difference of two numbers within a
	// factor of two of each other is exact.
	if a > 0 {
		if r := a - fullTurn; r <= math.Pi {
			return r
		}
	} else if r := a + fullTurn; r > -math.Pi {
		return r
	}
	r := math.Mod(a, fullTurn)
	switch {
	case r != r:
		return nan()
	case r > math.Pi:
		return r - fullTurn
	case r <= -math.Pi:
		return r + fullTurn
	}
	return r
}
