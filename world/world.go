package world

import (
	"fmt"
	"slices"

	"github.com/hindcast/hindcast/world/detmath"
	"github.com/hindcast/hindcast/world/physics"
)

// World is a State being moved through one tick: the state as it becomes, the
// state as others see it, and what has been asked for and not yet done. Only
// Now outlives the tick.
type World struct {
	// Now is the state being moved: the World's own after Load, somebody
	// else's after Enter.
	Now *State
	// Rerun is set while a tick is simulated again: prints stay silent.
	Rerun bool
	// Print receives what scripts print in ticks run for the first time; may be nil.
	Print func(t Tick, by ObjectID, line string)
	// OnRead is told when a hook looks at another object, or for it; of 0 when it
	// looks at a place, or at who is of a class. Nil as a rule.
	OnRead func(at ObjectID)
	// Client is the player whose client predicts with this world: objects that it
	// does not simulate are stand-ins. 0: all are simulated.
	Client PlayerID
	// SharedOnly has only the inputs count of objects that all clients simulate.
	SharedOnly bool
	// KeepCues has the traces of ticks keep the cues, for viewers.
	KeepCues bool
	// PosesAt tells where objects were after a tick before the present one, for
	// BeginSeen, and whether that is known; nil: it is not.
	PosesAt func(t Tick) (at PastPoses, known bool)

	schema *Schema
	slots  Slots
	own    State
	trace  *Trace // what this tick leaves behind, nil: nothing
	solver physics.Solver

	actor       int          // slot of the object whose hook runs, or -1
	unit        int          // that of the outermost hook: who is run again if this is
	acting      []deeds      // by slot: what each object did in this tick
	handed      []int32      // slots of which the owner is to change at the end of the tick
	removed     []int32      // slots of which the object may have to go then
	ops         []Op         // writes to others, due when the order ends
	faults      []Fault      // hooks that failed in this tick
	contacts    []Contact    // of this tick's physics step
	jointBreaks []JointBreak // likewise

	ticking     bool    // between Begin and End
	order       uint64  // number of the present order, ever rising
	block       int     // its index in the trace, -1: not noted there
	notes       block   // what hooks did in it
	undo        undoLog // slots as they were before they changed in it, or in the tick if undoing is due
	first       int     // the first entry of saved that is of this order
	undoing     bool
	inPart      bool          // a Part runs the tick
	overfull    bool          // and found that there may be no room for who is spawned
	late        *PartialRerun // whom to ask, while undoing, for what a slot should be
	stamps      []stamp       // by slot
	checkpoint  uint64        // number of the last Mark of this order, 0: there was none
	checkpoints uint64        // ever rising
	redo        undoLog       // slots as they were before they changed in a trial, if they had in the order
	others      physics.State // what queries look at, of order othersOf
	othersOf    uint64
	asSeen      asSeen
	hits        []physics.Hit  // of a query
	met         []physics.Bump // by MoveAndSlide
	bumps       []Bump
	// Clamped counts bodies held back at the limits of position and speed.
	Clamped int
	// Crowded says that more pairs of bodies were close than a step looks at:
	// see mostPairs.
	Crowded bool
}

// deeds counts what one object did in this tick.
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

// same reports whether two objects did the same, as far as it matters after
// the order: ops only tell their sequence within it.
func (a deeds) same(b deeds) bool {
	a.ops, a.bornTo, a.bornIn, b.ops, b.bornTo, b.bornIn = 0, 0, 0, 0, 0, 0
	a.spent, a.spentIn, b.spent, b.spentIn = 0, 0, 0, 0
	return a == b
}

// stamp says in which order a slot changed last, and its entry in saved.
type stamp struct {
	order uint64
	entry int32
	trial uint64 // in which it was touched last
}

// Fault is a hook that failed.
type Fault struct {
	Object ObjectID
	Class  string
	Hook   Hook
	Err    error
	Silent bool // this was one too many: the hook is silenced until the next bundle
}

// New makes an empty world. Load or Enter gives it a state.
func New() *World {
	w := &World{actor: -1, unit: -1, block: -1}
	w.Now = &w.own
	return w
}

// Load puts the world at a copy of s, under the schema that s was made with.
// A nil s is the empty state before tick 1, of bundle 1. Objects that come get
// slots of their own.
func (w *World) Load(s *State, schema *Schema) {
	if s == nil {
		w.own = State{Bundle: 1, Seed: schema.Setup.Seed, Stride: schema.stride}
	} else {
		w.own.CopyFrom(s)
	}
	w.slots.adopt(&w.own)
	w.Enter(&w.own, nil, schema)
	w.growActing() // who only looks begins no tick
}

// Enter puts the world at s itself: the ticks to come change it. They leave
// behind in trace, which may be nil, what a Part needs. All states that a
// World enters after a Load must belong to one history: that of the state
// loaded, or copies of it.
func (w *World) Enter(s *State, trace *Trace, schema *Schema) {
	w.Now, w.trace, w.schema = s, trace, schema
	w.actor, w.unit, w.block = -1, -1, -1
	w.ops, w.handed, w.removed = w.ops[:0], w.handed[:0], w.removed[:0]
	w.growActing()
}

// Schema is the schema in force.
func (w *World) Schema() *Schema { return w.schema }

// Class is the class of a slot.
func (w *World) Class(slot int) *Class { return &w.schema.Classes[w.Now.Objects[slot].Class] }

// Begin starts the next tick.
func (w *World) Begin() {
	w.Now.Tick++
	w.clearTick()
	w.ticking = true
	if w.trace != nil {
		w.trace.reset(w.schema.blocks(), w.Now.Stride)
	}
}

func (w *World) clearTick() {
	w.faults = w.faults[:0]
	w.contacts, w.jointBreaks = w.contacts[:0], w.jointBreaks[:0]
	w.Clamped, w.Crowded = 0, false
	w.undoing, w.inPart = false, false
	clear(w.acting)
	w.handed, w.removed = w.handed[:0], w.removed[:0]
	w.growActing()
}

func (w *World) growActing() {
	for len(w.acting) < len(w.Now.Objects) {
		w.acting = append(w.acting, deeds{})
	}
	for len(w.stamps) < len(w.Now.Objects) {
		w.stamps = append(w.stamps, stamp{})
	}
}

// Act makes slot the acting object and gives the one before, to be restored.
// -1 is nobody.
func (w *World) Act(slot int) (before int) {
	before, w.actor = w.actor, slot
	if before < 0 || slot < 0 {
		w.unit = slot
	}
	return before
}

// Random is the next number in [0, 1) of the acting object's stream of this tick.
func (w *World) Random() float64 {
	w.touch(w.actor)
	a := &w.acting[w.actor]
	a.randoms++
	return random(w.Now.Seed, w.Now.Objects[w.actor].ID, w.Now.Tick, a.randoms)
}

// Placement is where and whose a spawned object is. Angle in radians, speeds
// in m/s and rad/s.
type Placement struct {
	physics.Pose
	physics.Velocity
	Owner PlayerID
}

// Spawn makes an object of a class, with its default fields. It is there at
// once for the acting object, which may write to it directly, and for all
// others when the present order ends.
func (w *World) Spawn(class string, p Placement) (slot int, err error) {
	ci, ok := w.schema.ClassByName(class)
	if !ok || BuiltIn(class) {
		return 0, fmt.Errorf("%w: %q; the scripts declare %s", ErrNoClass, class, Listed(w.schema.scriptClasses()))
	}
	return w.spawn(ci, w.schema.Classes[ci].def, p)
}

func (w *World) spawn(ci int, def uint32, p Placement) (slot int, err error) {
	if err := p.Check(); err != nil {
		return 0, err
	}
	w.touch(w.actor)
	by, a := w.Now.Objects[w.actor], &w.acting[w.actor]
	if a.spawns >= MaxSpawns && by.ID != GameID {
		return 0, fmt.Errorf("%w: an object may spawn %d a tick", ErrTooMany, MaxSpawns)
	}
	most := w.schema.Setup.MostObjects()
	if w.inPart {
		w.overfull = w.overfull || w.Now.Len()+w.trace.spawned() >= most
	}
	if w.Now.Len() >= most {
		w.runWhole()
		return 0, fmt.Errorf("%w: the room holds %d", ErrTooMany, most)
	}
	id := deriveID(by.ID, w.Now.Tick, a.spawns)
	for a.spawns++; ; a.spawns++ { // a collision of 64-bit ids: next in the sequence, the same everywhere
		if _, taken := w.Find(id); !taken {
			break
		}
		id = deriveID(by.ID, w.Now.Tick, a.spawns)
	}
	slot = w.place(id, ci, def, p)
	w.acting[slot].bornTo, w.acting[slot].bornIn = int32(w.actor), w.order
	if w.block >= 0 {
		w.notes.births = append(w.notes.births, birth{int32(w.unit), int32(slot)})
	}
	return slot, nil
}

// Check says which number of a placement is not one, or too great.
func (p *Placement) Check() error {
	for _, v := range [...]float64{p.X, p.Y, p.Angle, p.VX, p.VY, p.W} {
		if !(v >= -physics.MaxPosition && v <= physics.MaxPosition) {
			return fmt.Errorf("spawn at x=%v y=%v angle=%v vx=%v vy=%v: every number must be within %v", p.X, p.Y, p.Angle, p.VX, p.VY, physics.MaxPosition)
		}
	}
	return nil
}

// place puts an object into the state.
func (w *World) place(id ObjectID, ci int, def uint32, p Placement) int {
	c := &w.schema.Classes[ci]
	slot := w.slots.take(id)
	w.Now.grow(slot + 1)
	w.growActing()
	w.touch(slot)
	w.Now.set(slot, Object{ID: id, Spawned: w.Now.Tick, Order: c.Order, Class: uint16(ci), Owner: p.Owner})
	w.acting[slot] = deeds{born: w.schema.phase(w.block)}
	row := w.Now.Row(slot)
	clear(row)
	for i := range c.Fields {
		copy(row[c.Fields[i].Offset:], c.Fields[i].Default)
	}
	b := w.Now.Body(slot)
	*b = physics.Body{}
	if w.schema.Defs[def].Type != physics.None {
		*b = physics.Body{Key: uint64(id), Def: def, Pose: p.Pose, Velocity: p.Velocity}
		b.SetAngle(detmath.Wrap(p.Angle))
		w.setDef(slot)
	}
	return slot
}

// Step moves the bodies through the tick.
func (w *World) Step() {
	w.solver.Step(&w.Now.Physics, w.schema.Defs, w.params())
	w.Clamped, w.Crowded = w.Clamped+w.solver.Clamped, w.solver.Crowded
	w.collectContacts(w.solver.Events())
	w.collectPartings(w.solver.JointEvents())
	if w.trace != nil {
		w.solver.Record(&w.Now.Physics, &w.trace.steps)
	}
}

func (w *World) params() physics.Params {
	s := &w.schema.Setup
	return physics.Params{DT: s.DT(), GravityX: s.GravityX, GravityY: s.GravityY, Substeps: s.Substeps, SleepAfter: s.SleepAfter,
		MostPairs: s.mostPairs()}
}

// SetOwner gives an object to a player (0: nobody) at the end of the tick.
func (w *World) SetOwner(id ObjectID, p PlayerID) {
	if slot, ok := w.Find(id); ok && !w.IsJoint(slot) {
		w.give(slot, p)
	}
}

func (w *World) give(slot int, p PlayerID) {
	w.touch(slot)
	a := &w.acting[slot]
	a.handed, a.heir = true, p
	w.handed = append(w.handed, int32(slot))
}

// End changes owners and removes what was to be removed in this tick.
func (w *World) End() {
	if w.trace != nil {
		w.trace.resetEnd(w.Now.Stride)
	}
	for _, slot := range w.handed {
		if a := &w.acting[slot]; a.handed && w.Now.Objects[slot].ID != 0 {
			w.ends(int(slot))
			w.Now.Objects[slot].Owner = a.heir
			w.setDef(int(slot))
			a.handed = false
		}
	}
	for _, slot := range w.removed {
		if w.Now.Objects[slot].Removed {
			w.ends(int(slot))
			if w.trace != nil {
				w.trace.removals.take(w.Now, int(slot))
			}
			w.Now.drop(int(slot))
		}
	}
	w.handed, w.removed, w.ticking = w.handed[:0], w.removed[:0], false
}

// Removals appends the slots of the objects that go at the end of this tick, in
// the order in which hooks run.
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

// ends keeps what a slot is like before the end of the tick changes it.
func (w *World) ends(slot int) {
	if w.trace != nil {
		w.trace.ended.take(w.Now, slot, w.acting[slot])
	}
}

// Fault notes that a hook of a slot failed and counts towards silencing it;
// what it did before stays.
func (w *World) Fault(slot int, h Hook, err error) {
	w.touch(slot)
	o := &w.Now.Objects[slot]
	if o.Faults[h] < FaultLimit {
		o.Faults[h]++
	}
	w.faults = append(w.faults, Fault{Object: o.ID, Class: w.Class(slot).Name, Hook: h, Err: err, Silent: o.Faults[h] == FaultLimit})
}

// Healed notes that a hook of a slot ended well.
func (w *World) Healed(slot int, h Hook) {
	if w.Now.Objects[slot].Faults[h] != 0 {
		w.touch(slot)
		w.Now.Objects[slot].Faults[h] = 0
	}
}

// Faults are the hooks that failed in this tick.
func (w *World) Faults() []Fault { return w.faults }
