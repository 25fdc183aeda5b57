package detmath

import "math"

// Pow returns x to the power of y. Where the true result is a float64 (2^10,
// 1.5^3, 4^0.5) the result is exact.
//
// Special cases, as in C99 annex F:
//
//	Pow(x, ±0) = 1 for every x, NaN too
//	Pow(1, y) = 1 for every y, NaN too
//	Pow(±0, y) = ±Inf for y an odd integer < 0, +Inf for other y < 0
//	Pow(±0, y) = ±0 for y an odd integer > 0, +0 for other y > 0
//	Pow(-1, ±Inf) = 1
//	Pow(x, +Inf) = +Inf and Pow(x, -Inf) = +0 for |x| > 1
//	Pow(x, +Inf) = +0 and Pow(x, -Inf) = +Inf for |x| < 1
//	Pow(+Inf, y) = +Inf for y > 0, +0 for y < 0
//	Pow(-Inf, y) = Pow(-0, -y)
//	Pow(x, y) = NaN for finite x < 0 and finite y that is no integer
//	Pow(x, y) = NaN if either is NaN, but for the first two lines
func Pow(x, y float64) float64 {
	if y == 0 || x == 1 {
		return 1
	}
	a, negative := x, false
	if math.Float64bits(x)>>63 != 0 {
		whole, odd := wholeOdd(y)
		if !whole && x < 0 && x >= -math.MaxFloat64 {
			return nan()
		}
		a, negative = -x, odd
	}
	v := powPositive(a, y)
	if negative && v == v {
		return -v
	}
	return v
}

// powPositive is Pow for x >= +0 or NaN, and y not zero.
func powPositive(x, y float64) float64 {
	size := math.Abs(y)
	// Outside these bounds of y the power of a finite x > 0, x != 1, overflows,
	// vanishes or rounds to 1: 2^-53 <= |log x| < 2^10.
	if x > 0 && x <= math.MaxFloat64 && size >= 0x1p-65 && size <= 0x1p+65 {
		h, l := logParts(x)
		p, e := twoProduct(y, h)
		return expSum(p, e+float64(y*l))
	}
	switch {
	case x != x || y != y:
		return nan()
	case x == 1 || size < 1 && x > 0 && x <= math.MaxFloat64:
		return 1
	case (x > 1) == (y > 0):
		return math.Inf(1)
	}
	return 0
}

// wholeOdd tells whether y is an integer, and whether it is odd. From 2^53 on
// all are even, and so is infinity.
func wholeOdd(y float64) (whole, odd bool) {
	a := math.Abs(y)
	if !(a < 1<<53) {
		return a == a, false
	}
	whole = math.Trunc(a) == a
	return whole, whole && int64(a)&1 != 0
}
