package luabind_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hindcast/hindcast/luabind"
	"github.com/hindcast/hindcast/world"
)

// goals makes a view show n goals of player 2.
func goals(t *testing.T, v *luabind.View, n int) {
	t.Helper()
	for range n {
		if _, ok, err := v.Show(luabind.OnCue, &world.Cue{CueKey: world.CueKey{Name: "goal"}, Fields: []world.CueField{{Name: "by", Kind: world.Number, Number: 2}}}, luabind.Showing{}); err != nil || !ok {
			t.Fatal(ok, err)
		}
	}
}

// shownLines returns the lines that the HUD of a frame shows, and how many of them fade out.
func shownLines(t *testing.T, v *luabind.View, now float64) (texts string, fading int) {
	t.Helper()
	f := soccerFrame(t)
	f.Now = now
	h, err := v.HUD(f)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(h.Widgets[0].Lines, "|"), int(h.Widgets[0].Value)
}

const feed = `
local mine = keep { feed = {}, goals = 0, best = { name = "nobody" } }
onCue("goal", function(c)
  mine.goals = mine.goals + 1
  mine.best.name = playerName(c.by)
  push(mine.feed, mine.best.name .. " " .. mine.goals)
end)
hud(function(v) lines { items = mine.feed, fade = 6 } end)`

// TestKeptLines: a list that view.lua keeps has lines of push, which fade out.
func TestKeptLines(t *testing.T) {
	v := loadHUD(t, feed)
	expect := func(now float64, want string, fading int) {
		t.Helper()
		if got, n := shownLines(t, v, now); got != want || n != fading {
			t.Errorf("at %v: %q, %d fade out; want %q, %d", now, got, n, want, fading)
		}
	}
	expect(10, "", 0)
	goals(t, v, 1)
	expect(12, "ada 1", 0)
	goals(t, v, 1)
	expect(15.5, "ada 1|ada 2", 1)
	expect(16, "ada 2", 0)
	expect(17.9, "ada 2", 1)
	expect(18, "", 0)
	expect(3, "", 0) // another match
	goals(t, v, 70)
	if got, _ := shownLines(t, v, 3); strings.Count(got, "|") != 63 || !strings.HasPrefix(got, "ada 9|") {
		t.Errorf("%q", got)
	}
}

// TestKeptOverAReload: what the new view.lua keeps under the same name and with the same type stays.
func TestKeptOverAReload(t *testing.T) {
	v := loadHUD(t, feed)
	shownLines(t, v, 10)
	goals(t, v, 2)
	next := loadHUD(t, `
local mine = keep { feed = {}, goals = "none", best = {}, fresh = 7 }
hud(function(v) text { mine.goals .. " " .. mine.best.name .. " " .. mine.fresh } lines { items = mine.feed } mine.fresh = mine.fresh + 1 end)`)
	next.TakeOver(v)
	for i := range 2 {
		h, err := next.HUD(soccerFrame(t))
		if err != nil {
			t.Fatal(err)
		}
		if got, want := h.Widgets[0].Text, fmt.Sprintf("none ada %d", 7+i); got != want {
			t.Errorf("%q, want %q", got, want)
		}
		if got := strings.Join(h.Widgets[1].Lines, "|"); got != "ada 1|ada 2" {
			t.Errorf("%q", got)
		}
	}
	goals(t, v, 1) // the view before goes on by itself
	if h, _ := next.HUD(soccerFrame(t)); len(h.Widgets[1].Lines) != 2 {
		t.Errorf("%+v", h.Widgets[1])
	}
	var none *luabind.View
	none.TakeOver(v)
	next.TakeOver(nil)
}

// TestWrongUseOfKeep: mistakes, when the file loads and later; what is kept begins again after one.
func TestWrongUseOfKeep(t *testing.T) {
	setup := world.Setup{TickRate: 60, Substeps: 1, Width: 40, Height: 24}
	for text, want := range map[string]string{
		"keep(3)":                     "keep: the argument must be a table, not a number",
		"keep { 1, 2 }":               "keep: 1 is no name",
		"keep { f = function() end }": "keep: f is a function: only numbers",
		"local n = 0 hud(function() n = n + 1 end)": "keep it with local mine = keep { n = 0 }, as mine.n",
		"keep {} keep {}": "keep is called already",
		"keep { a = { b = { c = { d = { 1 } } } } }":                                                 "tables are at most 3 deep",
		"local t = {} hud(function() push(t, '') t.x = 1 end) local k = keep { a = 1 } k = 3 hud(1)": "hud: the argument must be a function",
	} {
		if _, err := luabind.NewView([]world.Source{{Name: "view.lua", Text: text}}, setup, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
	for text, want := range map[string]string{
		"local t = {} hud(function() push(t, 'x') end)":                                               "push: the list must be one that view.lua keeps",
		"local k = keep { a = {} } hud(function() push(k.a, ('x'):rep(300)) end)":                     "push: the text has 300 bytes",
		"local k = keep { a = {} } hud(function() for i = 1, 1001 do k.a[i] = i end end)":             "more than 1000 values",
		"local k = keep { a = {} } hud(function() for i = 1, 17 do k.a[i] = ('x'):rep(1000) end end)": "17000 bytes of texts: at most 16384",
		"local t = {} hud(function() t.x = 1 end)":                                                    "t is read-only: it is a table of the file, which is frozen after loading; keep what changes with keep",
		"local k = keep { a = 1 } hud(function() k.f = function() end end)":                           "f is a function",
		"local k = keep { a = {} } hud(function() k.a.b = k end)":                                     "at most 3 deep",
		"local k = keep { a = {} } hud(function() keep {} end)":                                       "keep",
		"local k = keep { a = {} } hud(function() lines { items = { {} } } end)":                      "lines: items must be a text or a number, not nil",
		"local k = keep { n = 1 } hud(function() k.n = k.n + 1 if k.n > 1 then k.n = text end end)":   "n is a function",
	} {
		v := loadHUD(t, text)
		_, err := v.HUD(soccerFrame(t))
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "view.lua:1:") {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
	v := loadHUD(t, "local k = keep { n = 0, list = { 5 } } hud(function() k.n = k.n + 1 text { k.n .. ' ' .. k.list[1] } k.list[1] = 6 if k.n == 2 then k.x = text end end)")
	for _, want := range []string{"1 5", "", "1 5"} { // after the error it begins again
		h, err := v.HUD(soccerFrame(t))
		if (err != nil) != (want == "") {
			t.Fatal(err)
		}
		if err == nil && h.Widgets[0].Text != want {
			t.Errorf("%q, want %q", h.Widgets[0].Text, want)
		}
	}
}
