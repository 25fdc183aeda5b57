package luabind

import (
	"strings"
	"testing"

	"github.com/hindcast/hindcast/world"
)

// TestScratchVariables: functions change local variables of their file that they assign before they read them. A hook
// finds nothing there that another one left, and nothing of it stays in memory.
func TestScratchVariables(t *testing.T) {
	s := start(t, "a.lua", `
local Q = require("lib.quat")
local best, most = "none", 7
local seen
X = object "X" { state = { n = 0 } }
function X:tick()
  self.n = self.n + 1
  best = nil
  for i = 1, 3 do most = i * 1 if most == 9 then return end if i == self.n then best = "hit " .. i end end
  if best then seen = best else seen = "miss" end
  print(best, seen, Q.sum(self.n, 2), Q.twice(self.n))
end`,
		"lib/quat.lua", `
local u, v = { 1 }, { 2 }
local r
local function set(x) u = { x } return u[1] end
local M = {}
function M.sum(a, b) u, v = { a }, { b } set(a * 10) return u[1] + v[1] end -- set assigns u: it is one variable
function M.twice(a) repeat r = a * 2 until r > 0 return r end
return M`)
	slot := s.spawn("X")
	for range 4 {
		if err := s.call(world.OnTick, slot, world.Args{}); err != nil {
			t.Fatal(err)
		}
	}
	want := []string{"hit 1\thit 1\t12\t2", "hit 2\thit 2\t22\t4", "hit 3\thit 3\t32\t6", "nil\tmiss\t42\t8"}
	for i, l := range s.lines {
		if _, got, _ := strings.Cut(l, ": "); got != want[i] {
			t.Errorf("%q, not %q", got, want[i])
		}
	}
	s.vm.lang.begin(0, hookAllowance)
	var names []string
	for _, v := range s.vm.lang.scratch {
		if v.place.Value() != v.loaded {
			t.Errorf("a hook left %v in the place of %v", v.place.Value(), v.loaded)
		}
		names = append(names, v.loaded.Type().String())
	}
	if got := strings.Join(names, " "); got != "table table nil string number nil" { // u, v, r, best, most, seen
		t.Errorf("scratch variables that hold %s", got)
	}
}

// TestNotScratch: a variable that could keep something for the next hook is refused, as is one that nobody reads.
func TestNotScratch(t *testing.T) {
	for _, body := range []string{
		"function f() n = n + 1 end",
		"function f() n = 1 end",
		"function f() n = 1 end function g() return n end",
		"function f(a) if a then n = 1 end return n end",
		"function f(a) if a then n = 1 elseif a == nil then return end return n end",
		"function f(a) while a do n = 1 a = false end return n end",
		"function f(a) for i = 1, a do n = i end return n end",
		"function f(a) for i in pairs(a) do n = i end return n end",
		"function f(a) repeat if a then break end n = 1 until n return n end",
		"function f() n = 1 return function() return n end end",
		"function f() local function set() n = 1 end set() return n end",
		"function f() return n or function() n = 1 return n end end",
		"function f() n = 1 return n end function g() n = 2 end function h(t) t[n] = 1 end",
		"function f() n, m = m, n return n end",
		"X = {} function X:f() n = self return n end function X:g() self = n end",
		"function f() local a = n n = 1 return n, a end",
		"function f() n = n and n + 1 or 0 return n end",
		"function f() n = 1 do local n = 2 end return n end function g(n) return n end function h() n.x = 1 end",
	} {
		_, err := NewProgram(bundle("a.lua", "local n, m = 0, 0\n"+body), testSetup)
		if err == nil || !strings.HasPrefix(err.Error(), "a.lua:2: n, a local of the file, is changed in a function, but it is frozen after loading: declare n in state") {
			t.Errorf("%s: %v", body, err)
		}
	}
	for _, fine := range []string{
		"function f(a) if a then n = 1 else n = 2 end return n end",
		"function f(a) if a then n = 1 else return end return n end",
		"function f(a) if a then n = 1 elseif a == nil then error(a) n = 2 else return 5 end return n end",
		"function f(a) repeat n = a repeat if a then break end until n until n return n end",
		"function f() n = function() n = 1 return n end return n end",
		"function f() n, m = 1, 2 return n + m end",
		"function f(...) n = ... for i = 1, n do m = i + n print(m) end end",
		"function f() n = 1 local n = n n = n + 1 return n end",
		"function f(a) while true do n = a if n then break end end end",
		"function f() function n() end return n end",
	} {
		if _, err := NewProgram(bundle("a.lua", "local n, m = 0, 0\n"+fine), testSetup); err != nil {
			t.Errorf("%s: %v", fine, err)
		}
	}
	many := "local a = 0"
	for i := range 70 {
		many += "\nfunction f" + strings.Repeat("x", i) + "() a = 1 return a end local a = 0"
	}
	refused(t, many, "66: a, a local of the file, is changed", "67: a, a local", "68: a, a local", "69: a, a local", "70: a, a local", "71: a, a local")
}

const counting = `
local made, names = 0, {}
local M = {}
function M.class(name) made = made + 1 names[made] = name return { id = made } end
function M.made() return made end
function M.forget() made = made and 0 end
return M`

// TestChangedWhileLoading: functions that run while the files are loaded change local variables of their file. In a
// hook that is an error.
func TestChangedWhileLoading(t *testing.T) {
	s := start(t, "a.lua", `
local C = require("lib.counting")
local A, B = C.class("A"), C.class("B")
X = object "X" { state = { n = 0 } }
function X:tick()
  print(A.id, B.id, C.made(), pcall(C.forget))
  C.class("C")
end`, "lib/counting.lua", counting)
	slot := s.spawn("X")
	for range 2 {
		err := s.call(world.OnTick, slot, world.Args{})
		if err == nil || err.Error() != "lib/counting.lua:4: made, a local of the file, is changed in a hook, but it is frozen after loading: declare made in state (self.made, or game.made)" {
			t.Errorf("%v", err)
		}
	}
	for _, l := range s.lines {
		if _, got, _ := strings.Cut(l, ": "); !strings.HasPrefix(got, "1\t2\t2\tfalse\tlib/counting.lua:6: made, a local of the file, is changed in a hook") {
			t.Errorf("%q", got)
		}
	}
	// a library may have functions that the game does not use, whoever calls them
	for uses, named := range map[string]bool{"M.none()": false, "M.f()": true, "M['f']()": true, "M.g()": true, "M.h()": true, "M.u()": true, "M.v()": true,
		"local x = M:m()": true, "setmetatable({}, M)()": true, "M.s()": true} {
		lib := `
local n, m, call = 0, 0, 0
local function add() n = n + 1 end
local M = { s = function() add() end, [1] = 5 }
function M.f() n = n + 1 end
function M.g() return M.f() end
function M.h() return function() M.g() end end
M.u = M.f
M.v, M.w = M.u, 1
function M:m() add() end
function M.none() end
function M.unused() n = n - 1 return add() end
CALL
return M`
		if strings.HasPrefix(uses, "setmeta") {
			lib = strings.Replace(lib, "CALL", "M.__call = function() n = n + 1 end", 1)
		}
		lib = strings.Replace(lib, "CALL", "", 1)
		_, err := NewProgram(bundle("a.lua", "local M = require('lib.m') function onTick() "+uses+" end", "lib/m.lua", lib), testSetup)
		if (err != nil) != named {
			t.Errorf("%s: %v", uses, err)
		}
	}
	// nothing changes made while the files are loaded, so a hook was meant to
	_, err := NewProgram(bundle("a.lua", "C = require('lib.counting') function f() C.class(1) C.forget() end", "lib/counting.lua", counting), testSetup)
	if err == nil || !strings.HasPrefix(err.Error(), "lib/counting.lua:4: made, a local of the file, is changed in a function") {
		t.Errorf("%v", err)
	}
}
