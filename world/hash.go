package world

import "slices"

// Hash returns 64 bits over everything that influences the future. It is a sum of one
// hash for each object, contact and joint, so the order of slots does not matter, and a
// partial rerun can correct it by what changed.
func (s *State) Hash() uint64 {
	sum := mix(uint64(s.Tick)<<32|uint64(s.Bundle)) + mix(^s.Seed)
	for _, p := range s.Players {
		sum += mix(mix(uint64(p.ID)<<32|uint64(p.Joined)) ^ uint64(p.Left))
	}
	for i := range s.Suspended {
		sum += s.Suspended[i].hash()
	}
	for _, slot := range s.Run {
		sum += s.HashObject(int(slot))
	}
	for i := range s.Physics.Contacts {
		sum += s.Physics.HashContact(i)
	}
	for i := range s.Physics.Joints {
		sum += s.Physics.HashJoint(i)
	}
	return sum
}

// Same reports whether two states agree in every bit, slots aside. They then have the same
// hash, which takes longer to compute.
func (s *State) Same(t *State) bool {
	if s.Tick != t.Tick || s.Bundle != t.Bundle || s.Seed != t.Seed || s.Rows.Stride != t.Rows.Stride ||
		!slices.Equal(s.Players, t.Players) || !slices.Equal(s.Suspended, t.Suspended) {
		return false
	}
	for kind := range listKinds {
		if a, b := listOf(kind, s), listOf(kind, t); !a.sameAll(b) {
			return false
		}
	}
	return true
}

// HashObject returns the share of one object in Hash, without its contacts and joints.
func (s *State) HashObject(slot int) uint64 {
	o := &s.Objects[slot]
	h := mix(uint64(o.ID))
	h = mix(h ^ uint64(o.Spawned) ^ uint64(uint32(o.Order))<<32)
	h = mix(h ^ uint64(o.Class) ^ uint64(o.Owner)<<16 ^ flag(o.Removed)<<32)
	if counts, pause := o.faultWords(); pause == 0 {
		h = mix(h ^ counts)
	} else {
		h = mix(mix(h^counts) ^ pause)
	}
	h = s.Rows.hash(h, slot)
	if s.Physics.Bodies[slot].Key != 0 {
		h = mix(h ^ s.Physics.HashBody(slot))
	}
	return h
}

func flag(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}
