package world_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/hindcast/hindcast/runtime/simtest/draws"
	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
	"pgregory.net/rapid"
)

// mixedSchema has a class that clients predict and one that they don't, with fields.
func mixedSchema(t testing.TB) *world.Schema {
	t.Helper()
	setup := world.Setup{TickRate: 60, Seed: 3, Substeps: 2, SleepAfter: 0.2, Width: 20, Height: 20, GravityY: -10, GraceTicks: 5,
		Walls: []world.Wall{{Y: -4, W: 20, H: 1, Friction: 0.5}}, Spawns: []world.Spawn{{Class: "Crate", Count: 6, W: 6, H: 4}, {Class: "Mover", Count: 4, W: 6, H: 4, Speed: 3}}}
	body := &world.BodySpec{Def: physics.Def{Type: physics.Dynamic, Shape: physics.BoxShape(1, 1), Density: 1, Friction: 0.5, GravityScale: 1}}
	fields := []world.Field{{Name: "hp", Default: []uint64{0}}, {Name: "name", Kind: world.String, Cap: 10, Default: []uint64{0, 0, 0}}}
	schema, err := world.NewSchema([]world.Class{{Name: "Crate", Body: body, Fields: fields}, {Name: "Mover", Body: body, LOD: world.Interpolate}}, setup)
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// advance runs a tick without hooks, in which act makes changes.
func advance(w *world.World, act func()) {
	w.Begin()
	w.BeginOrder()
	if w.Now.Tick == 1 {
		w.SpawnLevel(func(int, *world.Event) {})
	}
	if act != nil {
		act()
	}
	w.EndOrder()
	w.Step()
	w.End()
}

// TestPatch tests that the shared run with its patch gives the shared set of the host's
// state in every bit, whatever replicated objects did to it.
func TestPatch(t *testing.T) {
	schema := mixedSchema(t)
	patched, quiet, most := 0, 0, 0
	missing := func() string {
		if patched >= 100 && quiet >= 100 && most >= 100 {
			return ""
		}
		return fmt.Sprintf("in %d ticks something was patched, in %d nothing; at most %d bytes", patched, quiet, most)
	}
	draws.Until(t, 0, missing, func(t *rapid.T) {
		host, alone := world.New(), world.New()
		host.Check, alone.Check = true, true
		host.Load(nil, schema)
		var before, want world.State
		before.CopyFrom(host.Now)
		for range 60 {
			advance(host, func() { meddle(t, host) })
			alone.Load(&before, schema)
			advance(alone, nil)
			run := alone.Now
			run.KeepShared(schema, &before)
			want.CopyFrom(host.Now)
			want.KeepShared(schema, &before)
			b := world.AppendPatch(nil, schema, &before, run, &want)
			if len(b) == 0 {
				quiet++
			} else {
				patched, most = patched+1, max(most, len(b))
			}
			if err := world.ApplyPatch(b, schema, &before, run); err != nil {
				t.Fatalf("tick %d: %v", want.Tick, err)
			}
			if run.Hash() != want.Hash() {
				t.Fatalf("tick %d: %v", want.Tick, world.Diff(run, &want, schema, 4))
			}
			if len(b) > 0 && !bytes.Equal(world.AppendState(nil, run, schema), world.AppendState(nil, &want, schema)) {
				t.Fatalf("tick %d: other bytes", want.Tick)
			}
			before.CopyFrom(&want)
		}
	})
}

// meddle changes something that clients do not know.
func meddle(t *rapid.T, w *world.World) {
	if w.Now.Tick%4 != 0 {
		return
	}
	game, _ := w.Match()
	defer w.Act(w.Act(game))
	at := w.Now.Run[rapid.IntRange(0, len(w.Now.Run)-1).Draw(t, "at")]
	id := w.Now.Objects[at].ID
	switch rapid.IntRange(0, 6).Draw(t, "what") {
	case 0:
		_, _ = w.Spawn(rapid.SampledFrom([]string{"Crate", "Mover"}).Draw(t, "class"), world.Placement{Pose: physics.Pose{X: rapid.Float64Range(-3, 3).Draw(t, "x")}})
	case 1:
		_ = w.Actor().Do(world.Op{Target: id, Kind: world.Remove})
	case 2:
		_ = w.Actor().Do(world.Op{Target: id, Kind: world.AddImpulse, A: 3})
	case 3:
		if w.Class(int(at)).Name == "Crate" {
			_ = w.Actor().Do(world.Op{Target: id, Kind: world.SetText, Field: 1, Text: rapid.StringMatching("[a-z]{0,10}").Draw(t, "text")})
		}
	case 4:
		other := w.Now.Run[rapid.IntRange(0, len(w.Now.Run)-1).Draw(t, "other")]
		_, _ = w.Actor().Tie(physics.Joint{Kind: physics.Distance, KeyA: uint64(id), KeyB: uint64(w.Now.Objects[other].ID), Length: 1})
	}
}

func FuzzApplyPatch(f *testing.F) {
	schema := mixedSchema(f)
	w := world.New()
	w.Check = true
	w.Load(nil, schema)
	advance(w, nil)
	var before, want world.State
	before.CopyFrom(w.Now)
	before.KeepShared(schema, &before)
	for range 30 {
		advance(w, nil)
	}
	want.CopyFrom(w.Now)
	want.KeepShared(schema, &before)
	f.Add(world.AppendPatch(nil, schema, &before, &before, &want))
	f.Add([]byte{0, 0, 0})
	f.Fuzz(func(t *testing.T, b []byte) {
		var run world.State
		run.CopyFrom(&before)
		if world.ApplyPatch(b, schema, &before, &run) == nil {
			if _, err := world.ParseState(world.AppendState(nil, &run, schema), schema); err != nil {
				t.Fatalf("what was made of it is no state: %v", err)
			}
			next := world.New()
			next.Check = true
			next.Load(&run, schema)
			advance(next, nil) // does not panic
		}
	})
}
