package detmath

import (
	"math"
	"math/bits"
)

// pi/2 as a sum of three parts. The first two have at most 33 bits, so that
// their products with a count below 2^20 are exact.
const (
	halfPi1 = 0x1.921fb544p+0
	halfPi2 = 0x1.0b4611a6p-34
	halfPi3 = 0x1.3198a2e037073p-69
)

// pi/2 and pi as a float64 and what it leaves over.
const (
	halfPiHi = 0x1.921fb54442d18p+0
	halfPiLo = 0x1.1a62633145c07p-54
	piHi     = 0x1.921fb54442d18p+1
	piLo     = 0x1.1a62633145c07p-53
)

const (
	twoOverPi = 0x1.45f306dc9c883p-1
	// mediumAngle bounds the quick reduction: 2^20 quarter turns, less one.
	mediumAngle = (1<<20 - 1) * halfPiHi
	// nearZero is the remainder below which the quick reduction, good to about
	// 2^-99, has too few bits left.
	nearZero = 1.0 / (1 << 32)
	// roundMagic is 1.5 * 2^52: adding it rounds to an integer, which then
	// stands in the low bits of the sum.
	roundMagic = 3 << 51
)

// reduce writes x as q*(pi/2) + r + t with |r| up to about pi/4 and t a tail
// that extends r to at least 2^-60 of its value. Of q only the low two bits
// matter. For an infinity or NaN r is NaN.
func reduce(x float64) (q int, r, t float64) {
	if math.Abs(x) > mediumAngle {
		return reduceExact(x)
	}
	m := float64(x*twoOverPi) + roundMagic
	q = int(int32(math.Float64bits(m)))
	n := m - roundMagic
	// Both products are exact, and so is the first difference: its terms are
	// within a factor of two of each other.
	r, t = twoSum(x-float64(n*halfPi1), -float64(n*halfPi2))
	if math.Abs(r) < nearZero {
		return reduceExact(x)
	}
	r, t = fastTwoSum(r, t-float64(n*halfPi3))
	return q, r, t
}

// invPi holds the bits of 2/pi after the binary point, behind 64 zero bits.
// It reaches as far as the largest float64 needs.
var invPi = [20]uint64{
	0,
	0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561,
	0xb7246e3a424dd2e0, 0x06492eea09d1921c, 0xfe1deb1cb129a73e, 0xe88235f52ebb4484,
	0xe99c7026b45f7e41, 0x3991d639835339f4, 0x9c845f8bbdf9283b, 0x1ff897ffde05980f,
	0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d, 0x7527bac7ebe5f17b,
	0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab,
}

// reduceExact is reduce in integers, for every |x| above pi/4 (Payne and Hanek,
// "Radian reduction for trigonometric functions", 1983).
//
// x is m * 2^e with an integer m. Bits of 2/pi that stand so high that m * 2^e
// turns them into whole turns are left out; of the next 192 the product with m
// holds the quarter turn in its two top bits and the fraction below them.
func reduceExact(x float64) (q int, r, t float64) {
	b := math.Float64bits(x)
	e := int(b>>52&0x7ff) - 1075
	if e == 0x7ff-1075 {
		return 0, nan(), 0
	}
	m := b&(1<<52-1) | 1<<52
	w2, w1, w0 := invPiWindow(e + 62)
	h0, p0 := bits.Mul64(m, w0)
	h1, l1 := bits.Mul64(m, w1)
	p1, carry := bits.Add64(l1, h0, 0)
	p2 := m*w2 + h1 + carry

	q = int(p2 >> 62)
	f1, f0 := p2<<2|p1>>62, p1<<2|p0>>62
	negative := b>>63 != 0
	if f1>>63 != 0 { // past half a quarter turn: count from the next one
		q++
		f0, carry = bits.Sub64(0, f0, 0)
		f1, _ = bits.Sub64(0, f1, carry)
		r, t = quarterTurns(f1, f0, !negative)
	} else {
		r, t = quarterTurns(f1, f0, negative)
	}
	if negative {
		q = -q
	}
	return q, r, t
}

// invPiWindow returns 192 bits of invPi from bit number at on.
func invPiWindow(at int) (w2, w1, w0 uint64) {
	i, s := at>>6, uint(at&63)
	w2 = invPi[i]<<s | invPi[i+1]>>(64-s)
	w1 = invPi[i+1]<<s | invPi[i+2]>>(64-s)
	w0 = invPi[i+2]<<s | invPi[i+3]>>(64-s)
	return w2, w1, w0
}

// quarterTurns turns the fraction (f1 2^64 + f0) / 2^128 of a quarter turn into
// radians, as a sum of two float64.
func quarterTurns(f1, f0 uint64, negative bool) (r, t float64) {
	// No float64 comes nearer to a multiple of pi/2 than 2^-61 quarter turns,
	// so that f1 is not zero.
	n := uint(bits.LeadingZeros64(f1))
	f1 = f1<<n | f0>>(64-n)
	f0 <<= n
	unit := math.Float64frombits(uint64(1023-53-n) << 52)
	if negative {
		unit = -unit
	}
	hi := float64(float64(int64(f1>>11)) * unit)
	lo := float64(float64(int64(f1&(1<<11-1)<<42|f0>>22)) * (unit * (1.0 / (1 << 53))))
	r, t = twoProduct(hi, halfPiHi)
	t += float64(hi*halfPiLo) + float64(lo*halfPiHi)
	return fastTwoSum(r, t)
}
