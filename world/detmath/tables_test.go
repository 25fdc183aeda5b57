package detmath

import (
	"math"
	"math/big"
	"testing"
)

// checkParts fails unless hi is want rounded, and lo the rest, rounded.
func checkParts(t *testing.T, what string, hi, lo float64, want *big.Float) {
	t.Helper()
	h, _ := want.Float64()
	l, _ := sub(want, refOf(h)).Float64()
	if hi != h || lo != l {
		t.Errorf("%s: have %x + %x, want %x + %x", what, hi, lo, h, l)
	}
}

// checkRest fails unless hi is a multiple of 2^-places near want, and lo the
// rest, rounded.
func checkRest(t *testing.T, what string, hi, lo float64, places int, want *big.Float) {
	t.Helper()
	if scaled := math.Ldexp(hi, places); scaled != math.Floor(scaled) {
		t.Errorf("%s: %x is no multiple of 2^-%d", what, hi, places)
	}
	l, _ := sub(want, refOf(hi)).Float64()
	if lo != l || math.Abs(lo) > math.Ldexp(0.5, -places) {
		t.Errorf("%s: have %x + %x, want the rest %x", what, hi, lo, l)
	}
}

func TestTables(t *testing.T) {
	r := newReference()
	for k, at := range atanTable {
		c := float64(k) / 64
		checkParts(t, "atan", at.hi, at.lo, r.atan2(refOf(c), refOf(1)))
		if at.at != c || math.Abs(float64(at.slope*(1+float64(c*c)))-1) > 1e-15 {
			t.Errorf("atan table entry %d: at %v, slope %v", k, at.at, at.slope)
		}
	}
	for j, two := range exp2Table {
		checkParts(t, "exp2", two.hi, two.lo, r.exp(mul(refOf(float64(j)/128), r.ln2)))
	}
	two := new(big.Float).SetInt(new(big.Int).Lsh(big.NewInt(1), 19*64+1))
	n, _ := new(big.Float).SetPrec(piBits).Quo(two, r.pi).Int(nil)
	for i := 19; i >= 0; i-- {
		word := new(big.Int).And(n, new(big.Int).SetUint64(math.MaxUint64)).Uint64()
		if invPi[i] != word {
			t.Errorf("invPi[%d] is %#x, want %#x", i, invPi[i], word)
		}
		n.Rsh(n, 64)
	}
}

func TestLogTable(t *testing.T) {
	r := newReference()
	for i, at := range logTable {
		first := math.Float64frombits(logFirst + uint64(i)<<45)
		last := math.Float64frombits(logFirst + uint64(i+1)<<45 - 1)
		most := max(math.Abs(float64(first*at.inv)-1), math.Abs(float64(last*at.inv)-1))
		if most > 1.0/128 {
			t.Errorf("interval %d: r up to %v, want at most 1/128", i, most)
		}
		places := 7
		if first >= 1 {
			places = 8
		}
		if s := math.Ldexp(at.inv, places); s != math.Floor(s) {
			t.Errorf("interval %d: inv %x has more than %d places, r is not exact", i, at.inv, places)
		}
		if (first <= 1 && last >= 0.999) != (at.inv == 1) {
			t.Errorf("interval %d from %v to %v: inv %v", i, first, last, at.inv)
		}
		if at.inv == 1 {
			if at.hi != 0 || at.lo != 0 {
				t.Errorf("interval %d: the logarithm of 1 is %v + %v", i, at.hi, at.lo)
			}
			continue
		}
		if math.Abs(at.hi) < most { // logParts adds r to it with fastTwoSum
			t.Errorf("interval %d: |hi| %v is below r up to %v", i, at.hi, most)
		}
		checkRest(t, "log", at.hi, at.lo, 42, newRef().Neg(r.log(refOf(at.inv))))
	}
}

func TestConstants(t *testing.T) {
	r := newReference()
	pi := newRef().Set(r.pi)
	checkParts(t, "pi", piHi, piLo, pi)
	checkParts(t, "pi/2", halfPiHi, halfPiLo, r.halfPi())
	rest := sub(sub(r.halfPi(), refOf(halfPi1)), refOf(halfPi2))
	if h, _ := rest.Float64(); h != halfPi3 {
		t.Errorf("halfPi3 is %x, want %x", halfPi3, h)
	}
	for _, h := range []float64{halfPi1, halfPi2} {
		if math.Float64bits(h)&(1<<20-1) != 0 {
			t.Errorf("%x has more than 33 bits: its product with 2^20 is not exact", h)
		}
	}
	checkRest(t, "ln2", ln2Hi, ln2Lo, 42, r.ln2)
	checkRest(t, "ln2/128", expStepHi, expStepLo, 42, shift(r.ln2, -7))
	checkParts(t, "1/ln2", perLn2Hi, perLn2Lo, quo(refOf(1), r.ln2))
	checkParts(t, "1/ln10", perLn10Hi, perLn10Lo, quo(refOf(1), r.ln10))
	if f, _ := quo(refOf(128), r.ln2).Float64(); f != expPerUnit {
		t.Errorf("expPerUnit is %x, want %x", expPerUnit, f)
	}
	if f, _ := quo(refOf(2), pi).Float64(); f != twoOverPi {
		t.Errorf("twoOverPi is %x, want %x", twoOverPi, f)
	}
}

// TestPolynomials checks the error that the comment on each set of coefficients
// states, the coefficients being as they are rounded.
func TestPolynomials(t *testing.T) {
	r := newReference()
	of := func(x *big.Float, c ...float64) *big.Float {
		sum := refOf(0)
		for i := len(c) - 1; i >= 0; i-- {
			sum = add(mul(sum, x), refOf(c[i]))
		}
		return sum
	}
	cube := func(x *big.Float) *big.Float { return mul(x, mul(x, x)) }
	within := func(name string, x float64, got, want *big.Float, bits int) {
		t.Helper()
		d, _ := quo(sub(got, want), want).Float64()
		if math.Abs(d) > math.Ldexp(1, -bits) {
			t.Errorf("%s polynomial at %v is off by 2^%.1f", name, x, math.Log2(math.Abs(d)))
		}
	}
	for i := -200; i <= 200; i++ {
		u := float64(i)/200 + 1.0/4096 // not zero, and over both ends
		x := u * smallAngle
		b := refOf(x)
		z := mul(b, b)
		s, c := r.sincos(x)
		within("sin", x, add(b, mul(cube(b), of(z, s0, s1, s2, s3, s4, s5))), s, 57)
		within("cos", x, add(of(z, 1, -0.5), mul(mul(z, z), of(z, c0, c1, c2, c3, c4, c5))), c, 63)
		x = math.Abs(u) / 16
		b = refOf(x)
		z = mul(b, b)
		within("near atan", x, add(b, mul(cube(b), of(z, near0, near1, near2, near3, near4))), r.atan2(b, refOf(1)), 61)
		x = math.Abs(u) / 128
		b = refOf(x)
		z = mul(b, b)
		within("atan step", x, add(b, mul(cube(b), of(z, step0, step1, step2))), r.atan2(b, refOf(1)), 65)
		x = u * math.Ln2 / 256
		b = refOf(x)
		within("exp", x, add(of(b, 1, 1), mul(mul(b, b), of(b, e0, e1, e2, e3))), r.exp(b), 63)
		x = u / 128
		b = refOf(x)
		within("log", x, add(of(b, 0, 1, -0.5), mul(cube(b), of(b, l0, l1, l2, l3, l4, l5, l6))), r.log(add(refOf(1), b)), 69)
	}
}
