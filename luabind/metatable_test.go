package luabind

import (
	"strings"
	"testing"

	"github.com/hindcast/hindcast/world"
)

// TestMetatablesOfFiles: classes that files make with metatables work in hooks and stay frozen, and cost the same
// in each hook, whatever hooks before did with them.
func TestMetatablesOfFiles(t *testing.T) {
	s := start(t, "a.lua", `
X = object "X" { state = { n = 0 } }
Base = {} Base.__index = Base
function Base.new(n) return setmetatable({ n = n }, Base) end
function Base:get() return self.n end
Derived = setmetatable({}, { __index = Base, __call = function(class, n) return setmetatable(Base.new(n), class) end })
Derived.__index = Derived
Derived.__add = function(a, b) return Derived(a.n + b.n) end
function Derived:twice() return self:get() * 2 end
local last = {} for i = 1, 30 do last = setmetatable({ [i] = i }, { __index = last }) end
one = Derived(1)
sparse = setmetatable({ [1] = "a", [500] = "b" }, { __index = function(t, k) return "none" end })
function X:tick()
  local two = Derived(2)
  print((one + two):twice(), one:twice(), last[1], last[30], last[31], sparse[1], sparse[500], sparse[2])
  local shallow = setmetatable({}, { __index = two })
  print(shallow:twice(), getmetatable(two) == Derived)
end`)
	slot, left, memory := s.spawn("X"), int64(0), int64(0)
	for i := range 4 {
		if err := s.call(world.OnTick, slot, world.Args{}); err != nil {
			t.Fatal(err)
		}
		got := strings.Join(s.lines, " ")
		if s.lines = nil; !strings.HasSuffix(got, "4\ttrue") || !strings.Contains(got, "6\t2\t1\t30\tnil\ta\tb\tnone") {
			t.Errorf("%q", got)
		}
		b := s.vm.lang.budget
		if i > 0 && (b.left != left || b.memory != memory) {
			t.Errorf("%d instructions and %d bytes left, and %d and %d before", b.left, b.memory, left, memory)
		}
		left, memory = b.left, b.memory
	}
}

// TestFrozenMetatables: nothing about a table of a file can be changed in a hook, through metatables neither.
func TestFrozenMetatables(t *testing.T) {
	for _, c := range []struct{ body, want string }{
		{`C.x = 1`, "read-only"},
		{`C.__index = nil`, "read-only"},
		{`setmetatable(C, nil)`, "read-only"},
		{`setmetatable(C, {})`, "read-only"},
		{`setmetatable(plain, {})`, "read-only"},
		{`rawset(C, "x", 1)`, "read-only"},
		{`rawset(plain, "x", 1)`, "plain is read-only: it is a table of the files, which is frozen after loading; declare what changes in state"},
		{`thing.x = 1`, "read-only"},
		{`getmetatable(thing).__index = nil`, "read-only"},
		{`hidden.x = 1`, "read-only"},
		{`getmetatable(hidden).__index.x = 1`, "read-only"},
		{`table.insert(thing, 1)`, "read-only"},
		{`proxy.x = 1`, "read-only"},
		{`setmetatable({}, { __newindex = C }).x = 1`, "read-only"},
		{`setmetatable(objects("X"), {})`, "read-only"},
		{`setmetatable(self, {})`, "must be a table"},
		{`setmetatable(X, {})`, "X is declared with object"},
		{`logged.x = 1`, "fine"},
		{`local t = setmetatable({}, C) t.y = 2 assert(t.y == 2 and t.k == 5 and C.y == nil)`, "fine"},
		{`local t = setmetatable({}, { __index = self, __newindex = self }) t.n = t.n + 2 assert(self.n == 2)`, "fine"},
		{`setmetatable({}, { __index = self }):valid()`, "valid is a method of objects"},
		{`assert(getmetatable(self) == nil and getmetatable("") == nil)`, "fine"},
	} {
		s := start(t, "a.lua", `
X = object "X" { state = { n = 0 } }
C = { k = 5 } C.__index = C
plain = {}
thing = setmetatable({}, C)
hidden = setmetatable({}, { __index = { k = 1 } })
proxy = setmetatable({}, { __newindex = plain })
logged = setmetatable({}, { __newindex = function(t, k, v) print(k, v) end })
function X:tick()
`+c.body+`
end`)
		err := s.call(world.OnTick, s.spawn("X"), world.Args{})
		if c.want == "fine" && err != nil || c.want != "fine" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, not %q", c.body, err, c.want)
		}
	}
}

// TestMetatablesAtLoad: what cannot be is refused while the files are loaded.
func TestMetatablesAtLoad(t *testing.T) {
	for _, c := range [][2]string{
		{"X = object 'X' {} setmetatable(X, { __index = {} })", "a.lua:1: setmetatable: X is declared with object \"X\""},
		{"local n = 0 C = setmetatable({}, { __index = function() n = n + 1 end })", "a.lua:1: n, a local of the file"},
		{"local function make() local n = 0 return function() n = n + 1 end end C = setmetatable({}, { __index = make() })", "a.lua:1: the local variable n is frozen"},
	} {
		_, err := NewProgram(bundle("a.lua", c[0]), testSetup)
		if err == nil || !strings.Contains(err.Error(), c[1]) {
			t.Errorf("%s: %v, not %q", c[0], err, c[1])
		}
	}
}

// TestIndexOfItselfInHooks: a constructor in the manner of "Programming in Lua" makes tables of files their own __index,
// in any hook anew, and leaves nothing behind. A frozen table also takes the events that it has.
func TestIndexOfItselfInHooks(t *testing.T) {
	s := start(t, "a.lua", `
local Account, Other = { balance = 1, tag = "a" }, { other = 5 }
function Account:new(o)
  o = setmetatable(o or {}, self)
  self.__index = self
  return o
end
function Account:deposit(v) self.balance = self.balance + v return self end
local Loaded = Other
local Special = setmetatable({ limit = 7 }, { __index = Account, __newindex = function() error("no new index") end })
local Plain = {}
function Plain.new() local o = setmetatable({}, Plain) rawset(Plain, "__index", Plain) return o end
function Plain:what() return "plain" end
local function twice() return 2 end
local Second = { __index = Other, __len = twice }
X = object "X" { state = { n = 0 } }
function X:tick()
  print(rawget(Account, "__index"), Second.__index == Other, #Account, (pcall(setmetatable, Account, Other)))
  local a = Account:new { balance = 5 }
  local b = a:new():deposit(2)
  a.__index = nil
  print(a:deposit(3).balance, b.balance, b.tag, rawget(a, "tag"), Plain.new():what())
  Second.__index = Second
  print(setmetatable({}, Second).other, Second.__index == Second)
  Second.__len = twice
  print(pcall(function() Account.tag = "a" end))
  print(pcall(function() Account.__index = Other end))
  print(pcall(function() X.__index = X end))
  print((pcall(function() Special:new() end)))
  local keys = {} for k in pairs(Account) do keys[#keys + 1] = k end
  print(table.concat(keys, " "))
end`)
	slot, first := s.spawn("X"), 0
	const frozen = "Account is read-only: it is a table of the file, which is frozen after loading; declare what changes in state (self.Account, or game.Account), or make the table in the hook"
	want := []string{"nil\ttrue\t0\tfalse", "8\t7\tnil\tnil\tplain", "nil\ttrue", "false\ta.lua:26: " + frozen, "false\ta.lua:27: " + frozen,
		"false\ta.lua:28: ", "false", "__index balance deposit new tag"}
	for i := range 3 {
		s.lines = nil
		if err := s.call(world.OnTick, slot, world.Args{}); err != nil {
			t.Fatal(err)
		}
		if first == 0 {
			first = s.vm.Instructions()
		}
		if first != s.vm.Instructions() || len(s.lines) != len(want) {
			t.Errorf("tick %d: %d instructions, not %d; %q", i, s.vm.Instructions(), first, s.lines)
			continue
		}
		for j, l := range s.lines {
			if _, got, _ := strings.Cut(l, ": "); !strings.HasPrefix(got, want[j]) {
				t.Errorf("tick %d: %q, not %q", i, got, want[j])
			}
		}
	}
}

// TestWeakTables: a table of a file with weak keys has entries for what a hook has made until the hook ends, and no
// others.
func TestWeakTables(t *testing.T) {
	s := start(t, "a.lua", `
local C = require("lib.classes")
local Known = C.class("Known")
X = object "X" { state = { n = 0 } }
function X:tick()
  self.n = self.n + 1
  local A = C.class("A")
  local a, b = A(), Known()
  C.forget(b)
  local f = function() return a end
  C.names[f] = "f"
  local out = {}
  for c, name in pairs(C.names) do out[#out + 1] = name end
  print(C.isClass(A), C.isClass(a), C.count(), C.alive(a), C.alive(b), table.concat(out, " "))
  for _, wrong in ipairs({ "text", 5, true, self, Known, C.count, print }) do
    if pcall(function() C.names[wrong] = 1 end) then print("wrote under", type(wrong)) end
  end
  print(pcall(function() C.values[{}] = 1 end))
  print(pcall(function() C.lists[{}] = 1 end))
end`, "lib/classes.lua", `
local C = { values = setmetatable({}, { __mode = "v" }), lists = setmetatable({ 1 }, { __mode = "k" }) }
C.names = setmetatable({}, { __mode = "k" })
local alive = setmetatable({}, { __mode = "kv" })
function C.class(name)
  local c = {}
  C.names[c] = name
  return setmetatable(c, { __call = function() local o = { of = c } rawset(alive, o, c) return o end })
end
function C.isClass(c) return C.names[c] ~= nil end
function C.alive(o) return alive[o] ~= nil end
function C.forget(o) alive[o] = nil end
function C.count() local n = 0 for _ in pairs(alive) do n = n + 1 end return n end
return C`)
	slot := s.spawn("X")
	first := 0
	for i := range 3 {
		s.lines = nil
		if err := s.call(world.OnTick, slot, world.Args{}); err != nil {
			t.Fatal(err)
		}
		if first == 0 {
			first = s.vm.Instructions()
		}
		_, got, _ := strings.Cut(s.lines[0], ": ")
		if want := "true\tfalse\t1\ttrue\tfalse\tKnown A f"; got != want || len(s.lines) != 3 || first != s.vm.Instructions() {
			t.Errorf("tick %d: %d instructions, not %d, %q", i, s.vm.Instructions(), first, s.lines)
		}
		for _, l := range s.lines[1:] {
			if !strings.Contains(l, "false\ta.lua") || !strings.Contains(l, "this table is read-only") {
				t.Errorf("%q", l)
			}
		}
	}
}
