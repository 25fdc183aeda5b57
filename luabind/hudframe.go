package luabind

import (
	"slices"

	"github.com/hindcast/hindcast/world"
	lua "github.com/yuin/gopher-lua"
)

// HUD runs the functions hud and camera of view.lua on a frame. It returns nil if there is none of them.
// The error is a *world.ScriptError; the HUD before should be kept then.
func (v *View) HUD(f *Frame) (*HUD, error) {
	v.memory.look(f)
	v.vm.knowTeams(f.Teams)
	out, err, lost := v.hud.describe(v.vm, f)
	if lost {
		v.renew()
	}
	if err == nil {
		err = v.memory.check()
	}
	return out, err
}

// describe makes the HUD of a frame. lost reports that the interpreter failed and is of no use any more.
func (h *hud) describe(vm *VM, f *Frame) (out *HUD, err error, lost bool) {
	if h.draw == nil && h.look == nil && h.board == nil {
		return nil, nil, false
	}
	h.begin(f)
	defer h.begin(nil)
	out = &HUD{Widgets: []*Widget{}, Font: string(h.font)}
	if h.board != nil {
		out.Scores = h.board.of(f.Players)
	}
	if h.draw == nil && h.look == nil {
		return out, nil, false
	}
	t := h.frameTable(vm, f)
	if h.draw != nil {
		h.open = []*[]*Widget{&out.Widgets}
		if _, err, lost := vm.runAlone(h.draw, hudAllowance, t); err != nil {
			return nil, err, lost
		}
		h.open = nil
		out.Cost.HUD = int(vm.lang.limits().used(HUDInstructions))
	}
	if h.look == nil {
		return out, nil, false
	}
	answer, problem, lost := vm.runAlone(h.look, hudAllowance, t)
	if problem != nil {
		return nil, problem, lost
	}
	out.Cost.Camera = int(vm.lang.limits().used(HUDInstructions))
	if out.Camera, err = h.camera(answer, h.look.Proto); err != nil {
		return nil, err, false
	}
	return out, nil, false
}

// frameTable makes the argument of hud and camera.
func (h *hud) frameTable(vm *VM, f *Frame) *lua.LTable {
	fields := func(r world.FieldReader) *lua.LTable {
		t := vm.newTable(8)
		addFields(t, r)
		vm.freeze(t)
		return t
	}
	committed := vm.newTable(1)
	committed.RawSetString("game", fields(f.Committed))
	vm.freeze(committed)
	t := vm.newTable(10)
	t.RawSetString("level", lua.LString(f.Level))
	t.RawSetString("now", lua.LNumber(f.Now))
	t.RawSetString("player", lua.LNumber(f.Player))
	t.RawSetString("game", fields(f.Match))
	t.RawSetString("committed", committed)
	if i := f.ship(f.Player); i >= 0 {
		t.RawSetString("me", h.objectTable(vm, i))
	}
	t.RawSetString("first", vm.function(func(L call) int { return h.first(vm, L) }))
	t.RawSetString("all", vm.function(func(L call) int { return h.all(vm, L) }))
	t.RawSetString("players", vm.function(func(L call) int { return h.players(vm, L) }))
	vm.freeze(t)
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
	t.RawSetString("class", lua.LString(o.Class))
	vm.freeze(t)
	h.objects[i] = t
	return t
}

// first implements v.first(class).
func (h *hud) first(vm *VM, L call) int {
	name := L.text(1, "first: the name of a class")
	L.charge(len(h.frame.Objects))
	for i := range h.frame.Objects {
		if h.frame.Objects[i].Class == name {
			L.charge(cueCost)
			L.Push(h.objectTable(vm, i))
			return 1
		}
	}
	return 0
}

// all implements v.all(class).
func (h *hud) all(vm *VM, L call) int {
	name := L.text(1, "all: the name of a class")
	L.charge(len(h.frame.Objects))
	list := vm.newTable(0)
	for i := range h.frame.Objects {
		if h.frame.Objects[i].Class == name {
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
		vm.freeze(t)
		list.Append(t)
	}
	vm.freeze(list)
	L.Push(list)
	return 1
}
