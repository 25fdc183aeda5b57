package world

import (
	"slices"

	"github.com/hindcast/hindcast/world/physics"
)

// EndBlock carries out the writes to those who were run again, gives all
// others what the history says, and finds who differs from it now.
func (p *PartialRerun) EndBlock() {
	w, b := p.w, p.block()
	said := len(w.ops)
	for i := range b.ops {
		if op := &b.ops[i]; !p.again.has(op.unit) {
			if slot, ok := w.Find(op.Target); ok && p.again.has(int32(slot)) {
				w.ops = append(w.ops, *op)
			}
		}
	}
	p.fresh = append(p.fresh[:0], w.ops[:said]...) // flush sorts
	w.flush()
	for i, slot := range b.after.slots {
		if !p.again.has(slot) {
			p.takeOver(&b.after, i)
		}
	}
	p.compare(b)
	p.note(b)
	w.ops, w.block = w.ops[:0], -1
}

// takeOver gives a slot what the history says of it after the block: before
// the physics step only when somebody looks, since few are looked at.
func (p *PartialRerun) takeOver(after *undoLog, i int) {
	w, slot := p.w, int(after.slots[i])
	w.Now.grow(slot + 1)
	w.growActing()
	w.acting[slot] = after.acts[i]
	if after.acts[i].handed {
		w.handed = append(w.handed, int32(slot))
	}
	if after.at.Objects[i].Removed {
		w.removed = append(w.removed, int32(slot))
	}
	if w.undoing && w.Now.Objects[slot].ID == after.at.Objects[i].ID && !p.ties(after, i) {
		p.owe(slot, w.block, i)
		return
	}
	p.fetch(int32(slot)) // what is owed is settled by this
	w.touch(slot)
	after.put(i, w.Now)
}

// debt says where a slot's values are that it should have by now.
type debt struct {
	turn  uint64
	block int32
	entry int32
}

func (p *PartialRerun) owe(slot, block, entry int) {
	for len(p.debts) <= slot {
		p.debts = append(p.debts, debt{})
	}
	if p.debts[slot].turn != p.ran.turn {
		p.owed = append(p.owed, int32(slot))
	}
	p.debts[slot] = debt{p.ran.turn, int32(block), int32(entry)}
}

// fetch gives a slot the values that it should have by now.
func (p *PartialRerun) fetch(slot int32) {
	if slot == physics.AllBodies {
		for _, slot := range p.owed {
			p.fetch(slot)
		}
		p.owed = p.owed[:0]
		return
	}
	if !p.w.undoing || int(slot) >= len(p.debts) || p.debts[slot].turn != p.ran.turn || p.ran.turn == 0 {
		return
	}
	d := &p.debts[slot]
	d.turn = 0
	p.w.undo.take(p.w.Now, int(slot), p.w.acting[slot])
	p.tick.Trace.blocks[d.block].after.put(int(d.entry), p.w.Now)
}

// compare adds to the dirty ones those who were as in the history before the
// block and are not after it.
func (p *PartialRerun) compare(b *block) {
	w := p.w
	p.indexAfter(b)
	for _, slot := range p.again.list {
		w.Now.grow(int(slot) + 1)
		w.growActing()
		p.noteActs(slot, b)
		if p.dirty.has(slot) {
			p.follow(slot, b)
			continue
		}
		then, i := &b.after, p.entryOf[slot]
		if i < 0 { // the history left it as it was
			st := w.stamps[slot]
			if st.order != w.order {
				continue
			}
			then, i = &w.undo, st.entry
		}
		if !then.same(int(i), w.Now, int(slot), w.acting[slot]) {
			p.spoil(slot, &then.at.Objects[i], &then.at.Physics.Bodies[i])
		}
	}
}

// noteActs notes whether who was run again did as much as in the history.
func (p *PartialRerun) noteActs(slot int32, b *block) {
	w := p.w
	if i := p.entryOf[slot]; i >= 0 && !b.after.acts[i].same(w.acting[slot]) {
		p.odd.add(slot)
	} else if st := w.stamps[slot]; i < 0 && st.order == w.order && !w.undo.acts[st.entry].same(w.acting[slot]) {
		p.odd.add(slot)
	}
}

// spoil marks a slot as differing from what it was in the history.
func (p *PartialRerun) spoil(slot int32, o *Object, b *physics.Body) {
	p.dirty.add(slot)
	p.provenance.spoiled(slot)
	if differentShape(&p.w.Now.Objects[slot], o) {
		p.shape.add(slot)
	}
	p.remember(slot, b)
}

func differentShape(a, b *Object) bool {
	return a.ID != b.ID || a.Class != b.Class || a.Removed != b.Removed
}

// remember keeps where a body was in the history.
func (p *PartialRerun) remember(slot int32, b *physics.Body) {
	for int(slot) >= len(p.was) {
		p.was = append(p.was, physics.Body{})
	}
	p.was[slot] = *b
}

// follow takes what the history says of a block of somebody who was dirty
// before it: where he was after it, and whether he came or went, or does now.
func (p *PartialRerun) follow(slot int32, b *block) {
	w, then, i := p.w, &b.after, p.entryOf[slot]
	if i >= 0 {
		p.remember(slot, &then.at.Physics.Bodies[i])
	} else if st := w.stamps[slot]; st.order == w.order {
		then, i = &w.undo, st.entry
	} else {
		return
	}
	if differentShape(&then.at.Objects[i], &w.Now.Objects[slot]) {
		p.shape.add(slot)
	}
}

// indexAfter makes entryOf tell, for those run again, which entry of after is
// theirs.
func (p *PartialRerun) indexAfter(b *block) {
	for len(p.entryOf) < len(p.w.slots.ids) {
		p.entryOf = append(p.entryOf, -1)
	}
	for _, slot := range p.again.list {
		p.entryOf[slot] = -1
	}
	for i, slot := range b.after.slots {
		p.entryOf[slot] = int32(i)
	}
}

// note makes the block say what happened this time.
func (p *PartialRerun) note(b *block) {
	w := p.w
	if len(p.again.list) == 0 {
		return // all as it was
	}
	b.ops = append(slices.DeleteFunc(b.ops, func(op Op) bool { return p.again.has(op.unit) }), p.fresh...)
	b.reads = append(slices.DeleteFunc(b.reads, func(r read) bool { return p.again.has(r.unit) }), w.notes.reads...)
	b.looks = append(slices.DeleteFunc(b.looks, func(l look) bool { return p.again.has(l.unit) }), w.notes.looks...)
	b.births = append(slices.DeleteFunc(b.births, func(c birth) bool { return p.again.has(c.unit) }), w.notes.births...)
	b.cues = append(slices.DeleteFunc(b.cues, func(c Cue) bool { return p.again.has(c.unit) }), w.notes.cues...)
	if w.undoing {
		p.mend(b)
		return
	}
	w.keep(b)
}

// mend puts what those who were run again are like now into what the block
// says they were like after it.
func (p *PartialRerun) mend(b *block) {
	w := p.w
	kept := 0
	for i, slot := range b.after.slots {
		if p.again.has(slot) {
			continue
		}
		if kept != i {
			b.after.move(kept, i)
			p.moved(slot, kept)
		}
		kept++
	}
	b.after.cut(kept)
	for _, slot := range p.again.list {
		if w.touchedNow(slot) {
			b.after.take(w.Now, int(slot), w.acting[slot])
		}
	}
}

// moved notes that an entry of this block's has another place.
func (p *PartialRerun) moved(slot int32, entry int) {
	if int(slot) >= len(p.debts) {
		return
	}
	if d := &p.debts[slot]; d.turn == p.ran.turn && d.block == int32(p.w.block) {
		d.entry = int32(entry)
	}
}
