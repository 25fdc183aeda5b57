package world

import (
	"math"
	"slices"

	"github.com/hindcast/hindcast/world/physics"
)

// PartialRerun simulates ticks of a history again. Of each tick it runs only
// what can come out differently, and corrects the history's states in place. They
// become, bit for bit, what running the whole ticks would give. The sequence of
// calls for one tick is that of a World:
//
//	p.Begin(before, tick, schema)         // two entries of the history
//	p.BeginBlock(i); p.WantInput(slot)    // for objects with another input
//	for slot, ok := p.Next(); ok; slot, ok = p.Next() { ... its hook of this block ... }
//	p.EndBlock()
//	p.Step(); ... the blocks of contacts and removals ...; p.End()
//
// An object is run again in a block when it is dirty (it differs from the
// history) and the block concerns it, when its input differs, when its hook read
// something that differs, when one of its contacts does, or when an object that is
// run again does something to it, or did in the history. All others get the
// values that the trace says they had after the block.
type PartialRerun struct {
	w     *World
	slots *Slots     // of w
	log   *changeLog // of w
	rec   *recorder  // of w

	from, tick *HistoryEntry
	diff       difference
	agenda     agenda
	former     former
	ran        slotSet // objects run again in this tick
	odd        slotSet // objects that have not done in this tick what they did in the history: random numbers, spawns, owners
	looked     tickSpan
	provenance *provenance // nil: it is not tracked
	read       uint64      // by readAhead; it has no meaning

	Solved int  // bodies that the physics step moved again
	Whole  bool // it moved all
}

// former is what the history had where the tick says something else by now.
type former struct {
	state          State        // of a tick that is run whole
	changed        []int32      // slots with which the physics step begins differently
	stirred        []int32      // slots whose contacts differ
	jointBreaks    []JointBreak // of the physics step
	removals       removals
	updates        undoLog // objects that proxy updates changed, as they were after that
	updateRemovals removals
}

// tickSpan is the first and the last of some ticks of a rewind.
type tickSpan struct{ from, to Tick }

// NewPartialRerun makes a PartialRerun that works with w, to which all states of
// the history belong.
func NewPartialRerun(w *World) *PartialRerun {
	p := &PartialRerun{w: w}
	p.slots, p.log, p.rec = w.forRerun()
	p.ran.reset()
	return p
}

// Clear starts a rewind: nothing differs from the history.
func (p *PartialRerun) Clear() {
	p.diff.reset()
	p.provenance.clear()
	p.w.clearNeedsWhole()
	p.looked = tickSpan{}
}

// Clean reports whether nothing differs from the history after the last tick.
func (p *PartialRerun) Clean() bool { return p.diff.len() == 0 && !p.diff.all() && !p.w.needsWhole() }

// Failed reports whether the last tick, and all that follow, can be run only as
// whole ticks.
func (p *PartialRerun) Failed() bool { return p.w.needsWhole() }

// Dirty returns how many objects differ from the history after the last tick.
func (p *PartialRerun) Dirty() int { return p.diff.len() }

// Differs reports whether the object in a slot differs from the history after
// the last tick.
func (p *PartialRerun) Differs(slot int) bool { return p.diff.has(int32(slot)) }

// Differing appends the slots of the objects that differ from the history after
// the last tick, in no order.
func (p *PartialRerun) Differing(out []int32) []int32 { return append(out, p.diff.list()...) }

// Ran returns how many objects had hooks run again in the last tick.
func (p *PartialRerun) Ran() int { return len(p.ran.slots()) }

// RanSlots returns the slots of those objects. They are valid until the next
// tick.
func (p *PartialRerun) RanSlots() []int32 { return p.ran.slots() }

// CanRun reports whether a tick of the history can be run again in part, with
// what differs after from, the entry before it. Ticks with events other than
// inputs cannot, nor ticks in which the room is nearly full.
func (p *PartialRerun) CanRun(from, tick *HistoryEntry) bool {
	return !p.diff.all() && !p.w.needsWhole() && !tick.Trace.onlyWhole() && !p.w.crowded(from, tick)
}

// Begin enters the tick after from. What differs in from is known from the tick
// before.
func (p *PartialRerun) Begin(from, tick *HistoryEntry, schema *Schema) {
	p.from, p.tick = from, tick
	if p.w.Check {
		assert(from.State.Tick+1 == tick.State.Tick, "tick %d is run again after tick %d", tick.State.Tick, from.State.Tick)
		assert(p.CanRun(from, tick), "tick %d can be run again only as a whole", tick.State.Tick)
	}
	p.w.beginPartial(&from.State, &tick.Trace, schema)
	p.ran.reset()
	p.odd.reset()
	p.Solved, p.Whole = 0, false
	p.readAhead()
}

// BeginBlock is World.BeginBlock. It finds the objects that are run again.
func (p *PartialRerun) BeginBlock(i int) {
	p.w.BeginBlock(i)
	p.agenda.begin()
	p.wantDirty()
	if i == p.w.Schema().ContactBlock() {
		for _, slot := range p.former.stirred {
			p.want(int(slot), FromTouch, p.contactCause(slot))
		}
		p.wantJoints(p.former.jointBreaks)
		p.wantJoints(p.w.JointBreaks())
	}
	b := p.rec.presentBlock()
	for i := range b.Reads {
		switch r := &b.Reads[i]; {
		case p.agenda.has(r.Unit):
		case p.diff.has(r.Unit):
			p.Want(int(r.Unit))
		case p.affects(r):
			p.want(int(r.Unit), FromRead, p.readCause(r))
		}
	}
	p.wantPastReads(b)
}

// affects reports whether what a hook read may differ.
func (p *PartialRerun) affects(r *read) bool {
	switch r.Kind {
	case readObject:
		if slot := r.Slot; slot >= 0 && p.slots.id(slot) == r.ID {
			return p.diff.has(slot)
		}
		slot, ok := p.slots.find(uint64(r.ID))
		return ok && p.diff.has(int32(slot))
	case readClass:
		return slices.ContainsFunc(p.diff.shapes(), p.diff.has)
	}
	return slices.ContainsFunc(p.diff.list(), func(slot int32) bool { return p.inRegion(slot, r) })
}

// inRegion reports whether a dirty object is or was in the region of a read.
func (p *PartialRerun) inRegion(slot int32, r *read) bool {
	return p.reaches(&p.w.Now.Physics.Bodies[slot], r) || p.reaches(p.diff.body(slot), r)
}

func (p *PartialRerun) reaches(b *physics.Body, r *read) bool {
	if b.Key == 0 {
		return false
	}
	d := &p.w.Schema().Defs[b.Def]
	c := d.Centre()
	return r.Box.meets(b, d.Reach()+math.Abs(c.X)+math.Abs(c.Y))
}

// Want asks for an object to be run again in this block.
func (p *PartialRerun) Want(slot int) {
	if p.agenda.add(int32(slot)) {
		p.w.fetch(int32(slot))
	}
}

// WantInput is Want for an object that has another input.
func (p *PartialRerun) WantInput(slot int) { p.want(slot, FromInput, -1) }

// Next returns the next object whose hook of this block is to be run again. The
// object exists. Whether its class has such a hook is for the caller to find out.
func (p *PartialRerun) Next() (slot int, ok bool) {
	for {
		p.followDeeds()
		at, some := p.agenda.next()
		if !some {
			return 0, false
		}
		p.followHistory(at)
		p.ran.add(at)
		if p.w.hasHookNow(at) {
			return int(at), true
		}
	}
}

// followDeeds wants the objects to which the hooks that were run again did
// something.
func (p *PartialRerun) followDeeds() {
	for _, c := range p.agenda.newBirths(p.rec.births()) {
		p.want(int(c.Slot), FromSpawn, c.Unit)
	}
	ops := p.agenda.newOps(p.w.asked())
	for i := range ops {
		if slot, ok := p.w.Find(ops[i].Target); ok {
			p.want(slot, FromWrite, ops[i].by())
		}
	}
}

// followHistory wants the objects to which the object in unit did something in
// the history.
func (p *PartialRerun) followHistory(unit int32) {
	b := p.rec.presentBlock()
	for i := range b.Births {
		if b.Births[i].Unit == unit {
			p.want(int(b.Births[i].Slot), FromSpawn, unit)
		}
	}
	for i := range b.Ops {
		if b.Ops[i].by() != unit {
			continue
		}
		if slot, ok := p.w.Find(b.Ops[i].Target); ok {
			p.want(slot, FromWrite, unit)
		}
	}
}

// wantDirty wants the dirty objects, except those that the block does not
// concern: they have no hook in it, no owner pose, and the history has no
// operation or value of theirs there. (An owner pose that agreed with the history
// left no value.) If something is done to such an object, followDeeds wants it.
func (p *PartialRerun) wantDirty() {
	b, hooks := p.rec.presentBlock(), p.w.Schema().hooks(p.rec.present())
	busy := len(b.Ops) > 0 || len(b.Births) > 0 || len(b.PastReads) > 0 || len(b.Cues) > 0
	p.agenda.readEntries(&b.After)
	for _, slot := range p.diff.list() {
		if busy || p.agenda.isListed(slot) || p.hasHook(slot, hooks) {
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

// readAhead reads the dirty objects one after the other. Otherwise the code that
// follows would wait for each of them, since the states of a tick that was run
// long ago are in no near cache.
func (p *PartialRerun) readAhead() {
	n := uint64(0)
	for _, s := range [...]*State{&p.from.State, &p.tick.State} {
		for _, slot := range p.diff.list() {
			if int(slot) < len(s.Objects) {
				n += uint64(s.Objects[slot].ID)
				if s.Stride > 0 {
					n += s.Row(int(slot))[0]
				}
			}
		}
	}
	p.read += n
}
