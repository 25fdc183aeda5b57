package world

import (
	"fmt"

	"github.com/hindcast/hindcast/world/detmath"
	"github.com/hindcast/hindcast/world/physics"
)

// World is a State being moved through one tick: the state as it becomes, the
// state as others see it, and what has been asked for and not yet done. Only
// Now outlives the tick.
type World struct {
	Now State
	// Rerun is set while a tick is simulated again: prints stay silent.
	Rerun bool
	// Print receives what scripts print in ticks run for the first time; may be nil.
	Print func(t Tick, by ObjectID, line string)

	schema *Schema
	before State // Now when the present order began: what objects see of each other
	solver physics.Solver

	actor  int       // slot of the object whose hook runs, or -1
	acting []acts    // by slot: what each object did in this tick
	ops    []Op      // writes to others, due when the order ends
	owners []owning  // changes of owner, due at the end of the tick
	faults []Fault   // hooks that failed in this tick
	events []Contact // of this tick's physics step
	// Clamped counts bodies held back at the limits of position and speed.
	Clamped int
}

// acts counts what one object did in this tick.
type acts struct {
	spawns, ops, randoms uint32
	bornTo               int32 // 1 + the slot of the actor that spawned it in the present order, 0: not born in it
}

// Fault is a hook that failed.
type Fault struct {
	Object ObjectID
	Class  string
	Hook   Hook
	Err    error
	Silent bool // this was one too many: the hook is silenced until the next bundle
}

// New makes an empty world. Load gives it a state.
func New() *World { return &World{actor: -1} }

// Load puts the world at a copy of s, under the schema that s was made with.
// A nil s is the empty state before tick 1, of bundle 1.
func (w *World) Load(s *State, schema *Schema) {
	w.schema = schema
	w.actor = -1
	w.ops, w.owners = w.ops[:0], w.owners[:0]
	if s == nil {
		w.Now = State{Bundle: 1, Seed: schema.Setup.Seed, Stride: schema.stride}
		return
	}
	w.Now.CopyFrom(s)
}

// Schema is the schema in force.
func (w *World) Schema() *Schema { return w.schema }

// Class is the class of a slot.
func (w *World) Class(slot int) *Class { return &w.schema.Classes[w.Now.Objects[slot].Class] }

// Begin starts the next tick.
func (w *World) Begin() {
	w.Now.Tick++
	w.faults = w.faults[:0]
	w.events = w.events[:0]
	w.Clamped = 0
	w.acting = w.acting[:0]
	w.growActing()
}

func (w *World) growActing() {
	for len(w.acting) < len(w.Now.Objects) {
		w.acting = append(w.acting, acts{})
	}
}

// BeginOrder freezes what objects see of each other until EndOrder.
func (w *World) BeginOrder() { w.before.CopyFrom(&w.Now) }

// EndOrder carries out the writes to others, by (acting object, sequence).
func (w *World) EndOrder() {
	w.flush()
	for i := range w.acting {
		w.acting[i].bornTo = 0
	}
}

// Act makes slot the acting object and gives the one before, to be restored.
// -1 is nobody.
func (w *World) Act(slot int) (before int) {
	before, w.actor = w.actor, slot
	return before
}

// Actor is the slot of the object whose hook runs, -1 outside hooks.
func (w *World) Actor() int { return w.actor }

// See gives the state in which the acting object sees another, and the slot
// there: itself as it is now, all others as they were when the order began.
// ok is false for an object that is not there (any more).
func (w *World) See(id ObjectID) (s *State, slot int, ok bool) {
	if slot, ok := w.Now.Find(id); ok && w.mine(slot) {
		return &w.Now, slot, true
	}
	slot, ok = w.before.Find(id)
	return &w.before, slot, ok
}

// Others is the state in which the acting object sees the rest of the world.
func (w *World) Others() *State { return &w.before }

// mine reports whether the acting object may change slot at once: it is
// itself, or has been spawned by it in the present order.
func (w *World) mine(slot int) bool {
	return slot == w.actor || w.actor >= 0 && w.acting[slot].bornTo == int32(w.actor)+1
}

// Random is the next number in [0, 1) of the acting object's stream of this tick.
func (w *World) Random() float64 {
	a := &w.acting[w.actor]
	a.randoms++
	return random(w.Now.Seed, w.Now.Objects[w.actor].ID, w.Now.Tick, a.randoms)
}

// Placement is where and whose a spawned object is. Angle in radians, speeds
// in m/s and rad/s.
type Placement struct {
	X, Y, Angle, VX, VY, W float64
	Owner                  PlayerID
}

// Spawn makes an object of a class, with its default fields. It is there at
// once for the acting object, which may write to it directly, and for all
// others when the present order ends.
func (w *World) Spawn(class string, p Placement) (slot int, err error) {
	ci, ok := w.schema.ClassByName(class)
	if !ok || class == GameClass || class == WallClass {
		return 0, fmt.Errorf("%w: %q; the scripts declare %v", ErrNoClass, class, w.schema.scriptClasses())
	}
	return w.spawn(ci, w.schema.Classes[ci].def, p)
}

func (w *World) spawn(ci int, def uint32, p Placement) (slot int, err error) {
	if err := p.Check(); err != nil {
		return 0, err
	}
	by, a := &w.Now.Objects[w.actor], &w.acting[w.actor]
	if a.spawns >= MaxSpawns && by.ID != GameID {
		return 0, fmt.Errorf("%w: an object may spawn %d a tick", ErrTooMany, MaxSpawns)
	}
	if w.Now.Len() >= MaxObjects {
		return 0, fmt.Errorf("%w: a room holds %d", ErrTooMany, MaxObjects)
	}
	id := deriveID(by.ID, w.Now.Tick, a.spawns)
	for a.spawns++; ; a.spawns++ { // a collision of 64-bit ids: next in the sequence, the same everywhere
		if _, taken := w.Now.Find(id); !taken {
			break
		}
		id = deriveID(by.ID, w.Now.Tick, a.spawns)
	}
	slot = w.place(id, ci, def, p)
	w.acting[slot] = acts{bornTo: int32(w.actor) + 1}
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
	slot := w.Now.add(Object{ID: id, Spawned: w.Now.Tick, Order: c.Order, Class: uint16(ci), Owner: p.Owner})
	w.growActing()
	row := w.Now.Row(slot)
	for i := range c.Fields {
		copy(row[c.Fields[i].Offset:], c.Fields[i].Default)
	}
	b := w.Now.Body(slot)
	*b = physics.Body{}
	if w.schema.Defs[def].Type != physics.None {
		*b = physics.Body{Key: uint64(id), Def: def, X: p.X, Y: p.Y, VX: p.VX, VY: p.VY, W: p.W}
		b.SetAngle(detmath.Wrap(p.Angle))
	}
	return slot
}

// Step moves the bodies through the tick.
func (w *World) Step() {
	p := physics.Params{DT: w.schema.Setup.DT(), GravityX: w.schema.Setup.GravityX,
		GravityY: w.schema.Setup.GravityY, Substeps: w.schema.Setup.Substeps}
	w.solver.Step(&w.Now.Physics, w.schema.Defs, p)
	w.Clamped += w.solver.Clamped
	w.collectContacts()
}

// owning is an object that is to belong to someone else.
type owning struct {
	object ObjectID
	owner  PlayerID
}

// Own gives an object to a player (0: nobody) at the end of the tick.
func (w *World) Own(id ObjectID, p PlayerID) { w.owners = append(w.owners, owning{id, p}) }

// End changes owners and removes what was to be removed in this tick.
func (w *World) End() {
	for _, o := range w.owners {
		if slot, ok := w.Now.Find(o.object); ok {
			w.Now.Objects[slot].Owner = o.owner
		}
	}
	w.owners = w.owners[:0]
	for i := len(w.Now.Run) - 1; i >= 0; i-- {
		if slot := int(w.Now.Run[i]); w.Now.Objects[slot].Removed {
			w.Now.drop(slot)
		}
	}
}

// Fault notes that a hook of a slot failed and counts towards silencing it;
// what it did before stays.
func (w *World) Fault(slot int, h Hook, err error) {
	o := &w.Now.Objects[slot]
	if o.Faults[h] < FaultLimit {
		o.Faults[h]++
	}
	w.faults = append(w.faults, Fault{Object: o.ID, Class: w.Class(slot).Name, Hook: h, Err: err, Silent: o.Faults[h] == FaultLimit})
}

// Healed notes that a hook of a slot ended well.
func (w *World) Healed(slot int, h Hook) {
	if f := &w.Now.Objects[slot].Faults[h]; *f != 0 {
		*f = 0
	}
}

// Faults are the hooks that failed in this tick.
func (w *World) Faults() []Fault { return w.faults }
