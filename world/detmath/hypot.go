package detmath

import "math"

// Sqrt returns the square root of x: that of math, which is exact to the last
// bit on every CPU, with the one NaN of this package.
//
// Special cases: Sqrt(±0) = ±0; Sqrt(+Inf) = +Inf; Sqrt(x) = NaN for x < 0 and
// for NaN.
func Sqrt(x float64) float64 {
	if x >= 0 {
		return math.Sqrt(x)
	}
	return nan()
}

// Hypot returns sqrt(x*x + y*y), without overflow or underflow on the way.
//
// Special cases, as in C99 annex F: Hypot is +Inf if either is infinite, even
// if the other is NaN; otherwise NaN if either is NaN.
func Hypot(x, y float64) float64 {
	a, b := math.Abs(x), math.Abs(y)
	if a < b {
		a, b = b, a
	}
	// The smaller square may underflow to nothing; it is then beyond the last
	// bit of the larger.
	if a >= 0x1p-400 && a <= 0x1p+400 && b >= 0 {
		return hypotOf(a, b)
	}
	switch {
	case math.IsInf(x, 0) || math.IsInf(y, 0):
		return math.Inf(1)
	case x != x || y != y:
		return nan()
	case a == 0:
		return 0
	case a > 1:
		return float64(hypotOf(a*0x1p-600, b*0x1p-600) * 0x1p+600)
	}
	return float64(hypotOf(a*0x1p+600, b*0x1p+600) * 0x1p-600)
}

// hypotOf is Hypot for a >= b >= 0 of a size whose squares do not overflow. The
// sum of the squares, a^2 = ah^2 + (a-ah)(a+ah), is rounded only once.
func hypotOf(a, b float64) float64 {
	ah := math.Float64frombits(math.Float64bits(a) &^ lowHalf)
	bh := math.Float64frombits(math.Float64bits(b) &^ lowHalf)
	s, t := fastTwoSum(float64(ah*ah), float64(bh*bh))
	return math.Sqrt(s + (t + (float64((a-ah)*(a+ah)) + float64((b-bh)*(b+bh)))))
}
