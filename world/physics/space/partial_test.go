package space_test

import (
	"slices"
	"testing"

	"github.com/hindcast/hindcast/runtime/simtest/draws"
	"github.com/hindcast/hindcast/world/physics"
	"github.com/hindcast/hindcast/world/physics/space"
	"pgregory.net/rapid"
)

// A late push is inserted into the past, and only the bodies that it can have changed are
// stepped again, with the exported methods of Space. The bits are those of a Space in which
// the push was on time.
func TestRerunInPart(t *testing.T) {
	var solved, bodies, cases int
	missing := func() string {
		if cases < 20 || solved == 0 || solved > bodies*3/4 {
			return "pushes that change some bodies of many"
		}
		return ""
	}
	draws.Until(t, draws.Pick(60, 600), missing, func(rt *rapid.T) {
		s := newSpaced(rt)
		for _, c := range rapid.SliceOfN(rapid.Custom(drawCall), 60, 120).Draw(rt, "calls") {
			s.make(c)
		}
		var saved [21]space.Saved // after each step
		var traces [20]physics.Trace
		s.Save(&saved[0])
		for i := range traces {
			s.Step()
			s.Save(&saved[i+1])
			if err := s.Record(&traces[i]); err != nil {
				rt.Fatal(err)
			}
		}

		late := rapid.IntRange(0, len(traces)-1).Draw(rt, "late")
		target := s.bodies[rapid.IntRange(0, len(s.bodies)-1).Draw(rt, "target")]
		push := func(b *physics.Body, d *physics.Def) { b.ApplyImpulse(d, 3, 2) }
		inTime := space.Must(space.New(physics.NewParams(60)))
		inTime.Restore(&saved[late])
		if inTime.ChangeBody(target, push) != nil {
			return // it was removed
		}
		_, defs, params := s.Flat()
		past := saved[late].State()
		slot := slices.IndexFunc(past.Bodies, func(b physics.Body) bool { return b.Key == uint64(target) })
		push(&past.Bodies[slot], &defs[past.Bodies[slot].Def])

		solver := physics.Solver{Check: true}
		changed := []int32{int32(slot)}
		for i := late; i < len(traces); i++ {
			part := solver.StepPart(saved[i].State(), saved[i+1].State(), &traces[i], changed, defs, params, nil)
			changed = append(changed[:0], part.Changed...)
			solved += part.Solved
			bodies += len(past.Bodies)
			inTime.Step()
			if got, want := saved[i+1].State().Hash(), inTime.Hash(); got != want {
				rt.Fatalf("after step %d, pushed late at %d: %016x, want %016x", i, late, got, want)
			}
		}
		s.Restore(&saved[len(traces)])
		s.Step()
		inTime.Step()
		if s.Hash() != inTime.Hash() {
			rt.Fatal("the Space restored to the new present goes another way")
		}
		cases++
	})
	t.Logf("%d cases, %d of %d bodies stepped again", cases, solved, bodies)
}

// Record refuses a step after which the Space was changed.
func TestRecordAfterChange(t *testing.T) {
	y := newYard()
	var trace physics.Trace
	var saved space.Saved
	y.Save(&saved)
	if y.Record(&trace) == nil {
		t.Error("recorded without a step")
	}
	for name, change := range map[string]func() error{
		"add":          func() error { _, err := y.AddBody(y.crateDef, physics.Pose{Y: 9}); return err },
		"remove":       func() error { return y.RemoveBody(y.zone) },
		"change":       func() error { return y.ChangeBody(y.crate, func(*physics.Body, *physics.Def) {}) },
		"change joint": func() error { return y.ChangeJoint(y.hinge, func(*physics.Joint) {}) },
		"remove joint": func() error { return y.RemoveJoint(y.hinge) },
		"params":       func() error { return y.SetParams(physics.NewParams(30)) },
		"restore":      func() error { y.Restore(&saved); return nil },
		"joint": func() error {
			_, err := y.AddJoint(space.Joint{Kind: physics.Weld, A: y.crate})
			return err
		},
	} {
		y.Restore(&saved)
		y.Step()
		if err := y.Record(&trace); err != nil {
			t.Fatal(err)
		}
		if err := change(); err != nil {
			t.Fatal(err)
		}
		if y.Record(&trace) == nil {
			t.Errorf("recorded after %s", name)
		}
	}
}
