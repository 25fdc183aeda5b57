package world

import (
	"math"
	"slices"

	"github.com/hindcast/hindcast/world/physics"
)

// Part runs ticks of a history again, in each only what can differ from what
// was run before, and mends the history's states in place: they become, bit
// for bit, what running the whole ticks would give. It goes through a tick as
// a World does:
//
//	p.Begin(before, tick)                 // two Frames of the history
//	p.BeginBlock(i); p.Want(slot) ...     // who has another input
//	for slot, ok := p.Next(); ok; slot, ok = p.Next() { ... its hook of this block ... }
//	p.EndBlock()
//	p.Step(); ... the blocks of contacts and departures ...; p.End()
//
// An object is run again in a block when it differs from the history there and
// something may happen to it (wantDirty), when its input does, when its hook
// read something that differs, when a contact of it does, or when somebody who
// is run again did or does something to it. All others get what the trace of the tick says they were afterwards.
type Part struct {
	w          *World
	from, tick *Frame

	dirty  slotSet // differ from the history at this point
	shape  slotSet // of these, who is there or not, or of another class
	before slotSet // who was dirty before the physics step
	odd    slotSet // did not do in this tick what they did in the history: drew, spawned, were given away
	again  slotSet // run again in this block
	told   slotSet // have values in the history after this block
	ran    slotSet // run again in this tick
	queue  []int32
	births int // of said.births, how many have been looked at
	ops    int
	fresh  []Op // what those said who were run again in this block

	was     []physics.Body // by slot: where who is dirty was in the history
	entryOf []int32        // by slot: its entry in after of this block; for those of the block
	debts   []debt         // by slot
	owed    []int32        // slots that have some, or had
	stirred []int32        // whose contacts differ
	old     State          // what a tick run whole was before
	changed []int32
	parted  []Parting  // the joints that ended in the history
	left    departures // who went in the history
	putWas  patch      // whom the history put elsewhere, as it has them
	went    departures // who went of them
	crowd   bool       // who plays differs
	whys    *whys      // nil: nobody wants to know
	looked  frames     // of this rewind, that asSeen would show otherwise now

	seen uint64 // by readAhead: nothing that matters

	Solved int  // bodies that the physics step moved again
	Whole  bool // it moved all
}

// NewPart makes a Part that works with w, of which all states of the history
// are.
func NewPart(w *World) *Part {
	p := &Part{w: w}
	p.ran.reset()
	w.solver.Fetch = p.fetch
	return p
}

// slotSet is a set of slots that is emptied at no cost.
type slotSet struct {
	marks []uint64
	turn  uint64
	list  []int32
}

func (s *slotSet) reset() { s.turn, s.list = s.turn+1, s.list[:0] }

func (s *slotSet) has(slot int32) bool {
	return slot >= 0 && int(slot) < len(s.marks) && s.marks[slot] == s.turn && s.turn != 0
}

func (s *slotSet) add(slot int32) bool {
	if s.turn == 0 {
		s.turn = 1
	}
	if int(slot) >= len(s.marks) {
		s.marks = append(s.marks, make([]uint64, int(slot)+1-len(s.marks))...)
	}
	if s.marks[slot] == s.turn {
		return false
	}
	s.marks[slot] = s.turn
	s.list = append(s.list, slot)
	return true
}

// Clear forgets what differs: the history is as it should be up to here.
func (p *Part) Clear() {
	p.dirty.reset()
	p.shape.reset()
	p.whys.clear()
	p.crowd, p.w.overfull, p.looked = false, false, frames{}
}

// Clean reports whether nothing differs from the history after the last tick.
func (p *Part) Clean() bool { return len(p.dirty.list) == 0 && !p.crowd && !p.w.overfull }

// Failed reports whether the last tick turned out to be one that can be run
// only as a whole, as all that follow are then.
func (p *Part) Failed() bool { return p.w.overfull }

// Dirty is how many objects differ from the history after the last tick.
func (p *Part) Dirty() int { return len(p.dirty.list) }

// Ran is how many objects had hooks run again in the last tick.
func (p *Part) Ran() int { return len(p.ran.list) }

// RanSlots are the slots of those objects, until the next tick.
func (p *Part) RanSlots() []int32 { return p.ran.list }

// CanRun reports whether a tick of the history can be run again in part, from
// the frame before it, with what differs now. Ticks with events can't, nor
// those near the most objects that the room holds.
func (p *Part) CanRun(from, tick *Frame) bool {
	return !p.crowd && !p.w.overfull && !tick.Trace.whole && !p.w.crowded(from, tick)
}

// crowded reports whether the room is so full that who may still be spawned
// depends on who else is.
func (w *World) crowded(from, tick *Frame) bool {
	return max(from.State.Len(), tick.State.Len())+tick.Trace.spawned() >= w.schema.Setup.MostObjects()
}

// Begin enters the tick after from. Where the history of that state was
// another, the Part knows from the tick before.
func (p *Part) Begin(from, tick *Frame, schema *Schema) {
	p.from, p.tick = from, tick
	p.w.Enter(&from.State, &tick.Trace, schema)
	p.w.Now.Tick++
	p.w.clearTick()
	p.w.ticking, p.w.undoing, p.w.inPart = true, true, true
	p.w.saved.reset(p.w.Now.Stride)
	p.ran.reset()
	p.odd.reset()
	p.owed = p.owed[:0]
	p.w.late = p
	p.Solved, p.Whole = 0, false
	p.readAhead()
}

// BeginBlock is World.BeginBlock; it finds who is to be run again.
func (p *Part) BeginBlock(i int) {
	p.w.BeginBlock(i)
	p.again.reset()
	p.queue, p.births, p.ops = p.queue[:0], 0, 0
	p.wantDirty()
	if i == p.w.schema.ContactBlock() {
		for _, slot := range p.stirred {
			p.want(int(slot), WhyTouch, p.stirrer(slot))
		}
		p.wantJoints(p.parted)
		p.wantJoints(p.w.parted)
	}
	b := p.block()
	for i := range b.reads {
		switch r := &b.reads[i]; {
		case p.again.has(r.unit):
		case p.dirty.has(r.unit):
			p.Want(int(r.unit))
		case p.affects(r):
			p.want(int(r.unit), WhyRead, p.whom(r))
		}
	}
	p.wantLooks(b)
}

func (p *Part) block() *block { return &p.tick.Trace.blocks[p.w.block] }

// affects reports whether what a hook read may differ.
func (p *Part) affects(r *read) bool {
	switch r.kind {
	case readObject:
		if slot := r.slot; slot >= 0 && p.w.slots.ids[slot] == r.id {
			return p.dirty.has(slot)
		}
		slot, ok := p.w.slots.of[r.id]
		return ok && p.dirty.has(slot)
	case readClass:
		return slices.ContainsFunc(p.shape.list, func(slot int32) bool { return p.dirty.has(slot) })
	}
	return slices.ContainsFunc(p.dirty.list, func(slot int32) bool {
		return p.reaches(&p.w.Now.Physics.Bodies[slot], r) || p.reaches(&p.was[slot], r)
	})
}

func (p *Part) reaches(b *physics.Body, r *read) bool {
	if b.Key == 0 {
		return false
	}
	d := &p.w.schema.Defs[b.Def]
	c := d.Centre()
	return r.box.meets(b, d.Reach()+math.Abs(c.X)+math.Abs(c.Y))
}

// Want asks for an object to be run again in this block.
func (p *Part) Want(slot int) {
	if p.again.add(int32(slot)) {
		p.fetch(int32(slot))
		p.queue = append(p.queue, int32(slot))
	}
}

// Next gives the next object whose hook of this block is to be run again. The
// object is there; whether it has such a hook the caller knows.
func (p *Part) Next() (slot int, ok bool) {
	for {
		p.followDeeds()
		if len(p.queue) == 0 {
			return 0, false
		}
		at := p.queue[len(p.queue)-1]
		p.queue = p.queue[:len(p.queue)-1]
		p.followHistory(at)
		p.ran.add(at)
		if int(at) < len(p.w.Now.Objects) && p.w.Now.Objects[at].ID != 0 && !p.w.justBorn(at) {
			return int(at), true
		}
	}
}

// justBorn reports whether an object was spawned in the present phase: it has
// no hook in it.
func (w *World) justBorn(slot int32) bool { return w.acting[slot].born >= w.schema.phase(w.block) }

// followDeeds wants those to whom the hooks run again did something.
func (p *Part) followDeeds() {
	w := p.w
	for ; p.births < len(w.said.births); p.births++ {
		p.want(int(w.said.births[p.births].slot), WhySpawn, w.said.births[p.births].unit)
	}
	for ; p.ops < len(w.ops); p.ops++ {
		if slot, ok := w.Find(w.ops[p.ops].Target); ok {
			p.want(slot, WhyWrite, w.ops[p.ops].unit)
		}
	}
}

// followHistory wants those to whom this object did something in the history.
func (p *Part) followHistory(unit int32) {
	b := p.block()
	for i := range b.births {
		if b.births[i].unit == unit {
			p.want(int(b.births[i].slot), WhySpawn, unit)
		}
	}
	for i := range b.ops {
		if b.ops[i].unit != unit {
			continue
		}
		if slot, ok := p.w.Find(b.ops[i].Target); ok {
			p.want(slot, WhyWrite, unit)
		}
	}
}

// EndBlock carries out the writes to those who were run again, gives all
// others what the history says, and finds who differs from it now.
func (p *Part) EndBlock() {
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
func (p *Part) takeOver(after *patch, i int) {
	w, slot := p.w, int(after.slots[i])
	w.Now.grow(slot + 1)
	w.growActing()
	w.acting[slot] = after.acts[i]
	if after.acts[i].given {
		w.gifts = append(w.gifts, int32(slot))
	}
	if after.at.Objects[i].Removed {
		w.leaves = append(w.leaves, int32(slot))
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

func (p *Part) owe(slot, block, entry int) {
	for len(p.debts) <= slot {
		p.debts = append(p.debts, debt{})
	}
	if p.debts[slot].turn != p.ran.turn {
		p.owed = append(p.owed, int32(slot))
	}
	p.debts[slot] = debt{p.ran.turn, int32(block), int32(entry)}
}

// fetch gives a slot the values that it should have by now.
func (p *Part) fetch(slot int32) {
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
	p.w.saved.take(p.w.Now, int(slot), p.w.acting[slot])
	p.tick.Trace.blocks[d.block].after.put(int(d.entry), p.w.Now)
}

// compare adds to the dirty ones those who were as in the history before the
// block and are not after it.
func (p *Part) compare(b *block) {
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
			then, i = &w.saved, st.entry
		}
		if !then.same(int(i), w.Now, int(slot), w.acting[slot]) {
			p.spoil(slot, &then.at.Objects[i], &then.at.Physics.Bodies[i])
		}
	}
}

// noteActs notes whether who was run again did as much as in the history.
func (p *Part) noteActs(slot int32, b *block) {
	w := p.w
	if i := p.entryOf[slot]; i >= 0 && !b.after.acts[i].same(w.acting[slot]) {
		p.odd.add(slot)
	} else if st := w.stamps[slot]; i < 0 && st.order == w.order && !w.saved.acts[st.entry].same(w.acting[slot]) {
		p.odd.add(slot)
	}
}

// spoil marks a slot as differing from what it was in the history.
func (p *Part) spoil(slot int32, o *Object, b *physics.Body) {
	p.dirty.add(slot)
	p.whys.spoiled(slot)
	if differentShape(&p.w.Now.Objects[slot], o) {
		p.shape.add(slot)
	}
	p.remember(slot, b)
}

func differentShape(a, b *Object) bool {
	return a.ID != b.ID || a.Class != b.Class || a.Removed != b.Removed
}

// remember keeps where a body was in the history.
func (p *Part) remember(slot int32, b *physics.Body) {
	for int(slot) >= len(p.was) {
		p.was = append(p.was, physics.Body{})
	}
	p.was[slot] = *b
}

// follow takes what the history says of a block of somebody who was dirty
// before it: where he was after it, and whether he came or went, or does now.
func (p *Part) follow(slot int32, b *block) {
	w, then, i := p.w, &b.after, p.entryOf[slot]
	if i >= 0 {
		p.remember(slot, &then.at.Physics.Bodies[i])
	} else if st := w.stamps[slot]; st.order == w.order {
		then, i = &w.saved, st.entry
	} else {
		return
	}
	if differentShape(&then.at.Objects[i], &w.Now.Objects[slot]) {
		p.shape.add(slot)
	}
}

// indexAfter makes entryOf tell, for those run again, which entry of after is
// theirs.
func (p *Part) indexAfter(b *block) {
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
func (p *Part) note(b *block) {
	w := p.w
	if len(p.again.list) == 0 {
		return // all as it was
	}
	b.ops = append(slices.DeleteFunc(b.ops, func(op Op) bool { return p.again.has(op.unit) }), p.fresh...)
	b.reads = append(slices.DeleteFunc(b.reads, func(r read) bool { return p.again.has(r.unit) }), w.said.reads...)
	b.looks = append(slices.DeleteFunc(b.looks, func(l look) bool { return p.again.has(l.unit) }), w.said.looks...)
	b.births = append(slices.DeleteFunc(b.births, func(c birth) bool { return p.again.has(c.unit) }), w.said.births...)
	b.cues = append(slices.DeleteFunc(b.cues, func(c Cue) bool { return p.again.has(c.unit) }), w.said.cues...)
	if w.undoing {
		p.mend(b)
		return
	}
	w.keep(b)
}

// mend puts what those who were run again are like now into what the block
// says they were like after it.
func (p *Part) mend(b *block) {
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
func (p *Part) moved(slot int32, entry int) {
	if int(slot) >= len(p.debts) {
		return
	}
	if d := &p.debts[slot]; d.turn == p.ran.turn && d.block == int32(p.w.block) {
		d.entry = int32(entry)
	}
}
