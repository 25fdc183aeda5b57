//go:build external && unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestBrowserMovesWhatItOwns plays the game of the section "Owner authority" of docs/scripting.md in two pages:
// one moves its runner itself, and is not corrected. The other one interpolates that runner.
func TestBrowserMovesWhatItOwns(t *testing.T) {
	takeTurn(t)
	page, err := os.ReadFile("../../docs/scripting.md")
	if err != nil {
		t.Fatal(err)
	}
	_, game, found := strings.Cut(string(page), "```lua\nRunner = object")
	game, _, ends := strings.Cut(game, "```")
	if !found || !ends {
		t.Fatal("the page has no game of runners")
	}
	dir := t.TempDir()
	for name, text := range map[string]string{"game.toml": "name = \"runners\"\n", "runner.lua": "Runner = object" + game,
		"game.lua": `function onJoin(player) spawn("Runner", { owner = player, y = 3 * player }) end`} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	host := startHost(t, dir)
	mover, other := startBrowser(t), startBrowser(t)
	for _, b := range []*browser{mover, other} {
		b.Size(240, 160, 1) // this machine may have no GPU
	}
	other.Open(startClient(t, host))
	other.WaitFor("window.hindcast.view?.bodies.some((b) => b.class === 'Runner')")
	mover.Open(startClient(t, host))
	const runnersOf = "window.hindcast.view?.bodies.filter((b) => b.class === 'Runner')"
	mover.WaitFor(runnersOf + "?.length === 2")
	mover.Press("ArrowRight")
	mover.WaitFor(runnersOf + ".some((b) => b.owner === window.hindcast.view.player && b.x > 3)")
	other.WaitFor(runnersOf + ".some((b) => b.owner !== window.hindcast.view.player && b.x > 3)")
	mover.Release("ArrowRight")
	var corrections float64
	mover.Eval("window.hindcast.view.corrections", &corrections)
	if corrections != 0 {
		t.Errorf("the page that moves its runner was corrected %v times", corrections)
	}
}
