package luabind

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/hindcast/hindcast/world"
)

// TestCaughtErrors: errors are caught with the messages that reports show, what was written before stays, and
// hooks within pcall work.
func TestCaughtErrors(t *testing.T) {
	for _, c := range []struct{ body, want string }{
		{`print(pcall(function() self.n = 5 error("late") end)) print(self.n)`, "false\ta.lua:3: late|5"},
		{`print(pcall(function() local t = {} return t.x.y end))`, "false\ta.lua:3: attempt to index a nil value (field 'x') with key 'y'"},
		{`print(pcall(function() return self.hp end))`, "false\ta.lua:3: X has no field or method hp: declare a field in state, or write function X:hp()"},
		{`local ok, e = pcall(error, {}) print(ok, tostring(e), pcall(error, self) and 1)`, "false\ttable\tfalse"},
		{`local o = nil pcall(function() o = spawn("X") o.n = 3 error() end) print(o ~= nil, #objects("X"))`, "true\t1"},
		{`print(select(2, pcall(pcall)))`, "pcall: a function is missing"},
		{`print(pcall(self.getPosition, self))`, "false\tX has no body: declare body = { shape = ... }"},
		{`print(xpcall(function() error("x", 0) end, tostring), pcall(math.floor, "q"))`, "false\tfalse\tmath.floor: the argument must be a number, not a string"},
		// that calls of pcall nest too deep is an error of the innermost, which the one around it catches
		{`local function d(n) if n == 0 then return "bottom" end return pcall(d, n - 1) end
local r = { d(20) } print(#r, r[#r]) r = { d(21) } print(#r, r[#r - 1], r[#r]) self.n = 1 print(self.n)`,
			"21\tbottom|21\tfalse\ta.lua:3: pcall within pcall: at most 20 deep|1"},
		{`local function d(n) if n == 0 then return "bottom" end return coroutine.resume(coroutine.create(d), n - 1) end
local r = { d(20) } print(#r, r[#r]) r = { d(21) } print(#r, r[#r - 1], r[#r])`,
			"21\tbottom|21\tfalse\ta.lua:3: coroutines within coroutines: at most 20 deep"},
	} {
		lines, err := run(t, c.body)
		if got := strings.Join(lines, "|"); err != nil || got != c.want {
			t.Errorf("%s\nprints %q, %v, not %q", c.body, got, err, c.want)
		}
	}
}

// TestUncaughtErrorValues: the report of an error value is what its __tostring returns, wherever it ends a function,
// with a place if that has one; what __tostring writes stays, and its budget is what was left.
func TestUncaughtErrorValues(t *testing.T) {
	const e = "local E = setmetatable({}, { __tostring = function(e) return 'E: ' .. e.code end }) E.code = 5 "
	for _, c := range []struct{ body, want string }{
		{e + "error(E)", "a.lua:3: E: 5"},
		{e + "pcall(error, E) error(E)", "a.lua:3: E: 5"},
		{e + "local ok, v = pcall(error, E) error(v)", "a.lua:3: E: 5"},
		{e + "\nassert(false, E)", "a.lua:4: E: 5"},
		{e + "coroutine.wrap(function() error(E) end)()", "a.lua:3: E: 5"},
		{"error(setmetatable({}, { __tostring = function() return 'a.lua:1: moved' end }))", "a.lua:1: moved"},
		{"error(setmetatable({}, { __tostring = function() return 7 end }))", "a.lua:3: 7"},
		{"error(self)", "a.lua:3: an error value of type object"},
		{"pcall(error, self) assert(false, self)", "a.lua:3: an error value of type object"},
		{"error(setmetatable({}, { __tostring = 5 }))", "a.lua:3: an error value of type table, whose __tostring fails: attempt to call a number value"},
		{"error(setmetatable({}, { __tostring = function() return pcall(error, 'x') and 1 or 'caught' end }))", "a.lua:3: caught"},
		{"local n = 0 for i = 1, 45000 do n = n + 1 end error(setmetatable({}, { __tostring = function() for i = 1, 45000 do n = n + 1 end end }))",
			"a.lua:3: X:tick used up its budget of 100000 instructions"},
	} {
		_, err := run(t, c.body)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, not %q", c.body, err, c.want)
		}
	}
	s := start(t, "a.lua", `X = object "X" { state = { n = 0 } }
function X:tick() error(setmetatable({}, { __tostring = function() self.n = 7 return "said" end })) end
function X:onSpawn() spawn("Y") self.n = 1 end
Y = object "Y" {}
function Y:onSpawn() error(setmetatable({}, { __tostring = function() return "born" end })) end`)
	slot := s.spawn("X")
	if err := s.call(world.OnTick, slot, world.Args{}); err == nil || s.field(slot, "n") != 7 {
		t.Errorf("%v, n is %g", err, s.field(slot, "n"))
	}
	_, err := NewProgram(bundle("a.lua", e+"\nerror(E)"), testSetup)
	if err == nil || !strings.Contains(err.Error(), "a.lua:2: E: 5") {
		t.Errorf("while the files are loaded: %v", err)
	}
}

// TestBudgetsWithinPcall: no budget is evaded by pcall, and the report says where it was used up.
func TestBudgetsWithinPcall(t *testing.T) {
	for _, c := range []struct{ body, want string }{
		{"pcall(function()\n while true do end\nend) self.n = 1", "a.lua:4: X:tick used up its budget of 100000 instructions"},
		{"pcall(function()\n local t = {} while true do\n t = { t } end\nend) self.n = 1", "a.lua:5: X:tick used up its budget of 1024 KiB"},
		{"local function f()\n return 1 + f()\nend pcall(f) self.n = 1",
			"a.lua:4: functions call each other too deep: at most 1000 calls"},
		{"pcall(pcall, pcall, function()\n while true do end\nend) self.n = 1", "a.lua:4: X:tick used up"},
	} {
		_, err := run(t, c.body)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, not %q", c.body, err, c.want)
		}
	}
}

// TestPcallCostsTheSame: a pcall costs the same whether its interpreter exists or not, and after any error.
func TestPcallCostsTheSame(t *testing.T) {
	s := start(t, "a.lua", `
X = object "X" { state = { n = 0 } }
function X:tick()
  for i = 1, 3 do
    local ok, e = pcall(function() local ok, e = pcall(function() return nil + i end) error(e) end)
    assert(not ok and e:find("arithmetic"), e)
  end
  self.n = self.n + 1
end
Y = object "Y" {}
function Y:tick() pcall(function() pcall(function() while true do end end) end) end`)
	x, y, left := s.spawn("X"), s.spawn("Y"), int64(0)
	for i := range 4 {
		if err := s.call(world.OnTick, x, world.Args{}); err != nil {
			t.Fatal(err)
		}
		if now := s.vm.lang.budget.left; i > 0 && now != left {
			t.Errorf("%d instructions left, and %d before", now, left)
		}
		left = s.vm.lang.budget.left
		if err := s.call(world.OnTick, y, world.Args{}); err == nil {
			t.Error("a loop was caught")
		}
	}
}

func BenchmarkCaughtErrors(b *testing.B) {
	for name, body := range map[string]string{
		"short": `pcall(error)`,
		"nil":   `pcall(function() local t = {} return t.x.y end)`,
		"deep":  `local function f(n) if n == 0 then error("x") end return (f(n - 1)) end pcall(f, 100)`,
	} {
		b.Run(name, func(b *testing.B) {
			s := start(b, "a.lua", fmt.Sprintf("X = object \"X\" {}\nfunction X:tick()\nwhile true do %s end\nend", body))
			slot := s.spawn("X")
			from := time.Now()
			for b.Loop() {
				_ = s.call(world.OnTick, slot, world.Args{})
				s.order()
			}
			b.ReportMetric(float64(time.Since(from).Nanoseconds())/float64(b.N)/HookInstructions, "ns/instruction")
		})
	}
}
