package world

// endTrace is the record of the end of a tick: owners, removals, and then proxy
// updates. A nil endTrace records nothing.
type endTrace struct {
	ended          undoLog  // objects that changed owner or were removed, as they were before
	removals       removals // contacts and joints of the objects that were removed
	updates        undoLog  // objects that proxy updates changed, as they were before each update
	updateRemovals removals // contacts and joints of the objects that proxy updates removed
}

// reset empties the record.
func (e *endTrace) reset(stride int) {
	e.begin(stride)
	e.resetUpdates(stride)
}

// begin starts the end of a tick.
func (e *endTrace) begin(stride int) {
	if e != nil {
		e.ended.resetWithoutJoints(stride) // removals keep the joints
		e.removals.reset()
	}
}

func (e *endTrace) resetUpdates(stride int) {
	e.updates.reset(stride)
	e.updateRemovals.reset()
}

// change records the values of a slot before it changes.
func (e *endTrace) change(s *State, slot int, a activity) {
	if e != nil {
		e.ended.take(s, slot, a)
	}
}

// remove records the contacts and joints of an object before its removal.
func (e *endTrace) remove(s *State, slot int) {
	if e != nil {
		e.removals.take(s, slot, 0)
	}
}

// update records the values of a slot before a proxy update changes it.
func (e *endTrace) update(s *State, slot int) {
	if e != nil {
		e.updates.take(s, slot, activity{})
	}
}

// updateRemoves records the contacts and joints of an object before a proxy
// update removes it.
func (e *endTrace) updateRemoves(s *State, slot int) {
	if e != nil {
		e.updateRemovals.take(s, slot, e.updates.len()-1)
	}
}

// removed returns the removals of the tick.
func (e *endTrace) removed() *removals { return &e.removals }

// updated returns the objects that proxy updates changed, as they were before.
func (e *endTrace) updated() *undoLog { return &e.updates }

// removedByUpdates returns the removals of proxy updates.
func (e *endTrace) removedByUpdates() *removals { return &e.updateRemovals }

// takeBackUpdates undoes the changes of proxy updates in s, and exchanges their
// removals for those in out. Before that it puts the present values of the slots into
// former.
func (e *endTrace) takeBackUpdates(s *State, former *undoLog, out *removals) {
	former.reset(s.Rows.Stride)
	for _, slot := range e.updates.list() {
		former.take(s, int(slot), activity{})
	}
	// Updates attach and detach objects too, so each removal is undone between the updates that came
	// after it and those before it.
	left := e.updateRemovals.count()
	for i := e.updates.len() - 1; i >= 0; i-- {
		left = e.updateRemovals.restoreOf(i, left, s)
		e.updates.put(i, s)
	}
	*out, e.updateRemovals = e.updateRemovals, *out
	e.resetUpdates(s.Rows.Stride)
}

// takeBack undoes the removals and the changes of owners in s, and exchanges the
// removals for those in out.
func (e *endTrace) takeBack(s *State, out *removals) {
	e.removals.restore(s)
	*out, e.removals = e.removals, *out
	e.ended.putBack(s, 0)
}

// eachSlot calls f for the slots of the objects that the end of the tick changed or removed.
func (e *endTrace) eachSlot(f func(slot int32)) {
	for _, slot := range e.ended.list() {
		f(slot)
	}
	for _, slot := range e.updates.list() {
		f(slot)
	}
}

func (e *endTrace) measure(m *Memory) {
	e.ended.measure(m)
	e.updates.measure(m)
	m.add(e.removals.bytes() + e.updateRemovals.bytes())
}
