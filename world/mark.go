package world

// A hook that makes the interpreter itself fail may have stopped anywhere. What
// it did is taken back, as if it had not been called.

// Mark is a moment within an order, before a hook. Undo goes back to it.
type Mark struct {
	changes           logMark
	ops, faults, cues int
}

// Mark returns the present moment.
func (w *World) Mark() Mark {
	return Mark{w.log.mark(w.Now.Stride, w.actor >= 0), len(w.ops), len(w.faults), len(*w.rec.cues())}
}

// Undo takes back what hooks did since a mark.
func (w *World) Undo(m Mark) {
	w.log.undoTo(m.changes, w.Now, w.deeds)
	w.ops, w.faults = w.ops[:m.ops], w.faults[:m.faults]
	w.rec.cutCues(m.cues)
}
