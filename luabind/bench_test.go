package luabind

import (
	"fmt"
	"testing"

	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
	lua "github.com/yuin/gopher-lua"
)

// BenchmarkHooks runs small hooks that each do one thing.
func BenchmarkHooks(b *testing.B) {
	for _, c := range []struct{ name, body string }{
		{"empty", ``},
		{"field read", `local x = self.hp`},
		{"field write", `self.hp = 5`},
		{"field increment", `self.hp = self.hp + 1`},
		{"list item increment", `self.list[3] = self.list[3] + 1`},
		{"part of a record", `self.rec.n = self.rec.n * 1`},
		{"position", `local x, y = self:getPosition()`},
		{"math", `local x = math.sin(1) + math.floor(2.5)`},
		{"vec", `local x, y = vec.rotate(1, 2, 0.5)`},
		{"table", `local t = { x = 1, y = 2 }`},
		{"loop of 100", `local s = 0 for i = 1, 100 do s = s + i end`},
		{"list of 100", `local t = {} for i = 1, 100 do t[i] = i end`},
		{"ipairs of 100", `local s = 0 for i, v in ipairs(hundred) do s = s + v end`},
		{"pairs of 100", `local s = 0 for i, v in pairs(hundred) do s = s + v end`},
		{"objects", `for _, o in ipairs(objects("Ball")) do local x = o.hp end`},
		{"concat", `local s = "a" .. self.hp .. "b"`},
		{"other's field", `local x = game.score`},
	} {
		b.Run(c.name, func(b *testing.B) {
			s := start(b, "a.lua", actors+"hundred = {} for i = 1, 100 do hundred[i] = i end\nfunction Ball:tick()\n"+c.body+"\nend",
				"game.lua", "game { state = { score = 0 } }")
			slot := s.spawn("Ball")
			list, _ := s.w.Class(slot).Field("#list")
			s.w.Now.Row(slot).SetWord(list, 4)
			a := &world.Args{}
			b.ReportAllocs()
			for b.Loop() {
				s.w.Actor().Calls().Spend(slot, -s.w.Actor().Calls().Spent(slot)) // as in a tick of its own
				if err := s.vm.Call(s.w.Actor(), world.OnTick, slot, a); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkIncrement adds 1 to a field, which an object has in state or in aux, among others.
func BenchmarkIncrement(b *testing.B) {
	for _, part := range []string{"state", "aux"} {
		for _, n := range []int{1, 10, 80} {
			b.Run(fmt.Sprintf("%s/%d fields", part, n), func(b *testing.B) {
				fields := "a = 0"
				for i := 1; i < n; i++ {
					fields += fmt.Sprintf(", a%d = %d", i, i)
				}
				s := start(b, "a.lua", fmt.Sprintf("Y = object \"Y\" { %s = { %s } }\nfunction Y:tick() self.a = self.a + 1 end", part, fields))
				slot, a := s.spawn("Y"), &world.Args{}
				b.ReportAllocs()
				for b.Loop() {
					s.w.Actor().Calls().Spend(slot, -s.w.Actor().Calls().Spent(slot)) // as in a tick of its own
					if err := s.vm.Call(s.w.Actor(), world.OnTick, slot, a); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// tenLines is a typical hook of ten lines.
const tenLines = `
function Y:tick()
  local x, y = self:getPosition()
  local vx, vy = self:getVelocity()
  local dx, dy = self.tx - x, self.ty - y
  local d = math.sqrt(dx * dx + dy * dy)
  if d > 0.1 then
    self:setForce(dx / d * 3 - vx, dy / d * 3 - vy)
  end
  self.age = self.age + 1
  if self.age > 100 then self.age = 0 end
end
`

// BenchmarkTenLines runs tenLines for 2,000 objects, as one tick does.
func BenchmarkTenLines(b *testing.B) {
	s := start(b, "a.lua", `Y = object "Y" { state = { tx = 3, ty = 4, age = 0 }, body = { shape = { circle = 0.1 } } }`+tenLines)
	var slots []int
	for range 2000 {
		slots = append(slots, s.place("Y"))
	}
	b.ReportAllocs()
	for b.Loop() {
		for _, slot := range slots {
			s.w.Actor().Calls().Spend(slot, -s.w.Actor().Calls().Spent(slot))
			if err := s.vm.Call(s.w.Actor(), world.OnTick, slot, &world.Args{}); err != nil {
				b.Fatal(err)
			}
		}
	}
}

// BenchmarkTenLinesBare runs the same hook in plain gopher-lua, without a budget: methods
// are Go functions on a userdata, and fields are in a Lua table. BenchmarkTenLines is
// compared with it.
func BenchmarkTenLinesBare(b *testing.B) {
	s := start(b, "a.lua", `Y = object "Y" { body = { shape = { circle = 0.1 } } }`)
	L := lua.NewState(lua.Options{CallStackSize: callDepth, RegistrySize: registryInner})
	if err := L.DoString("Y = {}" + tenLines); err != nil {
		b.Fatal(err)
	}
	index := L.GetGlobal("Y").(*lua.LTable)
	body := func(L *lua.LState) *physics.Body {
		return s.w.Now.Body(int(L.CheckTable(1).RawGetInt(1).(lua.LNumber)))
	}
	two := func(f func(b *physics.Body) (x, y float64)) *lua.LFunction {
		return L.NewFunction(func(L *lua.LState) int { x, y := f(body(L)); L.Push(lua.LNumber(x)); L.Push(lua.LNumber(y)); return 2 })
	}
	index.RawSetString("getPosition", two(func(b *physics.Body) (x, y float64) { return b.X, b.Y }))
	index.RawSetString("getVelocity", two(func(b *physics.Body) (x, y float64) { return b.VX, b.VY }))
	index.RawSetString("setForce", L.NewFunction(func(L *lua.LState) int {
		b := body(L)
		b.FX, b.FY = float64(L.CheckNumber(2)), float64(L.CheckNumber(3))
		return 0
	}))
	meta := L.NewTable()
	meta.RawSetString("__index", index)
	var all []*lua.LTable
	for range 2000 {
		t := L.NewTable()
		t.RawSetInt(1, lua.LNumber(s.place("Y")))
		for _, f := range []string{"tx", "ty", "age"} {
			t.RawSetString(f, lua.LNumber(3))
		}
		t.Metatable = meta
		all = append(all, t)
	}
	fn := L.GetField(index, "tick")
	b.ReportAllocs()
	for b.Loop() {
		for _, t := range all {
			L.Push(fn)
			L.Push(t)
			if err := L.PCall(1, 0, nil); err != nil {
				b.Fatal(err)
			}
		}
	}
}

// BenchmarkError runs a hook that fails, to measure what a broken script costs.
func BenchmarkError(b *testing.B) {
	s := start(b, "a.lua", actors+"function Ball:tick() local x = nil + 1 end")
	slot := s.spawn("Ball")
	b.ReportAllocs()
	for b.Loop() {
		s.w.Actor().Calls().Spend(slot, -s.w.Actor().Calls().Spent(slot)) // as in a tick of its own
		if err := s.vm.Call(s.w.Actor(), world.OnTick, slot, &world.Args{}); err == nil {
			b.Fatal("no error")
		}
	}
}

func BenchmarkCompileShip(b *testing.B) {
	files := bundle("ship.lua", shipLua, "b.lua", actors)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := NewProgram(files, testSetup); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkNewVM(b *testing.B) {
	prog, err := NewProgram(bundle("ship.lua", shipLua, "b.lua", actors), testSetup)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		prog.NewVM()
	}
}
