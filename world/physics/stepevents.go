package physics

// stepEvents are the events of a step.
type stepEvents struct {
	Begins, Ends, Hits []Event
	Broken             []JointEvent
}

func (e *stepEvents) reset() {
	e.Begins, e.Ends, e.Hits, e.Broken = e.Begins[:0], e.Ends[:0], e.Hits[:0], e.Broken[:0]
}

// copyFrom makes e equal to src in the memory that e has.
func (e *stepEvents) copyFrom(src *stepEvents) {
	e.Begins = append(e.Begins[:0], src.Begins...)
	e.Ends = append(e.Ends[:0], src.Ends...)
	e.Hits = append(e.Hits[:0], src.Hits...)
	e.Broken = append(e.Broken[:0], src.Broken...)
}

// bytes is the memory that the events hold.
func (e *stepEvents) bytes() int {
	const event, jointEvent = 72, 48
	return (len(e.Begins)+len(e.Ends)+len(e.Hits))*event + len(e.Broken)*jointEvent
}

// JointEvent says that a joint ended in a step: it broke, or one of its bodies
// was removed. A body that is gone, and the world, have slot -1.
type JointEvent struct {
	Key        uint64
	A, B       int32 // slots
	KeyA, KeyB uint64
	Broke      bool
	Force      float64 // N, mean of the step
	Torque     float64 // N m, mean of the step, at least 0
}

// JointEvents gives the joints that ended in the last Step, sorted by key. The
// slice is the Solver's: the next Step overwrites it.
func (sv *Solver) JointEvents() []JointEvent { return sv.events.Broken }
