//go:build external && unix

package main

import (
	"os"
	"path/filepath"
	"testing"
)

// TestBrowserAsksFirst: the start screen shows what the game asks, and the player joins with the answers. A player
// without a page, and one who answers nothing, join too.
func TestBrowserAsksFirst(t *testing.T) {
	takeTurn(t)
	dir := t.TempDir()
	for name, text := range map[string]string{
		"game.toml": "name = \"tanks\"\n[arena]\nwidth = 20\nheight = 12\nwalls = true\n",
		"game.lua": `
teams { Red = { color = "#ff6a4a" }, Blue = { color = "#4aa3ff" } }
entry { team = "choose", kit = { "Scout", "HeavyTank" }, note = "First team to 30", name = true }
player { state = { kit = str(16) } }
Tank = object "Tank" { body = { shape = { box = { 1, 1 } } }, input = { Fire = "bool" }, controls = { Fire = "space" }, state = { color = str(8), shots = 0 },
  look = { shape = "square", color = "{color}" } }
function Tank:applyInput(input) if input:pressed("Fire") then self.shots = self.shots + 1 end end
function onJoin(p, asked)
  setTeam(p, asked.team or smallestTeam())
  stats(p).kit = asked.kit or "none"
  spawn("Tank", { owner = p, x = 4 * p - 8, color = teamColor(stats(p).team) })
end`,
		"view.lua": `hud(function(v) for _, p in ipairs(v.players()) do text { p.name .. " " .. p.team .. " " .. p.kit, at = "top" } end end)`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	host := startHost(t, dir)
	b := startBrowser(t)
	for name, args := range map[string][]string{"named": {"-name", "ada"}, "bot": {"-bot", "circle"}} { // join at once
		t.Run(name, func(t *testing.T) {
			b.Open(startAsking(t, append(args, host)...))
			b.WaitFor(ownBody + " !== undefined && document.getElementById('start').hidden")
		})
	}
	const top = "(document.querySelector('.place.top')?.innerText ?? '')"
	for _, c := range []struct {
		name          string
		width, height int
		answers       []string
		want          string
	}{
		{"desktop", 1280, 800, []string{"team=Red", "kit=Scout", "kit=HeavyTank", "team=Blue"}, "Ada Lovelace Blue HeavyTank"},
		{"phone", 390, 844, []string{"kit=Scout"}, "Ada Lovelace Blue Scout"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b.Size(c.width, c.height, 1)
			b.Open(startAsking(t, host))
			b.WaitFor("document.getElementById('start-note').innerText === 'First team to 30' && document.querySelectorAll('#questions button').length === 4")
			b.WaitFor("!document.getElementById('start').hidden")
			b.WaitFor("document.getElementById('help').innerText.includes('fire')")
			b.Eval("(() => { if ("+ownBody+") throw Error('the player joined without Play'); return 1; })()", new(int))
			for _, answer := range c.answers {
				b.Eval("(() => { document.querySelector('[data-answer=\""+answer+"\"]').click(); return 1; })()", new(int))
			}
			b.WaitFor("document.getElementById('answer-name').value === '" + loginName() + "'")
			b.Eval("(() => { document.getElementById('answer-name').focus(); return 1; })()", new(int))
			b.do("Input.insertText", map[string]any{"text": "Ada Lovelace"}, nil)
			b.Eval("(() => { document.activeElement.blur(); return 1; })()", new(int))
			b.Press(" ") // must not join without the button
			b.Release(" ")
			shot(b, "questions-"+c.name+".png")
			b.Eval("(() => { if (document.getElementById('start').hidden) throw Error('closed by a key'); for (const e of document.querySelectorAll('#start, #questions button, #play')) { const r = e.getBoundingClientRect(); if (r.left < 0 || r.right > innerWidth || r.top < 0 || r.bottom > innerHeight) throw Error(e.id + ' is off the screen'); } return 1; })()", new(int))
			b.Click("play")
			b.WaitFor(top + ".includes('" + c.want + "')")
			b.WaitFor(ownBody + " !== undefined")
			shot(b, "joined-"+c.name+".png")
		})
	}
}
