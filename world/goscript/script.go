package goscript

import "github.com/hindcast/hindcast/world"

// script runs the hooks of a game for one driver. It keeps no state between hooks.
type script struct {
	schema  *world.Schema
	classes []*Class // by index in the schema; nil for the game, joints and walls
	game    gameScript
	on      stage
	search  search
	tracer  tracer
	shows   []*showings // by index in the schema; nil for joints and walls
	depth   int         // OnSpawn hooks around the present one
	used    int64       // of the budget, by the last Call
}

// maxSpawning is how deep OnSpawn hooks may run within each other.
const maxSpawning = 8

// newScript makes a script. classes are those of the schema, by index, as far as
// the game declares them; match is that of the game object, which follows them.
func newScript(schema *world.Schema, classes []*Class, game gameScript, all []*declaration) *script {
	s := &script{schema: schema, game: game, classes: make([]*Class, len(schema.Classes))}
	copy(s.classes, classes)
	declared := make([]*declaration, len(schema.Classes))
	copy(declared, all)
	for _, d := range declared {
		s.shows = append(s.shows, showingsOf(d))
	}
	s.on = stage{tracer: &s.tracer, classes: declared}
	s.search = search{on: &s.on}
	return s
}

// Schema returns the game's declarations.
func (s *script) Schema() *world.Schema { return s.schema }

// stage returns the stage of the running hook.
func (s *script) stage() *stage { return &s.on }

// queries returns what the hook that runs finds things with.
func (s *script) queries() *search { return &s.search }

// index returns the index of a class in the schema.
func (s *script) index(c *Class) int {
	for i := range s.classes {
		if s.classes[i] == c && c != nil {
			return i
		}
	}
	fail("a class of another game, or none")
	return 0
}

// family returns the indices of a class and of those that extend it.
func (s *script) family(c *Class) []int { return s.schema.Family(s.index(c)) }

// Call runs one hook of the object in slot. A class without the hook does nothing.
// The error is a *world.ScriptError. What the hook did before it stays, unless
// Panic says that it did nothing.
func (s *script) Call(on world.Actor, h world.Hook, slot int, a *world.Args) error {
	s.used = 0
	if h != world.HostEvent && !on.Class(slot).Hooks.Has(h) {
		return nil
	}
	left := max(min(HookBudget, OrderBudget-on.Calls().Spent(slot)), 0)
	s.search.begin()
	s.on.enter(on, left, nil)
	err := s.run(on, h, slot, a)
	s.used = s.on.leave(left)
	on.Calls().Spend(slot, s.used)
	if err != nil {
		return err
	}
	return nil
}

// Instructions returns how much of the budget the last Call used.
func (s *script) Instructions() int { return int(s.used) }

// run runs a hook within the budget that is set, with its object as the acting one.
func (s *script) run(w world.Actor, h world.Hook, slot int, a *world.Args) *world.ScriptError {
	self := acting{ID: w.State().Objects[slot].ID, Slot: slot, Hook: h}
	if h == world.ApplyInput || h == world.Simulate {
		self.Presses = &a.Presses
		self.Seen, self.Sight = &a.Input.ViewTime, a.Sight
	}
	outer := s.on.act(self)
	mark := w.Calls().Mark()
	before := w.Calls().Act(slot)
	p := s.protected(w, h, slot, a)
	var err *world.ScriptError
	if p.failed() {
		if err = p.scriptError(); err.Panic {
			w.Calls().Undo(mark)
		}
		err.Wrote = !err.Panic && w.Calls().Wrote(mark)
		err.Tick, err.Object, err.Hook = w.State().Tick, self.ID, h
		err.Class = s.schema.Classes[w.State().Objects[slot].Class].Name
	}
	w.Calls().Act(before)
	s.on.act(outer)
	return err
}

// protected calls a hook and returns its error.
func (s *script) protected(w world.Actor, h world.Hook, slot int, a *world.Args) (p problem) {
	defer s.on.catch(&p)
	s.invoke(w, h, slot, a)
	return p
}

// invoke calls a hook.
func (s *script) invoke(w world.Actor, h world.Hook, slot int, a *world.Args) {
	actor, self := Actor{s}, s.on.self()
	c := s.classes[w.State().Objects[slot].Class]
	if c == nil {
		s.game.invoke(actor, h, a)
		return
	}
	switch h {
	case world.OnTimer:
		c.declared().timer(a.Timer).call(actor, self)
	case world.OnSpawn:
		c.OnSpawn(actor, self)
	case world.ApplyInput:
		c.ApplyInput(actor, self, &a.Input)
	case world.Simulate:
		c.Simulate(actor, self, &a.Input, float64(a.DT)/world.FrameParts)
	case world.Verify:
		a.OK = false
		a.OK = c.Verify(actor, self, a.Claimed)
	case world.Think:
		a.Input = world.Input{}
		a.Input = world.Conform(c.declared().inputFields(), c.Think(actor, self))
	case world.OnTick:
		c.Tick(actor, self)
	case world.OnContact:
		c.OnContact(actor, self, self.object(a.Other), &a.Contact)
	case world.OnContactEnd:
		c.OnContactEnd(actor, self, self.object(a.Other))
	case world.OnTrigger:
		c.OnTrigger(actor, self, self.object(a.Other))
	case world.OnJointBreak:
		c.OnJointBreak(actor, self, self.object(a.Other), &a.JointBreak)
	case world.OnRemove:
		c.OnRemove(actor, self)
	case world.OnMigrate:
		c.Migrate(actor, self, Old{&s.on, a.From, a.Old})
	}
}

// spawn makes an object and runs its OnSpawn.
func (s *script) spawn(c *Class, with []Setting) Object {
	st := &s.on
	w := st.change(spawnCost)
	class := &s.schema.Classes[s.index(c)]
	born := class.Hooks.Has(world.OnSpawn)
	if born && s.depth >= maxSpawning {
		fail("Spawn: OnSpawn within OnSpawn, %d deep", maxSpawning)
	}
	var p world.Placement
	for i := range with {
		with[i].apply(&p)
	}
	slot, err := w.Spawn(class.Name, p)
	if err != nil {
		fail("%s", err)
	}
	made := st.object(w.State().Objects[slot].ID)
	st.traced(world.Op{Target: made.ID()}, class.Name)
	for i := range with {
		if l, ok := with[i].field(c.declared()); ok {
			st.do(with[i].op(made.ID(), l, l.plain()))
		}
	}
	if born {
		s.depth++
		err := s.run(w, world.OnSpawn, slot, nil)
		s.depth--
		if err != nil {
			w.Calls().Fault(slot, world.OnSpawn, err)
		}
	}
	return made
}

// HasRelevancy reports whether the game has a relevancy hook.
func (s *script) HasRelevancy() bool { return s.game.Relevant != nil }

// Relevant asks the game whether the owner of the object in slot viewer is sent the
// object in slot object.
func (s *script) Relevant(r world.Reader, viewer, object int) (bool, error) {
	return s.ask(s.game.Relevant, r, viewer, object)
}

// HasPrediction reports whether the game has a prediction hook.
func (s *script) HasPrediction() bool { return s.game.Predicted != nil }

// Predicted asks the game whether the client of the owner of the object in slot viewer predicts the object in
// slot object.
func (s *script) Predicted(r world.Reader, viewer, object int) (bool, error) {
	return s.ask(s.game.Predicted, r, viewer, object)
}

// ask asks a function about the objects in two slots; yes if there is no function.
func (s *script) ask(f func(a Actor, viewer, object Object) bool, r world.Reader, viewer, object int) (bool, error) {
	if f == nil {
		return true, nil
	}
	on := r.Actor()
	v, o := &on.State().Objects[viewer], &on.State().Objects[object]
	s.search.begin()
	s.on.enter(on, RelevantBudget, &question{about: o.ID})
	outer := s.on.act(acting{ID: v.ID, Slot: viewer})
	before := on.Calls().Act(viewer)
	yes, p := s.answer(f, v.ID, o.ID)
	on.Calls().Act(before)
	s.on.act(outer)
	s.on.leave(RelevantBudget)
	if p.failed() {
		err := p.scriptError()
		err.Tick, err.Object, err.Class = on.State().Tick, o.ID, world.GameClass
		return false, err
	}
	return yes, nil
}

func (s *script) answer(
	f func(a Actor, viewer, object Object) bool,
	viewer, object world.ObjectID,
) (yes bool, p problem) {
	defer s.on.catch(&p)
	return f(Actor{s}, s.on.object(viewer), s.on.object(object)), p
}
