//go:build external && unix

package main

import (
	"os"
	"path/filepath"
	"testing"
)

// TestBrowserShowsAHUD plays a game whose view.lua says what is shown, and where the camera looks. A
// mistake in it keeps the HUD before.
func TestBrowserShowsAHUD(t *testing.T) {
	takeTurn(t)
	dir := t.TempDir()
	for name, text := range map[string]string{
		"game.toml": "name = \"goals\"\n[arena]\nwidth = 120\nheight = 80\n",
		"game.lua": `
game { state = { red = 3, ends = 300, broken = false } }
Ball = object "Ball" { body = { shape = { circle = 0.5 } }, look = { color = "white" } }
Runner = object "Runner" { input = { Fire = "bool" }, state = { charge = 0.75 }, body = { shape = { circle = 0.6 } } }
function Runner:applyInput(input) if input:pressed("Fire") then game.red = game.red + 1 game.broken = game.red == 4 end end
function onStart() spawn("Ball", { x = 50, y = 30 }) end
function onJoin(p) spawn("Runner", { owner = p, x = -40 }) end`,
		"view.lua": `
camera(function(v) return { follow = { v.me }, zoom = { 14, 26 }, inside = "arena" } end)
hud(function(v)
  if v.game.broken then text { nil + 1 } end
  row({ at = "top", gap = 12 }, function()
    text { v.committed.game.red, size = 36, color = "#4aa3ff" }
    text { countdown(v.game.ends), size = 24, blink = true }
  end)
  for _, p in ipairs(v.players()) do if p.object then tag { on = p.object, text = p.name, ring = true, color = "#ffd596" } end end
  if v.me then bar { on = v.me, dy = -1, value = v.me.charge } end
  arrow { to = v.first("Ball"), color = "#ff00ff" }
  lines { at = "topRight", items = { "<b>one</b>", "a long line of a player" } }
  bar { at = "bottom", value = 1, most = 2, text = "half" }
  minimap { at = "bottomLeft", size = 150, classes = { "Ball", "Runner" } }
end)`} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	b := startBrowser(t)
	b.Sharp(1280, 800, 1)
	b.Open(startClient(t, startHost(t, dir)))
	b.WaitFor("document.querySelector('.place.top .row')?.children[0].innerText === '3' && /^[45]:\\d\\d$/.test(document.querySelector('.place.top .row').children[1].innerText)")
	// A widget that changes keeps its element, and its animation goes on.
	b.WaitFor(`document.querySelector(".place.top .row").children[1].getAnimations()[0]?.startTime > 0`)
	b.Eval(`(() => { const at = document.querySelector(".place.top .row").children[1]; window.was = [at, at.innerText, at.getAnimations()[0].startTime]; return 1; })()`, new(int))
	b.WaitFor(`(() => { const at = document.querySelector(".place.top .row").children[1]; return at.innerText !== window.was[1]; })()`)
	b.WaitFor(`(() => { const [at,, began] = window.was; return at === document.querySelector(".place.top .row").children[1] && at.getAnimations()[0].startTime === began; })()`)
	b.WaitFor("document.querySelector('.place.topRight .lines').innerText.includes('<b>one</b>')")
	b.WaitFor("Math.abs(window.hindcast.arena.camera.x + 40) < 8 && window.hindcast.arena.camera.scale > 20")
	b.WaitFor(`(() => { // a bar that is half full, with its text at the right, in the middle of the window
		const [track, text] = document.querySelector('.place.bottom .widget.bar').children, all = track.getBoundingClientRect();
		return all.width === 120 && track.children[0].getBoundingClientRect().width === 60 && all.left > 500 &&
			text.getBoundingClientRect().left >= all.right && text.getBoundingClientRect().right < 780;
	})()`)
	const violet = `(() => {
		const d = (` + pixels + `).data;
		let n = 0;
		for (let i = 0; i < d.length; i += 4) if (d[i] > 200 && d[i + 1] < 60 && d[i + 2] > 200) n++;
		return n;
	})()`
	b.WaitFor(violet + " > 50") // the arrow to the ball
	shot(b, "hud.png")
	b.PressUntil(" ", "document.querySelector('.place.top .row').children[0].innerText === '4'")
	b.WaitFor("document.getElementById('errors').innerText.includes('view.lua:4')")
	b.PressUntil(" ", "document.querySelector('.place.top .row').children[0].innerText > '4'")
	b.Size(390, 844, 2) // there is no room for both side by side
	b.WaitFor("window.hindcast.arena.camera.width === 390")
	b.WaitFor("document.querySelector('.place.topRight').getBoundingClientRect().top >= document.querySelector('.place.top').getBoundingClientRect().bottom")
	shot(b, "hud-phone.png")
}
