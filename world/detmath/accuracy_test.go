package detmath

import (
	"flag"
	"math"
	"math/big"
	"testing"
)

var samples = flag.Int("samples", 2000, "arguments a function in the comparison with math/big")

// function is one function of this package, its reference, and the arguments to
// try it with.
type function struct {
	name string
	of   func(a, b float64) float64
	want func(r *reference, a, b float64) *big.Float // nil: no finite result
	args source
	most float64 // the largest error allowed, in units of the last place
}

// mostAt returns the largest error allowed where the result is want. Subnormal ones
// of Exp, Pow and Hypot are rounded once to 53 bits and once more to the bits
// that a subnormal has.
func (f function) mostAt(want *big.Float) float64 {
	if want.MantExp(nil) > -1022 {
		return f.most
	}
	return max(f.most, float64(f.most*0.5)+0.5)
}

func one(f func(float64) float64) func(a, b float64) float64 {
	return func(a, _ float64) float64 { return f(a) }
}

func sineOf(x float64) float64   { s, _ := Sincos(x); return s }
func cosineOf(x float64) float64 { _, c := Sincos(x); return c }

func wantSin(r *reference, a, _ float64) *big.Float { s, _ := r.sincos(a); return s }
func wantCos(r *reference, a, _ float64) *big.Float { _, c := r.sincos(a); return c }
func wantTan(r *reference, a, _ float64) *big.Float {
	s, c := r.sincos(a)
	return quo(s, c)
}

func wantAtan2(r *reference, y, x float64) *big.Float {
	v := r.atan2(refOf(math.Abs(y)), refOf(x))
	if math.Signbit(y) {
		v.Neg(v)
	}
	return v
}

func wantAtan(r *reference, a, _ float64) *big.Float { return wantAtan2(r, a, 1) }

func wantAsin(r *reference, a, _ float64) *big.Float {
	v := r.atan2(refOf(math.Abs(a)), root(sub(refOf(1), mul(refOf(a), refOf(a)))))
	if a < 0 {
		v.Neg(v)
	}
	return v
}

func wantAcos(r *reference, a, _ float64) *big.Float {
	return r.atan2(root(sub(refOf(1), mul(refOf(a), refOf(a)))), refOf(a))
}

func wantExp(r *reference, a, _ float64) *big.Float   { return r.exp(refOf(a)) }
func wantLog(r *reference, a, _ float64) *big.Float   { return r.log(refOf(a)) }
func wantLog2(r *reference, a, _ float64) *big.Float  { return quo(r.log(refOf(a)), r.ln2) }
func wantLog10(r *reference, a, _ float64) *big.Float { return quo(r.log(refOf(a)), r.ln10) }

func wantPow(r *reference, x, y float64) *big.Float {
	if x == 0 {
		return nil // a table test has these
	}
	v := r.exp(mul(refOf(y), r.log(refOf(math.Abs(x)))))
	if x < 0 && math.Mod(y, 2) != 0 {
		v.Neg(v)
	}
	return v
}

func wantHypot(_ *reference, x, y float64) *big.Float {
	// Squares of the largest and smallest float64 stay far inside big.Float.
	return root(add(mul(refOf(x), refOf(x)), mul(refOf(y), refOf(y))))
}

func wantSqrt(_ *reference, a, _ float64) *big.Float { return root(refOf(a)) }

func functions() []function {
	return []function{
		{"Sincos.sin", one(sineOf), wantSin, angles, 0.80},
		{"Sincos.cos", one(cosineOf), wantCos, angles, 0.80},
		{"Sin", one(Sin), wantSin, angles, 0.80},
		{"Cos", one(Cos), wantCos, angles, 0.80},
		{"Tan", one(Tan), wantTan, angles, 0.83},
		{"Atan2", Atan2, wantAtan2, points, 0.60},
		{"Atan", one(Atan), wantAtan, slopes, 0.60},
		{"Asin", one(Asin), wantAsin, ratios, 0.60},
		{"Acos", one(Acos), wantAcos, ratios, 0.60},
		{"Exp", one(Exp), wantExp, exponents, 0.51},
		{"Log", one(Log), wantLog, positives, 0.51},
		{"Log2", one(Log2), wantLog2, positives, 0.51},
		{"Log10", one(Log10), wantLog10, positives, 0.51},
		{"Pow", Pow, wantPow, powers, 0.51},
		{"Hypot", Hypot, wantHypot, points, 0.86},
		{"Sqrt", one(Sqrt), wantSqrt, positives, 0.5},
	}
}

// accuracy compares n calls with the reference. It returns the largest error
// relative to what is allowed there, that error in units of the last place, and
// its arguments.
func (f function) accuracy(r *reference, n int) (share, worst float64, at pair) {
	s := stream(len(f.name))
	for i := range n {
		p := f.args(&s, i)
		if !isFinite(p.a) || !isFinite(p.b) {
			continue
		}
		want := f.want(r, p.a, p.b)
		if want == nil {
			continue
		}
		u := ulps(f.of(p.a, p.b), want)
		if v := u / f.mostAt(want); v > share {
			share, worst, at = v, u, p
		}
	}
	return share, worst, at
}

func TestAccuracy(t *testing.T) {
	r := newReference()
	for _, f := range functions() {
		t.Run(f.name, func(t *testing.T) {
			share, worst, at := f.accuracy(r, *samples)
			t.Logf("worst %.4f ulp at (%g, %g)", worst, at.a, at.b)
			if share > 1 {
				t.Errorf("error %.4f ulp at (%x, %x), want at most %.2f", worst, at.a, at.b, worst/share)
			}
			if share < 0.5 {
				t.Errorf("worst error %.4f ulp: the limit of %.2f says nothing", worst, f.most)
			}
		})
	}
}
