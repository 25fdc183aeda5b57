//go:build external && unix

package main

import (
	"os"
	"path/filepath"
	"testing"
)

// TestBrowserReturnsAfterARestart: after an edit of the tick rate the host restarts; the page says why it waits, and
// comes back with its player.
func TestBrowserReturnsAfterARestart(t *testing.T) {
	takeTurn(t)
	dir := t.TempDir()
	write(t, dir, map[string]string{
		"game.toml": "name = \"pace\"\ntick_rate = 60\n",
		"game.lua": `
game { state = { ends = 100 } }
player { state = { joins = 0 } }
Tank = object "Tank" { input = { Fire = "bool" }, body = { shape = { circle = 1 } } }
function Tank:applyInput(input) if input.Fire then self:setForce(1, 0) end end
function onJoin(p) stats(p).joins = stats(p).joins + 1 spawn("Tank", { owner = p, x = 5 * p }) end`,
		"view.lua": `hud(function(v) text { countdown(v.game.ends) } end)`,
	})
	b := startBrowser(t)
	b.Open(startClient(t, startHost(t, dir)))
	b.WaitFor("window.hindcast.room.info?.rate === 60 && window.hindcast.view?.tick > 60 && " + ownBody + " !== undefined")
	b.Eval(`(() => {
		window.player = window.hindcast.view.player; window.notices = []; window.errors = [];
		new MutationObserver(() => window.errors.push(document.getElementById('errors').innerText)).observe(document.getElementById('errors'), { childList: true, subtree: true, characterData: true, attributes: true });
		new MutationObserver(() => window.notices.push(document.getElementById('notice').innerText)).observe(document.getElementById('notice'), { childList: true, subtree: true, characterData: true, attributes: true });
		return 1;
	})()`, new(int))
	if err := os.WriteFile(filepath.Join(dir, "game.toml"), []byte("name = \"pace\"\ntick_rate = 30\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	b.WaitFor("window.hindcast.room.info.rate === 30 && document.getElementById('notice').hidden && " + ownBody + " !== undefined")
	b.WaitFor("window.hindcast.view.player === window.player && window.notices.some((n) => n.includes('Waiting for the host') && n.includes('tick_rate'))")
	var over []string
	if b.Eval("window.notices.filter((n) => n.includes('is over'))", &over); len(over) > 0 {
		t.Errorf("meanwhile the page said %q", over)
	}
	b.WaitFor("document.getElementById('hud').innerText.includes('1:')")
	var errors []string
	if b.Eval("window.errors.filter((e) => e)", &errors); len(errors) > 0 { // view.lua is asked for no HUD of a room without objects
		t.Errorf("the page showed the errors %q", errors)
	}
}

// TestBrowserSaysWhyTheClientHasEnded: the page of a client that has ended says why.
func TestBrowserSaysWhyTheClientHasEnded(t *testing.T) {
	takeTurn(t)
	b := startBrowser(t)
	b.Open(startAsking(t, "-for", "3s")) // from Play on, and not while the player reads the start screen
	b.WaitFor("window.hindcast.view?.tick > 270")
	b.Play()
	b.WaitFor("document.getElementById('notice').innerText.includes('-for 3s is over. Start it again')")
	shot(b, "ended.png")
}

// TestBrowserFreesShapes: what the GPU keeps of a kind goes with the kind.
func TestBrowserFreesShapes(t *testing.T) {
	takeTurn(t)
	p := newTestPage(t)
	stop := feedFake(t, p)
	b := startBrowser(t)
	b.Open(p.URL())
	b.WaitFor("window.hindcast.room.kinds.some((k) => k.mesh)")
	stop()
	var free bool
	b.Eval(`(() => {
		const { room, arena } = window.hindcast, { gl } = arena.scene, meshes = room.kinds.map((k) => k.mesh?.buffer).filter(Boolean);
		if (!meshes.length || !meshes.every((m) => gl.isBuffer(m))) throw Error('no meshes');
		room.reset();
		room.take({ t: 'kinds', from: 0, kinds: [] });
		return !meshes.some((m) => gl.isBuffer(m));
	})()`, &free)
	if !free {
		t.Error("the GPU keeps shapes of kinds that are gone")
	}
}
