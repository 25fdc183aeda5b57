package timeline_test

import (
	"testing"

	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/internal/stub"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
)

// ruled is a Script whose hooks are given by name. Its Pilot writes into the field n of the
// game object whether its button is down.
type ruled struct {
	schema *world.Schema
	hooks  map[string]func(c *ruledCall) error // "Class.hook"
}

type ruledCall struct {
	world.Actor
	slot int
	args *world.Args
}

func (c *ruledCall) id() world.ObjectID { return c.State().Objects[c.slot].ID }

func (c *ruledCall) n() uint64 { return c.State().Row(c.slot).State[0] }

func (c *ruledCall) setN(id world.ObjectID, n uint64) error {
	return c.Do(world.Op{Target: id, Kind: world.SetWord, Word: n})
}

func (c *ruledCall) put(x, y float64) error {
	return c.Do(world.Op{Target: c.id(), Kind: world.SetPosition, A: x, B: y})
}

func (c *ruledCall) remove(id world.ObjectID) error {
	return c.Do(world.Op{Target: id, Kind: world.Remove})
}

// down reports whether the button was down in the tick before.
func (c *ruledCall) down() bool {
	s, at, ok := c.See(world.MatchID)
	return ok && s.Row(at).State[0] != 0
}

func (c *ruledCall) count(class string) uint64 {
	i, _ := c.Schema().ClassByName(class)
	return uint64(len(c.Queries().OfClass(i, nil)))
}

// last returns the slot of the last object of a class.
func (c *ruledCall) last(class string) int {
	i, _ := c.Schema().ClassByName(class)
	all := c.Queries().OfClass(i, nil)
	return int(all[len(all)-1])
}

func (s *ruled) Schema() *world.Schema { return s.schema }

func (s *ruled) Call(w world.Actor, h world.Hook, slot int, a *world.Args) error {
	c := &ruledCall{w, slot, a}
	switch name := w.Class(slot).Name + "." + h.String(); {
	case s.hooks[name] != nil:
		return s.hooks[name](c)
	case name == "Pilot.applyInput":
		return c.setN(world.MatchID, uint64(a.Input.Buttons))
	case h == world.OnJoin && s.schema.Setup.Seed == 1:
		_, err := w.Spawn("Pilot", world.Placement{Owner: a.Player})
		return err
	}
	return nil
}

// newRuled makes the Script: a ball that flies at a wall, and an object of a later order that
// watches it.
func newRuled(t *testing.T, hooks map[string]func(c *ruledCall) error) *ruled {
	return newRuledOf(t, hooks, true)
}

// newRuledOf is newRuled; seen says whether asSeen moves the ball.
func newRuledOf(t *testing.T, hooks map[string]func(c *ruledCall) error, seen bool) *ruled {
	n := []world.Field{{Name: "n", Kind: world.Ref, Default: []uint64{0}}}
	ball := &world.BodySpec{Def: physics.Def{Type: physics.Dynamic, Shape: physics.CircleShape(0.4), Density: 1}, Carried: true}
	names := []world.Class{{Name: "Pilot", Inputs: []world.InputField{{Name: "Fire"}}, Hooks: 1 << world.ApplyInput}, {Name: "Ball", Body: ball, Seen: seenRules(seen)},
		{Name: "Box", Body: &world.BodySpec{Def: physics.Def{Type: physics.Dynamic, Shape: physics.BoxShape(1, 1), Density: 1}}},
		{Name: "Watch", Order: 1}, {Name: "Egg"}, {Name: world.GameClass, Hooks: 1 << world.OnJoin}}
	for i := range names {
		names[i].Fields = n
		for h := range world.HookCount {
			if hooks[names[i].Name+"."+h.String()] != nil {
				names[i].Hooks |= 1 << h
			}
		}
	}
	setup := bundle.DefaultSetup()
	setup.Walls = []world.Wall{{X: 5, W: 1, H: 10}}
	setup.Spawns = []world.Spawn{{Class: "Ball", Count: 1}, {Class: "Box", Count: 1, X: 4.1, Y: 0.8}, {Class: "Watch", Count: 1},
		{Class: "Box", Count: 16, X: -20, W: 20, H: 20}} // not involved
	schema, err := world.NewSchema(names, setup)
	if err != nil {
		t.Fatal(err)
	}
	return &ruled{schema, hooks}
}

// flies gives the ball a velocity, so that it meets the box and the wall in the ticks that are
// simulated again.
func flies(c *ruledCall) error {
	if c.State().Tick != 3 {
		return nil
	}
	return c.Do(world.Op{Target: c.id(), Kind: world.SetVelocity, A: 12})
}

// spawn spawns n objects in one tick.
func (c *ruledCall) spawn(n int) error {
	for i := 0; i < n && c.State().Tick == 15; i++ {
		if _, err := c.Spawn("Egg", world.Placement{}); err != nil {
			return err
		}
	}
	return nil
}

type ruleHooks = map[string]func(c *ruledCall) error

var partRules = []struct {
	name  string
	hooks ruleHooks
}{
	{"random numbers drawn before the step count after it", ruleHooks{
		"Ball.tick": func(c *ruledCall) error {
			if c.down() {
				c.Random()
			}
			return flies(c)
		},
		"Ball.onContact": func(c *ruledCall) error { return c.setN(c.id(), uint64(c.Random()*1e9)) },
	}},
	{"spawns in one order count in the next", ruleHooks{
		"Ball.think": func(c *ruledCall) error { return c.spawn(world.MaxSpawns - 1) },
		"Ball.tick": func(c *ruledCall) error {
			if c.down() {
				return c.spawn(2)
			}
			return nil
		},
	}},
	{"an ownership change does not happen again", ruleHooks{
		"Ball.tick": func(c *ruledCall) error {
			if !c.down() && c.State().Tick == 15 {
				return c.Do(world.Op{Target: c.id(), Kind: world.SetOwner, Word: 1})
			}
			return nil
		},
	}},
	{"an object that is no longer removed has its contacts", ruleHooks{
		"Ball.tick": flies,
		"Ball.onContact": func(c *ruledCall) error {
			if c.down() {
				return nil
			}
			return c.remove(c.id())
		},
	}},
	{"a joint to a body that is removed in the same tick, after the step, ends in the next tick", ruleHooks{
		"Ball.tick": flies,
		"Ball.onContact": func(c *ruledCall) error {
			if c.down() {
				other := c.last("Box") // which nothing touches
				if _, err := c.Tie(physics.NewJoint(0, physics.Weld, c.State().Body(c.slot), c.State().Body(other), physics.Vec{})); err != nil {
					return err
				}
			}
			return c.remove(c.id())
		},
		"Box.onJointBreak": func(c *ruledCall) error { return c.setN(c.id(), 1) },
	}},
	{"an object that is removed has no contacts", ruleHooks{
		"Ball.tick": flies,
		"Ball.onContact": func(c *ruledCall) error {
			if !c.down() {
				return nil
			}
			return c.remove(c.id())
		},
	}},
	{"a count changes with a dirty object that is removed", ruleHooks{
		"Ball.tick": func(c *ruledCall) error {
			if c.down() && c.n() == 0 {
				return c.setN(c.id(), 1)
			}
			return flies(c)
		},
		"Ball.onContact": func(c *ruledCall) error {
			if c.n() == 0 {
				return nil
			}
			return c.remove(c.id())
		},
		"Watch.tick": func(c *ruledCall) error { return c.setN(c.id(), c.count("Ball")) },
	}},
	{"a look-up finds an object that was missing", ruleHooks{
		"Ball.tick": func(c *ruledCall) error {
			if c.down() || c.State().Tick != 12 {
				return nil
			}
			return c.remove(c.id())
		},
		"Watch.tick": func(c *ruledCall) error {
			if c.State().Tick == 5 {
				i, _ := c.Schema().ClassByName("Ball")
				return c.setN(c.id(), uint64(c.State().Objects[c.Queries().OfClass(i, nil)[0]].ID))
			}
			if _, _, ok := c.See(world.ObjectID(c.n())); ok && c.State().Tick == 20 {
				return c.setN(c.id(), 7)
			}
			return nil
		},
	}},
	{"a query misses an object that no longer comes", ruleHooks{
		"Ball.tick": func(c *ruledCall) error {
			if c.down() {
				return nil
			}
			return c.put(20*float64(c.State().Tick%2)-10, -15)
		},
		"Watch.tick": func(c *ruledCall) error {
			return c.setN(c.id(), uint64(len(c.Queries().OverlapCircle(10, -15, 1, 1<<63-1, nil))))
		},
	}},
	{"a query misses a dirty object that is not put there", ruleHooks{
		"Ball.think": func(c *ruledCall) error {
			if c.down() && c.n() == 0 {
				return c.setN(c.id(), 1)
			}
			return nil
		},
		"Ball.tick": func(c *ruledCall) error {
			if c.n() != 0 {
				return c.put(30, -15)
			}
			return c.put(20*float64(c.State().Tick%2)-10, -15)
		},
		"Watch.tick": func(c *ruledCall) error {
			return c.setN(c.id(), uint64(len(c.Queries().OverlapCircle(10, -15, 1, 1<<63-1, nil))))
		},
	}},
	{"a look back sees a changed tick, though nothing is dirty now", ruleHooks{
		"Ball.tick": aside, "Watch.tick": func(c *ruledCall) error { return c.lookBack(17, 29) },
	}},
	{"a look back sees a changed tick, while something else is dirty", ruleHooks{
		"Ball.tick": aside, "Watch.tick": func(c *ruledCall) error { return c.lookBack(8, 20) },
	}},
	{"a look back sees a change of the earlier of two ticks only", ruleHooks{
		"Ball.tick": aside, "Watch.tick": func(c *ruledCall) error { return c.lookBack(12, 26) },
	}},
	{"a look back by a moment sees a tick that is over", ruleHooks{
		"Ball.tick": func(c *ruledCall) error {
			c.down()
			return c.put(10+5*float64(c.State().Tick%2), -15)
		},
		"Watch.tick": func(c *ruledCall) error {
			c.BeginAsSeen(world.ViewTime{Back: 1, All: true}, nil)
			n := uint64(len(c.Queries().OverlapCircle(10, -15, 1, 1<<63-1, nil)))
			c.EndAsSeen()
			if c.down() {
				n += 2
			}
			return c.setN(c.id(), n)
		},
	}},
	{"a look back does not see an object that is removed", ruleHooks{
		"Ball.tick": func(c *ruledCall) error {
			if c.State().Tick == 20 && c.down() {
				return c.remove(c.id())
			}
			if c.State().Tick < 15 {
				return c.put(10, -15)
			}
			return c.put(15, -15)
		},
		"Watch.tick": func(c *ruledCall) error { return c.lookBack(17, 25) },
	}},
	{"a sight does not show an object that is removed", ruleHooks{
		"Ball.tick": func(c *ruledCall) error {
			if c.State().Tick == 20 && c.down() {
				return c.remove(c.id())
			}
			ball = c.id()
			return c.put(15, -15)
		},
		"Watch.tick": func(c *ruledCall) error {
			if c.State().Tick != 25 {
				return nil
			}
			c.BeginAsSeen(world.ViewTime{}, world.Sight{{ID: ball, X: 10 * 4096, Y: -15 * 4096}})
			n := len(c.Queries().OverlapCircle(10, -15, 1, 1<<63-1, nil))
			c.EndAsSeen()
			return c.setN(c.id(), uint64(n))
		},
	}},
	{"an object that runs again is attached to one that another object has just spawned", ruleHooks{
		"Ball.tick": func(c *ruledCall) error {
			c.down() // so that it runs again in each tick, and is clean before
			return nil
		},
		"Box.tick": func(c *ruledCall) error {
			if c.State().Tick != 15 || c.slot != c.last("Box") {
				return nil
			}
			holder, err := c.Spawn("Box", world.Placement{Pose: physics.Pose{Y: -10}})
			if err != nil {
				return err
			}
			s := c.State()
			return c.Attach(s.Objects[c.last("Ball")].ID, s.Objects[holder].ID, 0, 2)
		},
	}},
}

// ball is the object that the last case looks at.
var ball world.ObjectID

// aside moves the ball aside for four ticks if the button is down in the first of them.
func aside(c *ruledCall) error {
	if c.down() && c.State().Tick < 14 {
		return c.put(15, -15)
	}
	return c.put(10, -15)
}

// lookBack counts, in one tick, the objects that were where the ball should have been, a
// number of ticks and a half before.
func (c *ruledCall) lookBack(ticks uint16, in world.Tick) error {
	if c.State().Tick != in {
		return nil
	}
	c.BeginAsSeen(world.ViewTime{Back: ticks*world.ViewParts + world.ViewParts/2, All: true}, nil)
	n := len(c.Queries().OverlapCircle(10, -15, 1, 1<<63-1, nil))
	c.EndAsSeen()
	return c.setN(c.id(), uint64(n))
}

// TestPartRuleCases has one case for each rule that generated matches seldom need.
func TestPartRuleCases(t *testing.T) {
	for _, c := range partRules {
		t.Run(c.name, func(t *testing.T) {
			tl := timeline.New(newRuled(t, c.hooks), timeline.Options{States: 64, Check: true})
			stub.Insert(tl, world.Event{Tick: 1, Kind: world.JoinEvent, Player: 1})
			for range 30 {
				tl.Step()
			}
			before := tl.At(20).Hash()
			press := world.Event{Tick: 10, Kind: world.InputEvent, Player: 1, Object: pilotOf(t, tl), Bundle: 1, Input: world.Input{Buttons: 1}}
			up := press
			up.Tick, up.Input = 26, world.Input{} // the last input that comes
			stub.Insert(tl, up)
			stub.Insert(tl, press)
			r := tl.Rewind()
			if tl.At(20).Hash() == before || r.Whole.Events > 0 || r.Ran == 0 {
				t.Errorf("%+v: the rewind changed nothing, or was a whole one", r)
			}
			if d := tl.Verify(1); d != nil {
				t.Error(d)
			}
		})
	}
}

func pilotOf(t *testing.T, tl *timeline.Timeline) world.ObjectID {
	s := tl.At(tl.Now())
	for _, slot := range s.Run {
		if tl.Schema(tl.Now()).Classes[s.Objects[slot].Class].Name == "Pilot" {
			return s.Objects[slot].ID
		}
	}
	t.Fatal("no pilot")
	return 0
}

// TestTraceDoesNotGrow tests that a tick that is simulated many times has one trace.
func TestTraceDoesNotGrow(t *testing.T) {
	tl := timeline.New(newRuled(t, ruleHooks{
		"Ball.think": func(c *ruledCall) error { return c.spawn(1) },
		"Watch.think": func(c *ruledCall) error {
			c.down()
			return c.setN(world.MatchID, c.count("Ball"))
		},
	}), timeline.Options{States: 64, Check: true})
	for range 30 {
		tl.Step()
	}
	before := 0
	for i := range 20 {
		s := tl.At(14)
		for _, slot := range s.Run {
			tl.DoubtInput(s.Objects[slot].ID, 15, 16)
		}
		if r := tl.Rewind(); r.Ran == 0 || r.Whole.Sum() > 0 {
			t.Fatalf("%+v: no partial rewind", r)
		}
		if i == 0 {
			before = tl.Past().Bytes() // by now there are the slots that other objects need
		}
	}
	if after := tl.Past().Bytes(); after != before {
		t.Errorf("%d bytes of history, %d after rewinds that changed nothing", before, after)
	}
}

// TestSwitchWithinATick tests that operations from before a bundle switch are carried out after
// it, also if the new bundle has more orders than the old one.
func TestSwitchWithinATick(t *testing.T) {
	hooks := ruleHooks{"Watch.tick": func(c *ruledCall) error { return c.setN(c.id(), c.count("Ball")) }}
	setup := bundle.DefaultSetup()
	setup.Seed = 2
	setup.Spawns = []world.Spawn{{Class: "Ball", Count: 1}}
	few, err := world.NewSchema([]world.Class{{Name: "Ball", Hooks: 1 << world.OnSpawn}}, setup)
	if err != nil {
		t.Fatal(err)
	}
	tl := timeline.New(&ruled{few, ruleHooks{"Ball.onSpawn": func(c *ruledCall) error { return c.remove(c.id()) }}}, timeline.Options{States: 16, Check: true})
	tl.AddScript(2, newRuled(t, hooks))
	stub.Insert(tl, world.Event{Tick: 1, Kind: world.BundleEvent, Bundle: 2})
	for range 4 {
		tl.Step()
	}
	if n := tl.At(4).Len(); n != 20 {
		t.Errorf("%d objects after the switch, want the match, and a wall, 17 boxes and a watch of the new level: the ball was to go", n)
	}
}
