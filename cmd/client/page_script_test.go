package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
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
	s := &viewScript{bundle: func() *bundle.Bundle { return b }, player: func() world.PlayerID { return 2 }, fail: func(error) {}, over: func() {},
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
