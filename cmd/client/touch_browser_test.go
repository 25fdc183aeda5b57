//go:build external && unix

package main

import (
	"fmt"
	"strings"
	"testing"
)

// touch sends a touch event: touchStart, touchMove or touchEnd. points are x, y in CSS pixels.
func (b *browser) touch(event string, points ...[2]float64) {
	b.t.Helper()
	list := []map[string]float64{}
	for _, p := range points {
		list = append(list, map[string]float64{"x": p[0], "y": p[1]})
	}
	b.do("Input.dispatchTouchEvent", map[string]any{"type": event, "touchPoints": list}, nil)
}

// middle returns the middle of an element in the window.
func (b *browser) middle(element string) (at [2]float64) {
	b.t.Helper()
	b.Eval("(() => { const r = "+element+".getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; })()", &at)
	return at
}

const (
	steerStick = `document.querySelector('#touch .stick.steer')`
	aimStick   = `document.querySelector('#touch .stick.aim')`
	ownBody    = `window.hindcast.view.bodies.find((b) => b.owner === window.hindcast.view.player)`
)

// touchButton finds the button of an input.
func touchButton(words string) string {
	return fmt.Sprintf(`[...document.querySelectorAll('#touch button')].find((b) => b.textContent === %q)`, words)
}

// openByTouch opens a game on a phone, and plays with the first touch. The world has the whole screen of one that is held
// sideways: nothing is black, as it was beyond the walls, but what is over the world. In an upright one it has 45 %.
func openByTouch(t *testing.T, b *browser, game string) {
	t.Helper()
	b.do("Emulation.setTouchEmulationEnabled", map[string]any{"enabled": true, "maxTouchPoints": 5}, nil)
	b.Size(390, 844, 2)
	b.Open(startAsking(t, startHost(t, game)))
	b.WaitFor("!document.getElementById('start').hidden && window.hindcast.view?.tick > 10")
	b.WaitFor("document.getElementById('help').innerText.includes('left stick') && getComputedStyle(document.querySelector('#start .keys')).display === 'none'")
	b.touch("touchStart", b.middle("document.getElementById('play')"))
	b.touch("touchEnd")
	b.WaitFor("document.getElementById('start').hidden && !document.getElementById('touch').hidden && " + ownBody + " !== undefined")
	tapChat(b)
	for _, size := range [][2]int{{844, 390}, {390, 844}} {
		b.Size(size[0], size[1], 2)
		b.WaitFor(fmt.Sprintf("window.hindcast.arena.camera.width === %d", size[0]))
		expectFit(t, b)
		if size[0] > size[1] {
			b.WaitFor("window.hindcast.arena.camera.down === innerHeight && " + count("r < 12 && g < 16 && b < 21") + " < 0.02 * " + pixels + ".data.length / 4")
			shot(b, "touch-"+game+"-wide.png")
			tap(b, "document.getElementById('open-menu')")
			b.WaitFor("!document.getElementById('menu').hidden")
			tap(b, "document.getElementById('close-menu')") // is on the screen, which is not high enough for all settings
			b.WaitFor("document.getElementById('menu').hidden")
		} else {
			b.WaitFor("(({ arena, down, scale }) => Math.min(down, (arena.height + 2) * scale))(window.hindcast.arena.camera) >= 0.45 * innerHeight")
		}
	}
}

// stands says whether the height of the player's object has not changed for a quarter of a second.
const stands = `(() => {
	const { y } = ` + ownBody + `, { tick } = window.hindcast.view;
	if (!window.still || Math.abs(window.still.y - y) > 1e-3) window.still = { y, tick };
	return tick > window.still.tick + 15;
})()`

// tap touches the middle of an element.
func tap(b *browser, element string) {
	b.t.Helper()
	b.touch("touchStart", b.middle(element))
	b.touch("touchEnd")
}

// tapChat opens and closes the chat, the settings and the players by tap, and says a line, which is shown with the name.
func tapChat(b *browser) {
	b.t.Helper()
	is := func(id string, hidden bool) {
		b.t.Helper()
		b.WaitFor(fmt.Sprintf("document.getElementById(%q).hidden === %v", id, hidden))
	}
	for _, id := range []string{"say", "scores"} {
		button := map[string]string{"say": "open-chat", "scores": "open-scores"}[id]
		for _, hidden := range []bool{false, true} {
			tap(b, "document.getElementById('"+button+"')")
			is(id, hidden)
		}
	}
	tap(b, "document.getElementById('open-menu')")
	is("menu", false)
	tap(b, "document.getElementById('close-menu')")
	is("menu", true)
	tap(b, "document.getElementById('open-chat')")
	is("say", false)
	b.Type("hello")
	b.Press("Enter")
	b.Release("Enter")
	is("say", true)
	b.WaitFor("[...document.querySelectorAll('#chat p')].some((p) => p.querySelector('b')?.innerText && p.innerText.includes('hello'))")
}

// steerTo drags the left stick, waits until a condition holds, and lets it go.
func steerTo(b *browser, dx, dy float64, js string) {
	b.t.Helper()
	b.Eval("(() => { const s = "+ownBody+"; window.before = [s.x, s.y, s.angle]; return 1; })()", new(int))
	at := b.middle(steerStick)
	b.touch("touchStart", at)
	b.touch("touchMove", [2]float64{at[0] + dx, at[1] + dy})
	b.WaitFor("(() => { const s = " + ownBody + ", [x, y, angle] = window.before; return " + js + "; })()")
	b.touch("touchEnd")
}

// steerFor drags the left stick up or down for 60 displayed frames, or until a condition holds, and says whether it did.
func steerFor(b *browser, dy float64, js string, held *bool) {
	b.t.Helper()
	b.Eval("(() => { const s = "+ownBody+"; window.before = [s.x, s.y, s.angle]; return 1; })()", new(int))
	at := b.middle(steerStick)
	b.touch("touchStart", at)
	b.touch("touchMove", [2]float64{at[0], at[1] + dy})
	b.Eval(`new Promise((done) => {
		let left = 60;
		const frame = () => {
			const s = `+ownBody+`, [x, y, angle] = window.before, held = `+js+`;
			if (held || --left === 0) done(held); else requestAnimationFrame(frame);
		};
		frame();
	})`, held)
	b.touch("touchEnd")
}

// turnedBy is the angle by which the body has turned since steerTo began, in radians, counter-clockwise. It is added
// up from look to look, because the angle of a body jumps from -pi to pi.
const turnedBy = "(() => { const w = window.before, last = w.last ?? angle; w.last = s.angle; return w.turned = (w.turned ?? 0) + Math.atan2(Math.sin(s.angle - last), Math.cos(s.angle - last)); })()"

// expectFit checks that all controls are in the window, apart from each other, and outside of the arena and the chat.
func expectFit(t *testing.T, b *browser) {
	t.Helper()
	var wrong []string
	b.Eval(`(() => {
		const all = [...document.querySelectorAll('#touch button, #touch .stick')].map((e) => [e.textContent || e.className, e.getBoundingClientRect()]);
		const c = window.hindcast.arena.camera, wrong = [];
		const across = Math.min(c.across, (c.arena.width + 2) * c.scale) / 2, down = Math.min(c.down, (c.arena.height + 2) * c.scale) / 2;
		const chat = document.getElementById('chat').getBoundingClientRect();
		if (all.length === 0) wrong.push('no controls');
		all.forEach(([name, r], i) => {
			if (r.left < 0 || r.right > innerWidth || r.bottom > innerHeight || r.width < 44 || r.height < 44) wrong.push(name + ' is not in the window, or too small');
			if (r.top < c.cy + down - 1 && r.bottom > c.cy - down && r.left < c.cx + across - 1 && r.right > c.cx - across + 1) wrong.push(name + ' overlaps the arena');
			if (chat.height > 0 && r.left < chat.right && chat.left < r.right && r.top < chat.bottom && chat.top < r.bottom) wrong.push(name + ' overlaps the chat');
			for (const [other, o] of all.slice(0, i)) {
				if (r.left < o.right && o.left < r.right && r.top < o.bottom && o.top < r.bottom) wrong.push(name + ' overlaps ' + other);
			}
		});
		return wrong;
	})()`, &wrong)
	if len(wrong) > 0 {
		t.Error(strings.Join(wrong, "; "))
	}
}

// TestTouchReachesEveryInput plays each built-in game by touch alone, on a phone.
func TestTouchReachesEveryInput(t *testing.T) {
	takeTurn(t)
	b := startBrowser(t)
	t.Run("soccer", func(t *testing.T) {
		openByTouch(t, b, "soccer")
		b.WaitFor("/[0-2]:[0-9]{2}/.test(document.querySelector('.place.top .row')?.innerText)") // play goes on
		b.Eval("(() => { window.before = "+ownBody+".y; return 1; })()", new(int))
		at := b.middle(steerStick)
		b.touch("touchStart", at)
		b.touch("touchMove", [2]float64{at[0], at[1] - 60})
		b.WaitFor(ownBody + ".y > window.before + 2")
		shot(b, "touch-soccer.png")
		b.touch("touchEnd")
		steerTo(b, -60, 0, "s.x < x - 2")
		steerTo(b, 60, 0, "s.x > x + 2")
		steerTo(b, 0, 60, "s.y < y - 2")
		for _, words := range []string{"kick", "pass", "tackle"} {
			b.touch("touchStart", b.middle(touchButton(words)))
			b.WaitFor(touchButton(words) + ".classList.contains('down')")
			b.touch("touchEnd")
		}
	})
	t.Run("arena", func(t *testing.T) {
		openByTouch(t, b, "arena")
		b.Eval("(() => { const s = "+ownBody+"; window.before = [s.x, s.y, s.angle]; return 1; })()", new(int))
		at := b.middle(steerStick)
		b.touch("touchStart", at)
		b.touch("touchMove", [2]float64{at[0] - 50, at[1] - 50}) // turns and flies
		b.WaitFor("(() => { const s = " + ownBody + ", w = window.before; return Math.abs(s.angle - w[2]) > 0.5 && Math.hypot(s.x - w[0], s.y - w[1]) > 1; })()")
		shot(b, "touch-arena.png")
		b.touch("touchEnd")
		steerTo(b, 60, 0, turnedBy+" < -0.5")
		backs := false
		for try := 0; try < 10 && !backs; try++ { // first away from what may be behind it
			steerFor(b, -60, "false", new(bool))
			steerFor(b, 60, "(s.x - x) * Math.cos(s.angle) + (s.y - y) * Math.sin(s.angle) < -0.3", &backs)
		}
		if !backs {
			t.Error("the stick never moves the ship backwards")
		}
	})
	t.Run("grapple", func(t *testing.T) {
		openByTouch(t, b, "grapple")
		b.WaitFor(stands)
		steerTo(b, 0, -60, "s.y > y + 0.5") // jumps
		at := b.middle(aimStick)
		b.touch("touchStart", at)
		b.touch("touchMove", [2]float64{at[0], at[1] - 50}) // up, where the ceiling is
		b.touch("touchEnd")
		b.touch("touchStart", b.middle(touchButton("fire")))
		b.WaitFor("window.hindcast.view.ropes.length === 1")
		shot(b, "touch-grapple.png")
		b.touch("touchEnd")
		b.WaitFor("window.hindcast.view.ropes.length === 0")
		b.WaitFor(stands)
		steerTo(b, 60, 0, "s.x > x + 0.5")
		steerTo(b, -60, 0, "s.x < x - 0.5")
	})
}
