package detmath

import "math"

// nan returns the one NaN of this package, that of math.NaN. Arithmetic that
// makes a NaN sets its sign on some CPUs and not on others, so results that
// are NaN are always this one.
func nan() float64 {
	return math.Float64frombits(0x7ff8000000000001)
}

// twoSum returns the rounded sum of a and b and its error, exactly (Knuth, The
// Art of Computer Programming, volume 2, 4.2.2).
func twoSum(a, b float64) (sum, err float64) {
	sum = a + b
	bb := sum - a
	return sum, (a - (sum - bb)) + (b - bb)
}

// fastTwoSum is twoSum for |a| >= |b| (Dekker 1971).
func fastTwoSum(a, b float64) (sum, err float64) {
	sum = a + b
	return sum, b - (sum - a)
}

// lowHalf masks the lower 27 of the 52 stored bits of a float64. Without them 26
// bits are left, so that products of two such numbers are exact.
const lowHalf = 1<<27 - 1

// twoProduct returns the rounded product of a and b and its error, the latter
// good to about 2^-79 of the product. Nothing may overflow or underflow.
func twoProduct(a, b float64) (product, err float64) {
	ah := math.Float64frombits(math.Float64bits(a) &^ lowHalf)
	bh := math.Float64frombits(math.Float64bits(b) &^ lowHalf)
	product = float64(a * b)
	return product, float64(ah*bh) - product + float64(ah*(b-bh)) + float64((a-ah)*b)
}

// quotient returns (ah+al) / (bh+bl) as a sum of two float64, the second of
// which corrects the first. It needs |al| and |bl| to be small against ah and
// bh, and nothing to overflow or underflow.
func quotient(ah, al, bh, bl float64) (hi, lo float64) {
	inverse := 1 / bh // of no use to hi, but ready by the time lo needs it
	hi = ah / bh
	p, e := twoProduct(hi, bh)
	lo = float64((((ah - p) - e) + (al - float64(hi*bl))) * inverse)
	return hi, lo
}

// sqrtParts returns the square root of hi+lo, lo small against hi > 0, as a sum
// of two float64.
func sqrtParts(hi, lo float64) (root, tail float64) {
	root = math.Sqrt(hi)
	p, e := twoProduct(root, root)
	return root, (((hi - p) - e) + lo) / (2 * root)
}
