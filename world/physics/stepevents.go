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
