package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/world"
)

func boom(name string, tick world.Tick) world.Cue {
	return world.Cue{CueKey: world.CueKey{Tick: tick, Object: 7, Name: name}, Owner: 2,
		Fields: []world.CueField{{Name: "x", Number: 1}, {Name: "y", Number: 2}}}
}

// TestCuesBecomeEffects: a function of view.lua makes the effects of a cue. Without one,
// a cue with a position becomes a ring.
func TestCuesBecomeEffects(t *testing.T) {
	b := &bundle.Bundle{Setup: bundle.DefaultSetup(), Files: []world.Source{{Name: "view.lua", Text: `
onCue("boom", function(c) flash { x = c.x, size = c.mine and 5 or 2 } end)
onCueCancelled("boom", function(c) text { text = "no" } end)
onCue("bad", function(c) flash { x = c.x } flash { x = c.none.x } end)`}}}
	var got []pageCue
	var log bytes.Buffer
	s := &viewScript{bundle: func() *bundle.Bundle { return b }, player: func() world.PlayerID { return 2 }, fail: func(string, error) {}, over: func() {},
		show: func(c pageCue) { got = append(got, c) }, log: slog.New(slog.NewTextHandler(&log, nil))}
	var messages []string
	s.tell = func(text string) { messages = append(messages, text) }
	s.take(room.CueEvent{Kind: room.CueFired, Cue: world.Cue{CueKey: world.CueKey{Tick: 3, Name: "tell"}, To: world.CueOwner, When: world.CueConfirmed, Owner: 2,
		Fields: []world.CueField{{Name: "a", Kind: world.String, Text: "you "}, {Name: "b", Kind: world.String, Text: "win"}}}})
	if len(messages) != 1 || messages[0] != "you win" || len(got) != 0 {
		t.Errorf("%q %v", messages, got)
	}
	nowhere := boom("nowhere", 9)
	nowhere.Fields = nil
	for _, e := range []room.CueEvent{
		{Kind: room.CueFired, Cue: boom("boom", 9)},
		{Kind: room.CueMoved, Cue: boom("boom", 10), Was: boom("boom", 9)},
		{Kind: room.CueCancelled, Cue: boom("boom", 10)},
		{Kind: room.CueFired, Cue: boom("other", 9)},
		{Kind: room.CueCancelled, Cue: boom("other", 9)},
		{Kind: room.CueFired, Cue: nowhere},
		{Kind: room.CueFired, Cue: boom("bad", 9)},
		{Kind: room.CueFired, Cue: boom("bad", 10)},
	} {
		s.take(e)
	}
	want := []string{
		"fired 9.0000000000000007.boom.0  flash 1 5",
		"moved 10.0000000000000007.boom.0 9.0000000000000007.boom.0 flash 1 5",
		"cancelled 10.0000000000000007.boom.0  text 0 0.6",
		"fired 9.0000000000000007.other.0  flash 1 1",
		"cancelled 9.0000000000000007.other.0 ",
		"fired 9.0000000000000007.nowhere.0 ",
		"fired 9.0000000000000007.bad.0  flash 1 1",
		"fired 10.0000000000000007.bad.0  flash 1 1",
	}
	for i, c := range got {
		text := fmt.Sprintf("%s %s %s", c.What, c.Key, c.Was)
		for _, e := range c.Effects {
			text += fmt.Sprintf(" %s %v %v", e.Kind, e.X, e.Size)
		}
		if i >= len(want) || text != want[i] {
			t.Errorf("got  %q\nwant %q", text, want[min(i, len(want)-1)])
		}
	}
	s.drawn()
	got = nil
	for n := range maxTaken + 5 {
		s.take(room.CueEvent{Kind: room.CueFired, Cue: boom("boom", world.Tick(n))})
	}
	s.take(room.CueEvent{Kind: room.CueCancelled, Cue: boom("boom", 1)})
	if len(got) != maxTaken+1 || got[maxTaken].What != "cancelled" || strings.Count(log.String(), "too many") != 1 {
		t.Errorf("%d cues in one frame, %s", len(got), log.String())
	}
	if n := strings.Count(log.String(), `msg="view.lua:4`); n != 1 {
		t.Errorf("the error of view.lua was logged %d times: %s", n, log.String())
	}
	mended := *b
	mended.Files = []world.Source{{Name: "view.lua", Text: `onCue("bad", function(c) flash { x = c.x } end)`}}
	b = &mended
	s.drawn()
	for range 2 {
		s.take(room.CueEvent{Kind: room.CueFired, Cue: boom("bad", 100)})
	}
	if n := strings.Count(log.String(), ": over, other scripts are in force"); n != 2 || strings.Count(log.String(), `level=INFO msg="view.lua:4`) != 1 {
		t.Errorf("after view.lua was mended, the log says %d times that an error is over: %s", n, log.String())
	}
}

// TestBrowserGetsEveryCueOnce: it gets no cue from before it connected.
func TestBrowserGetsEveryCueOnce(t *testing.T) {
	p := newTestPage(t)
	cue := func(n int) { p.cue(pageCue{T: "cue", What: "fired", Key: fmt.Sprint(n)}) }
	keys := func(v *viewer) (keys []string) {
		texts, _ := p.feed.news(&v.at)
		for _, text := range texts {
			var m pageCue
			if err := json.Unmarshal(text, &m); err != nil {
				t.Fatal(err)
			}
			if m.T == "cue" {
				keys = append(keys, m.Key)
			}
		}
		return keys
	}
	cue(1)
	v := &viewer{page: p, wake: make(chan struct{}, 1), cancel: func() {}}
	if err := p.enter(v); err != nil {
		t.Fatal(err)
	}
	defer p.leave(v)
	if got := keys(v); got != nil {
		t.Errorf("it got %v, from before it came", got)
	}
	cue(2)
	cue(3)
	if got := fmt.Sprint(keys(v), keys(v)); got != "[2 3] []" {
		t.Errorf("got %s", got)
	}
	for n := range maxCues + 10 {
		cue(n)
	}
	if got := keys(v); len(got) != maxCues || got[maxCues-1] != fmt.Sprint(maxCues+9) {
		t.Errorf("%d cues, the last %s", len(got), got[len(got)-1])
	}
}

// TestHUDAndCameraFailApart: a function of view.lua that fails is on the page and in the log by itself, and the other
// one goes on. What it showed before is shown for a second more.
func TestHUDAndCameraFailApart(t *testing.T) {
	const broken = `
hud(function(v) if v.now > 2 and v.now < 8 then error("draw") end text { math.floor(v.now) } end)
camera(function(v) if v.now > 6 then error("cam") end return { zoom = 10 + math.floor(v.now) } end)`
	b := &bundle.Bundle{Setup: bundle.DefaultSetup(), Files: []world.Source{{Name: "view.lua", Text: broken}}}
	var log bytes.Buffer
	var said []string
	s := &viewScript{bundle: func() *bundle.Bundle { return b }, log: slog.New(slog.NewTextHandler(&log, nil)),
		fail: func(hook string, err error) { said = append(said, hook+" "+err.Error()) }, over: func() { said = nil }}
	shows := func(now float64, text string, zoom float64) {
		t.Helper()
		v := &room.View{TickRate: 60, Tick: world.Tick(now*60) + 1}
		if !s.hudDue(v) {
			t.Fatal("no HUD is due")
		}
		hud := s.makeHUD(v, world.FieldReader{})
		got, at := "", 0.0
		if len(hud.Widgets) > 0 {
			got = hud.Widgets[0].Text
		}
		if hud.Camera != nil {
			at = hud.Camera.Zoom[0]
		}
		if got != text || at != zoom {
			t.Errorf("after %v s: %q and zoom %v, not %q and %v", now, got, at, text, zoom)
		}
	}
	shows(1, "1", 11)
	shows(1.9, "1", 11)
	shows(2.1, "1", 12) // the text of before, for a second
	shows(2.8, "1", 12)
	shows(2.95, "", 12)
	shows(5, "", 15)
	if len(said) != 1 || said[0] != "hud view.lua:2: draw" || strings.Count(log.String(), `level=ERROR msg="view.lua:2: draw" hook=hud`) != 1 {
		t.Errorf("%q, log %s", said, &log)
	}
	shows(6.1, "", 0) // a frame before the last one of the camera is long ago
	shows(7, "", 0)
	if len(said) != 2 || said[1] != "camera view.lua:3: cam" || strings.Count(log.String(), `level=ERROR msg="view.lua:3: cam" hook=camera`) != 1 {
		t.Errorf("%q, log %s", said, &log)
	}
	shows(9, "9", 0) // a function that does not fail any more is shown at once
	mended := *b
	mended.Files = []world.Source{{Name: "view.lua", Text: strings.ReplaceAll(broken, "error", "print")}}
	b = &mended
	shows(10, "10", 20)
	if len(said) != 0 || strings.Count(log.String(), "over, other scripts are in force") != 2 {
		t.Errorf("after both were mended: %q, log %s", said, &log)
	}
	shows(3, "3", 13) // another match
}

// TestViewErrorsOutliveOtherScripts: while view.lua is the same, an error of it stays on the page under other scripts,
// until the function that failed, for a cue of that name, has succeeded with them. Another view.lua ends all.
func TestViewErrorsOutliveOtherScripts(t *testing.T) {
	const view = `
hud(function(v) if v.now < 5 then error("draw") end text { "ok" } end)
onCue("boom", function(c) if c.x < 2 then error("boom " .. c.x) end end)
onCue("bang", function(c) error("bang") end)`
	var b *bundle.Bundle
	saved := func(ship, view string) {
		b = &bundle.Bundle{Setup: bundle.DefaultSetup(), Files: []world.Source{{Name: "ship.lua", Text: ship}, {Name: "view.lua", Text: view}}}
	}
	p := newTestPage(t)
	var log bytes.Buffer
	p.log = slog.New(slog.NewTextHandler(&log, nil))
	take := p.Cues(func() *bundle.Bundle { return b }, func() world.PlayerID { return 1 })
	cue := func(name string, x float64) {
		c := boom(name, 9)
		c.Fields = []world.CueField{{Name: "x", Number: x}}
		p.script.drawn()
		take(room.CueEvent{Kind: room.CueFired, Cue: c})
	}
	hud := func(now world.Tick) {
		v := &room.View{TickRate: 60, Tick: now*60 + 1}
		if !p.script.hudDue(v) {
			t.Fatal("no HUD is due")
		}
		p.script.makeHUD(v, world.FieldReader{})
	}
	shows := func(when string, want ...string) {
		t.Helper()
		var got []string
		for _, e := range p.feed.wrong.list() {
			got = append(got, e.Hook+" "+e.Place+" "+e.Message)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: the page shows %q, want %q", when, got, want)
		}
	}
	const draw, bang, one = "hud view.lua:2 draw", "onCue view.lua:4 bang", "onCue view.lua:3 boom 1"
	saved("a = 1", view)
	hud(1)
	cue("boom", 1)
	cue("bang", 1)
	shows("all fail", draw, one, bang)
	hud(6)
	shows("one has succeeded under the same scripts", draw, one, bang)
	saved("a = 2", view)
	p.tell(func(f *feed) { f.reloaded(100) })
	p.script.load()
	shows("other scripts, the same view.lua", draw, one, bang)
	cue("boom", 0)
	shows("one fails again with another number", draw, bang, "onCue view.lua:3 boom 0")
	cue("boom", 3)
	shows("that one has succeeded, after it has failed under these scripts", draw, bang, "onCue view.lua:3 boom 0")
	hud(7)
	shows("hud has succeeded", bang, "onCue view.lua:3 boom 0")
	saved("a = 3", view)
	cue("boom", 3)
	shows("other scripts again, under which one has succeeded", bang)
	saved("a = 3", view+"\n")
	p.script.load()
	shows("another view.lua")
	if n := strings.Count(log.String(), "so that it may happen again"); n != 4 {
		t.Errorf("the log says %d times that an error may happen again, want 4:\n%s", n, &log)
	}
}
