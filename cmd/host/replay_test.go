package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	gamepage "github.com/hindcast/hindcast/cmd/client/page"
	"github.com/hindcast/hindcast/luabind"
	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/host"
	"github.com/hindcast/hindcast/runtime/replay"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
)

// recorded returns the replay of so many ticks of the arena with nobody in it.
func recorded(t *testing.T, ticks int) *tape {
	t.Helper()
	return recordedWith(t, ticks, nil)
}

// recordedWith is recorded with ships that fly about, where they were put.
func recordedWith(t *testing.T, ticks int, ships []world.Placement) *tape {
	t.Helper()
	tape, _ := recordedAs(t, ticks, ships)
	return tape
}

// recordedAs returns the name of the file, too.
func recordedAs(t *testing.T, ticks int, ships []world.Placement) (tape *tape, name string) {
	t.Helper()
	game, err := openGame("")
	if err != nil {
		t.Fatal(err)
	}
	name = filepath.Join(t.TempDir(), "m.replay")
	file, err := record(name, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	host, err := host.New(host.Config{Bundle: game.Bundle, Compile: compiler(game), Link: memlink.New(1).Host(), Recorder: file.recorder()})
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range ships {
		if _, err := host.Spawn("Ship", at, nil); err != nil {
			t.Fatal(err)
		}
	}
	return played(t, name, file, host, ticks), name
}

// played returns the replay of so many ticks of a host that records to a file.
func played(t *testing.T, name string, file *recording, host *host.Host, ticks int) *tape {
	t.Helper()
	for i := range ticks {
		if err := host.Tick(time.Duration(i) * host.TickLength()); err != nil {
			t.Fatal(err)
		}
	}
	host.Shutdown(0, "")
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	tape, err := openTape(t.Context(), f, name)
	if err != nil {
		t.Fatal(err)
	}
	return tape
}

// TestReplayIsStoppedWhileItOpens: a file with many blocks takes a while to open, and a program that is told to end does not wait
// for that. Nor does it say that the file is damaged.
func TestReplayIsStoppedWhileItOpens(t *testing.T) {
	_, name := recordedAs(t, 20, nil)
	stop, cancel := context.WithCancel(t.Context())
	cancel()
	if err := inspect(stop, &replayOptions{file: name}); !errors.Is(err, context.Canceled) || errors.Is(err, replay.ErrCorrupt) {
		t.Errorf("%v", err)
	}
}

func TestReplayPageShowsAnyTick(t *testing.T) {
	tape := recorded(t, 200)
	h := (&replayPage{tape: tape}).handler()
	if code, body := get(t, h, "GET", "/api/replay"); code != 200 || strings.TrimSpace(body) != `{"game":"arena","tick_rate":60,"first":0,"last":200,"final":176}` {
		t.Errorf("%d %s", code, body)
	}
	for _, tick := range []world.Tick{150, 3, 200, 0} {
		var v room.View
		code, body := get(t, h, "GET", "/api/view?tick="+number(float64(tick)))
		if err := json.Unmarshal([]byte(body), &struct {
			Tick   *world.Tick
			Bodies *[]json.RawMessage
		}{&v.Tick, &[]json.RawMessage{}}); err != nil || code != 200 || v.Tick != tick {
			t.Errorf("tick %d: %d, %v, it shows %d", tick, code, err, v.Tick)
		}
	}
	for path, want := range map[string]int{"/": 200, "/?tick=3": 200, "/replay.js": 200, "/room.js": 200, "/style.css": 200,
		"/page/draw.js": 200, "/page/nothing.js": 404, "/api/view": 200, "/api/view?tick=201": 404, "/api/view?tick=x": 400, "/nothing": 404} {
		if code, body := get(t, h, "GET", path); code != want {
			t.Errorf("%s: %d %.100s", path, code, body)
		}
	}
	if _, body := get(t, h, "GET", "/"); !strings.Contains(body, "<title>Hindcast replay</title>") {
		t.Errorf("the page is %.200s", body)
	}
}

// TestReplayPageDrawsViews: a request with kinds gets the messages that the modules of the game page draw:
// how bodies look only once, and all bodies of each tick.
func TestReplayPageDrawsViews(t *testing.T) {
	h := (&replayPage{tape: recorded(t, 200)}).handler()
	known := ""
	for i, tick := range []uint32{200, 100, 101} {
		var v struct {
			Bodies []struct{}
			Room   *gamepage.Still
		}
		code, body := get(t, h, "GET", fmt.Sprintf("/api/view?tick=%d&kinds=%s", tick, known))
		if err := json.Unmarshal([]byte(body), &v); err != nil || code != 200 || v.Room == nil {
			t.Fatalf("tick %d: %d %v %.200s", tick, code, err, body)
		}
		le, rows := binary.LittleEndian, v.Room.Frame[gamepage.FrameHead+4:]
		if got := le.Uint32(v.Room.Frame); got != tick || int(le.Uint32(rows)) != len(v.Bodies) || len(v.Bodies) == 0 {
			t.Errorf("tick %d: a frame of tick %d with %d bodies of %d", tick, got, le.Uint32(rows), len(v.Bodies))
		}
		if kinds := strings.Contains(fmt.Sprintf("%s", v.Room.Texts), `"t":"kinds"`); kinds != (i == 0) || v.Room.Kinds == "" {
			t.Errorf("request %d: kinds are sent: %v; known are %q", i, kinds, v.Room.Kinds)
		}
		if known = v.Room.Kinds; i == 1 {
			continue
		}
		if _, body := get(t, h, "GET", fmt.Sprintf("/api/view?tick=%d&kinds=9.x", tick)); !strings.Contains(body, `"t":"kinds"`) {
			t.Errorf("a browser that knows other kinds is not sent them: %.200s", body)
		}
	}
	if _, body := get(t, h, "GET", "/api/view?tick=3"); strings.Contains(body, `"Room"`) {
		t.Error("a view for machines has a Room")
	}
}

// TestReplayPageShowsLastingCues: a page that jumps into the time of an effect that lasts shows the rest of it, with
// its age. It shows no effect that is over.
func TestReplayPageShowsLastingCues(t *testing.T) {
	b := bundle.New("lasting", world.Source{Name: "game.lua", Text: `function tick()
  if tickNumber() == 100 then cue("boom", { x = 1, y = 2, lasts = 1 }) cue("flash", { x = 1, y = 2 }) end
end`}, world.Source{Name: "view.lua", Text: `
onCue("boom", function(c) flash { x = c.x, y = c.y, ms = 1000 * c.lasts, size = 1 + c.age } end)`})
	name := filepath.Join(t.TempDir(), "m.replay")
	file, err := record(name, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	host, err := host.New(host.Config{Bundle: b, Compile: luabind.Compile, Link: memlink.New(1).Host(), Recorder: file.recorder()})
	if err != nil {
		t.Fatal(err)
	}
	tape := played(t, name, file, host, 200)
	h := (&replayPage{tape: tape}).handler()
	for query, want := range map[string]string{"tick=130": "boom flash 1000 ms, size 1.5", "tick=130&from=30": "boom flash 1000 ms, size 1.5",
		"tick=100": "boom flash 1000 ms, size 1", "tick=130&from=110": "", "tick=99": "", "tick=160": ""} {
		code, body := get(t, h, "GET", "/api/view?"+query)
		var v struct{ Cues []replayCue }
		if err := json.Unmarshal([]byte(body), &v); err != nil || code != 200 {
			t.Fatalf("%s: %d %v", query, code, err)
		}
		var got []string
		for _, c := range v.Cues {
			for _, e := range c.Effects {
				got = append(got, fmt.Sprintf("%s %s %v ms, size %v", strings.Split(c.Key, ".")[2], e.Kind, e.MS, e.Size))
			}
		}
		if strings.Join(got, "; ") != want {
			t.Errorf("%s: %q, want %q", query, got, want)
		}
	}
}

// TestReplayPageShowsCues: a page that plays from one tick to another shows each cue in
// between once, as the arena's view.lua says. A page that jumps does not show them.
func TestReplayPageShowsCues(t *testing.T) {
	tape := recordedWith(t, 200, []world.Placement{{Pose: physics.Pose{X: -18}, Velocity: physics.Velocity{VX: -9}}, {Pose: physics.Pose{X: 18}, Velocity: physics.Velocity{VX: 9}}, {Pose: physics.Pose{Y: 10}, Velocity: physics.Velocity{VY: 9}}})
	h := (&replayPage{tape: tape}).handler()
	cues := func(query string) (keys []string) {
		t.Helper()
		code, body := get(t, h, "GET", "/api/view?"+query)
		var v replayView
		if err := json.Unmarshal([]byte(body), &struct{ Cues *[]replayCue }{&v.Cues}); err != nil || code != 200 {
			t.Fatalf("%s: %d %v", query, code, err)
		}
		for _, c := range v.Cues {
			keys = append(keys, c.Key)
			if len(c.Effects) == 0 || c.Effects[0].Kind != "sound" && c.Effects[0].Kind != "flash" || !slices.ContainsFunc(c.Effects, func(e luabind.Effect) bool { return e.MS == 280 }) {
				t.Errorf("%s: %+v", c.Key, c.Effects)
			}
		}
		return keys
	}
	var all, inSteps []string
	for from := 0; from < 200; from += 50 {
		all = append(all, cues(fmt.Sprintf("tick=%d&from=%d", from+50, from))...)
	}
	for tick := 1; tick <= 200; tick++ {
		inSteps = append(inSteps, cues(fmt.Sprintf("tick=%d&from=%d", tick, tick-1))...)
	}
	if len(all) < 3 || !slices.Equal(all, inSteps) || len(slices.Compact(slices.Sorted(slices.Values(all)))) != len(all) {
		t.Errorf("cues: %q, tick by tick %q", all, inSteps)
	}
	for _, query := range []string{"tick=200", "tick=200&from=0", "tick=100&from=150", "tick=100&from=x"} {
		if got := cues(query); got != nil {
			t.Errorf("%s: %q", query, got)
		}
	}
	if code, _ := get(t, h, "GET", "/api/view?tick=201&from=200"); code != 404 {
		t.Errorf("beyond the end: %d", code)
	}
}

// TestDumpOfATick: the dump has the values that the host had.
func TestDumpOfATick(t *testing.T) {
	tape := recorded(t, 100)
	var out bytes.Buffer
	tape.out = bufio.NewWriter(&out)
	if err := tape.dumpState(90); err != nil {
		t.Fatal(err)
	}
	if err := tape.out.Flush(); err != nil {
		t.Fatal(err)
	}
	s := tape.replay.State()
	for _, slot := range s.Run {
		if want := "\nobject " + s.Objects[slot].ID.String() + " "; !strings.Contains(out.String(), want) {
			t.Errorf("no %q", want)
		}
		if b := s.Body(int(slot)); b.Key != 0 && !strings.Contains(out.String(), "\n  body x="+number(b.X)+" y="+number(b.Y)+" angle=") {
			t.Errorf("object %s is not at %v, %v", s.Objects[slot].ID, b.X, b.Y)
		}
	}
}

// TestDumpLines: each record has a line, in the form that docs/replay.md describes.
func TestDumpLines(t *testing.T) {
	var out bytes.Buffer
	d := dumper{out: &out, classes: map[world.ObjectID]string{}, inputs: map[uint32]map[string][]world.InputField{
		1: {"Ship": {{Name: "Accel"}, {Name: "Fire", Index: 3}, {Name: "aim", Axis: true, Index: 1}}}}}
	steered := world.Event{Kind: world.InputEvent, Tick: 197, Player: 2, Object: 77, Bundle: 1, Input: world.Input{Buttons: 8, Axes: [world.MaxAxes]float64{1: 0.5}}}
	early := steered
	early.Tick, early.Input = 201, world.Input{}
	for _, r := range []replay.Record{
		{Kind: replay.Bundle, Number: 1, Hash32: [32]byte{0xab}, Tick: 0},
		{Kind: replay.Tick, Tick: 198},
		{Kind: replay.Mark, Tick: 174, Hash: 5, Committed: true},
		{Kind: replay.Name, Player: 2, Text: "an\"na"},
		{Kind: replay.Object, Object: 77, Text: "Ship"},
		{Kind: replay.Event, Event: steered},
		{Kind: replay.Event, Event: early},
		{Kind: replay.Event, Event: world.Event{Kind: world.BundleEvent, Tick: 260, Bundle: 2}},
		{Kind: replay.Event, Event: world.Event{Kind: world.OwnershipEvent, Tick: 199, Object: 77, Player: 3}},
		{Kind: replay.Event, Event: world.Event{Kind: world.SpawnEvent, Tick: 199, Class: "Ball", Place: world.Placement{Pose: physics.Pose{X: 1.5, Y: -2}}, Values: []world.NamedValue{{Name: "hp", Value: world.NumberValue(2)}}}},
		{Kind: replay.Event, Event: world.Event{Kind: world.SetEvent, Tick: 199, Object: 77, Values: []world.NamedValue{{Name: "name", Value: world.TextValue("a\nb")}, {Name: "open", Value: world.BoolValue(true)}, {Name: "#hits", Value: world.Value{Kind: world.Count, Word: 3}}}}},
		{Kind: replay.Event, Event: world.Event{Kind: world.RemoveEvent, Tick: 199, Object: 77}},
		{Kind: replay.Event, Event: world.Event{Kind: world.CallEvent, Tick: 199, Name: "start", Values: []world.NamedValue{{Value: world.RefValue(77)}, {Value: world.NumberValue(0.5)}}}},
		{Kind: replay.Event, Event: world.Event{Kind: world.JoinEvent, Tick: 199, Player: 4}},
		{Kind: replay.Event, Event: world.Event{Kind: world.LeaveEvent, Tick: 200, Player: 4}},
		{Kind: replay.Event, Event: world.Event{Kind: world.OwnerPoseEvent, Tick: 198, Player: 2, Object: 77, Place: world.Placement{Pose: physics.Pose{X: 1, Y: 2, Angle: 0.5}, Velocity: physics.Velocity{VX: 3, VY: 4, W: 5}}}},
		{Kind: replay.Event, Event: world.Event{Kind: world.OwnerPoseEvent, Tick: 198, Number: 207, Player: 2, Object: 77, Place: world.Placement{Pose: physics.Pose{X: 1, Y: 2, Angle: 0.5}}}},
		{Kind: replay.Event, Event: world.Event{Kind: world.FrameEvent, Tick: 199, Player: 2, Object: 77, Bundle: 1, Number: 6, DT: world.FrameParts / 4, Input: steered.Input}},
		{Kind: replay.Chat, Player: 2, Text: "go \"left\""},
		{Kind: replay.Chat, Text: "a word from the host"},
		{Kind: replay.Correction, Tick: 190, Player: 2, Object: 77, Distance: 0.25},
		{Kind: replay.Notice, Tick: 150, Player: 2, Count: 3, Text: "too old"},
		{Kind: replay.State, Tick: 170},
		{Kind: replay.End},
	} {
		d.record(&r)
	}
	const want = `0 bundle 1 hash=ab00000000000000 from=0
198 name player=2 "an\"na"
198 input tick=197 late=2 player=2 object=000000000000004d class=Ship bundle=1 Fire aim=0.5
198 input tick=201 early=2 player=2 object=000000000000004d class=Ship bundle=1 -
198 switch tick=260 bundle=2
198 owner tick=199 object=000000000000004d player=3
198 spawn tick=199 class=Ball object=f5a6896cd7a4cfa5 x=1.5 y=-2 owner=0 hp=2
198 set tick=199 object=000000000000004d name="a\nb" open=true #hits=3
198 remove tick=199 object=000000000000004d
198 call tick=199 start(000000000000004d, 0.5)
198 join tick=199 player=4
198 leave tick=200 player=4
198 move tick=198 late=1 player=2 object=000000000000004d class=Ship x=1 y=2 angle=0.5 vx=3 vy=4 w=5
198 move tick=198 of=207 player=2 object=000000000000004d class=Ship x=1 y=2 angle=0.5 vx=0 vy=0 w=0
198 frame tick=199 player=2 object=000000000000004d class=Ship bundle=1 number=6 seconds=0.2500 Fire aim=0.5
198 chat player=2 "go \"left\""
198 chat player=0 "a word from the host"
198 correction tick=190 player=2 object=000000000000004d metres=0.250
198 not-applied player=2 inputs=3 newest=150 "too old"
198 state tick=170
198 end
`
	if out.String() != want {
		t.Errorf("got\n%swant\n%s", out.String(), want)
	}
}

func TestRecordErrors(t *testing.T) {
	if _, err := record(filepath.Join(t.TempDir(), "no", "folder"), slog.New(slog.DiscardHandler)); !errors.Is(err, os.ErrNotExist) || !strings.Contains(err.Error(), "-record") {
		t.Error(err)
	}
	if none, err := record("", slog.New(slog.DiscardHandler)); none != nil || err != nil || none.recorder() != nil || none.Close() != nil {
		t.Errorf("%v %v", none, err)
	}
}

// TestReplayOfCheckModeVerifies: the replay that check mode writes can be opened, and
// verifies if nothing is wrong.
func TestReplayOfCheckModeVerifies(t *testing.T) {
	game, err := openGame("")
	if err != nil {
		t.Fatal(err)
	}
	host, err := host.New(host.Config{Bundle: game.Bundle, Compile: compiler(game), Link: memlink.New(1).Host(), Verify: true})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 60 {
		if err := host.Tick(time.Duration(i) * host.TickLength()); err != nil {
			t.Fatal(err)
		}
	}
	dir := t.TempDir()
	if err := writeDesyncReplay(dir, host, slog.New(slog.DiscardHandler)); err != nil {
		t.Fatal(err)
	}
	if err := replayFile(t.Context(), []string{filepath.Join(dir, "desync-60.replay"), "-verify"}); err != nil {
		t.Error(err)
	}
}

// TestSetAsideTakesAFreeName: no existing file is overwritten.
func TestSetAsideTakesAFreeName(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "m.replay")
	for i, text := range []string{"one", "two", "three"} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		kept, err := setAside(name)
		if want := fmt.Sprintf("%s.%d", name, i+1); kept != want || err != nil {
			t.Errorf("kept as %s, want %s; %v", kept, want, err)
		}
	}
	for i, want := range []string{"one", "two", "three"} {
		if text, err := os.ReadFile(fmt.Sprintf("%s.%d", name, i+1)); string(text) != want || err != nil {
			t.Errorf("file %d holds %q, want %q; %v", i+1, text, want, err)
		}
	}
	if _, err := setAside(filepath.Join(dir, "none", "m.replay")); err == nil {
		t.Error("a file that is not there is set aside")
	}
}
