package physics

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

// lastStep is a step that was done, with what it started from and its Trace.
type lastStep struct {
	*stepper
	before, after *State
	trace         Trace
}

// workshopStep returns a step of a scene with joints, and with a body that sleeps.
func workshopStep(t *testing.T) *lastStep {
	sc := workshop(t).sleepy()
	sv := &Solver{Check: true}
	sc.run(sv, 150)
	ls := &lastStep{stepper: &sv.whole, before: &sc.copy().State, after: &sc.State}
	sc.run(sv, 1)
	sv.Record(&sc.State, &ls.trace)
	if len(ls.joints.joined) < 2 || sc.asleep() == 0 || len(ls.pairs.made()) < 10 {
		t.Fatalf("%d joints, %d bodies asleep, %d pairs: the scene tests little", len(ls.joints.joined), sc.asleep(), len(ls.pairs.made()))
	}
	return ls
}

func (ls *lastStep) checkRanking()  { ls.bodies.ranks().check(ls.before.Bodies) }
func (ls *lastStep) checkBodies()   { ls.bodies.check() }
func (ls *lastStep) checkNumbers()  { checkMoved(ls.after, ls.bodies.outlines()) }
func (ls *lastStep) checkBoxes()    { ls.broad.check(ls.bodies.parts().all()) }
func (ls *lastStep) checkSleepers() { ls.sleepers.check(ls.before, &ls.bodies) }
func (ls *lastStep) checkJoints()   { ls.joints.check(&ls.bodies) }
func (ls *lastStep) checkContacts() { ls.contacts.check(&ls.bodies) }
func (ls *lastStep) checkPairs()    { ls.pairs.check(ls.before.Contacts, ls.bodies.ranks().keyList()) }
func (ls *lastStep) checkAfter()    { ls.checkEnd(ls.after, true) }
func (ls *lastStep) checkTrace()    { ls.trace.check() }

// busyRound returns a round with constraints, of one point.
func (ls *lastStep) busyRound(t *testing.T) (round int, cs *constraints) {
	for round := range mostRounds {
		if cs := ls.contacts.free.at(round); len(cs.pairs) > 0 {
			return round, cs
		}
	}
	t.Fatal("no contact has a round")
	return 0, nil
}

// tied returns a rank that has a contact with another dynamic body.
func (ls *lastStep) tied(t *testing.T) int32 {
	for i := range ls.before.Contacts {
		if c := &ls.before.Contacts[i]; c.joins() {
			return ls.bodies.ranks().at(c.SlotA, c.KeyA)
		}
	}
	t.Fatal("no two bodies touch")
	return 0
}

// TestAsserts: each mistake is found by the assert that is there for it, and without a
// mistake none is.
func TestAsserts(t *testing.T) {
	for _, c := range []struct {
		name, want string
		check      func(*lastStep)
		mistake    func(t *testing.T, ls *lastStep)
	}{
		{"two bodies have changed ranks", "does not have rank", (*lastStep).checkRanking, func(t *testing.T, ls *lastStep) {
			ranks := ls.bodies.ranking.ranks
			ranks[0], ranks[1] = ranks[1], ranks[0]
		}},
		{"a body was forgotten", "does not have rank", (*lastStep).checkRanking, func(t *testing.T, ls *lastStep) {
			ls.bodies.ranking.ranks[0] = -1
		}},
		{"a free slot has a rank", "free slot 0", (*lastStep).checkRanking, func(t *testing.T, ls *lastStep) {
			ls.before.Bodies[0] = Body{}
		}},
		{"ranks are in another order", "not in the order of the keys", (*lastStep).checkRanking, func(t *testing.T, ls *lastStep) {
			r := ls.bodies.ranks()
			slices.Reverse(r.slotList())
			slices.Reverse(r.keyList())
			for rank, slot := range r.slotList() {
				r.ranks[slot] = int32(rank)
			}
		}},
		{"a part is of another body", "part 1 is not", (*lastStep).checkBodies, func(t *testing.T, ls *lastStep) {
			ls.bodies.shapes.list[1].rank++
		}},
		{"a body moves twice", "with a constraint", (*lastStep).checkBodies, func(t *testing.T, ls *lastStep) {
			ls.bodies.motion.active[0] = ls.bodies.motion.active[1]
		}},
		{"a body went to infinity", "nowhere after the step", (*lastStep).checkNumbers, func(t *testing.T, ls *lastStep) {
			ls.after.Bodies[ls.bodies.outline(ls.bodies.motion.active[0]).slot].VX = math.Inf(1)
		}},
		{"a body has no box", "boxes of bodies that move", (*lastStep).checkBoxes, func(t *testing.T, ls *lastStep) {
			ls.broad.movers = ls.broad.movers[1:]
		}},
		{"boxes are not sorted", "is not in place", (*lastStep).checkBoxes, func(t *testing.T, ls *lastStep) {
			slices.Reverse(ls.broad.movers)
		}},
		{"a pair was found twice", "follows", (*lastStep).checkBoxes, func(t *testing.T, ls *lastStep) {
			ls.broad.pairs.found()[1] = ls.broad.pairs.found()[0]
		}},
		{"a body meets itself", "a pair of the ranks 3 and 3", (*lastStep).checkBoxes, func(t *testing.T, ls *lastStep) {
			ls.broad.pairs.found()[0] = uint64(3)<<32 | 3
		}},
		{"half of an island sleeps", "and they are tied", (*lastStep).checkSleepers, func(t *testing.T, ls *lastStep) {
			o := ls.bodies.outline(ls.tied(t))
			o.asleep = !o.asleep
		}},
		{"a fixed body ties islands together", "is in an island", (*lastStep).checkSleepers, func(t *testing.T, ls *lastStep) {
			fixed := slices.Index(ls.sleepers.fixed, true)
			ls.sleepers.root[fixed] = int32(slices.Index(ls.sleepers.fixed, false))
		}},
		{"a joint ties a body to itself", "a joint of the ranks", (*lastStep).checkJoints, func(t *testing.T, ls *lastStep) {
			ls.joints.joined[0].b = ls.joints.joined[0].a
		}},
		{"a joint ties bodies that are fixed", "which nothing pushes", (*lastStep).checkJoints, func(t *testing.T, ls *lastStep) {
			j := &ls.joints.joined[0]
			ls.bodies.outline(j.a).kind, j.b = Static, int32(len(ls.bodies.outlines()))
		}},
		{"pairs of joints are not sorted", "joints part", (*lastStep).checkJoints, func(t *testing.T, ls *lastStep) {
			slices.Reverse(ls.joints.parted)
		}},
		{"a round pushes a body twice", "pushed twice", (*lastStep).checkContacts, func(t *testing.T, ls *lastStep) {
			_, cs := ls.busyRound(t)
			again := cs.pairs[0]
			again.first = int32(len(cs.points))
			cs.pairs, cs.points, cs.ends = append(cs.pairs, again), append(cs.points, cs.points[0]), append(cs.ends, cs.ends[0])
		}},
		{"a contact of one point is in a round of two", "points is in round", (*lastStep).checkContacts, func(t *testing.T, ls *lastStep) {
			round, cs := ls.busyRound(t)
			other := ls.contacts.free.open(mostRounds + round)
			other.pairs, other.points, other.ends = cs.pairs, cs.points, cs.ends
		}},
		{"a contact with a fixed body is in a round of others", "fixed: ", (*lastStep).checkContacts, func(t *testing.T, ls *lastStep) {
			round, cs := ls.busyRound(t)
			other := ls.contacts.fixed.open(round)
			other.pairs, other.points, other.ends = cs.pairs, cs.points, cs.ends
		}},
		{"a round is forgotten", "are used", (*lastStep).checkContacts, func(t *testing.T, ls *lastStep) {
			ls.contacts.free.used = 0
		}},
		{"a constraint has the points of another", "the constraint", (*lastStep).checkContacts, func(t *testing.T, ls *lastStep) {
			_, cs := ls.busyRound(t)
			cs.pairs[0].first++
		}},
		{"a body has become heavier", "the constraint", (*lastStep).checkContacts, func(t *testing.T, ls *lastStep) {
			_, cs := ls.busyRound(t)
			ls.bodies.motions().of(cs.pairs[0].a).invM /= 2
		}},
		{"a softness was forgotten", "0 burdened constraints with 1", (*lastStep).checkContacts, func(t *testing.T, ls *lastStep) {
			ls.contacts.yields = append(ls.contacts.yields, yield{})
		}},
		{"pairs are not in order", "not in order", (*lastStep).checkPairs, func(t *testing.T, ls *lastStep) {
			slices.Reverse(ls.pairs.made())
		}},
		{"a pair has the contact of another", "has the contact", (*lastStep).checkPairs, func(t *testing.T, ls *lastStep) {
			i := slices.IndexFunc(ls.pairs.made(), func(p pairing) bool { return p.old > 0 })
			ls.pairs.made()[i].old--
		}},
		{"a contact that sleeps ends", "and ends", (*lastStep).checkPairs, func(t *testing.T, ls *lastStep) {
			ls.pairs.ended[ls.pairs.kept[0]] = true
		}},
		{"the step leaves contacts out of order", "leaves contacts", (*lastStep).checkAfter, func(t *testing.T, ls *lastStep) {
			slices.Reverse(ls.after.Contacts)
		}},
		{"the step leaves a joint twice", "leaves contacts or joints", (*lastStep).checkAfter, func(t *testing.T, ls *lastStep) {
			ls.after.Joints[1] = ls.after.Joints[0]
		}},
		{"events are out of order", "follows", (*lastStep).checkAfter, func(t *testing.T, ls *lastStep) {
			ls.happened().begins = []Event{{KeyA: 2, KeyB: 3}, {KeyA: 1, KeyB: 3}}
		}},
		{"joint events are out of order", "follows", (*lastStep).checkAfter, func(t *testing.T, ls *lastStep) {
			ls.happened().broken = []JointEvent{{Key: 2}, {Key: 1}}
		}},
		{"a slot is in two rings", "not closed", (*lastStep).checkTrace, func(t *testing.T, ls *lastStep) {
			ls.trace.rings[1] = ls.trace.rings[0]
		}},
		{"a dynamic body was not counted", "dynamic bodies, of which", (*lastStep).checkTrace, func(t *testing.T, ls *lastStep) {
			ls.trace.bodies.dynamic--
		}},
		{"a box was moved and not its slot", "is in bucket", (*lastStep).checkTrace, func(t *testing.T, ls *lastStep) {
			tb := &ls.trace.bodies
			e := &tb.boxes[slices.Index(tb.kinds, uint8(Dynamic))]
			e.lo, e.hi = e.lo+1<<tb.free.shift, e.hi+1<<tb.free.shift
		}},
		{"a box is not in the index", "of which", (*lastStep).checkTrace, func(t *testing.T, ls *lastStep) {
			tb := &ls.trace.bodies
			tb.free.remove(tb.boxes, int32(slices.Index(tb.kinds, uint8(Dynamic))))
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			ls := workshopStep(t)
			if text := violation(func() { c.check(ls) }); text != "" {
				t.Fatalf("before the mistake: %s", text)
			}
			c.mistake(t, ls)
			if text := violation(func() { c.check(ls) }); !strings.Contains(text, c.want) {
				t.Errorf("the assert says %q", text)
			}
		})
	}
}

// violation returns what f panics with, "" if it does not.
func violation(f func()) (text string) {
	defer func() {
		if got := recover(); got != nil {
			text = fmt.Sprint(got)
		}
	}()
	f()
	return ""
}

// TestAssertsOfAPart: the part of a partial step is closed.
func TestAssertsOfAPart(t *testing.T) {
	sc := workshop(t)
	sv := Solver{Check: true}
	sc.run(&sv, 60)
	mid := sc.copy()
	sc.run(&sv, 1)
	var tr Trace
	sv.Record(&sc.State, &tr)
	was, _ := tr.content()
	st := recordedStep{mid: &mid.State, after: &sc.State, trace: &tr, was: was, defs: sc.defs, rules: sc.rules.complete(true)}
	at := slices.IndexFunc(mid.Contacts, func(c Contact) bool { return c.joins() })
	slot, other := mid.Contacts[at].SlotA, mid.Contacts[at].SlotB
	joint := slices.IndexFunc(mid.Joints, func(j Joint) bool {
		return j.joins() && !slices.ContainsFunc(mid.Contacts, func(c Contact) bool { return c.SlotA == j.SlotA || c.SlotB == j.SlotA })
	})
	for _, c := range []struct {
		name, want string
		mistake    func(c *closure)
	}{
		{"none", "", func(c *closure) {}},
		{"a body that touches a member is missing", "touch, and one of them", func(c *closure) {
			c.in[other] = 0
			c.members = slices.DeleteFunc(c.members, func(s int32) bool { return s == other })
		}},
		{"a body that is joined to a member is missing", "are joined, and one of them", func(c *closure) {
			c.in[mid.Joints[joint].SlotA] = 0
			c.members = slices.DeleteFunc(c.members, func(s int32) bool { return s == mid.Joints[joint].SlotA })
		}},
		{"a slot is listed twice", "slots are marked", func(c *closure) { c.members = append(c.members, slot) }},
		{"a member is a guest", "is a member and a guest", func(c *closure) { c.in[slot] |= guest }},
	} {
		t.Run(c.name, func(t *testing.T) {
			var cl closure
			cl.start(len(mid.Bodies), len(mid.Bodies))
			cl.begin(&st, []int32{slot, mid.Joints[joint].SlotB})
			if !cl.close(&st) {
				t.Fatal("the part is not closed")
			}
			cl.bringGuests(&st)
			c.mistake(&cl)
			if text := violation(func() { cl.check(&st) }); (text == "") != (c.want == "") || !strings.Contains(text, c.want) {
				t.Errorf("the assert says %q", text)
			}
		})
	}
}

// TestCheckOfSolver: with Check a mistake within the Solver ends the step that it
// happens in; without, nothing is asserted.
func TestCheckOfSolver(t *testing.T) {
	for _, check := range []bool{false, true} {
		sc := workshop(t)
		sv := Solver{Check: check}
		sc.run(&sv, 10)
		slots := sv.whole.bodies.ranks().slotList()
		slots[0], slots[1] = slots[1], slots[0]
		if text := violation(func() { sc.run(&sv, 1) }); strings.HasPrefix(text, "physics: violated: ") != check {
			t.Errorf("with Check %v, the step panics with %q", check, text)
		}
	}
}
