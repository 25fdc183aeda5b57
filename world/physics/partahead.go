package physics

import "math"

// readAhead reads, one after the other, what is about to be read all over the
// place: the trace, and the bodies that differ. The states of a tick run long
// ago are in no near cache, and reads that do not wait for each other come many
// times as fast as those that follow a list.
func (r *partial) readAhead(changed []int32) {
	n := r.again.Trace.readAhead()
	for _, slot := range changed {
		for _, bodies := range [...][]Body{r.again.Mid.Bodies, r.again.After.Bodies} {
			if uint(slot) < uint(len(bodies)) {
				b := &bodies[slot]
				n += b.Key + math.Float64bits(b.VX) + math.Float64bits(b.ImpT)
			}
		}
	}
	r.seen += n
}

// readAhead reads the trace. The sum that it returns means nothing.
func (t *Trace) readAhead() (n uint64) {
	const line = 64 // bytes
	for i := 0; i < len(t.boxes); i += line / 16 {
		n += uint64(t.boxes[i].Lo)
	}
	for i := 0; i < len(t.keys); i += line / 8 {
		n += t.keys[i]
	}
	heads, next, prev := t.free.memory()
	for _, list := range [...][]int32{t.next, heads, next, prev} {
		for i := 0; i < len(list); i += line / 4 {
			n += uint64(list[i])
		}
	}
	return n
}
