package physics

import "slices"

// MaxPairs is how many pairs of shapes whose boxes overlap a step handles, unless Params says
// otherwise. Beyond that, some bodies pass through each other (see Solver.Crowded).
const MaxPairs = 1 << 16

// pairList is the pairs of parts whose boxes overlap.
type pairList struct {
	list []uint64 // lower part << 32 | higher part
	full bool     // there are more than are kept

	most   int // that are kept
	spare  []uint64
	counts []int32
}

// smallSort is up to how many a comparison sort is faster than one by counting.
const smallSort = 96

// keep sets how many pairs are kept; 0 or less: MaxPairs.
func (pl *pairList) keep(most int) {
	if pl.most = most; most <= 0 {
		pl.most = MaxPairs
	}
}

// reset forgets all pairs.
func (pl *pairList) reset() { pl.list, pl.full = pl.list[:0], false }

// found returns the pairs.
func (pl *pairList) found() []uint64 { return pl.list }

// isFull reports whether there were more.
func (pl *pairList) isFull() bool { return pl.full }

// lacksRoomFor reports whether there are more pairs than are kept, with so many others.
func (pl *pairList) lacksRoomFor(others int) bool { return others+len(pl.list) > pl.most }

// add keeps a pair, if there is room.
func (pl *pairList) add(lower, higher uint64) {
	if len(pl.list) >= pl.most {
		pl.full = true
		return
	}
	if lower > higher {
		lower, higher = higher, lower
	}
	pl.list = append(pl.list, lower<<32|higher)
}

// sort sorts by higher, then by lower part, each by counting.
func (pl *pairList) sort(parts int) {
	if len(pl.list) <= smallSort {
		slices.Sort(pl.list)
		return
	}
	pl.spare = resize(pl.spare, len(pl.list))
	pl.countPass(parts, 0)
	pl.countPass(parts, 32)
}

func (pl *pairList) countPass(parts int, shift uint) {
	pl.counts = resize(pl.counts, parts)
	clear(pl.counts)
	for _, p := range pl.list {
		pl.counts[uint32(p>>shift)]++
	}
	sum := int32(0)
	for i, n := range pl.counts {
		pl.counts[i] = sum
		sum += n
	}
	for _, p := range pl.list {
		at := &pl.counts[uint32(p>>shift)]
		pl.spare[*at] = p
		*at++
	}
	pl.list, pl.spare = pl.spare, pl.list
}
