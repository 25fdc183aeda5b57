package scripts_test

import (
	"fmt"
	"testing"
	"testing/fstest"

	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/scripts"
)

// TestPlacedNamesTheLineOfASetting: a change of what cannot change while a room
// runs is reported with its line in game.toml.
func TestPlacedNamesTheLineOfASetting(t *testing.T) {
	g, err := scripts.Load(fstest.MapFS{
		"game.toml": lua("name = 'a'\ntick_rate = 30\n[input]\nlead = 3"),
		"a.lua":     lua("A = object 'A' {}"),
	}, "my")
	if err != nil {
		t.Fatal(err)
	}
	for want, e := range map[string]*bundle.FixedError{
		"2: tick_rate":    {Settings: []string{"tick_rate"}},
		"4: input.lead":   {Settings: []string{"input.lead"}},
		"1: input.repeat": {Settings: []string{"input.repeat"}}, // game.toml does not say it
	} {
		got := g.Placed(fmt.Errorf("reloading: %w", e)).Error()
		if full := "my/game.toml:" + want + " cannot change while the room runs: restart the host"; got != full {
			t.Errorf("got  %s\nwant %s", got, full)
		}
	}
}
