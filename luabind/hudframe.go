package luabind

import (
	"errors"
	"slices"

	"github.com/hindcast/hindcast/world"
	lua "github.com/yuin/gopher-lua"
)

// HUDError is what went wrong in a frame: the errors of the function of hud and of that of camera, each a
// *world.ScriptError or nil. At least one is not nil.
type HUDError struct{ HUD, Camera error }

// Error returns the texts of the errors, a line each.
func (e *HUDError) Error() string { return errors.Join(e.HUD, e.Camera).Error() }

// Unwrap returns the errors that are not nil.
func (e *HUDError) Unwrap() (list []error) {
	for _, err := range []error{e.HUD, e.Camera} {
		if err != nil {
			list = append(list, err)
		}
	}
	return list
}

// HUD runs the functions hud and camera of view.lua on a frame. It returns nil if there is none of them. The error is
// a *HUDError. A function that fails does not stop the other one: the HUD has what that one says, and no widgets, or
// no camera, of the one that failed.
func (v *View) HUD(f *Frame) (*HUD, error) {
	h := &v.hud
	if h.draw == nil && h.look == nil && h.board == nil {
		return nil, nil
	}
	v.memory.look(f)
	v.know(f.Schema)
	h.begin(f)
	defer h.begin(nil)
	out := &HUD{Widgets: []*Widget{}, Font: string(h.font)}
	if h.board != nil {
		out.Scores = h.board.of(f.Players)
	}
	var failed HUDError
	if h.draw != nil {
		failed.HUD = v.draw(out)
	}
	if h.look != nil {
		failed.Camera = v.look(out)
	}
	if failed.HUD == nil && failed.Camera == nil {
		return out, nil
	}
	return out, &failed
}

// know makes the interpreter know the names of a schema.
func (v *View) know(schema *world.Schema) {
	v.hud.names.know(v.vm, schema)
	v.vm.knowTeams(teamsOf(schema))
}

// draw runs the function of hud.
func (v *View) draw(out *HUD) error {
	h, widgets := &v.hud, []*Widget{}
	h.open = []*[]*Widget{&widgets}
	_, err := v.describe(h.draw, hudAllowance)
	h.open = nil
	if err != nil {
		return err
	}
	out.Widgets, out.Cost.HUD = widgets, v.hudCost()
	return nil
}

// look runs the function of camera.
func (v *View) look(out *HUD) error {
	of := v.hud.look
	answer, err := v.describe(of, cameraAllowance)
	if err != nil {
		return err
	}
	out.Cost.Camera = v.hudCost()
	out.Camera, err = v.hud.camera(answer, of.Proto)
	return err
}

// hudCost returns how many instructions the last function of hud or camera took.
func (v *View) hudCost() int { return int(v.vm.lang.limits().used(HUDInstructions)) }

// describe runs a function on the present frame. After a failure of the interpreter, there is a new one, in which the
// next function of the frame runs.
func (v *View) describe(fn *lua.LFunction, of *allowance) (answer lua.LValue, err error) {
	h := &v.hud
	if h.table == nil {
		h.table = h.frameTable(v.vm, h.frame)
	}
	answer, problem, lost := v.vm.runAlone(fn, of, h.table)
	if lost {
		v.renew()
		v.know(h.frame.Schema)
		h.begin(h.frame) // what was made of it belongs to the interpreter before
	}
	kept := v.memory.check()
	switch {
	case problem == nil:
		return answer, kept
	case kept != nil:
		problem.Message += "; " + kept.Error()
	}
	return nil, problem
}

// frameMembers are the members of v.
var frameMembers = []string{"all", "committed", "first", "game", "level", "me", "now", "object", "player", "players"}

// frameTable makes the argument of hud and camera.
func (h *hud) frameTable(vm *VM, f *Frame) *lua.LTable {
	game, sure, committed := vm.newTable(8), vm.newTable(8), vm.newTable(1)
	addFields(game, f.Match)
	addFields(sure, f.Committed)
	h.names.fields(game, "v.game", f.Match, false)
	h.names.fields(sure, "v.committed.game", f.Committed, false)
	committed.RawSetString("game", sure)
	h.names.freeze(committed, "v.committed", nil, false, []string{"game"})
	t := vm.newTable(10)
	t.RawSetString("level", lua.LString(f.Level))
	t.RawSetString("now", lua.LNumber(f.Now))
	t.RawSetString("player", lua.LNumber(f.Player))
	t.RawSetString("game", game)
	t.RawSetString("committed", committed)
	if i := f.ship(f.Player); i >= 0 {
		t.RawSetString("me", h.objectTable(vm, i))
	}
	t.RawSetString("first", vm.function(func(L call) int { return h.first(vm, L) }))
	t.RawSetString("object", vm.function(func(L call) int { return h.object(vm, L) }))
	t.RawSetString("all", vm.function(func(L call) int { return h.all(vm, L) }))
	t.RawSetString("players", vm.function(func(L call) int { return h.players(vm, L) }))
	h.names.freeze(t, "v", nil, false, frameMembers)
	return t
}

// ship returns the first object of a player, -1 if there is none.
func (f *Frame) ship(of world.PlayerID) int {
	if of == 0 {
		return -1
	}
	return slices.IndexFunc(f.Objects, func(o FrameObject) bool { return o.Owner == of })
}

// objectTable makes the table of an object of the frame.
func (h *hud) objectTable(vm *VM, i int) *lua.LTable {
	if t := h.objects[i]; t != nil {
		return t
	}
	o := &h.frame.Objects[i]
	t := vm.newTable(12)
	addFields(t, o.Fields)
	t.RawSetString("x", lua.LNumber(o.X))
	t.RawSetString("y", lua.LNumber(o.Y))
	t.RawSetString("angle", lua.LNumber(o.Angle))
	t.RawSetString("owner", lua.LNumber(o.Owner))
	t.RawSetString("id", lua.LString(o.ID.String()))
	t.RawSetString("class", lua.LString(o.Class.Name))
	h.names.fields(t, o.Class.Name, o.Fields, true, "angle", "class", "id", "owner", "x", "y")
	h.objects[i] = t
	return t
}

// first implements v.first(class).
func (h *hud) first(vm *VM, L call) int {
	name := L.text(1, "first: the name of a class")
	L.charge(len(h.frame.Objects))
	for i := range h.frame.Objects {
		if h.frame.Objects[i].Class.Is(name) {
			L.charge(cueCost)
			L.Push(h.objectTable(vm, i))
			return 1
		}
	}
	L.Push(lua.LNil)
	return 1
}

// object implements v.object(id).
func (h *hud) object(vm *VM, L call) int {
	if L.Get(1) == lua.LNil { // as in v.object(me.target)
		L.Push(lua.LNil)
		return 1
	}
	text := L.text(1, "object: the id")
	id, ok := world.ParseObjectID(text)
	if !ok {
		L.RaiseError("object: %q is no id of an object: me.target is one, if the class declares target = ref(); v.first(%q) "+
			"gives an object of a class", text, text)
	}
	L.charge(len(h.frame.Objects))
	for i := range h.frame.Objects {
		if h.frame.Objects[i].ID == id {
			L.charge(cueCost)
			L.Push(h.objectTable(vm, i))
			return 1
		}
	}
	L.Push(lua.LNil)
	return 1
}

// all implements v.all(class).
func (h *hud) all(vm *VM, L call) int {
	name := L.text(1, "all: the name of a class")
	L.charge(len(h.frame.Objects))
	list := vm.newTable(0)
	for i := range h.frame.Objects {
		if h.frame.Objects[i].Class.Is(name) {
			L.charge(cueCost)
			list.Append(h.objectTable(vm, i))
		}
	}
	vm.freeze(list)
	L.Push(list)
	return 1
}

// players implements v.players().
func (h *hud) players(vm *VM, L call) int {
	p := h.frame
	list := vm.newTable(0)
	for _, player := range p.Players {
		L.charge(cueCost + len(p.Objects))
		t := vm.newTable(8)
		addFields(t, player.Stats)
		t.RawSetString("id", lua.LNumber(player.ID))
		t.RawSetString("name", lua.LString(player.Name))
		t.RawSetString("ping", lua.LNumber(player.Ping))
		t.RawSetString("mine", lua.LBool(player.ID == p.Player))
		if i := p.ship(player.ID); i >= 0 {
			t.RawSetString("object", h.objectTable(vm, i))
		}
		h.names.fields(t, "a player of v.players()", player.Stats, false, "id", "mine", "name", "object", "ping")
		list.Append(t)
	}
	vm.freeze(list)
	L.Push(list)
	return 1
}
