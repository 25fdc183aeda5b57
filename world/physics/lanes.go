package physics

import "math/bits"

// lanes are strips along the sweep, each with the boxes that reach into it, so
// that a box is compared with those beside it and not with all across the
// world. How high they are changes how long the sweep takes, not what it
// finds.
type lanes struct {
	low   uint32 // where the first begins
	shift uint   // a lane is 1 << shift high
	ends  []int32
	boxes []box // of the first lane, of the second, and so on, each sorted by lo
}

const (
	fewMovers = 48  // below, lanes do not pay
	mostLanes = 256 // more do not pay
)

// of returns the lane for a coordinate y.
func (l *lanes) of(y uint32) uint32 { return (y - l.low) >> l.shift }

// lay chooses the lanes and puts the boxes into them.
func (l *lanes) lay(boxes []box) {
	low, high, heights := boxes[0].bottom, boxes[0].top, uint64(0)
	for i := range boxes {
		b := &boxes[i]
		low, high = min(low, b.bottom), max(high, b.top)
		heights += uint64(b.top - b.bottom)
	}
	l.low = low
	l.shift = uint(max(bits.Len64(heights/uint64(len(boxes))), bits.Len32((high-low)/mostLanes)))
	l.ends = resize(l.ends, int(l.of(high))+2)
	clear(l.ends)
	for i := range boxes {
		for lane := l.of(boxes[i].bottom); lane <= l.of(boxes[i].top); lane++ {
			l.ends[lane+1]++
		}
	}
	for lane := 1; lane < len(l.ends); lane++ {
		l.ends[lane] += l.ends[lane-1]
	}
	l.boxes = resize(l.boxes, int(l.ends[len(l.ends)-1]))
	for i := range boxes {
		for lane := l.of(boxes[i].bottom); lane <= l.of(boxes[i].top); lane++ {
			l.boxes[l.ends[lane]] = boxes[i]
			l.ends[lane]++
		}
	}
}

// sweepMovers finds the pairs among the movers, which are sorted.
func (bp *broadphase) sweepMovers() {
	if len(bp.movers) < fewMovers {
		for i := 0; i < len(bp.movers) && !bp.pairs.isFull(); i++ {
			bp.against(&bp.movers[i], bp.movers[i+1:])
		}
		return
	}
	l := &bp.lanes
	l.lay(bp.movers)
	first := int32(0)
	for lane, end := range l.ends[:len(l.ends)-1] {
		if bp.pairs.isFull() {
			return
		}
		bp.sweepLane(uint32(lane), l.boxes[first:end])
		first = end
	}
}

// sweepLane finds the pairs of boxes that begin to overlap, across the sweep,
// in one lane: those of which the higher bottom is there.
func (bp *broadphase) sweepLane(lane uint32, boxes []box) {
	for i := range boxes {
		a := &boxes[i]
		hi, bottom, height := a.hi, uint64(a.bottom), uint64(a.top-a.bottom)
		rest := boxes[i+1:]
		for k := range rest {
			b := &rest[k]
			if b.lo > hi {
				break
			}
			if uint64(b.top)-bottom <= height+uint64(b.top-b.bottom) && bp.lanes.of(max(a.bottom, b.bottom)) == lane {
				if bp.pair(a, b); bp.pairs.isFull() {
					return
				}
			}
		}
	}
}
