package luabind

import (
	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
	lua "github.com/yuin/gopher-lua"
)

// authority says who decides where objects of the class are.
func (d *declaration) authority(key string, v lua.LValue) {
	if d.oneOf(key, v, "host", "owner") == "owner" {
		d.class.Moves = &world.MoveRules{}
	}
}

// ticking says when objects of the class are simulated.
func (d *declaration) ticking(key string, v lua.LValue) {
	d.class.Independent = d.oneOf(key, v, "fixed", "independent") == "independent"
}

// oneOf is a setting that has one of a few values; "" is the first.
func (d *declaration) oneOf(key string, v lua.LValue, values ...string) string {
	s := d.text([]string{key}, v)
	for _, known := range values {
		if s == known {
			return s
		}
	}
	if s != "" {
		d.fail([]string{key}, "%s.%s = %q: there are %q and %q", d.class.Name, key, s, values[0], values[1])
	}
	return values[0]
}

// moves reads what an owner may do who moves his object.
func (d *declaration) moves(key string, v lua.LValue) {
	t, ok := d.isTable([]string{key}, v)
	if !ok {
		return
	}
	if d.class.Moves == nil {
		d.fail([]string{key}, "%s.moves is for classes with authority = \"owner\"", d.class.Name)
		return
	}
	d.keys([]string{key}, t, []string{"ghost", "speed"})
	if v := t.RawGetString("speed"); v != lua.LNil {
		path := []string{key, "speed"}
		d.class.Moves.Speed = d.number(path, v)
		if !(d.class.Moves.Speed > 0 && d.class.Moves.Speed <= physics.MaxSpeed) {
			d.fail(path, "%s.moves.speed is more than 0 and at most %v m/s", d.class.Name, float64(physics.MaxSpeed))
		}
	}
	if v := t.RawGetString("ghost"); v != lua.LNil {
		d.class.Moves.Ghost = lua.LVAsBool(v)
	}
}

// checkOwnership finds what does not go together in who moves an object, and when.
func (d *declaration) checkOwnership() (errs []error) {
	c := &d.class
	hooked := func(h world.Hook) bool { return c.Hooks.Has(h) }
	say := func(path []string, format string, args ...any) { errs = append(errs, d.problem(path, format, args...)) }
	if c.Moves != nil && c.Body == nil {
		say([]string{"authority"}, "%s.authority = \"owner\" needs a body: without one it is nowhere", c.Name)
	}
	if c.Moves != nil && c.Independent {
		say([]string{"ticking"}, "%s has authority = \"owner\" and ticking = \"independent\": a class has one of them", c.Name)
	}
	if (c.Moves != nil || c.Independent) && c.LOD != world.Predict {
		say([]string{"lod"}, "%s.lod = %q: what an owner moves, or runs in his frames, comes with the log of inputs, in which objects that clients are told of are not; leave out lod, or authority and ticking", c.Name, c.LOD)
	}
	if c.Moves == nil && hooked(world.Verify) {
		errs = append(errs, d.atHook(world.Verify, "%s:verify is for classes with authority = \"owner\"", c.Name))
	}
	switch {
	case c.Independent && !hooked(world.Simulate):
		say([]string{"ticking"}, "%s.ticking = \"independent\" needs a function %s:simulate(input, dt)", c.Name, c.Name)
	case !c.Independent && hooked(world.Simulate):
		errs = append(errs, d.atHook(world.Simulate, "%s:simulate is for classes with ticking = \"independent\"", c.Name))
	}
	for _, h := range []world.Hook{world.ApplyInput, world.Think} {
		if c.Independent && hooked(h) {
			errs = append(errs, d.atHook(h, "%s ticks independently: %s:simulate takes the place of %s", c.Name, c.Name, h))
		}
	}
	return errs
}

// atHook is a problem at the line of a hook.
func (d *declaration) atHook(h world.Hook, format string, args ...any) error {
	p := d.hooks[h].Proto
	return syntax.Problem(p.SourceName, p.LineDefined, format, args...)
}

// claimedTable is the second argument of verify.
func (vm *VM) claimedTable(L *lua.LState, p *world.Placement) *lua.LTable {
	t := L.CreateTable(0, 6)
	t.RawSetString("x", vm.num(p.X))
	t.RawSetString("y", vm.num(p.Y))
	t.RawSetString("angle", vm.num(p.Angle))
	t.RawSetString("vx", vm.num(p.VX))
	t.RawSetString("vy", vm.num(p.VY))
	t.RawSetString("w", vm.num(p.W))
	t.Metatable = vm.frozen
	return t
}
