//go:build external && unix

package main

import (
	"fmt"
	"testing"
	"time"
)

// plug gives the page a pad whose buttons and sticks tests set.
func plug(b *browser) {
	b.t.Helper()
	b.Eval(`(() => {
		window.pad = { connected: true, buttons: Array.from({ length: 16 }, () => ({ pressed: false })), axes: [0, 0, 0, 0] };
		navigator.getGamepads = () => window.pad ? [window.pad] : [];
		return 1;
	})()`, new(int))
}

// hold presses a button of the pad, or releases it, and waits until the page has looked.
func hold(b *browser, button int, down bool) {
	b.t.Helper()
	b.Eval(fmt.Sprintf("new Promise((done) => { window.pad.buttons[%d].pressed = %v; requestAnimationFrame(() => requestAnimationFrame(() => done(1))); })", button, down), new(int))
}

// Buttons of a standard pad.
const (
	padA     = 0
	padStart = 9
	padUp    = 12
	padDown  = 13
	padLeft  = 14
)

// TestBrowserPlaysByPad plays the arena by pad alone: start, flying, settings, and another button for an input.
func TestBrowserPlaysByPad(t *testing.T) {
	takeTurn(t)
	b := startBrowser(t)
	b.Open(startAsking(t, "arena"))
	b.WaitFor("window.hindcast.view?.tick > 60 && !document.getElementById('start').hidden")
	plug(b)
	hold(b, padA, true)
	b.WaitFor("document.getElementById('start').hidden && " + shownShip + " !== undefined")
	b.Eval("window.before = "+shownShip+", 1", new(int))
	hold(b, padA, false)
	hold(b, padLeft, true)
	b.WaitFor("Math.abs(" + shownShip + ".angle - window.before.angle) > 0.5")
	hold(b, padLeft, false)
	hold(b, padA, true)
	b.WaitFor("Math.hypot(" + shownShip + ".x - window.before.x, " + shownShip + ".y - window.before.y) > 0.5")
	hold(b, padA, false)
	hold(b, padStart, true)
	hold(b, padStart, false)
	b.WaitFor("!document.getElementById('menu').hidden")
	const binding = "[...document.querySelectorAll('#bindings tr')].find((r) => r.innerText.includes('turn left')).querySelectorAll('button')[2]"
	b.WaitFor(binding + ".innerText === 'pad LEFT'")
	b.Eval("("+binding+".focus(), 1)", new(int))
	hold(b, padA, true)
	hold(b, padA, false)
	hold(b, padUp, true)
	hold(b, padUp, false)
	b.WaitFor(binding + ".innerText === 'pad UP'")
	shot(b, "menu-pad.png")
	hold(b, padDown, true) // moves the focus, and not the ship
	hold(b, padDown, false)
	hold(b, padStart, true)
	hold(b, padStart, false)
	b.WaitFor("document.getElementById('menu').hidden")
}

// TestBrowserLetsSticksGo: a stick that is pushed when its pad is unplugged or its browser goes is at rest then, and a
// page that connects again says where its stick is.
func TestBrowserLetsSticksGo(t *testing.T) {
	takeTurn(t)
	p := newTestPage(t)
	feedFake(t, p)
	b := startBrowser(t)
	b.Open(p.URL())
	b.WaitFor("window.hindcast.view?.tick > 5")
	at := func(want float64) {
		t.Helper()
		for deadline := time.Now().Add(patience); ; b.Eval("new Promise(requestAnimationFrame)", new(any)) {
			var s keySample
			p.devices.ticks.sample(&s)
			if s.sticks[0].last == want {
				return
			}
			if time.Now().After(deadline) {
				t.Fatalf("the stick is at %v, want %v", s.sticks[0].last, want)
			}
		}
	}
	push := func(x float64) {
		b.Eval(fmt.Sprintf("(window.pad.axes[0] = %v, 1)", x), new(int))
	}
	plug(b)
	push(0.5)
	at(0.5)
	// The page can connect again only after the stick was seen at rest.
	b.Eval("(() => { window.real = WebSocket; window.WebSocket = class { static OPEN = 1; constructor() { setTimeout(() => this.onclose(), 50); } }; return 1; })()", new(int))
	p.mu.Lock()
	for v := range p.viewers { // the page connects again by itself
		v.hangUp()
	}
	p.mu.Unlock()
	at(0)
	b.Eval("(() => { window.WebSocket = window.real; return 1; })()", new(int))
	at(0.5)
	b.Eval("(window.pad = null, 1)", new(int))
	at(0)
	plug(b)
	push(-1)
	at(-1)
	b.do("Page.navigate", map[string]any{"url": "about:blank"}, nil)
	at(0)
}

// TestBrowserAimsByPad: the right stick aims for an input that is the angle to the pointer.
func TestBrowserAimsByPad(t *testing.T) {
	takeTurn(t)
	b := startBrowser(t)
	b.Open(startClient(t, startHost(t, "grapple")))
	b.WaitFor("window.hindcast.view?.tick > 30 && " + ownBody + " !== undefined")
	plug(b)
	b.Eval("(window.pad.axes[3] = -1, 1)", new(int)) // up, where the ceiling is
	b.Eval("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))", new(int))
	hold(b, 2, true)
	b.WaitFor("window.hindcast.view.ropes.length === 1 && " + `(() => {
		const v = window.hindcast.view, hook = v.bodies.find((h) => h.class === 'Hook'), own = v.bodies.find((o) => o.owner === v.player && o.class === 'Runner');
		return hook && hook.y > own.y + 1 && Math.abs(hook.x - own.x) < hook.y - own.y;
	})()`)
	hold(b, 2, false)
}
