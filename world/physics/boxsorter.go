package physics

import "slices"

// boxSorter sorts boxes, and keeps the memory for it.
type boxSorter struct {
	spare           []box
	keys, keysSpare []uint64
	counts          []int32
}

const (
	fewBits  = 8  // of a digit when few are sorted: a pass looks at all its buckets
	manyBits = 11 // when many are
	fewBoxes = 600
)

// sort sorts by lo and keeps the order of boxes with equal lo.
func (bs *boxSorter) sort(boxes []box) []box {
	if len(boxes) < 2 {
		return boxes
	}
	bs.keys, bs.keysSpare = resize(bs.keys, len(boxes)), resize(bs.keysSpare, len(boxes))
	for i := range boxes {
		bs.keys[i] = uint64(boxes[i].lo)<<32 | uint64(i)
	}
	if len(boxes) <= smallSort {
		slices.Sort(bs.keys)
	} else {
		bits := uint(manyBits)
		if len(boxes) <= fewBoxes {
			bits = fewBits
		}
		for shift := uint(32); shift < 64; shift += bits {
			bs.radixPass(shift, 1<<bits)
		}
	}
	bs.spare = resize(bs.spare, len(boxes))
	for i, key := range bs.keys {
		bs.spare[i] = boxes[uint32(key)]
	}
	sorted := bs.spare
	bs.spare = boxes
	return sorted
}

// radixPass sorts keys by the digit at shift, keeping ties in order.
func (bs *boxSorter) radixPass(shift uint, buckets uint64) {
	bs.counts = resize(bs.counts, int(buckets))
	clear(bs.counts)
	for _, key := range bs.keys {
		bs.counts[key>>shift&(buckets-1)]++
	}
	if int(bs.counts[bs.keys[0]>>shift&(buckets-1)]) == len(bs.keys) {
		return // they all have the same one
	}
	sum := int32(0)
	for i, n := range bs.counts {
		bs.counts[i] = sum
		sum += n
	}
	for _, key := range bs.keys {
		at := &bs.counts[key>>shift&(buckets-1)]
		bs.keysSpare[*at] = key
		*at++
	}
	bs.keys, bs.keysSpare = bs.keysSpare, bs.keys
}
