package detmath

import "math"

// ln2 as a multiple of 2^-42, whose product with an exponent is exact, and what
// it leaves over.
const (
	ln2Hi = 0x1.62e42fefa38p-1
	ln2Lo = 0x1.ef35793c7673p-45
)

// 1/ln2 and 1/ln10, each as a float64 and what it leaves over.
const (
	perLn2Hi  = 0x1.71547652b82fep+0
	perLn2Lo  = 0x1.777d0ffda0d24p-56
	perLn10Hi = 0x1.bcb7b1526e50ep-2
	perLn10Lo = 0x1.95355baaafad3p-57
)

// Coefficients of log(1+r) = r - r^2/2 + r^3 (l0 + ... + l6 r^6): minimax on
// |r| <= 2^-7, error below 2^-69 of r.
const (
	l0 = 0x1.5555555555555p-2
	l1 = -0x1.000000000002dp-2
	l2 = 0x1.9999999999abap-3
	l3 = -0x1.5555554a22011p-3
	l4 = 0x1.24924911c0418p-3
	l5 = -0x1.000599abb91a3p-3
	l6 = 0x1.c72981d1c68e8p-4
)

// logFirst is the bits of 0.70703125, where the first interval of logTable
// begins. Interval 75 begins at 1.
const logFirst = 0x3fe6a00000000000

// Log returns the natural logarithm of x.
//
// Special cases: Log(±0) = -Inf; Log(1) = +0; Log(+Inf) = +Inf; Log(x) = NaN
// for x < 0 and for NaN.
func Log(x float64) float64 {
	if !(x > 0 && x <= math.MaxFloat64) {
		return logSpecial(x)
	}
	h, l := logParts(x)
	return h + l
}

// Log2 returns the logarithm of x to the base 2. It is exact for the powers of
// two. The special cases are those of Log.
func Log2(x float64) float64 {
	return logBase(x, perLn2Hi, perLn2Lo)
}

// Log10 returns the logarithm of x to the base 10. It is exact for the powers
// of ten that are a float64. The special cases are those of Log.
func Log10(x float64) float64 {
	return logBase(x, perLn10Hi, perLn10Lo)
}

// logBase returns the logarithm of x times bh+bl.
func logBase(x, bh, bl float64) float64 {
	if !(x > 0 && x <= math.MaxFloat64) {
		return logSpecial(x)
	}
	h, l := logParts(x)
	p, e := twoProduct(h, bh)
	return p + (e + (float64(h*bl) + float64(l*bh)))
}

// logSpecial is the logarithm, to any base, of what is not positive and finite.
func logSpecial(x float64) float64 {
	switch {
	case x == 0:
		return math.Inf(-1)
	case x > 0:
		return x
	}
	return nan()
}

// logParts returns the logarithm of a positive, finite x as a sum of two
// float64, good to about 2^-68 of it.
//
// x is 2^k z with z from 0.707 to 1.414, and z is (1+r)/inv with inv from a
// table, so that log x = k log 2 - log inv + log(1+r). Each inv has so few bits
// that r is exact: z < 1 is a multiple of 2^-53 and its inv of 2^-7, z >= 1 is
// a multiple of 2^-52 and its inv of 2^-8; and r is at most 2^-7.
func logParts(x float64) (hi, lo float64) {
	b := math.Float64bits(x)
	below := 0
	if b < 1<<52 { // subnormal
		b = math.Float64bits(x * (1 << 52))
		below = 52
	}
	d := b - logFirst
	k := float64(int(int64(d)>>52) - below)
	at := &logTable[d>>45&127]
	z := math.Float64frombits(b - d&(0xfff<<52))
	zh := math.Float64frombits(math.Float64bits(z) &^ lowHalf)
	r := (float64(zh*at.inv) - 1) + float64((z-zh)*at.inv)

	// r^2/2 = rh^2/2, which is exact, + (r-rh)(r+rh)/2.
	rh := math.Float64frombits(math.Float64bits(r) &^ lowHalf)
	sh, sl := float64(rh*rh*0.5), float64((r-rh)*(r+rh)*0.5)
	rr := float64(r * r)
	p := (l0 + float64(r*l1)) + float64(rr*((l2+float64(r*l3))+float64(rr*((l4+float64(r*l5))+float64(rr*l6)))))
	cube := float64(r * rr * p)

	table := float64(k*ln2Hi) + at.hi // exact: multiples of 2^-42 below 2^10
	h1, t1 := fastTwoSum(table, r)
	h2, t2 := fastTwoSum(h1, -sh)
	return fastTwoSum(h2, ((float64(k*ln2Lo)+at.lo)-sl)+(cube+(t1+t2)))
}
