package scripts_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/hindcast/hindcast/luabind"
	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/host"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/scripts"
	"github.com/hindcast/hindcast/world"
)

// keys holds the same buttons all the time.
type keys uint32

func (k keys) Input(world.Reader, int) world.Input { return world.Input{Buttons: uint32(k)} }

// button returns the bit of a ship's input.
func button(t *testing.T, c *world.Class, name string) keys {
	t.Helper()
	for _, f := range c.Inputs {
		if f.Name == name {
			return 1 << f.Index
		}
	}
	t.Fatalf("no input %s", name)
	return 0
}

type motion struct{ VX, VY, W, Angle float64 }

// ship returns how the only ship moves.
func ship(t *testing.T, h *host.Host) motion {
	t.Helper()
	s := h.State()
	ci, _ := h.Schema().ClassByName("Ship")
	for _, slot := range s.Run {
		if int(s.Objects[slot].Class) == ci {
			b := s.Body(int(slot))
			return motion{b.VX, b.VY, b.W, b.Angle}
		}
	}
	t.Fatal("there is no ship")
	return motion{}
}

// TestHowTheShipFlies: alone in an empty arena, with one key held.
func TestHowTheShipFlies(t *testing.T) {
	g := simtest.Game(t, "arena")
	g.Bundle.Setup.Walls, g.Bundle.Setup.Spawns = nil, nil
	script, err := g.Compile(luabind.Compile)
	if err != nil {
		t.Fatal(err)
	}
	ci, _ := script.Schema().ClassByName("Ship")
	class := &script.Schema().Classes[ci]
	fly := func(key string) (first, last motion) {
		held := button(t, class, key)
		sim := simtest.New(t, simtest.Options{Seed: 1, Clients: 1, Profile: memlink.Off(), Bundle: g.Bundle, Compile: luabind.Compile, Log: complain{t},
			Controls: func(int) client.Controls { return held }})
		moving := func() bool {
			s := sim.Host.State()
			if s == nil || len(s.Players) == 0 {
				return false
			}
			b := ship(t, sim.Host)
			return b.VX != 0 || b.VY != 0 || b.W != 0
		}
		sim.RunUntil(5*time.Second, "the ship moves", moving)
		first = ship(t, sim.Host)
		sim.Run(4 * time.Second)
		return first, ship(t, sim.Host)
	}
	const tick = 1.0 / 60
	for key, want := range map[string][2]float64{"Thrust": {20, 10}, "Reverse": {10, 5}} { // m/s2, m/s
		first, last := fly(key)
		push := math.Hypot(first.VX, first.VY) / tick
		if push < 0.9*want[0] || push > 1.05*want[0] {
			t.Errorf("%s: %.2f m/s2 at first, want about %v", key, push, want[0])
		}
		speed := math.Hypot(last.VX, last.VY)
		if speed < 0.97*want[1] || speed > 1.05*want[1] {
			t.Errorf("%s: %.2f m/s at last, want about %v", key, speed, want[1])
		}
		ahead := (last.VX*math.Cos(last.Angle) + last.VY*math.Sin(last.Angle)) / speed
		if key == "Thrust" && ahead < 0.999 || key == "Reverse" && ahead > -0.999 {
			t.Errorf("%s: flies with %.3f of its speed ahead", key, ahead)
		}
	}
	for key, sign := range map[string]float64{"TurnLeft": 1, "TurnRight": -1} {
		if _, last := fly(key); last.W*sign < 3.8 || last.W*sign > 4.3 {
			t.Errorf("%s: %.2f rad/s at last, want about %v", key, last.W, sign*4)
		}
	}
}

// TestChasersMeet: bots that chase each other make the contacts that late
// inputs are hard with.
func TestChasersMeet(t *testing.T) {
	sim := play(t, simtest.Game(t, "arena"), memlink.Off(), 20*time.Second, "chase", "chase", "chase", "chase")
	bumps := 0.0
	for _, n := range number(t, sim.Host, "Ship", "bumps") {
		bumps += n
	}
	t.Logf("%v bumps", bumps)
	if bumps < 8 {
		t.Errorf("%v bumps in 20 s", bumps)
	}
}

// TestInputsOfBots looks at the inputs that each bot gives over 600 ticks.
func TestInputsOfBots(t *testing.T) {
	for name, check := range map[string]func(changes int, pressed uint32) bool{
		"idle":   func(changes int, pressed uint32) bool { return changes == 0 && pressed == 0 },
		"circle": func(changes int, pressed uint32) bool { return changes == 0 && pressed != 0 },
		// three buttons, each of which may change every 10 to 40 ticks
		"random": func(changes int, pressed uint32) bool { return changes >= 10 && changes <= 180 && pressed != 0 },
		"chase":  func(changes int, pressed uint32) bool { return pressed != 0 },
	} {
		var watch *watched
		sim := simtest.New(t, simtest.Options{Seed: 1, Clients: 2, Profile: memlink.Off(), Bundle: simtest.Game(t, "arena").Bundle, Compile: luabind.Compile, Log: complain{t},
			Controls: func(i int) client.Controls {
				if i == 0 {
					watch = &watched{of: simtest.Bot(t, name)}
					return watch
				}
				return simtest.Bot(t, "circle")
			}})
		sim.RunUntil(20*time.Second, "600 inputs", func() bool { return watch.asked >= 600 })
		t.Logf("%s: %d changes, buttons %b", name, watch.changes, watch.pressed)
		if !check(watch.changes, watch.pressed) {
			t.Errorf("%s: %d changes, buttons %b", name, watch.changes, watch.pressed)
		}
	}
}

// watched counts what another presses.
type watched struct {
	of             client.Controls
	asked, changes int
	pressed, last  uint32
}

func (p *watched) Input(r world.Reader, slot int) world.Input {
	in := p.of.Input(r, slot)
	if p.asked > 0 && in.Buttons != p.last {
		p.changes++
	}
	p.asked++
	p.pressed |= in.Buttons
	p.last = in.Buttons
	return in
}

// arenaHash is the state of the arena after 600 ticks with two ships that
// nobody steers, on every machine. It changes with the arena, the physics and
// what a hash covers: when that is meant, put the new one here.
const arenaHash uint64 = 0x686dc95ebf6439da

func TestArenaGolden(t *testing.T) {
	g := simtest.Game(t, "arena")
	g.Bundle.Setup.Spawns = append(g.Bundle.Setup.Spawns, world.Spawn{Class: "Ship", Count: 2, X: 0, Y: 0, W: 30, H: 4})
	var got uint64
	host, err := host.New(host.Config{Bundle: g.Bundle, Compile: luabind.Compile, Link: memlink.New(1).Host(),
		Confirmed: func(tick world.Tick, hash uint64) {
			if tick == 600 {
				got = hash
			}
		}})
	if err != nil {
		t.Fatal(err)
	}
	for now := time.Duration(0); host.Now() < 700; now += host.TickLength() {
		host.Poll(now)
		if err := host.Tick(now); err != nil {
			t.Fatal(err)
		}
	}
	if n := host.Report(0).ScriptErrors; n != 0 {
		t.Errorf("%d script errors", n)
	}
	if got != arenaHash {
		t.Errorf("hash of tick 600: %#016x, want %#016x", got, arenaHash)
	}
}

func TestDronesDoNotStandStill(t *testing.T) {
	sim := play(t, simtest.Game(t, "arena"), memlink.Off(), 5*time.Second, "circle")
	far := map[world.ObjectID]float64{}
	last := map[world.ObjectID][2]float64{}
	ci, _ := sim.Host.Schema().ClassByName("Drone")
	for range 600 {
		sim.Run(50 * time.Millisecond)
		s := sim.Host.State()
		for _, slot := range s.Run {
			if o, b := &s.Objects[slot], s.Body(int(slot)); int(o.Class) == ci {
				if at, ok := last[o.ID]; ok {
					far[o.ID] += math.Hypot(b.X-at[0], b.Y-at[1])
				}
				last[o.ID] = [2]float64{b.X, b.Y}
			}
		}
	}
	t.Logf("in 30 s: %v", far)
	if len(far) != 2 {
		t.Errorf("%d drones", len(far))
	}
	for id, m := range far {
		if m < 10 { // one that pushes against a ship gets less far
			t.Errorf("drone %v flew %.1f m in 30 s", id, m)
		}
	}
}

func TestCompileFindsTheSpawnOfAnUnknownClass(t *testing.T) {
	files := fstest.MapFS{
		"game.toml": lua("name = 'a'\n[[spawn]]\nclass = 'Crate'\n[[spawn]]\ncount = 3\nclass = 'Crat'\n[[spawn]]\nclass = 'Ufo'\n[[level.cave.spawn]]\nclass = 'Crte'"),
		"crate.lua": lua("Crate = object \"Crate\" { body = { shape = { circle = 1 } } }\n"),
	}
	g, err := scripts.Load(files, "my")
	if err != nil {
		t.Fatal(err)
	}
	_, err = g.Compile(luabind.Compile)
	want := []string{`my/game.toml:6: spawn[2].class = "Crat": no script declares it; did you mean Crate?`, `my/game.toml:8: spawn[3].class = "Ufo": no script declares it; there are Crate`,
		`my/game.toml:10: level.cave.spawn[1].class = "Crte": no script declares it; did you mean Crate?`}
	if got := complaints(err); strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if _, err = (&scripts.Game{Bundle: g.Bundle}).Compile(refuse); !errors.Is(err, errRefused) {
		t.Errorf("%v", err)
	}
}

func TestCompileFindsRangesOfUnknownLayers(t *testing.T) {
	files := fstest.MapFS{
		"game.toml": lua("name = 'a'\n[snapshots.layers]\nwall = 50\ndebri = 10\nsky = 5"),
		"crate.lua": lua("Crate = object \"Crate\" { body = { shape = { circle = 1 }, layer = \"debris\" } }\n"),
	}
	g, err := scripts.Load(files, "my")
	if err != nil {
		t.Fatal(err)
	}
	_, err = g.Compile(luabind.Compile)
	want := []string{`my/game.toml:4: snapshots.layers.debri: no class is on that layer; did you mean debris?`,
		`my/game.toml:5: snapshots.layers.sky: no class is on that layer; there are debris, default, wall`}
	if got := complaints(err); strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

var errRefused = errors.New("refused")

func refuse([]world.Source, world.Setup) (world.Script, error) { return nil, errRefused }

func TestCompileNamesFilesWithTheirFolder(t *testing.T) {
	files := fstest.MapFS{
		"game.toml": lua("name = 'a'\n[[spawn]]\nclass = 'Ufo'\n[[level.cave.spawn]]\nclass = 'Crte'"),
		"b.lua":     lua("Crate = object \"Crate\" {\n  stat = {}\n}\n"),
		"a.lua":     lua("-- nothing\nx = = 1\n"),
	}
	problems := func() (out []string) {
		g, err := scripts.Load(files, "my")
		if err != nil {
			t.Fatal(err)
		}
		_, err = g.Compile(luabind.Compile)
		for _, e := range err.(interface{ Unwrap() []error }).Unwrap() {
			var p *scripts.Problem
			if !errors.As(e, &p) || p.Message == "" {
				t.Fatalf("%#v", e)
			}
			out = append(out, fmt.Sprintf("%s:%d", p.File, p.Line))
		}
		return out
	}
	if got := problems(); len(got) != 2 || got[0] != "my/a.lua:2" || got[1] != "my/b.lua:2" { // also what is declared beside a file that does not parse
		t.Errorf("%q", got)
	}
	files["a.lua"] = lua("")
	if got := problems(); len(got) != 1 || got[0] != "my/b.lua:2" {
		t.Errorf("%q", got)
	}
}

func TestBotsLoadByThemselves(t *testing.T) {
	for _, n := range scripts.Bots() {
		text, _ := scripts.Bot(n)
		if _, err := luabind.NewBot(n+".lua", text); err != nil {
			t.Error(err)
		}
	}
}
