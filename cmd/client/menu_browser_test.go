//go:build external && unix

package main

import (
	"os"
	"path/filepath"
	"testing"
)

// TestBrowserKeepsSettings chooses another key and a volume, and opens the game again: the page is at
// another port then.
func TestBrowserKeepsSettings(t *testing.T) {
	takeTurn(t)
	home := t.TempDir()
	const turns = "Math.abs(" + shownShip + ".angle - window.before) > 0.3"
	note := func(b *browser) {
		t.Helper()
		b.Eval("(() => { window.before = "+shownShip+".angle; return 1; })()", new(int))
	}
	b := startBrowser(t)
	t.Run("choose", func(t *testing.T) {
		b.Open(startAskingAt(t, home, "arena"))
		b.WaitFor("window.hindcast.view?.tick > 60 && document.getElementById('help').innerText.includes('turn left')")
		b.Eval("(() => { if ("+shownShip+") throw Error('the player joined without Play'); return 1; })()", new(int))
		shot(b, "start.png")
		b.Play()
		b.WaitFor(shownShip + " !== undefined")
		b.Press("Escape")
		b.Release("Escape")
		b.WaitFor("!document.getElementById('menu').hidden")
		const turn = "[...document.querySelectorAll('#bindings tr')].find((r) => r.innerText.includes('turn left'))"
		b.Eval("(() => { "+turn+".querySelectorAll('button')[0].click(); return 1; })()", new(int))
		b.Press("k")
		b.Release("k")
		b.WaitFor(turn + ".querySelectorAll('button')[0].innerText === 'K'")
		b.Eval(`(() => { const v = document.getElementById('volume'); v.value = 0.25; v.dispatchEvent(new Event('input')); return 1; })()`, new(int))
		b.WaitFor("window.hindcast.effects.sounds.volume === 0.25")
		shot(b, "menu.png")
		b.Press("Escape")
		b.Release("Escape")
		b.WaitFor("document.getElementById('menu').hidden")
		note(b)
		b.Press("k")
		b.WaitFor(turns)
		b.Release("k")
	})
	t.Run("again", func(t *testing.T) {
		b.Open(startAskingAt(t, home, "arena"))
		b.WaitFor("window.hindcast.view?.tick > 60 && !document.getElementById('start').hidden && window.hindcast.effects.sounds.volume === 0.25")
		b.Press("k") // closes the start screen as well
		b.WaitFor(shownShip + " !== undefined")
		note(b)
		b.WaitFor(turns + " && document.getElementById('start').hidden")
		b.Release("k")
		b.Press("Tab")
		b.WaitFor("document.querySelector('#players .you') !== null")
		shot(b, "scores.png")
		b.Release("Tab")
		b.WaitFor("document.getElementById('scores').hidden")
	})
}

// TestBrowserSimulatesALine chooses a bad line while the game goes on.
func TestBrowserSimulatesALine(t *testing.T) {
	takeTurn(t)
	b := startBrowser(t)
	b.Open(startClient(t, "arena"))
	b.Press("F3")
	b.Release("F3")
	b.WaitFor("window.hindcast.view?.rtt > 0")
	b.Eval(`(() => { const p = document.getElementById('profile'); p.value = 'bad'; p.dispatchEvent(new Event('change')); return 1; })()`, new(int))
	b.WaitFor("window.hindcast.view.rtt > 150 && document.getElementById('quality').classList.length > 1")
	shot(b, "debug.png")
}

// shot keeps a picture of the page, if pictures are wanted.
func shot(b *browser, name string) {
	if keep := os.Getenv("SCREENSHOTS"); keep != "" {
		b.Screenshot(filepath.Join(keep, name))
	}
}

// TestBrowserPausesItsOwnRoom: the match stops while the only player of a room of one's own has the settings open, and
// goes on when they are closed or another player comes. In the room of a host it goes on.
func TestBrowserPausesItsOwnRoom(t *testing.T) {
	takeTurn(t)
	b := startBrowser(t)
	settings := func(want string) {
		t.Helper()
		b.Press("Escape")
		b.Release("Escape")
		b.WaitFor("!document.getElementById('menu').hidden && document.getElementById('menu-pause').innerText.includes('" + want + "')")
	}
	// stands waits until no tick passes in 30 displayed frames, or until ticks pass.
	stands := func(is bool) {
		t.Helper()
		b.Eval("(() => { window.seen = { from: window.hindcast.view.tick, tick: -1, frames: 0 }; return 1; })()", new(int))
		if !is {
			b.WaitFor("window.hindcast.view.tick > window.seen.from + 180") // more than a client predicts ahead
			return
		}
		b.WaitFor("(() => { const s = window.seen, { tick } = window.hindcast.view; if (tick !== s.tick) { s.tick = tick; s.frames = 0; } return ++s.frames > 30; })()")
	}
	t.Run("own", func(t *testing.T) {
		address := startClient(t, "arena")
		b.Open(address)
		b.WaitFor("window.hindcast.view?.tick > 60 && " + shownShip + " !== undefined")
		settings("is paused")
		second := startBrowser(t) // another window ends no pause that this one asks for
		second.Open(address)
		second.WaitFor("window.hindcast.view?.tick > 60")
		stands(true)
		b.WaitFor("document.getElementById('notice').hidden && document.getElementById('status').hidden") // nobody waits for the host
		shot(b, "paused.png")
		b.Press("Escape")
		b.Release("Escape")
		stands(false)
		second.Press("Escape")
		second.Release("Escape")
		b.WaitFor("document.getElementById('menu-pause').innerText.includes('is paused')")
		second.Open("about:blank") // a window that is closed asks for none
		b.WaitFor("document.getElementById('menu-pause').innerText.includes('goes on')")
	})
	t.Run("host", func(t *testing.T) {
		b.Open(startClient(t, startHost(t, "arena")))
		b.WaitFor("window.hindcast.view?.tick > 60 && " + shownShip + " !== undefined")
		settings("goes on")
		stands(false)
	})
}
