package world

import (
	"math"
	"slices"

	"github.com/hindcast/hindcast/world/physics"
)

// PartialRerun runs ticks of a history again, in each only what can differ from what
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
type PartialRerun struct {
	w          *World
	from, tick *HistoryEntry

	dirty    slotSet // differ from the history at this point
	shape    slotSet // of these, who is there or not, or of another class
	before   slotSet // who was dirty before the physics step
	odd      slotSet // did not do in this tick what they did in the history: drew, spawned, were given away
	again    slotSet // run again in this block
	recorded slotSet // have values in the history after this block
	ran      slotSet // run again in this tick
	queue    []int32
	births   int // of said.births, how many have been looked at
	ops      int
	fresh    []Op // what those said who were run again in this block

	was                  []physics.Body // by slot: where who is dirty was in the history
	entryOf              []int32        // by slot: its entry in after of this block; for those of the block
	debts                []debt         // by slot
	owed                 []int32        // slots that have some, or had
	stirred              []int32        // whose contacts differ
	old                  State          // what a tick run whole was before
	changed              []int32
	parted               []JointBreak // the joints that ended in the history
	formerRemovals       removals     // who went in the history
	formerUpdates        undoLog      // whom the history put elsewhere, as it has them
	formerUpdateRemovals removals     // who went of them
	crowd                bool         // who plays differs
	provenance           *provenance  // nil: nobody wants to know
	looked               frames       // of this rewind, that asSeen would show otherwise now

	seen uint64 // by readAhead: nothing that matters

	Solved int  // bodies that the physics step moved again
	Whole  bool // it moved all
}

// NewPartialRerun makes a Part that works with w, of which all states of the history
// are.
func NewPartialRerun(w *World) *PartialRerun {
	p := &PartialRerun{w: w}
	p.ran.reset()
	w.solver.Fetch = p.fetch
	return p
}

// Clear forgets what differs: the history is as it should be up to here.
func (p *PartialRerun) Clear() {
	p.dirty.reset()
	p.shape.reset()
	p.provenance.clear()
	p.crowd, p.w.overfull, p.looked = false, false, frames{}
}

// Clean reports whether nothing differs from the history after the last tick.
func (p *PartialRerun) Clean() bool { return len(p.dirty.list) == 0 && !p.crowd && !p.w.overfull }

// Failed reports whether the last tick turned out to be one that can be run
// only as a whole, as all that follow are then.
func (p *PartialRerun) Failed() bool { return p.w.overfull }

// Dirty is how many objects differ from the history after the last tick.
func (p *PartialRerun) Dirty() int { return len(p.dirty.list) }

// Ran is how many objects had hooks run again in the last tick.
func (p *PartialRerun) Ran() int { return len(p.ran.list) }

// RanSlots are the slots of those objects, until the next tick.
func (p *PartialRerun) RanSlots() []int32 { return p.ran.list }

// CanRun reports whether a tick of the history can be run again in part, from
// the frame before it, with what differs now. Ticks with events can't, nor
// those near the most objects that the room holds.
func (p *PartialRerun) CanRun(from, tick *HistoryEntry) bool {
	return !p.crowd && !p.w.overfull && !tick.Trace.whole && !p.w.crowded(from, tick)
}

// crowded reports whether the room is so full that who may still be spawned
// depends on who else is.
func (w *World) crowded(from, tick *HistoryEntry) bool {
	return max(from.State.Len(), tick.State.Len())+tick.Trace.spawned() >= w.schema.Setup.MostObjects()
}

// Begin enters the tick after from. Where the history of that state was
// another, the Part knows from the tick before.
func (p *PartialRerun) Begin(from, tick *HistoryEntry, schema *Schema) {
	p.from, p.tick = from, tick
	p.w.Enter(&from.State, &tick.Trace, schema)
	p.w.Now.Tick++
	p.w.clearTick()
	p.w.ticking, p.w.undoing, p.w.inPart = true, true, true
	p.w.undo.reset(p.w.Now.Stride)
	p.ran.reset()
	p.odd.reset()
	p.owed = p.owed[:0]
	p.w.late = p
	p.Solved, p.Whole = 0, false
	p.readAhead()
}

// BeginBlock is World.BeginBlock; it finds who is to be run again.
func (p *PartialRerun) BeginBlock(i int) {
	p.w.BeginBlock(i)
	p.again.reset()
	p.queue, p.births, p.ops = p.queue[:0], 0, 0
	p.wantDirty()
	if i == p.w.schema.ContactBlock() {
		for _, slot := range p.stirred {
			p.want(int(slot), FromTouch, p.stirrer(slot))
		}
		p.wantJoints(p.parted)
		p.wantJoints(p.w.jointBreaks)
	}
	b := p.block()
	for i := range b.reads {
		switch r := &b.reads[i]; {
		case p.again.has(r.unit):
		case p.dirty.has(r.unit):
			p.Want(int(r.unit))
		case p.affects(r):
			p.want(int(r.unit), FromRead, p.whom(r))
		}
	}
	p.wantLooks(b)
}

func (p *PartialRerun) block() *block { return &p.tick.Trace.blocks[p.w.block] }

// affects reports whether what a hook read may differ.
func (p *PartialRerun) affects(r *read) bool {
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

func (p *PartialRerun) reaches(b *physics.Body, r *read) bool {
	if b.Key == 0 {
		return false
	}
	d := &p.w.schema.Defs[b.Def]
	c := d.Centre()
	return r.box.meets(b, d.Reach()+math.Abs(c.X)+math.Abs(c.Y))
}

// Want asks for an object to be run again in this block.
func (p *PartialRerun) Want(slot int) {
	if p.again.add(int32(slot)) {
		p.fetch(int32(slot))
		p.queue = append(p.queue, int32(slot))
	}
}

// Next gives the next object whose hook of this block is to be run again. The
// object is there; whether it has such a hook the caller knows.
func (p *PartialRerun) Next() (slot int, ok bool) {
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
func (p *PartialRerun) followDeeds() {
	w := p.w
	for ; p.births < len(w.notes.births); p.births++ {
		p.want(int(w.notes.births[p.births].slot), FromSpawn, w.notes.births[p.births].unit)
	}
	for ; p.ops < len(w.ops); p.ops++ {
		if slot, ok := w.Find(w.ops[p.ops].Target); ok {
			p.want(slot, FromWrite, w.ops[p.ops].unit)
		}
	}
}

// followHistory wants those to whom this object did something in the history.
func (p *PartialRerun) followHistory(unit int32) {
	b := p.block()
	for i := range b.births {
		if b.births[i].unit == unit {
			p.want(int(b.births[i].slot), FromSpawn, unit)
		}
	}
	for i := range b.ops {
		if b.ops[i].unit != unit {
			continue
		}
		if slot, ok := p.w.Find(b.ops[i].Target); ok {
			p.want(slot, FromWrite, unit)
		}
	}
}
