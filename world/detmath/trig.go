package detmath

import "math"

// smallAngle is pi/4 rounded to a float64: up to it no reduction is needed.
const smallAngle = math.Pi / 4

// tinyAngle is 2^-27: below it sin x and tan x round to x, and cos x to 1.
const tinyAngle = 1.0 / (1 << 27)

// Sincos returns the sine and the cosine of x, in radians.
//
// Special cases: Sincos(±0) = ±0, 1; Sincos(±Inf) and Sincos(NaN) = NaN, NaN.
func Sincos(x float64) (sin, cos float64) {
	var q int
	var r, t float64
	if a := math.Abs(x); a <= smallAngle {
		if a < tinyAngle {
			return x, 1
		}
		r = x
	} else {
		q, r, t = reduce(x)
		if r != r {
			return nan(), nan()
		}
	}
	sc := sinTail(r, t)
	sin = r + sc
	c, cc := cosParts(r, t)
	cos = c + cc
	if q&1 != 0 {
		sin, cos = cos, -sin
	}
	if q&2 != 0 {
		sin, cos = -sin, -cos
	}
	return sin, cos
}

// Sin returns the sine of x, in radians.
//
// Special cases: Sin(±0) = ±0; Sin(±Inf) and Sin(NaN) = NaN.
func Sin(x float64) float64 {
	if a := math.Abs(x); a <= smallAngle {
		if a < tinyAngle {
			return x
		}
		return x + sinTail(x, 0)
	}
	q, r, t := reduce(x)
	return sinOf(q, r, t)
}

// Cos returns the cosine of x, in radians.
//
// Special cases: Cos(±Inf) and Cos(NaN) = NaN.
func Cos(x float64) float64 {
	if math.Abs(x) <= smallAngle {
		c, cc := cosParts(x, 0)
		return c + cc
	}
	q, r, t := reduce(x)
	return sinOf(q+1, r, t)
}

// sinOf returns sin(q*pi/2 + r + t), with |r| up to about pi/4 and t its tail.
func sinOf(q int, r, t float64) float64 {
	if r != r {
		return nan()
	}
	var v float64
	if q&1 == 0 {
		v = r + sinTail(r, t)
	} else {
		c, cc := cosParts(r, t)
		v = c + cc
	}
	if q&2 != 0 {
		return -v
	}
	return v
}

// Tan returns the tangent of x, in radians.
//
// The sine and the cosine are each known as a sum of two float64; the quotient
// is corrected by what the first division left over. No float64 is so near to
// an odd multiple of pi/2 that the result overflows.
//
// Special cases: Tan(±0) = ±0; Tan(±Inf) and Tan(NaN) = NaN.
func Tan(x float64) float64 {
	var q int
	var r, t float64
	if a := math.Abs(x); a <= smallAngle {
		if a < tinyAngle {
			return x
		}
		r = x
	} else {
		q, r, t = reduce(x)
		if r != r {
			return nan()
		}
	}
	_, e := twoProduct(r, r) // what sinTail and cosParts lose in squaring r
	sh, sl := fastTwoSum(r, sinTail(r, t)+float64(s0*r*e))
	c, cc := cosParts(r, t)
	ch, cl := fastTwoSum(c, cc-float64(0.5*e))
	if q&1 != 0 {
		sh, sl, ch, cl = -ch, -cl, sh, sl
	}
	h, l := quotient(sh, sl, ch, cl)
	return h + l
}

// Coefficients of sin r = r + r^3 (s0 + s1 z + ... + s5 z^5), z = r^2: minimax
// on |r| <= pi/4, error below 2^-57 of r.
const (
	s0 = -0x1.5555555555549p-3
	s1 = 0x1.111111110f8a1p-7
	s2 = -0x1.a01a019c1518dp-13
	s3 = 0x1.71de357a018ecp-19
	s4 = -0x1.ae5e679df17dap-26
	s5 = 0x1.5d93516735853p-33
)

// sinTail returns sin(r+t) - r for |r| up to about pi/4 and a tail t much
// smaller than r. The tail enters through the derivative, cos r ~ 1 - r^2/2.
func sinTail(r, t float64) float64 {
	z := float64(r * r)
	zz := float64(z * z)
	cube := float64(r * z)
	p := float64(z*s1) + float64(zz*(s2+float64(z*s3))) + float64(float64(zz*zz)*(s4+float64(z*s5)))
	// The term of s0 is by far the largest and comes last, to be rounded least.
	return float64(cube*s0) + (float64(cube*p) + float64(t*(1-float64(0.5*z))))
}

// Coefficients of cos r = 1 - z/2 + z^2 (c0 + c1 z + ... + c5 z^5), z = r^2:
// minimax on |r| <= pi/4, error below 2^-63.
const (
	c0 = 0x1.555555555554cp-5
	c1 = -0x1.6c16c16c1521bp-10
	c2 = 0x1.a01a019cbeb54p-16
	c3 = -0x1.27e4f8120f2c8p-22
	c4 = 0x1.1ee9f0c9120d2p-29
	c5 = -0x1.8fb0df2e0775p-37
)

// cosParts returns cos(r+t) as a large and a small part. 1 - z/2 rounds; what
// that loses is known exactly and goes into the small part.
func cosParts(r, t float64) (large, small float64) {
	z := float64(r * r)
	zz := float64(z * z)
	lo := c0 + float64(z*c1) + float64(zz*(c2+float64(z*c3)))
	p := lo + float64(float64(zz*zz)*(c4+float64(z*c5)))
	half := float64(0.5 * z)
	large = 1 - half
	small = ((1 - large) - half) + (float64(zz*p) - float64(r*t))
	return large, small
}
