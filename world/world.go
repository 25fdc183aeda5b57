package world

import (
	"slices"

	"github.com/hindcast/hindcast/world/physics"
)

// World moves a State through one tick. It holds the state as it becomes, the
// state as other objects see it, and the operations that are asked for and not
// carried out yet. Only Now outlives the tick.
//
// A World is not safe for concurrent use.
type World struct {
	present
	Options
	outcome
	acting

	slots  Slots
	own    State // of Load
	solver physics.Solver
	log    changeLog // the slots as they were before they changed
	rec    recorder  // writes the trace
	lookup lookup
	asSeen asSeen

	ticking    bool // between Begin and End
	partial    bool // a PartialRerun runs the tick
	beforeStep bool // and has not come to its physics step: its changes are taken back there
	overfull   bool // and found that the room may have no place for an object that is spawned
	pending    pendingValues
}

// present is where a World is.
type present struct {
	// Now is the state that is moved: the World's own after Load, that of the
	// caller after Enter.
	Now *State

	schema *Schema // in force
}

// Options say what a World is used for. They may be changed between ticks.
type Options struct {
	// Rerun is set while a tick is simulated again: prints are dropped.
	Rerun bool
	// Print receives what scripts print in ticks that are run for the first
	// time. It may be nil.
	Print func(t Tick, by ObjectID, line string)
	// OnRead is called when a hook reads another object, with its id, or when it
	// asks for the objects in a region or of a class, with 0. It may be nil.
	OnRead func(at ObjectID)
	// Client is the player whose client predicts with this World: objects that
	// the client does not simulate are proxies. 0: all objects are simulated.
	Client PlayerID
	// SharedOnly makes only the inputs of shared objects count.
	SharedOnly bool
	// KeepCues makes the traces of ticks keep their cues.
	KeepCues bool
	// PosesAt returns the poses of objects after an earlier tick, for asSeen, and
	// whether they are known. It may be nil: none are known.
	PosesAt func(t Tick) (at PastPoses, known bool)
	// Check makes the World and its physics assert their invariants, for tests and check
	// mode. It costs time.
	Check bool
}

// acting is which object acts, and what the objects have done in the tick.
type acting struct {
	actor   int     // slot of the object whose hook runs, or -1
	unit    int     // slot of the object whose outermost hook runs, or -1: the unit of a rerun
	deeds   []deeds // by slot
	ops     []Op    // operations on other objects, due when the order ends
	handed  []int32 // slots of objects that may change owner at the end of the tick
	removed []int32 // slots of objects that may be removed then
}

// outcome is what the tick has brought so far.
type outcome struct {
	// Clamped counts bodies that were held back at the limits of position and speed.
	Clamped int
	// Crowded says that more pairs of bodies were close than a step handles (see
	// Setup.mostPairs).
	Crowded bool

	faults      []Fault      // hooks that failed
	contacts    []Contact    // of the physics step
	jointBreaks []JointBreak // of the physics step
}

// lookup is the memory of queries.
type lookup struct {
	others   physics.State // the bodies as they were when order othersOf began
	othersOf uint64
	hits     []physics.Hit
	met      []physics.Bump // by MoveAndSlide
	bumps    []Bump
}

// deeds counts what one object has done in this tick.
type deeds struct {
	spawns, ops, randoms uint32
	born                 uint8    // the phase in which it was spawned, 0: before this tick
	handed               bool     // to belong to heir
	heir                 PlayerID // from the end of the tick
	cues                 uint8
	bornTo               int32  // the slot of the actor that spawned it ...
	bornIn               uint64 // ... in this order
	spent                int64  // of its hooks' budget ...
	spentIn              uint64 // ... in this order
}

// same reports whether two objects have done the same, as far as it matters after
// the order: ops only numbers the operations within it.
func (a deeds) same(b deeds) bool {
	a.ops, a.bornTo, a.bornIn, b.ops, b.bornTo, b.bornIn = 0, 0, 0, 0, 0, 0
	a.spent, a.spentIn, b.spent, b.spentIn = 0, 0, 0, 0
	return a == b
}

// Fault is a hook that failed.
type Fault struct {
	Object ObjectID
	Class  string // of the object
	Hook   Hook
	Err    error // mostly a *ScriptError
	Silent bool  // the hook has failed FaultLimit times in a row, and is disabled until the next bundle
}

// New returns a World without a state. Load or Enter gives it one.
func New() *World {
	w := &World{acting: acting{actor: -1, unit: -1}}
	w.rec.enter(nil)
	w.Now = &w.own
	return w
}

// Load puts the World at a copy of s, with the schema that s was made with. A nil s
// is the empty state before tick 1, of bundle 1.
func (w *World) Load(s *State, schema *Schema) {
	if s == nil {
		w.own = State{Bundle: 1, Seed: schema.Setup.Seed, Stride: schema.rowWords()}
	} else {
		w.own.CopyFrom(s)
	}
	w.slots.adopt(&w.own)
	w.Enter(&w.own, nil, schema)
	w.growActing() // queries work before the first Begin
}

// Enter puts the World at s itself: the ticks to come change it. They record in
// trace, which may be nil, what a PartialRerun needs. All states that a World enters
// after a Load must belong to one history: that of the loaded state, or copies of
// it.
func (w *World) Enter(s *State, trace *Trace, schema *Schema) {
	w.Now, w.schema = s, schema
	w.rec.enter(trace)
	w.actor, w.unit = -1, -1
	w.ops, w.handed, w.removed = w.ops[:0], w.handed[:0], w.removed[:0]
	w.growActing()
}

// Schema returns the schema in force.
func (w *World) Schema() *Schema { return w.schema }

// Class returns the class of the object in a slot.
func (w *World) Class(slot int) *Class { return &w.schema.Classes[w.Now.Objects[slot].Class] }

// Begin starts the next tick.
func (w *World) Begin() {
	w.Now.Tick++
	w.clearTick()
	w.ticking = true
	w.rec.beginTick(w.schema.blocks(), w.Now.Stride)
}

// clearTick clears the fields that hold for one tick only.
func (w *World) clearTick() {
	w.faults = w.faults[:0]
	w.contacts, w.jointBreaks = w.contacts[:0], w.jointBreaks[:0]
	w.Clamped, w.Crowded = 0, false
	w.beforeStep, w.partial = false, false
	clear(w.deeds)
	w.handed, w.removed = w.handed[:0], w.removed[:0]
	w.growActing()
}

// growActing makes room for the slots of the state.
func (w *World) growActing() {
	for len(w.deeds) < len(w.Now.Objects) {
		w.deeds = append(w.deeds, deeds{})
	}
	w.log.grow(len(w.Now.Objects))
}

// Act makes slot the acting object and returns the one before, which the caller
// restores. -1 means no object.
func (w *World) Act(slot int) (before int) {
	before, w.actor = w.actor, slot
	if before < 0 || slot < 0 {
		w.unit = slot
	}
	return before
}

// acts returns the slot of the acting object; -1 for none.
func (w *World) acts() int { return w.actor }

// random returns the next number in [0, 1) of the acting object's stream of this
// tick.
func (w *World) random() float64 {
	w.touch(w.actor)
	a := &w.deeds[w.actor]
	a.randoms++
	return random(w.Now.Seed, w.Now.Objects[w.actor].ID, w.Now.Tick, a.randoms)
}

// Step moves the bodies through the tick.
func (w *World) Step() {
	w.solver.Check = w.Check
	w.solver.Step(&w.Now.Physics, w.schema.Defs, w.params())
	w.Clamped, w.Crowded = w.Clamped+w.solver.Clamped, w.solver.Crowded
	w.collectContacts(w.solver.Events())
	w.collectJointBreaks(w.solver.JointEvents())
	if steps, ok := w.rec.steps(); ok {
		w.solver.Record(&w.Now.Physics, steps)
	}
}

func (w *World) params() physics.Params {
	s := &w.schema.Setup
	return physics.Params{DT: s.DT(), GravityX: s.GravityX, GravityY: s.GravityY, Substeps: s.Substeps, SleepAfter: s.SleepAfter,
		MostPairs: s.mostPairs()}
}

// SetOwner gives an object to a player at the end of the tick. 0 means no player.
func (w *World) SetOwner(id ObjectID, p PlayerID) {
	if slot, ok := w.Find(id); ok && !w.isJoint(slot) {
		w.give(slot, p)
	}
}

func (w *World) give(slot int, p PlayerID) {
	w.touch(slot)
	a := &w.deeds[slot]
	a.handed, a.heir = true, p
	w.handed = append(w.handed, int32(slot))
}

// End changes owners and removes the objects that were to be removed in this tick.
func (w *World) End() {
	w.rec.end().begin(w.Now.Stride)
	for _, slot := range w.handed {
		if a := &w.deeds[slot]; a.handed && w.Now.Objects[slot].ID != 0 {
			w.ends(int(slot))
			if w.Now.Objects[slot].Owner != a.heir {
				actedOnBy(w.Class(int(slot)), w.Now.Row(int(slot))).forget()
			}
			w.Now.Objects[slot].Owner = a.heir
			w.setDef(int(slot))
			a.handed = false
		}
	}
	for _, slot := range w.removed {
		if w.Now.Objects[slot].Removed {
			w.ends(int(slot))
			w.rec.end().remove(w.Now, int(slot))
			w.Now.drop(int(slot))
		}
	}
	w.handed, w.removed, w.ticking = w.handed[:0], w.removed[:0], false
	if w.Check {
		w.checkEnd()
	}
}

// Removals appends the slots of the objects that are removed at the end of this
// tick, in the order in which hooks run.
func (w *World) Removals(out []int32) []int32 {
	from := len(out)
	for _, slot := range w.removed {
		if w.Now.Objects[slot].Removed {
			out = append(out, slot)
		}
	}
	slices.SortFunc(out[from:], func(a, b int32) int { return compareRun(&w.Now.Objects[a], &w.Now.Objects[b]) })
	return slices.Compact(out)
}

// ends records a slot before the end of the tick changes it.
func (w *World) ends(slot int) {
	w.rec.end().change(w.Now, slot, w.deeds[slot])
}

// Fault records that a hook of the object in a slot failed, and counts it towards
// FaultLimit. The effects of the hook before the failure stay.
func (w *World) Fault(slot int, h Hook, err error) {
	w.touch(slot)
	o := &w.Now.Objects[slot]
	if o.Faults[h] < FaultLimit {
		o.Faults[h]++
	}
	w.faults = append(w.faults, Fault{Object: o.ID, Class: w.Class(slot).Name, Hook: h, Err: err, Silent: o.Faults[h] == FaultLimit})
}

// Healed resets the count of a hook's failures in a row, because it has succeeded.
func (w *World) Healed(slot int, h Hook) {
	if w.Now.Objects[slot].Faults[h] != 0 {
		w.touch(slot)
		w.Now.Objects[slot].Faults[h] = 0
	}
}

// Faults returns the hooks that failed in this tick.
func (w *World) Faults() []Fault { return w.faults }
