package scripts

import (
	"slices"
	"testing"
	"testing/fstest"
)

// gameOf loads a game with these settings.
func gameOf(t *testing.T, settings string) *Game {
	t.Helper()
	g, err := Load(fstest.MapFS{"game.toml": {Data: []byte(settings)}, "game.lua": {Data: []byte("-- a script")}}, "mine")
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// TestChanges: each setting that differs is named, with both values.
func TestChanges(t *testing.T) {
	before := gameOf(t, `
name = "mine"
seed = 4
[physics]
gravity = [0, 0]
[players]
max = 8
[[wall]]
w = 1
h = 1
[[wall]]
w = 2
h = 2
`)
	after := gameOf(t, `
name = "mine"
tick_rate = 30
[physics]
gravity = [0, -10]
sleep = false
[arena]
width = 60
walls = true
[[wall]]
w = 1
h = 1.5
`)
	want := []string{"arena.walls added (true)", "arena.width added (60)", "physics.gravity was [0, 0], is [0, -10]", "physics.sleep added (false)",
		"players.max removed (was 8)", "seed removed (was 4)", "tick_rate added (30)", "wall[1].h was 1, is 1.5", "wall[2] removed"}
	if got := before.Changes(after); !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
	if got := after.Changes(after); got != nil {
		t.Errorf("nothing differs: %q", got)
	}
}
