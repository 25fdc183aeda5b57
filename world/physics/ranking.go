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
	slots []int32  // by rank
	keys  []uint64 // by rank
	ranks []int32  // by slot, -1: free

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
		if key != 0 && (slot >= len(r.ranks) || r.ranks[slot] < 0 || r.keys[r.ranks[slot]] != key) {
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
	r.slots, r.keys, r.ranks = resize(r.slots, n), resize(r.keys, n), resize(r.ranks, n)
	for i := range bodies {
		r.slots[i], r.keys[i], r.ranks[i] = int32(i), bodies[i].Key, int32(i)
	}
}

// slotList returns the slots, by rank.
func (r *ranking) slotList() []int32 { return r.slots }

// keyList returns the keys, by rank.
func (r *ranking) keyList() []uint64 { return r.keys }

// rankOf returns the rank of the body in a slot, -1 if there is none.
func (r *ranking) rankOf(slot int32) int32 { return r.ranks[slot] }

// at returns the rank of the body with the key in a slot, -1 if it is not there.
func (r *ranking) at(slot int32, key uint64) int32 {
	if uint(slot) >= uint(len(r.ranks)) {
		return -1
	}
	rank := r.ranks[slot]
	if uint(rank) >= uint(len(r.keys)) || r.keys[rank] != key {
		return -1
	}
	return rank
}

// holds reports whether the bodies are the same as before.
func (r *ranking) holds(bodies []Body) bool {
	if len(r.ranks) != len(bodies) {
		return false
	}
	live := 0
	for slot, rank := range r.ranks {
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

// merge puts the new bodies among those that stayed.
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
	r.ranks = resize(r.ranks, slotCount)
	for slot := range r.ranks {
		r.ranks[slot] = -1
	}
	for rank, e := range r.spare {
		r.slots[rank], r.keys[rank] = e.slot, e.key
		r.ranks[e.slot] = int32(rank)
	}
}

// resize returns a slice of n elements of any content, in the old memory if it
// is large enough.
func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/4+16)
	}
	return s[:n]
}

// distinct reports whether no two bodies have the same key.
func (r *ranking) distinct() bool {
	for rank := 1; rank < len(r.keys); rank++ {
		if r.keys[rank-1] == r.keys[rank] {
			return false
		}
	}
	return true
}

// check asserts that each live body has one rank, in the order of the keys.
func (r *ranking) check(bodies []Body) {
	live := 0
	for slot := range bodies {
		if rank := r.ranks[slot]; bodies[slot].Key == 0 {
			if rank >= 0 {
				violated("the free slot %d has rank %d", slot, rank)
			}
			continue
		} else if rank < 0 || int(rank) >= len(r.slots) || int(r.slots[rank]) != slot ||
			r.keys[rank] != bodies[slot].Key {
			violated("body %016x in slot %d does not have rank %d", bodies[slot].Key, slot, rank)
		}
		live++
	}
	if live != len(r.slots) || len(r.ranks) != len(bodies) {
		violated("%d bodies in %d slots, and %d ranks in %d", live, len(bodies), len(r.slots), len(r.ranks))
	}
	if !slices.IsSorted(r.keys) {
		violated("ranks are not in the order of the keys")
	}
}
