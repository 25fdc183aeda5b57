package luabind

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/hindcast/hindcast/luabind/internal/api"
	"github.com/hindcast/hindcast/world"
	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/parse"
)

// attack is a script that tries to run for ever, to use all memory, to break the
// interpreter, or to reach what it must not: a file of testdata/hostile. If its name begins
// with game_, it is the game.lua. Its second line says what happens: "fine", a part of an
// error of one of its hooks, or "refused:" and a part of the error with which it is refused.
// runtime/simtest runs the same files on a host with players.
type attack struct {
	file, text, want string
	refused          bool
}

func attacks(t testing.TB) (out []attack) {
	t.Helper()
	files, err := filepath.Glob("testdata/hostile/*.lua")
	if err != nil || len(files) < 80 {
		t.Fatalf("%d hostile scripts, %v", len(files), err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.SplitN(string(text), "\n", 3)
		want, ok := strings.CutPrefix(lines[1], "-- expect: ")
		if !ok {
			t.Fatalf("%s does not say what is expected", file)
		}
		want, refused := strings.CutPrefix(want, "refused: ")
		name := filepath.Base(file)
		if strings.HasPrefix(name, "game_") {
			name = api.GameFile
		}
		out = append(out, attack{name, string(text), want, refused})
	}
	return out
}

// TestHostileScripts runs the hook tick of X of each script, or checks that the script is
// refused.
func TestHostileScripts(t *testing.T) {
	ran := 0
	for _, c := range attacks(t) {
		t.Run(strings.TrimPrefix(strings.SplitN(c.text, "\n", 2)[0], "-- "), func(t *testing.T) {
			prog, err := NewProgram(bundle(c.file, c.text+"\nH = object 'H' { state = { h = 0 } }\nfunction H:tick() self.h = self.h + 1 end"), testSetup)
			if c.refused {
				seeRefused(t, c, err)
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			ran++
			s := &testScene{t: t, vm: prog.NewVM(), w: world.New()}
			s.w.Load(nil, prog.Schema())
			s.w.Begin()
			s.w.SpawnLevel(func(int, *world.Event) {})
			s.w.BeginOrder()
			s.attack(c)
		})
	}
	if ran < 100 {
		t.Errorf("%d scripts ran", ran)
	}
}

// attack runs the hooks and checks that the VM works as before afterwards.
func (s *testScene) attack(c attack) {
	healthy, attacker := s.place("H"), s.place("X")
	s.order()
	first := s.call(world.OnTick, attacker, world.Args{})
	if alone := !strings.Contains(c.text, "Y = object"); alone && s.w.Class(attacker).Hooks == 1<<world.OnTick { // others play their part on a host
		s.outcome(first, c.want)
	}
	for range 3 {
		if err := s.call(world.OnTick, healthy, world.Args{}); err != nil {
			s.t.Fatalf("the hook after it: %v", err)
		}
	}
	if n := s.field(healthy, "h"); n != 3 {
		s.t.Errorf("%v of three hooks counted", n)
	}
	again := s.call(world.OnTick, attacker, world.Args{})
	if (first == nil) != (again == nil) || first != nil && !strings.Contains(c.text, "spawn") && first.Error() != again.Error() {
		s.t.Errorf("first %v, then %v", first, again)
	}
	for i := 0; s.call(world.OnTick, attacker, world.Args{}) == nil && i < 3; i++ {
	}
	if spent := s.w.Actor().Calls().Spent(attacker); spent > OrderInstructions {
		s.t.Errorf("%d instructions in one tick", spent)
	}
}

func seeRefused(t *testing.T, c attack, err error) {
	t.Helper()
	if err == nil {
		t.Fatalf("accepted; %q was to be said", c.want)
	}
	if !strings.Contains(err.Error(), c.want) {
		t.Errorf("%v, not %q", err, c.want)
	}
	for _, e := range scriptErrors(t, err) {
		if e.File != c.file || e.Line < 1 || strings.Contains(e.Message, "internal") {
			t.Errorf("%+v", e)
		}
	}
}

// TestOrderBudget: many hooks of one object in one order share a budget.
func TestOrderBudget(t *testing.T) {
	s := start(t, "a.lua", "X = object \"X\" { state = { n = 0 } }\nfunction X:onTrigger()\n  for i = 1, 20000 do end\n  self.n = self.n + 1\nend")
	x, y := s.spawn("X"), s.spawn("X")
	var err error
	runs := 0
	for ; err == nil && runs < 100; runs++ {
		err = s.call(world.OnTrigger, x, world.Args{})
	}
	spent := OrderInstructions - s.vm.lang.limits().most
	want := fmt.Sprintf("a.lua:3: the hooks of one X used up their budget of 400000 instructions: those before this one, "+
		"X:onTrigger, used %d, and this one the %d that were left, almost all of it in line 3; is there", spent, OrderInstructions-spent)
	if runs < 15 || runs > 30 || spent < 300_000 || !strings.Contains(err.Error(), want) {
		t.Errorf("after %d hooks: %v, not %s", runs, err, want)
	}
	if err = s.call(world.OnTrigger, x, world.Args{}); err == nil || !strings.Contains(err.Error(), "a.lua:2: the hooks of one X used up their budget of 400000 instructions: those before this one, X:onTrigger, used all of it; ") || !scriptErrors(t, err)[0].Budget {
		t.Errorf("%v", err)
	}
	if err := s.call(world.OnTrigger, y, world.Args{}); err != nil {
		t.Errorf("another object: %v", err)
	}
	s.order()
	if err := s.call(world.OnTrigger, x, world.Args{}); err != nil {
		t.Errorf("in the next order: %v", err)
	}
}

// TestBudgetsOfOnSpawn: an error about a budget of onSpawn says that it had half of what its spawner had left.
func TestBudgetsOfOnSpawn(t *testing.T) {
	for _, c := range []struct{ spawner, born, want string }{
		{`for i = 1, 20000 do end spawn("Y")`, `while true do end`, `a.lua:4: Y:onSpawn used up its budget of 39\d\d\d instructions, half of what the hook that spawned the object had left, almost all of it in line 4; is`},
		{`spawn("Y")`, `local t while true do t = { t } end`, `a.lua:4: Y:onSpawn used up its budget of 511 KiB of memory, half of what the hook that spawned the object had left, almost all of it in line 4; tables,`},
		{`spawn("Y") while true do end`, ``, `a.lua:2: X:tick used up its budget of 100000 instructions, almost all of it in line 2; is`},
		{`spawn("Y") local t while true do t = { t } end`, ``, `a.lua:2: X:tick used up its budget of 1024 KiB of memory, almost all of it in line 2; tables,`},
	} {
		s := start(t, "a.lua", "X = object \"X\" {}\nfunction X:tick() "+c.spawner+" end\nY = object \"Y\" {}\nfunction Y:onSpawn() "+c.born+" end")
		var faults []string
		if err := s.call(world.OnTick, s.spawn("X"), world.Args{}); err != nil {
			faults = append(faults, err.Error())
		}
		for _, f := range s.w.Faults() {
			faults = append(faults, f.Err.Error())
		}
		if !regexp.MustCompile(c.want).MatchString(strings.Join(faults, "\n")) {
			t.Errorf("%s, %s: %q, not %s", c.spawner, c.born, faults, c.want)
		}
	}
}

// outcome compares an error with the expected one.
func (s *testScene) outcome(err error, want string) {
	s.t.Helper()
	if want == "fine" {
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
	if strings.Contains(e.Message, "internal") || strings.Contains(e.Message, "runtime error") || s.vm.states.broken {
		s.t.Errorf("the interpreter failed: %v", err)
	}
	if e.File == "" || e.Line < 1 || e.Object == 0 || e.Class != "X" || e.Tick == 0 {
		s.t.Errorf("the error lacks its place: %+v", e)
	}
	if e.Budget != (strings.Contains(want, "budget") || strings.Contains(want, "too deep")) {
		s.t.Errorf("Budget = %v: %v", e.Budget, err)
	}
}

// unverified compiles a function as gopher-lua does, without our checks and rewrites.
func unverified(t testing.TB, vm *VM, text string) *lua.LFunction {
	t.Helper()
	tree, err := parse.Parse(strings.NewReader(text), "a.lua")
	if err != nil {
		t.Fatal(err)
	}
	proto, err := lua.Compile(tree, "a.lua")
	if err != nil {
		t.Fatal(err)
	}
	return vm.states.first().NewFunctionFromProto(proto)
}

// TestInterpreterPanics: if gopher-lua panics, the hook fails, and the VM gets a new
// interpreter.
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
		return &s.vm.objects.classes[i]
	}
	class("X").hooks[world.OnTick] = unverified(t, s.vm, panics)
	err := s.call(world.OnTick, x, world.Args{})
	if err == nil || !strings.Contains(err.Error(), "internal error") {
		t.Fatalf("no panic: %v", err)
	}
	if se := scriptErrors(t, err)[0]; !se.Panic || se.Object == 0 {
		t.Errorf("%+v", se)
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
	if f := s.w.Faults(); len(f) != 1 || f[0].Class != "Y" || s.w.Actor().Calls().Acting() != -1 {
		t.Errorf("%+v", f)
	}
	if err := s.call(world.OnTrigger, x, world.Args{}); err != nil || len(s.w.Faults()) != 1 {
		t.Errorf("%v, %+v", err, s.w.Faults())
	}
	if n := s.field(x, "n"); n != 22 {
		t.Errorf("n = %v", n)
	}
}

// TestBotPanics does the same for a bot.
func TestBotPanics(t *testing.T) {
	s := start(t, "a.lua", "X = object 'X' { input = { go = 'bool' } }")
	x := s.spawn("X")
	b, err := NewBot("a.lua", "function bot() return { go = true } end")
	if err != nil {
		t.Fatal(err)
	}
	for _, broken := range []*lua.LFunction{
		unverified(t, b.vm, "local function f(...) return f(1, ...) end f(1)"),
		b.vm.states.first().NewFunction(func(*lua.LState) int { panic("broken") }),
	} {
		b.vm.states.first().G.Global.RawSetString("bot", broken)
		if _, err := b.Decide(s.reader(), x, s.w.Class(x)); err == nil {
			t.Error("no panic")
		}
		if in, err := b.Decide(s.reader(), x, s.w.Class(x)); err != nil || in.Buttons != 1 {
			t.Errorf("afterwards: %+v, %v", in, err)
		}
	}
}

// TestHostileFiles loads files that attack the parser, the compiler or the loader.
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
		{"long string", `x = "` + strings.Repeat("a", 9000) + `"`, "at most 8192"},
		{"big table", "x = {" + strings.Repeat("1,", 30000) + "}", "at most 10000"},
		{"file too big", strings.Repeat("-- comment\n", 13000), "at most 131072"},
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
			_, err := NewProgram(bundle("a.lua", c.text), testSetup)
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
					if e.File == "" || e.Line < 1 || strings.Contains(e.Message, "internal") {
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
		b.WriteString(strconv.Itoa(i) + ",")
	}
	return b.String() + "}"
}
