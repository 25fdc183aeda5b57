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
