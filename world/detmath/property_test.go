package detmath

import (
	"math"
	"math/big"
	"testing"

	"github.com/hindcast/hindcast/runtime/simtest/draws"
	"pgregory.net/rapid"
)

// bitsOf draws any float64, infinities and NaN too.
func bitsOf(t *rapid.T, label string) float64 {
	return math.Float64frombits(rapid.Uint64().Draw(t, label))
}

func between(t *rapid.T, low, high float64, label string) float64 {
	return rapid.Float64Range(low, high).Draw(t, label)
}

func near(t *rapid.T, what string, got, want, relative float64) {
	if d := math.Abs(got - want); !(d <= relative*math.Abs(want)) {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

func exactly(t *rapid.T, what string, got, want float64) {
	if !same(got, want) {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

// opposite returns -x, but the canonical NaN for NaN.
func opposite(x float64) float64 {
	if x != x {
		return nan()
	}
	return -x
}

func TestSymmetry(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		x, y := bitsOf(t, "x"), bitsOf(t, "y")
		s, c := Sincos(x)
		exactly(t, "Sincos and Sin", s, Sin(x))
		exactly(t, "Sincos and Cos", c, Cos(x))
		exactly(t, "Sin odd", Sin(-x), opposite(s))
		exactly(t, "Cos even", Cos(-x), c)
		exactly(t, "Tan odd", Tan(-x), opposite(Tan(x)))
		exactly(t, "Atan odd", Atan(-x), opposite(Atan(x)))
		exactly(t, "Asin odd", Asin(-x), opposite(Asin(x)))
		exactly(t, "Atan2 odd in y", Atan2(-y, x), opposite(Atan2(y, x)))
		exactly(t, "Hypot symmetric", Hypot(x, y), Hypot(y, x))
		exactly(t, "Hypot even", Hypot(-x, y), Hypot(x, y))
		exactly(t, "Pow of 1", Pow(x, 1), canonical(x))
	})
}

func canonical(x float64) float64 {
	if x != x {
		return nan()
	}
	return x
}

func TestInverses(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		a := between(t, -math.Pi, math.Pi, "angle")
		s, c := Sincos(a)
		near(t, "s^2 + c^2", float64(s*s)+float64(c*c), 1, 4e-16)
		if d := math.Abs(Atan2(s, c) - a); d > 1e-15 && d < fullTurn-1e-15 {
			t.Errorf("Atan2(Sincos(%v)) is off by %v", a, d)
		}
		x := between(t, 1e-300, 1e300, "x")
		near(t, "Exp(Log)", Exp(Log(x)), x, 2e-13) // 690 times half a unit
		near(t, "Pow 1/2", Pow(x, 0.5), Sqrt(x), 2.3e-16)
		near(t, "Pow -1", Pow(x, -1), 1/x, 2.3e-16)
		near(t, "Log2", Log2(x)*math.Ln2, Log(x), 1e-15)
		near(t, "Log10", Log10(x)*math.Ln10, Log(x), 1e-15)
		r := between(t, -1, 1, "ratio")
		if d := Asin(r) + Acos(r) - halfPiHi; math.Abs(d) > 5e-16 {
			t.Errorf("Asin + Acos of %v is off by %v", r, d)
		}
		near(t, "Tan(Atan)", Tan(Atan(x)), x, 1e-15*(1+x)) // the slope grows with x
	})
}

// Scaling both arguments by a power of two changes nothing in the angle, on
// whichever path it is computed.
func TestAtan2Scale(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		y, x := between(t, -1e6, 1e6, "y"), between(t, -1e6, 1e6, "x")
		if math.Abs(y) < 1e-6 || math.Abs(x) < 1e-6 {
			return // would lose bits when scaled down
		}
		for _, k := range []float64{0x1p-990, 0x1p-400, 0x1p+400, 0x1p+1000} {
			exactly(t, "scaled", Atan2(y*k, x*k), Atan2(y, x))
			exactly(t, "hypot scaled", Hypot(y*k, x*k), Hypot(y, x)*k)
		}
	})
}

func TestWrap(t *testing.T) {
	turn := new(big.Float).SetPrec(2200).SetFloat64(fullTurn)
	draws.Check(t, func(t *rapid.T) {
		a := between(t, -50, 50, "angle")
		if rapid.Bool().Draw(t, "far") {
			if a = bitsOf(t, "any"); !isFinite(a) {
				return
			}
		}
		w := Wrap(a)
		if !(w > -math.Pi && w <= math.Pi) {
			t.Errorf("Wrap(%v) = %v is outside (-pi, pi]", a, w)
		}
		exactly(t, "again", Wrap(w), w)
		d := new(big.Float).SetPrec(2200).SetFloat64(a)
		d.Sub(d, new(big.Float).SetFloat64(w))
		n, _ := new(big.Float).SetPrec(2200).Quo(d, turn).Int(nil)
		if new(big.Float).SetPrec(2200).Mul(turn, new(big.Float).SetPrec(2200).SetInt(n)).Cmp(d) != 0 {
			t.Errorf("Wrap(%v) = %v is not a whole number of turns away", a, w)
		}
	})
}

// Powers of small integers that are a float64 are exact, and so are the
// logarithms of powers of two and ten.
func TestExactResults(t *testing.T) {
	for base := -40; base <= 40; base++ {
		want := 1.0
		for n := 0; math.Abs(want) < 1<<53; n++ {
			if got := Pow(float64(base), float64(n)); got != want {
				t.Errorf("Pow(%d, %d) = %v, want %v", base, n, got, want)
			}
			if want *= float64(base); base >= -1 && base <= 1 && n > 4 {
				break
			}
		}
	}
	for k := -1074; k < 1024; k++ {
		x := math.Ldexp(1, k)
		if got := Log2(x); got != float64(k) {
			t.Errorf("Log2(2^%d) = %v", k, got)
		}
		if got := Pow(2, float64(k)); got != x {
			t.Errorf("Pow(2, %d) = %v", k, got)
		}
	}
	for k, x := 0, 1.0; k <= 22; k, x = k+1, x*10 {
		if got := Log10(x); got != float64(k) {
			t.Errorf("Log10(1e%d) = %v", k, got)
		}
	}
}

// Where two formulas or two table entries meet, the function must not step
// back.
func TestMonotoneAtSeams(t *testing.T) {
	check := func(name string, f func(float64) float64, at float64) {
		t.Helper()
		x := at
		for range 40 {
			x = math.Nextafter(x, math.Inf(-1))
		}
		for range 80 {
			next := math.Nextafter(x, inf)
			if f(next) < f(x) {
				t.Errorf("%s steps back at %v: %v, then %v", name, next, f(x), f(next))
			}
			x = next
		}
	}
	for k := range 129 {
		edge := (float64(k) - 0.5) / 64
		check("Atan", Atan, edge)
		check("Atan", Atan, 1/max(edge, 1.0/64))
		check("Exp", Exp, (float64(k)+0.5)*(math.Ln2/128))
		check("Exp", Exp, (float64(k)-1e5+0.5)*(math.Ln2/128))
		check("Log", Log, math.Float64frombits(logFirst+uint64(k)<<45))
		check("Log", Log, math.Float64frombits(logFirst-5<<52+uint64(k)<<45))
	}
	for _, x := range []float64{tinyAngle, smallAngle, -smallAngle, -tinyAngle} {
		check("Sin", Sin, x)
		check("Tan", Tan, x)
		check("-Cos", func(x float64) float64 { return -Cos(math.Abs(x)) }, math.Abs(x))
	}
	check("Atan", Atan, 1.0/16)
	check("Atan", Atan, 16)
	check("Asin", Asin, 0x1p-28)
	check("Asin", Asin, math.Sqrt(0.5))
	check("-Acos", func(x float64) float64 { return -Acos(x) }, math.Sqrt(0.5))
}
