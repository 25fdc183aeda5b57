package physics

import "testing"

// In a round no two constraints push the same body, and all have as many
// points. Those of bodies that did not touch before are in none.
func TestRoundsPushEachBodyOnce(t *testing.T) {
	sc := pile(t, 300, 40)
	sv := Solver{Check: true}
	inRounds, fresh := 0, 0
	for range 200 {
		before := sc.copy()
		sc.run(&sv, 1)
		for list := range burdenedList {
			cs := sv.whole.contacts.listed(list)
			if round := int(list) % roundLists; round != rest {
				inRounds += len(cs.pairs)
				checkRound(t, &sv, cs, 1+round/mostRounds)
			}
		}
		fresh += checkFresh(t, &sv, before)
	}
	if inRounds < 10000 || fresh < 100 {
		t.Errorf("%d contacts in rounds, %d new ones: the scene tests little", inRounds, fresh)
	}
}

func checkRound(t *testing.T, sv *Solver, cs *constraints, points int) {
	t.Helper()
	pushed := map[int32]bool{}
	for i := range cs.pairs {
		c := &cs.pairs[i]
		if int(c.count) != points {
			t.Fatalf("a contact of %d points in a round of those of %d", c.count, points)
		}
		for _, rank := range [...]int32{c.a, c.b} {
			if sv.whole.bodies.motions().of(rank).invM > 0 && pushed[rank] {
				t.Fatalf("body %016x is pushed twice in a round", sv.whole.bodies.ranks().keyList()[rank])
			}
			pushed[rank] = true
		}
	}
}

// checkFresh counts the pairs that touch and did not before.
func checkFresh(t *testing.T, sv *Solver, before *scene) (fresh int) {
	t.Helper()
	touched := map[[2]uint64]bool{}
	for i := range before.Contacts {
		touched[[2]uint64{before.Contacts[i].KeyA, before.Contacts[i].KeyB}] = true
	}
	for i := range sv.whole.pairs.made() {
		p := &sv.whole.pairs.made()[i]
		if touched[[2]uint64{sv.whole.bodies.ranks().keyList()[p.a], sv.whole.bodies.ranks().keyList()[p.b]}] {
			continue
		}
		fresh++
		if p.constraint.list != freeList+rest && p.constraint.list != fixedList+rest {
			t.Fatalf("a new contact is in list %d", p.constraint.list)
		}
	}
	return fresh
}

// A body with more contacts than there are rounds has the others in the rest, and they
// hold as well.
func TestMoreContactsThanRounds(t *testing.T) {
	const balls = mostRounds + 8
	sc := &scene{rules: rules60}
	floor := sc.def(t, Def{Type: Static, Shape: BoxShape(200, 2), Friction: 0.6})
	plate := sc.def(t, Def{Type: Dynamic, Shape: BoxShape(2*balls, 1), Friction: 0.6, GravityScale: 1})
	ball := sc.def(t, Def{Type: Dynamic, Shape: CircleShape(0.5), Density: 40, Friction: 0.6, GravityScale: 1})
	sc.put(floor, 0, -1, 0)
	sc.put(plate, 0, 0.5, 0)
	for i := range balls {
		sc.put(ball, 2*float64(i)-balls+1, 1.5, 0)
	}
	sv := Solver{Check: true}
	sc.run(&sv, 120)
	if n := len(sv.whole.contacts.free.lists[rest].pairs); n != balls-mostRounds {
		t.Errorf("%d contacts are in no round, want %d", n, balls-mostRounds)
	}
	for slot := 2; slot < len(sc.Bodies); slot++ {
		if y := sc.Bodies[slot].Y; y < 1.49 || y > 1.51 {
			t.Errorf("the ball in slot %d is at height %v", slot, y)
		}
	}
}
