package luabind

import (
	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
	lua "github.com/yuin/gopher-lua"
)

// ownerReader reads the settings of authority and ticking.
type ownerReader struct{ *reader }

// authority reads whether the host or the owner decides where objects of the class are.
func (d ownerReader) authority(key string, v lua.LValue) {
	if d.oneOf(key, v, "host", "owner") == "owner" {
		d.class().Moves = &world.MoveRules{}
	}
}

// ticking reads when objects of the class are simulated.
func (d ownerReader) ticking(key string, v lua.LValue) {
	d.class().Independent = d.oneOf(key, v, "fixed", "independent") == "independent"
}

// moves reads the limits of an owner who moves an object.
func (d ownerReader) moves(key string, v lua.LValue) {
	t, ok := d.isTable([]string{key}, v)
	if !ok {
		return
	}
	if d.class().Moves == nil {
		d.fail([]string{key}, "%s.moves is only for classes with authority = \"owner\"", d.class().Name)
		return
	}
	d.keys([]string{key}, t, []string{"ghost", "speed"})
	if v := t.RawGetString("speed"); v != lua.LNil {
		path := []string{key, "speed"}
		d.class().Moves.Speed = d.number(path, v)
		if !(d.class().Moves.Speed > 0 && d.class().Moves.Speed <= physics.MaxSpeed) {
			d.fail(path, "%s.moves.speed must be above 0 and at most %v m/s", d.class().Name, float64(physics.MaxSpeed))
		}
	}
	if v := t.RawGetString("ghost"); v != lua.LNil {
		d.class().Moves.Ghost = lua.LVAsBool(v)
	}
}

// oneOf returns one of a few words; the first word if the value is none of
// them.
func (d ownerReader) oneOf(key string, v lua.LValue, words ...string) string {
	s := d.text([]string{key}, v)
	for _, known := range words {
		if s == known {
			return s
		}
	}
	if s != "" {
		d.fail([]string{key}, "%s.%s = %q: must be %q or %q", d.class().Name, key, s, words[0], words[1])
	}
	return words[0]
}
