package physics

import (
	"slices"
	"testing"
)

// quarry returns n light boxes and balls in five bins, and a boulder that falls into
// each.
func quarry(t testing.TB, n int) *scene {
	sc := &scene{rules: rules60}
	sc.walls(t, 30, 40)
	post := sc.def(t, Def{Type: Static, Shape: BoxShape(0.4, 12), Friction: 0.3})
	crate := sc.def(t, Def{Type: Dynamic, Shape: BoxShape(0.9, 0.7), Friction: 0.5, GravityScale: 1})
	ball := sc.def(t, Def{Type: Dynamic, Shape: CircleShape(0.4), Friction: 0.4, Restitution: 0.3, GravityScale: 1})
	boulder := sc.def(t, Def{Type: Dynamic, Shape: CircleShape(1.1), Density: 12, Friction: 0.6, GravityScale: 1})
	for i := range 4 {
		sc.put(post, float64(i*6-9), -14, 0)
	}
	r := random(23)
	for i := range n {
		sc.put([...]uint32{crate, ball, crate}[i%3], float64(i%5)*6-12+r.between(-1.9, 1.9), -19+float64(float64(i/5)*0.7), r.between(-1, 1))
	}
	for i := range 5 {
		sc.put(boulder, float64(i)*6-12, -17.5+float64(float64(n/5)*0.7), 0)
	}
	return sc
}

func TestGoldenQuarry(t *testing.T) {
	sc := quarry(t, 100)
	sv := Solver{Check: true}
	sc.run(&sv, 400)
	if n := len(sv.whole.contacts.burdened.pairs); n < 20 || sv.freeContacts() < 20 {
		t.Fatalf("%d contacts bear a burden and %d others do not: the scene tests little", n, sv.freeContacts())
	}
	sc.golden(t, "quarry", 400)
}

// What rests on a body, through others or not, is its burden; what lies under
// it or beside it, and what is not much heavier, is none.
func TestBurden(t *testing.T) {
	type body struct{ mass, x, y, scale float64 }
	for _, c := range []struct {
		name   string
		bodies []body
		want   []float64 // kg
	}{
		{"heavy on light", []body{{1, 0, 0.5, 1}, {1, 0, 1.5, 1}, {50, 0, 2.5, 1}}, []float64{50, 50, 0}},
		{"light on heavy", []body{{50, 0, 0.5, 1}, {1, 0, 1.5, 1}}, []float64{0, 0}},
		{"not much heavier", []body{{1, 0, 0.5, 1}, {7.9, 0, 1.5, 1}}, []float64{0, 0}},
		{"through one that is not much lighter", []body{{1, 0, 0.5, 1}, {10, 0, 1.5, 1}, {50, 0, 2.5, 1}}, []float64{10, 0, 0}},
		{"beside another", []body{{1, 0, 0.5, 1}, {50, 0, 1.5, 1}, {1, 0.999, 0.5, 1}}, []float64{50, 0, 50}},
		{"without weight", []body{{1, 0, 0.5, 0}, {50, 0, 1.5, 0}}, []float64{0, 0}},
	} {
		sc := &scene{rules: rules60}
		sc.put(sc.def(t, Def{Type: Static, Shape: BoxShape(50, 2), Friction: 0.6}), 0, -1, 0)
		for _, b := range c.bodies {
			sc.put(sc.def(t, Def{Type: Dynamic, Shape: BoxShape(1, 1.001), Mass: b.mass, Friction: 0.6, GravityScale: b.scale}), b.x, b.y, 0)
		}
		sv := Solver{Check: true}
		sc.run(&sv, 3)
		var got []float64
		for slot := range sc.Bodies[1:] {
			kg := 0.0
			if sv.whole.contacts.burdens.any {
				kg = sv.whole.contacts.burdens.mass[sv.whole.bodies.ranks().rankOf(int32(slot)+1)]
			}
			got = append(got, kg)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: burdens %v kg, want %v", c.name, got, c.want)
		}
	}
}

// Towers with a burden step to the same bits alone, among each other, in other slots, and
// among heaps without a burden.
func TestBurdenedIslandsAreIndependent(t *testing.T) {
	all := quarry(t, 100)
	sv := Solver{Check: true}
	all.run(&sv, 300)
	tested := 0
	for range 10 {
		next := all.copy()
		next.run(&Solver{Check: true}, 1)
		var is, after Islands
		is.Build(&all.State)
		after.Build(&next.State)
		for slot := len(all.Bodies) - 5; slot < len(all.Bodies); slot++ {
			members := is.Members(slot, nil)
			if !slices.Equal(members, after.Members(slot, nil)) {
				continue
			}
			alone := all.copy()
			for other := 8; other < len(all.Bodies); other++ {
				if !slices.Contains(members, int32(other)) {
					alone.Remove(other)
				}
			}
			alone.run(&sv, 1)
			if len(sv.whole.contacts.burdened.pairs) > 3 {
				tested++
			}
			for _, m := range members {
				DiffBody(&alone.Bodies[m], &next.Bodies[m], func(name, va, vb string) {
					t.Fatalf("body %016x: %s is %s alone and %s among all", alone.Bodies[m].Key, name, va, vb)
				})
			}
		}
		all = next
	}
	if tested < 20 {
		t.Fatalf("only %d islands with a burden: the scene tests little", tested)
	}
}

func TestSlotsDoNotMatterUnderABurden(t *testing.T) {
	a := quarry(t, 30)
	b := a.shuffled(7)
	sa, sb := Solver{Check: true}, Solver{Check: true}
	for range 200 {
		a.run(&sa, 1)
		b.run(&sb, 1)
		sameEvents(t, &sa, &sb)
	}
	if len(sa.whole.contacts.burdened.pairs) == 0 {
		t.Fatal("nobody bears a burden: the scene tests little")
	}
	sameBits(t, "after 200 ticks in other slots", &a.State, &b.State)
}

// restingQuarry returns a small quarry in which boulders lie on the others.
func restingQuarry(t testing.TB) *scene {
	sc := quarry(t, 40)
	sc.run(&Solver{Check: true}, 120)
	return sc
}

func (sv *Solver) freeContacts() (n int) {
	for i := range sv.whole.contacts.free.lists {
		n += len(sv.whole.contacts.free.lists[i].pairs)
	}
	return n
}
