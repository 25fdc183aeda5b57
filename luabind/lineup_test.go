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

// TestFillTeamsKnowsWhatItHasSpawned tests that fillTeams counts, and takeOver gives, what the same hook has spawned,
// though objects does not list it before the next hook.
func TestFillTeamsKnowsWhatItHasSpawned(t *testing.T) {
	s := start(t, "game.lua", `
teams { Red = { color = "#f55" }, Blue = { color = "#59f" } }
Bot = object "Bot" { state = { team = str(16) } }
Heavy = object "Heavy" { extends = Bot }
local function count()
  local n = { Red = 0, Blue = 0 }
  for _, o in ipairs(objects("Bot")) do n[o.team] = n[o.team] + 1 end
  return #objects("Bot") .. " " .. n.Red .. " " .. n.Blue .. " " .. #objects("Heavy")
end
function tick()
  print(count())
  fillTeams("Bot", 2)
  fillTeams("Bot", 3)
  fillTeams("Bot", 3)
  spawn("Heavy", { team = "Red" })
  fillTeams("Bot", 6)
  local o = takeOver(1, "Heavy")
  print(count(), o and o.team, takeOver(1, "Heavy"))
end`)
	s.order()
	s.w.Now.Players = append(s.w.Now.Players, world.Player{ID: 1})
	game, _ := s.w.Match()
	for range 3 {
		if err := s.call(world.OnGameTick, game, world.Args{}); err != nil {
			t.Fatal(err)
		}
		s.w.EndOrder()
		s.w.End()
		s.w.Begin()
		s.w.BeginOrder()
	}
	want := "0 0 0 0; 0 0 0 0\tRed\tnil; 6 3 3 1; 6 3 3 1\tRed\tnil; 7 4 3 2; 7 4 3 2\tRed\tnil"
	if got := strings.ReplaceAll(strings.ReplaceAll(strings.Join(s.lines, "; "), "game.lua:11: ", ""), "game.lua:18: ", ""); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
