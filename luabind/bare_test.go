package luabind

import (
	"strings"
	"testing"

	"github.com/hindcast/hindcast/world"
	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/parse"
)

// BenchmarkBareApplyInput calls the same method in plain gopher-lua, on a userdata whose
// methods are Go functions that do the same to a world. BenchmarkApplyInput is compared
// with it. It runs with a budget and without.
func BenchmarkBareApplyInput(b *testing.B) {
	for _, budgeted := range []bool{false, true} {
		name := "plain"
		if budgeted {
			name = "budget"
		}
		b.Run(name, func(b *testing.B) { benchBare(b, budgeted) })
	}
}

func benchBare(b *testing.B, budgeted bool) {
	s := start(b, "ship.lua", shipLua)
	slot := s.spawn("Ship")
	w := s.w
	w.Act(slot)
	id := w.Now.Objects[slot].ID

	L := lua.NewState(lua.Options{CallStackSize: callDepth, RegistrySize: registryInner, SkipOpenLibs: true})
	from := strings.Index(shipLua, "function Ship:applyInput")
	chunk, err := parse.Parse(strings.NewReader("Ship = {}\n"+shipLua[from:]), "ship.lua")
	if err != nil {
		b.Fatal(err)
	}
	proto, err := lua.Compile(chunk, "ship.lua")
	if err != nil {
		b.Fatal(err)
	}
	L.Push(L.NewFunctionFromProto(proto))
	L.Call(0, 0)
	fn := L.GetField(L.GetGlobal("Ship"), "applyInput")
	index := L.NewTable()
	props := L.NewTable()
	for k, v := range map[string]float64{"torque_power": 6, "thrust_power": 40, "backthrust_power": 20} {
		props.RawSetString(k, lua.LNumber(v))
	}
	index.RawSetString("objProps", props)
	index.RawSetString("setTorque", L.NewFunction(func(L *lua.LState) int {
		_ = w.Actor().Do(world.Op{Target: id, Kind: world.SetTorque, A: float64(L.CheckNumber(2))})
		return 0
	}))
	index.RawSetString("getDirection", L.NewFunction(func(L *lua.LState) int {
		L.Push(lua.LNumber(w.Now.Body(slot).Angle))
		return 1
	}))
	index.RawSetString("setDirectionalForce", L.NewFunction(func(L *lua.LState) int {
		_ = w.Actor().Do(world.Op{Target: id, Kind: world.SetDirectionalForce, A: float64(L.CheckNumber(2)), B: float64(L.CheckNumber(3))})
		return 0
	}))
	meta := L.NewTable()
	meta.RawSetString("__index", index)
	self := &lua.LUserData{Metatable: meta}
	input := L.NewTable()
	input.RawSetString("Accel", lua.LTrue)
	input.RawSetString("Turnleft", lua.LTrue)
	budget := newBudget()
	if budgeted {
		L.SetContext(budget)
	}
	b.ReportAllocs()
	for b.Loop() {
		budget.reset(HookInstructions, hookAllowance)
		L.Push(fn)
		L.Push(self)
		L.Push(input)
		if err := L.PCall(2, 0, nil); err != nil {
			b.Fatal(err)
		}
	}
}
