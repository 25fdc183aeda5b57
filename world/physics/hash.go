package physics

import "math"

// HashBody returns a hash of all bits of a body that influence the future. Left out
// are Cos and Sin, a function of Angle, and the slot. A free slot hashes to 0.
func (s *State) HashBody(slot int) uint64 {
	b := &s.Bodies[slot]
	if b.Key == 0 {
		return 0
	}
	h := mix(b.Key ^ hashSeed)
	h = mix(h ^ uint64(b.Def) ^ uint64(b.Rest)<<32)
	// Written out, because a loop over an array copies the numbers first: a third more
	// instructions.
	h = mix(h ^ bitsOf(b.X))
	h = mix(h ^ bitsOf(b.Y))
	h = mix(h ^ bitsOf(b.Angle))
	h = mix(h ^ bitsOf(b.VX))
	h = mix(h ^ bitsOf(b.VY))
	h = mix(h ^ bitsOf(b.W))
	h = mix(h ^ bitsOf(b.FX))
	h = mix(h ^ bitsOf(b.FY))
	h = mix(h ^ bitsOf(b.Torque))
	h = mix(h ^ bitsOf(b.ImpFX))
	h = mix(h ^ bitsOf(b.ImpFY))
	return mix(h ^ bitsOf(b.ImpT))
}

// HashContact returns a hash of all bits of Contacts[i], over the keys of its
// bodies and not their slots.
func (s *State) HashContact(i int) uint64 {
	c := &s.Contacts[i]
	h := mix(c.KeyA ^ ^uint64(hashSeed))
	h = mix(h ^ c.KeyB)
	h = mix(
		h ^ uint64(
			c.Count,
		) ^ uint64(
			c.Flags,
		)<<8 ^ uint64(
			c.ID[0],
		)<<16 ^ uint64(
			c.ID[1],
		)<<32 ^ uint64(
			c.PartA,
		)<<48 ^ uint64(
			c.PartB,
		)<<56,
	)
	for j := range c.Normal {
		h = mix(h ^ bitsOf(c.Normal[j]))
		h = mix(h ^ bitsOf(c.Tangent[j]))
	}
	return h
}

// HashJoint returns a hash of all bits of Joints[i], over the keys of its bodies
// and not their slots.
func (s *State) HashJoint(i int) uint64 {
	j := &s.Joints[i]
	h := mix(j.Key ^ jointSeed)
	h = mix(h ^ j.KeyA)
	h = mix(h ^ j.KeyB)
	h = mix(h ^ uint64(j.Kind) ^ uint64(j.Flags)<<8 ^ uint64(j.Rest)<<32)
	for _, v := range j.floats() {
		h = mix(h ^ bitsOf(*v))
	}
	return h
}

// Hash returns the sum of the hashes of all bodies, contacts and joints.
func (s *State) Hash() uint64 {
	var sum uint64
	for slot := range s.Bodies {
		sum += s.HashBody(slot)
	}
	for i := range s.Contacts {
		sum += s.HashContact(i)
	}
	for i := range s.Joints {
		sum += s.HashJoint(i)
	}
	return sum
}

const (
	hashSeed  = 0x6a09e667f3bcc908 // the first 64 bits of the fraction of sqrt 2
	jointSeed = 0xbb67ae8584caa73b // and of sqrt 3
)

// mix spreads every bit of h over all others (David Stafford's variant 13 of
// the MurmurHash3 finaliser).
func mix(h uint64) uint64 {
	h ^= h >> 30
	h *= 0xbf58476d1ce4e5b9
	h ^= h >> 27
	h *= 0x94d049bb133111eb
	return h ^ h>>31
}

// bitsOf returns the bit pattern of v, one for all NaNs.
func bitsOf(v float64) uint64 {
	if v != v {
		return 0x7ff8000000000001
	}
	return math.Float64bits(v)
}
