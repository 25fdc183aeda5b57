package luabind

import (
	"strings"

	"github.com/hindcast/hindcast/world"
	lua "github.com/yuin/gopher-lua"
)

// hostSpawn returns the argument of onSpawn of an object that the host program spawned: the
// table that a script would have passed to spawn.
func (ha *hookArgs) hostSpawn(L call, e *world.Event) *lua.LTable {
	state, slot := ha.scene.world().State(), ha.scene.acting().Slot
	c := ha.objects.class(state.Objects[slot].Class)
	t := ha.placeTable(L, &e.Place)
	if e.Place.Owner != 0 {
		t.RawSetString("owner", L.num(float64(e.Place.Owner)))
	}
	fields := &world.Args{From: c.def(), Old: state.Row(slot)}
	for i := range e.Values {
		name := fieldOfLeaf(e.Values[i].Name)
		if f, ok := c.field(name); ok && t.RawGetString(name) == lua.LNil {
			t.RawSetString(name, ha.old(L, fields, f, 0))
		}
	}
	ha.env.freeze(t)
	return t
}

// fieldOfLeaf returns the field that a leaf belongs to: slot of "slot.count", hits of "#hits".
func fieldOfLeaf(name string) string {
	name = strings.TrimPrefix(name, "#")
	if i := strings.IndexAny(name, ".["); i >= 0 {
		return name[:i]
	}
	return name
}
