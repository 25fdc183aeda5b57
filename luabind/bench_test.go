package luabind

import (
	"testing"

	"github.com/hindcast/hindcast/world"
)

// BenchmarkHooks runs small hooks that each do one thing.
func BenchmarkHooks(b *testing.B) {
	for _, c := range []struct{ name, body string }{
		{"empty", ``},
		{"field read", `local x = self.hp`},
		{"field write", `self.hp = 5`},
		{"field increment", `self.hp = self.hp + 1`},
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
			a := &world.Args{}
			b.ReportAllocs()
			for b.Loop() {
				if err := s.vm.Call(s.w, world.OnTick, slot, a); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkError is a hook that fails: what a broken script costs.
func BenchmarkError(b *testing.B) {
	s := start(b, "a.lua", actors+"function Ball:tick() local x = nil + 1 end")
	slot := s.spawn("Ball")
	b.ReportAllocs()
	for b.Loop() {
		if err := s.vm.Call(s.w, world.OnTick, slot, &world.Args{}); err == nil {
			b.Fatal("no error")
		}
	}
}

func BenchmarkCompileShip(b *testing.B) {
	files := bundle("ship.lua", shipLua, "b.lua", actors)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Compile(files, testSetup); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkNewVM(b *testing.B) {
	prog, err := Compile(bundle("ship.lua", shipLua, "b.lua", actors), testSetup)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		prog.NewVM()
	}
}
