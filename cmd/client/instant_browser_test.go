//go:build external && unix

package main

import (
	"strconv"
	"testing"
)

// TestBrowserReplaysAtOnce: the page shows again what it has drawn, more slowly, with the camera on an object. The game goes
// on meanwhile. A click ends the replay.
func TestBrowserReplaysAtOnce(t *testing.T) {
	takeTurn(t)
	dir := t.TempDir()
	write(t, dir, map[string]string{
		"game.toml": "name = \"again\"\n[arena]\nwidth = 60\nheight = 24\nwalls = true\n",
		"game.lua": `
Ship = object "Ship" { input = { Fire = "bool" }, controls = { Fire = "space" }, body = { shape = { circle = 0.5 }, type = "kinematic" }, look = { shape = "circle", color = "#f00" } }
function Ship:applyInput(input)
  self:setPosition(20 * math.sin(now() / 2), 0)
  if input:pressed("Fire") then cue("fire", { x = 0, y = 0 }) end
end
function onJoin(p) spawn("Ship", { owner = p }) end`,
		"view.lua": `
camera(function(v) return { follow = v.me, zoom = 12 } end)
onCue("fire", function(c) instantReplay { seconds = 2, speed = 0.125, focus = c.object } end)`,
	})
	b := startBrowser(t)
	b.Open(startClient(t, startHost(t, dir)))
	const (
		instant = "window.hindcast.instant"
		own     = "window.hindcast.drawn.find((b) => b.class === 'Ship')"
		shown   = instant + ".bodies.x[" + instant + ".bodies.find(" + own + ".id)]"
		running = instant + ".shots !== null && !document.getElementById('instant').hidden"
	)
	fire := func() {
		b.WaitFor(instant + ".kept.length > 5")
		b.PressUntil(" ", running)
	}
	fire()
	b.WaitFor("Math.abs(" + shown + " - " + own + ".x) > 1") // it is drawn where it was
	b.WaitFor("Math.abs(window.hindcast.arena.camera.x - " + shown + ") < 1")
	shot(b, "instant.png")
	var x, later float64
	b.Eval(own+".x", &x)
	b.WaitFor("Math.abs(" + own + ".x - " + "(" + strconv.FormatFloat(x, 'g', -1, 64) + ")) > 0.5") // the game goes on
	b.WaitFor("!(" + running + ")")                                                                 // the end
	b.WaitFor("Math.abs(window.hindcast.arena.camera.x - " + own + ".x) < 2")
	fire()
	b.Click("instant")
	b.Eval(instant+".shots === null ? 1 : 0", &later)
	if later != 1 {
		t.Error("a click has not ended the replay")
	}
}
