package world

// A hook that makes the interpreter itself fail may have been stopped anywhere,
// and what it did is taken back: as if it had not been called.

// Mark is a moment within an order, before a hook: Undo goes back to it.
type Mark struct{ saved, redone, ops, faults, cues int }

// Mark notes the present moment. Marks are of one order, and those within each
// other are undone from the inside out.
func (w *World) Mark() Mark {
	if w.actor < 0 {
		w.redo.reset(w.Now.Stride) // no other mark is in force
	}
	w.newTrial()
	return Mark{len(w.undo.slots), len(w.redo.slots), len(w.ops), len(w.faults), len(*w.cuesNow())}
}

func (w *World) newTrial() {
	w.checkpoints++
	w.checkpoint = w.checkpoints
}

// Undo takes back what hooks did since the mark: changes, spawns, what they
// asked for, cues, random numbers, faults. What they looked at stays noted, and whom
// they spawned: on that depends whether they fail again when the tick is
// run again. What they used of their budget stays used.
func (w *World) Undo(m Mark) {
	for i := len(w.redo.slots) - 1; i >= m.redone; i-- {
		w.restore(&w.redo, i)
	}
	w.redo.cut(m.redone)
	w.untouch(m.saved)
	w.ops, w.faults = w.ops[:m.ops], w.faults[:m.faults]
	cues := w.cuesNow()
	clear((*cues)[m.cues:])
	*cues = (*cues)[:m.cues]
	w.newTrial() // of what is touched again, there is no copy any more
}

// untouch restores the slots that were first touched, in this order, since
// saved had so many entries. Entries that are not of touch stay.
func (w *World) untouch(from int) {
	kept := from
	for i := from; i < len(w.undo.slots); i++ {
		if st := &w.stamps[w.undo.slots[i]]; st.order == w.order && st.entry == int32(i) {
			w.restore(&w.undo, i)
			*st = stamp{}
			continue
		}
		if kept != i {
			w.undo.move(kept, i)
		}
		kept++
	}
	w.undo.cut(kept)
}

// restore gives a slot the values of an entry, and what its object did before.
func (w *World) restore(p *undoLog, i int) {
	a := &w.acting[p.slots[i]]
	spent, spentIn := a.spent, a.spentIn
	*a = p.acts[i]
	a.spent, a.spentIn = spent, spentIn
	p.put(i, w.Now)
}
