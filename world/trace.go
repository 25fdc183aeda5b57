package world

import (
	"math"
	"slices"

	"github.com/hindcast/hindcast/world/physics"
)

// HistoryEntry is one tick of a history: the state after the tick, and its trace.
type HistoryEntry struct {
	State State
	Trace Trace
}

// Trace is the record of a tick, order by order. A PartialRerun takes the effects of
// the objects that it does not run again from it. It is not part of the state: it
// follows from the tick, and nothing else depends on it.
type Trace struct {
	blocks    []blockTrace // see Schema.blocks
	steps     physics.Trace
	end       endTrace
	cues      []Cue      // emitted outside the blocks
	pastReads []pastRead // outside the blocks
	whole     bool       // the tick can be run again only as a whole
}

// blockTrace is the record of a block, from BeginBlock to EndOrder. It is data of Trace
// and of the code that runs a tick.
type blockTrace struct {
	Before    undoLog // the slots that changed, before they did; only of blocks after the physics step
	After     undoLog // the slots that changed, after the block
	Ops       []Op
	Reads     []read
	PastReads []pastRead
	Births    []birth
	Cues      []Cue
}

// birth is an object in Slot that a hook of the object in Unit spawned, or a hook that
// ran within that one.
type birth struct{ Unit, Slot int32 }

// read is something that a hook of the object in slot Unit read.
type read struct {
	Unit int32
	Kind readKind
	Slot int32 // of the object; of readClass the class
	ID   ObjectID
	Box  region
}

// pastRead says that a hook of the object in slot Unit read the poses after
// Tick-1 and Tick.
type pastRead struct {
	Unit int32
	Tick Tick
}

type readKind uint8

const (
	readObject readKind = iota // one object, or that it does not exist
	readClass                  // which objects are of a class
	readRegion                 // which bodies are in a box
)

// region is an upright box, in metres.
type region struct{ left, bottom, right, top float64 }

func regionAround(x1, y1, x2, y2, margin float64) region {
	return region{min(x1, x2) - margin, min(y1, y2) - margin, max(x1, x2) + margin, max(y1, y2) + margin}
}

// meets reports whether a body may reach into the region. In doubt, and for NaN, it
// returns true.
func (r *region) meets(b *physics.Body, reach float64) bool {
	return !(b.X+reach < r.left || b.X-reach > r.right || b.Y+reach < r.bottom || b.Y-reach > r.top)
}

// reaches reports whether a body may reach into the region that was read.
func reaches(r *read, b *physics.Body, defs []physics.Def) bool {
	if b.Key == 0 {
		return false
	}
	d := &defs[b.Def]
	c := d.Centre()
	return r.Box.meets(b, d.Reach()+math.Abs(c.X)+math.Abs(c.Y))
}

// reset empties the trace for a tick of n blocks.
func (t *Trace) reset(n, stride int) {
	if more := n - len(t.blocks); more > 0 {
		t.blocks = append(t.blocks, make([]blockTrace, more)...)
	}
	t.blocks = t.blocks[:n]
	for i := range t.blocks {
		resetBlock(&t.blocks[i], stride)
	}
	t.end.reset(stride)
	t.cues, t.pastReads, t.whole = dropCues(t.cues), t.pastReads[:0], false
}

func resetBlock(b *blockTrace, stride int) {
	b.Before.reset(stride)
	b.After.reset(stride)
	emptyBlock(b)
}

// emptyBlock empties the lists.
func emptyBlock(b *blockTrace) {
	b.Ops, b.Reads, b.PastReads, b.Births, b.Cues = b.Ops[:0], b.Reads[:0], b.PastReads[:0], b.Births[:0], dropCues(
		b.Cues,
	)
}

// swapLists exchanges the lists with those of o, but for the operations.
func swapLists(b, o *blockTrace) {
	b.Reads, o.Reads = o.Reads, b.Reads
	b.PastReads, o.PastReads = o.PastReads, b.PastReads
	b.Births, o.Births = o.Births, b.Births
	b.Cues, o.Cues = o.Cues, b.Cues
}

// replaceUnits replaces the record of the objects in units by the lists of now and by ops.
func replaceUnits(b *blockTrace, units *SlotSet, now *blockTrace, ops []Op) {
	b.Ops = append(slices.DeleteFunc(b.Ops, func(op Op) bool { return units.Has(op.by()) }), ops...)
	b.Reads = append(slices.DeleteFunc(b.Reads, func(r read) bool { return units.Has(r.Unit) }), now.Reads...)
	b.PastReads = append(
		slices.DeleteFunc(b.PastReads, func(l pastRead) bool { return units.Has(l.Unit) }),
		now.PastReads...)
	b.Births = append(slices.DeleteFunc(b.Births, func(c birth) bool { return units.Has(c.Unit) }), now.Births...)
	b.Cues = append(slices.DeleteFunc(b.Cues, func(c Cue) bool { return units.Has(c.by()) }), now.Cues...)
}

// ObjectsRead calls f with each object that the hooks of the object in a slot read.
func (t *Trace) ObjectsRead(slot int32, f func(ObjectID)) {
	for i := range t.blocks {
		for j := range t.blocks[i].Reads {
			if r := &t.blocks[i].Reads[j]; r.Unit == slot && r.Kind == readObject {
				f(r.ID)
			}
		}
	}
}

// block returns the record of a block.
func (t *Trace) block(i int) *blockTrace { return &t.blocks[i] }

func (t *Trace) blockCount() int { return len(t.blocks) }

// onlyWhole reports whether the tick can be run again only as a whole.
func (t *Trace) onlyWhole() bool { return t.whole }

func (t *Trace) setOnlyWhole() { t.whole = true }

// outsideCues returns the list of cues that are given outside the blocks.
func (t *Trace) outsideCues() *[]Cue { return &t.cues }

// outsidePastReads returns the list of past reads outside the blocks.
func (t *Trace) outsidePastReads() *[]pastRead { return &t.pastReads }

// physics returns the trace of the physics step.
func (t *Trace) physics() *physics.Trace { return &t.steps }

// tickEnd returns the record of the end of the tick.
func (t *Trace) tickEnd() *endTrace { return &t.end }

// takeBackEnd restores s, the state after the tick, to that at the end of the physics
// step, and exchanges the removals of the tick for those in out.
func (t *Trace) takeBackEnd(s *State, schema *Schema, out *removals) {
	t.end.takeBack(s, out)
	for i := schema.RemovalBlock(); i >= schema.ContactBlock(); i-- {
		t.blocks[i].Before.putBack(s, 0)
	}
}

// spawned returns how many objects the hooks of the tick spawned.
func (t *Trace) spawned() (n int) {
	for i := range t.blocks {
		n += len(t.blocks[i].Births)
	}
	return n
}

// eachSlot calls f for the slots of all objects that a re-run of the tick can bring back: those that hooks
// spawned, and those that the end of the tick changed or removed.
func (t *Trace) eachSlot(f func(slot int32)) {
	for i := range t.blocks {
		for _, c := range t.blocks[i].Births {
			f(c.Slot)
		}
	}
	t.end.eachSlot(f)
}

// readsPast reports whether f holds for a past read of the tick.
func (t *Trace) readsPast(f func(pastRead) bool) bool {
	if slices.ContainsFunc(t.pastReads, f) {
		return true
	}
	for i := range t.blocks {
		if slices.ContainsFunc(t.blocks[i].PastReads, f) {
			return true
		}
	}
	return false
}

// allCues appends the cues of the tick in the order in which hooks emitted them.
func (t *Trace) allCues(out []Cue) []Cue {
	out = append(out, t.cues...)
	for i := range t.blocks {
		out = append(out, t.blocks[i].Cues...)
	}
	return out
}

// Empty reports whether the trace holds nothing, and no memory.
func (t *Trace) Empty() bool { return t.blocks == nil }

func (t *Trace) measure(m *Memory) {
	t.end.measure(m)
	m.add(t.steps.Bytes() + cueBytes(t.cues) + len(t.pastReads)*pastReadSize)
	for i := range t.blocks {
		b := &t.blocks[i]
		b.Before.measure(m)
		b.After.measure(m)
		m.add(
			len(
				b.Ops,
			)*opSize + len(
				b.Reads,
			)*readSize + len(
				b.PastReads,
			)*pastReadSize + len(
				b.Births,
			)*8 + cueBytes(
				b.Cues,
			),
		)
	}
}

// Sizes in memory, in bytes, for reports.
const (
	opSize       = 112
	readSize     = 56
	pastReadSize = 8

	cueSize      = 96
	cueFieldSize = 48
)
