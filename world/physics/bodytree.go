package physics

// bodyTree is an index of bodies by where they are: boxes around fanOut bodies, boxes around fanOut of these, and so
// on. The bodies are in the order of a curve that stays near where it is (Morton's), so that those of a box are near
// each other.
type bodyTree struct {
	slots   []int32 // of the bodies, along the curve
	boxes   []area  // of the bodies
	levels  [maxDepth][]area
	depth   int // how many levels there are
	keys    []curveKey
	spare   []curveKey
	counts  []int32
	stacked []node
}

// curveKey is a place on the curve, and a slot.
type curveKey struct {
	at   uint64
	slot int32
}

// node is a box of a level.
type node struct{ level, i int32 }

const (
	fanOut     = 8
	maxDepth   = 10 // for 8^10 bodies
	curveDigit = 11 // bits
	fewKeys    = 64 // up to here inserting them takes less than counting the digits
)

// nodeSlack is the slack of strip.reaches for boxes around several bodies.
const nodeSlack = 1e-9

// make makes the tree of the bodies in f.base.
func (t *bodyTree) make(f *Finder) {
	t.keys = t.keys[:0]
	for slot := range f.base.Bodies {
		if b := &f.base.Bodies[slot]; b.Key != 0 {
			t.keys = append(t.keys, curveKey{spread(grid(b.X)) | spread(grid(b.Y))<<1, int32(slot)})
		}
	}
	t.sort()
	t.slots, t.boxes = resize(t.slots, len(t.keys)), resize(t.boxes, len(t.keys))
	for i, k := range t.keys {
		t.slots[i], t.boxes[i] = k.slot, f.boxOf(&f.base.Bodies[k.slot])
	}
	below := t.boxes
	for t.depth = 0; len(below) > 1; t.depth++ {
		level := t.levels[t.depth][:0]
		for i := 0; i < len(below); i += fanOut {
			box := below[i]
			for k := i + 1; k < min(i+fanOut, len(below)); k++ {
				box = box.around(&below[k])
			}
			level = append(level, box)
		}
		t.levels[t.depth], below = level, level
	}
}

// sort sorts the keys by their places. Keys of the same place stay in their order.
func (t *bodyTree) sort() {
	if len(t.keys) > fewKeys {
		t.sortDigits()
		return
	}
	for i := 1; i < len(t.keys); i++ {
		k, at := t.keys[i], i
		for ; at > 0 && t.keys[at-1].at > k.at; at-- {
			t.keys[at] = t.keys[at-1]
		}
		t.keys[at] = k
	}
}

// sortDigits is sort by one digit after the other.
func (t *bodyTree) sortDigits() {
	t.spare, t.counts = resize(t.spare, len(t.keys)), resize(t.counts, 1<<curveDigit)
	for shift := uint(0); shift < 64; shift += curveDigit {
		clear(t.counts)
		for i := range t.keys {
			t.counts[t.keys[i].at>>shift&(1<<curveDigit-1)]++
		}
		if len(t.keys) > 0 && int(t.counts[t.keys[0].at>>shift&(1<<curveDigit-1)]) == len(t.keys) {
			continue // they all have the same digit
		}
		sum := int32(0)
		for i, n := range t.counts {
			t.counts[i] = sum
			sum += n
		}
		for _, k := range t.keys {
			at := &t.counts[k.at>>shift&(1<<curveDigit-1)]
			t.spare[*at] = k
			*at++
		}
		t.keys, t.spare = t.spare, t.keys
	}
}

// spread puts a 0 between the bits of a number.
func spread(n uint32) uint64 {
	v := uint64(n)
	v = (v | v<<16) & 0x0000ffff0000ffff
	v = (v | v<<8) & 0x00ff00ff00ff00ff
	v = (v | v<<4) & 0x0f0f0f0f0f0f0f0f
	v = (v | v<<2) & 0x3333333333333333
	return (v | v<<1) & 0x5555555555555555
}

// start puts the whole tree on the stack.
func (t *bodyTree) start() {
	t.stacked = append(t.stacked[:0], node{int32(t.depth) - 1, 0})
}

// next takes a node off the stack.
func (t *bodyTree) next() (n node, ok bool) {
	if len(t.stacked) == 0 {
		return n, false
	}
	n = t.stacked[len(t.stacked)-1]
	t.stacked = t.stacked[:len(t.stacked)-1]
	return n, true
}

// below returns what a node has below it: boxes of the next level, or bodies if that is -1, from one index to another.
func (t *bodyTree) below(n node) (boxes []area, level, from, to int32) {
	if n.level < 0 { // a tree of at most one body
		return t.boxes, -1, 0, int32(len(t.boxes))
	}
	level, boxes = n.level-1, t.boxes
	if level >= 0 {
		boxes = t.levels[level]
	}
	from = n.i * fanOut
	return boxes, level, from, min(from+fanOut, int32(len(boxes)))
}

// each calls visit with the slots of the bodies whose boxes reach into a strip, except those that have moved, until
// there is too much work.
func (t *bodyTree) each(s *strip, f *Finder, visit func(slot int32)) {
	t.start()
	for n, ok := t.next(); ok && !f.Over(); n, ok = t.next() {
		boxes, level, from, to := t.below(n)
		for i := from; i < to; i++ {
			if level >= 0 {
				if s.reaches(&boxes[i], nodeSlack) {
					t.stacked = append(t.stacked, node{level, i})
				}
			} else if s.reaches(&boxes[i], 0) && !f.moved(t.slots[i]) && f.do(bodyWork) {
				visit(t.slots[i])
			}
		}
	}
}

// count is Finder.Count.
func (t *bodyTree) count(s *strip, f *Finder, most int) (found int) {
	for _, slot := range f.apart {
		if b := &f.state.Bodies[slot]; b.Key != 0 {
			if box := f.boxOf(b); s.meets(&box) {
				found++
			}
		}
	}
	t.start()
	for n, ok := t.next(); ok && found <= most; n, ok = t.next() {
		boxes, level, from, to := t.below(n)
		for i := from; i < to; i++ {
			if !s.meets(&boxes[i]) {
				continue
			}
			if level >= 0 {
				t.stacked = append(t.stacked, node{level, i})
			} else if !f.moved(t.slots[i]) {
				found++
			}
		}
	}
	return found
}

// away returns the square of the distance of a point from a box. It is not above that from any point in the box, also
// not by rounding, because each operation of both is monotone.
func (a *area) away(p Vec) float64 {
	dx := max(a.left-p.X, p.X-a.right, 0)
	dy := max(a.bottom-p.Y, p.Y-a.top, 0)
	return float64(dx*dx) + float64(dy*dy)
}

// closest is Finder.Closest for the bodies that have not moved. It looks at the nearest boxes first.
func (t *bodyTree) closest(p Vec, far float64, most int, f *Finder,
	measure func(slot int32, far float64) float64) (all bool) {
	t.start()
	for n, ok := t.next(); ok; n, ok = t.next() {
		if n.level >= 0 && t.levels[n.level][n.i].away(p) > far {
			continue
		}
		boxes, level, from, to := t.below(n)
		if level >= 0 {
			t.stackByDistance(boxes, level, from, to, p, far)
			continue
		}
		for i := from; i < to; i++ {
			if f.moved(t.slots[i]) || boxes[i].away(p) > far {
				continue
			}
			if most--; most < 0 {
				return false
			}
			far = measure(t.slots[i], far)
		}
	}
	return true
}

// stackByDistance stacks boxes that are not beyond far, the nearest one last.
func (t *bodyTree) stackByDistance(boxes []area, level, from, to int32, p Vec, far float64) {
	var distance [fanOut]float64
	base := len(t.stacked)
	for i := from; i < to; i++ {
		d := boxes[i].away(p)
		if d > far {
			continue
		}
		t.stacked = append(t.stacked, node{level, i})
		k := len(t.stacked) - 1 - base
		for ; k > 0 && distance[k-1] < d; k-- {
			distance[k], t.stacked[base+k] = distance[k-1], t.stacked[base+k-1]
		}
		distance[k], t.stacked[base+k] = d, node{level, i}
	}
}
