package world

// A hook that makes the interpreter itself fail may have stopped anywhere. Its effects
// are undone, as if it had not been called.

// Mark is a moment within an order, before a hook. Calls.Undo goes back to it.
type Mark struct {
	changes           logMark
	ops, faults, cues int
}

// mark returns the present moment.
func (w *World) mark() Mark {
	return Mark{w.log.mark(w.Now.Stride, w.actor >= 0), len(w.ops), len(w.faults), len(*w.rec.cues())}
}

// undo undoes the effects of hooks since a mark.
func (w *World) undo(m Mark) {
	w.log.undoTo(m.changes, w.Now, w.deeds)
	w.ops, w.faults = w.ops[:m.ops], w.faults[:m.faults]
	w.rec.cutCues(m.cues)
}
