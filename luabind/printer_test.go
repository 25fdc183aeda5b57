package luabind

import (
	"strings"
	"testing"

	"github.com/hindcast/hindcast/world"
)

// TestPrintNamesItsPlace: a line of the log has the place of the script, also if one of our functions calls print.
func TestPrintNamesItsPlace(t *testing.T) {
	for body, want := range map[string]string{
		`print("x")`:                                              "a.lua:2: x",
		`pcall(print, "x")`:                                       "a.lua:2: x",
		`pcall(pcall, pcall, print, "x")`:                         "a.lua:2: x",
		`xpcall(print, print)`:                                    "a.lua:2: ",
		`table.sort({ 1, 2 }, print)`:                             "a.lua:2: 2\t1",
		`pcall(table.sort, { 1, 2 }, print)`:                      "a.lua:2: 2\t1",
		`pcall(coroutine.wrap(function() pcall(print, "x") end))`: "a.lua:2: x",
		"pcall(function()\npcall(print, 'x') end)":                "a.lua:3: x",
	} {
		s := start(t, "a.lua", "X = object \"X\" {}\nfunction X:tick() "+body+" end")
		if err := s.call(world.OnTick, s.spawn("X"), world.Args{}); err != nil {
			t.Errorf("%s: %v", body, err)
		}
		if got := strings.Join(s.lines, "\n"); got != want {
			t.Errorf("%s prints %q, not %q", body, got, want)
		}
	}
}
