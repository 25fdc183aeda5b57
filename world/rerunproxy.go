package world

// Reopen goes back to the end of a tick of the history of which nothing else is
// to be run again, for ApplyProxies.
func (p *PartialRerun) Reopen(tick *HistoryEntry, schema *Schema) {
	p.tick = tick
	p.w.Enter(&tick.State, &tick.Trace, schema)
	p.takeBackUpdates()
	p.ran.reset()
	p.Solved, p.Whole = 0, false
}

// takeBackUpdates takes back the proxy updates at the end of the tick.
func (p *PartialRerun) takeBackUpdates() {
	p.tick.Trace.tickEnd().takeBackUpdates(&p.tick.State, &p.former.updates, &p.former.updateRemovals)
}

// ApplyProxies applies the proxy updates of the tick, all that there are, and
// finds which objects differ from the history.
func (p *PartialRerun) ApplyProxies(updates []ProxyUpdate) {
	w, n := p.w, p.diff.len()
	for i := range updates {
		w.ApplyProxy(&updates[i])
	}
	former, now := &p.former.updates, p.tick.Trace.tickEnd().updated()
	for i, slot := range former.list() {
		p.compareUpdate(slot, former, i)
	}
	for i, slot := range now.list() {
		if !p.diff.has(slot) {
			p.compareUpdate(slot, now, i)
		} else {
			p.diff.compareShape(slot, now.object(i), &w.Now.Objects[slot])
		}
	}
	removed := p.tick.Trace.tickEnd().removedByUpdates()
	p.former.updateRemovals.without(removed, p.addNeighbour, p.slots.find)
	removed.without(&p.former.updateRemovals, p.addNeighbour, p.slots.find)
	former.reset(w.Now.Stride)
	p.former.updateRemovals.reset()
	p.spreadToJoints()
	p.eventCause(n)
}

// compareUpdate makes an object dirty that differs from entry i of then, which
// the history has.
func (p *PartialRerun) compareUpdate(slot int32, then *undoLog, i int) {
	if p.diff.has(slot) || !then.same(i, p.w.Now, int(slot), deeds{}) {
		p.spoil(slot, then.object(i), then.body(i))
	}
}

// ApplyCommitted is World.ApplyCommitted at the end of a tick. It finds which
// objects differ from the history then. The tick must not be run again after it.
func (p *PartialRerun) ApplyCommitted(shared, before *State) {
	n := p.diff.len()
	p.former.state.CopyFrom(p.w.Now)
	p.w.ApplyCommitted(shared, before)
	p.compareState()
	p.eventCause(n)
}

// eventCause notes that the dirty objects from the nth on differ because of an
// update from outside.
func (p *PartialRerun) eventCause(n int) {
	if p.provenance != nil {
		for _, slot := range p.diff.list()[n:] {
			p.cause(slot, FromEvent, -1)
		}
	}
	p.notePoses()
}
