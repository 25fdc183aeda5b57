package goscript_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/goscript"
	"github.com/hindcast/hindcast/world/physics"
)

// bench is a game for single calls: two ships that hooks act with, a flag without a
// body, and a list.
type bench struct {
	*goscript.Game
	ship, flag  *goscript.Class
	fire        goscript.Button
	fuel, count goscript.Number
	title       goscript.Text
	other       goscript.Ref
	slots       goscript.List
	kind        goscript.Text
	n           goscript.Number
}

func newBench() *bench {
	g := &bench{Game: goscript.NewGame("bench", "1")}
	b := goscript.Dynamic(physics.CircleShape(0.5))
	b.Layer, b.Carried = "ship", true
	g.ship = g.Class(world.Class{Name: "Ship", Body: b})
	g.flag = g.Class(world.Class{Name: "Flag"})
	g.fire = g.ship.Button("Fire")
	g.fuel, g.title, g.other = g.ship.Number("fuel", 5).Range(0, 10), g.ship.Text("title", 8, "x"), g.ship.Ref("other")
	g.slots = g.ship.List("slots", 2)
	g.kind, g.n = g.slots.Text("kind", 4, "new"), g.slots.Number("n", 1)
	g.count = g.flag.Number("count", 0)
	return g
}

// inTick runs one hook of a ship, in a tick in which there is another ship, too.
func (g *bench) inTick(t *testing.T, hook func(a goscript.Actor, self, other goscript.Object)) *rig {
	t.Helper()
	g.ship.Tick = func(a goscript.Actor, self goscript.Object) {
		if ships := a.Objects(g.ship); a.Tick() == 2 && ships[0] == self {
			hook(a, self, ships[1])
		}
	}
	g.OnStart = func(a goscript.Actor) {
		a.Spawn(g.ship, goscript.At(-3, 0))
		a.Spawn(g.ship, goscript.At(3, 0))
	}
	return newRig(t, g.Game).run(3)
}

// TestMistakesFail: each call that cannot be carried out ends the hook with an error that
// gives the reason.
func TestMistakesFail(t *testing.T) {
	stranger := goscript.NewGame("stranger", "1").Class(world.Class{Name: "Stranger"})
	type hook = func(g *bench, a goscript.Actor, self, other goscript.Object)
	for want, call := range map[string]hook{
		"a field of class Flag is used with an object of class Ship": func(g *bench, _ goscript.Actor, self, _ goscript.Object) { g.count.Get(self) },
		"a handle of no field: declare it":                           func(_ *bench, _ goscript.Actor, self, _ goscript.Object) { goscript.Number{}.Set(self, 1) },
		"a handle of no list: declare it":                            func(_ *bench, _ goscript.Actor, self, _ goscript.Object) { goscript.List{}.Clear(self) },
		"this is no object":                                          func(g *bench, _ goscript.Actor, _, _ goscript.Object) { g.fuel.Get(goscript.Object{}) },
		"a class of another game, or none":                           func(_ *bench, a goscript.Actor, _, _ goscript.Object) { a.Spawn(stranger) },
		"a class of another game, or none ":                          func(_ *bench, a goscript.Actor, _, _ goscript.Object) { a.Objects(nil) },
		"fuel is a field of Ship, not of Flag":                       func(g *bench, a goscript.Actor, _, _ goscript.Object) { a.Spawn(g.flag, g.fuel.As(1)) },
		"Ship.slots.n is in a list: append to the list":              func(g *bench, a goscript.Actor, _, _ goscript.Object) { a.Spawn(g.ship, g.n.As(1)) },
		"spawn at x=NaN":                                             func(g *bench, a goscript.Actor, _, _ goscript.Object) { a.Spawn(g.ship, goscript.At(math.NaN(), 0)) },
		"the object has been removed; call Valid":                    func(g *bench, a goscript.Actor, _, _ goscript.Object) { a.Object(77).Remove() },
		"the object has no body: class Flag has no body":             func(g *bench, a goscript.Actor, _, _ goscript.Object) { a.Spawn(g.flag, goscript.At(1, 1)) },
		"Flag has no body: declare one":                              func(g *bench, a goscript.Actor, _, _ goscript.Object) { a.Spawn(g.flag).Body() },
		"the game cannot be removed":                                 func(_ *bench, a goscript.Actor, _, _ goscript.Object) { a.Match().Remove() },
		"a Ship is no joint":                                         func(_ *bench, _ goscript.Actor, self, _ goscript.Object) { self.Joint() },
		"a joint has no owner": func(_ *bench, a goscript.Actor, self, other goscript.Object) {
			a.Tie(goscript.Rod(self, other)).Object().SetOwner(1)
		},
		"title holds at most 8 bytes, not 9":            func(g *bench, _ goscript.Actor, self, _ goscript.Object) { g.title.Set(self, "123456789") },
		"numbers must be finite":                        func(_ *bench, _ goscript.Actor, self, _ goscript.Object) { self.Body().SetForce(math.Inf(1), 0) },
		"Raycast at +Inf: numbers must be finite":       func(_ *bench, a goscript.Actor, _, _ goscript.Object) { a.Raycast(0, 0, math.Inf(1), 0) },
		`no class is on layer "ghost"; there are`:       func(_ *bench, a goscript.Actor, _, _ goscript.Object) { a.OverlapCircle(0, 0, 1, "ghost") },
		"CircleCast: r is 0: it must be":                func(_ *bench, a goscript.Actor, _, _ goscript.Object) { a.CircleCast(0, 0, 1, 1, 0) },
		"OverlapPolygon: ":                              func(_ *bench, a goscript.Actor, _, _ goscript.Object) { a.OverlapPolygon(nil) },
		"MoveAndSlide moves the object whose hook runs": func(_ *bench, _ goscript.Actor, _, other goscript.Object) { other.Body().MoveAndSlide(1, 0) },
		"AsSeen can only be called in ApplyInput":       func(_ *bench, a goscript.Actor, _, _ goscript.Object) { a.AsSeen(func() {}) },
		"Tie: ":                             func(_ *bench, a goscript.Actor, self, _ goscript.Object) { a.Tie(goscript.Rope(self, self)) },
		"Attach: ":                          func(_ *bench, _ goscript.Actor, self, _ goscript.Object) { self.Body().Attach(self, 0, 0) },
		"bad cue: a name has 1 to 64 bytes": func(_ *bench, a goscript.Actor, _, _ goscript.Object) { a.Cue(goscript.Cue{}) },
		"boom lasts -1 seconds: must be 0 to 60": func(_ *bench, a goscript.Actor, _, _ goscript.Object) {
			a.Cue(goscript.Cue{Name: "boom", Lasts: -1})
		},
		"Ship.slots: there is no item 0; the list has 0": func(g *bench, _ goscript.Actor, self, _ goscript.Object) { g.n.At(0).Get(self) },
		"Ship.slots.n is in a list: say of which item":   func(g *bench, _ goscript.Actor, self, _ goscript.Object) { g.n.Get(self) },
		"Ship.fuel is no list: it has no item 1":         func(g *bench, _ goscript.Actor, self, _ goscript.Object) { g.fuel.At(1).Get(self) },
		"Ship.slots: remove item 0 of 0 items":           func(g *bench, _ goscript.Actor, self, _ goscript.Object) { g.slots.Remove(self, 0) },
		"Ship.slots: insert at 1 of 0 items":             func(g *bench, _ goscript.Actor, self, _ goscript.Object) { g.slots.Insert(self, 1) },
		"Ship.slots has no value fuel":                   func(g *bench, _ goscript.Actor, self, _ goscript.Object) { g.slots.Append(self, g.fuel.As(1)) },
		"Ship.slots: an item of a list has no place":     func(g *bench, _ goscript.Actor, self, _ goscript.Object) { g.slots.Append(self, goscript.At(1, 1)) },
		"Ship.slots is full: it holds at most 2 items": func(g *bench, _ goscript.Actor, self, _ goscript.Object) {
			for range 3 {
				g.slots.Append(self)
			}
		},
	} {
		t.Run(want, func(t *testing.T) {
			g := newBench()
			r := g.inTick(t, func(a goscript.Actor, self, other goscript.Object) { call(g, a, self, other) })
			if len(r.faults) != 1 || !strings.Contains(r.faults[0].Err.Error(), strings.TrimSpace(want)) || !strings.HasPrefix(r.faults[0].Err.Error(), "goscript/api_test.go:") {
				t.Errorf("got %v", r.errors())
			}
		})
	}
}

// TestObjectsAreOfTheirHook: outside of a hook an Object and an Actor are of no use.
func TestObjectsAreOfTheirHook(t *testing.T) {
	g := newBench()
	var kept goscript.Object
	g.inTick(t, func(_ goscript.Actor, self, _ goscript.Object) { kept = self })
	defer func() {
		if err, ok := recover().(error); !ok || !strings.Contains(err.Error(), "valid while its hook runs") {
			t.Errorf("%v", err)
		}
		if kept.ID() == 0 {
			t.Error("the id stays")
		}
	}()
	kept.Owner()
}

// TestListOperations: the operations on a list in one hook.
func TestListOperations(t *testing.T) {
	g := newBench()
	var seen []float64
	r := g.inTick(t, func(_ goscript.Actor, self, other goscript.Object) {
		g.slots.Append(self, g.n.As(7), g.kind.As("b"))
		g.slots.Insert(self, 0, g.kind.As("a"))
		seen = append(seen, float64(g.slots.Len(self)), g.n.At(0).Get(self), g.n.At(1).Get(self))
		g.slots.Remove(self, 0)
		g.kind.At(0).Set(self, g.kind.At(0).Get(self)+"!")
		g.slots.Append(other, g.n.As(3))
		g.fuel.Set(other, 99)
		g.other.Set(self, other)
		seen = append(seen, float64(g.slots.Len(other)), g.fuel.Get(other))
	})
	if want := []float64{2, 1, 7, 0, 5}; len(r.faults) != 0 || len(seen) != 5 || [5]float64(seen) != [5]float64(want) {
		t.Errorf("%v, want %v; %v", seen, want, r.errors())
	}
	got := r.fields("Ship")
	for _, want := range []string{`#slots=1 slots[1].kind="b!" slots[1].n=7 title="x"`, `fuel=10 other=0000000000000000 #slots=1 slots[1].kind="new" slots[1].n=3`} {
		if !strings.Contains(got, want) {
			t.Errorf("%s\nlacks %s", got, want)
		}
	}
}

// TestCueLasts tests that the duration of a cue is in ticks, rounded up.
func TestCueLasts(t *testing.T) {
	g := newBench()
	g.OnStart = func(a goscript.Actor) { a.Spawn(g.ship) }
	g.ship.Tick = func(a goscript.Actor, _ goscript.Object) {
		if a.Tick() == 2 {
			for _, seconds := range []float64{0, 0.5, 0.0001, world.MaxCueLasts} {
				a.Cue(goscript.Cue{Name: "boom", Lasts: seconds})
			}
		}
	}
	r := newRig(t, g.Game)
	r.KeepCues(true)
	r.run(2)
	var lasts []world.Tick
	for _, c := range r.Past().Cues(2) {
		lasts = append(lasts, c.Lasts)
	}
	rate := world.Tick(r.Schema(2).Setup.TickRate)
	if len(r.faults) != 0 || !slices.Equal(lasts, []world.Tick{0, rate / 2, 1, 60 * rate}) {
		t.Errorf("they last %v ticks at %d Hz; %v", lasts, rate, r.errors())
	}
}

// TestJointsAreObjects: a joint is changed, asked for its ends, and removed.
func TestJointsAreObjects(t *testing.T) {
	g := newBench()
	var kinds []physics.JointKind
	r := g.inTick(t, func(a goscript.Actor, self, other goscript.Object) {
		for _, j := range []physics.Joint{goscript.Rope(self, other), goscript.Rod(self, other), goscript.Spring(self, other), goscript.Hinge(self, other),
			goscript.Weld(self, other), goscript.Slider(self, other), goscript.Wheel(self, other), goscript.Rod(self, goscript.Object{})} {
			made := a.Tie(j)
			kinds = append(kinds, made.Get().Kind)
			if from, to := made.Ends(); from != self || to != other && made.Get().KeyB != 0 {
				panic("the ends of a joint are others")
			}
			made.Object().Remove()
		}
		rope := a.Tie(goscript.Rope(self, other))
		rope.SetLength(2)
		rope.SetSpring(3, 0.5)
		hinge := a.Tie(goscript.Hinge(self, goscript.Object{}))
		hinge.SetMotor(1, 5)
		hinge.SetLimits(-1, 1)
		if j := hinge.Object().Joint().Get(); j.Speed != 1 || j.MaxForce != 5 || j.Max != 1 || rope.Get().Length != 2 || rope.Get().Hertz != 3 {
			panic("a joint did not change")
		}
		copied := self.Body().Copy()
		a.Tie(physics.NewJoint(0, physics.Hinge, &copied, nil, physics.Vec{X: 1}))
	})
	if len(r.faults) != 0 || len(kinds) != 8 || len(r.At(r.Now()).Physics.Joints) != 3 {
		t.Errorf("%v %v, %d joints", r.errors(), kinds, len(r.At(r.Now()).Physics.Joints))
	}
}

// TestQueriesSeeObjects: what each query finds.
func TestQueriesSeeObjects(t *testing.T) {
	g := newBench()
	r := g.inTick(t, func(a goscript.Actor, self, other goscript.Object) {
		hit, ok := a.Raycast(0, 0, 9, 0, "ship")
		cast, ok2 := a.CircleCast(0, 0, 9, 0, 0.25)
		if !ok || !ok2 || hit.Object != other || cast.Object != other || hit.X != 2.5 || hit.NormalX != -1 || !(cast.Fraction < hit.Fraction) {
			panic("rays")
		}
		if _, ok := a.Raycast(0, 0, 0, 5); ok {
			panic("a ray through nothing")
		}
		one := [][]goscript.Object{a.RaycastAll(0, 0, 9, 0), a.OverlapCircle(3, 0, 1), a.OverlapBox(3, 0, 1, 1, "ship"),
			a.OverlapPolygon([]physics.Vec{{X: 2}, {X: 4}, {X: 3, Y: 1}})}
		for _, found := range one { // all are valid together
			if len(found) != 1 || found[0] != other {
				panic("a query")
			}
		}
		if a.Nearest(g.ship, 0, 0, 9) != other || a.Nearest(g.ship, 0, 0, 1).Valid() || a.Object(other.ID()) != other {
			panic("nearest")
		}
		if !self.Is(g.ship) || self.Is(g.flag) || self.Class() != "Ship" || a.Match().Class() != "game" || self.Owner() != 0 || len(a.Players()) != 0 {
			panic("what they are")
		}
		if a.Seconds() != 2.0/60 || a.Setup().Width != 20 || self.Body().Mass() < 0.7 || self.Body().Holder() != (goscript.Object{}) {
			panic("numbers")
		}
		self.SetOwner(3)
		a.Print("fuel", g.fuel.Get(self))
	})
	if len(r.faults) != 0 {
		t.Error(r.errors())
	}
	if len(r.lines) != 1 || !strings.HasPrefix(r.lines[0], "goscript/api_test.go:") || !strings.HasSuffix(r.lines[0], ": fuel 5") {
		t.Errorf("%q", r.lines)
	}
}

// TestLinesOfTheGame: a rewind says which line of the game an input changed, and
// which line read what differed.
func TestLinesOfTheGame(t *testing.T) {
	g := newBench()
	g.ship.ApplyInput = func(_ goscript.Actor, self goscript.Object, in *world.Input) {
		if g.fire.Down(in) {
			self.Body().ApplyImpulse(0, 3) // the input
		}
	}
	g.flag.Tick = func(a goscript.Actor, self goscript.Object) {
		ship := a.Objects(g.ship)[0]
		g.count.Set(self, ship.Body().Pose().Y) // the read
	}
	g.OnStart = func(a goscript.Actor) {
		a.Spawn(g.ship, goscript.OwnedBy(1))
		a.Spawn(g.flag)
	}
	r := newRig(t, g.Game)
	if _, err := r.Insert(world.Event{Tick: 1, Kind: world.JoinEvent, Player: 1}, timeline.Origin{}); err != nil {
		t.Fatal(err)
	}
	r.run(10)
	s := r.At(r.Now())
	var flag int
	late := world.Event{Tick: 6, Kind: world.InputEvent, Player: 1, Bundle: 1, Input: world.Input{Buttons: 1}}
	for _, slot := range s.Run {
		if s.Objects[slot].Owner == 1 {
			late.Object = s.Objects[slot].ID
		} else if r.World().Class(int(slot)).Name == "Flag" {
			flag = int(slot)
		}
	}
	if _, err := r.Insert(late, timeline.Origin{Record: 1, LateBy: 4}); err != nil {
		t.Fatal(err)
	}
	if m := r.Check(r.Rewind()); m != nil {
		t.Fatal(m)
	}
	p := r.Causes().Explain(flag)
	r.Causes().Locate(&p)
	if p.Cause != timeline.CauseInput || p.File != "goscript/api_test.go" || p.Text != "applyImpulse(0, 3)" {
		t.Errorf("%+v", p)
	}
	if len(p.Through) != 1 || p.Through[0].File != "goscript/api_test.go" || p.Through[0].Line != p.Line+5 {
		t.Errorf("%+v, from line %d", p.Through, p.Line)
	}
}
