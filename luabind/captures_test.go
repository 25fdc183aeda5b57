package luabind

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/hindcast/hindcast/world"
)

// taken runs statements n times in a hook, and returns what Go allocated for them, at least, and what they were
// charged, in bytes.
func taken(t *testing.T, before, statements string, n int) (allocated, charged int) {
	t.Helper()
	s := start(t, "a.lua", fmt.Sprintf(`X = object "X" { state = { n = 3 } } function X:tick() local x, f = {}, print %s
for i = 1, %d do %s end end`, before, n, statements))
	self := s.spawn("X")
	var from, to runtime.MemStats
	s.vm.lang.budget.usage.off = true
	for i := range 8 {
		runtime.GC()
		runtime.ReadMemStats(&from)
		err := s.call(world.OnTick, self, world.Args{})
		runtime.ReadMemStats(&to)
		if err != nil {
			t.Fatalf("%s: %v", statements, err)
		}
		if took := int(to.TotalAlloc - from.TotalAlloc); i == 0 || took < allocated {
			allocated = took
		}
	}
	return allocated, HookMemory - int(s.vm.lang.budget.memory)
}

// TestMemoryCoversFunctionsAndMetatables: the memory budget is charged for functions, the variables that they capture,
// and metatables, at least what they take, and not much more.
func TestMemoryCoversFunctionsAndMetatables(t *testing.T) {
	const five, all = `local a, b, c, d, e = 1, 2, 3, 4, 5`, `local v = function() return a, b, c, d, e end`
	events := []string{"__index", "__add", "__call", "__eq", "__lt", "__le", "__len", "__sub", "__mul", "__div", "__unm"}
	type taking struct{ before, with, without string }
	cases := []taking{
		{``, `local v = function() return 1 end`, ``},
		{``, `local v = function() return i end`, ``},
		{`local a = 1`, `local v = function() return a end`, ``},
		{five, all, ``},
		{``, five + " " + all, ``},
		{``, `local a = i local v, w, u = function() return a end, function() return a, i end, function() a = 1 end`, ``},
		{`local function new(a) return function() return a end end`, `local v = new(i)`, ``},
		{``, `local v = function() return function() return i end end v = v()`, ``},
		{``, `local v = setmetatable({}, {})`, `local v = {}, {}`},
		{``, `local v = {} setmetatable({}, v) v.__index = f`, `local v = {}, {} v.x = f`},
		{``, `local v = {} v[600] = 1 setmetatable(v, {})`, `local v = {}, {} v[600] = 1`},
		{``, `local v = setmetatable({}, {}) v[600] = 1`, `local v = {}, {} v[600] = 1`},
	}
	for n := range events {
		mt := "{ " + strings.Join(events[:n+1], " = f, ") + " = f }"
		cases = append(cases, taking{``, `local v = setmetatable({}, ` + mt + `)`, `local v = {}, ` + mt},
			taking{``, `local v = setmetatable({}, ` + strings.Replace(mt, "f", "x", 1) + `)`, `local v = {}, ` + mt})
	}
	for _, c := range cases {
		const n = 100
		allocated, charged := taken(t, c.before, c.with, n)
		none, free := taken(t, c.before, c.without, n)
		if allocated, charged = (allocated-none)/n, (charged-free)/n; charged < allocated || charged > 2*allocated+32 {
			t.Errorf("%s takes %d bytes and charges %d", c.with, allocated, charged)
		}
	}
}

// TestManyFunctionsFitInAHook: hooks can be written with functions as objects.
func TestManyFunctionsFitInAHook(t *testing.T) {
	for _, c := range []struct {
		before, call string
		least        int // how often it fits
	}{
		{`local x = 1`, `local v = function() return x end`, 5000},
		{``, `local v = function() return i end`, 3000},
		{`local a, b, c, d, e = 1, 2, 3, 4, 5`, `local v = function() return a + b + c + d + e end`, 3000},
		{``, `local a, b, c, d, e = 1, 2, 3, 4, 5 local v = function() return a + b + c + d + e end`, 1200},
		{``, `local v = setmetatable({}, {})`, 1500},
		{``, `local v = setmetatable({}, { __index = game })`, 700},
	} {
		if lines, err := run(t, fmt.Sprintf("%s for i = 1, %d do %s end print(1)", c.before, c.least, c.call)); err != nil || len(lines) == 0 {
			t.Errorf("%s does not fit %d times: %v", c.call, c.least, err)
		}
	}
}

// TestTablesBeginSmall: a table that gets its text keys one by one takes about as much as one that has them at once.
func TestTablesBeginSmall(t *testing.T) {
	const n = 100
	none, _ := taken(t, ``, `local v = {}`, n)
	once, _ := taken(t, ``, `local v = { x = 1 }`, n)
	later, _ := taken(t, ``, `local v = {} v.x = 1`, n)
	if none, once, later = none/n, once/n, later/n; later > once+128 || later < none {
		t.Errorf("a table of one key takes %d bytes if it gets the key later, %d if at once, %d without", later, once, none)
	}
}
