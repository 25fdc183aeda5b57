package gametest

import (
	"slices"

	"github.com/hindcast/hindcast/luabind"
	"github.com/hindcast/hindcast/runtime/host"
	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
)

// reached is a game's script that notes which hooks are called, and knows how to have others called.
type reached struct {
	world.Script
	schema *world.Schema // of the game, with bring
	seen   map[call]bool
	begun  map[call]bool // the timers that ran at the end of a tick
	only   []string      // the classes whose hooks matter; nil: all
	// had are the classes whose hooks nobody waits for, as an earlier trial had objects of them; nil: there was none.
	had   []string
	calls *calling // nil: no functions are called
	// inherits reports whether a class has a function from another, which it extends.
	inherits func(class, from, function string) bool
	abstract []string // classes that are there to be extended
}

// call is a hook of a class, the function of a timer, or one that the game declares in calls.
type call struct {
	class string
	hook  world.Hook
	name  string // of the function of OnTimer and HostEvent; "" for a hook
}

// function returns the name of the function.
func (c call) function() string {
	if c.name != "" {
		return c.name
	}
	return c.hook.String()
}

// String returns the name as it is said to users: Class:function, or function for game.lua. The function of a timer may
// have been called by others.
func (c call) String() string {
	switch {
	case c.hook == world.HostEvent:
		return c.name
	case c.name == "":
		return c.hook.Of(c.class)
	case world.HoldsState(c.class):
		return "the timer " + c.name
	}
	return "the timer " + c.class + ":" + c.name
}

func newReached(script world.Script, p *luabind.Program) *reached {
	schema := *script.Schema()
	meeting := world.Function{Name: bring, Params: []world.FieldKind{world.Ref, world.Ref, world.Number}}
	schema.Functions = append(slices.Clone(schema.Functions), meeting)
	members := p.Members()
	return &reached{Script: script, schema: &schema, seen: map[call]bool{}, begun: map[call]bool{},
		abstract: p.Abstract(), inherits: func(class, from, function string) bool {
			return members[class][function] == members[from][function]
		}}
}

// inherit adds what another trial of the same game has reached.
func (r *reached) inherit(from *reached) {
	// order: sets are joined
	for c := range from.seen {
		r.seen[c] = true
	}
	// order: sets are joined
	for c := range from.begun {
		r.begun[c] = true
	}
}

// hadBy notes the classes of which another trial had objects.
func (r *reached) hadBy(from *reached) {
	r.had = []string{}
	for _, c := range from.schema.Classes {
		if from.spawned(c.Name) {
			r.had = append(r.had, c.Name)
		}
	}
}

// Schema returns the schema.
func (r *reached) Schema() *world.Schema { return r.schema }

// bring is the name of a function that no game can declare. It puts an object where another one is, or beside it.
const bring = "\x00bring"

// Call runs a hook.
func (r *reached) Call(w world.Actor, h world.Hook, slot int, a *world.Args) error {
	if h == world.HostEvent && a.Event.Name == bring {
		v := a.Event.Values
		return r.bring(w, world.ObjectID(v[0].Word), world.ObjectID(v[1].Word), v[2].Value.Number())
	}
	c := call{class: w.Class(slot).Name, hook: h}
	switch h {
	case world.OnTimer:
		c.name = w.Class(slot).Timers[a.Timer]
	case world.HostEvent:
		c.name = a.Event.Name
	}
	r.seen[c] = true
	err := r.Script.Call(w, h, slot, a)
	if h == world.HostEvent && r.calls != nil {
		r.calls.note(c.name, err)
	}
	return err
}

// note notes which classes have objects, and which timers run. onSpawn runs within the hook that spawns.
func (r *reached) note(s *world.State) {
	for _, slot := range s.Run {
		c := &r.Schema().Classes[s.Objects[slot].Class]
		r.seen[call{class: c.Name, hook: world.OnSpawn}] = true
		for i, name := range c.Timers {
			if c.TimerDue(s.Row(int(slot)), i) != 0 {
				r.begun[call{c.Name, world.OnTimer, name}] = true
			}
		}
	}
}

func (r *reached) bring(w world.Actor, what, to world.ObjectID, apart float64) error {
	slot, ok := w.Find(to)
	if !ok {
		return nil
	}
	at := w.State().Body(slot)
	_ = w.Do(world.Op{Target: what, Kind: world.SetPosition, A: at.X + apart, B: at.Y}) // it may be gone, or attached
	return nil
}

// spawned reports whether there has been an object of a class.
func (r *reached) spawned(class string) bool { return r.seen[call{class: class, hook: world.OnSpawn}] }

// matters reports whether the hooks of a class are to be called.
func (r *reached) matters(class string) bool { return r.only == nil || slices.Contains(r.only, class) }

// hasHooks reports whether a class has hooks.
func (r *reached) hasHooks(class string) bool {
	i, ok := r.schema.ClassByName(class)
	return ok && r.schema.Classes[i].Hooks != 0
}

// hasBody reports whether a class has a body.
func (r *reached) hasBody(class string) bool {
	i, ok := r.schema.ClassByName(class)
	return ok && r.schema.Classes[i].Body != nil
}

// isGiven reports whether what spawns an object of a class may give it something that is nil without it: an object in a
// field, arguments of onSpawn, or a holder.
func (r *reached) isGiven(class string) bool {
	i, ok := r.schema.ClassByName(class)
	if !ok {
		return false
	}
	c := &r.schema.Classes[i]
	return c.Hooks.Has(world.OnSpawn) || c.Body != nil && c.Body.Carried ||
		slices.ContainsFunc(c.Declared(), func(f world.Field) bool { return f.Kind == world.Ref })
}

// fill returns values for the fields of a class whose default is zero, empty or nil.
func (r *reached) fill(class string, s *world.State) host.Fields {
	i, _ := r.schema.ClassByName(class)
	fields := host.Fields{}
	for _, f := range r.schema.Classes[i].Declared() {
		if f.List != 0 || slices.ContainsFunc(f.Default, func(word uint64) bool { return word != 0 }) {
			continue
		}
		switch f.Kind {
		case world.Number:
			fields[f.Name] = 1
		case world.Bool:
			fields[f.Name] = true
		case world.String:
			fields[f.Name] = "x"
		case world.Ref:
			if len(s.Run) > 0 {
				fields[f.Name] = s.Objects[s.Run[0]].ID
			}
		}
	}
	return fields
}

// missed returns the hooks that were not called, sorted, the functions of timers that ran and were not due in time, and
// the functions that the game declares in calls. New scripts and owners of objects are not part of a trial. A function
// that a class inherits is called when its own is, for whatever class.
func (r *reached) missed() (names []string) {
	note := func(c call) {
		of, _ := r.schema.ClassByName(c.class)
		for _, other := range r.schema.Classes {
			if (other.Is(c.class) || r.schema.Classes[of].Is(other.Name)) &&
				r.inherits(other.Name, c.class, c.function()) && r.seen[call{other.Name, c.hook, c.name}] {
				return
			}
		}
		if name := c.String(); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	r.eachLacking(func(c *world.Class, h world.Hook) { note(call{class: c.Name, hook: h}) })
	// order: the names are sorted
	for c := range r.begun {
		if r.matters(c.class) && !r.seen[c] {
			note(c)
		}
	}
	for _, f := range r.schema.Functions {
		if c := (call{world.GameClass, world.HostEvent, f.Name}); f.Name != bring && f.Entry == nil && !r.seen[c] {
			note(c)
		}
	}
	slices.Sort(names)
	return names
}

// isDone reports whether every hook has been called, of each class that has objects or may have some, and the function
// of every timer that is due within some ticks.
func (r *reached) isDone(s *world.State, within int) bool {
	done := true
	r.eachLacking(func(c *world.Class, _ world.Hook) {
		done = done && r.had != nil && (slices.Contains(r.had, c.Name) || !r.spawned(c.Name))
	})
	for _, slot := range s.Run {
		c := &r.Schema().Classes[s.Objects[slot].Class]
		for i, name := range c.Timers {
			due := c.TimerDue(s.Row(int(slot)), i)
			done = done && (due == 0 || int(due-s.Tick) > within || !r.matters(c.Name) ||
				r.seen[call{c.Name, world.OnTimer, name}])
		}
	}
	return done
}

// eachLacking calls f for each hook of a class that has not been called, and can be.
func (r *reached) eachLacking(f func(c *world.Class, h world.Hook)) {
	for i := range r.Schema().Classes {
		c := &r.Schema().Classes[i]
		for h := range world.HookCount {
			if c.Hooks.Has(h) && h != world.OnMigrate && h != world.Verify && r.lacksCall(c.Name, h) && !r.isOverridden(c, h) {
				f(c, h)
			}
		}
	}
}

// isOverridden reports whether a hook is never called because its class is there to be extended, and all that extend it
// have their own.
func (r *reached) isOverridden(c *world.Class, h world.Hook) bool {
	return slices.Contains(r.abstract, c.Name) && !r.spawned(c.Name) &&
		!slices.ContainsFunc(r.Schema().Classes, func(other world.Class) bool {
			return other.Name != c.Name && other.Is(c.Name) && r.inherits(other.Name, c.Name, h.String())
		})
}

// doomed returns an object of a class whose onRemove has not been called; 0: there is none.
func (r *reached) doomed(s *world.State) world.ObjectID {
	for _, slot := range s.Run {
		if r.lacks(s, slot, world.OnRemove) {
			return s.Objects[slot].ID
		}
	}
	return 0
}

// lacksCall reports whether a hook matters and has not been called.
func (r *reached) lacksCall(class string, h world.Hook) bool {
	return r.matters(class) && !r.seen[call{class: class, hook: h}]
}

// lacks reports whether the class of an object has one of the hooks, and it has not been called.
func (r *reached) lacks(s *world.State, slot int32, hooks ...world.Hook) bool {
	c := &r.Schema().Classes[s.Objects[slot].Class]
	return slices.ContainsFunc(hooks, func(h world.Hook) bool { return c.Hooks.Has(h) && r.lacksCall(c.Name, h) })
}

// meeting is a pair of objects that can touch each other.
type meeting struct {
	what, to int32   // slots; what is one that moves
	apart    float64 // how far from the other one it comes, in metres; 0: they touch
}

// meet returns the arguments of bring for the n-th of the meetings that call a hook for contacts that has not been
// called; nil: there is none.
func (r *reached) meet(s *world.State, n int) []world.NamedValue {
	list := r.meetings(s)
	if len(list) == 0 {
		return nil
	}
	m := list[n%len(list)]
	return []world.NamedValue{{Value: world.RefValue(s.Objects[m.what].ID)}, {Value: world.RefValue(s.Objects[m.to].ID)},
		{Value: world.NumberValue(m.apart)}}
}

func (r *reached) meetings(s *world.State) (list []meeting) {
	met := map[[2]uint16]bool{} // classes: one pair of each two
	for _, a := range s.Run {
		ends, sensed := r.lacks(s, a, world.OnContactEnd), r.lacks(s, a, world.OnTrigger)
		solid := ends || r.lacks(s, a, world.OnContact)
		if !solid && !sensed {
			continue
		}
		d := r.body(s, a)
		for _, b := range s.Run {
			classes := [2]uint16{s.Objects[a].Class, s.Objects[b].Class}
			if a == b || met[classes] {
				continue
			}
			e := r.body(s, b)
			if senses := d.Sensor || e.Sensor; !d.CanTouch(e) || senses && !sensed || !senses && !solid {
				continue
			}
			met[classes] = true
			m := meeting{what: a, to: b}
			if d.Type < e.Type { // static, kinematic, dynamic
				m.what, m.to = b, a
			}
			list = append(list, m)
			if !d.Sensor && !e.Sensor && ends {
				m.apart = 1 + d.Reach() + e.Reach()
				list = append(list, m)
			}
		}
	}
	return list
}

// body returns the Def of the body of an object; its Type is physics.None if it has none.
func (r *reached) body(s *world.State, slot int32) *physics.Def {
	schema := r.Schema()
	return &schema.Defs[world.BodyDef(schema, &schema.Classes[s.Objects[slot].Class], s.Row(int(slot)))]
}

// Instructions returns the number of instructions that the last Call took; 0 if the script does not count them.
func (r *reached) Instructions() int {
	if c, ok := r.Script.(world.InstructionCounter); ok {
		return c.Instructions()
	}
	return 0
}
