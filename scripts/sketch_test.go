package scripts_test

import (
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/hindcast/hindcast/luabind"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/scripts"
	"github.com/hindcast/hindcast/world"
)

// sketchView and sketchGame are what a modder would want to write, as it was sketched before there was an API for it: a
// whole HUD, and teams, a start screen, rounds, bots and levels.
const (
	sketchView = `local COLOR = { "#4aa3ff", "#ff6a4a" }
local mine = keep { feed = {} }
camera(function(v)
  return { follow = { v.first("Ball"), v.me }, weights = { 2, 1 }, zoom = { 14, 26 }, ahead = 0.25, inside = "arena", ease = 0.12 }
end)
hud(function(v)
  local g, sure = v.game, v.committed.game
  row({ at = "top", gap = 12, id = "score" }, function()
    text { sure.red, size = 36, color = COLOR[1] }
    text { countdown(g.ends), size = 24, blink = g.ends - v.now < 10 }
    text { sure.blue, size = 36, color = COLOR[2] }
  end)
  for _, p in ipairs(v.players()) do
    if p.object then tag { on = p.object, text = p.name, color = teamColor(p.team), ring = p.object.hasBall } end
  end
  if v.me then bar { on = v.me, dy = -1, value = v.me.charge, hide = 0, color = "#fd6" } end
  arrow { to = v.first("Ball"), edge = 24 }
  minimap { at = "bottomLeft", size = 150, classes = { "Player", "Ball" } }
  lines { at = "topRight", items = mine.feed, most = 4, fade = 6 }
  if g.phase == "over" then banner { teamName(sure.winner) .. " wins", sub = countdown(g.ends) } end
end)
scoreboard { group = "team", sort = "-goals", columns = { "name", "goals", "passes", "steals", "ping" } }
onCue("goal", function(c)
  push(mine.feed, playerName(c.by) .. " scores")
  shake { 0.6, ms = 300 } burst { x = c.x, y = c.y, color = COLOR[c.team], n = 80 } sound { file = "cheer.ogg" }
  instantReplay { seconds = 4, speed = 0.5, focus = c.object }
end)
`
	sketchGame = `-- game.lua
teams  { Red = { color = "#f55" }, Blue = { color = "#59f" } }
entry  { name = true, team = "choose", kit = { "Scout", "Tank" }, note = "First team to 30" }
player { state = { goals = 0, passes = 0, steals = 0, kit = str(8) } }
game   { state = { phase = str(8, "warmup"), ends = 10, red = 0, blue = 0, winner = 0 } }
function onStart() fillTeams("Player", 4) end   -- bots: owner 0, think
function onJoin(p, asked)                       -- asked: the answers of the start screen, checked, part of the join event
  setTeam(p, asked.team or smallestTeam())
  stats(p).kit = asked.kit or "Scout"
  takeOver(p, "Player")                         -- a bot's place
end
function tick()
  if now() < game.ends then return end
  if game.phase == "over" then level("bridge") resetStats() end    -- takes effect when the tick ends and is rewound with it; nobody leaves
  game.phase, game.ends, game.winner = game.phase == "over" and "play" or "over", now() + 2, 2
end
`
	sketchViewLines, sketchGameLines = 27, 16 // of the sketches
	sketchRest                       = `
Ball = object "Ball" { body = { shape = { circle = 0.3 } } }
Player = object "Player" { state = { team = str(16), charge = 0.5, hasBall = true }, body = { shape = { circle = 0.5 } } }
function Player:think() return {} end
function Ball:tick()
  if tickNumber() == 300 then cue("goal", { x = 1, y = 2, by = 1, team = 1, when = "confirmed" }) end
end
`
)

// TestSketches: a game that is written as briefly as it was sketched is played, shows its HUD, its table, the effects
// of a goal and the winner, and goes on in another level.
func TestSketches(t *testing.T) {
	t.Parallel()
	if n := strings.Count(sketchView, "\n"); n > sketchViewLines {
		t.Errorf("the view has %d lines, sketched were %d", n, sketchViewLines)
	}
	if n := strings.Count(sketchGame, "\n"); n > sketchGameLines {
		t.Errorf("the game has %d lines, sketched were %d", n, sketchGameLines)
	}
	g, err := scripts.Load(fstest.MapFS{
		"game.toml": lua("name = 'sketch'\n[[spawn]]\nclass = 'Ball'\n" +
			"[level.bridge]\nwidth = 60\n[[level.bridge.spawn]]\nclass = 'Ball'"),
		"game.lua":   lua(sketchGame),
		"player.lua": lua(sketchRest),
		"view.lua":   lua(sketchView),
	}, "sketch")
	if err != nil {
		t.Fatal(err)
	}
	script, err := g.Compile(luabind.Compile)
	if err != nil {
		t.Fatal(err)
	}
	view, err := luabind.NewView(g.Bundle.Files, g.Bundle.Setup, nil)
	if err != nil {
		t.Fatal(err)
	}
	tl := timeline.New(faultless{script, t}, timeline.Options{States: 2})
	tl.KeepCues(true)
	name, _ := script.Schema().Functions.EntryForm()
	answers := []world.NamedValue{{Value: world.NumberValue(1)}, {Value: world.TextValue("team=Blue kit=Tank")}}
	for _, e := range []world.Event{{Tick: 2, Kind: world.JoinEvent, Player: 1},
		{Tick: 3, Kind: world.CallEvent, Number: 1, Name: name, Values: answers}} {
		if _, err := tl.Insert(e, timeline.Origin{}); err != nil {
			t.Fatal(err)
		}
	}
	var kinds []string
	var effects []luabind.Effect
	for range 16 * g.Bundle.Setup.TickRate {
		tl.Step()
		cues := tl.Past().Cues(tl.Now())
		for i := range cues {
			shown, _, err := view.Show(luabind.OnCue, &cues[i], luabind.Showing{})
			if err != nil {
				t.Fatal(err)
			}
			effects = append(effects, shown...)
		}
		if tl.Now() == 60 {
			_ = tl.Past().Read(60, func(r world.Reader) {
				team, _ := r.Player(1).Text("team")
				if kit, _ := r.Player(1).Text("kit"); team != "Blue" || kit != "Tank" {
					t.Errorf("team %q, kit %q", team, kit)
				}
			})
		}
		if tl.Now()%30 != 0 {
			continue
		}
		hud := sketchHUD(t, tl, script, view)
		for _, w := range hud.Widgets {
			if !slices.Contains(kinds, w.Kind) {
				kinds = append(kinds, w.Kind)
			}
			if w.Kind == "banner" && w.Text != "Red wins" {
				t.Errorf("the banner says %q", w.Text)
			}
		}
	}
	if want := []string{"row", "tag", "bar", "arrow", "minimap", "lines", "banner"}; !slices.Equal(kinds, want) {
		t.Errorf("widgets %q, want %q", kinds, want)
	}
	if len(effects) != 4 {
		t.Errorf("a goal has the effects %+v", effects)
	}
	err = tl.Past().Read(tl.Now(), func(r world.Reader) {
		if world.LevelsOf(r.Actor()).InForce().Name != "bridge" {
			t.Errorf("the level is %s", world.LevelsOf(r.Actor()).InForce().Name)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
}

// faultless is a Script whose hooks must not fail.
type faultless struct {
	world.Script
	t *testing.T
}

func (f faultless) Call(a world.Actor, h world.Hook, slot int, args *world.Args) error {
	err := f.Script.Call(a, h, slot, args)
	if err != nil {
		f.t.Error(err)
	}
	return err
}

// sketchHUD runs the functions of view.lua on the newest tick.
func sketchHUD(t *testing.T, tl *timeline.Timeline, script world.Script, view *luabind.View) *luabind.HUD {
	t.Helper()
	s := tl.At(tl.Now())
	w := world.New()
	w.Load(s, script.Schema())
	r := w.Reader()
	f := &luabind.Frame{Now: float64(s.Tick) / 60, Player: 1, Match: r.Match(), Committed: r.Match(),
		Schema: script.Schema()}
	for _, slot := range s.Run {
		o := &s.Objects[slot]
		fields, err := r.Fields(o.ID)
		if err != nil {
			continue
		}
		if b := s.Body(int(slot)); b.Key != 0 {
			class := &script.Schema().Classes[o.Class]
			f.Objects = append(f.Objects, luabind.FrameObject{ID: o.ID, Class: class, Owner: o.Owner, X: b.X, Y: b.Y,
				Fields: fields})
		}
	}
	for i := range s.Players {
		p := s.Players[i].ID
		f.Players = append(f.Players, luabind.FramePlayer{ID: p, Name: "ada", Stats: r.Player(p)})
	}
	hud, err := view.HUD(f)
	if err != nil {
		t.Fatal(err)
	}
	return hud
}

var rxChange = regexp.MustCompile("(?m)^\\| [^`|]* \\| `(\\w+\\.lua)` \\| `([^`]+)` \\| `([^`]+)` \\|$")

// TestChangesOfSoccer makes the changes of the section "Change soccer" of docs/modding.md, one after the other: each
// time the game and its HUD load, and a match is played.
func TestChangesOfSoccer(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../docs/modding.md")
	if err != nil {
		t.Fatal(err)
	}
	folder, _ := scripts.Builtin("soccer")
	files := fstest.MapFS{}
	err = fs.WalkDir(folder, ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			var text []byte
			text, err = fs.ReadFile(folder, name)
			files[name] = lua(string(text))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	changes := rxChange.FindAllStringSubmatch(string(page), -1)
	if len(changes) != 3 {
		t.Fatalf("%d changes", len(changes))
	}
	for _, c := range changes {
		before := string(files[c[1]].Data)
		if !strings.Contains(before, c[2]) {
			t.Fatalf("%s has no %s", c[1], c[2])
		}
		files[c[1]] = lua(strings.Replace(before, c[2], c[3], 1))
		g, err := scripts.Load(files, "mine")
		if err != nil {
			t.Fatal(err)
		}
		script, err := g.Compile(luabind.Compile)
		if err != nil {
			t.Fatal(err)
		}
		view, err := luabind.NewView(g.Bundle.Files, g.Bundle.Setup, nil)
		if err != nil {
			t.Fatal(err)
		}
		tl := timeline.New(faultless{script, t}, timeline.Options{States: 2})
		for range 20 * g.Bundle.Setup.TickRate {
			tl.Step()
		}
		sketchHUD(t, tl, script, view)
	}
}
