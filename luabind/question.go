package luabind

// question is a call of a script that may read the world and change nothing: a bot, a
// test, or game.lua's relevant.
type question struct {
	refusal string // the error for a script that tries to change something
	random  uint64 // state of its random numbers
}

// refused returns the error for a script that wants to change something.
func (q *question) refused() string { return q.refusal }

// next returns a number in [0, 1), of a stream that no simulation shares.
func (q *question) next() float64 {
	q.random = mix(q.random)
	return float64(q.random>>11) * (1.0 / (1 << 53))
}

// mix is the scrambling of SplitMix64 (Steele, Lea and Flood 2014).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
