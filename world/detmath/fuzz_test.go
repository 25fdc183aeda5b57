package detmath

import (
	"math"
	"testing"
)

// checkAny fails where a result is a NaN that is not the canonical one, a NaN
// or no NaN where the other is right, or outside the range of the function.
func checkAny(t *testing.T, a, b float64) {
	t.Helper()
	bounds := map[string][2]float64{
		"Sincos.sin": {-1, 1}, "Sincos.cos": {-1, 1}, "Sin": {-1, 1}, "Cos": {-1, 1},
		"Atan2": {-piHi, piHi}, "Atan": {-halfPiHi, halfPiHi}, "Asin": {-halfPiHi, halfPiHi}, "Acos": {0, piHi},
		"Exp": {0, inf}, "Log": {-745.2, inf}, "Log2": {-1074, inf}, "Log10": {-323.4, inf}, "Hypot": {0, inf}, "Sqrt": {0, inf},
		"Wrap": {-piHi, piHi},
	}
	for _, f := range append(functions(), function{name: "Wrap", of: one(Wrap)}) {
		v := f.of(a, b)
		if v != v {
			if !same(v, nan()) {
				t.Errorf("%s(%x, %x) is the NaN %#x", f.name, a, b, math.Float64bits(v))
			}
			continue
		}
		if w, ok := bounds[f.name]; ok && !(v >= w[0] && v <= w[1]) && !(v == -inf && a == 0) {
			t.Errorf("%s(%x, %x) = %v is outside [%v, %v]", f.name, a, b, v, w[0], w[1])
		}
	}
	if v := Pow(a, b); math.IsNaN(v) != math.IsNaN(math.Pow(a, b)) {
		t.Errorf("Pow(%x, %x) = %v, math has %v", a, b, v, math.Pow(a, b))
	}
	if v := Atan2(a, b); math.IsNaN(v) != (a != a || b != b) {
		t.Errorf("Atan2(%x, %x) = %v", a, b, v)
	}
}

func TestAnyBits(t *testing.T) {
	s := stream(7)
	for range 3000 {
		p := anything(&s, 0)
		checkAny(t, p.a, p.b)
	}
}

func FuzzAnyBits(f *testing.F) {
	for _, x := range []float64{0, negZero, 1, -1, belowOne, inf, -inf, anyNaN, subnorm, largest, smallAngle, mediumAngle, 0x1p-400, 0x1p+400} {
		f.Add(math.Float64bits(x), math.Float64bits(-x))
		f.Add(math.Float64bits(x), math.Float64bits(3))
	}
	f.Fuzz(func(t *testing.T, a, b uint64) {
		checkAny(t, math.Float64frombits(a), math.Float64frombits(b))
	})
}
