package detmath

import "math"

// Atan2 returns the angle of the point (x, y) from the x axis, in radians, in
// [-pi, pi]; the signs of both choose the quadrant.
//
// Special cases, as in C99 annex F:
//
//	Atan2(±0, x) = ±0 for x > 0 and for x = +0
//	Atan2(±0, x) = ±pi for x < 0 and for x = -0
//	Atan2(y, ±0) = pi/2 with the sign of y, for y not zero
//	Atan2(±Inf, +Inf) = ±pi/4, Atan2(±Inf, -Inf) = ±3pi/4
//	Atan2(y, +Inf) = ±0, Atan2(y, -Inf) = ±pi with the sign of y, for finite y
//	Atan2(±Inf, x) = ±pi/2 for finite x
//	Atan2(y, x) = NaN if either is NaN
func Atan2(y, x float64) float64 {
	ay, ax := math.Abs(y), math.Abs(x)
	left := math.Float64bits(x)>>63 != 0
	var a float64
	// Between these bounds nothing in angle overflows or underflows.
	if ay >= 0x1p-400 && ay <= 0x1p+400 && ax >= 0x1p-400 && ax <= 0x1p+400 {
		a = angle(ay, 0, ax, 0, left)
	} else {
		a = angleExtreme(ay, ax, left)
		if a != a {
			return a
		}
	}
	return math.Copysign(a, y)
}

// Atan returns the arctangent of x, in radians, in [-pi/2, pi/2].
//
// Special cases: Atan(±0) = ±0; Atan(±Inf) = ±pi/2; Atan(NaN) = NaN.
func Atan(x float64) float64 {
	a := math.Abs(x)
	switch {
	case a <= 1:
		h, l := atanParts(a, 0)
		return math.Copysign(h+l, x)
	case a <= 0x1p+60:
		return math.Copysign(angle(a, 0, 1, 0, false), x)
	case x != x:
		return nan()
	}
	return math.Copysign(halfPiHi, x)
}

// Asin returns the arcsine of x, in radians, in [-pi/2, pi/2]: the angle of the
// point (sqrt(1-x^2), x).
//
// Special cases: Asin(±0) = ±0; Asin(x) = NaN for |x| > 1 and for NaN.
func Asin(x float64) float64 {
	a := math.Abs(x)
	if a < 0x1p-28 {
		return x
	}
	if a < 1 {
		h, l := otherSide(a)
		return math.Copysign(angle(a, 0, h, l, false), x)
	}
	if a == 1 {
		return math.Copysign(halfPiHi, x)
	}
	return nan()
}

// Acos returns the arccosine of x, in radians, in [0, pi]: the angle of the
// point (x, sqrt(1-x^2)).
//
// Special cases: Acos(1) = +0; Acos(-1) = pi; Acos(x) = NaN for |x| > 1 and for
// NaN.
func Acos(x float64) float64 {
	a := math.Abs(x)
	switch {
	case a < 0x1p-60:
		return halfPiHi
	case a < 1:
		h, l := otherSide(a)
		return angle(h, l, a, 0, x < 0)
	case x == 1:
		return 0
	case x == -1:
		return piHi
	}
	return nan()
}

// otherSide returns sqrt(1-a^2) = sqrt((1-a)(1+a)) for 0 <= a < 1 as a sum of two
// float64.
func otherSide(a float64) (hi, lo float64) {
	mh, ml := fastTwoSum(1, -a)
	ph, pl := fastTwoSum(1, a)
	h, e := twoProduct(mh, ph)
	return sqrtParts(fastTwoSum(h, e+(float64(mh*pl)+float64(ml*ph))))
}

// angle returns the angle of the point (x, y), or of (-x, y) if left is set,
// for y = yh+yl and x = xh+xl, neither below zero.
func angle(yh, yl, xh, xl float64, left bool) float64 {
	if yh > xh { // measured from the y axis
		h, l := atanParts(quotient(xh, xl, yh, yl))
		if left {
			s, e := fastTwoSum(halfPiHi, h)
			return s + (e + (halfPiLo + l))
		}
		s, e := fastTwoSum(halfPiHi, -h)
		return s + (e + (halfPiLo - l))
	}
	h, l := atanParts(quotient(yh, yl, xh, xl))
	if left {
		s, e := fastTwoSum(piHi, -h)
		return s + (e + (piLo - l))
	}
	return h + l
}

// angleExtreme is angle(y, 0, x, 0, left) for zeros, infinities, NaN, and
// numbers of a size that angle cannot take.
func angleExtreme(y, x float64, left bool) float64 {
	switch {
	case x != x || y != y:
		return nan()
	case math.IsInf(x, 1) && math.IsInf(y, 1):
		return angle(1, 0, 1, 0, left)
	case y == 0 || y < x*0x1p-60:
		if left {
			return piHi
		}
		if y == 0 {
			return 0
		}
		return y / x // the arctangent of so small a quotient is the quotient
	case x == 0 || x < y*0x1p-60:
		return halfPiHi
	case x > 1: // and so is y, or nearly: the quotient lies within 2^60 of 1
		return angle(y*0x1p-600, 0, x*0x1p-600, 0, left)
	}
	return angle(y*0x1p+600, 0, x*0x1p+600, 0, left)
}

// Coefficients of atan q = q + q^3 (near0 + near1 z + ...), z = q^2: minimax on
// |q| <= 1/16, error below 2^-61 of q.
const (
	near0 = -0x1.5555555555532p-2
	near1 = 0x1.999999995c460p-3
	near2 = -0x1.249248124a060p-3
	near3 = 0x1.c71842a4915b6p-4
	near4 = -0x1.70a6ab587d753p-4
)

// The same on |q| <= 1/128, error below 2^-65 of q.
const (
	step0 = -0x1.55555555554fdp-2
	step1 = 0x1.999999891fd00p-3
	step2 = -0x1.248b51d1374c3p-3
)

// atanParts returns the arctangent of q + t, for 0 <= q <= 1 and a tail t, as a
// large and a small part. From 1/16 on it starts at the nearest c = k/64: atan q
// = atan c + atan((q-c)/(1+qc)), to which the tail adds t times the slope.
func atanParts(q, t float64) (large, small float64) {
	if q < 1.0/16 {
		z := float64(q * q)
		p := near0 + float64(z*near1) + float64(float64(z*z)*(near2+float64(z*(near3+float64(z*near4)))))
		return q, float64(float64(q*z)*p) + t
	}
	at := &atanTable[int(float64(q*64)+0.5)]
	s := (q - at.at) / (1 + float64(q*at.at))
	z := float64(s * s)
	p := step0 + float64(z*(step1+float64(z*step2)))
	return at.hi, s + (float64(float64(s*z)*p) + (at.lo + float64(t*at.slope)))
}
