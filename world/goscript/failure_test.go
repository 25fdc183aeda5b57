package goscript_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/goscript"
	"github.com/hindcast/hindcast/world/physics"
)

// rig is a game on a Timeline, with what its hooks did wrong and printed.
type rig struct {
	*timeline.Timeline
	faults []world.Fault
	lines  []string
}

func newRig(t testing.TB, g *goscript.Game, change ...func(*world.Setup)) *rig {
	t.Helper()
	setup := roomOf(g).Setup
	for _, f := range change {
		f(&setup)
	}
	script, err := goscript.Compile(g)([]world.Source{g.Source()}, setup)
	if err != nil {
		t.Fatal(err)
	}
	r := &rig{}
	r.Timeline = timeline.New(script, timeline.Options{States: 64, Check: true, Provenance: true,
		Ran:   func(w *world.World, _ *world.Trace) { r.faults = append(r.faults, w.Faults()...) },
		Print: func(_ world.Tick, _ world.ObjectID, line string) { r.lines = append(r.lines, line) }})
	return r
}

func (r *rig) run(ticks int) *rig {
	for range ticks {
		r.Step()
	}
	return r
}

// fields lists the fields of all objects of a class.
func (r *rig) fields(class string) string {
	return fieldsOf(r.At(r.Now()), r.Schema(r.Now()), class)
}

// errors lists the errors of scripts without repetitions.
func (r *rig) errors() (all []string) {
	for _, f := range r.faults {
		all = append(all, f.Err.Error())
	}
	return slices.Compact(all)
}

// TestPanicsAreScriptErrors: a panic in a hook ends the hook, with the line of the game.
// The effects of the hook before the panic stay. After eight failures in a row the hook
// is paused, as hooks in Lua are.
func TestPanicsAreScriptErrors(t *testing.T) {
	var none []int
	var nothing *world.Class
	for name, c := range map[string]struct {
		hook func(a goscript.Actor, self goscript.Object)
		want string // part of the error
	}{
		"panic":    {func(goscript.Actor, goscript.Object) { panic("boom") }, "panic: boom"},
		"an error": {func(goscript.Actor, goscript.Object) { panic(errors.New("bad luck")) }, "panic: bad luck"},
		"an index": {func(goscript.Actor, goscript.Object) { none[3] = 1 }, "panic: runtime error: index out of range [3] with length 0"},
		"a nil":    {func(goscript.Actor, goscript.Object) { nothing.Order = 1 }, "panic: runtime error: invalid memory address"},
		"a sort": {func(goscript.Actor, goscript.Object) {
			slices.SortFunc(make([]int, 3), func(int, int) int { panic("less") })
		}, "panic: less"},
		"no body":       {func(_ goscript.Actor, self goscript.Object) { self.Body() }, "Ship has no body: declare one"},
		"no object":     {func(goscript.Actor, goscript.Object) { goscript.Object{}.Remove() }, "this is no object"},
		"a Panic's fmt": {func(goscript.Actor, goscript.Object) { panic(fmt.Sprintf("%d", 5)) }, "panic: 5"},
	} {
		t.Run(name, func(t *testing.T) {
			g := goscript.NewGame("rig", "1")
			ship := g.Class(world.Class{Name: "Ship"})
			before, after := ship.Number("before", 0), ship.Number("after", 0)
			ship.Tick = func(a goscript.Actor, self goscript.Object) {
				before.Add(self, 1)
				c.hook(a, self)
				after.Add(self, 1)
			}
			g.OnStart = func(a goscript.Actor) { a.Spawn(ship) }
			r := newRig(t, g).run(12)
			if got := r.fields("Ship"); got != "after=0 before=8 " {
				t.Errorf("%s; the hook is to run up to the panic, eight times", got)
			}
			if len(r.faults) != world.FaultLimit || r.faults[7].Until != r.faults[7].Err.(*world.ScriptError).Tick+60 || r.faults[6].Until != 0 {
				t.Fatalf("%d faults", len(r.faults))
			}
			var se *world.ScriptError
			if !errors.As(r.faults[0].Err, &se) {
				t.Fatal(r.faults[0].Err)
			}
			if !strings.Contains(se.Message, c.want) || se.File != "goscript/failure_test.go" || se.Line == 0 ||
				se.Tick != 1 || se.Class != "Ship" || se.Hook != world.OnTick || se.Object == 0 || se.Budget || se.Panic {
				t.Errorf("%+v", se)
			}
			if n := len(se.Trace); n < 2 || !strings.Contains(se.Trace[n-1].Func, "TestPanicsAreScriptErrors") || se.Trace[0].Line != se.Line {
				t.Errorf("trace %+v", se.Trace)
			}
		})
	}
}

// TestPanicsOfTheWorldDoNothing: after a panic in the world itself, all effects of the
// hook are undone, because it may have stopped anywhere.
func TestPanicsOfTheWorldDoNothing(t *testing.T) {
	g := goscript.NewGame("rig", "1")
	ship := g.Class(world.Class{Name: "Ship"})
	n := ship.Number("n", 0)
	ship.Tick = func(a goscript.Actor, self goscript.Object) {
		n.Add(self, 1)
		a.Spawn(ship)
		(&world.Class{}).Has(world.Row{}, 3) // beyond the fields: a panic in package world
	}
	g.OnStart = func(a goscript.Actor) { a.Spawn(ship) }
	r := newRig(t, g).run(3)
	if got := r.fields("Ship"); got != "n=0 " {
		t.Errorf("%s: what a hook did before a panic of the world is to be taken back", got)
	}
	var se *world.ScriptError
	if len(r.faults) != 3 || !errors.As(r.faults[0].Err, &se) || !se.Panic || se.File != "goscript/failure_test.go" {
		t.Errorf("%v", r.errors())
	}
}

// TestOnSpawnFailsAlone: an error in OnSpawn is that of the new object; the hook that
// spawned it goes on. OnSpawn hooks nest eight deep.
func TestOnSpawnFailsAlone(t *testing.T) {
	g := goscript.NewGame("rig", "1")
	bad, deep := g.Class(world.Class{Name: "Bad"}), g.Class(world.Class{Name: "Deep"})
	depth, ok := deep.Number("depth", 0), g.Bool("ok", false)
	bad.OnSpawn = func(goscript.Actor, goscript.Object) { panic("stillborn") }
	deep.OnSpawn = func(a goscript.Actor, self goscript.Object) { a.Spawn(deep, depth.As(depth.Get(self)+1)) }
	g.OnStart = func(a goscript.Actor) {
		made := a.Spawn(bad)
		a.Spawn(deep)
		ok.Set(a.Match(), made.Valid())
	}
	r := newRig(t, g).run(1)
	if got := r.fields("game"); got != "ok=true " {
		t.Error(got)
	}
	if got := strings.Count(r.fields("Deep"), "depth"); got != 8 {
		t.Errorf("%d objects within each other", got)
	}
	if len(r.faults) != 2 || r.faults[0].Class != "Bad" || r.faults[0].Hook != world.OnSpawn || !strings.Contains(r.faults[1].Err.Error(), "Spawn: OnSpawn within OnSpawn, 8 deep") {
		t.Errorf("%+v", r.faults)
	}
}

// TestBudgets: a hook that calls without end is ended, even if it recovers; one that
// computes by itself is not counted. The budget of the hooks of an object in one
// order is four times that of a hook.
func TestBudgets(t *testing.T) {
	g := goscript.NewGame("rig", "1")
	endless, hidden, busy := g.Class(world.Class{Name: "Endless"}), g.Class(world.Class{Name: "Hidden"}), g.Class(world.Class{Name: "Busy"})
	calls := 0
	endless.Tick = func(a goscript.Actor, _ goscript.Object) {
		for calls = 0; ; calls++ {
			a.Raycast(0, 0, 1, 1)
		}
	}
	hidden.Tick = func(a goscript.Actor, self goscript.Object) {
		defer func() { _ = recover() }()
		for {
			self.Valid()
		}
	}
	sum := 0
	busy.Tick = func(goscript.Actor, goscript.Object) {
		for i := range 10 * goscript.HookBudget {
			sum += i
		}
	}
	g.OnStart = func(a goscript.Actor) {
		for _, c := range []*goscript.Class{endless, hidden, busy} {
			a.Spawn(c)
		}
	}
	r := newRig(t, g).run(1)
	if calls != goscript.HookBudget/100 {
		t.Errorf("%d queries", calls)
	}
	if len(r.faults) != 2 {
		t.Fatal(r.errors())
	}
	for i, class := range []string{"Endless", "Hidden"} {
		var se *world.ScriptError
		if !errors.As(r.faults[i].Err, &se) || !se.Budget || se.Class != class || se.File != "goscript/failure_test.go" || se.Line == 0 {
			t.Errorf("%+v", se)
		}
	}
}

// TestBudgetOfAnOrder: contacts count together.
func TestBudgetOfAnOrder(t *testing.T) {
	g := goscript.NewGame("rig", "1")
	ball := g.Class(world.Class{Name: "Ball", Body: goscript.Dynamic(physics.CircleShape(0.5))})
	hub := g.Class(world.Class{Name: "Hub", Body: goscript.Static(physics.CircleShape(2))})
	contacts := hub.Number("contacts", 0)
	hub.OnContact = func(a goscript.Actor, self, _ goscript.Object, _ *world.Contact) {
		for range 900 {
			a.Raycast(0, 0, 1, 1)
		}
		contacts.Add(self, 1)
	}
	g.OnStart = func(a goscript.Actor) {
		a.Spawn(hub)
		for _, at := range [][2]float64{{2.4, 0}, {-2.4, 0}, {0, 2.4}, {0, -2.4}, {1.7, 1.7}, {-1.7, 1.7}, {1.7, -1.7}, {-1.7, -1.7}} {
			a.Spawn(ball, goscript.At(at[0], at[1]))
		}
	}
	r := newRig(t, g).run(2)
	if got := r.fields("Hub"); got != "contacts=4 " || len(r.faults) != 4 {
		t.Errorf("%s and %d faults: 4 of 8 contacts fit into the budget of an order", got, len(r.faults))
	}
}
