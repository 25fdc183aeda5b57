package luabind

import (
	"strings"
	"testing"

	"github.com/hindcast/hindcast/world"
)

// TestLineupErrors tests the errors of the functions about who plays what.
func TestLineupErrors(t *testing.T) {
	fails(t, `fillTeams("Nobody", 4)`, "there is no class Nobody")
	fails(t, `fillTeams("Ball", 1.5)`, "fillTeams: how many must be a whole number from 0 to 64, not 1.5")
	fails(t, `fillTeams("Ball", 65)`, "fillTeams: how many must be a whole number from 0 to 64")
	fails(t, `takeOver(9, "Ball")`, "takeOver: player 9 is not in the room")
	fails(t, `takeOver(9, "Nobody")`, "there is no class Nobody")
	if _, err := NewProgram(bundle("game.lua", `takeOver(1, "Ball")`), testSetup); err == nil || !strings.Contains(err.Error(), "the world does not exist yet") {
		t.Error("while the files are loaded:", err)
	}
}

// TestFillTeamsChargesForItsClass tests that the price of fillTeams is that of the objects of its class. Objects of
// another class do not change it: a hook is not run again because of them.
func TestFillTeamsChargesForItsClass(t *testing.T) {
	spent := func(class string) int64 {
		s, slot := hooked(t, `fillTeams("Ball", 1)`)
		for range 7 {
			if class != "" {
				s.spawn(class)
			}
		}
		if err := s.call(world.OnTick, slot, world.Args{}); err != nil {
			t.Fatal(err)
		}
		return s.w.Actor().Calls().Spent(slot)
	}
	alone := spent("")
	if others := spent("Box"); others != alone {
		t.Errorf("%d instructions, with 7 objects of another class %d", alone, others)
	}
	if more := spent("Ball"); more < alone+7*seenCost {
		t.Errorf("%d instructions, with 7 more objects of the class %d", alone, more)
	}
}
