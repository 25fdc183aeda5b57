package goscript_test

import (
	"testing"

	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/goscript"
)

// TestMissingChargesForItsClass tests that the price of Missing is that of the objects of its class. Objects of
// another class do not change it: a hook is not run again because of them.
func TestMissingChargesForItsClass(t *testing.T) {
	calls := func(balls, boxes int) (n int) {
		g := goscript.NewGame("lineup", "1")
		ball, box := g.Class(world.Class{Name: "Ball"}), g.Class(world.Class{Name: "Box"})
		judge := g.Class(world.Class{Name: "Judge"})
		judge.Tick = func(a goscript.Actor, _ goscript.Object) {
			for {
				goscript.LineupOf(a).Missing(ball, 1)
				n++
			}
		}
		g.OnStart = func(a goscript.Actor) {
			a.Spawn(judge)
			for range balls {
				a.Spawn(ball)
			}
			for range boxes {
				a.Spawn(box)
			}
		}
		if r := newRig(t, g).run(1); len(r.faults) != 1 {
			t.Fatal(r.errors())
		}
		return n
	}
	alone := calls(3, 0)
	if others := calls(3, 9); alone == 0 || others != alone {
		t.Errorf("the budget is enough for %d calls, with 9 objects of another class for %d", alone, others)
	}
	if more := calls(12, 0); more >= alone {
		t.Errorf("the budget is enough for %d calls, with 9 more objects of the class for %d", alone, more)
	}
}
