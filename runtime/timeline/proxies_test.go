package timeline_test

import (
	"math"
	"slices"
	"testing"

	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/internal/stub"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
)

// TestProxy follows a proxy through a client's history: it enters in the past, continues at its
// velocity, freezes without updates, is moved, and is removed.
func TestProxy(t *testing.T) {
	script, err := stub.CompileWild([]world.Source{{Text: "first Crate:interpolate"}}, bundle.DefaultSetup())
	if err != nil {
		t.Fatal(err)
	}
	tl := timeline.New(script, timeline.Options{States: 64, Client: 1, Check: true})
	step := func(n int) {
		for range n {
			tl.Rewind()
			tl.Step()
		}
	}
	where := func() (x float64, here bool) {
		tl.Rewind()
		if d := tl.Verify(1); d != nil {
			t.Fatalf("not what running everything again gives: %v", d)
		}
		s := tl.At(tl.Now())
		slot, ok := s.Find(77)
		if !ok {
			return 0, false
		}
		return s.Body(slot).X, true
	}
	class, _ := script.Schema().ClassByName("Crate")
	at := world.ProxyUpdate{Object: 77, Bundle: 1, Class: uint16(class), Pose: physics.Pose{X: 1}, Velocity: physics.Velocity{VX: 6}}
	step(10)
	tl.Replicate(5, at, 20)
	expect := func(what string, x float64, here bool) {
		t.Helper()
		if got, there := where(); there != here || math.Abs(got-x) > 1e-9 {
			t.Errorf("tick %d, %s: at %v, %v; want %v, %v", tl.Now(), what, got, there, x, here)
		}
	}
	expect("entered 5 ticks ago", 1.5, true)
	step(30)
	expect("held after 20 ticks", 3, true)
	at.X = -4
	tl.Replicate(35, at, 20)
	expect("put elsewhere 5 ticks ago", -3.5, true)
	tl.Replicate(38, world.ProxyUpdate{Object: 77, Gone: true}, 20)
	expect("gone 2 ticks ago", 0, false)
}

// TestSlotOfARemovedProxyIsKept tests an object that the only tick with it also removes, because a snapshot says that it
// is gone: it is in no state, but running the tick again brings it back to its slot.
func TestSlotOfARemovedProxyIsKept(t *testing.T) {
	setup := bundle.DefaultSetup()
	setup.Spawns = []world.Spawn{{Class: "Crate", Count: 3}}
	script, err := stub.CompileWild([]world.Source{{Text: "first Crate:interpolate"}}, setup)
	if err != nil {
		t.Fatal(err)
	}
	tl := timeline.New(script, timeline.Options{States: 64, Client: 1, Check: true})
	tl.Step()
	first := tl.At(1)
	gone := world.ProxyUpdate{Object: first.Objects[first.Run[1]].ID, Gone: true}
	for range 3 {
		tl.Rewind()
		tl.Step()
	}
	for range 2 {
		tl.Replicate(1, gone, 20)
		tl.Rewind()
		if _, here := tl.At(1).Find(gone.Object); here {
			t.Fatal("the object is still there")
		}
		tl.ReleaseSlots()
	}
	if d := tl.Verify(1); d != nil {
		t.Error(d)
	}
}

// TestProxyThatEntersEarlier tests that a hook which gets the objects of a class is run again after a proxy has
// entered earlier than was known: the same objects are there, in another order. The tick in which the proxy had
// entered is run as a whole, so that all which the partial rerun knows is how the states after it differ.
func TestProxyThatEntersEarlier(t *testing.T) {
	setup := bundle.DefaultSetup()
	setup.Spawns = []world.Spawn{{Class: "Watch", Count: 1}}
	schema, err := world.NewSchema([]world.Class{{Name: "Egg", LOD: world.Interpolate, Body: &world.BodySpec{Def: physics.Def{Type: physics.Dynamic, Shape: physics.CircleShape(0.4), Density: 1}}},
		{Name: "Watch", Fields: []world.Field{{Name: "n", Kind: world.Ref, Default: []uint64{0}}}, Hooks: 1 << world.OnTick}}, setup)
	if err != nil {
		t.Fatal(err)
	}
	egg, _ := schema.ClassByName("Egg")
	script := &ruled{schema, ruleHooks{"Watch.tick": func(c *ruledCall) error {
		if c.State().Tick != 30 {
			return nil
		}
		return c.setN(c.id(), uint64(c.State().Objects[c.Queries().OfClass(egg, nil)[0]].ID))
	}}}
	tl := timeline.New(script, timeline.Options{States: 64, Client: 1, Check: true})
	enter := func(id world.ObjectID, at world.Tick) {
		tl.Replicate(at, world.ProxyUpdate{Object: id, Bundle: 1, Class: uint16(egg)}, 60)
	}
	stub.Insert(tl, world.Event{Tick: 20, Kind: world.JoinEvent, Player: 1})
	enter(77, 10)
	enter(78, 20)
	first := func() world.ObjectID {
		s := tl.At(tl.Now())
		slot := slices.IndexFunc(s.Objects, func(o world.Object) bool { return o.ID != 0 && int(o.Class) == egg+1 })
		return world.ObjectID(s.Row(slot).State[0])
	}
	for range 40 {
		tl.Rewind()
		tl.Step()
	}
	if got := first(); got != 77 {
		t.Fatalf("the first egg is %v", got)
	}
	enter(78, 5)
	r := tl.Rewind()
	if d := tl.Verify(1); d != nil {
		t.Errorf("not what running everything again gives: %v", d)
	}
	if got := first(); got != 78 || r.Whole.Sum() != 1 {
		t.Errorf("the first egg is %v; %+v", got, r)
	}
}

// TestCarriedObjectLosesItsJoint tests that a joint which ends in a rewind is gone for good, although the body of its
// object has the same bits: a kinematic object has no joint with a holder that is removed, or that was a proxy before.
// The carried object acts in each tick, so that the trace of each tick has the joint.
func TestCarriedObjectLosesItsJoint(t *testing.T) {
	const holder, carried = 77, 78
	circle := physics.CircleShape(0.4)
	schema, err := world.NewSchema([]world.Class{
		{Name: "Ship", LOD: world.Interpolate, Body: &world.BodySpec{Def: physics.Def{Type: physics.Dynamic, Shape: circle, Density: 1}}},
		{Name: "Walker", Fields: []world.Field{{Name: "n", Kind: world.Ref, Default: []uint64{0}}}, Hooks: 1 << world.OnTick,
			Body: &world.BodySpec{Def: physics.Def{Type: physics.Kinematic, Shape: circle}, Carried: true}}}, bundle.DefaultSetup())
	if err != nil {
		t.Fatal(err)
	}
	script := &ruled{schema, ruleHooks{"Walker.tick": func(c *ruledCall) error { return c.setN(c.id(), c.n()%3+1) }}}
	ship, _ := schema.ClassByName("Ship")
	walker, _ := schema.ClassByName("Walker")
	class := &schema.Classes[walker]
	fields := world.NewRow(class, make([]uint64, class.Words()))
	i := slices.IndexFunc(class.Fields, func(f world.Field) bool { return f.Name == "held by" })
	fields.SetWord(&class.Fields[i], holder)
	own := world.ProxyUpdate{Object: holder, Bundle: 1, Class: uint16(ship), Owner: 1}
	another := own
	another.Owner = 2
	for _, test := range []struct {
		name string
		tick world.Tick
		late world.ProxyUpdate
		tied bool
	}{
		{"its holder was a proxy before", 8, another, false},
		{"its holder becomes a proxy", 15, another, true},
		{"its holder was gone before", 8, world.ProxyUpdate{Object: holder, Gone: true}, false},
		{"its holder is removed", 15, world.ProxyUpdate{Object: holder, Gone: true}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			tl := timeline.New(script, timeline.Options{States: 64, Client: 1, Check: true})
			stub.Insert(tl, world.Event{Tick: 1, Kind: world.JoinEvent, Player: 1})
			tl.Replicate(5, own, 60)
			tl.Replicate(10, world.ProxyUpdate{Object: carried, Bundle: 1, Class: uint16(walker), Owner: 1, Fields: fields}, 60)
			for range 30 {
				tl.Rewind()
				tl.Step()
			}
			tied := func() bool {
				_, ok := tl.At(tl.Now()).Physics.FindJoint(carried)
				return ok
			}
			if !tied() {
				t.Fatal("nothing carries the walker")
			}
			tl.Replicate(test.tick, test.late, 60)
			r := tl.Rewind()
			if d := tl.Verify(1); d != nil {
				t.Errorf("not what running everything again gives: %v", d)
			}
			if tied() != test.tied || r.Ran < 15 {
				t.Errorf("tied: %v; %+v", tied(), r)
			}
		})
	}
}
