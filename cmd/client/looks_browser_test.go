//go:build external && unix

package main

import (
	"image/color"
	"testing"
)

// TestBrowserShowsLayersAndTrails: of two objects in the same place the one with the higher layer is seen, whichever class is declared
// first. Trails are behind those objects whose looks say so.
func TestBrowserShowsLayersAndTrails(t *testing.T) {
	takeTurn(t)
	dir := t.TempDir()
	write(t, dir, map[string]string{
		"game.toml": "name = \"layers\"\n[arena]\nwidth = 40\nheight = 24\n",
		"game.lua": `
local function thing(name, image, layer, trail)
  return object(name) { body = { shape = { circle = 1 }, type = "kinematic", sensor = true }, look = { image = image, w = 4, layer = layer, trail = trail } }
end
Low1 = thing("Low1", "blue.png", -1, true)
High1 = thing("High1", "red.png", nil, false)
High2 = thing("High2", "red.png", 5)
Low2 = thing("Low2", "blue.png")
Ship = object "Ship" { body = { shape = { circle = 1 }, sensor = true }, look = { shape = "circle", trail = false } }
function onStart()
  spawn("High1", { x = -8 }) spawn("Low1", { x = -8 }) spawn("High2", { x = 8 }) spawn("Low2", { x = 8 })
end
function onJoin(p) spawn("Ship", { owner = p, y = 8 }) end`,
		"assets/red.png":  string(square(t, color.RGBA{255, 0, 0, 255})),
		"assets/blue.png": string(square(t, color.RGBA{0, 0, 255, 255})),
	})
	b := startBrowser(t)
	b.Open(startClient(t, startHost(t, dir)))
	b.WaitFor("window.hindcast.arena.scene.sprites.shown === 4")
	b.WaitFor(count("r > 240 && g < 20 && b < 20") + " > 1000")
	b.WaitFor(count("b > 240 && g < 20 && r < 20") + " < 100")
	b.WaitFor("window.hindcast.arena.trails.slots.length === 1") // Low1, and not the ship
	shot(b, "layers.png")
}
