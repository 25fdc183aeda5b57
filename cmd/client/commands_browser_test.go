//go:build external && unix

package main

import (
	"os"
	"path/filepath"
	"testing"
)

// TestBrowserSendsCommands: a line of chat that begins with a slash calls a function of game.lua, which the page
// shows, and a wrong one is answered in the chat.
func TestBrowserSendsCommands(t *testing.T) {
	takeTurn(t)
	dir := t.TempDir()
	for name, text := range map[string]string{
		"game.toml": "name = \"votes\"\n",
		"game.lua": `
game { state = { map = str(16) }, calls = { vote = { "player", "string" } } }
function vote(p, map) game.map = map end`,
		"view.lua": `hud(function(v) text { v.game.map, at = "top" } end)`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	b := startBrowser(t)
	b.Open(startClient(t, startHost(t, dir)))
	b.WaitFor("window.hindcast.view?.tick > 0")
	say := func(line string) {
		b.Press("Enter")
		b.Release("Enter")
		b.Type(line)
		b.Press("Enter")
		b.Release("Enter")
	}
	say("/vote old bridge")
	b.WaitFor("document.querySelector('.place.top')?.innerText === 'old bridge'")
	say("/fly")
	b.WaitFor("document.getElementById('chat').innerText.includes('no such function: /fly; there is only /vote string')")
}
