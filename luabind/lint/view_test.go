package lint

import (
	"strings"
	"testing"
)

const shownGame = `game { state = { score = 0, ends = 9, best = record { who = 0 } } }
player { state = { goals = 0 } }
Ship = object "Ship" { state = { charge = 0 }, body = { shape = { circle = 1 } } }
Ball = object "Ball" { body = { shape = { circle = 1 } } }
function Ship:tick() cue("goal", { by = 1 }) cue("kick") end`

// TestCheckViewNames: lines of view.lua, and what is found, "" for nothing.
func TestCheckViewNames(t *testing.T) {
	inHUD := func(body string) string { return "hud(function(v)\n" + body + "\nend)" }
	for text, want := range map[string]string{
		inHUD(`text { 1, color = "red" } row({ gap = 2 }, function() text { v.game.score } end)`): "",
		inHUD(`text { 1, colour = "red" }`):                                                  "view.lua:2:11: text has no colour; did you mean color?",
		inHUD(`bar { valeu = 1 }`):                                                           "view.lua:2:7: bar has no valeu; did you mean value?",
		inHUD(`row({ gpa = 2 }, function() text { 1, siez = 2 } end)`):                       "view.lua:2:7: row has no gpa; did you mean gap?\nview.lua:2:39: text has no siez; did you mean size?",
		inHUD(`text { v.game.scroe + 1 }`):                                                   "view.lua:2:15: the match has no field scroe; did you mean score?",
		inHUD(`local g, sure = v.game, v.committed.game text { g.ends } text { sure.edns }`): "view.lua:2:70: the match has no field edns; did you mean ends?",
		inHUD(`text { v.game.best }`):                                                        "view.lua:2:1: text: the value must be a string, and is a table; write a text",
		inHUD(`text { v.committed.score }`):                                                  "view.lua:2:20: v.committed has no score; write v.committed.game.score",
		inHUD(`text { v.gmae.score }`):                                                       "view.lua:2:10: v has no gmae; did you mean game?",
		inHUD(`arrow { to = v.first("Shpi") }`):                                              "view.lua:2:23: first: there is no class Shpi; did you mean Ship?",
		inHUD(`for _, b in ipairs(v.all("Ship")) do tag { on = b, text = b.chrage } end`):    "view.lua:2:61: Ship has no field chrage; did you mean charge?",
		inHUD(`local s = v.first("Ball") if s then text { s.charge } end`):                   "view.lua:2:46: Ball has no field charge; there are angle, class, id, owner, x and y",
		inHUD(`if v.me then bar { on = v.me, value = v.me.charge } end`):                     "",
		inHUD(`if v.me then bar { on = v.me, value = v.me.charg } end`):                      "view.lua:2:44: an object has no field charg; did you mean charge?",
		inHUD(`for _, p in ipairs(v.players()) do if p.object then tag { on = p.object, text = p.name .. p.goals } end end`): "",
		inHUD(`for _, p in ipairs(v.players()) do text { p.golas } end`):                                                     "view.lua:2:45: a player of v.players() has no field golas; did you mean goals?",
		inHUD(`minimap { classes = { "Ball", "Sihp" } }`):                                                                    "view.lua:2:32: minimap: there is no class Sihp; did you mean Ship?",
		inHUD(`row { gap = 2 }`):                          "view.lua:2:1: row takes 2 arguments, and is called with 1; the signature is row(what, add)",
		`camera(function(v) return { folow = v.me } end)`: "view.lua:1:29: camera has no folow; did you mean follow?",
		`camera(function(v) local f = function() return { any = 1 } end if f().any then return nil end return { follow = v.me } end)`: "",
		`scoreboard { columns = { "name", "kills", "ping" }, sort = "-goals" }`:                                                       "view.lua:1:35: scoreboard: player { ... } declares no field kills; there are goals, name and ping",
		`scoreboard { columns = { "name" }, sort = "-gaols", group = "team" }`:                                                        "view.lua:1:45: scoreboard: player { ... } declares no field gaols; did you mean goals?\nview.lua:1:62: scoreboard: player { ... } declares no field team; there are goals, name and ping",
		`onCue("goal", function(c) flash { sise = c.by } end)`:                                                                        "view.lua:1:35: flash has no sise; did you mean size?",
		`hud(function(v) while true do end end)`:                                                                                      "view.lua:1:17: this loop never ends, so that the budget ends the hook; the function runs anew for each picture: write what one picture shows",
		`onCue("gaol", function(c) end)`:                                                                                              "view.lua:1:8: onCue: no script emits a cue gaol; did you mean goal? (emitted in game.lua:5; if gaol is right, write it there)",
		`local function bar(n) return n end hud(function(v) text { bar { valeu = 1 }.valeu } end)`:                                    "",
	} {
		var got []string
		for _, f := range Check(bundle("game.lua", shownGame, "view.lua", text), testSetup) {
			if f.File == "view.lua" {
				got = append(got, f.String())
			}
		}
		if strings.Join(got, "\n") != want {
			t.Errorf("%s\nfound\n%s\nwant\n%s", text, strings.Join(got, "\n"), want)
		}
	}
}

// TestCheckViewKnowsNoCues: a script that computes the name of a cue may emit any.
func TestCheckViewKnowsNoCues(t *testing.T) {
	files := bundle("game.lua", shownGame+"\nfunction Ship:say(name) cue(name) end\nfunction Ship:onSpawn() self:say('boom') end", "view.lua", `onCue("boom", function(c) end)`)
	if got := Check(files, testSetup); len(got) > 0 {
		t.Error(got)
	}
}
