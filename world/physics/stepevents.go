package physics

// Event says that two bodies began or ceased to touch in a step. A is the body with the lower key. A
// removed body has slot -1. Of an end only slots, keys and Sensor are set.
type Event struct {
	A, B       int32   // slots
	KeyA, KeyB uint64  // KeyA < KeyB
	Sensor     bool    // one of the two only senses: they overlap, nothing pushes
	Point      Vec     // where, in the world, at the start of the step
	Normal     Vec     // unit vector from A to B
	Impulse    float64 // N s along the normal in this step
	Speed      float64 // m/s at which the two closed in on each other, at least 0
}

// JointEvent says that a joint ended in a step: it broke, or one of its bodies
// was removed. A body that is gone, and the world, have slot -1.
type JointEvent struct {
	Key        uint64  // of the joint
	A, B       int32   // slots
	KeyA, KeyB uint64  // of its bodies; KeyB 0: the world
	Broke      bool    // the load was too large; otherwise a body was removed
	Force      float64 // N, mean of the step
	Torque     float64 // N m, mean of the step, at least 0
}

// stepEvents are the events of a step.
type stepEvents struct {
	begins, ends, hits []Event
	broken             []JointEvent
}

// none returns no events, in the memory that e has.
func (e stepEvents) none() stepEvents {
	return stepEvents{e.begins[:0], e.ends[:0], e.hits[:0], e.broken[:0]}
}

// copyOf returns the events of src, in the memory that e has.
func (e stepEvents) copyOf(src *stepEvents) stepEvents {
	return stepEvents{append(e.begins[:0], src.begins...), append(e.ends[:0], src.ends...),
		append(e.hits[:0], src.hits...), append(e.broken[:0], src.broken...)}
}

// bytes returns the memory that the events hold.
func (e stepEvents) bytes() int {
	const event, jointEvent = 72, 48
	return (len(e.begins)+len(e.ends)+len(e.hits))*event + len(e.broken)*jointEvent
}

// eventBuilder makes the events of a step. Events are of bodies: of several parts that
// do the same at once it makes one.
type eventBuilder struct {
	made    stepEvents
	beganAt float64 // separation of the last begin
}

// reset forgets the events of the step before.
func (eb *eventBuilder) reset() { eb.made = eb.made.none() }

// happened returns the events of the step.
func (eb *eventBuilder) happened() *stepEvents { return &eb.made }

// hit reports a hit, if the two pushed. Of several parts the event is that of the
// fastest, with all impulses.
func (eb *eventBuilder) hit(e Event) {
	if !(e.Impulse > 0) {
		return
	}
	if n := len(eb.made.hits); n > 0 && eb.made.hits[n-1].KeyA == e.KeyA && eb.made.hits[n-1].KeyB == e.KeyB {
		first := &eb.made.hits[n-1]
		e.Impulse += first.Impulse
		if first.Speed >= e.Speed {
			e.Speed, e.Point, e.Normal = first.Speed, first.Point, first.Normal
		}
		*first = e
		return
	}
	eb.made.hits = append(eb.made.hits, e)
}

// begin reports a beginning, with parts so far apart. Of several parts the event is that
// of the deepest, with all impulses.
func (eb *eventBuilder) begin(e Event, separation float64) {
	if n := len(eb.made.begins); n > 0 && eb.made.begins[n-1].KeyA == e.KeyA && eb.made.begins[n-1].KeyB == e.KeyB {
		first := &eb.made.begins[n-1]
		first.Impulse += e.Impulse
		first.Speed = max(first.Speed, e.Speed)
		if separation < eb.beganAt {
			first.Point, first.Normal, eb.beganAt = e.Point, e.Normal, separation
		}
		return
	}
	eb.made.begins, eb.beganAt = append(eb.made.begins, e), separation
}

// end reports the end of a contact. A slot that has another body by now counts
// as removed, even if Remove was not called.
func (eb *eventBuilder) end(s *State, c *Contact) {
	e := Event{A: c.SlotA, B: c.SlotB, KeyA: c.KeyA, KeyB: c.KeyB, Sensor: c.Flags&SensorContact != 0}
	if s.keyAt(c.SlotA) != c.KeyA {
		e.A = -1
	}
	if s.keyAt(c.SlotB) != c.KeyB {
		e.B = -1
	}
	n := len(eb.made.ends)
	twice := n > 0 && eb.made.ends[n-1] == e
	if (e.A >= 0 || e.B >= 0) && !twice {
		eb.made.ends = append(eb.made.ends, e)
	}
}

// jointEnded reports the end of a joint, unless no body of it remains.
func (eb *eventBuilder) jointEnded(e JointEvent) {
	if e.A >= 0 || e.B >= 0 {
		eb.made.broken = append(eb.made.broken, e)
	}
}

// check asserts that the events are sorted.
func (e stepEvents) check() {
	for _, list := range [...][]Event{e.begins, e.ends, e.hits} {
		for i := 1; i < len(list); i++ {
			if list[i-1].compare(&list[i]) > 0 {
				violated("the event %+v follows %+v", list[i], list[i-1])
			}
		}
	}
	for i := 1; i < len(e.broken); i++ {
		if e.broken[i-1].compare(&e.broken[i]) > 0 {
			violated("the event %+v follows %+v", e.broken[i], e.broken[i-1])
		}
	}
}
