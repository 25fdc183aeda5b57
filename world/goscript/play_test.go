package goscript_test

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hindcast/hindcast/luabind"
	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/host"
	"github.com/hindcast/hindcast/runtime/replay"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/runtime/simtest/draws"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/goscript"
)

// roomOf returns a bundle of a game in an arena of 20 x 20 m with walls.
func roomOf(game *goscript.Game) *bundle.Bundle {
	b := bundle.New("room", game.Source())
	b.Setup.Width, b.Setup.Height = 20, 20
	b.Setup.Walls = []world.Wall{{Y: 10.5, W: 22, H: 1}, {Y: -10.5, W: 22, H: 1}, {X: 10.5, W: 1, H: 20}, {X: -10.5, W: 1, H: 20}}
	return b
}

// whims is a player who holds some inputs for a while, then others.
type whims struct{ seed uint64 }

func (c whims) Input(r world.Reader, _ int) world.Input {
	x := (uint64(r.Tick())/13 + c.seed*1000003) * 0x9e3779b97f4a7c15
	x ^= x >> 29
	in := world.Input{Buttons: uint32(x>>7) & 31}
	in.Axes[0] = float64(float64(x>>40&127)/64) - 1
	return in
}

// inLua compiles the rules of the twin in Lua, whatever the files are.
func inLua(_ []world.Source, setup world.Setup) (world.Script, error) {
	var files []world.Source
	for _, name := range []string{"twin.lua", "game.lua"} {
		text, err := os.ReadFile("testdata/" + name)
		if err != nil {
			return nil, err
		}
		files = append(files, world.Source{Name: name, Text: string(text)})
	}
	return luabind.Compile(files, setup)
}

// TestMatchesInGo plays rooms in Go on bad lines. Host and clients run in check mode,
// so each rewind in part is compared with one in full. Then it plays the replay of
// the match with the same rules in Lua: every tick has the same hash, whether it is
// simulated once or with the host's rewinds.
func TestMatchesInGo(t *testing.T) {
	seen := map[string]int{}
	for _, seed := range draws.Seeds(draws.Pick(1, 12)) {
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) { playTwin(t, seed, seen) })
	}
	for _, what := range []string{"rewinds", "rewinds in Lua", "errors", "Ship.applyInput", "Ship.tick", "Ship.onContact", "Ship.onJointBreak",
		"Bullet.onContact", "Bullet.onRemove", "Ship.timer", "game.timer", "Drone.think", "Drone.applyInput", "Pad.onTrigger", "game.onStart", "game.onJoin", "game.tick"} {
		if seen[what] == 0 {
			t.Errorf("no %s; there were %v", what, seen)
		}
	}
	if seen["objects again"] == 0 || seen["objects again"]*2 > seen["objects in full"] {
		t.Errorf("rewinds ran %d of %d objects: they were hardly ones in part", seen["objects again"], seen["objects in full"])
	}
	t.Logf("%v", seen)
}

func playTwin(t *testing.T, seed uint64, seen map[string]int) {
	g := newTwin()
	room := roomOf(g.Game)
	room.Setup.Seed = seed
	room.Setup.Spawns = []world.Spawn{{Class: "Crate", Count: 10, W: 16, H: 16, Speed: 1}}
	sim := simtest.New(t, simtest.Options{Seed: seed, Clients: 3, Profiles: []memlink.Profile{memlink.Bad(), memlink.Average(), memlink.Awful()},
		Bundle: room, Compile: goscript.Compile(g.Game), Controls: func(i int) client.Controls { return whims{seed + uint64(i)} }})
	sim.RunUntil(time.Minute, "all play", func() bool {
		return !slices.ContainsFunc(sim.Clients, func(c *client.Client) bool { return !c.Playing() })
	})
	sim.Run(draws.Pick(8*time.Second, 12*time.Second))
	sim.Drain()
	if n := sim.AgreeOnHashes(); n < 3*draws.Pick(300, 500) {
		t.Errorf("%d ticks compared", n)
	}
	r := sim.Host.Report(sim.Now)
	if r.VerifiedTicks == 0 || r.Rewinds.Count < draws.Pick(12, 20) {
		t.Errorf("too little was rewound: %+v", r.Rewinds)
	}
	seen["rewinds"] += r.Rewinds.Count
	seen["objects again"] += int(r.Rewinds.ObjectsReRun)
	seen["objects in full"] += int(r.Rewinds.ObjectsInFull)
	seen["errors"] += r.ScriptErrors
	for class, hooks := range r.Classes {
		for hook, profile := range hooks {
			seen[class+"."+hook] += profile.Calls
		}
	}

	data := sim.Replay()
	file, err := replay.Open(bytes.NewReader(data), int64(len(data)), nil)
	if err != nil {
		t.Fatal(err)
	}
	p, err := replay.NewPlayer(file, inLua)
	if err != nil {
		t.Fatal(err)
	}
	done, err := p.Verify(p.Last())
	if err != nil || done.Ticks != int(sim.Host.Now()) {
		t.Errorf("in Lua: %+v, %v", done, err)
	}
	seen["rewinds in Lua"] += done.Rewinds
}

// TestOtherRulesAreRefused: a client whose rules differ does not join the room, and
// returns the reason.
func TestOtherRulesAreRefused(t *testing.T) {
	game := func(name, version string, fields ...string) *goscript.Game {
		g := goscript.NewGame(name, version)
		for _, f := range fields {
			g.Number(f, 0)
		}
		return g
	}
	for _, c := range []struct {
		name    string
		compile world.Compile
		want    string
	}{
		{"an older version", goscript.Compile(game("tag", "1")), "another game, or another version of it: the room has tag 2, this program has tag 1"},
		{"another game", goscript.Compile(game("race", "2"), game("race", "1")), "the room has tag 2, this program has race 2 and race 1"},
		{"the same version, changed", goscript.Compile(game("tag", "2", "round")), "both are tag 2, but they declare different things: raise the version"},
		{"no game", goscript.Compile(), "the room has tag 2, this program has none"},
		{"a client for Lua", luabind.Compile, "tag.go:2: the rules of this room are in Go: it takes a program that has the game tag 2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			tag := game("tag", "2")
			sim := simtest.New(t, simtest.Options{Seed: 1, Clients: 2, Profile: memlink.LAN(), Bundle: roomOf(tag), Compile: goscript.Compile(tag),
				Client: func(i int, cfg *client.Config) {
					if i == 1 {
						cfg.Compile = c.compile
					}
				}})
			sim.RunUntil(2*time.Second, "the other client is over", func() bool { return sim.Clients[1].Err() != nil })
			if err := sim.Clients[1].Err(); !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %q, want %q", err, c.want)
			}
			sim.RunUntil(2*time.Second, "the first client plays", sim.Clients[0].Playing)
			if n := sim.Host.Players(); n != 1 {
				t.Errorf("%d players", n)
			}
		})
	}
}

// TestBundlesOfOtherGamesAreRefused: a host needs the file of its game.
func TestBundlesOfOtherGamesAreRefused(t *testing.T) {
	tag := goscript.NewGame("tag", "2")
	for want, files := range map[string][]world.Source{
		"the bundle has no file; put Game.Source into its Files":   nil,
		"the bundle has the files a.lua, not the one of a Go game": {{Name: "a.lua", Text: "x = 1"}},
		"the bundle has the files tag.go and a.lua, not the one":   {tag.Source(), {Name: "a.lua"}},
	} {
		room := roomOf(tag)
		room.Files = files
		_, err := host.New(host.Config{Bundle: room, Compile: goscript.Compile(tag), Link: memlink.New(1).Host()})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

// TestVersionsFollowEachOther: a room switches from one version of a game to the
// next, and the new one fills its fields of the old ones.
func TestVersionsFollowEachOther(t *testing.T) {
	v1, v2 := goscript.NewGame("tag", "1"), goscript.NewGame("tag", "2")
	old := v1.Class(world.Class{Name: "Ship"})
	fuel, title := old.Number("fuel", 7), old.Text("title", 8, "old")
	past := old.List("past", 3)
	hit := past.Number("", 0)
	mate := old.Ref("mate")
	old.OnSpawn = func(a goscript.Actor, self goscript.Object) {
		fuel.Add(self, 1)
		past.Append(self, hit.As(5))
		mate.Set(self, a.Match())
	}
	v1.OnStart = func(a goscript.Actor) { a.Spawn(old) }

	ship := v2.Class(world.Class{Name: "Ship"})
	energy, label, ever, peer := ship.Number("energy", 0), ship.Text("label", 16, ""), ship.Bool("ever", false), ship.Ref("peer")
	total := v2.Number("total", 0)
	ship.Migrate = func(a goscript.Actor, self goscript.Object, old goscript.Old) {
		energy.Set(self, old.Number("fuel")*10+float64(old.Len("past"))+old.Number("past[1]"))
		label.Set(self, "was "+old.Text("title"))
		ever.Set(self, old.Has("past[1]") && !old.Has("past[2]") && !old.Has("none"))
		peer.Set(self, old.Ref("mate"))
	}
	v2.Migrate = func(a goscript.Actor, _ goscript.Old) { total.Set(a.Match(), 42) }

	compile := goscript.Compile(v1, v2)
	sim := simtest.New(t, simtest.Options{Seed: 1, Clients: 2, Profile: memlink.Bad(), Bundle: roomOf(v1), Compile: compile})
	sim.Run(2 * time.Second)
	next := roomOf(v2)
	script, err := compile(next.Files, next.Setup)
	if err != nil {
		t.Fatal(err)
	}
	if _, changed, err := sim.Host.Switch(next, script); err != nil || !slices.Equal(changed, []string{"tag.go"}) {
		t.Fatal(changed, err)
	}
	sim.Run(4 * time.Second)
	sim.Drain()
	sim.AgreeOnHashes()
	s, schema := sim.Host.State(), sim.Host.Schema()
	got := fieldsOf(s, schema, "Ship") + fieldsOf(s, schema, "game")
	if want := "energy=86 ever=true label=\"was old\" peer=0000000000000001 total=42 "; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	_ = title
}

// fieldsOf lists the fields of all objects of a class.
func fieldsOf(s *world.State, schema *world.Schema, class string) (out string) {
	for _, slot := range s.Run {
		c := &schema.Classes[s.Objects[slot].Class]
		for i := range c.Declared() {
			if c.Name == class && c.Has(s.Row(int(slot)), i) {
				out += c.Fields[i].Name + "=" + c.Fields[i].Text(s.Row(int(slot))) + " "
			}
		}
	}
	return out
}

// TestGoldenTwin plays the twin without a network. The hash is the same on every CPU,
// and with the rules in Lua.
func TestGoldenTwin(t *testing.T) {
	const want = 0x16de9457a6ec69b4
	g := newTwin()
	room := roomOf(g.Game)
	room.Setup.Spawns = []world.Spawn{{Class: "Crate", Count: 10, W: 16, H: 16, Speed: 1}}
	for language, compile := range map[string]world.Compile{"Go": goscript.Compile(g.Game), "Lua": inLua} {
		script, err := compile(room.Files, room.Setup)
		if err != nil {
			t.Fatal(err)
		}
		tl := timeline.New(script, timeline.Options{States: 8})
		for p := world.PlayerID(1); p <= 3; p++ {
			insert(t, tl, world.Event{Tick: 1, Kind: world.JoinEvent, Player: p})
		}
		for tl.Now() < 600 {
			tl.Step()
			s := tl.At(tl.Now())
			for _, slot := range s.Run {
				if o := &s.Objects[slot]; o.Owner != 0 {
					in := world.Conform(tl.World().Class(int(slot)).Inputs, whims{uint64(o.Owner)}.Input(tl.World().Reader(), int(slot)))
					insert(t, tl, world.Event{Tick: s.Tick + 1, Kind: world.InputEvent, Player: o.Owner, Object: o.ID, Bundle: 1, Input: in})
				}
			}
		}
		if got := tl.At(tl.Now()).Hash(); got != want {
			t.Errorf("in %s: %#016x, want %#016x", language, got, uint64(want))
		}
	}
}

func insert(t *testing.T, tl *timeline.Timeline, e world.Event) {
	t.Helper()
	if _, err := tl.Insert(e, timeline.Origin{}); err != nil {
		t.Fatal(err)
	}
}

// TestScriptsRunConcurrently: one game serves hosts and clients on several goroutines. It is
// for the race detector.
func TestScriptsRunConcurrently(t *testing.T) {
	g := newTwin()
	compile := goscript.Compile(g.Game)
	room := roomOf(g.Game)
	var wait sync.WaitGroup
	hashes := make([]uint64, 4)
	for i := range hashes {
		wait.Go(func() {
			script, err := compile(room.Files, room.Setup)
			if err != nil {
				t.Error(err)
				return
			}
			tl := timeline.New(script, timeline.Options{})
			for tl.Now() < 100 {
				tl.Step()
			}
			hashes[i] = tl.At(tl.Now()).Hash()
		})
	}
	wait.Wait()
	if hashes[0] == 0 || slices.ContainsFunc(hashes, func(h uint64) bool { return h != hashes[0] }) {
		t.Errorf("%x", hashes)
	}
}
