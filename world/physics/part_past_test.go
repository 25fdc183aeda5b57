package physics

import (
	"fmt"
	"slices"
	"testing"
)

// A past is what a match keeps of its last steps, and the scripts that led
// there: what each tick does to the state before its step, and which bodies it
// removes after it.
type past struct {
	defs    []Def
	rules   Params
	start   State
	scripts [][]action
	removes [][]int   // slots, after the step
	wrote   [][]int32 // slots, by the scripts
	mids    []State   // before each step
	gone    [][]gone  // removed after the step
	afters  []State   // after each step and its removals
	traces  []Trace

	sv, check Solver
	solved    int // dynamic bodies stepped by StepPart in all
	total     int // and by whole steps
	changed   int // slots that Part said differ
	needless  int // of these, those that do not
	parts     int // steps done in part
	wholes    int
	quiet     int // steps of which nothing differed
	events    int // bodies with events that changed
}

// action is what a script does to a state. It changes nothing but s, and gives
// the slots that it wrote.
type action func(s *State, defs []Def) []int32

func newPast(sc *scene, ticks int) *past {
	h := &past{defs: sc.defs, rules: sc.rules, scripts: make([][]action, ticks), removes: make([][]int, ticks), gone: make([][]gone, ticks), wrote: make([][]int32, ticks),
		mids: make([]State, ticks), afters: make([]State, ticks), traces: make([]Trace, ticks)}
	h.start.CopyFrom(&sc.State)
	h.sv.Check, h.check.Check = true, true
	h.sv.partial = partial{anySize: true}
	return h
}

// from returns the state that a tick begins with.
func (h *past) from(tick int) *State {
	if tick == 0 {
		return &h.start
	}
	return &h.afters[tick-1]
}

// do lets the scripts of a tick act on s and lists the slots that were written.
func (h *past) do(s *State, tick int) (slots []int32) {
	for _, d := range h.scripts[tick] {
		slots = append(slots, d(s, h.defs)...)
	}
	return slots
}

// gone is a body that was removed, and what it had.
type gone struct {
	slot     int
	body     Body
	contacts []Contact
	joints   []Joint
}

// leave removes the body in a slot, so that comeBack can undo it.
func (s *State) leave(slot int) gone {
	g := gone{slot: slot, body: s.Bodies[slot]}
	g.contacts, g.joints = s.Ties(slot, nil, nil)
	s.Remove(slot)
	return g
}

// comeBack undoes what leave did, the last first.
func (s *State) comeBack(all []gone) {
	for _, g := range slices.Backward(all) {
		s.Bodies[g.slot] = g.body
		s.ComeBack(g.body.Key, g.contacts, g.joints)
	}
}

// removeAfter does the removals of a tick and lists their slots and those
// of the bodies that they touched.
func (h *past) removeAfter(s *State, tick int) (left []gone, slots []int32) {
	for _, slot := range h.removes[tick] {
		if live(s, slot) {
			g := s.leave(slot)
			left, slots = append(left, g), append(append(slots, int32(slot)), g.tied()...)
		}
	}
	return left, slots
}

// tied lists the dynamic bodies that had contacts or joints with one that left,
// and bodies that had left before, whose ends the one that left was to report.
func (g *gone) tied() (slots []int32) {
	note := func(gone bool, keyA, keyB uint64, slotA, slotB int32, fixedA, fixedB bool) {
		if gone {
			for _, key := range [...]uint64{keyA, keyB} {
				if slot, ok := slotOfOwn(key); ok {
					slots = append(slots, int32(slot))
				}
			}
			return
		}
		if int(slotA) == g.slot && slotB >= 0 && !fixedB {
			slots = append(slots, slotB)
		}
		if int(slotB) == g.slot && !fixedA {
			slots = append(slots, slotA)
		}
	}
	for i := range g.contacts {
		c := &g.contacts[i]
		note(c.Gone(), c.KeyA, c.KeyB, c.SlotA, c.SlotB, c.Flags&FixedA != 0, c.Flags&FixedB != 0)
	}
	for i := range g.joints {
		j := &g.joints[i]
		note(j.Gone(), j.KeyA, j.KeyB, j.SlotA, j.SlotB, j.Flags&JointFixedA != 0, j.Flags&JointFixedB != 0)
	}
	return slots
}

// play runs all ticks and records them.
func (h *past) play() {
	for tick := range h.mids {
		h.mids[tick].CopyFrom(h.from(tick))
		h.wrote[tick] = h.do(&h.mids[tick], tick)
		after := &h.afters[tick]
		after.CopyFrom(&h.mids[tick])
		h.sv.Step(after, h.defs, h.rules)
		h.sv.Record(after, &h.traces[tick])
		h.gone[tick], _ = h.removeAfter(after, tick)
	}
}

// differing lists the slots in which two states differ, in the sense of StepPart's
// changed.
func differing(a, b *State, defs []Def) (slots []int32) {
	return Changed(a, b, defs, slotOfOwn, nil)
}

// slotOfOwn returns the slot that a body has or had: a slot belongs to one body for the
// whole history.
func slotOfOwn(key uint64) (slot int, ok bool) {
	for slot := range 1 << 12 {
		if mix(uint64(slot)+1) == key {
			return slot, true
		}
	}
	return 0, false
}

// again runs from a tick of which the scripts changed to the end, in part, and
// compares every step with a whole one. chained takes what StepPart said for
// the list of the next step; else the lists are found by comparing.
func (h *past) again(t testing.TB, from int, chained bool) {
	t.Helper()
	var mid, whole, before State
	var wholeTrace Trace
	var changed []int32
	for tick := from; tick < len(h.mids); tick++ {
		when := fmt.Sprintf("tick %d of %d", tick, len(h.mids))
		mid.CopyFrom(h.from(tick))
		written := h.do(&mid, tick)
		before.CopyFrom(&mid)
		found := differing(&h.mids[tick], &mid, h.defs)
		if chained {
			changed = append(append(changed, h.wrote[tick]...), written...)
			for _, slot := range found {
				if !slices.Contains(changed, slot) {
					t.Fatalf("%s: slot %d differs, and the re-run did not report it", when, slot)
				}
			}
		} else {
			changed = found
		}
		whole.CopyFrom(&mid)
		h.check.Step(&whole, h.defs, h.rules)
		h.check.Record(&whole, &wholeTrace)
		h.stepPart(t, when, tick, &mid, &whole, &wholeTrace, changed)
		sameBits(t, when+": StepPart changed mid", &before, &mid)
		h.mids[tick].CopyFrom(&mid)
		h.wrote[tick] = written
		changed = h.finish(t, when, tick, &whole, changed)
	}
}

// stepPart does one step in part and compares all that it leaves.
func (h *past) stepPart(t testing.TB, when string, tick int, mid, whole *State, wholeTrace *Trace, changed []int32) {
	t.Helper()
	after, tr := &h.afters[tick], &h.traces[tick]
	after.comeBack(h.gone[tick])
	var old State
	var oldTrace Trace
	old.CopyFrom(after)
	oldTrace.CopyFrom(tr)
	part := h.sv.StepPart(mid, after, tr, changed, h.defs, h.rules, nil)
	switch {
	case part.Whole:
		h.wholes++
	case len(changed) == 0:
		h.quiet++
	default:
		h.parts++
	}
	h.solved += part.Solved
	h.total += wholeTrace.bodies.dynamic
	h.events += len(part.Events)
	sameTraces(t, when, tr, wholeTrace)
	for _, slot := range differing(&old, after, h.defs) {
		if !slices.Contains(part.Changed, slot) {
			t.Fatalf("%s: slot %d differs after the step, and Part does not say so", when, slot)
		}
	}
	h.changed += len(part.Changed)
	for _, slot := range part.Changed {
		if !slices.Contains(differing(&old, after, h.defs), slot) {
			h.needless++ // it costs time, no more
		}
	}
	want := eventSlots(&oldTrace, wholeTrace)
	if !slices.Equal(part.Events, want) {
		t.Fatalf("%s: Part says that events of %v changed, want %v", when, part.Events, want)
	}
}

// finish does the removals of a tick again, compares, and lists the slots
// that differ: those that the step made differently, those that were removed or not,
// unlike before, and those that touched them.
func (h *past) finish(t testing.TB, when string, tick int, whole *State, changed []int32) []int32 {
	t.Helper()
	after := &h.afters[tick]
	next := slices.Clone(h.sv.partial.changes.slots.list)
	for _, g := range h.gone[tick] {
		next = append(append(next, int32(g.slot)), g.tied()...)
	}
	var slots []int32
	h.gone[tick], slots = h.removeAfter(after, tick)
	next = append(next, slots...)
	h.removeAfter(whole, tick)
	sameBits(t, when, whole, after)
	for slot := range max(len(whole.Bodies), len(after.Bodies)) {
		if keyOf(whole.Bodies, int32(slot)) != keyOf(after.Bodies, int32(slot)) {
			t.Fatalf("%s: slot %d has another body", when, slot)
		}
	}
	return next
}

// eventSlots returns which bodies have events that two traces do not share.
func eventSlots(a, b *Trace) (slots []int32) {
	note := func(s ...int32) {
		for _, slot := range s {
			if slot >= 0 {
				slots = append(slots, slot)
			}
		}
	}
	for _, l := range [][2][]Event{{a.events.begins, b.events.begins}, {a.events.ends, b.events.ends}, {a.events.hits, b.events.hits}} {
		for side := range 2 {
			for i := range l[side] {
				e := &l[side][i]
				if !slices.ContainsFunc(l[1-side], func(f Event) bool { return e.sameBits(&f) }) {
					note(e.A, e.B)
				}
			}
		}
	}
	for _, l := range [][2][]JointEvent{{a.events.broken, b.events.broken}, {b.events.broken, a.events.broken}} {
		for i := range l[0] {
			e := &l[0][i]
			if !slices.ContainsFunc(l[1], func(f JointEvent) bool { return e.sameBits(&f) }) {
				note(e.A, e.B)
			}
		}
	}
	slices.Sort(slots)
	return slices.Compact(slots)
}

// sameTraces compares all that two traces say.
func sameTraces(t testing.TB, when string, got, want *Trace) {
	t.Helper()
	for name, l := range map[string][2][]Event{"begins": {got.events.begins, want.events.begins}, "ends": {got.events.ends, want.events.ends}, "hits": {got.events.hits, want.events.hits}} {
		if !slices.EqualFunc(l[0], l[1], func(a, b Event) bool { return a.sameBits(&b) }) {
			t.Fatalf("%s: %s differ:\n%v\nwant\n%v", when, name, l[0], l[1])
		}
	}
	if !slices.EqualFunc(got.events.broken, want.events.broken, func(a, b JointEvent) bool { return a.sameBits(&b) }) {
		t.Fatalf("%s: joint events differ:\n%v\nwant\n%v", when, got.events.broken, want.events.broken)
	}
	if got.pairs < want.pairs || got.crowded != want.crowded {
		t.Fatalf("%s: the trace has at most %d pairs (crowded: %v), want %d (%v)", when, got.pairs, got.crowded, want.pairs, want.crowded)
	}
	if got.bodies.dynamic != want.bodies.dynamic {
		t.Fatalf("%s: the trace has %d dynamic bodies, want %d", when, got.bodies.dynamic, want.bodies.dynamic)
	}
	for slot := range got.bodies.keys {
		if slot >= len(want.bodies.keys) {
			if got.bodies.keys[slot] != 0 {
				t.Fatalf("%s: the trace has slot %d", when, slot)
			}
			continue
		}
		if got.bodies.keys[slot] != want.bodies.keys[slot] || got.bodies.boxes[slot] != want.bodies.boxes[slot] || got.bodies.kinds[slot] != want.bodies.kinds[slot] {
			t.Fatalf("%s: the trace says of slot %d: key %x, type %x, box %v; want %x, %x, %v", when, slot,
				got.bodies.keys[slot], got.bodies.kinds[slot], got.bodies.boxes[slot], want.bodies.keys[slot], want.bodies.kinds[slot], want.bodies.boxes[slot])
		}
		a, b := ringOf(got.rings, int32(slot)), ringOf(want.rings, int32(slot))
		if !slices.Equal(a, b) {
			t.Fatalf("%s: the ring of slot %d is %v, want %v", when, slot, a, b)
		}
		found := got.bodies.indexOf(int32(slot)).find(got.bodies.boxes, got.bodies.boxes[slot], nil)
		if !got.bodies.boxes[slot].empty() && !slices.Contains(found, int32(slot)) {
			t.Fatalf("%s: slot %d is not in the index", when, slot)
		}
	}
}

func ringOf(next []int32, slot int32) []int32 {
	ring := []int32{slot}
	for at := next[slot]; at != slot && len(ring) <= len(next); at = next[at] {
		ring = append(ring, at)
	}
	slices.Sort(ring)
	return ring
}
