package physics

import (
	"math"
	"slices"
	"testing"
)

// lateCase is a small past in which one rule of StepPart counts. In the last of
// its ticks, or before, early is done in the first place, and late besides or
// in its stead.
type lateCase struct {
	name    string
	scene   func(t testing.TB) *scene
	warm    int // steps before
	ticks   int
	early   map[int][]action
	late    map[int][]action // of a tick, in the place of early
	removes map[int][]int
	must    func(h *past) bool // that what the case is about happened
}

func quiet(t testing.TB) *scene {
	return (&scene{rules: Params{DT: 1.0 / 60, Substeps: 4, SleepAfter: 0.1}})
}

func (sc *scene) dynamic(t testing.TB, s Shape, density float64) uint32 {
	return sc.def(t, Def{Type: Dynamic, Shape: s, Density: density, Friction: 0.3})
}

// pushedBar returns a ball, a bar to the right of it that it nearly touches, and a
// box that the other end of the bar nearly touches.
func pushedBar(t testing.TB) *scene {
	sc := quiet(t)
	sc.put(sc.dynamic(t, CircleShape(0.2), 100), -2.5, 0, 0)
	sc.put(sc.dynamic(t, BoxShape(4, 0.4), 1), 0, 0, 0)
	sc.put(sc.dynamic(t, BoxShape(0.4, 0.4), 1), 2.21, 0, 0)
	return sc
}

// struckBall returns a small heavy ball, a large one that it can strike, and a thin
// wall beyond, where only what was struck comes to within a step.
func struckBall(t testing.TB) *scene {
	sc := quiet(t)
	sc.put(sc.dynamic(t, CircleShape(0.2), 1e4), 0, 0, 0)
	sc.put(sc.dynamic(t, CircleShape(1), 0.1), 1.7, 0, 0)
	sc.put(sc.def(t, Def{Type: Static, Shape: BoxShape(0.05, 4)}), 3.2, 0, 0)
	return sc
}

// underRam returns a bullet that flies under a ram, and a ball above that can push
// it down.
func underRam(t testing.TB) *scene {
	sc := quiet(t)
	bullet := sc.def(t, Def{Type: Dynamic, Shape: BoxShape(1.2, 0.08), Bullet: true})
	sc.Bodies[sc.put(bullet, -3, 0, 0)].VX = 360
	sc.put(sc.dynamic(t, BoxShape(0.4, 3), 0.1), 0, 2, 0)
	sc.put(sc.dynamic(t, CircleShape(0.3), 1e4), 0, 4.5, 0)
	return sc
}

// zone returns a ball and a box that touch, the box in the field of a sensor that
// drifts.
func zone(t testing.TB) *scene {
	sc := quiet(t)
	sc.put(sc.dynamic(t, CircleShape(0.3), 1), 0, 0, 0)
	sc.put(sc.dynamic(t, BoxShape(3, 0.6), 1), 1.79, 0, 0)
	drift := sc.def(t, Def{Type: Dynamic, Shape: CircleShape(0.5), Sensor: true})
	sc.Bodies[sc.put(drift, 3.4, 0, 0)].VY = 0.01
	return sc
}

// heavySleeper returns a box that sleeps on a floor under great gravity, so that
// awake it counts on falling fast, and two light bodies to wake it.
func heavySleeper(t testing.TB) *scene {
	sc := quiet(t)
	sc.rules.GravityY = -10
	sc.put(sc.def(t, Def{Type: Static, Shape: BoxShape(20, 2), Friction: 0.5}), 0, -1, 0)
	sc.put(sc.def(t, Def{Type: Dynamic, Shape: BoxShape(2, 1), GravityScale: 300, Friction: 0.5}), 0, 0.45, 0)
	sc.put(sc.dynamic(t, CircleShape(0.2), 1), -0.8, 1.5, 0)
	sc.put(sc.dynamic(t, CircleShape(0.2), 1), 0.8, 1.5, 0)
	return sc
}

// pendulum hangs from a post that is out of its reach.
func pendulum(t testing.TB) *scene {
	sc := quiet(t)
	sc.rules.GravityY = -10
	post := sc.put(sc.def(t, Def{Type: Static, Shape: BoxShape(0.2, 0.2)}), 0, 8, 0)
	bob := sc.put(sc.def(t, Def{Type: Dynamic, Shape: CircleShape(0.3), GravityScale: 1}), 3, 4, 0)
	a, b := &sc.Bodies[bob], &sc.Bodies[post]
	sc.tie(t, NewDistance(0, a, b, a.Position(), b.Position()))
	return sc
}

// resting returns a ball on a floor.
func resting(t testing.TB) *scene {
	sc := quiet(t)
	sc.rules.GravityY = -10
	sc.put(sc.def(t, Def{Type: Static, Shape: BoxShape(20, 2)}), 0, -1, 0)
	sc.put(sc.def(t, Def{Type: Dynamic, Shape: CircleShape(0.3), GravityScale: 1}), 0, 0.3, 0)
	sc.put(sc.def(t, Def{Type: Dynamic, Shape: CircleShape(0.3), GravityScale: 1}), 5, 0.3, 0)
	return sc
}

func ends(h *past, tick, slot int) bool {
	_, ends := h.traces[tick].Events()
	return slices.ContainsFunc(ends, func(e Event) bool { return int(e.A) == slot || int(e.B) == slot })
}

func touch(s *State, a, b int) bool {
	return slices.ContainsFunc(s.Contacts, func(c Contact) bool {
		return !c.Gone() && (int(c.SlotA) == a && int(c.SlotB) == b || int(c.SlotA) == b && int(c.SlotB) == a)
	})
}

// Each rule by which StepPart finds the bodies that can differ has a case here, or
// TestPartEqualsWhole fails without it.
func lateCases() []lateCase {
	awake := write(1, func(b *Body) { b.VX = 0.001 })
	return []lateCase{
		{name: "bodies that may touch are in the ring", scene: pushedBar, warm: 1, ticks: 1,
			late: map[int][]action{0: {kick(0, 20, 0, 0)}},
			must: func(h *past) bool { return touch(&h.afters[0], 1, 2) }},
		{name: "a sleeper that may be touched is in the ring", scene: pushedBar, warm: 30, ticks: 1,
			early: map[int][]action{0: {awake}}, late: map[int][]action{0: {awake, kick(0, 20, 0, 0)}},
			must: func(h *past) bool { return touch(&h.afters[0], 1, 2) }},
		{name: "a body that wakes touches others", scene: pushedBar, warm: 30, ticks: 1,
			late: map[int][]action{0: {kick(0, 20, 0, 0)}},
			must: func(h *past) bool { return touch(&h.afters[0], 1, 2) }},
		{name: "a body that sleeps on touches others", scene: heavySleeper, warm: 60, ticks: 1,
			early: map[int][]action{0: {place(2, -0.8, 1.25, 0), kick(2, 0, -10, 0), place(3, 0.8, 1.4, 0), kick(3, 0, -30, 0)}},
			late:  map[int][]action{0: {place(3, 0.8, 1.4, 0), kick(3, 0, -30, 0)}},
			must:  func(h *past) bool { return !h.afters[0].Bodies[1].Asleep() }},
		{name: "a body that was woken sleeps on", scene: heavySleeper, warm: 60, ticks: 1,
			early: map[int][]action{0: {place(2, -0.8, 1.4, 0), kick(2, 0, -30, 0)}}, late: map[int][]action{0: {place(2, 5, 9, 0)}},
			must: func(h *past) bool { return h.afters[0].Bodies[1].Asleep() }},
		{name: "a bullet reads the paths of others", scene: underRam, ticks: 1,
			late: map[int][]action{0: {kick(2, 0, -120, 0)}},
			must: func(h *past) bool { return h.afters[0].Bodies[0].X < 1 }},
		{name: "a struck body hits what is beyond its box", scene: struckBall, warm: 30, ticks: 1,
			late: map[int][]action{0: {kick(0, 100, 0, 0)}},
			must: func(h *past) bool { return h.afters[0].Bodies[1].X < 2.7 && h.afters[0].Bodies[1].X > 1.8 }},
		{name: "a body comes into the path", scene: struckBall, warm: 30, ticks: 1,
			early: map[int][]action{0: {kick(0, 100, 0, 0), place(2, 9, 0, 0)}}, late: map[int][]action{0: {kick(0, 100, 0, 0)}},
			must: func(h *past) bool { return h.afters[0].Bodies[1].X < 2.7 && h.afters[0].Bodies[1].X > 1.8 }},
		{name: "a sensor that is not stepped keeps its contacts", scene: zone, warm: 30, ticks: 2,
			late: map[int][]action{0: {kick(0, 1, 0, 0)}},
			must: func(h *past) bool { return touch(&h.afters[1], 1, 2) }},
		{name: "a body leaves a sensor for another place", scene: zone, warm: 30, ticks: 1,
			early: map[int][]action{0: {place(1, 20, 0, 0)}}, late: map[int][]action{0: {place(1, 30, 0, 0)}},
			must: func(h *past) bool { return ends(h, 0, 2) }},
		{name: "a body leaves a contact for another place", scene: zone, warm: 30, ticks: 1,
			early: map[int][]action{0: {place(0, 20, 0, 0)}}, late: map[int][]action{0: {place(0, 30, 0, 0)}},
			must: func(h *past) bool { return ends(h, 0, 0) }},
		{name: "both ends of a joint are there", scene: pendulum, warm: 5, ticks: 3,
			late: map[int][]action{0: {force(1, 20, 0)}},
			must: func(h *past) bool { return len(h.afters[2].Joints) == 1 }},
		{name: "a removed body had left the floor before", scene: resting, warm: 20, ticks: 6,
			early: map[int][]action{4: {remove(1)}}, late: map[int][]action{0: {kick(1, 0, 9, 0)}, 4: {remove(1)}},
			must: func(h *past) bool { return !ends(h, 4, 0) }},
		{name: "a removed body had come to the floor before", scene: resting, warm: 20, ticks: 6,
			early: map[int][]action{0: {kick(1, 0, 9, 0)}, 4: {remove(1)}}, late: map[int][]action{0: nil, 4: {remove(1)}},
			must: func(h *past) bool { return ends(h, 4, 0) }},
		{name: "a joint was released before one end was removed", scene: pendulum, warm: 5, ticks: 6,
			early: map[int][]action{3: {remove(1)}}, late: map[int][]action{1: {tune(0, true, nil)}, 3: {remove(1)}},
			must: func(h *past) bool { return len(h.traces[3].JointEvents()) == 0 }},
		{name: "a joint was kept until one end was removed", scene: pendulum, warm: 5, ticks: 6,
			early: map[int][]action{1: {tune(0, true, nil)}, 3: {remove(1)}}, late: map[int][]action{1: nil, 3: {remove(1)}},
			must: func(h *past) bool { return len(h.traces[3].JointEvents()) == 1 }},
		{name: "another body on the same floor was removed", scene: resting, warm: 20, ticks: 3,
			early: map[int][]action{1: {remove(1)}}, late: map[int][]action{0: {kick(2, 1, 0, 0)}, 1: {remove(1)}},
			must: func(h *past) bool { return ends(h, 1, 0) }},
		{name: "a removed body is back", scene: zone, warm: 30, ticks: 2, removes: map[int][]int{0: {1}},
			late: map[int][]action{0: {kick(0, 1, 0, 0)}},
			must: func(h *past) bool { return !live(&h.afters[0], 1) }},
		{name: "a removed end of a joint is back", scene: pendulum, warm: 5, ticks: 2, removes: map[int][]int{0: {1}},
			late: map[int][]action{0: {force(1, 20, 0)}},
			must: func(h *past) bool { return len(h.traces[1].JointEvents()) == 1 }},
		{name: "the floor was removed", scene: resting, warm: 20, ticks: 3, removes: map[int][]int{1: {0}},
			late: map[int][]action{0: {kick(1, 1, 0, 0)}},
			must: func(h *past) bool { return !live(&h.afters[1], 0) }},
		{name: "the sign of zero counts", scene: resting, warm: 20, ticks: 2,
			late: map[int][]action{0: {write(0, func(b *Body) { b.X = math.Copysign(0, -1) }), write(1, func(b *Body) { b.FX = math.Copysign(0, -1) })}},
			must: func(h *past) bool {
				return math.Signbit(h.afters[1].Bodies[0].X) && math.Signbit(h.afters[1].Bodies[1].FX)
			}},
	}
}

func TestPartRules(t *testing.T) {
	for _, c := range lateCases() {
		t.Run(c.name, func(t *testing.T) {
			for _, chained := range []bool{false, true} {
				sc := c.scene(t)
				sc.run(&Solver{Check: true}, c.warm)
				h := newPast(sc, c.ticks)
				for tick := range c.ticks {
					h.scripts[tick], h.removes[tick] = c.early[tick], c.removes[tick]
				}
				h.play()
				for tick, actions := range c.late {
					h.scripts[tick] = actions
				}
				h.again(t, 0, chained)
				if h.parts == 0 || h.wholes != 0 {
					t.Fatalf("%d steps in part, %d as a whole", h.parts, h.wholes)
				}
				if !c.must(h) {
					t.Error("what the case is about did not happen")
				}
			}
		})
	}
}

// A body that was removed since the step must be back before the step is done again.
// Where StepPart meets one that is not, or the rest of its contacts, it panics.
func TestPartRefusesAnotherAfter(t *testing.T) {
	for name, c := range map[string]struct {
		scene   func(t testing.TB) *scene
		late    int // slot
		removed int
	}{"body": {pushedBar, 1, 1}, "contact": {zone, 0, 2}, "joint": {pendulum, 1, 0}} {
		t.Run(name, func(t *testing.T) {
			sc := c.scene(t)
			sc.run(&Solver{Check: true}, 30)
			h := newPast(sc, 1)
			h.play()
			after := &h.afters[0]
			left := after.leave(c.removed)
			defer func() {
				if got := recover(); got != notAsMade {
					t.Fatalf("recovered %v, want %q", got, notAsMade)
				}
				after.comeBack([]gone{left})
				h.sv.partial = partial{} // a panic leaves marks
				h.scripts[0] = []action{force(c.late, 3, 4)}
				h.again(t, 0, false)
			}()
			mid := h.mids[0]
			mid.Bodies[c.late].FX = 1
			h.sv.StepPart(&mid, after, &h.traces[0], []int32{int32(c.late)}, h.defs, h.rules, nil)
		})
	}
}

// TestPartWhereOneIsFixedSinceTheStep: what a contact says of its bodies is of the step
// before. A body that has become kinematic since then ties nothing, whatever touches it, and a
// sleeper beside it wakes because it moves.
func TestPartWhereOneIsFixedSinceTheStep(t *testing.T) {
	sc := quiet(t)
	moving := sc.def(t, Def{Type: Kinematic, Shape: CircleShape(0.3)})
	for i, x := range []float64{0, 1, -1} {
		def := moving
		if i == 1 {
			def = sc.dynamic(t, CircleShape(0.3), 1)
		}
		sc.Bodies[sc.put(def, x, 0, 0)].VY = 0.2
	}
	key := func(slot int) uint64 { return sc.Bodies[slot].Key }
	sc.Contacts = []Contact{
		{KeyA: key(0), KeyB: key(1), SlotA: 0, SlotB: 1, Count: 1},                // when both were dynamic
		{KeyA: key(0), KeyB: key(2), SlotA: 0, SlotB: 2, Count: 1, Flags: FixedB}, // likewise
	}
	sv := Solver{Check: true}
	after, tr := sc.copy(), Trace{}
	sv.Step(&after.State, sc.defs, sc.rules)
	sv.Record(&after.State, &tr)

	late := sc.copy()
	b := &late.Bodies[1]
	b.VY = 0
	b.Rest = b.mark()
	want := late.copy()
	sv.Step(&want.State, sc.defs, sc.rules)
	if want.Bodies[1].Asleep() {
		t.Error("it sleeps on beside one that moves")
	}
	sv.StepPart(&late.State, &after.State, &tr, []int32{1}, sc.defs, sc.rules, nil)
	if !after.Bodies[1].Same(&want.Bodies[1]) || !slices.Equal(after.Contacts, want.Contacts) {
		t.Errorf("in part %+v, %+v\nwhole %+v, %+v", after.Bodies[1], after.Contacts, want.Bodies[1], want.Contacts)
	}
}

// TestPartNamesWhoHasAnotherBody: a body that touched another one was removed, and another body with its key has come. The
// end of the contact is told to that key, also where nothing else of that body differs.
func TestPartNamesWhoHasAnotherBody(t *testing.T) {
	sc := quiet(t)
	ball := sc.dynamic(t, CircleShape(0.5), 1)
	for _, x := range []float64{0, 0.9} {
		sc.put(ball, x, 0, 0)
	}
	a, b := sc.Bodies[0].Key, sc.Bodies[1].Key
	sv := Solver{Check: true}
	after, tr := sc.copy(), Trace{}
	sv.Step(&after.State, sc.defs, sc.rules)
	sv.Record(&after.State, &tr)

	late := sc.copy()
	late.Contacts = []Contact{{KeyA: a, KeyB: b, SlotA: 1, SlotB: 1, Flags: GoneA}}
	want := late.copy()
	sv.Step(&want.State, sc.defs, sc.rules)
	begins, ends := sv.Events()
	if len(begins) != 1 || len(ends) != 1 || ends[0].A != -1 || ends[0].KeyA != a {
		t.Fatalf("begins %+v, ends %+v", begins, ends)
	}
	part := sv.StepPart(&late.State, &after.State, &tr, []int32{1}, sc.defs, sc.rules, nil)
	if !slices.Equal(part.Gone, []uint64{a}) || !slices.Equal(part.Events, []int32{1}) {
		t.Errorf("the part names the keys %v and the slots %v", part.Gone, part.Events)
	}
	if !after.Bodies[0].Same(&want.Bodies[0]) || !after.Bodies[1].Same(&want.Bodies[1]) {
		t.Error("it has other bodies than the whole")
	}
}
