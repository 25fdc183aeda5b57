package physics

import "cmp"

// The broad phase finds the pairs of bodies whose boxes overlap. It keeps
// nothing from one step to the next. Boxes are rounded outwards to a fixed
// grid of 1/8192 m, so whether a pair is a candidate is a function of its two
// bodies and of nothing else.

// box is where a body can be during the step, in grid units: lo and hi along the sweep axis,
// bottom and top across it.
type box struct {
	lo, hi, bottom, top uint32
	part, rank          int32
	kind                BodyType
	idle                bool // static or asleep: pairs only with boxes that are not
	sensor              bool
	sensed              bool // by a sensor that is not dynamic
}

const (
	gridOrigin = 262144.0 // metres: grid coordinate 0 is this far to the left
	gridScale  = 8192.0   // units a metre
	gridMax    = 1<<32 - 1
)

// grid is monotone, which is all that the sweep needs of it.
func grid(x float64) uint32 {
	return uint32(int64(clamp(float64((x+gridOrigin)*gridScale), 0, gridMax)))
}

// broadphase finds pairs with a sweep over sorted boxes.
type broadphase struct {
	movers, statics []box
	sorter          boxSorter
	lanes           lanes
	turned          bool // the sweep is along y
	bodies          []outline
	pairs           pairList
}

// reset forgets all boxes and pairs, for a sweep of these bodies.
func (bp *broadphase) reset(bodies []outline) {
	bp.movers, bp.statics, bp.bodies = bp.movers[:0], bp.statics[:0], bodies
	bp.pairs.reset()
}

// keep sets how many pairs are kept; 0 or less: MaxPairs.
func (bp *broadphase) keep(most int) { bp.pairs.keep(most) }

// found returns the pairs that overlap, at most as many as are kept.
func (bp *broadphase) found() []uint64 { return bp.pairs.found() }

// isFull reports whether there were more pairs than are kept.
func (bp *broadphase) isFull() bool { return bp.pairs.isFull() }

// overfull reports whether there are more pairs than are kept, with those of
// another sweep.
func (bp *broadphase) overfull(others int) bool { return bp.pairs.lacksRoomFor(others) }

// boxes returns those of the bodies that move, and those of the others.
func (bp *broadphase) boxes() [2][]box { return [2][]box{bp.movers, bp.statics} }

// extentAt returns the box of a rank.
func (bp *broadphase) extentAt(rank int32) extent {
	e := nowhere()
	for _, list := range bp.boxes() {
		for i := range list {
			if list[i].rank == rank {
				e = e.with(bp.extent(&list[i]))
			}
		}
	}
	return e
}

// add returns a new box with any content, in the list of idle or of other boxes.
func (bp *broadphase) add(idle bool) *box {
	list := &bp.movers
	if idle {
		list = &bp.statics
	}
	*list = longer(*list)
	return &(*list)[len(*list)-1]
}

// sweep finds all pairs of parts, in the order of (lower part, higher part). If
// there are more than most, it stops: those with what is static or asleep come
// first, so that floors hold. Which they are follows from the boxes alone, and
// among equal ones from their ranks.
func (bp *broadphase) sweep(parts int) []uint64 {
	bp.turned = spreadsAlongY(bp.movers)
	if bp.turned {
		turnBoxes(bp.movers)
		turnBoxes(bp.statics)
	}
	bp.movers = bp.sorter.sort(bp.movers)
	bp.statics = bp.sorter.sort(bp.statics)
	bp.sweepStatics()
	bp.sweepMovers()
	bp.pairs.sort(parts)
	return bp.pairs.found()
}

// spreadsAlongY chooses the axis along which the bodies are further apart. The choice changes
// how long the sweep takes, not what it finds.
func spreadsAlongY(boxes []box) bool {
	var x, y, xx, yy float64
	for i := range boxes {
		b := &boxes[i]
		cx, cy := float64(b.lo)+float64(b.hi), float64(b.bottom)+float64(b.top)
		x, y = x+cx, y+cy
		xx, yy = xx+float64(cx*cx), yy+float64(cy*cy)
	}
	n := float64(len(boxes))
	return float64(n*yy)-float64(y*y) > float64(n*xx)-float64(x*x)
}

func turnBoxes(boxes []box) {
	for i := range boxes {
		b := &boxes[i]
		b.lo, b.hi, b.bottom, b.top = b.bottom, b.top, b.lo, b.hi
	}
}

// overlapAcross reports whether two boxes overlap across the sweep.
func (a *box) overlapAcross(b *box) bool {
	return b.bottom <= a.top && a.bottom <= b.top
}

// sweepStatics walks both sorted lists at once. It finds each pair from the box that begins
// first.
func (bp *broadphase) sweepStatics() {
	i, j := 0, 0
	for i < len(bp.movers) && j < len(bp.statics) && !bp.pairs.isFull() {
		if m := &bp.movers[i]; m.lo <= bp.statics[j].lo {
			bp.against(m, bp.statics[j:])
			i++
		} else {
			bp.against(&bp.statics[j], bp.movers[i:])
			j++
		}
	}
}

// against keeps the pairs of a box and those of others, sorted, that it meets.
func (bp *broadphase) against(a *box, others []box) {
	hi, bottom, height := a.hi, uint64(a.bottom), uint64(a.top-a.bottom)
	for k := range others {
		b := &others[k]
		if b.lo > hi {
			return
		}
		// b.bottom <= a.top and a.bottom <= b.top, as one comparison that a
		// processor foresees.
		if uint64(b.top)-bottom <= height+uint64(b.top-b.bottom) {
			if bp.pair(a, b); bp.pairs.isFull() {
				return
			}
		}
	}
}

// wayBox returns the box of a circle about centre that moves by move.
func (bp *broadphase) wayBox(centre, move Vec, reach float64) box {
	b := box{
		lo:     grid(centre.X + min(move.X, 0) - reach),
		hi:     grid(centre.X + max(move.X, 0) + reach),
		bottom: grid(centre.Y + min(move.Y, 0) - reach),
		top:    grid(centre.Y + max(move.Y, 0) + reach),
	}
	if bp.turned {
		b.lo, b.hi, b.bottom, b.top = b.bottom, b.top, b.lo, b.hi
	}
	return b
}

// senses reports whether a is a sensor, of any type, of bodies like b.
func (a *box) senses(b *box) bool { return a.sensor && b.sensed }

// eachStatic calls f for each static box that overlaps the box of a way, but for those of
// sensors.
func (bp *broadphase) eachStatic(way *box, f func(b *box)) {
	for i := range bp.statics {
		b := &bp.statics[i]
		if b.lo > way.hi {
			break
		}
		if b.kind == Static && !b.sensor && b.hi >= way.lo && b.overlapAcross(way) {
			f(b)
		}
	}
}

// pair keeps a pair of parts of two bodies of which one can be pushed or is sensed by the other, and one is not a
// sensor, and whose layers meet.
func (bp *broadphase) pair(a, b *box) {
	if a.kind != Dynamic && b.kind != Dynamic && !a.senses(b) && !b.senses(a) || a.sensor && b.sensor || a.rank == b.rank ||
		!bp.bodies[a.rank].def.meets(bp.bodies[b.rank].def) {
		return
	}
	bp.pairs.add(uint64(a.part), uint64(b.part))
}

// check asserts that each part has a box, the lists are sorted, and the pairs of parts
// are in the order of their bodies and then of their shapes, none of them twice.
func (bp *broadphase) check(parts []part) {
	if len(bp.movers)+len(bp.statics) != len(parts) {
		violated("%d boxes of bodies that move and %d others, of %d parts", len(bp.movers), len(bp.statics), len(parts))
	}
	for _, list := range bp.boxes() {
		for i := range list {
			b := &list[i]
			if b.lo > b.hi || b.bottom > b.top || i > 0 && list[i-1].lo > b.lo || parts[b.part].rank != b.rank {
				violated("the box %+v of part %d is not in place", *b, b.part)
			}
		}
	}
	for i, packed := range bp.pairs.found() {
		a, b := parts[packed>>32], parts[uint32(packed)]
		if a.rank >= b.rank {
			violated("a pair of the ranks %d and %d", a.rank, b.rank)
		}
		if i == 0 {
			continue
		}
		was := bp.pairs.found()[i-1]
		if pa, pb := parts[was>>32], parts[uint32(was)]; cmp.Or(cmp.Compare(pa.rank, a.rank),
			cmp.Compare(pb.rank, b.rank), cmp.Compare(pa.index, a.index), cmp.Compare(pb.index, b.index)) >= 0 {
			violated("the pair of parts %x follows %x", packed, was)
		}
	}
}
