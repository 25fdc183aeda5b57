package goscript_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/goscript"
)

// TestHostCallsTheGame: Host.Call runs a declared function with its arguments, on all
// machines.
func TestHostCallsTheGame(t *testing.T) {
	g := goscript.NewGame("called", "1")
	flag := g.Class(world.Class{Name: "Flag"})
	count, hot, title, owner := flag.Number("count", 0), flag.Bool("hot", false), flag.Text("title", 16, ""), flag.Ref("owner")
	g.OnStart = func(a goscript.Actor) { a.Spawn(flag) }
	g.Function("begin", func(a goscript.Actor, args goscript.Arguments) {
		made := args.Ref(3)
		count.Set(made, args.Number(0))
		hot.Set(made, args.Bool(1))
		title.Set(made, args.Text(2))
		owner.Set(made, a.Match())
	}, world.Number, world.Bool, world.String, world.Ref)
	g.Function("again", func(_ goscript.Actor, args goscript.Arguments) { args.Number(0) })
	sim := simtest.New(t, simtest.Options{Seed: 1, Clients: 2, Profile: memlink.Average(), Bundle: roomOf(g), Compile: goscript.Compile(g)})
	sim.Run(2 * time.Second)
	s := sim.Host.State()
	var made world.ObjectID
	for _, slot := range s.Run {
		if sim.Host.Schema().Classes[s.Objects[slot].Class].Name == "Flag" {
			made = s.Objects[slot].ID
		}
	}
	if err := sim.Host.Call("begin", 7, true, "go", made); err != nil {
		t.Fatal(err)
	}
	if err := sim.Host.Call("begin", 7); !errors.Is(err, world.ErrValue) {
		t.Errorf("too few arguments: %v", err)
	}
	if err := sim.Host.Call("none"); !errors.Is(err, world.ErrNoFunction) {
		t.Errorf("no such function: %v", err)
	}
	sim.Run(time.Second)
	if err := sim.Host.Call("again"); err != nil {
		t.Fatal(err)
	}
	sim.Run(time.Second)
	sim.Drain()
	sim.AgreeOnHashes()
	if got, want := fieldsOf(sim.Host.State(), sim.Host.Schema(), "Flag"), `count=7 hot=true owner=0000000000000001 title="go" `; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if r := sim.Host.Report(sim.Now); r.ScriptErrors != 1 {
		t.Errorf("%d script errors: the second function asks for an argument that it does not have", r.ScriptErrors)
	}
}

// TestPlayersCallCommands: a line of chat runs a declared command with the player and the arguments, on all machines.
func TestPlayersCallCommands(t *testing.T) {
	g := goscript.NewGame("voting", "1")
	flag := g.Class(world.Class{Name: "Flag"})
	count, title := flag.Number("count", 0), flag.Text("title", 16, "")
	g.Command("plant", func(a goscript.Actor, p world.PlayerID, args goscript.Arguments) {
		a.Spawn(flag, goscript.OwnedBy(p), count.As(args.Number(0)), title.As(args.Text(1)))
	}, world.Number, world.String)
	sim := simtest.New(t, simtest.Options{Seed: 1, Clients: 2, Profile: memlink.Average(), Bundle: roomOf(g), Compile: goscript.Compile(g)})
	sim.RunUntil(10*time.Second, "it plays", sim.Clients[1].Playing)
	sim.Clients[1].Say(sim.Now, "/plant 3 on the hill")
	sim.Run(time.Second)
	sim.Drain()
	sim.AgreeOnHashes()
	s := sim.Host.State()
	if got, want := fieldsOf(s, sim.Host.Schema(), "Flag"), `count=3 title="on the hill" `; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	p := sim.Clients[1].Player()
	if !slices.ContainsFunc(s.Objects, func(o world.Object) bool { return o.Owner == p }) {
		t.Errorf("player %d owns nothing", p)
	}
}

// TestMistakesInFunctions are errors of Compile.
func TestMistakesInFunctions(t *testing.T) {
	call := func(goscript.Actor, goscript.Arguments) {}
	for want, declare := range map[string]func(g *goscript.Game){
		"a function has a name of letters": func(g *goscript.Game) { g.Function("a b", call) },
		"the function f is declared twice": func(g *goscript.Game) { g.Function("f", call); g.Function("f", call) },
		"the function f is nil":            func(g *goscript.Game) { g.Function("f", nil) },
		"the command f: players cannot write a Ref": func(g *goscript.Game) {
			g.Command("f", func(goscript.Actor, world.PlayerID, goscript.Arguments) {}, world.Ref)
		},
		"the function f: parameters are a": func(g *goscript.Game) { g.Function("f", call, world.Count) },
	} {
		g := goscript.NewGame("bad", "1")
		declare(g)
		_, err := goscript.Compile(g)([]world.Source{g.Source()}, roomOf(g).Setup)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "goscript/function_test.go:") {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}
