package luabind_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/hindcast/hindcast/luabind"
	"github.com/hindcast/hindcast/runtime/host"
	"github.com/hindcast/hindcast/world"
)

func loadHUD(t *testing.T, text string) *luabind.View {
	t.Helper()
	setup := world.Setup{TickRate: 60, Substeps: 1, Width: 40, Height: 24}
	v, err := luabind.NewView([]world.Source{{Name: "view.lua", Text: text}}, setup, nil)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// soccerFrame is what a view of a game of soccer might be.
func soccerFrame(t *testing.T) *luabind.Frame {
	t.Helper()
	script := `
game { state = { red = 1, blue = 2, ends = 130, phase = str(8), log = list(str(8), 2) } }
function onStart() table.insert(game.log, "first") end
Ball = object "Ball" { body = { shape = { circle = 0.3 } } }
Player = object "Player" { state = { charge = 0.5, hasBall = true, foe = ref(), spot = record { x = 0, y = 0.5 }, bag = list(record { item = str(8), count = 1, by = ref() }, 4), hits = list("number", 3), none = list("bool", 2) }, body = { shape = { circle = 0.5 } } }
Keeper = object "Keeper" { extends = Player }`
	p, err := luabind.NewProgram([]world.Source{{Name: "game.lua", Text: script}}, world.Setup{TickRate: 60, Substeps: 1, Width: 40, Height: 24})
	if err != nil {
		t.Fatal(err)
	}
	w := world.New()
	w.Load(nil, p.Schema())
	w.Begin()
	w.SpawnLevel(func(int, *world.Event) {})
	gameSlot, _ := w.Match()
	defer w.Act(w.Act(gameSlot))
	fill := func(slot int, fields host.Fields) {
		values, err := fields.Values(w.Class(slot))
		if err == nil {
			err = w.ApplySet(&world.Event{Kind: world.SetEvent, Object: w.Now.Objects[slot].ID, Values: values})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	fill(gameSlot, host.Fields{"log": []any{"first"}})
	object := func(id world.ObjectID, owner world.PlayerID, class string, x, y float64) luabind.FrameObject {
		slot, err := w.Spawn(class, world.Placement{})
		if err != nil {
			t.Fatal(err)
		}
		if class == "Player" {
			fill(slot, host.Fields{"bag": []any{map[string]any{"item": "rope", "count": 3.0}, map[string]any{"item": "bow", "count": 1.0}}, "hits": []any{4.0, 5.0}, "foe": world.ObjectID(0x10)})
		}
		r, err := w.Reader().Fields(w.Now.Objects[slot].ID)
		if err != nil {
			t.Fatal(err)
		}
		return luabind.FrameObject{ID: id, Class: w.Class(slot), Owner: owner, X: x, Y: y, Fields: r}
	}
	game := w.Reader().Match()
	return &luabind.Frame{Schema: p.Schema(), Now: 12.5, Player: 2, Match: game, Committed: game, Players: []luabind.FramePlayer{{ID: 2, Name: "ada"}, {ID: 3, Name: "bob"}},
		Objects: []luabind.FrameObject{object(0x10, 0, "Ball", 3, 0), object(0x20, 2, "Player", 1, 2), object(0x30, 0, "Keeper", 5, 0)}}
}

func TestHUD(t *testing.T) {
	v := loadHUD(t, `
camera(function(v) return { follow = { v.first("Ball"), v.me, nil }, weights = { 2, 1 }, zoom = { 14, 26 }, ahead = 0.25, inside = "arena" } end)
hud(function(v)
  row({ at = "top", gap = 12 }, function()
    text { v.committed.game.red, size = 36, color = "#4aa3ff" }
    text { countdown(v.game.ends), blink = v.game.ends - v.now < 10 }
  end)
  for _, p in ipairs(v.players()) do
    if p.object then tag { on = p.object, text = p.name, ring = p.object.hasBall } end
  end
  bar { on = v.me, dy = -1, value = v.me.charge, most = 2 }
  arrow { to = v.first("Ball"), edge = 24 }
  lines { at = "topRight", items = { "one", 2 }, most = 4 }
  minimap { at = "bottomLeft", size = 150, classes = { "Player" } }
  banner { #v.all("Ball") .. " ball", sub = "golden goal" }
end)`)
	h, err := v.HUD(soccerFrame(t))
	if err != nil {
		t.Fatal(err)
	}
	got, err := json.Marshal(h)
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"widgets":[{"kind":"row","at":"top","gap":12,"items":[{"kind":"text","text":"1","color":"#4aa3ff","size":36},{"kind":"text","text":"1:58"}]},` +
		`{"kind":"tag","on":"0000000000000020","text":"ada","ring":true},{"kind":"bar","on":"0000000000000020","value":0.5,"most":2,"away":[0,-1]},` +
		`{"kind":"arrow","on":"0000000000000010","gap":24},{"kind":"lines","at":"topRight","most":4,"lines":["one","2"]},` +
		`{"kind":"minimap","at":"bottomLeft","size":150,"lines":["Player","Keeper"]},{"kind":"banner","text":"1 ball","lines":["golden goal"]}],` +
		`"camera":{"follow":["0000000000000010","0000000000000020"],"shares":[0.6666666666666666,0.3333333333333333],"zoom":[14,26],"ahead":0.25,"ease":0.1,"inside":true}}`
	if string(got) != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// TestHUDAsksObjectsOfSeveralClasses tests that names which the scripts declare are nil where there is no such value.
func TestHUDAsksObjectsOfSeveralClasses(t *testing.T) {
	v := loadHUD(t, `
hud(function(v)
  for _, class in ipairs { "Ball", "Player" } do
    local o = v.first(class)
    text { tostring(o.charge) .. " " .. tostring(o.foe) }
  end
  for _, p in ipairs(v.players()) do text { tostring(p.object and p.object.id) } end
  local names = {}
  for k in pairs(v.me or {}) do names[#names + 1] = k end
  text { table.concat(names, " ") }
  if v.me == nil then text { "nobody" } end
end)`)
	f := soccerFrame(t)
	for _, want := range []string{`nil nil,0.5 0000000000000010,0000000000000020,nil,angle charge class foe hasBall id owner x y`,
		`nil nil,0.5 0000000000000010,0000000000000020,nil,,nobody`} {
		h, err := v.HUD(f)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, w := range h.Widgets {
			got = append(got, w.Text)
		}
		if s := strings.Join(got, ","); s != want {
			t.Errorf("%s\nwant\n%s", s, want)
		}
		f.Player = 0
	}
}

// TestHUDReadsListsAndRecords tests that the lists and records of the state are there.
func TestHUDReadsListsAndRecords(t *testing.T) {
	v := loadHUD(t, `
local mine = keep { last = 0 }
hud(function(v)
  local me = v.me
  text { #me.bag .. " " .. #me.hits .. " " .. #me.none }
  for i, slot in ipairs(me.bag) do text { i .. slot.item .. slot.count .. tostring(slot.by) } end
  text { table.concat(me.hits, "+") .. " " .. me.spot.x .. " " .. me.spot.y }
  text { tostring(me.bag == me.bag) .. tostring(rawequal(me.hits, me.hits)) }
  local names = {}
  for k in pairs(me) do names[#names + 1] = k end
  text { table.concat(names, " ") }
  text { #v.game.log .. v.committed.game.log[1] }
  local ball = v.object(me.foe)
  text { ball.class .. ball.x .. tostring(v.object(nil)) .. tostring(v.object("00000000000000ff")) }
  tag { on = me.foe, text = "foe" }
end)`)
	f := soccerFrame(t)
	for range 2 { // in each frame anew
		h, err := v.HUD(f)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, w := range h.Widgets {
			got = append(got, w.Text)
		}
		const want = "2 2 0,1rope3nil,2bow1nil,4+5 0 0.5,truetrue," +
			"angle bag charge class foe hasBall hits id none owner spot x y,1first,Ball3nilnil,foe"
		if s := strings.Join(got, ","); s != want {
			t.Errorf("%s\nwant\n%s", s, want)
		}
	}
}

// TestScoreboard tests the table of players: its order, its groups, and its mistakes.
func TestScoreboard(t *testing.T) {
	script := `player { state = { team = str(4), goals = 0, away = false } }`
	p, err := luabind.NewProgram([]world.Source{{Name: "game.lua", Text: script}}, world.Setup{TickRate: 60, Substeps: 1, Width: 40, Height: 24})
	if err != nil {
		t.Fatal(err)
	}
	w := world.New()
	w.Load(nil, p.Schema())
	w.Begin()
	w.SpawnLevel(func(int, *world.Event) {})
	f := &luabind.Frame{Match: w.Reader().Match(), Committed: w.Reader().Match()}
	for i, name := range []string{"ada", "bob", "cy"} {
		id := world.PlayerID(i + 1)
		w.Join(id)
		player, _ := w.Now.PlayerByID(id)
		set := &world.Event{Kind: world.SetEvent, Object: player.Object(), Values: []world.NamedValue{
			{Name: "team", Value: world.TextValue([]string{"red", "blue", "red"}[i])}, {Name: "goals", Value: world.NumberValue(float64(i))}}}
		if err := w.ApplySet(set); err != nil {
			t.Fatal(err)
		}
		f.Players = append(f.Players, luabind.FramePlayer{ID: id, Name: name, Stats: w.Reader().Player(id)})
	}
	v := loadHUD(t, `scoreboard { columns = { "name", "goals", "away", "none" }, sort = "-goals", group = "team" }`)
	h, err := v.HUD(f)
	if err != nil {
		t.Fatal(err)
	}
	got, _ := json.Marshal(h)
	const want = `{"widgets":[],"scores":{"columns":["name","goals","away","none"],"rows":[{"player":2,"group":"blue","cells":["bob","1","no",""]},` +
		`{"player":3,"group":"red","cells":["cy","2","no",""]},{"player":1,"group":"red","cells":["ada","0","no",""]}]}}`
	if string(got) != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	for text, want := range map[string]string{
		`scoreboard {}`: "name its columns", `scoreboard { columns = 5 }`: "must be a list of at most 8 names",
		`scoreboard { columns = { 5 } }`: "column 1 must be name", `scoreboard { column = {} }`: "scoreboard has no column; there are columns, group and sort",
		`scoreboard { columns = { "name" }, sort = 5 }`:           "sort must be the name of a field",
		`scoreboard { columns = { "name" }, group = "-team" }`:    "group must be the name of a field",
		`for _ = 1, 2 do scoreboard { columns = { "name" } } end`: "is declared already",
	} {
		_, err := luabind.NewView([]world.Source{{Name: "view.lua", Text: text}}, world.Setup{TickRate: 60, Substeps: 1, Width: 40, Height: 24}, nil)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

// TestHUDErrors tests that a mistake names its line, and that the view works after it.
func TestHUDErrors(t *testing.T) {
	for _, c := range []struct{ body, want string }{
		{`text { 1, colour = "red" }`, "text has no colour; there are at, id, blink, color and size"},
		{`text { 1, color = "red;" }`, `"red;" is not a color`},
		{`text { 1, color = "gr" .. "n" }`, `"grn" is not a color`},
		{`text { 1, color = "rgb(255, 0)" .. "" }`, `"rgb(255, 0)" is not a color`},
		{`text { 1, color = "rgb(255, 0, x)" .. "" }`, `"rgb(255, 0, x)" is not a color`},
		{`text { 1, color = "paint(255, 0, 0)" .. "" }`, `"paint(255, 0, 0)" is not a color`},
		{`text { 1, color = "{team}" }`, `"{team}" is not a color`},
		{`text { {} }`, "text: 1 must be a text or a number, not a table"},
		{`bar { value = "x" }`, "bar: value must be a number"},
		{`row({ at = "up" }, function() end)`, "row: at must be one of"},
		{`row({})`, "row: the second argument must be a function"},
		{`tag { on = 5 }`, `tag: on must be an object, such as v.me or v.first("Ball")`},
		{`for i = 1, 300 do text { i } end`, "a HUD has at most 256 widgets"},
		{`while true do end`, "20000 instructions"},
		{`local function deep() row({}, deep) end deep()`, "can be 7 deep"},
		{`for i = 1, 20 do text { string.rep("x", 1000) } end`, "at most 16384 bytes"},
		{`v.me.charge = 2`, "read-only"},
		{`local o = v.object("Ball")`, `object: "Ball" is no id of an object: me.target is one, if the class declares target = ref(); v.first("Ball") gives`},
		{`tag { on = "Ball" }`, `tag: on must be an object, such as v.me or v.first("Ball")`},
		{`if v.gmae then end`, "v has no field gmae; did you mean game?"},
		{`if v.time then end`, "v has no field time; it has all, committed, first, game, level, me, now, object, player and players"},
		{`local k = "rde" text { v.game[k] }`, "v.game has no field rde; did you mean red?"},
		{`local k = "rde" text { v.committed.game[k] }`, "v.committed.game has no field rde; did you mean red?"},
		{`local k = "red" text { v.committed[k] }`, "v.committed has no field red; it has game"},
		{`local me = v.me if me.hasBal then end`, "Player has no field hasBal; did you mean hasBall?"},
		{`local me = v.me if me.position then end`, "Player has no field position: "},
		{`for _, o in ipairs(v.all("Ball")) do if o[1] then end end`, "Ball has no field 1; it has angle, class, id, owner, x and y"},
		{`for _, p in ipairs(v.players()) do if p.nam then end end`, "a player of v.players() has no field nam; did you mean name?"},
		{`local me = v.me text { me.spot.z }`, "Player.spot has no field z; it has x and y"},
		{`local me = v.me text { me.bag[1].cuont }`, "Player.bag[] has no field cuont; did you mean count?"},
		{`local me = v.me text { me.bag.count }`, "Player.bag is a list, and has no field count: its first item is Player.bag[1]"},
		{`local me = v.me me.bag[1].count = 5`, "read-only"},
		{`local me = v.me table.insert(me.bag, { count = 1 })`, "read-only"},
		{`if v.game.x then end`, "v.game has no field x; it has blue, ends, phase, red and log"},
		{`spawn("Ball")`, "cannot reach the simulation"},
	} {
		v := loadHUD(t, "local fails = true\nhud(function(v)\n  if v.now > 0 then "+c.body+" end\nend)")
		p := soccerFrame(t)
		_, err := v.HUD(p)
		var se *world.ScriptError
		if !errors.As(err, &se) || se.File != "view.lua" || se.Line != 3 || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want line 3 with %s", c.body, err, c.want)
		}
		p.Now = 0
		if h, err := v.HUD(p); err != nil || len(h.Widgets) != 0 {
			t.Errorf("%s: afterwards %+v, %v", c.body, h, err)
		}
	}
	for _, c := range []struct{ result, want string }{
		{`5`, "the result must be a table or nil"},
		{`{ zoom = 0 }`, "zoom: 0 is not a number from 1 to 10000"},
		{`{ zoom = { 20, 10 } }`, "zoom: 10 is not a number from 20 to 10000"},
		{`{ follow = 7 }`, "follow must be an object"},
		{`{ follow = { v.me, 7 } }`, "item 2 is a number, not an object"},
		{`{ speed = 1 }`, "there is no speed; there are ahead"},
		{`{ inside = "here" }`, `inside must be "arena"`},
		{`{ weights = 1 }`, "weights must be a table"},
	} {
		v := loadHUD(t, "camera(function(v) return "+c.result+" end)")
		if _, err := v.HUD(soccerFrame(t)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.result, err, c.want)
		}
	}
	if h, err := loadHUD(t, `onCue("x", function() end)`).HUD(soccerFrame(t)); h != nil || err != nil {
		t.Errorf("without hud and camera: %+v, %v", h, err)
	}
}

// TestHUDAndCameraFailApart: each of the two functions runs and reports by itself, also if the other one uses up its
// budget, breaks the interpreter, or makes view.lua keep what it cannot.
func TestHUDAndCameraFailApart(t *testing.T) {
	const good, looks = `text { "t " .. v.me.charge .. teamName(1) }`, `return { follow = v.me, zoom = 7 }`
	for _, c := range []struct{ draw, look, drawn, looked string }{
		{good, looks, "", ""},
		{good, `error("cam")`, "", "view.lua:4: cam"},
		{good, `return 5`, "", "the result must be a table"},
		{`text { "first" } row({}, function() error("draw") end)`, looks, "view.lua:3: draw", ""},
		{`while true do end`, looks, "20000 instructions", ""},
		{`local function deep() return 1 + deep() end deep()`, looks, "view.lua:3: ", ""},
		{`kept.f = text`, looks, "f is a function", ""},
		{`kept.f = text error("draw")`, looks, "view.lua:3: draw; view.lua:1: keep: f is a function", ""},
		{good, `kept.f = text return nil`, "", "f is a function"},
		{`error("draw")`, `error("cam")`, "view.lua:3: draw", "view.lua:4: cam"},
	} {
		v := loadHUD(t, "local kept = keep { n = 0 }\nscoreboard { columns = { \"name\" } }\nhud(function(v) "+c.draw+" end)\ncamera(function(v) "+c.look+" end)")
		f := soccerFrame(t)
		f.Schema = &world.Schema{Teams: []world.Option{{Name: "Blue"}}}
		for range 2 {
			h, err := v.HUD(f)
			var failed luabind.HUDError
			if e := (*luabind.HUDError)(nil); errors.As(err, &e) {
				failed = *e
			}
			for _, one := range []struct {
				name, want string
				err        error
			}{{"hud", c.drawn, failed.HUD}, {"camera", c.looked, failed.Camera}} {
				if se := (*world.ScriptError)(nil); (one.err != nil) != (one.want != "") || one.err != nil && (!strings.Contains(one.err.Error(), one.want) || !errors.As(one.err, &se)) {
					t.Errorf("%s / %s: the error of %s is %v, not %q", c.draw, c.look, one.name, one.err, one.want)
				}
			}
			if h == nil || h.Scores == nil {
				t.Fatalf("%s / %s: %+v", c.draw, c.look, h)
			}
			if c.drawn == "" != (len(h.Widgets) == 1) || c.drawn == "" && h.Widgets[0].Text != "t 0.5Blue" {
				t.Errorf("%s / %s: the widgets are %+v", c.draw, c.look, h.Widgets)
			}
			if c.looked == "" != (h.Camera != nil) || c.looked == "" && h.Camera.Zoom[0] != 7 {
				t.Errorf("%s / %s: the camera is %+v", c.draw, c.look, h.Camera)
			}
		}
	}
}

// TestHUDFindsClassesThatExtend tests that v.all and v.first find the objects of classes that extend the one that they
// are asked for, as objects does in other files.
func TestHUDFindsClassesThatExtend(t *testing.T) {
	v := loadHUD(t, `hud(function(v)
  for _, class in ipairs { "Player", "Keeper", "Ball" } do text { class .. " " .. #v.all(class) .. " " .. v.first(class).class } end
end)`)
	answer, err := v.HUD(soccerFrame(t))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, w := range answer.Widgets {
		got = append(got, w.Text)
	}
	if want := []string{"Player 2 Player", "Keeper 1 Keeper", "Ball 1 Ball"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
