//go:build external && unix

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// TestBrowserShowsTextsOfAHostAsText: each text that a host or a player gives the page has an element in it. The page
// shows it as it is written, and makes no element of it.
func TestBrowserShowsTextsOfAHostAsText(t *testing.T) {
	takeTurn(t)
	dir := t.TempDir()
	for name, text := range map[string]string{
		"game.toml": "name = \"<img src=x onerror=game>\"\n",
		"game.lua": `
Ship = object "Ship" {
  state = { title = str(40, "<img src=x onerror=label>") },
  body = { shape = { circle = 1 } },
  look = { label = "{title}" },
}
function Ship:tick() error("<img src=x onerror=error>") end
function onJoin(p) spawn("Ship", { owner = p }) cue("boom", {}) end`,
		"view.lua": `
onCue("boom", function(c) text { "<img src=x onerror=cue>" } end)
hud(function(v)
  text { "<img src=x onerror=text>", at = "top" }
  row({ at = "bottom" }, function() text { "<img src=x onerror=row>" } end)
  bar { at = "left", value = 0.5, text = "<img src=x onerror=bar>" }
  lines { at = "right", items = { "<img src=x onerror=lines>" } }
  banner { "<img src=x onerror=banner>", sub = "<img src=x onerror=sub>" }
  tag { on = v.me, text = "<img src=x onerror=tag>" }
end)`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	b := startBrowser(t)
	b.Open(startAsking(t, "-name", "<img src=x onerror=name>", startHost(t, dir)))
	b.WaitFor(shownShip + " !== undefined")
	b.Press("Enter")
	b.Release("Enter")
	b.Type("<img src=x onerror=chat>")
	b.Press("Enter")
	b.Release("Enter")
	b.Press("Tab")
	for _, what := range []string{"game", "error", "text", "row", "bar", "lines", "banner", "sub", "name", "chat"} {
		b.WaitFor(fmt.Sprintf("document.body.textContent.includes('<img src=x onerror=%s>')", what))
	}
	shot(b, "hostile.png")
	b.Release("Tab")
	var made int
	b.Eval("document.querySelectorAll('img, [onerror]').length", &made)
	if made != 0 {
		t.Errorf("the page has made %d elements of texts", made)
	}
}
