package physics

import (
	"math/bits"
	"slices"
)

// extent is a box in the grid units of the broad phase, ends included.
type extent struct{ lo, hi, bottom, top uint32 }

// nowhere returns the extent that nothing meets.
func nowhere() extent { return extent{lo: 1, bottom: 1} }

func (e extent) empty() bool { return e.lo > e.hi }

// meets reports whether two extents overlap; neither may be empty.
func (e extent) meets(f extent) bool {
	return e.lo <= f.hi && f.lo <= e.hi && e.bottom <= f.top && f.bottom <= e.top
}

// with returns the extent of both.
func (e extent) with(f extent) extent {
	if e.empty() {
		return f
	}
	return extent{min(e.lo, f.lo), max(e.hi, f.hi), min(e.bottom, f.bottom), max(e.top, f.top)}
}

// extent is that of a box of the sweep.
func (bp *broadphase) extent(b *box) extent {
	if bp.turned {
		return extent{b.bottom, b.top, b.lo, b.hi}
	}
	return extent{b.lo, b.hi, b.bottom, b.top}
}

// slotIndex finds the slots whose extents overlap a given one. Each lies in
// the square cell of its lower corner; those greater than a cell are in a list
// of their own. Cells share buckets, so that the world may be of any size.
type slotIndex struct {
	shift      uint    // a cell is 1<<shift wide
	heads      []int32 // by bucket: 1 + the first slot, 0: none
	next, prev []int32 // by slot: 1 + the slot, 0: none
	small      int     // how many are in cells
	large      []int32 // slots
}

func (ix *slotIndex) copyFrom(src *slotIndex) {
	ix.shift, ix.small = src.shift, src.small
	ix.heads = append(ix.heads[:0], src.heads...)
	ix.next = append(ix.next[:0], src.next...)
	ix.prev = append(ix.prev[:0], src.prev...)
	ix.large = append(ix.large[:0], src.large...)
}

// memory returns where the index looks up slots.
func (ix *slotIndex) memory() (heads, next, prev []int32) { return ix.heads, ix.next, ix.prev }

// bytes returns the memory that the index holds.
func (ix *slotIndex) bytes() int {
	return 4 * (len(ix.heads) + len(ix.next) + len(ix.prev) + len(ix.large))
}

// start forgets all. The width of a cell becomes the power of two that most of
// the n extents fit in, which is found by the mean of their logarithms; sum is
// that of their size.
func (ix *slotIndex) start(n, sum, slots int) {
	ix.shift, ix.small = 1, 0
	if n > 0 {
		ix.shift = max(uint(4*sum+3*n)/uint(4*n), 1)
	}
	ix.heads = resize(ix.heads, max(1<<bits.Len(uint(n)), 16))
	clear(ix.heads)
	ix.large = ix.large[:0]
	ix.grow(slots)
}

// size returns the logarithm of how large an extent is.
func (e extent) size() int { return bits.Len32(max(e.hi-e.lo, e.top-e.bottom)) }

func (ix *slotIndex) grow(n int) {
	ix.next, ix.prev = resizeKeep(ix.next, n), resizeKeep(ix.prev, n)
}

// fits reports whether an extent is no greater than a cell.
func (ix *slotIndex) fits(e *extent) bool {
	return e.size() <= int(ix.shift)
}

// bucket is that of a cell; cells of a row have neighbouring ones.
func (ix *slotIndex) bucket(x, y uint32) uint32 {
	return (x + y*0x9e3779b1) & uint32(len(ix.heads)-1)
}

// insert adds the extent of a slot.
func (ix *slotIndex) insert(boxes []extent, slot int32) {
	e := &boxes[slot]
	switch {
	case e.empty():
	case !ix.fits(e):
		ix.large = append(ix.large, slot)
	default:
		ix.small++
		head := &ix.heads[ix.bucket(e.lo>>ix.shift, e.bottom>>ix.shift)]
		ix.next[slot], ix.prev[slot] = *head, 0
		if *head != 0 {
			ix.prev[*head-1] = slot + 1
		}
		*head = slot + 1
	}
}

// remove forgets the extent of a slot.
func (ix *slotIndex) remove(boxes []extent, slot int32) {
	e := &boxes[slot]
	switch {
	case e.empty():
	case !ix.fits(e):
		at := slices.Index(ix.large, slot)
		ix.large = slices.Delete(ix.large, at, at+1)
	default:
		ix.small--
		next, prev := ix.next[slot], ix.prev[slot]
		if next != 0 {
			ix.prev[next-1] = prev
		}
		if prev != 0 {
			ix.next[prev-1] = next
		} else {
			ix.heads[ix.bucket(e.lo>>ix.shift, e.bottom>>ix.shift)] = next
		}
	}
}

// find appends the slots whose extents overlap e, some perhaps twice.
func (ix *slotIndex) find(boxes []extent, e extent, out []int32) []int32 {
	if e.empty() {
		return out
	}
	for _, slot := range ix.large {
		if e.meets(boxes[slot]) {
			out = append(out, slot)
		}
	}
	if ix.small == 0 {
		return out
	}
	cell := uint32(1) << ix.shift
	left, below := e.lo-min(e.lo, cell), e.bottom-min(e.bottom, cell)
	x0, x1, y0, y1 := left>>ix.shift, e.hi>>ix.shift, below>>ix.shift, e.top>>ix.shift
	if (uint64(x1-x0)+1)*(uint64(y1-y0)+1) > uint64(len(ix.heads)) {
		for _, head := range ix.heads {
			out = ix.findIn(boxes, head, &e, out)
		}
		return out
	}
	for y := y0; y <= y1; y++ {
		for x := x0; x <= x1; x++ {
			out = ix.findIn(boxes, ix.heads[ix.bucket(x, y)], &e, out)
		}
	}
	return out
}

// findIn looks through a bucket.
func (ix *slotIndex) findIn(boxes []extent, head int32, e *extent, out []int32) []int32 {
	for at := head; at != 0; at = ix.next[at-1] {
		if e.meets(boxes[at-1]) {
			out = append(out, at-1)
		}
	}
	return out
}

// check asserts that the lists of the index are what insert made, and counts the slots
// in them.
func (ix *slotIndex) check(boxes []extent) (n int) {
	for bucket, head := range ix.heads {
		before := int32(0)
		for at := head; at != 0; at = ix.next[at-1] {
			e := &boxes[at-1]
			if n++; n > len(boxes) || e.empty() || !ix.fits(e) || ix.prev[at-1] != before ||
				int(ix.bucket(e.lo>>ix.shift, e.bottom>>ix.shift)) != bucket {
				violated("slot %d with box %v is in bucket %d", at-1, *e, bucket)
			}
			before = at
		}
	}
	if n != ix.small {
		violated("%d slots in cells, of which %d are counted", n, ix.small)
	}
	for _, slot := range ix.large {
		if e := &boxes[slot]; e.empty() || ix.fits(e) {
			violated("slot %d with box %v is among the large ones", slot, *e)
		}
	}
	return n + len(ix.large)
}

// resizeKeep is resize that keeps the elements.
func resizeKeep[T any](s []T, n int) []T {
	if n <= cap(s) {
		return s[:n]
	}
	return append(s, make([]T, n-len(s))...)
}
