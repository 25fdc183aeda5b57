package luabind

import (
	"strings"
	"testing"

	"github.com/hindcast/hindcast/world"
)

// TestOlderGamesKeepTheirNames: a game may have globals with the names of functions that the library did not have at first.
func TestOlderGamesKeepTheirNames(t *testing.T) {
	s := start(t, "a.lua", shipLua+"\nfunction level(n) return n * 2 end teams = { 'Red' } function stats() return 'mine' end",
		"game.lua", "function every(n) return level(n) + 1 end local function tell() return 'local' end function tick() print(every(4), teams[1], stats(), tell(), timeLeft) end")
	slot, _ := s.w.Match()
	if err := s.call(world.OnGameTick, slot, world.Args{}); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(s.lines, "|"); !strings.Contains(got, "9\tRed\tmine\tlocal\tfunction") {
		t.Error(got)
	}
	if _, err := NewProgram(bundle("game.lua", "function spawn() end"), testSetup); err == nil || !strings.Contains(err.Error(), "spawn belongs to the language") {
		t.Error(err)
	}
}
