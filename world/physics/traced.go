package physics

// tracedBodies are the bodies of a recorded step by slot, and where each of them could
// be.
type tracedBodies struct {
	keys    []uint64  // 0: no body was there
	boxes   []extent  // of all that the body could meet
	kinds   []uint8   // BodyType, and sleptThrough
	dynamic int       // bodies that are
	free    slotIndex // of the boxes of dynamic bodies
	fixed   slotIndex // of those of others
}

// sleptThrough in tracedBodies.kinds says that the step found the body asleep.
const sleptThrough = 0x80

// reset forgets all bodies. index follows once all have been added.
func (tb *tracedBodies) reset() {
	tb.keys, tb.boxes, tb.kinds, tb.dynamic = tb.keys[:0], tb.boxes[:0], tb.kinds[:0], 0
}

// grow adds free slots, to n.
func (tb *tracedBodies) grow(n int) {
	from := len(tb.keys)
	if n <= from {
		return
	}
	tb.keys, tb.boxes, tb.kinds = resizeKeep(tb.keys, n), resizeKeep(tb.boxes, n), resizeKeep(tb.kinds, n)
	tb.free.grow(n)
	tb.fixed.grow(n)
	clear(tb.keys[from:])
	clear(tb.kinds[from:])
	for slot := from; slot < n; slot++ {
		tb.boxes[slot] = nowhere()
	}
}

func (tb *tracedBodies) copyFrom(src *tracedBodies) {
	tb.keys = append(tb.keys[:0], src.keys...)
	tb.boxes = append(tb.boxes[:0], src.boxes...)
	tb.kinds = append(tb.kinds[:0], src.kinds...)
	tb.dynamic = src.dynamic
	tb.free.copyFrom(&src.free)
	tb.fixed.copyFrom(&src.fixed)
}

// bytes returns the memory that the bodies hold.
func (tb *tracedBodies) bytes() int {
	const extentBytes = 16
	return len(tb.keys)*8 + len(tb.boxes)*extentBytes + len(tb.kinds) + tb.free.bytes() + tb.fixed.bytes()
}

// indexOf returns the index that the slot's box belongs into.
func (tb *tracedBodies) indexOf(slot int32) *slotIndex {
	if tb.kind(slot) == Dynamic {
		return &tb.free
	}
	return &tb.fixed
}

// index adds all boxes to the indexes.
func (tb *tracedBodies) index() {
	var n, sum [2]int
	for slot := range tb.boxes {
		if e := &tb.boxes[slot]; !e.empty() {
			which := 0
			if tb.kind(int32(slot)) != Dynamic {
				which = 1
			}
			n[which]++
			sum[which] += e.size()
		}
	}
	tb.free.start(n[0], sum[0], len(tb.boxes))
	tb.fixed.start(n[1], sum[1], len(tb.boxes))
	for slot := range tb.boxes {
		tb.indexOf(int32(slot)).insert(tb.boxes, int32(slot))
	}
}

// add records a body.
func (tb *tracedBodies) add(slot int32, key uint64, o *outline) {
	tb.keys[slot], tb.kinds[slot] = key, uint8(o.kind)
	if o.asleep {
		tb.kinds[slot] |= sleptThrough
	}
	if o.kind == Dynamic {
		tb.dynamic++
	}
}

// extend records where the body in a slot could be, besides.
func (tb *tracedBodies) extend(slot int32, e extent) { tb.boxes[slot] = tb.boxes[slot].with(e) }

// takeOut frees the slots of a part, which will be recorded again.
func (tb *tracedBodies) takeOut(slots []int32) {
	for _, slot := range slots {
		if tb.kind(slot) == Dynamic {
			tb.dynamic--
		}
		tb.indexOf(slot).remove(tb.boxes, slot)
		tb.keys[slot], tb.boxes[slot], tb.kinds[slot] = 0, nowhere(), 0
	}
}

// putBack adds the slots of a part to the indexes.
func (tb *tracedBodies) putBack(slots []int32) {
	for _, slot := range slots {
		tb.indexOf(slot).insert(tb.boxes, slot)
	}
}

// key is that of the body in a slot, 0 for none.
func (tb *tracedBodies) key(slot int32) uint64 { return tb.keys[slot] }

// kind returns the type of the body in a slot.
func (tb *tracedBodies) kind(slot int32) BodyType { return BodyType(tb.kinds[slot] &^ sleptThrough) }

// slept reports whether the step found the body in a slot asleep.
func (tb *tracedBodies) slept(slot int32) bool { return tb.kinds[slot]&sleptThrough != 0 }

// box returns where the body in a slot could be.
func (tb *tracedBodies) box(slot int32) extent { return tb.boxes[slot] }

// size returns how many slots there are, and how many dynamic bodies.
func (tb *tracedBodies) size() (slots, dynamic int) { return len(tb.keys), tb.dynamic }

// find appends the slots of dynamic bodies whose boxes overlap e, some perhaps
// twice.
func (tb *tracedBodies) find(e extent, out []int32) []int32 { return tb.free.find(tb.boxes, e, out) }

// findFixed does so for those of others.
func (tb *tracedBodies) findFixed(e extent, out []int32) []int32 {
	return tb.fixed.find(tb.boxes, e, out)
}

// check asserts that dynamic bodies are counted, and each box is in its index.
func (tb *tracedBodies) check() {
	dynamic, free, fixed := 0, 0, 0
	for slot := range tb.boxes {
		isDynamic := tb.kind(int32(slot)) == Dynamic
		if isDynamic {
			dynamic++
		}
		switch {
		case tb.boxes[slot].empty():
		case isDynamic:
			free++
		default:
			fixed++
		}
	}
	if dynamic != tb.dynamic {
		violated("%d dynamic bodies, of which %d are counted", dynamic, tb.dynamic)
	}
	if n := tb.free.check(tb.boxes); n != free {
		violated("%d boxes of dynamic bodies, of which %d are in the index", free, n)
	}
	if n := tb.fixed.check(tb.boxes); n != fixed {
		violated("%d boxes of other bodies, of which %d are in the index", fixed, n)
	}
}
