package memlink

import "math/bits"

// golden is 2^64 divided by the golden ratio: the step of the splitmix64 generator.
const golden = 0x9E3779B97F4A7C15

// mix is the output function of splitmix64 (Steele, Lea and Flood, "Fast
// splittable pseudorandom number generators", 2014).
func mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}

// draw returns the random number at an index of a seed's sequence. There is no stream, so
// the chance of a packet depends only on its number: a change of the profile does not
// shift that of later packets.
func draw(seed, place uint64) uint64 { return mix(seed + (place+1)*golden) }

// happens reports whether a random number is below a share.
func happens(share float64, random uint64) bool {
	return float64(random>>11) < share*(1<<53) // both exact: a power of two
}

// between maps a random number to a whole one in [low, high].
func between(low, high int64, random uint64) int64 {
	if high <= low {
		return low
	}
	above, _ := bits.Mul64(random, uint64(high-low)+1)
	return low + int64(above)
}
