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
	} {
		lines, err := run(t, c.body)
		if got := strings.Join(lines, "|"); err != nil || got != c.want {
			t.Errorf("%s\nprints %q, %v, not %q", c.body, got, err, c.want)
		}
	}
}

// TestBudgetsWithinPcall: no budget is evaded by pcall, and the report says where it was used up.
func TestBudgetsWithinPcall(t *testing.T) {
	for _, c := range []struct{ body, want string }{
		{"pcall(function()\n while true do end\nend) self.n = 1", "a.lua:4: the hook used up its budget of 100000 instructions"},
		{"pcall(function()\n local t = {} while true do\n t = { t } end\nend) self.n = 1", "a.lua:5: the hook used up its budget of 1024 KiB"},
		{"local function f()\n return 1 + f()\nend pcall(f) self.n = 1",
			"a.lua:4: functions call each other too deep: at most 1000 calls"},
		{"pcall(pcall, pcall, function()\n while true do end\nend) self.n = 1", "a.lua:4: the hook used up"},
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
