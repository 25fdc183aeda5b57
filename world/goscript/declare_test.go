package goscript_test

import (
	"math"
	"strings"
	"testing"

	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/goscript"
	"github.com/hindcast/hindcast/world/physics"
)

// TestMistakesInDeclarations: Compile reports all of them, with their lines.
func TestMistakesInDeclarations(t *testing.T) {
	tick := func(goscript.Actor, goscript.Object) {}
	for want, declare := range map[string]func(g *goscript.Game){
		"a class has a name of letters, digits and _, not \"\"":    func(g *goscript.Game) { g.Class(world.Class{}) },
		"Ship: fields, inputs, timers and hooks are declared with": func(g *goscript.Game) { g.Class(world.Class{Name: "Ship", Hooks: 1}) },
		"class \"Ship\" is declared twice":                         func(g *goscript.Game) { g.Class(world.Class{Name: "Ship"}); g.Class(world.Class{Name: "Ship"}) },
		"class \"game\" is declared twice, or has a name that is":  func(g *goscript.Game) { g.Class(world.Class{Name: "game"}) },
		"Ship: a field has a name of letters, digits and _":        func(g *goscript.Game) { ship(g).Number("2nd", 0) },
		"Ship: the field fuel is declared twice":                   func(g *goscript.Game) { s := ship(g); s.Number("fuel", 0); s.Aux().Bool("fuel", true) },
		"Ship: the field slot is declared twice, or as a record":   func(g *goscript.Game) { s := ship(g); s.Number("slot.n", 0); s.List("slot", 2) },
		"Ship.title: a text holds 1 to 64 bytes":                   func(g *goscript.Game) { ship(g).Text("title", 65, "") },
		"Ship.name: a text holds 1 to 64 bytes, its default among": func(g *goscript.Game) { ship(g).Text("name", 2, "three") },
		"Ship.fuel: the range 5 to 1: its minimum must be less":    func(g *goscript.Game) { ship(g).Number("fuel", 0).Range(5, 1) },
		"Ship.fuel: step = 9: must be 0 (every value), or fit":     func(g *goscript.Game) { ship(g).Number("fuel", 0).Range(0, 5).Step(9) },
		"Ship.fuel: ShowWith needs a function":                     func(g *goscript.Game) { ship(g).Number("fuel", 0).ShowWith(nil) },
		"class Ship: fuel: it cannot be shown by way 3 with":       func(g *goscript.Game) { ship(g).Number("fuel", 0).Show(world.ShowFunction) },
		"Ship.hits: a list holds 1 to 256 items, not 0":            func(g *goscript.Game) { ship(g).List("hits", 0) },
		"Ship.hits: declare what its items are":                    func(g *goscript.Game) { ship(g).List("hits", 3) },
		"Ship.hits: an item has one value without a name, or":      func(g *goscript.Game) { l := ship(g).List("hits", 3); l.Number("", 0); l.Bool("on", true) },
		"Ship has two inputs named Fire":                           func(g *goscript.Game) { s := ship(g); s.Button("Fire"); s.Axis("Fire", -1, 1) },
		"Ship: an input has a name of letters, digits and _":       func(g *goscript.Game) { ship(g).Button("Fire!") },
		"Ship.aim: min = 1, max = 2: the range must hold 0":        func(g *goscript.Game) { ship(g).Axis("aim", 1, 2) },
		"class Ship: input aim: step = 5: must be 0":               func(g *goscript.Game) { ship(g).Axis("aim", -1, 1).Step(5) },
		"Ship: 0 buttons and 9 axes: at most 32 and 8": func(g *goscript.Game) {
			s := ship(g)
			for i := range 9 {
				s.Axis("a"+string(rune('a'+i)), -1, 1)
			}
		},
		"Ship: Moves needs a Body":                  func(g *goscript.Game) { g.Class(world.Class{Name: "Ship", Moves: &world.MoveRules{}}) },
		"Ship: Independent needs the hook Simulate": func(g *goscript.Game) { g.Class(world.Class{Name: "Ship", Independent: true}) },
		"Ship: the hook Verify is for classes with Moves": func(g *goscript.Game) {
			ship(g).Verify = func(goscript.Actor, goscript.Object, world.Placement) bool { return true }
		},
		"Ship: the hook Think needs ApplyInput": func(g *goscript.Game) {
			ship(g).Think = func(goscript.Actor, goscript.Object) (in world.Input) { return in }
		},
		"Ship.Hidden: all clients simulate this class":             func(g *goscript.Game) { g.Class(world.Class{Name: "Ship", Ranges: world.Ranges{Hidden: true}}) },
		"class Ship: range = -1 m: must be 0 to 200000":            func(g *goscript.Game) { g.Class(world.Class{Name: "Ship", Ranges: world.Ranges{Relevant: -1}}) },
		"Ship.Look: {team}: there is no text team":                 func(g *goscript.Game) { g.Class(world.Class{Name: "Ship", Look: world.Look{Color: "{team}"}}) },
		"Ship.Look.Label: there is no number, text or truth value": func(g *goscript.Game) { g.Class(world.Class{Name: "Ship", Look: world.Look{Label: "{hp}"}}) },
		"Ship.Look.Bar: there is no number hp":                     func(g *goscript.Game) { g.Class(world.Class{Name: "Ship", Look: world.Look{Bar: "hp"}}) },
		"class Ship: body: collides: no class is on layer \"ghost\"": func(g *goscript.Game) {
			b := goscript.Dynamic(physics.CircleShape(1))
			b.Collides = []string{"ghost"}
			g.Class(world.Class{Name: "Ship", Body: b})
		},
		"class Ship: body: ": func(g *goscript.Game) {
			g.Class(world.Class{Name: "Ship", Body: goscript.Dynamic(physics.CircleShape(math.NaN()))})
		},
	} {
		t.Run(want, func(t *testing.T) {
			g := goscript.NewGame("bad", "1")
			g.Class(world.Class{Name: "Good"}).Tick = tick
			declare(g)
			_, err := goscript.Compile(g)([]world.Source{g.Source()}, roomOf(g).Setup)
			if err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "goscript/declare_test.go:") {
				t.Errorf("got %v", err)
			}
		})
	}
}

func ship(g *goscript.Game) *goscript.Class { return g.Class(world.Class{Name: "Ship"}) }

// TestAllMistakesAreReported, with the line of each, and those of the game's name.
func TestAllMistakesAreReported(t *testing.T) {
	g := goscript.NewGame("", strings.Repeat("9", 65))
	ship(g).Number("a b", 0)
	g.Number("c d", 0)
	_, err := goscript.Compile(g)([]world.Source{g.Source()}, roomOf(g).Setup)
	for _, want := range []string{"a game has a name of 1 to 64 bytes, not 0", "a game has a version of 1 to 64 bytes, not 65", `not "a b"`, `game: a field has a name`} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not in: %v", want, err)
		}
	}
}

// TestTooLateToDeclare: a game that has been compiled does not change.
func TestTooLateToDeclare(t *testing.T) {
	g := newBench()
	g.Source()
	for name, declare := range map[string]func(){
		"a class":  func() { g.Class(world.Class{Name: "New"}) },
		"a field":  func() { g.ship.Number("new", 0) },
		"a list":   func() { g.ship.List("new", 1) },
		"an item":  func() { g.slots.Number("new", 0) },
		"an input": func() { g.ship.Button("New") },
		"a range":  func() { g.fuel.Range(0, 1) },
		"a rule":   func() { g.fire.Merge(world.MergeLast) },
		"a step":   func() { g.ship.Axis("aim", -1, 1) },
	} {
		func() {
			defer func() {
				if text, ok := recover().(string); !ok || !strings.Contains(text, "the game has been compiled") {
					t.Errorf("%s: %v", name, text)
				}
			}()
			declare()
		}()
	}
}

// TestEqualDeclarationsGiveEqualFiles: two programs with the same declarations, in any order of
// fields, have the same file; a change of any kind is another one.
func TestEqualDeclarationsGiveEqualFiles(t *testing.T) {
	build := func(change func(g *goscript.Game, ship *goscript.Class)) world.Source {
		g := goscript.NewGame("tag", "1")
		b := goscript.Dynamic(physics.CircleShape(0.5))
		s := g.Class(world.Class{Name: "Ship", Body: b})
		if change != nil {
			change(g, s)
		}
		return g.Source()
	}
	plain := build(nil)
	if again := build(nil); again != plain {
		t.Errorf("%v and %v", plain, again)
	}
	a := build(func(_ *goscript.Game, s *goscript.Class) { s.Number("a", 0); s.Number("b", 0) })
	if b := build(func(_ *goscript.Game, s *goscript.Class) { s.Number("b", 0); s.Number("a", 0) }); a != b {
		t.Error("the order of declarations does not matter")
	}
	known := map[string]string{plain.Text: "nothing", a.Text: "fields"}
	for name, change := range map[string]func(g *goscript.Game, s *goscript.Class){
		"a field":   func(_ *goscript.Game, s *goscript.Class) { s.Number("a", 0) },
		"a default": func(_ *goscript.Game, s *goscript.Class) { s.Number("a", 1) },
		"a range":   func(_ *goscript.Game, s *goscript.Class) { s.Number("a", 0).Range(0, 1) },
		"an input":  func(_ *goscript.Game, s *goscript.Class) { s.Button("Fire") },
		"a hook":    func(_ *goscript.Game, s *goscript.Class) { s.Tick = func(goscript.Actor, goscript.Object) {} },
		"a class":   func(g *goscript.Game, _ *goscript.Class) { g.Class(world.Class{Name: "Crate"}) },
		"a body": func(g *goscript.Game, _ *goscript.Class) {
			g.Class(world.Class{Name: "Crate", Body: goscript.Static(physics.BoxShape(1, 1))})
		},
		"moves": func(g *goscript.Game, _ *goscript.Class) {
			g.Class(world.Class{Name: "Crate", Body: goscript.Static(physics.BoxShape(1, 1)), Moves: &world.MoveRules{}})
		},
		"the match": func(g *goscript.Game, _ *goscript.Class) { g.Number("round", 0) },
	} {
		text := build(change).Text
		if other, twice := known[text]; twice {
			t.Errorf("%s and %s have one hash", name, other)
		}
		known[text] = name
	}
}
