package luabind

import (
	"strings"
	"testing"
	"time"

	"github.com/hindcast/hindcast/world"
	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/parse"
)

// hostile are hooks that try to run for ever, to take all memory, to break the
// interpreter, or to reach what is not theirs. want is part of the error; ""
// means that the hook ends well.
var hostile = []struct{ name, body, want string }{
	{"endless loop", `while true do end`, "budget"},
	{"endless repeat", `repeat until false`, "budget"},
	{"endless for", `for i = 1, math.huge do end`, "budget"},
	{"for that does not move", `for i = 2, 2, 0 do end`, "budget"},
	{"endless recursion", `local function f() return 1 + f() end f()`, "too deep"},
	{"endless tail recursion", `local function f() return f() end f()`, "too deep"},
	{"endless method recursion", `self:again()`, "too deep"},
	{"recursion through sort", `local function f() table.sort({2, 1}, function(a, b) f() return a < b end) end f()`, "too deep"},
	{"varargs that grow", `local function f(...) return f(1, ...) end f(1)`, "too deep"},
	{"varargs that grow, not in a tail", `local function f(...) local x = f(1, ...) return x end f(1)`, "too deep"},
	{"varargs that double", `local function f(...) return f(..., ...) end f(1, 2)`, "too deep"},
	{"varargs doubled into tables", `local t = {1, 2} for i = 1, 40 do t = {unpack(t), unpack(t)} local u = {unpack(t)} end`, ""},
	{"string that doubles", `local s = 'x' while true do s = s .. s end`, "at most 1024"},
	{"string that grows", `local s = '' while true do s = s .. 'xxxxxxxx' end`, "at most 1024"},
	{"strings kept", `local t = {} local s = string.rep('x', 1000) for i = 1, 1e9 do t[i] = s .. i end`, "budget"},
	{"string.rep bomb", `string.rep('x', 1e9)`, "at most 1024"},
	{"string.rep of much", `string.rep(string.rep('x', 1000), 1e300)`, "at most 1024"},
	{"string.rep of nothing", `string.rep('', 1e308)`, ""},
	{"string.format bomb", `string.format('%99.99f', 1e308)`, ""},
	{"string.format wide", `string.format('%999999d', 1)`, "no directive"},
	{"string.format many", `string.format(string.rep('%99d', 200), 1)`, "more than"},
	{"concat bomb", `local t = {} for i = 1, 2000 do t[i] = 'xxxxxxxxxx' end table.concat(t)`, "at most 1024"},
	{"table.concat without end", `table.concat({}, '', 1, 2^31)`, "joins strings"},
	{"unpack without end", `unpack({}, 1, 1e8)`, "at most"},
	{"unpack below", `unpack({}, -1e9, 1)`, "at most"},
	{"list without end", `local t = {} for i = 1, 1e9 do t[i] = i end`, "budget"},
	{"list by insert", `local t = {} while true do table.insert(t, 1) end`, "budget"},
	{"list by insert in front", `local t = {} while true do table.insert(t, 1, 1) end`, "budget"},
	{"insert nil in the middle", `local t = {1, 2, 3} while true do table.insert(t, 2, nil) end`, "budget"},
	{"keys without end", `local t = {} local i = 0 while true do i = i + 1 t['k' .. i] = i end`, "budget"},
	{"tables in tables", `local t = {} while true do t = {t} end`, "budget"},
	{"tables with a key", `local t = {} while true do t = {x = t} end`, "budget"},
	{"far index", `local t = {} t[65535] = 1`, "budget"},
	{"far index in a constructor", `local t = {[65535] = 1}`, "budget"},
	{"huge index", `local t = {} t[67108863] = 1 t[1e15] = 1 t[-5] = 1 t[0.5] = 1`, ""},
	{"length over nils", `local t = {} for i = 1, 9000 do t[i] = i end for i = 1, 9000 do t[i] = nil end while true do local n = #t end`, "budget"},
	{"nils in a constructor", `local function n() end while true do local t = {n(), nil, n(), nil} local x = #t end`, "budget"},
	{"sort with a liar", `local t = {} for i = 1, 200 do t[i] = i end table.sort(t, function() return true end)`, ""},
	{"sort with chance", `local t = {} for i = 1, 200 do t[i] = i end table.sort(t, function() return random() < 0.5 end)`, ""},
	{"sort with an error", `local t = {3, 2, 1} table.sort(t, function(a, b) error('no') end)`, "no"},
	{"sort that changes the list", `local t = {3, 2, 1} table.sort(t, function(a, b) t[1] = nil t[9] = 1 return a < b end)`, ""},
	{"sort of much", `local t = {} for i = 1, 5000 do t[i] = -i end while true do table.sort(t) end`, "budget"},
	{"pairs of much", `local t = {} for i = 1, 3000 do t[i] = i end while true do for k in pairs(t) do break end end`, "budget"},
	{"next of much", `local t = {} for i = 1, 3000 do t[i] = i end while true do next(t, 5) end`, "budget"},
	{"closures without end", `local t = {} while true do local x = 1 t[#t + 1] = function() return x end end`, "budget"},
	{"open variables and many returns", openVariables, "budget"},
	{"find in long text", `local s = string.rep('a', 1000) while true do string.find(s, 'aaab', 1, true) end`, "budget"},
	{"compare long text", `local a, b = string.rep('a', 1000) .. 'x', string.rep('a', 1000) .. 'x' while a <= b do end`, "budget"},
	{"equal long text", `local a, b = string.rep('a', 1000) .. 'x', string.rep('a', 1000) .. 'x' while a == b do end`, "budget"},
	{"long text as keys", `local t, k = {}, string.rep('a', 1000) while true do t[k] = 1 end`, "budget"},
	{"pattern bomb", `string.find(string.rep('a', 100), 'a*a*a*a*a*a*b')`, "budget"},
	{"queries without end", `while true do objects('X') overlapCircle(0, 0, 5) raycast(0, 0, 1, 1) end`, "budget"},
	{"print without end", `while true do print('x') end`, "budget"},
	{"spawn without end", `while true do spawn('X') end`, "too many"},
	{"random without end", `while true do random(5) end`, "budget"},
	{"tonumber of long text", `local s = string.rep('9', 1000) while true do tonumber(s) end`, "budget"},
	{"arithmetic on long text", `local s = string.rep('9', 100) while true do local x = s + 1 end`, "budget"},
	{"select far", `select(1e9, 1, 2)`, ""},
	{"select of minus infinity", `select(-1/0, 1)`, "fewer"},
	{"many arguments", `print(unpack({}, 1, 249))`, ""},
	{"error with a table", `error({code = 5})`, "an error value of type table"},
	{"error with nothing", `error()`, "an error value of type nil"},
	{"error with a function", `error(print)`, "an error value of type function"},
	{"error that lies", `error('x.lua:99: not here', 0)`, "not here"},
	{"call a number", `local x = 5 x()`, "not a function"},
	{"call a table", `local t = {} t()`, "not a function"},
	{"nil method", `self:nothing()`, "no field or method nothing"},
	{"write to the library", `math.floor = nil`, "read-only"},
	{"write to string", `local s = string s.len = print`, "read-only"},
	{"write to the class", `X.other = 1`, "read-only"},
	{"write to objProps", `self.objProps.x = 1`, "read-only"},
	{"replace objProps", `self.objProps = {}`, "cannot be changed"},
	{"change the class", `self.class = 'Y'`, "cannot be changed"},
	{"write to a global table", `shared.x = 1`, "read-only"},
	{"insert into a global table", `table.insert(shared, 1)`, "read-only"},
	{"sort a global table", `table.sort(shared)`, "read-only"},
	{"remove from a global table", `table.remove(shared)`, "read-only"},
	{"clear a global table", `for k in pairs(shared) do shared[k] = nil end`, "read-only"},
	{"write to a table in a closure", `hidden(1)`, "read-only"},
	{"write to a result", `local l = objects('X') l[1] = nil`, "read-only"},
	{"write to the arena", `arena.width = 5`, "read-only"},
	{"object in a hook", `object('Y')`, "while the files are loaded"},
	{"unfinished object in a hook", `maker {}`, "while the files are loaded"},
	{"str in a hook", `str(5)`, "while the files are loaded"},
	{"ref in a hook", `self.r = ref()`, "while the files are loaded"},
	{"a type as a value", `self.s = kind`, "does not fit"},
	{"steps of pairs mixed up", `local step = pairs({}) step(1, 2)`, "belong together"},
	{"steps of pairs on an object", `local step = pairs({}) step(self, 2)`, "belong together"},
	{"steps of pairs from anywhere", `local step, w = pairs({1}) step(w, {}) step(w, 0/0) step(w, self) step(w, 'x')`, ""},
	{"steps of ipairs mixed up", `local step = ipairs({}) step({}, 1e300) step({}, -1e300) step({}, 0/0)`, ""},
	{"game in a hook", `game {}`, "not a function"},
	{"field of a string", `local s = 'x' s.y = 1`, "set in something that has none"},
	{"handle as a key", `local t = {} t[self] = 1`, "cannot be a table key"},
	{"table as a key", `local t = {} t[{}] = 1`, "cannot be a table key"},
	{"handle of a function", `self.r = print`, "does not fit"},
	{"infinite number", `self.n = 1/0`, ""},
	{"infinite force", `self:setForce(1/0, 0)`, "finite"}, {"force on what has no body", `self:setForce(1, 0)`, "no body"},
	{"method without self", `self.getPosition()`, "colon"},
	{"method on a table", `self.remove({})`, "colon"},
	{"method on nothing", `self.valid(nil)`, "colon"},
	{"class member that is not there", `X.nothing.at.all = 1`, "has none (nil)"},
}

// openVariables keeps many captured variables open while it returns often.
const openVariables = `
local function tiny() end
local function deep(n)
  local a, b, c, d, e, f, g, h = 1, 2, 3, 4, 5, 6, 7, 8
  local all = function() return a + b + c + d + e + f + g + h end
  if n > 0 then return 1 + deep(n - 1) end
  while true do tiny() end
end
deep(100)`

const hostileGlobals = `
shared = { 3, 1, 2 }
maker = object "Y"
kind = str(4)
local secret = {}
function hidden(v) secret[1] = v end
X = object "X" { state = { n = 0, on = false, s = str(16), r = ref() }, objProps = { x = 5 } }
function X:again() return self:again() + 1 end
`

func TestHostileHooks(t *testing.T) {
	for _, c := range hostile {
		t.Run(c.name, func(t *testing.T) {
			s := start(t, "a.lua", hostileGlobals+"function X:tick()\n"+c.body+"\nend\nfunction X:onTrigger() self.n = self.n + 1 end")
			slot := s.spawn("X")
			began := time.Now()
			err := s.call(world.OnTick, slot, world.Args{})
			if took := time.Since(began); took > 2*time.Second {
				t.Errorf("took %v", took)
			}
			s.outcome(err, c.want)
			// The VM goes on as if nothing had happened.
			for range 3 {
				if err := s.call(world.OnTrigger, slot, world.Args{}); err != nil {
					t.Fatalf("the hook after it: %v", err)
				}
			}
			if n := s.field(slot, "n"); n != 3 && c.name != "infinite number" {
				t.Errorf("n = %v after three hooks", n)
			}
			again := s.call(world.OnTick, slot, world.Args{})
			if (err == nil) != (again == nil) || err != nil && !strings.Contains(c.name, "spawn") && err.Error() != again.Error() {
				t.Errorf("first %v, then %v", err, again)
			}
		})
	}
}

// outcome compares an error with what is wanted.
func (s *scene) outcome(err error, want string) {
	s.t.Helper()
	if want == "" {
		if err != nil {
			s.t.Errorf("failed: %v", err)
		}
		return
	}
	if err == nil {
		s.t.Fatalf("ended well, but %q was to stop it", want)
	}
	e := scriptErrors(s.t, err)[0]
	if !strings.Contains(e.Error(), want) || strings.Contains(e.Error(), "0xc0") {
		s.t.Errorf("%v, not %q", err, want)
	}
	if strings.Contains(e.Message, "internal") || strings.Contains(e.Message, "runtime error") || s.vm.broken {
		s.t.Errorf("the interpreter failed: %v", err)
	}
	if e.File != "a.lua" || e.Line < 1 || e.Object == 0 || e.Class != "X" || e.Tick == 0 {
		s.t.Errorf("the error lacks its place: %+v", e)
	}
	if e.Budget != (want == "budget" || want == "too deep") {
		s.t.Errorf("Budget = %v: %v", e.Budget, err)
	}
}

// unverified compiles a function as gopher-lua does it, tail calls and all.
func unverified(t *testing.T, vm *VM, text string) *lua.LFunction {
	t.Helper()
	tree, err := parse.Parse(strings.NewReader(text), "a.lua")
	if err != nil {
		t.Fatal(err)
	}
	proto, err := lua.Compile(tree, "a.lua")
	if err != nil {
		t.Fatal(err)
	}
	return vm.states[0].NewFunctionFromProto(proto)
}

// TestInterpreterPanics: should gopher-lua panic in spite of all, the hook
// fails, and the VM is made anew.
func TestInterpreterPanics(t *testing.T) {
	const panics = "local function f(...) return f(1, ...) end f(1)"
	s := start(t, "a.lua", `
X = object "X" { state = { n = 0 } }
function X:tick() self.n = self.n + 1 end
Y = object "Y" {}
function Y:onSpawn() end
function X:onTrigger() local y = spawn("Y") self.n = self.n + 10 end`)
	x := s.spawn("X")
	class := func(name string) *class {
		i, _ := s.vm.Schema().ClassByName(name)
		return &s.vm.classes[i]
	}
	class("X").hooks[world.OnTick] = unverified(t, s.vm, panics)
	err := s.call(world.OnTick, x, world.Args{})
	if err == nil || !strings.Contains(err.Error(), "internal error") {
		t.Fatalf("no panic: %v", err)
	}
	for range 2 {
		if err := s.call(world.OnTick, x, world.Args{}); err != nil {
			t.Fatal(err)
		}
	}
	class("Y").hooks[world.OnSpawn] = unverified(t, s.vm, panics)
	if err := s.call(world.OnTrigger, x, world.Args{}); err != nil {
		t.Fatal(err)
	}
	if f := s.w.Faults(); len(f) != 1 || f[0].Class != "Y" || s.w.Actor() != -1 {
		t.Errorf("%+v", f)
	}
	if err := s.call(world.OnTrigger, x, world.Args{}); err != nil || len(s.w.Faults()) != 1 {
		t.Errorf("%v, %+v", err, s.w.Faults())
	}
	if n := s.field(x, "n"); n != 22 {
		t.Errorf("n = %v", n)
	}
}

// TestBotPanics: the same for a bot.
func TestBotPanics(t *testing.T) {
	s := start(t, "a.lua", "X = object 'X' { input = { go = 'bool' } }")
	x := s.spawn("X")
	b, err := NewBot("a.lua", "function bot() return { go = true } end")
	if err != nil {
		t.Fatal(err)
	}
	for _, broken := range []*lua.LFunction{
		unverified(t, b.vm, "local function f(...) return f(1, ...) end f(1)"),
		b.vm.states[0].NewFunction(func(*lua.LState) int { panic("broken") }),
	} {
		b.fn = broken
		if _, err := b.Decide(s.w, x, s.w.Class(x)); err == nil {
			t.Error("no panic")
		}
		if in, err := b.Decide(s.w, x, s.w.Class(x)); err != nil || in.Buttons != 1 {
			t.Errorf("afterwards: %+v, %v", in, err)
		}
	}
}

// TestHostileFiles loads files that are made to hurt parser, compiler or loader.
func TestHostileFiles(t *testing.T) {
	deep := func(open, close string, n int) string {
		return strings.Repeat(open, n) + "1" + strings.Repeat(close, n)
	}
	for _, c := range []struct{ name, text, want string }{
		{"braces", "x = " + deep("{", "}", 20000), "nested"},
		{"parentheses", "x = " + deep("(", ")", 20000), "nested"},
		{"open braces", "x = " + strings.Repeat("{", 60000), "nested"},
		{"functions", "x = " + strings.Repeat("function() return ", 2500) + strings.Repeat(" end", 2500), "nested"},
		{"blocks", strings.Repeat("do ", 9000) + strings.Repeat(" end", 9000), "nested"},
		{"sums", "local y = 1 x = y" + strings.Repeat("+y", 30000), "chained"},
		{"concats", "local y = 1 x = y" + strings.Repeat("..y", 20000), "chained"},
		{"powers", "local y = 1 x = y" + strings.Repeat("^y", 30000), "chained"},
		{"nots", "local y = 1 x = " + strings.Repeat("not ", 15000) + "y", "chained"},
		{"minuses", "local y = 1 x = " + strings.Repeat("- ", 30000) + "y", "chained"},
		{"ands", "local y = 1 x = y" + strings.Repeat(" and y", 10000), "chained"},
		{"calls", "local y = type x = y" + strings.Repeat("()", 30000), "chained"},
		{"fields", "local y = {} x = y" + strings.Repeat(".y", 30000), "chained"},
		{"elseifs", "local y if y then " + strings.Repeat(" elseif y then ", 4000) + " end", "chained"},
		{"many constants", manyConstants(), "constants"},
		{"many locals", strings.Repeat("local a ", 300), "local variables"},
		{"many functions", strings.Repeat("x=function()end ", 4090), ""},
		{"long string", `x = "` + strings.Repeat("a", 5000) + `"`, "at most 1024"},
		{"big table", "x = {" + strings.Repeat("1,", 30000) + "}", "at most 10000"},
		{"file too big", strings.Repeat("-- comment\n", 7000), "at most 65536"},
		{"endless loop", "while true do end", "loading used up its budget of 2000000 instructions"},
		{"memory", "x = {} for i = 1, 1e9 do x[i] = {1, 2, 3, 4, a = 5, b = 6} end", "budget"},
		{"nested tables at run time", "x = {} for i = 1, 1e9 do x = {x} end", "budget"},
		{"recursion", "local function f() f() end f()", "too deep"},
		{"varargs panic", "local function f(...) return f(1, ...) end f(1)", "too deep"},
		{"closures", "x = {} for i = 1, 1e9 do local a, b = 1, 2 x[i] = function() return a + b end end", "budget"},
		{"unfinished string", "x = \"abc", "unterminated"},
		{"unfinished comment", "--[[ abc", "multiline"},
		{"unfinished block", "function f()", "ends too early"},
		{"rubbish", "@#!$%^&*", "Invalid token"},
		{"zero bytes", "x = 1\x00\x00", "Invalid token"},
		{"bad number", "x = 1e", "malformed"},
		{"bad hex", "x = 0x", "hexadecimal"},
		{"huge hex", "x = 0xffffffffffffffffff", "malformed"},
		{"goto", "do goto done ::done:: end", "goto"},
		{"dots outside", "print(...)", "outside"},
		{"constant target", `("x").y = 1`, "constant"},
		{"break outside", "break", "no loop"},
		{"world while loading", `objects("X")`, "does not exist yet"},
		{"random while loading", `x = random()`, "does not exist yet"},
		{"spawn while loading", `spawn("X")`, "does not exist yet"},
		{"game while loading", `game.x = 1`, "does not exist yet"},
		{"now while loading", `x = now()`, "does not exist yet"},
	} {
		t.Run(c.name, func(t *testing.T) {
			began := time.Now()
			_, err := Compile(bundle("a.lua", c.text), testSetup)
			if took := time.Since(began); took > 4*time.Second {
				t.Errorf("took %v", took)
			}
			switch {
			case c.want == "" && err != nil:
				t.Errorf("refused: %v", err)
			case c.want != "" && err == nil:
				t.Errorf("accepted; %q was to be said", c.want)
			case err != nil && !strings.Contains(err.Error(), c.want):
				t.Errorf("%v, not %q", err, c.want)
			}
			if err != nil {
				for _, e := range scriptErrors(t, err) {
					if e.File != "a.lua" || e.Line < 1 || strings.Contains(e.Message, "internal") {
						t.Errorf("%+v", e)
					}
				}
			}
		})
	}
}

func manyConstants() string {
	var b strings.Builder
	b.WriteString("x = {")
	for i := range 9000 {
		b.WriteString(itoa(i) + ",")
	}
	return b.String() + "}"
}
