package world

// progress is how far a World is in a tick.
type progress struct {
	ticking    bool // a tick has begun and not ended
	partial    bool // a PartialRerun runs the tick
	beforeStep bool // a PartialRerun runs the tick and has not come to its physics step, which takes the changes back
	wholeOnly  bool // a PartialRerun found something because of which the tick must be run as a whole
}

// begin begins a tick.
func (p *progress) begin() { p.ticking, p.partial, p.beforeStep = true, false, false }

// beginPartial begins a tick that a PartialRerun runs.
func (p *progress) beginPartial() { p.ticking, p.partial, p.beforeStep = true, true, true }

// stepped notes that a PartialRerun has come to the physics step.
func (p *progress) stepped() { p.beforeStep = false }

// resume makes that the tick that ended goes on, with a level that begins.
func (p *progress) resume() { p.ticking = true }

// end ends the tick.
func (p *progress) end() { p.ticking = false }

// inTick reports whether a tick has begun and not ended.
func (p *progress) inTick() bool { return p.ticking }

// isPartial reports whether a PartialRerun runs the tick.
func (p *progress) isPartial() bool { return p.partial }

// isBeforeStep reports whether a PartialRerun has not come to its physics step.
func (p *progress) isBeforeStep() bool { return p.beforeStep }

// needWhole notes whether the tick must be run as a whole.
func (p *progress) needWhole(yes bool) { p.wholeOnly = p.wholeOnly || yes }

// needsWhole reports whether the tick must be run as a whole.
func (p *progress) needsWhole() bool { return p.wholeOnly }

// clearNeedsWhole starts a rewind.
func (p *progress) clearNeedsWhole() { p.wholeOnly = false }
