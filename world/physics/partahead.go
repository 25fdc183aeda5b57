package physics

import "math"

// readAhead reads, one after the other, what is about to be read all over the
// place: the trace, and the bodies that differ. The states of a tick run long
// ago are in no near cache, and reads that do not wait for each other come many
// times as fast as those that follow a list.
func (r *partial) readAhead(changed []int32) {
	n := r.again.trace.readAhead()
	for _, slot := range changed {
		for _, bodies := range [...][]Body{r.again.mid.Bodies, r.again.after.Bodies} {
			if uint(slot) < uint(len(bodies)) {
				b := &bodies[slot]
				n += b.Key + math.Float64bits(b.VX) + math.Float64bits(b.ImpT)
			}
		}
	}
	r.seen += n
}

// readAhead reads the trace. The sum that it returns means nothing.
func (t *Trace) readAhead() uint64 { return t.bodies.readAhead() + sumLines(t.rings) }

func (tb *tracedBodies) readAhead() (n uint64) {
	for i := 0; i < len(tb.boxes); i += cacheLine / 16 {
		n += uint64(tb.boxes[i].lo)
	}
	for i := 0; i < len(tb.keys); i += cacheLine / 8 {
		n += tb.keys[i]
	}
	heads, next, prev := tb.free.memory()
	return n + sumLines(heads) + sumLines(next) + sumLines(prev)
}

const cacheLine = 64 // bytes

// sumLines reads each cache line of a list.
func sumLines(list []int32) (n uint64) {
	for i := 0; i < len(list); i += cacheLine / 4 {
		n += uint64(list[i])
	}
	return n
}
