package world

import "github.com/hindcast/hindcast/world/physics"

// World moves a State through one tick. It holds the state as it becomes, the
// state as other objects see it, and the operations that are asked for and not
// carried out yet. Only Now outlives the tick.
//
// A World is not safe for concurrent use.
type World struct {
	present
	Options

	progress progress
	acting   acting
	ops      opQueue
	ending   ending
	outcome  outcome
	slots    Slots
	own      State // of Load
	solver   physics.Solver
	log      changeLog // the slots as they were before they changed
	rec      recorder  // writes the trace
	lookup   lookup
	asSeen   asSeen
	editor   rowEditor

	pending pendingValues // of a PartialRerun before its physics step
}

// present is where a World is.
type present struct {
	// Now is the state that is moved: the World's own after Load, that of the
	// caller after Enter.
	Now *State

	schema *Schema
}

// setSchema changes the schema in force.
func (w *World) setSchema(to *Schema) { w.schema = to }

// Schema returns the schema in force.
func (p present) Schema() *Schema { return p.schema }

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
	// KeepCues makes the traces of ticks keep their cues, or the World itself those of a tick without a trace.
	KeepCues bool
	// PosesAt returns the poses of objects after an earlier tick, for asSeen, and
	// whether they are known. It may be nil: none are known.
	PosesAt func(t Tick) (at PastPoses, known bool)
	// Drawn is set while a client looks: asSeen shows objects where it drew them, and TakeSight returns
	// what was asked for.
	Drawn DrawnAt
	// Check makes the World and its physics assert their invariants, for tests and check
	// mode. It costs time.
	Check bool
}

// Fault is a hook that failed.
type Fault struct {
	Object ObjectID
	Class  string // of the object
	Hook   Hook
	Timer  string // OnTimer: which one
	Err    error  // mostly a *ScriptError
	Until  Tick   // the function has failed FaultLimit times in a row, and is paused until this tick; 0: it is not
	Others int    // how many more objects failed in the same way after this one, in the same tick, as it is reported
}

// Function returns the name of what failed: a hook, or the function of a timer.
func (f *Fault) Function() string {
	if f.Timer != "" {
		return f.Timer
	}
	return f.Hook.String()
}

// New returns a World without a state. Load or Enter gives it one.
func New() *World {
	w := &World{}
	w.acting.nobody()
	w.rec.enter(nil)
	w.Now = &w.own
	return w
}

// Load puts the World at a copy of s, with the schema that s was made with. A nil s
// is the empty state before tick 1, of bundle 1.
func (w *World) Load(s *State, schema *Schema) {
	if s == nil {
		w.own = State{Bundle: 1, Seed: schema.Setup.Seed, Rows: Rows{Stride: schema.rowWords()}}
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
	w.lookup.end()
	w.rec.enter(trace)
	w.acting.nobody()
	w.ops.cut(0)
	w.ending.clear()
	w.growActing()
}

// Class returns the class of the object in a slot.
func (w *World) Class(slot int) *Class { return &w.Schema().Classes[w.Now.Objects[slot].Class] }

// Begin starts the next tick.
func (w *World) Begin() {
	w.lookup.end() // of a Reader
	w.Now.Tick++
	w.clearTick()
	w.progress.begin()
	w.rec.beginTick(w.Schema().blocks(), w.Now.Rows.Stride)
}

// clearTick clears the fields that hold for one tick only.
func (w *World) clearTick() {
	w.outcome.clear()
	w.acting.beginTick()
	w.ending.clear()
	w.growActing()
}

// growActing makes room for the slots of the state.
func (w *World) growActing() {
	w.acting.grow(len(w.Now.Objects))
	w.log.grow(len(w.Now.Objects))
}

// Act makes slot the acting object and returns the one before, which the caller
// restores. -1 means no object.
func (w *World) Act(slot int) (before int) { return w.acting.act(slot) }

// actingSlot returns the slot of the acting object; -1 for none.
func (w *World) actingSlot() int { return w.acting.slot() }

// random returns the next number in [0, 1) of the acting object's stream of this
// tick.
func (w *World) random() float64 {
	slot := w.acting.slot()
	w.touch(slot)
	return random(w.Now.Seed, w.Now.Objects[slot].ID, w.Now.Tick, w.acting.of(slot).random())
}

// Step moves the bodies through the tick.
func (w *World) Step() {
	w.solver.Check = w.Check
	w.solver.Step(&w.Now.Physics, w.Schema().Defs, w.params())
	w.outcome.stepped(w.solver.Clamped, w.solver.Crowded)
	w.outcome.putContacts(w.solver.Events())
	w.outcome.putJointBreaks(w.solver.JointEvents())
	if steps, ok := w.rec.steps(); ok {
		w.solver.Record(&w.Now.Physics, steps)
	}
}

// StepWork returns how much there was to do in the last Step.
func (w *World) StepWork() physics.Work { return w.solver.Work() }

// GiveUp leaves a tick that is not simulated to its end. Enter has to follow.
func (w *World) GiveUp() {
	w.clearTick()
	w.progress.end()
}

func (w *World) params() physics.Params {
	s := &w.Schema().Setup
	return physics.Params{
		DT:         s.DT(),
		GravityX:   s.GravityX,
		GravityY:   s.GravityY,
		Substeps:   s.Substeps,
		SleepAfter: s.SleepAfter,
		MostPairs:  s.mostPairs(),
	}
}

// SetOwner gives an object to a player at the end of the tick. 0 means no player.
func (w *World) SetOwner(id ObjectID, p PlayerID) {
	if slot, ok := w.Find(id); ok && !w.isJoint(slot) && !w.holdsState(slot) {
		w.give(slot, p)
	}
}

func (w *World) give(slot int, p PlayerID) {
	w.touch(slot)
	w.acting.of(slot).give(p)
	w.ending.hand(slot)
}

// End changes owners and removes the objects that were to be removed in this tick.
func (w *World) End() {
	w.rec.end().begin(w.Now.Rows.Stride)
	for _, slot := range w.ending.newOwners() {
		w.giveToHeir(int(slot))
	}
	for _, slot := range w.ending.removals() {
		if w.Now.Objects[slot].Removed {
			w.ends(int(slot))
			w.rec.end().remove(w.Now, int(slot))
			w.Now.drop(int(slot))
		}
	}
	w.ending.clear()
	w.progress.end()
	if w.Check {
		w.checkEnd()
	}
}

// giveToHeir gives an object to its heir, if it has one.
func (w *World) giveToHeir(slot int) {
	heir, ok := w.acting.of(slot).newOwner()
	if !ok || w.Now.Objects[slot].ID == 0 {
		return
	}
	w.ends(slot)
	if w.Now.Objects[slot].Owner != heir {
		actedOnBy(w.Class(slot), w.Now.Row(slot)).forget()
	}
	w.Now.Objects[slot].Owner = heir
	w.setDef(slot)
	w.acting.of(slot).clearNewOwner()
}

// ends records a slot before the end of the tick changes it.
func (w *World) ends(slot int) {
	w.rec.end().change(w.Now, slot, *w.acting.of(slot))
}

// Fault records that a hook of the object in a slot failed, and counts it towards
// FaultLimit. The effects of the hook before the failure stay.
func (w *World) Fault(slot int, h Hook, err error) { w.fault(slot, h, int(h), err) }

// TimerFault is Fault for the function of a timer, an index of Class.Timers.
func (w *World) TimerFault(slot, timer int, err error) {
	w.fault(slot, OnTimer, TimerCount(timer), err)
}

// fault records a failure that is counted at an index of Object.Faults.
func (w *World) fault(slot int, h Hook, count int, err error) {
	w.touch(slot)
	o, c := &w.Now.Objects[slot], w.Class(slot)
	f := Fault{Object: o.ID, Class: c.Name, Hook: h, Err: err}
	if h == OnTimer {
		f.Timer = c.Counted(count)
	}
	if o.fail(count, w.Now.Tick) {
		f.Until = o.Paused + o.pause(w.Schema().Setup.TickRate)
	}
	w.outcome.fault(f)
}

// Healed resets the count of a hook's failures in a row, because it has succeeded.
func (w *World) Healed(slot int, h Hook) { w.healed(slot, int(h)) }

// TimerHealed is Healed for the function of a timer, an index of Class.Timers.
func (w *World) TimerHealed(slot, timer int) { w.healed(slot, TimerCount(timer)) }

func (w *World) healed(slot, count int) {
	if w.Now.Objects[slot].Faults[count] != 0 {
		w.touch(slot)
		w.Now.Objects[slot].heal(count)
	}
}

// unpaused reports whether what is counted at an index of the Faults of the object in a slot runs in this tick.
func (w *World) unpaused(slot, count int) bool {
	return w.Now.Objects[slot].runs(count, w.Now.Tick, w.Schema().Setup.TickRate)
}

// editRow returns the fields of a slot, to write to them. putAux has to follow.
func (w *World) editRow(slot int) Row { return w.editor.edit(&w.Now.Rows, slot) }
