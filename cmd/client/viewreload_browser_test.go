//go:build external && unix

package main

import (
	"os"
	"path/filepath"
	"testing"
)

// TestBrowserShowsAnEditedView edits view.lua on the disk. The page shows it without a reload, and the
// simulation, which counts the switches of its scripts, notices nothing. A broken view.lua is refused with file
// and line, and the one before goes on. Without view.lua there is no HUD.
func TestBrowserShowsAnEditedView(t *testing.T) {
	takeTurn(t)
	dir := t.TempDir()
	write(t, dir, map[string]string{
		"game.toml": "name = \"looks\"\n",
		"ship.lua": `Ship = object "Ship" { state = { switched = 0 }, body = { shape = { circle = 1 } } }
function Ship:migrate(old) self.switched = old.switched + 1 end`,
		"game.lua": `function onJoin(p) spawn("Ship", { owner = p }) end`,
		"view.lua": `hud(function(v) if v.me then text { "one " .. v.me.switched } end end)`,
	})
	b := startBrowser(t)
	b.Open(startClient(t, startHost(t, dir)))
	reads := func(want string) {
		t.Helper()
		b.WaitFor("document.getElementById('hud').innerText.trim() === '" + want + "'")
	}
	reads("one 0")
	b.Eval("(() => { window.same = true; return 1; })()", new(int))
	write(t, dir, map[string]string{"view.lua": `hud(function(v) if v.me then text { "two " .. v.me.switched } end end)`})
	reads("two 0")
	write(t, dir, map[string]string{"view.lua": "\nhud(function(v) texxt { 'three' } end)\nlocal = 3"})
	b.WaitFor("document.getElementById('errors').innerText.includes('view.lua:3')")
	reads("two 0")
	if err := os.Remove(filepath.Join(dir, "view.lua")); err != nil {
		t.Fatal(err)
	}
	reads("")
	write(t, dir, map[string]string{"view.lua": `hud(function(v) if v.me then text { "four " .. v.me.switched } end end)`})
	reads("four 0")
	write(t, dir, map[string]string{"game.lua": "-- a comment\n" + `function onJoin(p) spawn("Ship", { owner = p }) end`})
	reads("four 1") // a script of the simulation is another matter

	// A field of the match that both files know from one save on: what is committed has it later than the present.
	write(t, dir, map[string]string{
		"game.lua": "game { state = { bonus = 7 } }\n" + `function onJoin(p) spawn("Ship", { owner = p }) end`,
		"view.lua": `hud(function(v) text { "bonus " .. v.committed.game.bonus + 1 } end)`,
	})
	b.Eval("(() => { window.errors = []; new MutationObserver(() => window.errors.push(document.getElementById('errors').innerText)).observe(document.getElementById('errors'), { childList: true, subtree: true, characterData: true, attributes: true }); return 1; })()", new(int))
	reads("bonus 8")
	var errors []string
	if b.Eval("window.errors.filter((e) => e.includes('bonus'))", &errors); len(errors) > 0 {
		t.Errorf("the page showed the errors %q", errors)
	}

	// hud and camera fail apart. What the one that failed showed does not stay as if it were the present.
	looks := func(hud, camera string) {
		text := "hud(function(v) " + hud + " end)\ncamera(function(v) " + camera + " end)"
		write(t, dir, map[string]string{"view.lua": text})
	}
	const panelText = "document.getElementById('errors').innerText.replaceAll('\\n', ' ')"
	const zoom, hudText = "window.hindcast.widgets.camera?.zoom[0]", "document.getElementById('hud').innerText"
	counts := func() {
		t.Helper()
		b.Eval("(() => { window.before = "+hudText+"; return 1; })()", new(int))
		b.WaitFor("/now \\d+/.test(" + hudText + ") && " + hudText + " !== window.before")
	}
	looks(`text { "now " .. math.floor(10 * v.now) }`, `return { zoom = 12 }`)
	b.WaitFor(zoom + " === 12")
	looks(`text { "now " .. math.floor(10 * v.now) }`, `error("cam")`)
	b.WaitFor("/view.lua:2 cam camera/.test(" + panelText + ") && " + zoom + " === undefined")
	counts()
	looks(`text { "now " .. v.me.none }`, `return { zoom = 6 }`)
	b.WaitFor("/view.lua:1 .*hud/.test(" + panelText + ") && !/cam/.test(" + panelText + ") && " + zoom + " === 6")
	reads("")
	looks(`error("draw")`, `error("cam")`)
	b.WaitFor("/view.lua:1 draw hud/.test(" + panelText + ") && /view.lua:2 cam camera/.test(" + panelText + ")")
	shot(b, "hud-and-camera.png")
	looks(`text { "now " .. math.floor(10 * v.now) }`, `return { zoom = 6 }`)
	counts()
	b.WaitFor("document.getElementById('errors').hidden && " + zoom + " === 6")
	b.WaitFor("window.same === true") // the page was not loaded again
}

// TestBrowserRepaintsATeam changes the colour of a team of soccer while a match goes on, as docs/modding.md says: what
// has the colour already is painted anew.
func TestBrowserRepaintsATeam(t *testing.T) {
	takeTurn(t)
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("../../scripts/soccer")); err != nil {
		t.Fatal(err)
	}
	b := startBrowser(t)
	b.Open(startClient(t, startHost(t, dir)))
	painted := func(color string) {
		t.Helper()
		b.WaitFor("window.hindcast.view.bodies.filter((b) => b.kind.color === '" + color + "').map((b) => b.class).sort().join() === 'Net,Player,Player'")
	}
	painted("#4aa3ff")
	edit(t, filepath.Join(dir, "game.lua"), `Blue = { color = "#4aa3ff" }`, `Blue = { color = "#22cc88" }`)
	painted("#22cc88")
}
