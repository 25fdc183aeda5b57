package physics

import (
	"math"
	"slices"
	"testing"

	"github.com/hindcast/hindcast/runtime/simtest/draws"
	"pgregory.net/rapid"
)

// sameBits reports every difference between two states, by key.
func sameBits(t testing.TB, when string, a, b *State) {
	t.Helper()
	byKey := keyIndex(b.Bodies)
	live := 0
	for slot := range a.Bodies {
		if a.Bodies[slot].Key == 0 {
			continue
		}
		live++
		at, ok := byKey.find(a.Bodies[slot].Key)
		if !ok {
			t.Fatalf("%s: body %016x is missing", when, a.Bodies[slot].Key)
		}
		DiffBody(&a.Bodies[slot], &b.Bodies[at], func(name, va, vb string) {
			t.Fatalf("%s: body %016x: %s: %s against %s", when, a.Bodies[slot].Key, name, va, vb)
		})
	}
	if live != len(byKey) {
		t.Fatalf("%s: %d bodies against %d", when, live, len(byKey))
	}
	DiffContacts(a, b, func(key, other uint64, name, va, vb string) {
		t.Fatalf("%s: contact %016x-%016x: %s: %s against %s", when, key, other, name, va, vb)
	})
	DiffJoints(a, b, func(key uint64, name, va, vb string) {
		t.Fatalf("%s: joint %016x: %s: %s against %s", when, key, name, va, vb)
	})
	if a.Hash() != b.Hash() {
		t.Fatalf("%s: equal states hash to %016x and %016x", when, a.Hash(), b.Hash())
	}
}

func TestRewindIsExact(t *testing.T) {
	for name, sc := range map[string]*scene{"arena": arena(t, 160, 20), "pyramid": heavyPyramid(t, 8), "falling": falling(t, 200), "workshop": workshop(t), "storm": storm(t), "quarry": quarry(t, 30)} {
		t.Run(name, func(t *testing.T) {
			sv := Solver{Check: true}
			sc.run(&sv, 60)
			saved := sc.copy()
			play := func(sc *scene, sv *Solver) {
				for tick := range 30 {
					sc.steer(tick)
					sc.run(sv, 1)
				}
			}
			play(sc, &sv)
			again := saved.copy()
			play(again, &sv)
			sameBits(t, "with the same solver", &sc.State, &again.State)
			fresh := saved.copy()
			play(fresh, &Solver{Check: true})
			sameBits(t, "with a fresh solver", &sc.State, &fresh.State)
		})
	}
}

// shuffled returns the scene with its bodies in other slots, and free slots between.
func (sc *scene) shuffled(seed uint64) *scene {
	r := random(seed)
	to := make([]int, len(sc.Bodies))
	for i := range to {
		to[i] = i + i/3
		j := int(r.next() % uint64(i+1))
		to[i], to[j] = to[j], to[i]
	}
	c := &scene{defs: sc.defs, rules: sc.rules}
	c.Bodies = make([]Body, len(sc.Bodies)+len(sc.Bodies)/3+2)
	for i := range sc.Bodies {
		c.Bodies[to[i]] = sc.Bodies[i]
	}
	c.Contacts = slices.Clone(sc.Contacts)
	for i := range c.Contacts {
		k := &c.Contacts[i]
		k.SlotA, k.SlotB = int32(to[k.SlotA]), int32(to[k.SlotB])
	}
	c.Joints = slices.Clone(sc.Joints)
	for i := range c.Joints {
		j := &c.Joints[i]
		for _, slot := range []*int32{&j.SlotA, &j.SlotB} {
			if *slot >= 0 {
				*slot = int32(to[*slot])
			}
		}
	}
	return c
}

func TestSlotsDoNotMatter(t *testing.T) {
	for name, sc := range map[string]*scene{"arena": arena(t, 50, 10), "pyramid": heavyPyramid(t, 5), "falling": falling(t, 60), "workshop": workshop(t), "storm": storm(t)} {
		t.Run(name, func(t *testing.T) {
			draws.CheckN(t, draws.Pick(25, 100), func(rt *rapid.T) {
				a := sc.copy()
				b := sc.shuffled(rapid.Uint64().Draw(rt, "seed"))
				sa, sb := Solver{Check: true}, Solver{Check: true}
				for tick := range 40 {
					a.steer(tick)
					b.steer(tick)
					a.run(&sa, 1)
					b.run(&sb, 1)
					sameEvents(t, &sa, &sb)
				}
				sameBits(t, "in other slots", &a.State, &b.State)
			})
		})
	}
}

func TestSlotsDoNotMatterForLong(t *testing.T) {
	a := arena(t, 160, 20)
	b := a.shuffled(99)
	sa, sb := Solver{Check: true}, Solver{Check: true}
	for tick := range 500 {
		a.steer(tick)
		b.steer(tick)
		a.run(&sa, 1)
		b.run(&sb, 1)
	}
	sameBits(t, "after 500 ticks in other slots", &a.State, &b.State)
}

// sameEvents compares the events of two solvers, slots aside.
func sameEvents(t *testing.T, a, b *Solver) {
	t.Helper()
	beginsA, endsA := a.Events()
	beginsB, endsB := b.Events()
	for _, pair := range [][2][]Event{{beginsA, beginsB}, {endsA, endsB}, {a.Hits(), b.Hits()}} {
		same := slices.EqualFunc(pair[0], pair[1], func(x, y Event) bool {
			x.A, x.B, y.A, y.B = 0, 0, 0, 0
			return x == y
		})
		if !same {
			t.Fatalf("events differ:\n%v\n%v", pair[0], pair[1])
		}
	}
	same := slices.EqualFunc(a.JointEvents(), b.JointEvents(), func(x, y JointEvent) bool {
		same := (x.A < 0) == (y.A < 0) && (x.B < 0) == (y.B < 0)
		x.A, x.B, y.A, y.B = 0, 0, 0, 0
		return same && x == y
	})
	if !same {
		t.Fatalf("joint events differ:\n%v\n%v", a.JointEvents(), b.JointEvents())
	}
}

// An island steps to the same bits alone as among all others.
func TestIslandsAreIndependent(t *testing.T) {
	all := arena(t, 160, 20)
	sv := Solver{Check: true}
	all.run(&sv, 50)
	var is Islands
	is.Build(&all.State)
	stays := map[uint64]bool{}
	next := all.copy()
	next.run(&Solver{Check: true}, 1)
	var after Islands
	after.Build(&next.State)
	alone := all.copy()
	for slot := len(alone.Bodies) - 1; slot >= 4; slot-- {
		before, later := is.Members(slot, nil), after.Members(slot, nil)
		small := len(before) <= 3 && slices.Equal(before, later)
		if small && all.Bodies[before[0]].Key%2 == 0 {
			stays[alone.Bodies[slot].Key] = true
			continue
		}
		alone.Remove(slot)
	}
	if len(stays) < 20 {
		t.Fatalf("only %d bodies stay: the scene tests little", len(stays))
	}
	alone.run(&Solver{Check: true}, 1)
	for slot := range alone.Bodies {
		if b := &alone.Bodies[slot]; b.Key != 0 {
			DiffBody(b, &next.Bodies[slot], func(name, va, vb string) {
				t.Errorf("body %016x: %s is %s alone and %s among all", b.Key, name, va, vb)
			})
		}
	}
}

// A solver of whose bodies some were added and removed gives the same bits as a new one.
func TestSolverRemembersNothing(t *testing.T) {
	sc := arena(t, 120, 18)
	other := heavyPyramid(t, 4)
	old := Solver{Check: true}
	r := random(5)
	var free []int
	for tick := range 120 {
		for range r.next() % 3 {
			slot := 4 + int(r.next()%uint64(len(sc.Bodies)-4))
			if sc.Bodies[slot].Key != 0 {
				sc.Remove(slot)
				free = append(free, slot)
			}
		}
		for len(free) > 0 && r.next()%2 == 0 {
			slot := free[len(free)-1]
			free = free[:len(free)-1]
			sc.Bodies[slot] = NewBody(r.next(), 2+uint32(r.next()%3), Vec{r.between(-8, 8), r.between(-8, 8)}, 1)
		}
		fresh := sc.copy()
		sv := Solver{Check: true}
		fresh.run(&sv, 1)
		sc.run(&old, 1)
		sameBits(t, "after bodies came and went", &sc.State, &fresh.State)
		sameEvents(t, &old, &sv)
		if tick%10 == 0 {
			other.run(&old, 1)
		}
	}
}

func TestStaticBodiesAreNeverWritten(t *testing.T) {
	sc := arena(t, 160, 20)
	walls := slices.Clone(sc.Bodies[:4])
	sc.run(&Solver{Check: true}, 200)
	if !slices.Equal(walls, sc.Bodies[:4]) {
		t.Error("a step wrote a static body")
	}
}

func TestNumbersStayInRange(t *testing.T) {
	sc := arena(t, 160, 20)
	sv := Solver{Check: true}
	for tick := range 300 {
		sc.steer(tick)
		sc.run(&sv, 1)
		for i := range sc.Bodies {
			b := &sc.Bodies[i]
			if !(b.Angle > -math.Pi && b.Angle <= math.Pi) {
				t.Fatalf("tick %d: angle %v", tick, b.Angle)
			}
			if c := NewBody(1, 0, Vec{}, b.Angle); c.Cos != b.Cos || c.Sin != b.Sin {
				t.Fatalf("tick %d: cosine and sine of %v are %v, %v", tick, b.Angle, b.Cos, b.Sin)
			}
			if b.ImpFX != 0 || b.ImpFY != 0 || b.ImpT != 0 {
				t.Fatalf("tick %d: forces of the tick are left", tick)
			}
		}
		if !slices.IsSortedFunc(sc.Contacts, compareContacts) {
			t.Fatalf("tick %d: contacts are out of order", tick)
		}
		for _, c := range sc.Contacts {
			for j := int(c.Count); j < 2; j++ {
				if c.ID[j] != 0 || c.Normal[j] != 0 || c.Tangent[j] != 0 {
					t.Fatalf("tick %d: an unused point holds %+v", tick, c)
				}
			}
		}
	}
}
