package timeline_test

import (
	"errors"
	"math"
	"slices"

	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
	"pgregory.net/rapid"
)

// busy is a family of Scripts. What the hooks of its classes do is drawn. All of it depends on
// data, so that a difference sometimes spreads from one object to another.
type busy struct {
	schema  *world.Schema
	actions map[string]*hookActions // by class

	whens, whoms, whats []string // what actions are drawn from
	did                 *tally
	summed              lastSum
}

// lastSum is the object whose number an object has computed with last.
type lastSum struct {
	of, by world.ObjectID
	tick   world.Tick
}

// hookActions are the actions of a class by hook. Those of HostEvent are what the functions do that
// the host program calls.
type hookActions [world.HookKinds][]action

// action is one thing that a hook does, under a condition, to an object.
type action struct {
	when   string
	every  uint64
	whom   string
	what   string
	class  string // that it looks for, or spawns
	amount float64
	seen   world.ViewTime // of the action "peer", if the input has none
}

var (
	whens = []string{"always", "mood", "mood", "place", "place", "tick", "luck", "button", "friend"}
	whoms = []string{"self", "self", "friend", "friend", "other", "other", "first", "last", "nearest", "ray", "circle", "box", "game", "child", "stats", "stats"}
	whats = []string{"look", "look", "look", "count", "count", "befriend", "befriend", "push", "push", "place", "speed", "force", "mark", "mark",
		"give", "remove", "peer", "peer", "peer", "spawn", "spawn", "luck", "luck", "fail", "ripen", "wind", "wind"}
)

var errBusy = errors.New("a hook that fails")

// busyClasses are the names that bundles may declare. All bundles have the first one; players
// steer its objects.
var busyClasses = []string{"Ship", "Ball", "Crate", bodiless, "Zone"}

// bodiless is the class without a body.
const bodiless = "Spirit"

// drawBusy generates a script: the classes in the order of names. levels says whether they have levels of detail.
func drawBusy(t *rapid.T, names []string, setup world.Setup, levels bool, did *tally) *busy {
	s := &busy{actions: map[string]*hookActions{}, did: did}
	// Each script has only a few kinds of actions, so that they meet often.
	s.whens, s.whoms, s.whats = drawSome(t, whens), drawSome(t, whoms), drawSome(t, whats)
	s.whats = append(s.whats, drawSome(t, rarely)[:rapid.IntRange(0, len(rarely)/3).Draw(t, "rarely")]...)
	var classes []world.Class
	sees := rapid.IntRange(0, 2).Draw(t, "sees") > 0
	for _, name := range names {
		c := world.Class{Name: name, Order: int32(rapid.IntRange(-1, 1).Draw(t, "order")), Inputs: drawInputFields(t),
			Fields: busyFields(t), Body: drawBody(t, name), Seen: seenRules(sees && rapid.Bool().Draw(t, "seen"))}
		if c.Body != nil {
			c.Body.Carried = rapid.IntRange(0, 3).Draw(t, "carried") > 0
		}
		drawOwnership(t, &c)
		if levels {
			c.LOD = world.LOD(rapid.IntRange(0, 2).Draw(t, "level"))
		}
		drawTimers(t, &c)
		s.drawActions(t, &c, names)
		classes = append(classes, c)
	}
	if rapid.IntRange(0, 2).Draw(t, "stats") > 0 {
		classes = append(classes, world.Class{Name: world.PlayerClass, Fields: busyFields(t)})
	}
	game := world.Class{Name: world.GameClass, Fields: busyFields(t)}
	drawTimers(t, &game)
	s.drawActions(t, &game, names)
	if i := slices.Index(names, "Crate"); i >= 0 && rapid.IntRange(0, 2).Draw(t, "crate") == 0 {
		classes[i].Body.Def.Type = physics.Kinematic // which the sensors of zones report
	}
	classes[slices.Index(names, busyClasses[0])].Hooks |= 1<<world.ApplyInput | 1<<world.Simulate
	game.Hooks |= 1<<world.OnJoin | 1<<world.OnStart
	schema, err := world.NewSchema(append(classes, game), drawLevels(t, setup), drawFunctions(t)...)
	if err != nil {
		t.Fatal(err)
	}
	s.schema = schema
	return s
}

// drawInputFields are two buttons, of which some are counted, and an axis, which may fade. Some
// are not repeated.
func drawInputFields(t *rapid.T) world.InputFields {
	fields := world.InputFields{{Name: "Fire"}, {Name: "Go", Index: 1}, {Name: "Lean", Axis: true, Min: -1, Max: 1}}
	for i := range fields {
		fields[i].Once = rapid.IntRange(0, 3).Draw(t, "once") == 0
		fields[i].Counted = !fields[i].Axis && rapid.IntRange(0, 2).Draw(t, "counted") > 0
	}
	if lean := &fields[2]; !lean.Once {
		lean.Decay = rapid.SampledFrom([]float64{0, 0.05, 0.2}).Draw(t, "decay")
		lean.Step = rapid.SampledFrom([]float64{0, 0.25}).Draw(t, "step")
	}
	return fields
}

// drawSome picks at least a third of all.
func drawSome(t *rapid.T, all []string) []string {
	n := len(all)
	return rapid.Permutation(all).Draw(t, "some")[:rapid.IntRange(n/3, n).Draw(t, "of")]
}

// busyFields returns the fields that all classes have, in a drawn order. Those declared in aux are drawn, too, so
// that a bundle switch moves some between state and aux.
func busyFields(t *rapid.T) []world.Field {
	fields := []world.Field{{Name: "mood", Kind: world.Ref, Default: []uint64{5}}, {Name: "friend", Kind: world.Ref, Default: []uint64{0}},
		{Name: "brood", Kind: world.Ref, Default: []uint64{1}}, {Name: "tied", Kind: world.Ref, Default: []uint64{0}},
		{Name: "score", Kind: world.Number, Default: []uint64{world.NumberBits(1)}, Max: 10, Step: 0.5}, {Name: "note", Kind: world.String, Cap: 9, Default: []uint64{1, 'n', 0}}}
	for i := range fields {
		fields[i].Aux = rapid.Bool().Draw(t, "aux")
	}
	return world.AppendList(rapid.Permutation(fields).Draw(t, "fields"), "list", 3, rapid.Bool().Draw(t, "aux"), []world.Field{{Kind: world.Ref, Default: []uint64{7}}})
}

func drawBody(t *rapid.T, name string) *world.BodySpec {
	d := physics.Def{Type: physics.Dynamic, Shape: physics.CircleShape(0.4), Density: 1, Friction: 0.3, LinearDamping: 0.3, GravityScale: 1}
	switch name {
	case bodiless:
		return nil
	case "Zone":
		d.Type, d.Shape = physics.Static, physics.BoxShape(2, 2)
		d.Sensor = rapid.Bool().Draw(t, "sensor")
		if rapid.Bool().Draw(t, "kinematic") {
			d.Type = physics.Kinematic
		}
	case "Ball":
		d.Shape, d.Restitution = physics.CircleShape(0.15), 0.9
		d.Bullet = rapid.Bool().Draw(t, "bullet")
	case "Crate":
		d.Shape = physics.BoxShape(0.8, 0.8)
	}
	return &world.BodySpec{Def: d}
}

// drawOwnership gives some classes owner poses, some independent frames, and some both.
func drawOwnership(t *rapid.T, c *world.Class) {
	owned := rapid.IntRange(0, 4).Draw(t, "owned")
	if owned == 1 || owned == 3 {
		c.Moves = &world.MoveRules{Speed: rapid.SampledFrom([]float64{0, 1, 5}).Draw(t, "speed"), Ghost: rapid.Bool().Draw(t, "ghost")}
	}
	if c.Independent = owned == 2 || owned == 3; c.Independent {
		c.Hooks |= 1 << world.Simulate // as a declaration requires
	}
}

var objectHooks = []world.Hook{world.Simulate, world.Verify, world.OnSpawn, world.ApplyInput, world.Think, world.OnTick, world.OnContact, world.OnContactEnd, world.OnTrigger,
	world.OnJointBreak, world.OnRemove, world.OnTimer}
var gameHooks = []world.Hook{world.OnStart, world.OnLeave, world.OnGameTick, world.HostEvent, world.OnTimer}

func (s *busy) drawActions(t *rapid.T, c *world.Class, names []string) {
	hooks := objectHooks
	if c.Name == world.GameClass {
		hooks = gameHooks
	}
	all := new(hookActions)
	for _, h := range hooks {
		for range rapid.IntRange(0, 3).Draw(t, "actions") {
			if h < world.HookCount {
				c.Hooks |= 1 << h
			}
			all[h] = append(all[h], action{
				when: rapid.SampledFrom(s.whens).Draw(t, "when"), every: rapid.Uint64Range(1, 7).Draw(t, "every"),
				whom: rapid.SampledFrom(s.whoms).Draw(t, "whom"), what: rapid.SampledFrom(s.whats).Draw(t, "what"),
				class: rapid.SampledFrom(names).Draw(t, "class"), amount: rapid.Float64Range(-3, 3).Draw(t, "amount"), seen: drawSeen(t)})
		}
	}
	s.actions[c.Name] = all
}

func (s *busy) Schema() *world.Schema { return s.schema }

// Call does the actions of a hook, one after the other.
func (s *busy) Call(w world.Actor, h world.Hook, slot int, a *world.Args) error {
	return s.call(w, h, slot, a, 0)
}

// maxBirths is how deep the hooks of spawned objects may spawn in turn.
const maxBirths = 2

func (s *busy) call(w world.Actor, h world.Hook, slot int, a *world.Args, depth int) error {
	defer w.Calls().Act(w.Calls().Act(slot)) // of an object that a hook spawns, too
	c := &busyCall{busy: s, w: w, id: w.State().Objects[slot].ID, args: *a, depth: depth}
	err := c.guarded(h, func() error { return c.run(h, slot) })
	if h == world.Verify {
		a.OK = c.own(slot, "mood")%3 != 0
	}
	return err
}

func (c *busyCall) run(h world.Hook, slot int) error {
	s, w, a := c.busy, c.w, &c.args
	switch h {
	case world.OnJoin:
		return c.spawn(slot, busyClasses[0], world.Placement{Pose: physics.Pose{X: float64(a.Player) - 3, Y: 1}, Owner: a.Player})
	case world.OnJointBreak:
		c.did.parted++
		c.args.Other = max(a.Other, a.JointBreak.Joint)
	case world.OnStart:
		if err := c.begun(slot); err != nil {
			return err
		}
	case world.OnTrigger:
		if other, ok := w.Find(a.Other); ok && !c.isDynamic(slot) && !c.isDynamic(other) {
			c.did.sensed++
		}
	case world.OnTimer:
		if err := c.rang(slot, a.Timer); err != nil {
			return err
		}
	case world.HostEvent:
		if err := c.called(slot); err != nil {
			return err
		}
	case world.ApplyInput, world.Simulate:
		if err := c.steer(slot, a.Input); err != nil {
			return err
		}
		if err := c.press(&a.Presses); err != nil {
			return err
		}
	}
	for i := range s.actions[w.Class(slot).Name][h] {
		d := &s.actions[w.Class(slot).Name][h][i]
		if !c.due(d, slot) {
			continue
		}
		if err := c.do(d, slot); err != nil {
			return err
		}
	}
	return nil
}

// isDynamic reports whether the body of an object is dynamic.
func (c *busyCall) isDynamic(slot int) bool {
	return c.schema.Defs[c.w.State().Body(slot).Def].Type == physics.Dynamic
}

// steer does what every input does: it changes something.
func (c *busyCall) steer(slot int, in world.Input) error {
	if lean := in.Axes[0]; lean != 0 && c.w.State().Body(slot).Key != 0 {
		if lean != math.Round(2*lean)/2 {
			c.did.faded++ // all that are sent are halves
		}
		if err := c.w.Do(world.Op{Target: c.id, Kind: world.AddImpulse, A: lean}); err != nil {
			return err
		}
	}
	if in.Buttons == 0 {
		return nil
	}
	if err := c.set(c.id, "mood", c.own(slot, "mood")+uint64(in.Buttons)); err != nil {
		return err
	}
	if in.Buttons < 2 || c.w.State().Body(slot).Key == 0 {
		return nil
	}
	return c.w.Do(world.Op{Target: c.id, Kind: world.AddImpulse, A: 1, B: float64(in.Buttons) - 2.5})
}

// press does what every press does: it changes something else.
func (c *busyCall) press(p *world.Presses) error {
	down, up := p.Down.Of(0)+2*p.Down.Of(1), p.Up.Of(0)+2*p.Up.Of(1)
	if down+up == 0 {
		return nil
	}
	c.did.pressed++
	return c.w.Do(world.Op{Target: c.id, Kind: world.AddImpulse, A: float64(down), B: float64(up)})
}

// busyCall is one call of a hook.
type busyCall struct {
	*busy
	w     world.Actor
	id    world.ObjectID
	args  world.Args
	depth int
	child world.ObjectID
	out   []int32
}

func (c *busyCall) field(s *world.State, slot int, name string) (index int, word uint64) {
	class := &c.schema.Classes[s.Objects[slot].Class]
	for i := range class.Fields {
		if class.Fields[i].Name == name {
			return i, s.Row(slot).Word(&class.Fields[i])
		}
	}
	return -1, 0
}

func (c *busyCall) own(slot int, name string) uint64 {
	_, word := c.field(c.w.State(), slot, name)
	return word
}

// set writes a field of an object that the script sees.
func (c *busyCall) set(id world.ObjectID, name string, word uint64) error {
	s, slot, ok := c.w.See(id)
	if !ok {
		return errBusy
	}
	if i, was := c.field(s, slot, name); i >= 0 {
		if c.schema.Classes[s.Objects[slot].Class].Fields[i].Aux && was != word {
			c.did.aux++
		}
		return c.w.Do(world.Op{Target: id, Kind: world.SetWord, Field: i, Word: word})
	}
	return nil
}

func square(b *physics.Body) uint64 {
	return uint64(int64(math.Floor(b.X*4))*7 + int64(math.Floor(b.Y*4)))
}

func (c *busyCall) due(d *action, slot int) bool {
	switch d.when {
	case "mood":
		return c.own(slot, "mood")%d.every == 0
	case "place":
		return square(c.w.State().Body(slot))%d.every == 0
	case "tick":
		return uint64(c.w.State().Tick)%d.every == 0
	case "luck":
		return c.w.Random()*float64(d.every) < 1
	case "button":
		return uint64(c.args.Input.Buttons)%2 == d.every%2
	case "friend":
		s, at, ok := c.w.See(world.ObjectID(c.own(slot, "friend")))
		return ok && square(s.Body(at))%d.every == 0
	}
	return true
}

// find returns the object that a action is about, 0 if there is none.
func (c *busyCall) find(d *action, slot int) world.ObjectID {
	w, b := c.w, *c.w.State().Body(slot)
	class, _ := c.schema.ClassByName(d.class)
	c.out = c.out[:0]
	switch d.whom {
	case "self":
		return c.id
	case "friend":
		return world.ObjectID(c.own(slot, "friend"))
	case "other":
		return c.args.Other
	case "game":
		return world.MatchID
	case "child":
		return c.child
	case "stats":
		return c.stats(slot)
	case "nearest":
		if at, ok := w.Queries().Nearest(b.X, b.Y, class, math.Abs(d.amount)*2); ok {
			return w.State().Objects[at].ID
		}
		return 0
	case "ray":
		hit, _ := w.Queries().Raycast(b.X, b.Y, b.X+d.amount, b.Y-d.amount, math.MaxUint64)
		return hit.Object
	case "first", "last":
		c.out = w.Queries().OfClass(class, c.out)
	case "circle":
		c.out = w.Queries().OverlapCircle(b.X, b.Y, math.Abs(d.amount), math.MaxUint64, c.out)
	case "box":
		c.out = w.Queries().OverlapBox(b.X+d.amount, b.Y, 1, 2, math.MaxUint64, c.out)
	}
	switch n := len(c.out); {
	case n == 0:
		return 0
	case d.whom == "last":
		return w.State().Objects[c.out[n-1]].ID
	}
	return w.State().Objects[c.out[0]].ID
}

// stats returns the object that holds the state of the owner of an object, or of the first player; 0
// if there is none.
func (c *busyCall) stats(slot int) world.ObjectID {
	s := c.w.State()
	p, here := s.PlayerByID(s.Objects[slot].Owner)
	switch {
	case here:
	case len(s.Players) > 0:
		p = &s.Players[0]
	default:
		return 0
	}
	if _, _, ok := c.w.See(p.Object()); !ok {
		return 0
	}
	c.did.stats++
	return p.Object()
}
