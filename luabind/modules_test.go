package luabind

import (
	"slices"
	"strings"
	"testing"

	"github.com/hindcast/hindcast/luabind/internal/api"
	"github.com/hindcast/hindcast/world"
)

const vectorModule = `
local name = ...
local V = { name = name, made = 0 } V.__index = V
function V.__add(a, b) return V.new(a.x + b.x, a.y + b.y) end
function V.new(x, y) return setmetatable({ x = x, y = y }, V) end
return V`

// TestModules: a module runs once and returns the same frozen value to all files and in all hooks.
func TestModules(t *testing.T) {
	s := start(t, "a.lua", `
local V = require("lib.vector")
X = object "X" { state = { n = 0 } }
local ran = require "sub.once"
local nothing = require("sub.nothing")
local last = require("z")
function X:tick()
  local a = V.new(1, 2) + V.new(3, 4)
  print(a.x, a.y, V.name, V == require("lib.vector"), require("lib/vector") == V and require("lib..vector") == V and require(".lib.vector") == V, ran.n, nothing, require("sub.late").ok, last.z, require("lib").init)
end`,
		"lib/vector.lua", vectorModule, "sub/once.lua", "count = (count or 0) + 1\nreturn { n = count }", "b.lua", "local a, b = require('sub/once'), require('sub.once') if a ~= b or count ~= 11 then error('it ran twice') end",
		"sub/nothing.lua", "local once = require('sub.once')", "sub/late.lua", "return { ok = 'late' }", "z.lua", "count = count + 10\nreturn { z = count }",
		"lib/init.lua", "return { init = 'init' }", "unused/x.lua", "this is not Lua", "game.lua", "local z = require('z') function onStart() print(count) end")
	slot := s.spawn("X")
	for range 2 {
		if err := s.call(world.OnTick, slot, world.Args{}); err != nil {
			t.Fatal(err)
		}
	}
	for _, l := range s.lines {
		if _, got, _ := strings.Cut(l, ": "); got != "4\t6\tlib.vector\ttrue\ttrue\t1\ttrue\tlate\t11\tinit" {
			t.Errorf("%q", l)
		}
	}
}

func TestModulesRefused(t *testing.T) {
	for _, c := range []struct {
		files []string
		want  string
	}{
		{[]string{"a.lua", "local v = 1\nlocal V = require('lib.vectr')", "lib/vector.lua", "return 1"}, `a.lua:2: require("lib.vectr"): there is no file lib/vectr.lua; did you mean lib.vector?`},
		{[]string{"a.lua", "require('lib.vector')"}, `a.lua:1: require("lib.vector"): there is no file lib/vector.lua in the folder of the game`},
		{[]string{"a.lua", "local function f() return require('b') end"}, `a.lua:1: require("b"): there is no file b.lua`},
		{[]string{"a.lua", "require('m.a')", "m/a.lua", "require('m.b')", "m/b.lua", "\nrequire('m.a')"}, `m/b.lua:2: require("m.a"): the files require each other: m/a.lua -> m/b.lua -> m/a.lua; move what both need into a file of its own, or call require in the function that needs it`},
		{[]string{"a.lua", `require("")`}, `a.lua:1: require(""): the name of a module is missing; require("lib.vector") loads lib/vector.lua`},
		{[]string{"a.lua", `require("/")`}, `a.lua:1: require("/"): the name of a module is missing`},
		{[]string{"a.lua", `require("lib")`, "lib/vector.lua", "return 1"}, `a.lua:1: require("lib"): there is no file lib.lua and no lib/init.lua; a file of the folder is loaded by its name: require("lib.vector")`},
		{[]string{"a.lua", "require('a')"}, `a.lua:1: require("a"): a.lua requires itself; leave that out`},
		{[]string{"a.lua", "require('m.a')", "m/a.lua", "local x = nil + 1"}, `m/a.lua:1: attempt to perform arithmetic on a nil value`},
		{[]string{"a.lua", "require('m.a')", "m/a.lua", "x = = 1"}, `m/a.lua:1: `},
		{[]string{"a.lua", "local M = require('m.a') function g() M.f() end", "m/a.lua", "local n = 0 return { f = function() n = n + 1 end }"}, `m/a.lua:1: n, a local of the file, is changed in a function`},
		{[]string{"a.lua", "local M = require('m.a') function g() M.f() end", "m/a.lua", "return { f = function() return thrust end }"}, `m/a.lua:1: thrust is not defined`},
		{[]string{"a.lua", "require('m.a')", "m/a.lua", "local x = thrust + 1"}, `m/a.lua:1: attempt to perform arithmetic on a nil value (global 'thrust')`},
		{[]string{"a.lua", "local M = require('m.a') function g() M.f() end", "m/a.lua", "local M = { h = thrust } function M.g() return M.h end function M.f() return M.g() end return M"}, `m/a.lua:1: thrust is not defined`},
		{[]string{"a.lua", "require('view')", "view.lua", ""}, `there is no file view.lua`},
		{[]string{"a.lua", "require('m.a')", "m/a.lua", "while true do end"}, `m/a.lua:1: loading used up its budget of 2000000 instructions`},
		{[]string{"a.lua", "pcall(require, 'm.a')\nrequire('m.a')", "m/a.lua", "\nerror('broken')"}, `a.lua:2: require("m.a"): m/a.lua ended with an error when it was loaded: m/a.lua:2: broken`},
		{[]string{"a.lua", "require(5)"}, `a.lua:1: require("5"): there is no file 5.lua`},
	} {
		_, err := NewProgram(bundle(c.files...), testSetup)
		if err == nil || !strings.HasPrefix(err.Error(), c.want) && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v, not %q", c.files, err, c.want)
		}
	}
}

// TestModulesThatFailed tests that a module which failed while the files were loaded, and whose error a file caught,
// stays without a value: each require says why it failed, in files and in hooks.
func TestModulesThatFailed(t *testing.T) {
	s := start(t, "a.lua", "First, Why = pcall(require, 'm.a')\nAgain, WhyAgain = pcall(require, 'm.a')", "b.lua", "pcall(require, 'm.b')",
		"game.lua", "function tick() print(First, Why, Again, WhyAgain)\nprint(pcall(require, 'm.b'))\nlocal a = require('m.a') end",
		"m/a.lua", "\nerror('broken')", "m/b.lua", "require('m.a')")
	game, _ := s.w.Match()
	err := s.call(world.OnGameTick, game, world.Args{})
	a := `require("m.a"): m/a.lua ended with an error when it was loaded: m/a.lua:2: broken`
	b := "m/b.lua:1: " + a
	want := []string{"game.lua:1: false\tm/a.lua:2: broken\tfalse\t" + a,
		`game.lua:2: false	require("m.b"): m/b.lua ended with an error when it was loaded: ` + b}
	if !slices.Equal(s.lines, want) || err == nil || err.Error() != "game.lua:3: "+a {
		t.Errorf("%q: %v", s.lines, err)
	}
}

// TestModulesThatFailedWithTables tests that such a module is said to have failed with the text of the table, if that has
// one.
func TestModulesThatFailedWithTables(t *testing.T) {
	for raised, want := range map[string]string{
		`setmetatable({ code = 3 }, { __tostring = function(e) return "code " .. e.code end })`: "code 3",
		`setmetatable({}, { __tostring = function() error("no text") end })`: "an error value of type table, whose __tostring fails: " +
			"m/a.lua:1: no text",
		`{}`: "an error value of type table",
		`5`:  "5",
	} {
		s := start(t, "a.lua", "pcall(require, 'm.a')", "game.lua", "function tick() require('m.a') end", "m/a.lua", "error("+raised+", 0)")
		game, _ := s.w.Match()
		want = `game.lua:1: require("m.a"): m/a.lua ended with an error when it was loaded: ` + want
		if err := s.call(world.OnGameTick, game, world.Args{}); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", raised, err, want)
		}
	}
}

// TestModulesAreFrozen: hooks cannot write into modules, and cannot load files that have not been loaded.
func TestModulesAreFrozen(t *testing.T) {
	for _, c := range [][2]string{
		{`require("lib.vector").made = 1`, "read-only"},
		{`local name = "lib.ve" require(name .. "ctor").made = 1`, "read-only"},
		{`require("lib." .. "other")`, `require("lib.other"): there is no file lib/other.lua`},
		{`local ok, e = pcall(require, "lib.none") error(e, 0)`, `there is no file lib/none.lua`},
	} {
		s := start(t, "a.lua", "X = object 'X' {}\nfunction X:tick() "+c[0]+" end", "lib/vector.lua", vectorModule)
		if err := s.call(world.OnTick, s.spawn("X"), world.Args{}); err == nil || !strings.Contains(err.Error(), c[1]) {
			t.Errorf("%s: %v, not %q", c[0], err, c[1])
		}
	}
}

// TestLibrariesLook: a module may look whether parts of Lua are there that are left out.
func TestLibrariesLook(t *testing.T) {
	s := start(t, "a.lua", "local L = require('lib.look')\nX = object 'X' {}\nfunction X:tick() print(L.clock, L.seed, L.load, L.version) print(pcall(L.bad)) end",
		"lib/look.lua", "return { clock = os and os.clock, seed = math.randomseed, load = loadstring or load, version = _VERSION, bad = function() return os.time() end }")
	if err := s.call(world.OnTick, s.spawn("X"), world.Args{}); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(s.lines, "; "); got != "a.lua:3: nil\tnil\tnil\tLua 5.1; a.lua:3: false\tlib/look.lua:1: attempt to index a nil value (global 'os') with key 'time'; there is no os; now() is the time of the world in seconds" {
		t.Errorf("%q", got)
	}
}

// TestModulesOfViews: view.lua requires modules too, and each side loads only what it asks for.
func TestModulesOfViews(t *testing.T) {
	files := bundle("a.lua", "X = object 'X' {}\nlocal V = require('lib.vector')", api.ViewFile, "local F = require('lib.format')\nonCue('hit', function(c) text { x = 0, y = 0, text = F.up('a') } end)",
		"lib/format.lua", "return { up = function(s) flash { x = 0, y = 0 } return s:upper() end }", "lib/vector.lua", vectorModule, "lib/unused.lua", "return object")
	if _, err := NewProgram(files, testSetup); err != nil {
		t.Fatal(err)
	}
	if v, err := NewView(files, testSetup, nil); v == nil || err != nil {
		t.Fatal(err)
	}
	if got := UnusedModules(files); len(got) != 1 || got[0] != "lib/unused.lua" {
		t.Errorf("%v", got)
	}
}

// TestUnusedModules: what nothing requires is found beside other mistakes, unless a mistake may be the reason.
func TestUnusedModules(t *testing.T) {
	for _, c := range []struct {
		text   string
		unused bool
	}{
		{"x = nobody + 1", true},
		{"require('lib.other')", true},
		{"require('lib.vecor')", false},
		{"require('vector')", false},
		{"require('vectors')", false},
		{"local name = 'x' require('lib.' .. name)", false},
		{"function f(", true},
		{"local V = require 'lib.vector' function f(", false},
	} {
		got := UnusedModules(bundle("a.lua", c.text, "lib/vector.lua", vectorModule))
		if (len(got) == 1) != c.unused {
			t.Errorf("%s: %v", c.text, got)
		}
	}
}

// TestModulesOfFilesWithMistakes: what a module requires is used if the module may be, because a file that does not parse
// mentions it.
func TestModulesOfFilesWithMistakes(t *testing.T) {
	got := UnusedModules(bundle("a.lua", "local A = require('lib.a') function f(", "deep/c.lua", "return 1", "lib/a.lua", "return require('util.p')",
		"lib/no.lua", "return require('util.zoo')", "util/p.lua", "return require('deep.c')", "util/zoo.lua", "return 1"))
	if len(got) != 2 || got[0] != "lib/no.lua" || got[1] != "util/zoo.lua" {
		t.Error(got)
	}
}

// TestNamedGlobals: _G.name is the global of that name.
func TestNamedGlobals(t *testing.T) {
	s := start(t, "a.lua", `
speed = 3
_G.power = speed + 1
function _G.twice(x) return x * 2 end
local M = require("lib.m")
X = object "X" { state = { n = 0 } }
function X:tick()
  local type = 5
  print(_G.speed, power, _G.twice(4), _G.type(type), _G.math.floor(2.5), M.said, _G.power == M.power())
end`, "lib/m.lua", `
local load = _G.loadstring or _G.load
return { said = tostring(_G.rawlen) .. tostring(_G.nobody) .. tostring(load) .. tostring(_G.loadstring), power = function() return _G.power end }`)
	if err := s.call(world.OnTick, s.spawn("X"), world.Args{}); err != nil {
		t.Fatal(err)
	}
	if _, got, _ := strings.Cut(s.lines[0], ": "); got != "3\t4\t8\tnumber\t2\tnilnilnilnil\ttrue" {
		t.Errorf("%q", got)
	}
	unused := "local M = { h = nobody } function M.g() return thrust + 1 end function M.f() return 5 end return M"
	if _, err := NewProgram(bundle("a.lua", "local M = require('lib.m') function use() return M.f() end", "lib/m.lua", unused), testSetup); err != nil {
		t.Error(err) // the game does not use g and h
	}
	refused(t, "function f() return _G.thrust end\nthrsut = 1", "1: thrust is not defined; did you mean thrsut?")
	refused(t, "x = 1\nfunction f() _G.x = 2 end", "2: global x is set in a function, but globals are frozen after loading: declare x in state")
	refused(t, "_G.print = 5", "1: print belongs to the language or its library")
	refused(t, "x = 1\nlocal x = 2\nfunction f() return _G.x + x end", "3: _G.x: a local variable has the same name here: call it something else")
	refused(t, "for k in pairs(_G) do k = 1 end", "1: _G is not defined; write _G.name with a name: globals are frozen after loading; keep what changes in state")
}

// TestModulesOfBothRefused: what is wrong in a module that view.lua requires as well is said once.
func TestModulesOfBothRefused(t *testing.T) {
	for _, module := range []string{"return {", "local x = nil\nreturn x.y", "require('lib.b')", "local n = 0 return function() n = n + 1 end"} {
		_, err := NewProgram(bundle("game.lua", "local M = require('lib.a')", api.ViewFile, "local M = require('lib.a')", "lib/a.lua", module,
			"lib/b.lua", "require('lib.a')"), testSetup)
		if err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", module, err)
		}
	}
}
