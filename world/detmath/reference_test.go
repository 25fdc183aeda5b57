package detmath

import (
	"math"
	"math/big"
)

// The reference: series in math/big, with far more bits than any result here
// can need. refBits is for sums and products, piBits for angles as large as the
// largest float64.
const (
	refBits = 320
	piBits  = 1500
)

func newRef() *big.Float                   { return new(big.Float).SetPrec(refBits) }
func refOf(x float64) *big.Float           { return newRef().SetFloat64(x) }
func add(a, b *big.Float) *big.Float       { return newRef().Add(a, b) }
func sub(a, b *big.Float) *big.Float       { return newRef().Sub(a, b) }
func mul(a, b *big.Float) *big.Float       { return newRef().Mul(a, b) }
func quo(a, b *big.Float) *big.Float       { return newRef().Quo(a, b) }
func root(a *big.Float) *big.Float         { return newRef().Sqrt(a) }
func shift(a *big.Float, n int) *big.Float { return newRef().SetMantExp(a, n) }

// reference holds the constants, computed once by newReference.
type reference struct {
	ln2, ln10 *big.Float // refBits
	pi        *big.Float // piBits
}

func newReference() *reference {
	third := quo(refOf(1), refOf(3))
	r := &reference{ln2: shift(oddSeries(third, false), 1), pi: machinPi()}
	r.ln10 = r.log(refOf(10))
	return r
}

// machinPi is 16 atan(1/5) - 4 atan(1/239) in integers.
func machinPi() *big.Float {
	const guard = 64
	arccot := func(n int64) *big.Int {
		term := new(big.Int).Lsh(big.NewInt(1), piBits+guard)
		term.Quo(term, big.NewInt(n))
		sum, nn, part := new(big.Int), big.NewInt(n*n), new(big.Int)
		for k := int64(1); term.Sign() != 0; k += 2 {
			part.Quo(term, big.NewInt(k))
			if k&2 == 0 {
				sum.Add(sum, part)
			} else {
				sum.Sub(sum, part)
			}
			term.Quo(term, nn)
		}
		return sum
	}
	a, b := arccot(5), arccot(239)
	a.Mul(a, big.NewInt(16)).Sub(a, b.Mul(b, big.NewInt(4)))
	f := new(big.Float).SetPrec(piBits).SetInt(a)
	return f.SetMantExp(f, -(piBits + guard))
}

// oddSeries is x + x^3/3 + x^5/5 ..., the area hyperbolic tangent, or with
// alternating signs, the arctangent, for small x.
func oddSeries(x *big.Float, alternate bool) *big.Float {
	sum, power, xx := refOf(0).Set(x), newRef().Set(x), mul(x, x)
	if alternate {
		xx.Neg(xx)
	}
	for k := 3; x.Sign() != 0; k += 2 {
		power.Mul(power, xx)
		if power.MantExp(nil) < x.MantExp(nil)-refBits {
			break
		}
		sum.Add(sum, quo(power, refOf(float64(k))))
	}
	return sum
}

// factorialSeries is first + first xx/(n+1)(n+2) + ... : sine for n = 1, cosine
// for n = 0, both with a negative xx.
func factorialSeries(first, xx *big.Float, n int) *big.Float {
	sum, term := newRef().Set(first), newRef().Set(first)
	for term.Sign() != 0 && term.MantExp(nil) > first.MantExp(nil)-refBits {
		term.Mul(term, xx)
		term.Quo(term, refOf(float64((n+1)*(n+2))))
		sum.Add(sum, term)
		n += 2
	}
	return sum
}

func (r *reference) halfPi() *big.Float { return shift(r.pi, -1) }

// sincos reduces by a multiple of pi/2 with piBits.
func (r *reference) sincos(x float64) (sin, cos *big.Float) {
	wide := func() *big.Float { return new(big.Float).SetPrec(piBits) }
	half := wide().SetMantExp(r.pi, -1)
	turns := wide().Quo(wide().SetFloat64(x), half)
	turns.Add(turns, wide().SetFloat64(math.Copysign(0.5, x)))
	n, _ := turns.Int(nil)
	rest := wide().Sub(wide().SetFloat64(x), wide().Mul(wide().SetInt(n), half))
	a := newRef().Set(rest)
	xx := mul(a, a)
	xx.Neg(xx)
	s, c := factorialSeries(a, xx, 1), factorialSeries(refOf(1), xx, 0)
	q := new(big.Int).And(n, big.NewInt(3)).Int64()
	if q&1 != 0 {
		s, c = c, s.Neg(s)
	}
	if q&2 != 0 {
		s.Neg(s)
		c.Neg(c)
	}
	return s, c
}

// atan2 is for y >= 0 and any x, not both zero.
func (r *reference) atan2(y, x *big.Float) *big.Float {
	if x.Sign() < 0 {
		return sub(newRef().Set(r.pi), r.atan2(y, newRef().Neg(x)))
	}
	if y.Cmp(x) > 0 {
		return sub(r.halfPi(), r.atan2(x, y))
	}
	q := quo(y, x)
	for range 4 { // atan q = 2 atan(q / (1 + sqrt(1+q^2)))
		q = quo(q, add(refOf(1), root(add(refOf(1), mul(q, q)))))
	}
	return shift(oddSeries(q, true), 4)
}

// log is for x > 0.
func (r *reference) log(x *big.Float) *big.Float {
	m := newRef()
	e := x.MantExp(m)
	if m.Cmp(refOf(0.7)) < 0 {
		m.SetMantExp(m, 1)
		e--
	}
	t := quo(sub(m, refOf(1)), add(m, refOf(1)))
	return add(shift(oddSeries(t, false), 1), mul(refOf(float64(e)), r.ln2))
}

// exp is for |x| below about 1e5.
func (r *reference) exp(x *big.Float) *big.Float {
	f, _ := quo(x, r.ln2).Float64()
	n := math.Floor(f + 0.5)
	rest := shift(sub(x, mul(refOf(n), r.ln2)), -10)
	sum, term := refOf(1), refOf(1)
	for k := 1; term.Sign() != 0 && term.MantExp(nil) > -refBits; k++ {
		term.Mul(term, rest)
		term.Quo(term, refOf(float64(k)))
		sum.Add(sum, term)
	}
	for range 10 {
		sum.Mul(sum, sum)
	}
	return shift(sum, int(n))
}

// ulps returns how far got is from want, in units of the last place of want. Where
// want rounds to infinity, only infinity will do.
func ulps(got float64, want *big.Float) float64 {
	rounded, _ := want.Float64()
	if math.IsInf(rounded, 0) || math.IsInf(got, 0) || math.IsNaN(got) {
		if got == rounded {
			return 0
		}
		return math.Inf(1)
	}
	last := max(want.MantExp(nil)-53, -1074)
	d := sub(refOf(got), want)
	f, _ := d.Abs(shift(d, -last)).Float64()
	return f
}
