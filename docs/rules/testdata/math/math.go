// Package math breaks the rule on exact functions.
package math

import (
	. "math"
	other "math"
	"math/bits"
)

func functions(x float64) float64 {
	x = Sin(x)             // want: math.Sin
	x = other.Pow(x, 2)    // want: math.Pow
	f := other.Exp         // want: math.Exp
	x = other.FMA(x, x, x) // want: math.FMA
	x = Sqrt(other.Abs(x)) + other.Pi + other.MaxFloat64
	return f(x) + float64(bits.Len64(Float64bits(x)))
}

type own struct{}

func (own) Sin() float64 { return 0 }

func methods() float64 { return own{}.Sin() }
