package physics

import (
	"slices"
	"testing"
)

// sleepy returns the scene with sleep.
func (sc *scene) sleepy() *scene {
	sc.rules.SleepAfter = 0.5
	return sc
}

func (sc *scene) asleep() (n int) {
	for i := range sc.Bodies {
		if b := &sc.Bodies[i]; b.Key != 0 && sc.defs[b.Def].Type == Dynamic && b.Asleep() {
			n++
		}
	}
	return n
}

// piles returns some stacks of boxes and a hanging chain, asleep. Slot 0 is the
// floor; boxes of stack i are in slots 1+3i to 3+3i, the lowest first; the
// chain in 13 and 14.
func piles(t testing.TB) *scene {
	sc := (&scene{rules: rules60}).sleepy()
	floor := sc.def(t, Def{Type: Static, Shape: BoxShape(200, 2), Friction: 0.6})
	box := sc.def(t, Def{Type: Dynamic, Shape: BoxShape(1, 1), Friction: 0.6, GravityScale: 1})
	sc.put(floor, 0, -1, 0)
	for i := range 4 {
		for row := range 3 {
			sc.put(box, 4*float64(i), 0.5+float64(row), 0)
		}
	}
	var above *Body
	for i := range 2 {
		slot := sc.put(box, -10, 10-float64(i), 0)
		sc.tie(t, NewJoint(uint64(i+1), Hinge, &sc.Bodies[slot], above, Vec{-10, 10.5 - float64(i)}))
		above = &sc.Bodies[slot]
	}
	sc.run(&Solver{Check: true}, 240)
	if n := sc.asleep(); n != 14 {
		t.Fatalf("%d of 14 bodies sleep after 4 s", n)
	}
	return sc
}

// Sleeping bodies change in no bit and make no events.
func TestSleepingBodiesDoNotChange(t *testing.T) {
	sc := piles(t)
	before := sc.copy()
	sv := Solver{Check: true}
	for range 100 {
		sc.run(&sv, 1)
		begins, ends := sv.Events()
		if len(begins)+len(ends)+len(sv.JointEvents()) != 0 {
			t.Fatalf("events of sleepers: %v %v", begins, ends)
		}
	}
	sameBits(t, "after 100 steps of sleep", &sc.State, &before.State)
	for i := range sc.Bodies {
		if b := &sc.Bodies[i]; b.VX != 0 || b.VY != 0 || b.W != 0 {
			t.Errorf("body %d sleeps at %v, %v", i, b.VX, b.VY)
		}
	}
}

// A body that touches a sleeping one wakes its island in the next step, and no other
// island.
func TestWaking(t *testing.T) {
	stack, chain := []int{1, 2, 3}, []int{13, 14}
	for name, c := range map[string]struct {
		do   func(sc *scene)
		want []int
	}{
		"nothing":        {func(sc *scene) {}, nil},
		"wake":           {func(sc *scene) { sc.Bodies[2].Wake() }, stack},
		"force":          {func(sc *scene) { sc.Bodies[2].FX = 1 }, stack},
		"torque":         {func(sc *scene) { sc.Bodies[2].ApplyTorque(1) }, stack},
		"push":           {func(sc *scene) { sc.Bodies[1].ApplyForce(0, 1) }, stack},
		"impulse":        {func(sc *scene) { sc.Bodies[3].ApplyImpulse(&sc.defs[1], 1, 0) }, stack},
		"velocity":       {func(sc *scene) { sc.Bodies[3].VX = 1e-9 }, stack},
		"spin":           {func(sc *scene) { sc.Bodies[3].W = 1 }, stack},
		"place":          {func(sc *scene) { sc.Bodies[3].FlipX() }, stack},
		"angle":          {func(sc *scene) { sc.Bodies[3].SetAngle(0) }, stack},
		"def":            {func(sc *scene) { sc.Bodies[3].Def = sc.def(t, sc.defs[1]) }, stack},
		"no sleep":       {func(sc *scene) { sc.defs = slices.Clone(sc.defs); sc.defs[1].NoSleep = true }, []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14}},
		"neighbour goes": {func(sc *scene) { sc.Remove(3) }, []int{1, 2}},
		"floor goes":     {func(sc *scene) { sc.Remove(0) }, []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}},
		"joint goes":     {func(sc *scene) { sc.RemoveJoint(1) }, chain},
		"joint changes":  {func(sc *scene) { sc.joint(t, 2).Flags |= JointMotor }, chain},
		"link goes":      {func(sc *scene) { sc.Remove(14) }, []int{13}},
		"joint comes": {func(sc *scene) {
			sc.tie(t, NewDistance(9, &sc.Bodies[1], &sc.Bodies[13], sc.Bodies[1].Position(), sc.Bodies[13].Position()))
		}, append(stack, chain...)},
		"hit": {func(sc *scene) {
			slot := sc.put(1, -1.8, 1.5, 0)
			sc.Bodies[slot].VX = 60
		}, append([]int{15}, stack...)},
		"passed by": {func(sc *scene) {
			slot := sc.put(1, -2.2, 3.6, 0)
			sc.Bodies[slot].VX, sc.Bodies[slot].VY = 60, 5
		}, []int{15}},
		"sensor": {func(sc *scene) {
			sc.put(sc.def(t, Def{Type: Dynamic, Sensor: true, Shape: CircleShape(1)}), 0, 1, 0)
		}, []int{15}},
		"lift that stands": {func(sc *scene) {
			sc.put(sc.def(t, Def{Type: Kinematic, Shape: BoxShape(1, 1)}), 1.05, 1, 0)
		}, nil},
		"lift that comes": {func(sc *scene) {
			slot := sc.put(sc.def(t, Def{Type: Kinematic, Shape: BoxShape(1, 1)}), 1.05, 1, 0)
			sc.Bodies[slot].VX = -4
		}, stack},
	} {
		sc := piles(t)
		c.do(sc)
		sc.run(&Solver{Check: true}, 1)
		var awake []int
		for i := range sc.Bodies {
			if b := &sc.Bodies[i]; b.Key != 0 && sc.defs[b.Def].Type == Dynamic && !b.Asleep() {
				awake = append(awake, i)
			}
		}
		slices.Sort(c.want)
		if !slices.Equal(awake, c.want) {
			t.Errorf("%s: %v are awake, want %v", name, awake, c.want)
		}
	}
}

// An impulse moves a sleeping body as it moves one that is awake.
func TestBlowsFeelNoSleep(t *testing.T) {
	speeds := func(sleep bool) (v [3]float64) {
		sc := piles(t)
		if !sleep {
			sc.rules.SleepAfter = 0
		}
		slot := sc.put(1, -8, 1.5, 0)
		sc.Bodies[slot].VX = 20
		sc.run(&Solver{Check: true}, 30)
		return [3]float64{sc.Bodies[slot].VX, sc.Bodies[2].VX, sc.Bodies[3].VX}
	}
	a, b := speeds(true), speeds(false)
	for i := range a {
		if !near(a[i], b[i], 0.02) || b[1] < 5 {
			t.Errorf("the blow gives %v to sleepers and %v to those awake", a, b)
		}
	}
}

// A lift that starts to move, or that a script puts elsewhere, wakes those on it.
func TestLiftsWakeTheirLoad(t *testing.T) {
	for name, move := range map[string]func(b *Body){
		"velocity": func(b *Body) { b.VY = -1 },
		"place":    func(b *Body) { b.Y -= 0.5 },
	} {
		sc := (&scene{rules: rules60}).sleepy()
		lift := sc.def(t, Def{Type: Kinematic, Shape: BoxShape(4, 1)})
		box := sc.def(t, Def{Type: Dynamic, Shape: BoxShape(1, 1), GravityScale: 1})
		sc.put(lift, 0, 0, 0)
		sc.put(box, 0, 1, 0)
		sv := Solver{Check: true}
		sc.Bodies[0].VX = 1
		sc.run(&sv, 120)
		if sc.asleep() != 0 {
			t.Fatal("a box sleeps on a moving lift")
		}
		sc.Bodies[0].VX = 0
		sc.run(&sv, 120)
		if sc.asleep() != 1 {
			t.Fatal("the box does not sleep on a lift that stands")
		}
		move(&sc.Bodies[0])
		sc.run(&sv, 1)
		if sc.asleep() != 0 {
			t.Errorf("%s: the box sleeps on", name)
		}
	}
}

func TestNoSleepKeepsNeighboursAwake(t *testing.T) {
	sc := piles(t)
	player := sc.def(t, Def{Type: Dynamic, Shape: CircleShape(0.5), GravityScale: 1, NoSleep: true})
	sc.put(player, 0, 3.5, 0)
	sc.put(player, 20, 0.5, 0)
	sc.run(&Solver{Check: true}, 240)
	if n := sc.asleep(); n != 11 {
		t.Errorf("%d sleep, want all but the players and the stack under one", n)
	}
}

// A pile that sleeps is woken, and sleeps again, without a change of its
// contacts: it does not jump.
func TestWakingIsSmooth(t *testing.T) {
	sc := heavyPyramid(t, 8).sleepy()
	sv := Solver{Check: true}
	sc.run(&sv, 240)
	if sc.asleep() != 36 {
		t.Fatalf("%d of 36 sleep", sc.asleep())
	}
	before := sc.copy()
	sc.Bodies[9].Wake()
	for range 20 {
		sc.run(&sv, 1)
		for i := range sc.Bodies {
			if d := sc.Bodies[i].Position().sub(before.Bodies[i].Position()).length(); d > 1e-3 {
				t.Fatalf("body %d jumped by %v m when it was woken", i, d)
			}
		}
		if begins, ends := sv.Events(); len(begins)+len(ends) > 0 {
			t.Fatalf("waking made events: %v %v", begins, ends)
		}
	}
	sc.run(&sv, 60)
	if sc.asleep() != 36 {
		t.Errorf("%d of 36 sleep again", sc.asleep())
	}
}

// store returns heaps that sleep, and now and then a body that is thrown among them.
func store(t testing.TB) *scene {
	sc := (&scene{rules: rules60}).sleepy()
	sc.walls(t, 60, 40)
	for i := range sc.defs {
		sc.defs[i].Restitution, sc.defs[i].Friction = 0, 0.6
	}
	box := sc.def(t, Def{Type: Dynamic, Shape: BoxShape(1, 0.8), Friction: 0.6, GravityScale: 1})
	ball := sc.def(t, Def{Type: Dynamic, Shape: CircleShape(0.4), Friction: 0.6, GravityScale: 1, AngularDamping: 2})
	sc.put(sc.def(t, Def{Type: Kinematic, Shape: BoxShape(3, 1), Friction: 0.6}), 12, -16, 0)
	sc.put(sc.def(t, Def{Type: Static, Shape: BoxShape(8, 8), Sensor: true}), -10, -18, 0)
	r := random(21)
	for i := range 90 {
		def := box
		if i%5 == 0 {
			def = ball
		}
		sc.put(def, float64(7*(i%8))-25+r.between(-0.2, 0.2), float64(i/8)*1.1-19, 0)
	}
	return sc
}

// keep is the storekeeper: a function of the tick and of keys.
func (sc *scene) keep(tick int) {
	index := keyIndex(sc.Bodies)
	r := random(tick)
	slot := int(index[r.next()%uint64(len(index))].slot)
	b := &sc.Bodies[slot]
	switch {
	case tick%40 == 3 && sc.defs[b.Def].Type == Dynamic:
		b.VX, b.VY = r.between(-15, 15), r.between(0, 15)
	case tick%60 == 7 && sc.defs[b.Def].Type == Dynamic:
		sc.Remove(slot)
	case tick%150 == 90:
		sc.Bodies[4].VX = r.between(-2, 2)
	case tick%150 == 20:
		sc.Bodies[4].VX = 0
	}
}

// With sleep, rewinds are exact: in other slots, with a fresh solver, and
// islands alone.
func TestSleepIsExact(t *testing.T) {
	sc := store(t)
	sv, so := Solver{Check: true}, Solver{Check: true}
	sc.run(&sv, 200)
	other := sc.shuffled(3)
	at := other.slotIn(sc.Bodies[4].Key)
	other.Bodies[at], other.Bodies[4] = other.Bodies[4], other.Bodies[at] // the keeper names the lift by its slot
	other.Contacts = nil
	other.CarryContacts(&sc.State, keyIndex(other.Bodies).find)
	touching := map[[2]uint64]bool{}
	for _, c := range sc.Contacts {
		touching[[2]uint64{c.KeyA, c.KeyB}] = true
	}
	slept, most, least := 0, 0, 1000
	for tick := range 500 {
		sf := Solver{Check: true}
		sc.keep(tick)
		other.keep(tick)
		fresh := sc.copy()
		sc.run(&sv, 1)
		other.run(&so, 1)
		fresh.run(&sf, 1)
		sameEvents(t, &sv, &so)
		sameEvents(t, &sv, &sf)
		sameBits(t, "with a fresh solver", &sc.State, &fresh.State)
		if tick%10 == 0 {
			sameBits(t, "in other slots", &sc.State, &other.State)
		}
		sc.countEvents(t, &sv, touching)
		n := sc.asleep()
		slept, most, least = slept+n, max(most, n), min(least, n)
	}
	t.Logf("%d to %d asleep, %d on the mean", least, most, slept/500)
	if most < 60 || most-least < 25 {
		t.Errorf("%d to %d asleep: the scene tests little", least, most)
	}
}

func (sc *scene) slotIn(key uint64) int {
	slot, _ := sc.State.slotOfKey(key)
	return slot
}

// countEvents holds events and contacts to each other.
func (sc *scene) countEvents(t *testing.T, sv *Solver, touching map[[2]uint64]bool) {
	t.Helper()
	begins, ends := sv.Events()
	for _, e := range ends {
		pair := [2]uint64{e.KeyA, e.KeyB}
		if !touching[pair] {
			t.Fatalf("%x ended without a beginning", pair)
		}
		delete(touching, pair)
	}
	for _, e := range begins {
		pair := [2]uint64{e.KeyA, e.KeyB}
		if touching[pair] {
			t.Fatalf("%x began twice", pair)
		}
		touching[pair] = true
	}
	if len(touching) != len(sc.Contacts) || !slices.IsSortedFunc(sc.Contacts, compareContacts) {
		t.Fatalf("%d pairs touch by events, %d by contacts", len(touching), len(sc.Contacts))
	}
}

// An island steps to the same bits alone as among others, asleep or not. A
// body that is hit belongs to it from then on.
func TestSleepyIslandsAreIndependent(t *testing.T) {
	sc := store(t)
	sv := Solver{Check: true}
	sc.run(&sv, 150)
	tested, woke := 0, 0
	for tick := range 60 {
		for range 5 {
			sc.keep(5*tick + 3)
			sc.run(&sv, 1)
		}
		sc.keep(40*tick + 3)
		next := sc.copy()
		next.run(&sv, 1)
		var before, after Islands
		before.Build(&sc.State)
		after.Build(&next.State)
		for slot := 6; slot < len(sc.Bodies); slot += 7 {
			if sc.Bodies[slot].Key == 0 {
				continue
			}
			alone := sc.copy()
			for other := range sc.Bodies {
				if sc.Bodies[other].Key == 0 || sc.defs[sc.Bodies[other].Def].Type != Dynamic {
					continue
				}
				apart := sc.Bodies[other].Position().sub(sc.Bodies[slot].Position()).length() > 6
				if apart && !before.Same(slot, other) && !after.Same(slot, other) {
					alone.Remove(other)
				}
			}
			alone.run(&sv, 1)
			if alone.Bodies[slot] != next.Bodies[slot] {
				DiffBody(&alone.Bodies[slot], &next.Bodies[slot], func(name, va, vb string) {
					t.Errorf("body %016x: %s is %s alone and %s among all", sc.Bodies[slot].Key, name, va, vb)
				})
			}
			tested++
			if sc.Bodies[slot].Asleep() && !next.Bodies[slot].Asleep() {
				woke++
			}
		}
	}
	if tested < 300 || woke < 3 {
		t.Errorf("%d tested, %d of them woke: the scene tests little", tested, woke)
	}
}

// A step of a sleeping pile takes little time.
func BenchmarkSleepingPyramid20(b *testing.B) {
	sc := heavyPyramid(b, 20).sleepy()
	sc.run(&Solver{Check: true}, 400)
	if sc.asleep() != 210 {
		b.Fatalf("%d of 210 sleep", sc.asleep())
	}
	benchSteps(b, sc, 1, 1<<30)
}

func BenchmarkSleepyArena40(b *testing.B) { benchSteps(b, arena(b, 1060, 49).sleepy(), 30, 60) }
