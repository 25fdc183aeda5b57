package world_test

import (
	"testing"

	"github.com/hindcast/hindcast/world"
)

// TestSuspensionsGetLonger suspends a class again and again: for 2 s, 4 s and so on up to 2 minutes, and for 2 s after a
// calm minute. The byte form of the state has the suspensions.
func TestSuspensionsGetLonger(t *testing.T) {
	schema, err := world.NewSchema([]world.Class{{Name: "A", Hooks: 1 << world.OnTick}, {Name: "B", Hooks: 1 << world.OnTick},
		{Name: world.GameClass}}, world.Setup{TickRate: 20, Width: 10, Height: 10, Substeps: 1})
	if err != nil {
		t.Fatal(err)
	}
	w := world.New()
	w.Load(nil, schema)
	game := world.MatchID
	w.Begin()
	w.SpawnLevel(func(int, *world.Event) {})
	slot, ok := w.Find(game)
	if !ok {
		t.Fatal("no game")
	}
	e := &world.Event{Kind: world.SuspendEvent, Class: world.GameClass}
	suspend := func() (ticks world.Tick) {
		t.Helper()
		w.Suspend(e)
		w.Suspend(e) // has no effect
		s, ok := w.Now.SuspendedBy(e, schema)
		if !ok || s.Since != w.Now.Tick || !w.Suspended(slot, world.OnGameTick) {
			t.Fatalf("%+v", s)
		}
		return s.Until - s.Since
	}
	for _, seconds := range []world.Tick{2, 4, 8, 16, 32, 64, 120, 120} {
		if n := suspend(); n != seconds*20 {
			t.Errorf("%d ticks instead of %d s", n, seconds)
		}
		state, err := world.ParseState(world.AppendState(nil, w.Now, schema), schema)
		if err != nil || !state.Same(w.Now) || state.Hash() != w.Now.Hash() {
			t.Fatalf("parsed: %v, %+v", err, state)
		}
		w.Now.Tick += seconds*20 - 1
		if !w.Suspended(slot, world.OnGameTick) {
			t.Error("it runs too soon")
		}
		if w.Now.Tick++; w.Suspended(slot, world.OnGameTick) {
			t.Error("it does not run again")
		}
	}
	without := *w.Now
	without.Suspended = nil
	if w.Now.Hash() == without.Hash() || w.Now.Same(&without) {
		t.Error("suspensions are not hashed")
	}
	w.Now.Tick += 1199
	if n := suspend(); n != 2400 {
		t.Errorf("%d ticks after nearly a minute", n)
	}
	w.Now.Tick += 2400 + 1200
	if n := suspend(); n != 40 {
		t.Errorf("%d ticks after a calm minute", n)
	}
	w.Now.Tick += 10_000
	w.Suspend(&world.Event{Kind: world.SuspendEvent, Class: "A"})
	w.Suspend(&world.Event{Kind: world.SuspendEvent, Class: "none"})
	if n := len(w.Now.Suspended); n != 1 {
		t.Errorf("%d suspensions are kept", n)
	}
}
