package physics

import "cmp"

// The broad phase finds the pairs of bodies whose boxes overlap. It keeps
// nothing from one step to the next. Boxes are rounded outwards to a fixed
// grid of 1/8192 m, so whether a pair is a candidate is a function of its two
// bodies and of nothing else.

// box is where a body can be during the step, in grid units: lo and hi along the sweep axis,
// bottom and top across it.
type box struct {
	Lo, Hi, Bottom, Top uint32
	Part, Rank          int32
	Kind                BodyType
	Idle                bool // static or asleep: pairs only with boxes that are not
	Sensor              bool
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
			if list[i].Rank == rank {
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
		cx, cy := float64(b.Lo)+float64(b.Hi), float64(b.Bottom)+float64(b.Top)
		x, y = x+cx, y+cy
		xx, yy = xx+float64(cx*cx), yy+float64(cy*cy)
	}
	n := float64(len(boxes))
	return float64(n*yy)-float64(y*y) > float64(n*xx)-float64(x*x)
}

func turnBoxes(boxes []box) {
	for i := range boxes {
		b := &boxes[i]
		b.Lo, b.Hi, b.Bottom, b.Top = b.Bottom, b.Top, b.Lo, b.Hi
	}
}

// overlapAcross reports whether two boxes overlap across the sweep.
func overlapAcross(a, b *box) bool {
	return b.Bottom <= a.Top && a.Bottom <= b.Top
}

// sweepStatics walks both sorted lists at once. It finds each pair from the box that begins
// first.
func (bp *broadphase) sweepStatics() {
	i, j := 0, 0
	for i < len(bp.movers) && j < len(bp.statics) && !bp.pairs.isFull() {
		if m := &bp.movers[i]; m.Lo <= bp.statics[j].Lo {
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
	hi, bottom, height := a.Hi, uint64(a.Bottom), uint64(a.Top-a.Bottom)
	for k := range others {
		b := &others[k]
		if b.Lo > hi {
			return
		}
		// b.bottom <= a.top and a.bottom <= b.top, as one comparison that a
		// processor foresees.
		if uint64(b.Top)-bottom <= height+uint64(b.Top-b.Bottom) {
			if bp.pair(a, b); bp.pairs.isFull() {
				return
			}
		}
	}
}

// wayBox returns the box of a circle about centre that moves by move.
func (bp *broadphase) wayBox(centre, move Vec, reach float64) box {
	b := box{
		Lo:     grid(centre.X + min(move.X, 0) - reach),
		Hi:     grid(centre.X + max(move.X, 0) + reach),
		Bottom: grid(centre.Y + min(move.Y, 0) - reach),
		Top:    grid(centre.Y + max(move.Y, 0) + reach),
	}
	if bp.turned {
		b.Lo, b.Hi, b.Bottom, b.Top = b.Bottom, b.Top, b.Lo, b.Hi
	}
	return b
}

// eachStatic calls f for each static box that overlaps the box of a way, but for those of
// sensors.
func (bp *broadphase) eachStatic(way *box, f func(b *box)) {
	for i := range bp.statics {
		b := &bp.statics[i]
		if b.Lo > way.Hi {
			break
		}
		if b.Kind == Static && !b.Sensor && b.Hi >= way.Lo && overlapAcross(b, way) {
			f(b)
		}
	}
}

// pair keeps a pair of parts of two bodies of which one can be pushed and one
// is not a sensor, and whose layers meet.
func (bp *broadphase) pair(a, b *box) {
	if a.Kind != Dynamic && b.Kind != Dynamic || a.Sensor && b.Sensor || a.Rank == b.Rank ||
		!bp.bodies[a.Rank].Def.meets(bp.bodies[b.Rank].Def) {
		return
	}
	bp.pairs.add(uint64(a.Part), uint64(b.Part))
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
			if b.Lo > b.Hi || b.Bottom > b.Top || i > 0 && list[i-1].Lo > b.Lo || parts[b.Part].Rank != b.Rank {
				violated("the box %+v of part %d is not in place", *b, b.Part)
			}
		}
	}
	for i, packed := range bp.pairs.found() {
		a, b := parts[packed>>32], parts[uint32(packed)]
		if a.Rank >= b.Rank {
			violated("a pair of the ranks %d and %d", a.Rank, b.Rank)
		}
		if i == 0 {
			continue
		}
		was := bp.pairs.found()[i-1]
		if pa, pb := parts[was>>32], parts[uint32(was)]; cmp.Or(cmp.Compare(pa.Rank, a.Rank), cmp.Compare(pb.Rank, b.Rank),
			cmp.Compare(pa.Index, a.Index), cmp.Compare(pb.Index, b.Index)) >= 0 {
			violated("the pair of parts %x follows %x", packed, was)
		}
	}
}
