package scripts_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/scripts"
	"github.com/hindcast/hindcast/world"
)

// folder returns a game of a game.toml and a script.
func folder(toml string) fstest.MapFS {
	return fstest.MapFS{"game.toml": {Data: []byte(toml)}, "game.lua": {Data: []byte("-- nothing\n")}}
}

// complaints returns the lines of an error from Load.
func complaints(err error) []string {
	if err == nil {
		return nil
	}
	return strings.Split(err.Error(), "\n")
}

func TestGameTOMLErrors(t *testing.T) {
	for _, c := range []struct {
		toml string // a ! begins each line that an error is expected of
		want []string
	}{
		{"!", []string{"name is missing"}},
		{"name = 'a'\n!<<<<<<< HEAD\nseed = 1\n=======\nseed = 2\n>>>>>>> other\n", []string{"this line is a conflict marker of a merge: keep one"}},
		{"!name = 3", []string{"name = 3: must be a text in quotes, not a whole number"}},
		{"!name = ''", []string{"name has 0 bytes: must be 1 to 64"}},
		{"!name = '" + strings.Repeat("x", 65) + "'", []string{"name has 65 bytes: must be 1 to 64"}},
		{"!name = \"a\\u0007\"", []string{`name = "a\a": has characters that cannot be shown`}},
		{"name = 'a'\n!tick_rat = 30", []string{"tick_rat is unknown: did you mean tick_rate?"}},
		{"name = 'a'\n!Tick-Rate = 30", []string{"Tick-Rate is unknown: did you mean tick_rate?"}},
		{"name = 'a'\n!colour = 1", []string{"colour is unknown: there are api, arena, correct, history, input, interpolation, level, limits, name, net, physics, players, prediction, seed, snapshots, spawn, tick_rate, wall"}},
		{"!title = 'a'", []string{"title is unknown: did you mean name?"}},
		{"seed = 3\n!nmae = 'a'", []string{"nmae is unknown: did you mean name?"}},
		{"name = 'a'\n[[wall]]\n!width = 3\nh = 1", []string{"wall[1].width is unknown: did you mean w?"}},
		{"name = 'a'\n[[spawn]]\n!type = 'Ship'", []string{"spawn[1].type is unknown: did you mean class?"}},
		{"name = 'a'\n!fps = 30", []string{"fps is unknown: did you mean tick_rate?"}},
		{"name = 'a'\n!tick_rate = 19", []string{"tick_rate = 19: must be 20 to 128"}},
		{"name = 'a'\n!tick_rate = 129", []string{"tick_rate = 129: must be 20 to 128"}},
		{"name = 'a'\n!tick_rate = 60.0", []string{"tick_rate = 60.0: must be a whole number, not a number with a fraction"}},
		{"name = 'a'\n!tick_rate = '60'", []string{`tick_rate = "60": must be a whole number, not a text`}},
		{"name = 'a'\n!tick_rate = 2024-01-01", []string{"tick_rate = ...: must be a whole number, not a date or time"}},
		{"name = 'a'\n!seed = -1", []string{"seed = -1: must be 0 to 9223372036854775807"}},
		{"name = 'a'\n[history]\n!max_rewind = 2001\n!max_seen = -1", []string{"history.max_rewind = 2001: must be 0 to 2000 ms", "history.max_seen = -1: must be 0 to 5000 ms"}},
		{"name = 'a'\n[history]\n!max_rewnd = 1", []string{"history.max_rewnd is unknown: did you mean max_rewind?"}},
		{"name = 'a'\n!history.max_rewnd = 1", []string{"history.max_rewnd is unknown: did you mean max_rewind?"}},
		{"name = 'a'\n!history = {max_seen = 1, max_rewnd = 1}", []string{"history.max_rewnd is unknown: did you mean max_rewind?"}},
		{"name = 'a'\n!history = 5", []string{"history = 5: must be a table, [history], not a whole number"}},
		{"name = 'a'\n![[history]]\nmax_seen = 1", []string{"history = [1 tables]: must be a table, [history], not a list"}},
		{"name = 'a'\n\n![phyics]\nsubsteps = 900", []string{"phyics is unknown: did you mean physics?"}},
		{"name = 'a'\n[input]\n!repeat = 5001\n!max_ahead = 0", []string{"input.repeat = 5001: must be 0 to 5000 ms", "input.max_ahead = 0: must be 1 to 5000 ms"}},
		{"name = 'a'\n![level.main]\nwidth = 9", []string{"level.main is the name of the level that [arena], [[wall]] and [[spawn]] declare: choose another one"}},
		{"name = 'a'\n![level." + strings.Repeat("x", 33) + "]", []string{"level." + strings.Repeat("x", 33) + " is a name of 33 bytes: a level needs 1 to 32"}},
		{"name = 'a'\n[level.cave]\n!widht = 9\n[[level.cave.wall]]\nw = 1\n!h = 0", []string{"level.cave.widht is unknown: did you mean width?", "level.cave.wall[1].h = 0: must be 0.01 to 100000 m"}},
		{"name = 'a'\n!level = 3", []string{"level = 3: must be a table, [level], not a whole number"}},
		{"name = 'a'\n[limits]\n!catch_up = 49", []string{"limits.catch_up = 49: must be 50 to 10000 ms"}},
		{"name = 'a'\n[input]\n!again = 'last'", []string{`input.again = "last": must be "first" or "newest"`}},
		{"name = 'a'\n[input]\n!redundancy = 17", []string{"input.redundancy = 17: must be 1 to 16"}},
		{"name = 'a'\n[history]\nmax_rewind = 100\n[input]\nmax_ahead = 50\n!lead = -101", []string{"input.lead = -101: must be -100 to 50 ms"}},
		{"name = 'a'\n[players]\n!max = 129\n!grace = 3600001", []string{"players.max = 129: must be 1 to 128", "players.grace = 3600001: must be 0 to 3600000 ms"}},
		{"name = 'a'\n[net]\n!port = 0\n!http = 65536", []string{"net.port = 0: must be 1 to 65535", "net.http = 65536: must be 1 to 65535"}},
		{"name = 'a'\n[interpolation]\n!most = 5001", []string{"interpolation.most = 5001: must be 0 to 5000 ms"}},
		{"name = 'a'\n[interpolation]\n!least = 301\nmost = 300", []string{"interpolation.least = 301: must be 0 to 300 ms"}},
		{"name = 'a'\n[interpolation]\n!extrapolat = 1", []string{"interpolation.extrapolat is unknown: did you mean extrapolate?"}},
		{"name = 'a'\n[snapshots]\n!rate = 3\n!bytes = 1101", []string{"snapshots.rate = 3: must be 4 to 128", "snapshots.bytes = 1101: must be 100 to 1100"}},
		{"name = 'a'\n[physics]\n!substeps = 17", []string{"physics.substeps = 17: must be 1 to 16"}},
		{"name = 'a'\n[physics]\n!sleep = -1", []string{"physics.sleep = -1: must be 0 to 60 s"}},
		{"name = 'a'\n[physics]\n!sleep = 'no'", []string{`physics.sleep = "no": must be a number, not a text`}},
		{"name = 'a'\n[physics]\n!gravity = -10", []string{"physics.gravity = -10: must be two numbers, [x, y]"}},
		{"name = 'a'\n[physics]\n!gravity = [1]", []string{"physics.gravity = [1 values]: must be two numbers, [x, y]"}},
		{"name = 'a'\n[physics]\ngravity = [\n  0, # none\n!  -1e4,\n]", []string{"physics.gravity[2] = -10000.0: must be -1000 to 1000 m/s2"}},
		{"name = 'a'\n[physics]\n!gravity = ['0', 1]", []string{`physics.gravity[1] = "0": must be a number, not a text`}},
		{"name = 'a'\n[arena]\n!width = 0\n!height = inf", []string{"arena.width = 0: must be 1 to 100000 m", "arena.height = +inf: must be 1 to 100000 m"}},
		{"name = 'a'\n[arena]\n!width = nan\n!walls = 1", []string{"arena.width = nan: must be 1 to 100000 m", "arena.walls = 1: must be true or false, not a whole number"}},
		{"name = 'a'\n[arena]\n!wall_friction = 11\n!wall_restitution = 1.5", []string{"arena.wall_friction = 11: must be 0 to 10", "arena.wall_restitution = 1.5: must be 0 to 1"}},
		{"name = 'a'\n[[wall]]\nw = 1\nh = 1\n![[wall]]\nw = 1", []string{"wall[2].h is missing: a wall is x, y"}},
		{"name = 'a'\n[[wall]]\nw = 1\nh = 1\n[[wall]]\nw = 1\n!h = 0", []string{"wall[2].h = 0: must be 0.01 to 100000 m"}},
		{"name = 'a'\n[[wall]]\nw = 1\nh = 1\n!angle = 45", []string{"wall[1].angle = 45: must be -6.28319 to 6.28319 radians"}},
		{"name = 'a'\nwall = [\n  {w = 1, h = 1},\n!  {w = 1, h = 1, colour = 'red'},\n]", []string{"wall[2].colour is unknown: there are angle, friction, h, restitution, w, x, y"}},
		{"name = 'a'\n![wall]\nx = 1", []string{"wall = {...}: must be tables, each under [[wall]], not a table"}},
		{"name = 'a'\n!wall = [1, 2]", []string{"wall = [2 values]: must be tables, each under [[wall]], not a list"}},
		{"name = 'a'\n![[spawn]]\ncount = 1", []string{"spawn[1].class is missing"}},
		{"name = 'a'\n[[spawn]]\n!class = 'Wall'", []string{`spawn[1].class = "Wall": cannot be spawned`}},
		{"name = 'a'\n[[spawn]]\n!class = ''", []string{"spawn[1].class is empty"}},
		{"name = 'a'\n[[spawn]]\nclass = 'A'\n!count = -1\n!x = 1e6\n!speed = 2000", []string{"spawn[1].count = -1: must be 0 to 16384", "spawn[1].x = 1e+06: must be -50000 to 50000 m", "spawn[1].speed = 2000: must be 0 to 1000 m/s"}},
		{"name = 'a'\n[[spawn]]\nclass = 'A'\ncount = 16000\n[[spawn]]\nclass = 'B'\n!count = 384", []string{"spawn[2].count = 384: makes 16384 objects, with the walls and the [[spawn]]s above; the room holds 16383"}},
		{"name = 'a'\n[correct]\n!position = -1\n!angle = 4\n!velocity = 'x'\n!angular_velocity = 1e9", []string{"correct.position = -1: must be 0 to 100000 m", "correct.angle = 4: must be 0 to 3.14159 radians", `correct.velocity = "x": must be a number, not a text`, "correct.angular_velocity = 1e+09: must be 0 to 1000 rad/s"}},
		{"name = 'a'\n!\"tick rate\" = 1", []string{`"tick rate" is unknown: did you mean tick_rate?`}},
		{"name = 'a'\n!\"\\u0061b.c\" = 1", []string{`"ab.c" is unknown: there are`}},
		{"name = '''a'''\n# x = 1\n!seed = \"\"\"\nmax_rewind = 3\n\"\"\"\n!junk = 1", []string{`seed = "max_rewind = 3\n": must be a whole number, not a text`, "junk is unknown"}},
		{"name = 'a'\n!name = 'b'", []string{"Key 'name' has already been defined."}},
		{"name = 'a'\n!seed = ", []string{"expected value but found"}},
		{"name = 'a'\n!seed = 99999999999999999999", []string{"99999999999999999999 is out of range for int64"}},
		{"!name = 'a", []string{"strings cannot contain newlines"}},
		{"name = 'a'\n!x" + strings.Repeat(".x", 3000) + " = 1", []string{"6005 bytes on one line: at most 4096"}},
		{"name = 'a'\n!x = \"\xff\"", []string{"not UTF-8: byte 0xff"}},
	} {
		var lines []int
		for i, l := range strings.Split(c.toml, "\n") {
			if strings.HasPrefix(l, "!") {
				lines = append(lines, i+1)
			}
		}
		_, err := scripts.Load(folder(strings.ReplaceAll("\n"+c.toml, "\n!", "\n")[1:]+"\n"), "g")
		got := complaints(err)
		if len(got) != len(c.want) || len(lines) != len(c.want) {
			t.Errorf("%.80q: %d errors, want %d (on lines %v): %q", c.toml, len(got), len(c.want), lines, got)
			continue
		}
		for i := range got {
			if want := fmt.Sprintf("g/game.toml:%d: %s", lines[i], c.want[i]); !strings.HasPrefix(got[i], want) {
				t.Errorf("%.80q:\n got %s\nwant %s", c.toml, got[i], want)
			}
		}
	}
}

func TestDefaults(t *testing.T) {
	g, err := scripts.Load(folder("name = 'plain'"), "")
	if err != nil {
		t.Fatal(err)
	}
	want := bundle.New("plain", world.Source{Name: "game.lua", Text: "-- nothing\n"})
	if !reflect.DeepEqual(g.Bundle, want) {
		t.Errorf("got  %+v\nwant %+v", g.Bundle, want)
	}
	if g.Port != 0 || g.HTTP != 0 {
		t.Errorf("ports %d, %d from a game that names none", g.Port, g.HTTP)
	}
}

// TestDocumentedDefaults: a game with every key and value of doc.go is equal to one with
// none of them.
func TestDocumentedDefaults(t *testing.T) {
	g := documentsDefaults(t, documented(t))
	if walls := []world.Wall{{W: 4, H: 1}}; !reflect.DeepEqual(g.Bundle.Setup.Walls, walls) {
		t.Errorf("walls %+v, want %+v", g.Bundle.Setup.Walls, walls)
	}
	if spawns := []world.Spawn{{Class: "Crate", Count: 1}}; !reflect.DeepEqual(g.Bundle.Setup.Spawns, spawns) {
		t.Errorf("spawns %+v, want %+v", g.Bundle.Setup.Spawns, spawns)
	}
}

// TestScriptingPageDefaults: the game.toml in docs/scripting.md has the defaults.
func TestScriptingPageDefaults(t *testing.T) {
	page, err := os.ReadFile("../docs/scripting.md")
	if err != nil {
		t.Fatal(err)
	}
	_, block, found := strings.Cut(string(page), "```toml\n")
	block, _, closed := strings.Cut(block, "```")
	if !found || !closed {
		t.Fatal("the page has no block of TOML")
	}
	documentsDefaults(t, block)
}

// documentsDefaults loads a game.toml and checks that everything in it, except the
// name, the walls and the spawns, is what an empty one means.
func documentsDefaults(t *testing.T, text string) *scripts.Game {
	t.Helper()
	g, err := scripts.Load(folder(text), "")
	if err != nil {
		t.Fatal(err)
	}
	setup, rules := g.Bundle.Setup, bundle.DefaultRules()
	setup.Walls, setup.Spawns = nil, nil
	rules.Snapshots.Layers = []bundle.LayerRange{{Layer: "wall"}}
	rules.Prediction.Layers = []bundle.LayerRange{{Layer: "wall"}}
	if !reflect.DeepEqual(setup, bundle.DefaultSetup()) || !reflect.DeepEqual(g.Bundle.Rules, rules) {
		t.Errorf("got  %+v\nwant %+v %+v", g.Bundle, bundle.DefaultSetup(), rules)
	}
	if g.Port != 7777 || g.HTTP != 7778 {
		t.Errorf("ports %d, %d", g.Port, g.HTTP)
	}
	return g
}

const everything = `
name = "full"
tick_rate = 30
seed = 77
[history]
max_rewind = 300
rewind_work = 12
max_seen = 500
[input]
repeat = 101
max_ahead = 700
lead = -30
redundancy = 5
again = "newest"
[players]
max = 12
grace = 1
[limits]
objects = 5000
catch_up = 1500
[net]
port = 1
http = 65535
[physics]
sleep = 1.5
substeps = 2
gravity = [0.5, -9.81]
[arena]
width = 10
height = 6
walls = true
wall_friction = 0.5
wall_restitution = 0.25
[[wall]]
x = 1
y = -2
w = 3
h = 0.5
angle = 1.5
restitution = 1
[[spawn]]
class = "Ball"
count = 3
x = 1
y = 2
w = 3
h = 4
speed = 5
[[spawn]]
class = "Crate"
[correct]
position = 0.1
angle = 0.2
velocity = 0.3
angular_velocity = 0.4
[interpolation]
first = 150
least = 50
most = 800
extrapolate = 250
[snapshots]
rate = 30
bytes = 500
range = 90
[snapshots.layers]
wall = 0
default = 20.5
[prediction]
range = 60
[prediction.layers]
wall = 9
`

func TestEveryKeyReachesTheBundle(t *testing.T) {
	g, err := scripts.Load(folder(everything), "")
	if err != nil {
		t.Fatal(err)
	}
	want := &bundle.Bundle{Game: "full",
		Setup: world.Setup{TickRate: 30, Seed: 77, GravityX: 0.5, GravityY: -9.81, Substeps: 2, SleepAfter: 1.5, Width: 10, Height: 6,
			RepeatInputTicks: 4, GraceTicks: 1, Objects: 5000, // 3.03 and 0.03 ticks, rounded up
			Walls: []world.Wall{
				{X: 0, Y: 3.5, W: 12, H: 1, Friction: 0.5, Restitution: 0.25},
				{X: 0, Y: -3.5, W: 12, H: 1, Friction: 0.5, Restitution: 0.25},
				{X: 5.5, Y: 0, W: 1, H: 6, Friction: 0.5, Restitution: 0.25},
				{X: -5.5, Y: 0, W: 1, H: 6, Friction: 0.5, Restitution: 0.25},
				{X: 1, Y: -2, W: 3, H: 0.5, Angle: 1.5, Friction: 0.5, Restitution: 1}},
			Spawns: []world.Spawn{{Class: "Ball", Count: 3, X: 1, Y: 2, W: 3, H: 4, Speed: 5}, {Class: "Crate", Count: 1}}},
		Rules: bundle.Rules{MaxRewind: 300 * time.Millisecond, MaxSeen: 500 * time.Millisecond, MaxAhead: 700 * time.Millisecond, Lead: -30 * time.Millisecond, Redundancy: 5, Newest: true, RewindWork: 12, MaxPlayers: 12, CatchUp: 1500 * time.Millisecond,
			Correct: bundle.Thresholds{Position: 0.1, Angle: 0.2, Velocity: 0.3, AngularVelocity: 0.4},
			Snapshots: bundle.SnapshotRules{Rate: 30, Bytes: 500, Range: 90,
				Interpolation: bundle.InterpolationRules{First: 150 * time.Millisecond, Least: 50 * time.Millisecond, Most: 800 * time.Millisecond, Extrapolate: 250 * time.Millisecond},
				Layers:        []bundle.LayerRange{{Layer: "default", Range: 20.5}, {Layer: "wall"}}},
			Prediction: bundle.PredictionRules{Range: 60, Layers: []bundle.LayerRange{{Layer: "wall", Range: 9}}}},
		Files: []world.Source{{Name: "game.lua", Text: "-- nothing\n"}}}
	if !reflect.DeepEqual(g.Bundle, want) {
		t.Errorf("got  %+v\nwant %+v", g.Bundle, want)
	}
	if g.Port != 1 || g.HTTP != 65535 {
		t.Errorf("ports %d, %d", g.Port, g.HTTP)
	}
	back, err := bundle.Parse(g.Bundle.Encode())
	if err != nil || !reflect.DeepEqual(back, g.Bundle) {
		t.Errorf("after a round trip: %v\n got %+v\nwant %+v", err, back, g.Bundle)
	}
}

func TestDefaultTicksFollowTheTickRate(t *testing.T) {
	for rate, want := range map[int][2]world.Tick{20: {5, 600}, 30: {8, 900}, 60: {15, 1800}, 128: {32, 3840}} {
		g, err := scripts.Load(folder(fmt.Sprintf("name = 'a'\ntick_rate = %d", rate)), "")
		if err != nil {
			t.Fatal(err)
		}
		s := g.Bundle.Setup
		if got := [2]world.Tick{s.RepeatInputTicks, s.GraceTicks}; got != want {
			t.Errorf("%d Hz: %v, want %v", rate, got, want)
		}
	}
}

// TestProblemsAreValues: a caller can take an error apart.
func TestProblemsAreValues(t *testing.T) {
	_, err := scripts.Load(folder("name = 'a'\n[arena]\nheight = 0"), "dir/")
	var p *scripts.Problem
	if !errors.As(err, &p) || p.File != "dir/game.toml" || p.Line != 3 {
		t.Errorf("%#v", err)
	}
}

// TestAPIVersion: a game of a newer API is refused with its line, by hosts and by clients. The first version is the
// same as none.
func TestAPIVersion(t *testing.T) {
	load := func(toml string) (*scripts.Game, error) {
		return scripts.Load(folder(toml), "")
	}
	none, err := load("name = \"a\"\n")
	if err != nil {
		t.Fatal(err)
	}
	one, err := load("name = \"a\"\napi = 1\n")
	if err != nil || !bytes.Equal(one.Bundle.Encode(), none.Bundle.Encode()) {
		t.Errorf("%v, or another bundle", err)
	}
	if _, err := load("name = \"a\"\napi = 2\n"); err == nil || !strings.Contains(err.Error(), "game.toml:2: api = 2: this program has version 1 of the API: use a newer program") {
		t.Error(err)
	}
	newer := *none.Bundle
	newer.API = bundle.APIVersion + 1
	if _, err := bundle.Parse(newer.Encode()); !errors.Is(err, bundle.ErrInvalid) || !strings.Contains(err.Error(), "needs version 2 of the API, and this program has 1: use a newer program") {
		t.Error(err)
	}
}
