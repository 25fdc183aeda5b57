package world

import "github.com/hindcast/hindcast/world/physics"

// EndBlock carries out the operations on objects that were run again, gives all
// others the values of the history, and finds which objects differ now.
func (p *PartialRerun) EndBlock() {
	w, b := p.w, p.rec.presentBlock()
	own := len(w.asked())
	for i := range b.Ops {
		if op := &b.Ops[i]; !p.agenda.has(op.by()) {
			if slot, ok := w.Find(op.Target); ok && p.agenda.has(int32(slot)) {
				w.ask(op)
			}
		}
	}
	p.agenda.keepOps(w.asked()[:own]) // flush sorts them
	w.flush()
	for i, slot := range b.After.list() {
		if !p.agenda.has(slot) {
			w.inherit(&b.After, i, p.ties(&b.After, i))
		}
	}
	p.compareBlock(b)
	p.record(b)
	w.endPartialBlock()
}

// compareBlock makes those objects dirty that were clean before the block and
// are not after it.
func (p *PartialRerun) compareBlock(b *blockTrace) {
	w := p.w
	p.agenda.indexEntries(&b.After, p.slots.len())
	for _, slot := range p.agenda.list() {
		w.makeRoom(slot)
		p.compareDeeds(slot, b)
		if p.diff.has(slot) {
			p.follow(slot, b)
			continue
		}
		then, i := &b.After, p.agenda.entry(slot)
		if i < 0 { // the history did not change it
			before, entry, changed := p.log.before(slot)
			if !changed {
				continue
			}
			then, i = before, entry
		}
		if !then.same(i, w.Now, int(slot), *w.did(slot)) {
			p.spoil(slot, then.object(i), then.body(i))
		}
	}
}

// compareDeeds notes whether an object that was run again has done something
// else than in the history.
func (p *PartialRerun) compareDeeds(slot int32, b *blockTrace) {
	now := *p.w.did(slot)
	if i := p.agenda.entry(slot); i >= 0 {
		if !b.After.did(i).same(now) {
			p.odd.add(slot)
			return
		}
	} else if before, entry, changed := p.log.before(slot); changed && !before.did(entry).same(now) {
		p.odd.add(slot)
	}
}

// spoil makes an object dirty; o and b are what the history has.
func (p *PartialRerun) spoil(slot int32, o *Object, b *physics.Body) {
	p.diff.addKnown(slot)
	p.diff.remember(slot, b)
	p.provenance.differs(slot)
	p.diff.compareShape(slot, &p.w.Now.Objects[slot], o)
}

// follow takes over what the history says after a block of an object that was
// dirty before: where its body is, and whether it exists.
func (p *PartialRerun) follow(slot int32, b *blockTrace) {
	then, i := &b.After, p.agenda.entry(slot)
	if i >= 0 {
		p.diff.remember(slot, then.body(i))
	} else if before, entry, changed := p.log.before(slot); changed {
		then, i = before, entry
	} else {
		return
	}
	p.diff.compareShape(slot, then.object(i), &p.w.Now.Objects[slot])
}

// record makes the trace of the block say what happened this time.
func (p *PartialRerun) record(b *blockTrace) {
	if len(p.agenda.list()) == 0 {
		return // everything is as it was
	}
	p.rec.replace(b, p.agenda.units(), p.agenda.keptOps())
	if p.w.isBeforeStep() {
		p.w.mend(b, &p.agenda)
		return
	}
	p.w.keep(b)
}
