//go:build external && unix

package main

import (
	"os"
	"path/filepath"
	"testing"
)

// TestBrowserShowsTheLevel: the page shows the walls and the size of the level in force, after a key has led to another one,
// and after a wall was edited in game.toml, while the player stays.
func TestBrowserShowsTheLevel(t *testing.T) {
	takeTurn(t)
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const toml = `name = "levels"
[arena]
width = 30
height = 16
walls = true
[[spawn]]
class = "Crate"
count = 5
w = 20
h = 10
[level.bridge]
width = 50
height = 20
walls = true
[[level.bridge.wall]]
w = 20
h = 1
[[level.bridge.spawn]]
class = "Crate"
count = 3
w = 40
y = 6
`
	write("game.toml", toml)
	write("game.lua", `
Crate = object "Crate" { body = { shape = { box = { 1, 1 } } } }
Ship = object "Ship" { body = { shape = { circle = 0.5 } }, input = { Next = "bool" }, controls = { Next = "n" } }
function Ship:applyInput(input) if input:pressed("Next") then level(level() == "main" and "bridge" or "main") end end
function onJoin(p) spawn("Ship", { owner = p, y = -4 }) end
function onStart(name) for _, s in ipairs(objects("Ship")) do s:setPosition(0, -4) end end`)
	write("view.lua", `hud(function(v) text { v.level, at = "top" } end)`)
	b := startBrowser(t)
	b.Open(startClient(t, startHost(t, dir)))
	const bodies = `(c) => window.hindcast.view.bodies.filter((b) => b.class === c).length`
	shown := func(level, width, walls, crates string) string {
		return "document.querySelector('.place.top')?.innerText === '" + level + "' && window.hindcast.arena.camera.arena.width === " + width +
			" && (" + bodies + ")('Wall') === " + walls + " && (" + bodies + ")('Crate') === " + crates + " && " + ownBody + " !== undefined"
	}
	b.WaitFor(shown("main", "30", "4", "5"))
	b.PressUntil("n", shown("bridge", "50", "5", "3"))
	shot(b, "level-bridge.png")
	write("game.toml", toml+"[[level.bridge.wall]]\nx = 12\nw = 1\nh = 8\n")
	b.WaitFor(shown("bridge", "50", "6", "3"))
	shot(b, "level-edited.png")
	b.PressUntil("n", shown("main", "30", "4", "5"))
}
