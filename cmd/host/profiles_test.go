package main

import (
	"strings"
	"testing"

	"github.com/hindcast/hindcast/luabind/lint"
	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/world"
)

// TestCheckKnowsTheProfiles tests that the linter, which cannot import the simulated network, accepts for the net of
// t:world what that accepts.
func TestCheckKnowsTheProfiles(t *testing.T) {
	setup := world.Setup{TickRate: 60, Substeps: 1, Width: 40, Height: 24}
	game := []world.Source{{Name: "game.lua", Text: "game { state = { n = 0 } }"}}
	refused := 0
	for _, net := range []string{"off", "lan", "average", "bad", "awful", "burst", "badd", "wifi", "delay=80ms,loss=5%"} {
		test := world.Source{Name: "x_test.lua", Text: `test("x", function(t) local w = t:world { net = "` + net + `" } w:step(1) t:eq(1, 1) end)`}
		_, err := memlink.ParseProfile(net)
		found := lint.CheckTests(game, setup, []world.Source{test})
		if (err != nil) != (len(found) > 0) {
			t.Errorf("%s: %v, and the linter says %v", net, err, found)
		}
		if err != nil {
			refused++
			for _, name := range []string{"off", "lan", "average", "bad", "awful", "burst"} {
				if !strings.Contains(err.Error(), name) {
					t.Errorf("%v does not list %s", err, name)
				}
			}
		}
	}
	if refused != 2 {
		t.Errorf("%d profiles are refused, want 2", refused)
	}
}
