package luabind

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hindcast/hindcast/world"
)

// cued runs a tick of a Ball and returns the cues of the tick. body is the code of its hook.
func cued(t *testing.T, body string) (cues []world.Cue, err error) {
	t.Helper()
	s, slot := hooked(t, body)
	var now world.HistoryEntry
	now.State.CopyFrom(s.w.Now)
	now.State.Objects[slot].Owner = 3
	s.w.KeepCues = true
	s.w.Enter(&now.State, &now.Trace, s.vm.Schema())
	s.w.Begin()
	s.w.BeginBlock(s.vm.Schema().TickBlock(0))
	err = s.vm.Call(s.w.Actor(), world.OnTick, slot, &world.Args{})
	s.w.EndOrder()
	s.w.End()
	return now.Trace.Cues(nil), err
}

func TestCue(t *testing.T) {
	cues, err := cued(t, `
cue("boom", { y = 2, x = 1.5, loud = true, what = "rock", to = "owner", when = "confirmed" })
cue("boom")
cue("tick", { quiet = false, to = "others" })
cue("boom", { x = 7 })`)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range cues {
		if c.Object == 0 || c.Tick == 0 || c.Owner != 3 {
			t.Errorf("%+v", c)
		}
		got = append(got, fmt.Sprintf("%s %d %d %d %v", c.Name, c.Count, c.To, c.When, c.Fields))
	}
	want := []string{"boom 0 1 1 [{loud 1 1 } {what 3 0 rock} {x 0 1.5 } {y 0 2 }]", "boom 1 0 0 []", "tick 0 2 0 [{quiet 1 0 }]", "boom 2 0 0 [{x 0 7 }]"}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// TestCueLasts tests that a declared duration is in ticks, rounded up.
func TestCueLasts(t *testing.T) {
	cues, err := cued(t, `cue("a", { lasts = 0.5 }) cue("b", { lasts = 0.001, x = 1 }) cue("c", { lasts = 60 }) cue("d", { lasts = 0 })`)
	if err != nil {
		t.Fatal(err)
	}
	var got []world.Tick
	for _, c := range cues {
		got = append(got, c.Lasts)
		if len(c.Fields) != one(c.Name == "b") {
			t.Errorf("%s has the fields %v: lasts is none", c.Name, c.Fields)
		}
	}
	if !slices.Equal(got, []world.Tick{30, 1, 3600, 0}) {
		t.Errorf("they last %v ticks", got)
	}
}

func one(is bool) int {
	if is {
		return 1
	}
	return 0
}

func TestCueErrors(t *testing.T) {
	long := strings.Repeat("a", world.MaxCueText+1)
	for _, c := range [][2]string{
		{`cue()`, "cue: the name must be a string"},
		{`cue("")`, "a name has 1 to"},
		{`cue("` + long + `")`, "a name has 1 to"},
		{`cue("x", { a = "` + long + `" })`, "at most 64 bytes"},
		{`cue("x", { ` + long + ` = 1 })`, "at most 64 bytes"},
		{`cue("x", 5)`, "must be a table"},
		{`cue("x", { 5 })`, "fields have names"},
		{`cue("x", { a = self })`, "numbers, booleans and strings"},
		{`cue("x", { a = {} })`, "numbers, booleans and strings"},
		{`cue("x", { a = 1 / 0 })`, "must be finite"},
		{`cue("x", { to = "me" })`, `cue: to must be one of all, others and owner, not me`},
		{`cue("x", { when = 1 })`, `one of confirmed and predicted`},
		{`cue("x", { lasts = "long" })`, "cue: lasts must be a number of seconds, not long"},
		{`cue("x", { lasts = true })`, "cue: lasts must be a number of seconds, not true"},
		{`cue("x", { lasts = -1 })`, "x lasts -1 seconds: must be 0 to 60"},
		{`cue("x", { lasts = 60.1 })`, "must be 0 to 60"},
		{`cue("x", { lasts = 0 / 0 })`, "must be 0 to 60"},
		{`cue("x", { mine = true })`, "another name"},
		{`cue("x", { age = 1 })`, "the field age needs another name"},
		{`cue("x", { a = 1, b = 1, c = 1, d = 1, e = 1, f = 1, g = 1, h = 1, i = 1 })`, "at most 8 fields"},
		{`for _ = 1, 17 do cue("x") end`, "may give 16 a tick"},
	} {
		cues, err := cued(t, c[0])
		if err == nil || !strings.Contains(err.Error(), c[1]) {
			t.Errorf("%s\nerror %v lacks %q", c[0], err, c[1])
		}
		if len(cues) > world.MaxCues {
			t.Errorf("%s: %d cues", c[0], len(cues))
		}
	}
}

// TestCueCostsBudget: cues are charged to the budget and do not change the world.
func TestCueCostsBudget(t *testing.T) {
	s, slot := hooked(t, `cue("x", { a = "text", b = 1 })`)
	before := s.w.Now.Hash()
	if err := s.call(world.OnTick, slot, world.Args{}); err != nil {
		t.Fatal(err)
	}
	if s.vm.Instructions() < cueCost {
		t.Errorf("a cue took %d instructions", s.vm.Instructions())
	}
	if s.w.Now.Hash() != before {
		t.Error("a cue changed the state")
	}
}

const viewLua = `
local big = 3
onCue("boom", function(c)
  flash { x = c.x, y = c.y, color = "#fa0", size = big, ms = 200 }
  if c.mine then text { x = c.x, y = c.y + 1, text = c.name .. " " .. c.what } end
end)
onCue("bang", function(c) sound {} sound { wave = "noise", freq = 1e9, volume = 7, ms = 0 } end)
onCueMoved("boom", function(c) flash { x = c.x } end)
onCue("big", function(c) burst { x = 1, n = 1e4, color = "red" } shake { 9, ms = 100 } rumble { 0.75 } sound { y = 2, ms = 50 } end)
onCueCancelled("boom", function(c) print("no", c.object) end)
`

func TestView(t *testing.T) {
	var lines []string
	v, err := NewView(bundle("game.lua", "", "view.lua", viewLua), testSetup, func(line string) { lines = append(lines, line) })
	if err != nil {
		t.Fatal(err)
	}
	c := &world.Cue{CueKey: world.CueKey{Object: 5, Name: "boom"}, Fields: []world.CueField{{Name: "what", Kind: world.String, Text: "rock"}, {Name: "x", Number: 1}, {Name: "y", Number: 2}}}
	got, ok, err := v.Show(OnCue, c, Showing{Mine: true})
	want := []Effect{{Kind: "flash", X: 1, Y: 2, Size: 3, MS: 200, Color: "#fa0"}, {Kind: "text", X: 1, Y: 3, Size: 0.6, MS: 1200, Text: "boom rock"}}
	if err != nil || !ok || fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%+v %v %v", got, ok, err)
	}
	c.Name = "bang"
	got, _, err = v.Show(OnCue, c, Showing{})
	want = []Effect{{Kind: "sound", MS: 120, Wave: "sine", Freq: 440, Volume: 0.3}, {Kind: "sound", MS: 20, Wave: "noise", Freq: 16_000, Volume: 1}}
	if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("sounds: %+v %v", got, err)
	}
	c.Name = "big"
	got, _, err = v.Show(OnCue, c, Showing{})
	want = []Effect{{Kind: "burst", X: 1, Size: 3, MS: 600, Color: "red", Count: 200}, {Kind: "shake", Size: 3, MS: 100}, {Kind: "rumble", MS: 120, Volume: 0.75},
		{Kind: "sound", Y: 2, MS: 50, Wave: "sine", Freq: 440, Volume: 0.3, Placed: true}}
	if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("big: %+v %v", got, err)
	}
	c.Name = "boom"
	if got, _, _ := v.Show(OnCue, c, Showing{}); len(got) != 1 {
		t.Errorf("another's: %+v", got)
	}
	if got, _, _ := v.Show(OnCueMoved, c, Showing{}); len(got) != 1 || got[0].Size != 1 {
		t.Errorf("moved: %+v", got)
	}
	if _, _, err := v.Show(OnCueCancelled, c, Showing{}); err != nil || len(lines) != 1 || !strings.HasPrefix(lines[0], "view.lua:10:") {
		t.Errorf("cancelled: %v %q", err, lines)
	}
	if _, ok, _ := v.Show(OnCue, &world.Cue{CueKey: world.CueKey{Name: "other"}}, Showing{}); ok {
		t.Error("there is no function for it")
	}
	if none, err := NewView(bundle("game.lua", "x x x"), testSetup, nil); none != nil || err != nil {
		t.Errorf("without a view.lua: %v %v", none, err)
	}
}

// TestViewKnowsTheAge tests that a function of view.lua knows how old a cue is, and how long it lasts if that is declared.
func TestViewKnowsTheAge(t *testing.T) {
	v, err := NewView(bundle("game.lua", "", "view.lua", `
onCue("x", function(c) flash { x = c.age, y = c.lasts or -1, ms = 1000 * (c.lasts or 1) } end)
onCueMoved("x", function(c) flash { x = c.age, y = c.lasts or -1 } end)`), testSetup, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		lasts    world.Tick
		age      time.Duration
		x, y, ms float64
		how      ViewHook
	}{{0, 0, 0, -1, 1000, OnCue}, {30, 250 * time.Millisecond, 0.25, 0.5, 500, OnCue}, {90, 2 * time.Second, 2, 1.5, 0, OnCueMoved}} {
		got, ok, err := v.Show(c.how, &world.Cue{CueKey: world.CueKey{Name: "x"}, Lasts: c.lasts}, Showing{Age: c.age})
		if err != nil || !ok || len(got) != 1 || got[0].X != c.x || got[0].Y != c.y || c.ms != 0 && got[0].MS != c.ms {
			t.Errorf("%+v: %+v %v", c, got, err)
		}
	}
}

// TestViewErrors: a mistake in view.lua is an error that names its line, and other
// functions of the view keep running.
func TestViewErrors(t *testing.T) {
	for _, c := range [][2]string{
		{`spawn("X")`, "cannot reach the simulation"},
		{`objects("X")`, "cannot reach the simulation"},
		{`raycast(0, 0, 1, 1)`, "cannot reach the simulation"},
		{`nearest("X", 0, 0)`, "there is no class X"},
		{`players()`, "cannot reach the simulation"},
		{`now()`, "cannot reach the simulation"},
		{`random()`, "cannot reach the simulation"},
		{`cue("x")`, "cannot reach the simulation"},
		{`rope()`, "cannot reach the simulation"},
		{`local n = game.n`, ""},
		{`c.x = 1`, "read-only"},
		{`while true do end`, "budget"},
		{`local s = "x" while true do s = s .. s end`, "at most"},
		{`flash { z = 1 }`, "flash has no z"},
		{`shake { x = 1 }`, "shake has no x; there are 1 and ms"},
		{`burst { n = "many" }`, "burst: n must be a number"},
		{`flash { x = "1" }`, "must be a number"},
		{`flash { x = 0 / 0 }`, "must be a number"},
		{`flash { color = "url(x);" }`, "is not a color"},
		{`sound { z = 1 }`, "sound has no z; there are file, freq, ms, volume, wave, x and y"},
		{`sound { wave = "organ" }`, "wave must be one of [noise"},
		{`sound { volume = "loud" }`, "must be a number"},
		{`text { text = 5 }`, "must be a string"},
		{`for _ = 1, 99 do flash {} end`, "at most 32"},
		{`onCue("y", function() end)`, "while the files are loaded"},
		{`object "X"`, "while the files are loaded"},
	} {
		v, err := NewView(bundle("view.lua", `onCue("x", function(c) `+c[0]+" end)"), testSetup, nil)
		if err != nil {
			t.Errorf("%s\n%v", c[0], err)
			continue
		}
		for range 2 {
			effects, _, err := v.Show(OnCue, &world.Cue{CueKey: world.CueKey{Name: "x"}}, Showing{Mine: true})
			if err == nil || !strings.Contains(err.Error(), c[1]) || !strings.HasPrefix(err.Error(), "view.lua:1:") {
				t.Errorf("%s\nerror %v lacks %q", c[0], err, c[1])
			}
			if len(effects) > MaxEffects {
				t.Errorf("%s: %d effects", c[0], len(effects))
			}
		}
	}
}

// TestCompileChecksTheView: the host refuses a bundle if clients cannot load its view.lua.
// It runs no function of view.lua itself.
func TestCompileChecksTheView(t *testing.T) {
	for _, c := range [][2]string{
		{`onCue("x", 5)`, "view.lua:1: onCue: the second argument must be a function"},
		{`onCue("x", function() end) onCue("x", function() end)`, `already`},
		{`flash { x = 1 }`, "called only in a function of onCue"},
		{"\nX = object \"X\" {}", "view.lua:2: view.lua cannot declare classes"},
		{`wobble()`, "view.lua:1: wobble is not defined"},
		{`x = = 1`, "view.lua:1:"},
	} {
		_, err := NewProgram(bundle("game.lua", "", "view.lua", c[0]), testSetup)
		if err == nil || !strings.Contains(err.Error(), c[1]) {
			t.Errorf("%s\nerror %v lacks %q", c[0], err, c[1])
		}
	}
	p, err := NewProgram(bundle("game.lua", "", "view.lua", viewLua), testSetup)
	if err != nil {
		t.Fatal(err)
	}
	if p.hasFile("view.lua") {
		t.Error("view.lua is part of the simulation")
	}
}
