package world

import "github.com/hindcast/hindcast/world/physics"

// HistoryEntry is a tick of a history: the state after it, and what it left behind so
// that it can be run again in part.
type HistoryEntry struct {
	State State
	Trace Trace
}

// Trace is what a tick did, order by order, compactly. A Part replays from it
// what the objects that it does not run again did. It is no state: what it
// holds follows from the tick, and nothing else depends on it.
type Trace struct {
	blocks         []block  // see Schema.blocks
	ended          undoLog  // before the end of the tick: who changed hands or went
	removals       removals // what those had who went
	steps          physics.Trace
	updates        undoLog  // who was put elsewhere at the end of it, as they were before; once for each time
	updateRemovals removals // what those had of them who went
	cues           []Cue    // of what happened outside the blocks
	looks          []look   // likewise
	whole          bool     // the tick can be run again only as a whole
}

// block is what happened between BeginBlock and EndOrder.
type block struct {
	before undoLog // of the slots that changed; only of blocks after the physics step
	after  undoLog
	ops    []Op
	reads  []read
	looks  []look // at frames of the past
	births []birth
	cues   []Cue
}

// birth is an object spawned by a hook of another, or of one spawned by that.
type birth struct{ unit, slot int32 }

// read is something that a hook of the object in slot unit looked at.
type read struct {
	unit int32
	kind readKind
	slot int32 // of the object; class of readClass
	id   ObjectID
	box  region
}

type readKind uint8

const (
	readObject readKind = iota // one object, or that it is not there
	readClass                  // who is of a class
	readRegion                 // what bodies are in a box
)

// region is an upright box, in metres.
type region struct{ left, bottom, right, top float64 }

func regionAround(x1, y1, x2, y2, margin float64) region {
	return region{min(x1, x2) - margin, min(y1, y2) - margin, max(x1, x2) + margin, max(y1, y2) + margin}
}

// meets reports whether a body may reach into the region. It errs on the side
// of yes: also with numbers that are not.
func (r *region) meets(b *physics.Body, reach float64) bool {
	return !(b.X+reach < r.left || b.X-reach > r.right || b.Y+reach < r.bottom || b.Y-reach > r.top)
}

// reset empties the trace for a tick of n blocks.
func (t *Trace) reset(n, stride int) {
	for len(t.blocks) < n {
		t.blocks = append(t.blocks, block{})
	}
	t.blocks = t.blocks[:n]
	for i := range t.blocks {
		t.blocks[i].reset(stride)
	}
	t.resetEnd(stride)
	t.resetPut(stride)
	t.cues, t.looks, t.whole = dropCues(t.cues), t.looks[:0], false
}

// resetEnd empties what there is of the end of the tick.
func (t *Trace) resetEnd(stride int) {
	t.ended.reset(stride)
	t.ended.withoutJoints = true // departures know of the joints
	t.removals.reset()
}

// resetPut empties what there is of who was put elsewhere.
func (t *Trace) resetPut(stride int) {
	t.updates.reset(stride)
	t.updateRemovals.reset()
}

func (b *block) reset(stride int) {
	b.before.reset(stride)
	b.after.reset(stride)
	b.ops, b.reads, b.looks, b.births, b.cues = b.ops[:0], b.reads[:0], b.looks[:0], b.births[:0], dropCues(b.cues)
}

// spawned is how many objects the tick's hooks spawned.
func (t *Trace) spawned() (n int) {
	for i := range t.blocks {
		n += len(t.blocks[i].births)
	}
	return n
}

// Empty reports whether the trace holds nothing, no memory either.
func (t *Trace) Empty() bool { return t.blocks == nil }

// Bytes is the memory that the trace holds.
func (t *Trace) Bytes() int {
	n := t.ended.bytes() + t.removals.bytes() + t.updates.bytes() + t.updateRemovals.bytes() + t.steps.Bytes() + cueBytes(t.cues) + len(t.looks)*lookSize
	for i := range t.blocks {
		b := &t.blocks[i]
		n += b.before.bytes() + b.after.bytes() + len(b.ops)*opSize + len(b.reads)*readSize + len(b.looks)*lookSize + len(b.births)*8 + cueBytes(b.cues)
	}
	return n
}

const (
	actsSize = 32
	opSize   = 112
	readSize = 56

	cueSize      = 80
	cueFieldSize = 48
)

// note adds a read of the acting hook, unless it is like the one before.
func (w *World) note(r read) {
	if w.OnRead != nil {
		w.OnRead(r.id)
	}
	if w.unit < 0 || w.block < 0 {
		return
	}
	r.unit = int32(w.unit)
	if n := len(w.notes.reads); n > 0 && w.notes.reads[n-1] == r {
		return
	}
	w.notes.reads = append(w.notes.reads, r)
}

// noteObject notes that the acting hook looked at, or looked for, an object.
func (w *World) noteObject(id ObjectID, slot int, ok bool) {
	if !ok {
		slot = -1
	}
	w.note(read{kind: readObject, slot: int32(slot), id: id})
}

func (w *World) noteRegion(r region) { w.note(read{kind: readRegion, box: r}) }
