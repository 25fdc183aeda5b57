package world

// wantDirty wants those who differ, but for those of whom this block says
// nothing: they have no hook in it, nobody moves them, and the history has no deed
// or value of theirs there. A move that agreed with the history left no value. Who does something to one of those wants him, see followDeeds.
func (p *PartialRerun) wantDirty() {
	b, hooks := p.block(), p.w.schema.hooks(p.w.block)
	busy := len(b.ops) > 0 || len(b.births) > 0 || len(b.looks) > 0 || len(b.cues) > 0
	p.recorded.reset()
	for _, slot := range b.after.slots {
		p.recorded.add(slot)
	}
	for _, slot := range p.dirty.list {
		if busy || p.recorded.has(slot) || p.hasHook(slot, hooks) {
			p.Want(int(slot))
		}
	}
}

func (p *PartialRerun) hasHook(slot int32, hooks HookSet) bool {
	w := p.w
	if int(slot) >= len(w.Now.Objects) || w.Now.Objects[slot].ID == 0 {
		return false
	}
	class := w.Class(int(slot))
	return class.Hooks&hooks != 0 || class.Moves != nil && hooks.Has(Verify)
}

// readAhead reads, one after the other, the objects that differ: what follows
// would wait for each, since the states of a tick run long ago are in no near
// cache.
func (p *PartialRerun) readAhead() {
	n := uint64(0)
	for _, s := range [...]*State{&p.from.State, &p.tick.State} {
		for _, slot := range p.dirty.list {
			if int(slot) < len(s.Objects) {
				n += uint64(s.Objects[slot].ID)
				if s.Stride > 0 {
					n += s.Row(int(slot))[0]
				}
			}
		}
	}
	p.seen += n
}
