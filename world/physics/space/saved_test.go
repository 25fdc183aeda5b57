package space_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/hindcast/hindcast/runtime/simtest/draws"
	"github.com/hindcast/hindcast/world/physics"
	"github.com/hindcast/hindcast/world/physics/space"
	"pgregory.net/rapid"
)

// A Restore to any step, and the same calls again, give the same hashes, ids and events.
func TestRestore(t *testing.T) {
	draws.CheckN(t, draws.Pick(60, 600), func(rt *rapid.T) {
		calls := rapid.SliceOfN(rapid.Custom(drawCall), 40, 120).Draw(rt, "calls")
		at := rapid.IntRange(0, len(calls)-1).Draw(rt, "saved at")
		a := newSpaced(rt)
		var saved space.Saved
		a.Save(&saved) // its memory is used again
		play := func(w *spaced, from int) (stories []string) {
			for i, c := range calls[from:] {
				if w == a && from == 0 && i == at {
					w.Save(&saved)
				}
				w.make(c)
				stories = append(stories, w.story())
			}
			return stories
		}
		first := play(a, 0)
		hash, bodies, joints := a.Hash(), slices.Clone(a.bodies), slices.Clone(a.joints)

		// The lists of ids as they were then, by making the calls up to there once more.
		then := newSpaced(rt)
		for _, c := range calls[:at] {
			then.make(c)
		}
		for _, w := range []*spaced{a, newSpaced(rt)} { // the same Space, and another one
			w.bodies, w.joints = slices.Clone(then.bodies), slices.Clone(then.joints)
			w.Restore(&saved)
			if w.Hash() != then.Hash() || w.Hash() != saved.State().Hash() {
				rt.Fatalf("restored to %016x, want %016x", w.Hash(), then.Hash())
			}
			again := play(w, at)
			from := slices.IndexFunc(calls[at:], func(c call) bool { return c.kind == step })
			if from >= 0 && !slices.Equal(again[from:], first[at+from:]) {
				rt.Fatal("the events of the second time are others")
			}
			if w.Hash() != hash || !slices.Equal(w.bodies, bodies) || !slices.Equal(w.joints, joints) {
				rt.Fatalf("the second time: hash %016x, want %016x; bodies %v, want %v; joints %v, want %v", w.Hash(), hash, w.bodies, bodies, w.joints, joints)
			}
		}
	})
}

// Defs that were added after a Save are gone after Restore, and do not reach into what the
// Saved has.
func TestRestoreDefs(t *testing.T) {
	y := newYard()
	var saved space.Saved
	y.Save(&saved)
	big := space.Must(y.AddDef(physics.NewDef(physics.Dynamic, physics.CircleShape(3))))
	y.Restore(&saved)
	if _, err := y.AddBody(big, physics.Pose{Y: 9}); !errors.Is(err, space.ErrID) {
		t.Errorf("a Def of the future: %v", err)
	}
	small := space.Must(y.AddDef(physics.NewDef(physics.Dynamic, physics.CircleShape(0.1))))
	other := space.Must(space.New(physics.NewParams(30)))
	other.Restore(&saved)
	otherBig := space.Must(other.AddDef(physics.NewDef(physics.Dynamic, physics.CircleShape(5))))
	if big != small || small != otherBig {
		t.Errorf("the Defs added after the Restore are %d, %d and %d, want the same", big, small, otherBig)
	}
	_, defs, p := y.Flat()
	_, otherDefs, otherP := other.Flat()
	if defs[small-1].Shape.Radius != 0.1 || otherDefs[otherBig-1].Shape.Radius != 5 || p != otherP {
		t.Error("two Spaces write into each other's Defs, or have other Params than those saved")
	}
}

// A sensor that was removed before the state was loaded is still the sensor that its visitor
// leaves.
func TestLoadAfterRemove(t *testing.T) {
	y := newYard()
	visitor := space.Must(y.AddBody(y.ballDef, physics.Pose{X: -4, Y: 1.2}))
	y.steps(2)
	if err := y.RemoveBody(y.zone); err != nil {
		t.Fatal(err)
	}
	s, err := space.Load(y.Flat())
	if err != nil {
		t.Fatal(err)
	}
	s.Step()
	if e := s.Events(); !slices.Equal(e.Leaves, []space.Visit{{Sensor: y.zone, Visitor: visitor}}) {
		t.Errorf("%+v", e)
	}
}

// Load makes a Space of a flat state, which goes on as the state does.
func TestLoad(t *testing.T) {
	y := newYard()
	y.steps(30)
	state, defs, p := y.Flat()
	s, err := space.Load(state, defs, p)
	if err != nil {
		t.Fatal(err)
	}
	for range 30 {
		y.Step()
		s.Step()
	}
	if s.Hash() != y.Hash() {
		t.Error("the loaded Space goes another way")
	}
	if a, b := space.Must(y.AddBody(y.crateDef, physics.Pose{Y: 9})), space.Must(s.AddBody(y.crateDef, physics.Pose{Y: 9})); a != b {
		t.Errorf("the next body is %d, and %d in the loaded Space", a, b)
	}
	state.Bodies[1].Def = 9
	if _, err := space.Load(state, defs, p); err == nil || !strings.Contains(err.Error(), "body 0000000000000002 in slot 1: Def = 9") {
		t.Errorf("a state with a Def out of range: %v", err)
	}
}

// Save, Restore, Step and reading allocate nothing once their memory is large enough.
func TestAllocations(t *testing.T) {
	y := newYard()
	var saved space.Saved
	y.steps(10)
	y.Save(&saved)
	n := testing.AllocsPerRun(20, func() {
		y.Restore(&saved)
		y.Step()
		y.Save(&saved)
		b, _ := y.Body(y.crate)
		_, ok := y.Query(space.Filter{Ignore: y.ball}).Raycast(b.Position(), physics.Vec{Y: -9})
		if !ok || len(y.Events().Begins) > 1 {
			t.Error("no floor")
		}
	})
	if n != 0 {
		t.Errorf("%v allocations a step, want 0", n)
	}
}
