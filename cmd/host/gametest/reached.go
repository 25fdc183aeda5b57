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
	only   []string // the classes whose hooks matter; nil: all
	// inherits reports whether a class has its function of a hook from another, which it extends.
	inherits func(class, from string, h world.Hook) bool
	abstract []string // classes that are there to be extended
}

// call is a hook of a class.
type call struct {
	class string
	hook  world.Hook
}

func newReached(script world.Script, p *luabind.Program) *reached {
	schema := *script.Schema()
	two := world.Function{Name: bring, Params: []world.FieldKind{world.Ref, world.Ref}}
	schema.Functions = append(slices.Clone(schema.Functions), two)
	members := p.Members()
	return &reached{Script: script, schema: &schema, seen: map[call]bool{}, abstract: p.Abstract(),
		inherits: func(class, from string, h world.Hook) bool {
			return members[class][h.String()] == members[from][h.String()]
		}}
}

// Schema returns the schema.
func (r *reached) Schema() *world.Schema { return r.schema }

// bring is the name of a function that no game can declare. It puts an object where another one is.
const bring = "\x00bring"

// Call runs a hook.
func (r *reached) Call(w world.Actor, h world.Hook, slot int, a *world.Args) error {
	if h == world.HostEvent && a.Event.Name == bring {
		return r.bring(w, world.ObjectID(a.Event.Values[0].Word), world.ObjectID(a.Event.Values[1].Word))
	}
	r.seen[call{w.Class(slot).Name, h}] = true
	return r.Script.Call(w, h, slot, a)
}

// note notes which classes have objects. onSpawn runs within the hook that spawns.
func (r *reached) note(s *world.State) {
	for _, slot := range s.Run {
		r.seen[call{r.Schema().Classes[s.Objects[slot].Class].Name, world.OnSpawn}] = true
	}
}

func (r *reached) bring(w world.Actor, what, to world.ObjectID) error {
	slot, ok := w.Find(to)
	if !ok {
		return nil
	}
	at := w.State().Body(slot)
	_ = w.Do(world.Op{Target: what, Kind: world.SetPosition, A: at.X, B: at.Y}) // it may be gone, or attached
	return nil
}

// spawned reports whether there has been an object of a class.
func (r *reached) spawned(class string) bool { return r.seen[call{class, world.OnSpawn}] }

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

// missed returns the hooks that were not called, sorted. New scripts and owners of objects are not part of a trial. A hook
// that a class inherits is called when its function is, for whatever class.
func (r *reached) missed() (names []string) {
	r.eachLacking(func(c *world.Class, h world.Hook) {
		for _, other := range r.Schema().Classes {
			if (other.Is(c.Name) || c.Is(other.Name)) && r.inherits(other.Name, c.Name, h) && r.seen[call{other.Name, h}] {
				return
			}
		}
		names = append(names, h.Of(c.Name))
	})
	slices.Sort(names)
	return names
}

// isDone reports whether every hook has been called, of each class that has objects or may have some.
func (r *reached) isDone() bool {
	done := true
	r.eachLacking(func(*world.Class, world.Hook) { done = false })
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
			return other.Name != c.Name && other.Is(c.Name) && r.inherits(other.Name, c.Name, h)
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
	return r.matters(class) && !r.seen[call{class, h}]
}

// lacks reports whether the class of an object has one of the hooks, and it has not been called.
func (r *reached) lacks(s *world.State, slot int32, hooks ...world.Hook) bool {
	c := &r.Schema().Classes[s.Objects[slot].Class]
	return slices.ContainsFunc(hooks, func(h world.Hook) bool { return c.Hooks.Has(h) && r.lacksCall(c.Name, h) })
}

// pair returns the n-th of the pairs of an object whose hook for contacts has not been called, and another one with a
// body. what is the one of them that moves.
func (r *reached) pair(s *world.State, n int) (what, to world.ObjectID, ok bool) {
	var pairs [][2]int32
	met := map[[2]uint16]bool{} // classes: one pair of each two
	for _, a := range s.Run {
		if !r.lacks(s, a, world.OnContact, world.OnContactEnd, world.OnTrigger) {
			continue
		}
		for _, b := range s.Run {
			classes := [2]uint16{s.Objects[a].Class, s.Objects[b].Class}
			if a == b || met[classes] || r.body(s, a) == physics.None || r.body(s, b) == physics.None {
				continue
			}
			met[classes] = true
			pairs = append(pairs, [2]int32{a, b})
		}
	}
	if len(pairs) == 0 {
		return 0, 0, false
	}
	p := pairs[n%len(pairs)]
	if r.body(s, p[0]) < r.body(s, p[1]) { // static, kinematic, dynamic
		p[0], p[1] = p[1], p[0]
	}
	return s.Objects[p[0]].ID, s.Objects[p[1]].ID, r.body(s, p[0]) != physics.Static
}

// body returns how the body of an object moves.
func (r *reached) body(s *world.State, slot int32) physics.BodyType {
	schema := r.Schema()
	return schema.Defs[schema.Classes[s.Objects[slot].Class].DefIndex()].Type
}

// Instructions returns the number of instructions that the last Call took; 0 if the script does not count them.
func (r *reached) Instructions() int {
	if c, ok := r.Script.(world.InstructionCounter); ok {
		return c.Instructions()
	}
	return 0
}
