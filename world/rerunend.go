package world

import "github.com/hindcast/hindcast/world/physics"

// rerunEnd has the removals and proxy updates of the history at the end of a tick. It
// finds the objects that differ because the tick ends differently now.
type rerunEnd struct {
	at   rerunWorld // the world that runs the tick
	diff *difference
	why  *RerunProvenance

	removals       removals
	updates        undoLog // objects that proxy updates changed, as they were after that
	updateRemovals removals
	compared       SlotSet // the objects in updates
}

// takeBack restores the state after a tick to that at the end of the physics step.
func (e *rerunEnd) takeBack(tick *HistoryEntry) {
	e.takeBackUpdates(tick)
	tick.Trace.takeBackEnd(&tick.State, e.at.schema(), &e.removals)
}

// takeBackUpdates undoes the proxy updates at the end of a tick.
func (e *rerunEnd) takeBackUpdates(tick *HistoryEntry) {
	tick.Trace.tickEnd().takeBackUpdates(&tick.State, &e.updates, &e.updateRemovals)
}

// compareRemovals makes objects dirty whose neighbour is removed now and was not in the
// history, or is not removed now and was in the history.
func (e *rerunEnd) compareRemovals(tick *HistoryEntry) {
	e.compareNeighbours(&e.removals, tick.Trace.tickEnd().removed())
}

func (e *rerunEnd) compareNeighbours(then, now *removals) {
	then.without(now, e.addNeighbour, e.at.find)
	now.without(then, e.addNeighbour, e.at.find)
}

// addNeighbour makes an object dirty that touched, or was joined to, an object that was
// removed in the history and not now, or the other way round.
func (e *rerunEnd) addNeighbour(slot int32) {
	if slot < 0 {
		return
	}
	now := e.at.now()
	o, b := &now.Objects[slot], now.Body(int(slot))
	if o.ID == 0 || b.Key != 0 && e.at.schema().Defs[b.Def].Type != physics.Dynamic {
		return
	}
	e.diff.add(slot, b)
}

// applyUpdates applies the proxy updates of a tick, and makes the objects dirty
// that differ after them.
func (e *rerunEnd) applyUpdates(w *World, tick *HistoryEntry, updates []ProxyUpdate) {
	end := tick.Trace.tickEnd()
	for i := range updates {
		w.ApplyProxy(&updates[i])
	}
	e.compared.reset()
	for i, slot := range e.updates.list() {
		e.compared.add(slot)
		e.compareUpdate(slot, &e.updates, i)
	}
	now := end.updated()
	for i, slot := range now.list() {
		switch {
		case e.compared.Has(slot): // the history updated it, too
		case !e.diff.has(slot):
			e.compareUpdate(slot, now, i)
		default:
			e.diff.compareShape(slot, now.object(i), &w.Now.Objects[slot])
		}
	}
	e.compareNeighbours(&e.updateRemovals, end.removedByUpdates())
	e.updates.reset(w.Now.Rows.Stride)
	e.updateRemovals.reset()
}

// compareUpdate makes an object dirty that differs from entry i of then, which
// the history has.
func (e *rerunEnd) compareUpdate(slot int32, then *undoLog, i int) {
	if e.diff.has(slot) || !then.same(i, e.at.now(), int(slot), activity{}) {
		e.diff.spoil(slot, then.object(i), then.body(i))
		e.why.differs(slot)
	}
}
