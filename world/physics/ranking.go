package physics

import (
	"cmp"
	"slices"
)

// ranking is the live bodies in the order of their keys. Rank is the place in
// that order: ranks compare as keys do, so all work after this is free of
// slots. It is kept from step to step only to save sorting; what it says
// depends on the bodies alone.
type ranking struct {
	slots  []int32  // by rank
	keys   []uint64 // by rank
	rankOf []int32  // by slot, -1: free

	fresh []keySlot
	spare []keySlot
}

// update makes the ranking that of bodies.
func (r *ranking) update(bodies []Body) {
	if r.holds(bodies) {
		return
	}
	r.fresh, r.spare = r.fresh[:0], r.spare[:0]
	for slot := range bodies {
		key := bodies[slot].Key
		if key != 0 && (slot >= len(r.rankOf) || r.rankOf[slot] < 0 || r.keys[r.rankOf[slot]] != key) {
			r.fresh = append(r.fresh, keySlot{key, int32(slot)})
		}
	}
	slices.SortFunc(r.fresh, func(a, b keySlot) int { return cmp.Compare(a.key, b.key) })
	r.merge(bodies)
	r.index(len(bodies))
}

// take makes the ranking that of bodies that are all live, in the order of
// their keys.
func (r *ranking) take(bodies []Body) {
	n := len(bodies)
	r.slots, r.keys, r.rankOf = resize(r.slots, n), resize(r.keys, n), resize(r.rankOf, n)
	for i := range bodies {
		r.slots[i], r.keys[i], r.rankOf[i] = int32(i), bodies[i].Key, int32(i)
	}
}

// holds reports whether nobody came or went.
func (r *ranking) holds(bodies []Body) bool {
	if len(r.rankOf) != len(bodies) {
		return false
	}
	live := 0
	for slot, rank := range r.rankOf {
		key := bodies[slot].Key
		if rank < 0 {
			if key != 0 {
				return false
			}
			continue
		}
		if r.keys[rank] != key {
			return false
		}
		live++
	}
	return live == len(r.slots)
}

// merge puts the newcomers among those who stayed.
func (r *ranking) merge(bodies []Body) {
	at := 0
	for rank, slot := range r.slots {
		if int(slot) >= len(bodies) || bodies[slot].Key != r.keys[rank] {
			continue
		}
		for at < len(r.fresh) && r.fresh[at].key < r.keys[rank] {
			r.spare = append(r.spare, r.fresh[at])
			at++
		}
		r.spare = append(r.spare, keySlot{r.keys[rank], slot})
	}
	r.spare = append(r.spare, r.fresh[at:]...)
}

// index takes the merged order over.
func (r *ranking) index(slotCount int) {
	r.slots, r.keys = resize(r.slots, len(r.spare)), resize(r.keys, len(r.spare))
	r.rankOf = resize(r.rankOf, slotCount)
	for slot := range r.rankOf {
		r.rankOf[slot] = -1
	}
	for rank, e := range r.spare {
		r.slots[rank], r.keys[rank] = e.slot, e.key
		r.rankOf[e.slot] = int32(rank)
	}
}

// resize gives a slice of n elements of any content, in the old memory if it
// is large enough.
func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/4+16)
	}
	return s[:n]
}
