package world_test

import (
	"strings"
	"testing"

	"github.com/hindcast/hindcast/world"
)

// TestHoldsAreInTheFields: from the fields of an object one can tell by what it is carried, and
// where it is drawn.
func TestHoldsAreInTheFields(t *testing.T) {
	w, b := begin(t, testSchema(t, carriable), 2)
	ball, holder := w.Now.Objects[b[0]].ID, w.Now.Objects[b[1]].ID
	hold := func() world.Hold { return world.HoldOf(w.Class(b[0]), w.Now.Row(b[0])) }
	if h := hold(); h.Holder != 0 {
		t.Errorf("a free ball is carried: %+v", h)
	}
	w.Now.Body(b[1]).SetAngle(0.5)
	as(w, b[0], func() { must(t, w.Actor().Attach(ball, holder, 0.75, -0.25)) })
	h := hold()
	if h.Holder != holder || h.X != 0.75 || h.Y != -0.25 || h.Angle != -0.5 {
		t.Errorf("%+v", h)
	}
	if at, body := h.At(w.Now.Body(b[1]).Pose), w.Now.Body(b[0]).Pose; at != body {
		t.Errorf("drawn at %+v, is at %+v", at, body)
	}
	as(w, b[0], func() { must(t, w.Actor().Detach(ball)) })
	if h := hold(); h.Holder != 0 {
		t.Errorf("after detach: %+v", h)
	}
}

// TestMutualHoldsAreRefused: of two objects that attach each other in one order, in which neither sees what the other
// does, one is let go, and it is said why. One that has let go again, or that another object carries, is no ring.
func TestMutualHoldsAreRefused(t *testing.T) {
	for _, what := range []string{"each itself", "each the other", "let go", "elsewhere"} {
		w, b := begin(t, testSchema(t, carriable), 3)
		id := func(i int) world.ObjectID { return w.Now.Objects[b[i]].ID }
		act := func(i int, f func(a world.Actor)) {
			before := w.Act(b[i])
			f(w.Actor())
			w.Act(before)
		}
		w.BeginOrder()
		for i := range 2 {
			act(i, func(a world.Actor) {
				if what == "each the other" {
					must(t, a.Attach(id(1-i), id(i), 1, 0))
				} else {
					must(t, a.Attach(id(i), id(1-i), 1, 0))
				}
				if i == 0 && what == "let go" {
					must(t, a.Detach(id(i)))
				}
				if i == 0 && what == "elsewhere" {
					must(t, a.Attach(id(i), id(2), 1, 0))
				}
			})
		}
		w.EndOrder()
		small, large := b[0], b[1]
		if id(0) > id(1) {
			small, large = large, small
		}
		of := [2]world.ObjectID{w.Now.Holder(small), w.Now.Holder(large)}
		want := [2]world.ObjectID{w.Now.Objects[large].ID, 0}
		switch what {
		case "let go":
			want = [2]world.ObjectID{}
			want[map[bool]int{true: 1, false: 0}[b[1] == large]] = id(0)
		case "elsewhere":
			want = [2]world.ObjectID{id(2), id(0)}
			if b[0] == large {
				want = [2]world.ObjectID{id(0), id(2)}
			}
		}
		if of != want {
			t.Errorf("%s: the holders are %v, want %v", what, of, want)
		}
		faults := w.Faults()
		if ring := want[0] != 0 && want[1] == 0 && strings.HasPrefix(what, "each"); ring != (len(faults) == 1) ||
			ring && !strings.Contains(faults[0].Err.Error(), "attached each other at the same time") {
			t.Errorf("%s: %v", what, faults)
		}
	}
}

// TestHoldsOutliveScriptsThatAttachNothing: an object stays attached while the scripts in force have
// no body that is Carried, and its fields say so again under those that have.
func TestHoldsOutliveScriptsThatAttachNothing(t *testing.T) {
	w, b := begin(t, testSchema(t, carriable), 2)
	ball := w.Now.Objects[b[0]].ID
	as(w, b[0], func() { must(t, w.Actor().Attach(ball, w.Now.Objects[b[1]].ID, 0.75, -0.25)) })
	want := world.HoldOf(w.Class(b[0]), w.Now.Row(b[0]))
	w.Migrate(testSchema(t, nil), 2)
	if h := world.HoldOf(w.Class(b[0]), w.Now.Row(b[0])); h.Holder != 0 {
		t.Errorf("a body that is not Carried has the hold %+v", h)
	}
	w.Migrate(testSchema(t, carriable), 3)
	if h := world.HoldOf(w.Class(b[0]), w.Now.Row(b[0])); h != want || h.Holder == 0 {
		t.Errorf("the hold is %+v, was %+v", h, want)
	}
	if world.HoldDiffers(w.Now, w.Class(b[0]), b[0]) {
		t.Error("the joint is not the one that the fields ask for")
	}
}

// TestOnlyCarriedBodiesAreAttached: the state has room for holds only if the body declares it.
func TestOnlyCarriedBodiesAreAttached(t *testing.T) {
	w, b := begin(t, testSchema(t, nil), 2)
	as(w, b[0], func() {
		err := w.Actor().Attach(w.Now.Objects[b[0]].ID, w.Now.Objects[b[1]].ID, 1, 0)
		if err == nil || !strings.Contains(err.Error(), "the Body of class Ball is not Carried") {
			t.Error(err)
		}
	})
}

// TestReceivedHoldsAttach: the fields of a received object attach it as soon as its holder is there,
// and detach it when they name none.
func TestReceivedHoldsAttach(t *testing.T) {
	host, b := begin(t, testSchema(t, carriable), 2)
	ball, holder := host.Now.Objects[b[0]].ID, host.Now.Objects[b[1]].ID
	as(host, b[0], func() { must(t, host.Actor().Attach(ball, holder, 1, 0)) })
	client, _ := begin(t, testSchema(t, func(c []world.Class) { carriable(c); c[0].LOD = world.Interpolate }), 0)
	client.Client = 9
	receive := func(slot int) {
		client.ApplyProxy(&world.ProxyUpdate{Object: host.Now.Objects[slot].ID, Class: host.Now.Objects[slot].Class, Bundle: client.Now.Bundle,
			Pose: host.Now.Body(slot).Pose, Fields: host.Now.Row(slot).Clone()})
	}
	tied := func() bool { _, ok := client.Now.Physics.FindJoint(uint64(ball)); return ok }
	differs := func() bool {
		slot, _ := client.Find(ball)
		return world.HoldDiffers(client.Now, client.Class(slot), slot)
	}
	receive(b[0])
	if tied() || differs() {
		t.Error("a ball is attached to a holder that is not there")
	}
	receive(b[1])
	if tied() || !differs() {
		t.Error("the ball does not stray, though its holder came later")
	}
	receive(b[0])
	if !tied() || differs() {
		t.Error("the ball is not attached to its holder")
	}
	as(host, b[0], func() { must(t, host.Actor().Detach(ball)) })
	receive(b[0])
	if tied() || differs() {
		t.Error("the ball is still attached")
	}
}

// TestHolderIsAsItWas: whether a holder's body moves is what it was when the order began, whoever lets the holder go in
// that order: in one that runs again in part, what others do to the holder is not done again.
func TestHolderIsAsItWas(t *testing.T) {
	for _, letsGo := range []int{2, 3} { // before the other one attaches, and after it
		w, b := begin(t, testSchema(t, func(c []world.Class) { carriable(c); c[0].LOD = world.Interpolate }), 5)
		ball, holder, bearer := w.Now.Objects[b[0]].ID, w.Now.Objects[b[1]].ID, w.Now.Objects[b[4]].ID
		w.Client = 5 // who owns the bearer
		for _, slot := range b[:2] {
			o := &w.Now.Objects[slot]
			w.ApplyProxy(&world.ProxyUpdate{Object: o.ID, Class: o.Class, Owner: o.Owner, Bundle: w.Now.Bundle, Pose: w.Now.Body(slot).Pose})
		}
		as(w, b[4], func() { must(t, w.Actor().Attach(holder, bearer, 1, 0)) })
		for _, actor := range b[2:4] {
			w.Act(actor)
			if actor == b[letsGo] {
				must(t, w.Actor().Detach(holder))
			} else {
				must(t, w.Actor().Attach(ball, holder, 1, 0))
			}
		}
		w.Act(-1)
		w.EndOrder()
		if by := w.Now.Holder(b[0]); by != holder || w.Now.Holder(b[1]) != 0 {
			t.Errorf("%v carries the ball", by)
		}
	}
}

// TestAnotherObjectOfTheSameID: if a hook made something else here than on the host, two objects have one id. Of the
// one that is replaced, neither its joint stays nor a body that the other one lacks.
func TestAnotherObjectOfTheSameID(t *testing.T) {
	for _, how := range []string{"received", "shared", "corrected"} {
		schema := testSchema(t, func(c []world.Class) { c[0].LOD = world.Interpolate })
		replace := func(w *world.World, slot int) {
			o := w.Now.Objects[slot]
			score, _ := schema.ClassByName("Score")
			other := world.New()
			other.Load(w.Now, schema)
			other.Now.Physics.DropJoint(uint64(o.ID))
			other.Now.Physics.Remove(slot)
			other.Now.Objects[slot].Class = uint16(score)
			switch how {
			case "received":
				w.ApplyProxy(&world.ProxyUpdate{Object: o.ID, Class: uint16(score), Bundle: w.Now.Bundle})
			case "shared":
				other.Now.KeepShared(schema, w.Now)
				w.ApplyCommitted(world.Committed{Shared: other.Now, Before: w.Now})
			case "corrected":
				part, err := world.ParseState(world.AppendObjects(nil, other.Now, schema, []int32{int32(slot)}), schema)
				must(t, err)
				w.ApplyCorrection(part)
			}
			if w.Class(slot).Name != "Score" || w.Now.Body(slot).Key != 0 {
				t.Errorf("%s: %+v has the body %+v", how, w.Now.Objects[slot], w.Now.Body(slot))
			}
		}
		w, b := begin(t, schema, 2)
		slot, _ := tie(t, w, b[0], b[1], 3)
		if replace(w, slot); len(w.Now.Physics.Joints) != 0 {
			t.Errorf("%s: %+v, though a score has taken the place of the rope", how, w.Now.Physics.Joints)
		}
		replace(w, b[0])
	}
}
