package physics

import (
	"math"
	"slices"
	"testing"
)

// heap returns n balls at nearly one place above a floor that they touch.
func heap(t testing.TB, n int) *scene {
	sc := &scene{rules: rules60}
	sc.put(sc.def(t, Def{Type: Static, Shape: BoxShape(40, 2), Friction: 0.5}), 0, -1, 0)
	ball := sc.def(t, Def{Type: Dynamic, Shape: CircleShape(0.5), Friction: 0.5, GravityScale: 1})
	r := random(3)
	for range n {
		sc.put(ball, r.between(-0.2, 0.2), 0.49, 0)
	}
	return sc
}

// However many bodies are in one place, the memory of a step is bounded, the floor holds
// all of them, and the result depends neither on earlier steps of the Solver nor on the
// slots.
func TestCrowd(t *testing.T) {
	sc := heap(t, 3000)
	twin := &scene{defs: sc.defs, rules: sc.rules}
	twin.Bodies = slices.Clone(sc.Bodies)
	slices.Reverse(twin.Bodies)
	sv := Solver{Check: true}
	for step := range 2 {
		sv.Step(&sc.State, sc.defs, sc.rules)
		(&Solver{Check: true}).Step(&twin.State, twin.defs, twin.rules)
		if !sv.Crowded || len(sv.whole.broad.pairs.found()) != MaxPairs || len(sc.Contacts) > MaxPairs {
			t.Fatalf("step %d: %d pairs, %d contacts, crowded: %v", step, len(sv.whole.broad.pairs.found()), len(sc.Contacts), sv.Crowded)
		}
		if a, b := sc.Hash(), twin.Hash(); a != b {
			t.Fatalf("step %d: hash %x, with other slots %x", step, a, b)
		}
	}
	if c := cap(sv.whole.broad.pairs.found()) + cap(sv.whole.broad.pairs.spare) + cap(sv.whole.pairs.made()) + cap(sv.whole.contacts.free.lists[rest].pairs); c > 10*MaxPairs {
		t.Errorf("room for %d pairs is kept", c)
	}
	held := 0
	for i := range sc.Contacts {
		if c := &sc.Contacts[i]; c.SlotA == 0 || c.SlotB == 0 {
			held++
		}
	}
	if held != 3000 {
		t.Errorf("the floor holds %d of 3000", held)
	}
	alone := heap(t, 100)
	if sv.Step(&alone.State, alone.defs, alone.rules); sv.Crowded {
		t.Error("a few are not a crowd")
	}
}

// Bodies that do not collide do not make a crowd.
func TestNoCrowdOfLayers(t *testing.T) {
	sc := heap(t, 0)
	ghost := sc.def(t, Def{Type: Dynamic, Shape: CircleShape(0.5), Layer: 2, Collides: math.MaxUint64 &^ 2})
	for range 600 {
		sc.put(ghost, 0, 3, 0)
	}
	sv := Solver{Check: true}
	if sv.Step(&sc.State, sc.defs, sc.rules); sv.Crowded || len(sv.whole.broad.pairs.found()) != 0 {
		t.Errorf("%d pairs, crowded: %v", len(sv.whole.broad.pairs.found()), sv.Crowded)
	}
}

// Partial and whole steps agree when the number of pairs is just below the limit, at it,
// and above it.
func TestPartEqualsWholeInACrowd(t *testing.T) {
	for name, sc := range map[string]*scene{
		"arena": arena(t, 60, 12), "falling": falling(t, 60), "playground": playground(t), "piles": piles(t),
	} {
		sv := Solver{Check: true}
		sc.run(&sv, 20)
		normal := len(sv.whole.broad.pairs.found())
		var parts, wholes, crowded, free int
		for seed := range 12 {
			r := random(seed)
			h := newPast(sc, 24)
			h.sv.partial.anySize = true
			h.rules.MostPairs = max(1, normal+[...]int{-8, 0, 2, 10, 30, 100}[seed%6])
			h.rewrite(t, &diceman{n: func(n int) int { return int(r.next() % uint64(n)) }, sc: sc, slots: len(sc.Bodies)})
			parts, wholes = parts+h.parts, wholes+h.wholes
			for i := range h.traces {
				if h.traces[i].crowded {
					crowded++
				} else {
					free++
				}
			}
		}
		t.Logf("%s: %d pairs, %d steps in part, %d whole; %d ticks crowded, %d not", name, normal, parts, wholes, crowded, free)
		if parts < 50 || wholes < 50 || crowded < 30 || free < 30 {
			t.Errorf("%s: the test shows little", name)
		}
	}
}
