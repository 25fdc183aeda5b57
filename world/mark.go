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
	return Mark{
		w.log.mark(w.Now.Rows.Stride, w.acting.slot() >= 0),
		w.ops.len(),
		len(w.Faults()),
		len(*w.presentCues()),
	}
}

// wrote reports whether hooks have changed anything since a mark: an object, what happens to one when the order ends, or cues.
func (w *World) wrote(m Mark) bool {
	return w.log.undo.len() > m.changes.undo || w.ops.len() > m.ops || len(*w.presentCues()) > m.cues
}

// undo undoes the effects of hooks since a mark.
func (w *World) undo(m Mark) {
	w.log.undoTo(m.changes, w.Now, w.acting.all())
	w.ops.cut(m.ops)
	w.outcome.cutFaults(m.faults)
	cues := w.presentCues()
	clear((*cues)[m.cues:])
	*cues = (*cues)[:m.cues]
}
