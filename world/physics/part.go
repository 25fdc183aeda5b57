package physics

import "slices"

// PartialRerun is what StepPart did. Its slices belong to the Solver: the next StepPart overwrites them.
type PartialRerun struct {
	// Changed are the slots, ascending, of which the body, one of its contacts
	// or one of its joints has other bits after than it had. A body that is not
	// dynamic is listed for its own bits only.
	Changed []int32
	// Moved are those of them of which the body has other bits, in no order.
	Moved []Moved
	// Events are the slots, ascending, of bodies with a begin, end, hit or joint
	// event that came, went or has other bits.
	Events []int32
	Solved int  // dynamic bodies that were stepped
	Whole  bool // so much could differ that all was stepped
}

// Moved is a body that came out differently, and what it was before. Key 0 means that it did not exist.
type Moved struct {
	Slot int32
	Was  Body
}

// StepPart does a recorded step again, for those bodies only that can come out
// differently.
//
// mid is all that the step starts from, as it is now; it is left as it is.
// after is what the recorded step made, and tr its Trace. On return after is,
// bit for bit, what Step makes of mid, and tr what Record would write of that;
// the events are those of tr. A body has the same slot in all three; defs and p
// are those of the recorded step. Bodies that were removed from after since the
// step must be back there, with State.ComeBack, and those that were put into it
// gone: where StepPart sees that they are not, it panics.
//
// changed lists, in any order, each slot of which mid differs in a bit from
// what the recorded step started from: in its body, which may have come or gone,
// in a contact of it, impulses included, or in a joint. For the sake of those
// alone it need not list a body that is not dynamic; of one that is marked
// gone, beside such a body, it lists the slot of the body that was removed. So what
// PartialRerun says of one step, and the slots that were written after it, then or
// now, are the list for the next step. Slots that need not be listed cost time.
//
// A body must not become dynamic, or cease to be, by another Def: step all then,
// in that step and in those after it.
//
// In the steady state it allocates nothing. Where many can differ it steps all
// and compares.
func (sv *Solver) StepPart(mid, after *State, tr *Trace, changed []int32, defs []Def, p Params) PartialRerun {
	if sv.partial == nil {
		sv.partial = new(partial)
	}
	r := sv.partial
	r.changed.reset()
	r.rereported.reset()
	r.moved = r.moved[:0]
	if len(changed) == 0 {
		return PartialRerun{}
	}
	r.start(mid, after, tr, defs, p)
	r.known = &sv.ranking
	r.fetch = sv.Fetch
	if r.fetch == nil {
		r.fetch = func(int32) {}
	}
	var part PartialRerun
	if p.DT > 0 && finite(p.DT) && r.solve(changed) {
		r.write()
		part.Solved = r.solved()
	} else {
		sv.stepWhole(r)
		part.Solved, part.Whole = tr.dynamic, true
	}
	r.finish()
	part.Changed, part.Moved, part.Events = r.changed.sorted(), r.moved, r.rereported.sorted()
	return part
}

// partial is the work of a StepPart and its memory.
type partial struct {
	mid, after *State
	tr         *Trace
	defs       []Def
	p          Params
	fetch      func(slot int32)

	in       []membership // by slot
	members  []int32      // slots that are stepped again, or are free now
	guests   []int32      // slots of other static and kinematic bodies that they need
	explored int          // so many members have brought what they bring
	hosted   int          // so many members have brought their guests
	most     int          // members at which it is better to step all
	found    []int32      // by a query of the index
	anySize  bool         // tests step in part whatever it costs
	seen     uint64       // by readAhead: nothing that matters

	sv     Solver   // of the part
	sub    State    // the part; slots are ranks
	at     []int32  // by slot: in sub, of those in it; -1 for what is not live
	ranks  []int32  // by rank in sub: slot
	known  *ranking // of the last whole step
	places []uint64 // scratch: a bit for each of its ranks

	changed        slotSet
	rereported     slotSet
	moved          []Moved
	old            State // what after was, when all is stepped
	was            Trace // likewise its events
	contactTail    []Contact
	jointTail      []Joint
	eventTail      []Event
	jointEventTail []JointEvent
}

// membership says what a slot is to a partial step.
type membership uint8

const (
	member  membership = 1 << iota // may come out differently
	guest                          // static or kinematic, and as it was
	differs                        // a member that is not as it was when the step began
	ringed                         // a member whose ring has been brought
)

// start takes the arguments and forgets what was before.
func (r *partial) start(mid, after *State, tr *Trace, defs []Def, p Params) {
	r.mid, r.after, r.tr, r.defs, r.p = mid, after, tr, defs, p
	n := max(len(mid.Bodies), len(after.Bodies), len(tr.keys))
	tr.grow(n)
	tr.free.grow(n)
	tr.fixed.grow(n)
	r.in, r.at = resizeKeep(r.in, n), resizeKeep(r.at, n)
	r.changed.grow(n)
	r.rereported.grow(n)
	r.members, r.guests, r.explored, r.hosted = r.members[:0], r.guests[:0], 0, 0
	r.most = tr.dynamic*3/4 + 4
	if r.anySize {
		r.most = n
	}
}

// finish leaves no marks and holds on to nothing of the caller's.
func (r *partial) finish() {
	for _, list := range [...][]int32{r.members, r.guests} {
		for _, slot := range list {
			r.in[slot] = 0
		}
	}
	r.mid, r.after, r.tr, r.defs = nil, nil, nil, nil
}

// solved counts the dynamic bodies that the part has.
func (r *partial) solved() (n int) {
	for i := range r.sv.outlines {
		if r.sv.outlines[i].Kind == Dynamic {
			n++
		}
	}
	return n
}

// solve steps the part, and reports whether that was worth while.
func (r *partial) solve(changed []int32) bool {
	if len(changed)*32 > len(r.in) {
		r.readAhead(changed)
	}
	for _, slot := range changed {
		if slot >= 0 && int(slot) < len(r.in) {
			r.change(slot)
		}
	}
	if r.retyped() {
		return false
	}
	r.sv.dt, r.sv.h = r.p.DT, r.p.DT/float64(max(r.p.Substeps, 1))
	r.sv.setPaces(r.defs)
	stepped := -1
	for !r.tr.crowded && r.close() {
		r.bringGuests()
		n := len(r.members) + len(r.guests)
		if n == stepped {
			return true
		}
		r.gather()
		r.sv.Step(&r.sub, r.defs, r.p)
		if r.overcrowded() {
			return false
		}
		if stepped = n; !r.lookBack() {
			return true
		}
	}
	return false
}

// overcrowded reports whether a step of all might not look at all pairs: those
// that the recorded one looked at, and those of the part that was stepped. Which
// pairs are left out then depends on all bodies.
func (r *partial) overcrowded() bool {
	return r.sv.Crowded || r.sv.bp.overfull(r.tr.pairs)
}

// slotSet is a set of slots.
type slotSet struct {
	has  []bool
	list []int32
}

func (s *slotSet) grow(n int) { s.has = resizeKeep(s.has, n) }

func (s *slotSet) add(slot int32) {
	if !s.has[slot] {
		s.has[slot] = true
		s.list = append(s.list, slot)
	}
}

// sorted is the set in order; of a large one that is a walk through all slots.
func (s *slotSet) sorted() []int32 {
	if len(s.list) < len(s.has)/16 {
		slices.Sort(s.list)
		return s.list
	}
	s.list = s.list[:0]
	for slot, has := range s.has {
		if has {
			s.list = append(s.list, int32(slot))
		}
	}
	return s.list
}

func (s *slotSet) reset() {
	for _, slot := range s.list {
		s.has[slot] = false
	}
	s.list = s.list[:0]
}

// retyped reports whether a body that differs has a Def of another type than it
// had. That changes which bodies are tied to each other.
func (r *partial) retyped() bool {
	for _, slot := range r.members {
		key := keyOf(r.mid.Bodies, slot)
		if key == 0 || key != r.tr.keys[slot] {
			continue
		}
		kind := None
		if d := r.mid.Bodies[slot].def(r.defs); d != nil {
			kind = d.Type
		}
		if kind != r.tr.kind(slot) {
			return true
		}
	}
	return false
}

// keyOf is the key in a slot of bodies.
func keyOf(bodies []Body, slot int32) uint64 {
	if int(slot) < len(bodies) {
		return bodies[slot].Key
	}
	return 0
}
