package main

import (
	"encoding/json"
	"log/slog"
	"math"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hindcast/hindcast/luabind"
	"github.com/hindcast/hindcast/luabind/keyname"
	"github.com/hindcast/hindcast/world"
)

func TestKeysPressedInAWindowBecomeInputs(t *testing.T) {
	p := newTestPage(t)
	fields := classicFields()
	w, slot := shipWorld(t, fields)
	win := openWindow(t, p, nil)
	for _, step := range []struct {
		down []string
		want string
	}{
		{[]string{"arrowup"}, " Accel"},
		{[]string{"arrowup", "a"}, " Turnleft Accel"},
		{[]string{"D", "x"}, " Turnright"},
		{nil, ""},
		{[]string{"ArrowDown", "s"}, " Backthrust"},
	} {
		win.send(fromBrowser{T: "keys", Down: step.down})
		win.drain(p)
		w.Now.Tick++
		p.Controls().Input(w.Reader(), slot) // keys that went up were down for a part of this tick
		w.Now.Tick++
		if got := buttonsDown(fields, p.Controls().Input(w.Reader(), slot)); got != step.want {
			t.Errorf("%v gives%s, want%s", step.down, got, step.want)
		}
	}
	help := p.controls.shown()
	if len(help) != 4 || help[2].What != "Accel" || !slices.Equal(help[2].Keys, []string{"arrowup", "w", "pad:up", "pad:a"}) {
		t.Errorf("help %+v", help)
	}
}

func TestTapBetweenTwoTicksCountsOnce(t *testing.T) {
	fields := classicFields()
	w, slot := shipWorld(t, fields)
	var k devices
	k.init()
	c := newKeyControls(&k)
	var h hand
	for _, down := range [][]string{{"w"}, nil} {
		if err := k.hold(&h, down); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 { // two objects of one tick see the same
		if got := buttonsDown(fields, c.Input(w.Reader(), slot)); got != " Accel" {
			t.Errorf("in the tick after the tap:%s", got)
		}
	}
	w.Now.Tick++
	if got := buttonsDown(fields, c.Input(w.Reader(), slot)); got != "" {
		t.Errorf("a tick later:%s", got)
	}
}

// A key that goes down or up between two ticks is down for a part of the tick.
func TestKeyIsDownForAPartOfATick(t *testing.T) {
	fields := classicFields()
	w, slot := shipWorld(t, fields)
	var k devices
	k.init()
	start := time.Unix(1000, 0)
	var now time.Time
	k.ticks.now = func() time.Time { return now }
	at := func(ms int) { now = start.Add(time.Duration(ms) * time.Millisecond) }
	c := newKeyControls(&k)
	var h hand
	hold := func(ms int, down ...string) {
		at(ms)
		if err := k.hold(&h, down); err != nil {
			t.Fatal(err)
		}
	}
	accel := slices.IndexFunc(fields, func(f world.InputField) bool { return f.Name == "Accel" })
	tick := func(ms, want int) {
		t.Helper()
		at(ms)
		w.Now.Tick++
		in := c.Input(w.Reader(), slot)
		if got := in.HeldParts(fields[accel].Index); got != want {
			t.Errorf("after %d ms: down for %d parts, want %d", ms, got, want)
		}
		if err := world.CheckInput(fields, in); err != nil {
			t.Error(err)
		}
	}
	tick(0, 0)
	hold(8, "w")
	tick(16, 32) // down since half of the tick
	tick(32, 64)
	tick(32, 64) // two ticks at once, after a hitch
	hold(36)
	tick(48, 16) // up after a quarter
	tick(64, 0)
	hold(66, "w")
	hold(68)
	hold(76, "w")
	tick(80, 24) // twice: 2 ms and 4
	hold(81)
	tick(96, 4)
	hold(1000, "w")
	tick(5000, 64) // for long nobody asked
}

func TestKeyIsHeldWhileAnyWindowHoldsIt(t *testing.T) {
	var k devices
	k.init()
	var a, b hand
	var s keySample
	down := func() bool { k.ticks.sample(&s); k.ticks.sample(&s); return s.down["w"] > 0 }
	check := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	check(k.hold(&a, []string{"w", "W", "KeyW"}))
	check(k.hold(&b, []string{"w"}))
	check(k.hold(&a, nil))
	if !down() {
		t.Error("let go while the other window holds it")
	}
	check(k.hold(&b, []string{"x"}))
	if down() {
		t.Error("held by nobody")
	}
}

func TestAxes(t *testing.T) {
	axis := func(keys ...string) world.InputField {
		return world.InputField{Name: "axis", Axis: true, Min: -2, Max: 1, Keys: keys}
	}
	angle := world.InputField{Name: "aim", Axis: true, Min: -math.Pi, Max: math.Pi}
	full := world.InputField{Name: "aim", Axis: true, Min: 0, Max: 2 * math.Pi}
	steer := axis("right", "-left", "pad:lx")
	climb := axis("-pad:ly")
	for name, c := range map[string]struct {
		field   world.InputField
		down    []string
		sticks  [4]float64
		pointer pointer
		want    float64
	}{
		"nothing":                  {field: steer},
		"to the right":             {field: steer, down: []string{"arrowright"}, want: 1},
		"to the left":              {field: steer, down: []string{"arrowleft"}, want: -2},
		"keys beat the stick":      {field: steer, down: []string{"arrowright"}, sticks: [4]float64{-0.1}, want: 1},
		"a stick half to the left": {field: steer, sticks: [4]float64{-0.5}, want: -1},
		"a stick turned round":     {field: climb, sticks: [4]float64{0, -0.5}, want: 0.5},
		"the pointer unknown":      {field: angle},
		"the pointer above":        {field: angle, pointer: pointer{1, 7, true}, want: math.Pi / 2},
		"the pointer below":        {field: angle, pointer: pointer{1, -7, true}, want: -math.Pi / 2},
		"below, from 0 to 2 pi":    {field: full, pointer: pointer{1, -7, true}, want: 1.5 * math.Pi},
	} {
		t.Run(name, func(t *testing.T) {
			w, slot := shipWorld(t, []world.InputField{c.field})
			var k devices
			k.init()
			var h hand
			if err := k.hold(&h, c.down); err != nil {
				t.Fatal(err)
			}
			if err := k.push(c.sticks[:]); err != nil {
				t.Fatal(err)
			}
			if c.pointer.known {
				k.point(c.pointer.x, c.pointer.y)
			}
			controls := newKeyControls(&k)
			if got := controls.Input(w.Reader(), slot).Axes[0]; math.Abs(got-c.want) > 1e-12 {
				t.Errorf("%v, want %v", got, c.want)
			}
		})
	}
}

func TestFieldKeys(t *testing.T) {
	button := func(name string, keys ...string) world.InputField { return world.InputField{Name: name, Keys: keys} }
	for name, c := range map[string]struct {
		fields []world.InputField
		want   []string // the first key of each
	}{
		"what the script says":      {[]world.InputField{button("Accel", "x"), button("Fire")}, []string{"x", ""}},
		"the classic ship":          {classicFields(), []string{"arrowleft", "arrowright", "arrowup", "arrowdown"}},
		"names that say nothing":    {[]world.InputField{button("Foo"), button("Fire"), button("Bar")}, []string{"e", "space", "q"}},
		"a turret":                  {[]world.InputField{{Name: "aim", Axis: true, Min: -3.2, Max: 3.2}, button("shoot")}, []string{"mouse", "space"}},
		"an axis that says nothing": {[]world.InputField{{Name: "foo", Axis: true, Min: -1, Max: 1}}, []string{""}},
	} {
		t.Run(name, func(t *testing.T) {
			for i, keys := range fieldKeys(c.fields) {
				first := ""
				if len(keys) > 0 {
					first = keys[0]
				}
				if first != c.want[i] {
					t.Errorf("%s is bound to %v, want %q first", c.fields[i].Name, keys, c.want[i])
				}
			}
		})
	}
}

// TestPageHasEveryPublishedName: the page sends every key and draws every shape that
// scripts may name.
func TestPageHasEveryPublishedName(t *testing.T) {
	var keys []string
	for _, g := range keyname.Groups() {
		keys = append(keys, g.Names...)
	}
	named := func(file, pattern, prefix string) (names []string) {
		text, err := os.ReadFile("page/" + file)
		if err != nil {
			t.Fatal(err)
		}
		block := regexp.MustCompile(pattern).FindSubmatch(text)
		if block == nil {
			t.Fatalf("no %s in %s", pattern, file)
		}
		for _, m := range regexp.MustCompile(`(?m)'([\w:]+)'|^  (\w+):`).FindAllStringSubmatch(string(block[1]), -1) {
			names = append(names, prefix+m[1]+m[2])
		}
		return names
	}
	sent := append(named("keys.js", `const PAD = \[(.*)\]`, "pad:"), named("keys.js", `const MOUSE = \[(.*)\]`, "")...)
	sent = append(sent, named("keys.js", `const FLOWS = \[(.*)\]`, "")...)
	if len(sent) != 22 {
		t.Errorf("the page sends %q", sent)
	}
	for _, n := range sent {
		if !slices.Contains(keys, n) {
			t.Errorf("the page sends %s, which no script can name", n)
		}
	}
	for _, k := range keys {
		if strings.Contains(k, ":") && !slices.Contains(sent, k) && !slices.Contains(keyname.Sticks(), k) {
			t.Errorf("a script can name %s, which the page never sends", k)
		}
	}
	drawn := append(named("shapes.js", `(?s)const NAMED = \{(.*?)\n\}`, ""), "body", "circle")
	slices.Sort(drawn)
	if !slices.Equal(drawn, luabind.LookShapes()) {
		t.Errorf("the page draws %q, scripts can name %q", drawn, luabind.LookShapes())
	}
}

func FuzzFromBrowser(f *testing.F) {
	for _, seed := range []string{`{"t":"keys","down":["w"]}`, `{"t":"pointer","x":1,"y":-2}`, `{"t":"sticks","axes":[0,1,-1,2]}`, `{"t":"flow","flow":[1,-2e9,0.5]}`, `{"t":"say","text":"hi"}`, `{"t":"sound","volume":2}`, `{"t":"bind","what":"Fire","keys":["k"]}`, `{"t":"line","line":"bad"}`, `{`, `null`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		p := &page{requests: newRequests(), log: slog.New(slog.DiscardHandler), settings: &settings{}}
		p.devices.init()
		p.controls = newKeyControls(&p.devices)
		v := &viewer{page: p}
		_ = v.take(data)
		if _ = p.devices.hold(&v.hand, nil); len(p.devices.ticks.held) != 0 {
			t.Errorf("%s leaves %v held", data, p.devices.ticks.held)
		}
		for _, s := range p.devices.ticks.sticks {
			if !(s.at >= -1 && s.at <= 1) {
				t.Errorf("stick at %v", s)
			}
		}
		for _, line := range p.feed.chats.kept {
			if !json.Valid(line) {
				t.Errorf("%s", line)
			}
		}
	})
}

// TestInputsAreMergedAsDeclared: everything that a player does between two ticks is
// merged by the rule of each input, with the parts of the tick.
func TestInputsAreMergedAsDeclared(t *testing.T) {
	axis := func(name string, i int, m world.Merge, keys ...string) world.InputField {
		return world.InputField{Name: name, Axis: true, Index: i, Min: -10, Max: 10, Merge: m, Keys: keys}
	}
	const any, end, last, mean, far, zoom, turn, lift = 0, 1, 0, 1, 2, 3, 4, 5
	fields := []world.InputField{{Name: "any", Keys: []string{"w"}}, {Name: "end", Index: end, Merge: world.MergeLast, Keys: []string{"w"}},
		axis("last", last, world.MergeDefault, "d", "pad:lx"), axis("mean", mean, world.MergeMean, "d", "pad:lx"), axis("far", far, world.MergeFurthest, "d", "pad:lx"),
		axis("zoom", zoom, world.MergeSum, "wheel"), axis("turn", turn, world.MergeSum, "-mouse:dx"), axis("lift", lift, world.MergeSum, "mouse:dy")}
	w, slot := shipWorld(t, fields)
	var k devices
	k.init()
	start := time.Unix(1000, 0)
	now := start
	k.ticks.now = func() time.Time { return now }
	at := func(ms int) { now = start.Add(time.Duration(ms) * time.Millisecond) }
	c := newKeyControls(&k)
	var h hand
	keys := func(ms int, down ...string) {
		at(ms)
		if err := k.hold(&h, down); err != nil {
			t.Fatal(err)
		}
	}
	stick := func(ms int, x float64) {
		at(ms)
		if err := k.push([]float64{x, 0, 0, 0}); err != nil {
			t.Fatal(err)
		}
	}
	flow := func(amounts ...float64) {
		if err := k.flow(amounts); err != nil {
			t.Fatal(err)
		}
	}
	tick := func(ms, wantAny, wantEnd int, want ...float64) {
		t.Helper()
		at(ms)
		w.Now.Tick++
		in := c.Input(w.Reader(), slot)
		if a, b := in.HeldParts(any), in.HeldParts(end); a != wantAny || b != wantEnd {
			t.Errorf("after %d ms: down for %d and %d parts, not %d and %d", ms, a, b, wantAny, wantEnd)
		}
		for i, v := range want {
			if math.Abs(in.Axes[i]-v) > 1e-9 {
				t.Errorf("after %d ms: %s is %v, not %v", ms, fields[i+2].Name, in.Axes[i], v)
			}
		}
	}
	tick(0, 0, 0, 0, 0, 0, 0, 0, 0)
	keys(4, "w")
	keys(8)
	stick(4, -0.5)
	stick(12, 0.25)
	flow(1, 2, 3)
	flow(1.5, 2, -1)
	tick(16, 16, 0, 2.5, -5*0.5+2.5*0.25, -5, 2.5, -4, 2) // a tap; the stick left for half, right for a quarter
	tick(32, 0, 0, 2.5, 2.5, 2.5, 0, 0, 0)
	stick(32, 0)
	keys(40, "w", "d")
	tick(48, 32, 32, 10, 5, 10, 0, 0, 0)
	keys(56)
	tick(64, 32, 0, 10, 5, 10, 0, 0, 0) // let go within the tick: of an axis it still counts
	tick(80, 0, 0, 0, 0, 0, 0, 0, 0)
	stick(90, 1)
	flow(9, 9, 9)
	tick(1090, 0, 0, 10, 10, 10, 0, 0, 0) // for long nobody asked
	flow(1, 2, 3)
	stick(1120, 0)
	tick(1150, 0, 0, 0, 5, 10, 1, -2, 3) // at 20 ticks a second one may take a little longer
	if err := k.flow([]float64{1}); err == nil {
		t.Error("one amount alone is taken")
	}
}
