//go:build external && unix

package main

import (
	"os"
	"path/filepath"
	"testing"
)

// strollers is a game of an object that ticks independently, and shows how often it has.
const strollers = `
Stroller = object "Stroller" {
  ticking = "independent", lod = "interpolate",
  input = { Right = "bool" },
  state = { steps = 0 },
  body = { type = "kinematic", shape = { circle = 0.5 } },
  look = { label = "{steps}" },
}
function Stroller:simulate(input, dt)
  self.steps = self.steps + 1
  if input.Right then self:moveAndSlide(dt, 0) end
end
`

// TestBrowserMakesAFramePerDisplayedFrame tests a page that displays up to 144 frames a second: an object that ticks
// independently runs in them. How often depends on the machine, so it is only logged; runtime/simtest counts frames.
func TestBrowserMakesAFramePerDisplayedFrame(t *testing.T) {
	takeAllTurns(t)
	dir := t.TempDir()
	for name, text := range map[string]string{"game.toml": "name = \"strollers\"\n", "stroller.lua": strollers,
		"game.lua": `function onJoin(player) spawn("Stroller", { owner = player }) end`} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	b := startBrowser(t)
	b.Size(240, 160, 1) // this machine may have no GPU
	b.Open(startClient(t, startHost(t, dir)))
	b.WaitFor("window.hindcast.view?.bodies.some((b) => Number(b.label) > 30)")
	b.Eval(`(() => {
		let waiting = [], due = 0;
		window.displayed = 0;
		window.requestAnimationFrame = (f) => waiting.push(f);
		const display = () => {
			window.displayed++;
			const now = performance.now();
			due = Math.max(due + 1000 / 144, now);
			for (const f of waiting.splice(0)) f(now);
			setTimeout(display, due - performance.now());
		};
		display();
	})()`, nil)
	b.WaitFor("window.displayed > 100")
	type counts struct{ Displayed, Steps float64 }
	count := func() (c counts) {
		b.Eval("({ displayed: window.displayed, steps: Number(window.hindcast.view.bodies.find((b) => b.class === 'Stroller').label) })", &c)
		return c
	}
	from := count()
	b.WaitFor("window.displayed > 200 && window.hindcast.view.bodies.some((b) => b.class === 'Stroller' && Number(b.label) > " + number(from.Steps) + ")")
	to := count()
	displayed, steps := to.Displayed-from.Displayed, to.Steps-from.Steps
	t.Logf("%v frames displayed, %.0f steps", displayed, steps)
}
