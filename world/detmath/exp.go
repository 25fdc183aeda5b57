package detmath

import "math"

// ln2/128 as a part of 35 bits, whose product with a count is exact, and what
// it leaves over.
const (
	expStepHi  = 0x1.62e42fefcp-8
	expStepLo  = -0x1.c610ca86c3899p-44
	expPerUnit = 0x1.71547652b82fep+7 // 128/ln2
)

// Arguments above maxExp overflow and those below minExp give zero; between
// them the exponents stay in the range of scale.
const (
	maxExp = 710
	minExp = -746
)

// Coefficients of e^r = 1 + r + r^2 (e0 + e1 r + e2 r^2 + e3 r^3): minimax on
// |r| <= ln2/256, error below 2^-63.
const (
	e0 = 0x1.fffffffffff51p-2
	e1 = 0x1.555555555548dp-3
	e2 = 0x1.55555ae8e1f99p-5
	e3 = 0x1.111115d8ae2f2p-7
)

// Exp returns e to the power of x. Above about 709.78 it overflows to +Inf,
// below about -745.13 it is zero.
//
// Special cases: Exp(±0) = 1; Exp(+Inf) = +Inf; Exp(-Inf) = +0; Exp(NaN) = NaN.
func Exp(x float64) float64 {
	return expSum(x, 0)
}

// expSum returns e to the power of x+t, t small against x.
//
// With n the nearest integer to 128 x/ln2, e^x is 2^(n/128) e^r, where the
// power of two comes from a table and |r| <= ln2/256.
func expSum(x, t float64) float64 {
	switch {
	case x != x:
		return nan()
	case x > maxExp:
		return math.Inf(1)
	case x < minExp:
		return 0
	}
	m := float64(x*expPerUnit) + roundMagic
	n := int(int32(math.Float64bits(m)))
	k := m - roundMagic
	r := ((x - float64(k*expStepHi)) - float64(k*expStepLo)) + t
	rr := float64(r * r)
	p := r + float64(rr*((e0+float64(r*e1))+float64(rr*(e2+float64(r*e3)))))
	two := &exp2Table[n&127]
	return scale(two.hi+(two.lo+float64(two.hi*p)), n>>7)
}

// scale returns y * 2^e for y near 1 and |e| below 1100, rounded once.
func scale(y float64, e int) float64 {
	if e >= -1021 && e <= 1023 {
		return float64(y * math.Float64frombits(uint64(1023+e)<<52))
	}
	half := e >> 1
	y *= math.Float64frombits(uint64(1023+half) << 52)
	return float64(y * math.Float64frombits(uint64(1023+e-half)<<52))
}
