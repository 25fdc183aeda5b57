//go:build external && unix

package main

import (
	"fmt"
	"testing"
)

// ghostPixels counts the pixels that have about the colour of ghosts near a point in metres, and those elsewhere.
const ghostPixels = `((x, y, near) => {
	const { camera } = window.hindcast.arena, d = (` + pixels + `).data, wide = Math.round(innerWidth * camera.ratio);
	let here = 0, elsewhere = 0;
	for (let i = 0; i < d.length; i += 4) {
		if (d[i] < 200 || d[i + 1] > 130 || d[i + 2] < 160) continue;
		const px = (i / 4) % wide / camera.ratio, py = Math.floor(i / 4 / wide) / camera.ratio;
		if (Math.hypot(px - camera.left(x), py - camera.top(y)) < near * camera.scale) here++; else elsewhere++;
	}
	return [here, elsewhere];
})`

// overlay switches an overlay on or off.
func overlay(b *browser, name string) {
	b.t.Helper()
	b.Eval(fmt.Sprintf("(document.querySelector('[data-overlay=%s]').click(), 1)", name), new(int))
}

// TestBrowserShowsOverlays shows, on a slow line, where the host has the player's ship: it was there when the client
// drew that tick. Contacts and what rewinds run again are shown when there are any.
func TestBrowserShowsOverlays(t *testing.T) {
	takeTurn(t)
	host := startHost(t, "arena")
	b := startBrowser(t)
	b.Open(startClient(t, "-net", "delay=80ms", host))
	startClient(t, "-bot", "chase", "-net", "delay=80ms,jitter=30ms", host) // whose inputs are guessed wrong
	b.WaitFor("window.hindcast.view?.tick > 60 && " + shownShip + " !== undefined")
	b.Press("F3")
	b.Release("F3")
	b.WaitFor("/[0-9]+ .s/.test(document.getElementById('hud-fps').innerText) && document.getElementById('hud-gpu').innerText.length > 5")
	var before [2]int
	b.Eval("new Promise((done) => requestAnimationFrame(() => done("+ghostPixels+"(0, 0, 1000))))", &before)
	if before != [2]int{} {
		t.Fatalf("%v pixels look like ghosts already", before)
	}
	overlay(b, "host")
	// Where the ship was drawn in each tick, and how far from there its ghost is. A slow browser does not draw each
	// tick: in between the ship went straight on.
	b.Eval(`(() => {
		window.was = []; window.far = [];
		const look = () => {
			const v = window.hindcast.view, own = v.bodies.find((b) => b.owner === v.player && b.class === 'Ship'), m = window.hindcast.overlays.message;
			if (own) window.was.push({ tick: v.tick, x: own.x, y: own.y });
			const ghost = m?.atHost.find(([id]) => id === own?.id), after = window.was.find((w) => w.tick >= m?.complete), before = window.was.findLast((w) => w.tick <= m?.complete);
			if (ghost && before && after) {
				const f = (m.complete - before.tick) / Math.max(after.tick - before.tick, 1), x = before.x + f * (after.x - before.x), y = before.y + f * (after.y - before.y);
				window.far.push([Math.hypot(ghost[1] - x, ghost[2] - y), Math.hypot(own.x - ghost[1], own.y - ghost[2])]);
			}
			requestAnimationFrame(look);
		};
		look();
		return 1;
	})()`, new(int))
	// To and fro, because a ship at a wall rests, and its ghost is where it is.
	keys, seen := []string{"ArrowUp", "ArrowDown"}, false
	for turn := 0; turn < 20 && !seen; turn++ {
		if turn > 0 {
			b.Release(keys[0])
			keys[0], keys[1] = keys[1], keys[0]
		}
		b.Press(keys[0])
		b.Eval(`new Promise((done) => {
			let left = 40;
			const frame = () => --left > 0 ? requestAnimationFrame(frame) : done(window.far.some(([far, behind]) => far < 0.4 && behind > 0.5));
			frame();
		})`, &seen)
	}
	if !seen {
		t.Fatal("the ghost is never where the ship was drawn, and behind the ship")
	}
	b.WaitFor("(() => { const m = window.hindcast.overlays.message, own = " + shownShip + ", g = m.atHost.find(([id]) => id === own.id); return " + ghostPixels + "(g[1], g[2], 1.6)[0] > 20; })()")
	for _, name := range []string{"contacts", "rewind"} {
		overlay(b, name)
	}
	b.WaitFor("window.hindcast.overlays.message?.contacts.length > 0 && document.getElementById('overlay-text').innerText.includes('Rewind: ticks')")
	shot(b, "overlays.png")
	b.Release(keys[0])
	for _, name := range []string{"host", "contacts", "rewind"} {
		overlay(b, name)
	}
	b.WaitFor("window.hindcast.overlays.drawn === 0 && " + ghostPixels + "(0, 0, 1000)[0] === 0")
}

// TestBrowserShowsTheBuffer shows the samples between which a spectator's objects are drawn.
func TestBrowserShowsTheBuffer(t *testing.T) {
	takeTurn(t)
	host := startHost(t, "arena")
	startClient(t, "-bot", "circle", host)
	b := startBrowser(t)
	b.Open(startClient(t, "-watch", "-net", "delay=60ms", host))
	b.WaitFor("window.hindcast.view?.tick > 60 && " + anyShip + " !== undefined")
	overlay(b, "buffer")
	// The ship is drawn between two samples: no further from both than they are from each other.
	b.WaitFor(`(() => {
		const own = ` + anyShip + `, s = window.hindcast.overlays.message?.buffered.filter(([id]) => id === own.id) ?? [];
		if (s.length < 2 || Math.hypot(s[0][1] - s[1][1], s[0][2] - s[1][2]) < 0.1) return false;
		const far = (at) => Math.hypot(at[1] - own.x, at[2] - own.y);
		return Math.min(...s.map(far)) <= Math.hypot(s[0][1] - s.at(-1)[1], s[0][2] - s.at(-1)[2]) + 0.3 && window.hindcast.overlays.drawn >= s.length;
	})()`)
}

// TestBrowserShapesTheLine moves the sliders of the line while the game goes on.
func TestBrowserShapesTheLine(t *testing.T) {
	takeTurn(t)
	b := startBrowser(t)
	b.Open(startClient(t, "arena"))
	b.WaitFor("window.hindcast.view?.rtt > 0")
	b.Press("F3")
	b.Release("F3")
	b.Eval("(() => { const s = document.getElementById('line-delay'); s.value = 100; s.dispatchEvent(new Event('input')); return 1; })()", new(int))
	b.WaitFor("window.hindcast.view.rtt > 150 && document.querySelector('output[for=line-delay]').innerText === '100 ms' && document.getElementById('menu-profile').value === 'delay=100ms'")
	b.Press("Escape")
	b.Release("Escape")
	b.Eval("(() => { const s = document.getElementById('menu-profile'); s.value = 'off'; s.dispatchEvent(new Event('change')); return 1; })()", new(int))
	b.WaitFor("document.getElementById('profile').value === 'off' && document.getElementById('line-delay').value === '0'")
	shot(b, "menu-line.png")
}
