package luabind

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hindcast/hindcast/luabind/internal/ident"
	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/hindcast/hindcast/runtime/simtest/draws"
	"github.com/hindcast/hindcast/world"
	lua "github.com/yuin/gopher-lua"
	"pgregory.net/rapid"
)

// FuzzCompile passes any text to the compiler. The compiler may refuse it with a file and a
// line; it must not panic, hang or report an internal error. Text that it accepts is run.
func FuzzCompile(f *testing.F) {
	f.Add(shipLua)
	f.Add(actors)
	for _, p := range puzzles {
		f.Add("X = object 'X' {} function X:tick() " + p[1] + " end")
	}
	for _, a := range attacks(f) {
		f.Add(a.text)
	}
	f.Add("game { state = { n = 1 } } function tick() game.n = game.n ^ 2 .. 'x' end")
	f.Fuzz(func(t *testing.T, text string) {
		prog, err := NewProgram([]world.Source{{Name: "game.lua", Text: text}}, testSetup)
		if err != nil {
			for _, e := range scriptErrors(t, err) {
				if e.Line < 1 || e.File == "" || strings.Contains(e.Message, "internal") && !strings.Contains(text, "internal") {
					t.Errorf("%+v", e)
				}
			}
		} else {
			runAll(t, prog, text)
		}
	})
}

// FuzzPrograms generates valid programs that end, from all kinds of statements, and runs them
// as hooks. None may break the interpreter, and each does the same when it runs again.
func FuzzPrograms(f *testing.F) {
	f.Add([]byte("a few bytes are enough for a first program"))
	f.Fuzz(rapid.MakeFuzz(runsTheSame))
}

func runsTheSame(r *rapid.T) { runsTheSameUsing(r, used{}) }

// used counts the programs that have used a function of the library or a metamethod, by its name.
type used map[string]int

// runsTheSameUsing also counts what the program uses.
func runsTheSameUsing(r *rapid.T, all used) {
	body, module := generate(r)
	prog, err := NewProgram(bundle("a.lua", "X = object 'X' {}\nfunction X:tick()\n"+body+"\nend", "lib/m.lua", module), testSetup)
	if err != nil {
		r.Fatalf("refused: %v\n%s\n%s", err, module, body)
	}
	of := used{}
	outcome := func(watch bool) (lines []string) {
		vm, w := prog.NewVM(), world.New()
		if watch {
			of.watch(vm, body)
		}
		w.Print = func(_ world.Tick, _ world.ObjectID, line string) { lines = append(lines, line) }
		w.Load(nil, prog.Schema())
		w.Begin()
		w.SpawnLevel(func(int, *world.Event) {})
		w.BeginOrder()
		game, _ := w.Match()
		w.Act(game)
		slot, err := w.Spawn("X", world.Placement{})
		w.Act(-1)
		if err == nil {
			err = vm.Call(w.Actor(), world.OnTick, slot, &world.Args{})
		}
		if err != nil {
			lines = append(lines, err.Error())
		}
		return append(lines, fmt.Sprint(vm.lang.budget.left, vm.lang.budget.memory))
	}
	first, second := outcome(true), outcome(false)
	for _, l := range first {
		if _, event, ok := strings.Cut(l, ": event "); ok {
			of[event]++
		}
	}
	// order: sums
	for name := range of {
		all[name]++
	}
	if !slices.Equal(first, second) || strings.Contains(strings.Join(first, "\n"), "internal") {
		r.Fatalf("%v\nthen %v\n%s\n%s", first, second, module, body)
	}
}

// watch counts the functions that a program calls, and the constants that its text names.
func (u used) watch(vm *VM, body string) {
	// order: each is changed alone
	for name := range calls {
		fn, ok := vm.env.provided(name).(*lua.LFunction)
		if !ok {
			if strings.Contains(body, name) {
				u[name]++
			}
			continue
		}
		call := fn.GFunction
		fn.GFunction = func(L *lua.LState) int {
			u[name]++
			return call(L)
		}
	}
}

// TestProgramsRunTheSame is FuzzPrograms without a fuzzer. It also shows that the programs use each function of Lua 5.1
// that the library has, and each metamethod.
func TestProgramsRunTheSame(t *testing.T) {
	all, kept := used{}, append(keptNames(t), events...)
	draws.Until(t, 0, func() string {
		var missing []string
		for _, name := range kept {
			if all[name] < leastUsed {
				missing = append(missing, name)
			}
		}
		if len(missing) == 0 {
			return ""
		}
		return fmt.Sprintf("fewer than %d generated programs use %s", leastUsed, strings.Join(missing, ", "))
	}, func(r *rapid.T) { runsTheSameUsing(r, all) })
	for _, name := range kept {
		t.Logf("%4d %s", all[name], name)
	}
}

// leastUsed is how many generated programs use each function and each metamethod.
const leastUsed = 3

// events are the names of metatables' fields that mean something. __gc means nothing here.
var events = []string{"__add", "__call", "__concat", "__div", "__eq", "__index", "__le", "__len", "__lt", "__metatable",
	"__mod", "__mode", "__mul", "__newindex", "__pow", "__sub", "__tostring", "__unm"}

// TestCallsAreKept: there are expressions for each function of Lua 5.1 that the library has, and for no other.
func TestCallsAreKept(t *testing.T) {
	kept := keptNames(t)
	for _, name := range kept {
		if len(calls[name]) == 0 {
			t.Errorf("%s is a function of Lua 5.1, and no generated program uses it: add it to calls", name)
		}
	}
	for _, name := range calledNames {
		if !slices.Contains(kept, name) {
			t.Errorf("%s is among calls, and Lua 5.1 or the library does not have it", name)
		}
	}
}

// keptNames are the names of Lua 5.1 that the library has, sorted.
func keptNames(t *testing.T) (kept []string) {
	vm := start(t, "a.lua", "").vm
	names := []string{"_VERSION"}
	for _, e := range vm.globals() {
		names = append(names, e.Name)
	}
	for _, table := range vm.libraryTables() {
		for _, e := range table.Entries {
			names = append(names, table.Name+"."+e.Name)
		}
		for _, n := range ident.Keys(table.Numbers) {
			names = append(names, table.Name+"."+n)
		}
	}
	all := strings.Fields(lua51Names)
	for _, n := range names {
		if slices.Contains(all, n) {
			kept = append(kept, n)
		}
	}
	slices.Sort(kept)
	return kept
}

// lua51Names are the names that PUC Lua 5.1 has, sorted: an external test compares. math.random is left out, because the
// world has a random of its own, and two programs draw different numbers.
const lua51Names = `
_VERSION assert collectgarbage coroutine.create coroutine.resume coroutine.running coroutine.status coroutine.wrap
coroutine.yield debug.debug debug.getfenv debug.gethook debug.getinfo debug.getlocal debug.getmetatable
debug.getregistry debug.getupvalue debug.setfenv debug.sethook debug.setlocal debug.setmetatable debug.setupvalue
debug.traceback dofile error gcinfo getfenv getmetatable io.close io.flush io.input io.lines io.open io.output
io.popen io.read io.stderr io.stdin io.stdout io.tmpfile io.type io.write ipairs load loadfile loadstring math.abs
math.acos math.asin math.atan math.atan2 math.ceil math.cos math.cosh math.deg math.exp math.floor math.fmod
math.frexp math.huge math.ldexp math.log math.log10 math.max math.min math.mod math.modf math.pi math.pow math.rad
math.randomseed math.sin math.sinh math.sqrt math.tan math.tanh module newproxy next os.clock os.date os.difftime
os.execute os.exit os.getenv os.remove os.rename os.setlocale os.time os.tmpname pairs pcall print rawequal rawget
rawset require select setfenv setmetatable string.byte string.char string.dump string.find string.format
string.gfind string.gmatch string.gsub string.len string.lower string.match string.rep string.reverse string.sub
string.upper table.concat table.foreach table.foreachi table.getn table.insert table.maxn table.remove table.setn
table.sort tonumber tostring type unpack xpcall
`

// runAll runs each hook of each class once.
func runAll(t *testing.T, prog *Program, text string) {
	s := &testScene{t: t, vm: prog.NewVM(), w: world.New()}
	s.w.Load(nil, prog.Schema())
	s.w.Begin()
	s.w.SpawnLevel(func(int, *world.Event) {})
	s.w.BeginOrder()
	game, _ := s.w.Match()
	for i := range prog.Schema().Classes {
		c := &prog.Schema().Classes[i]
		slot := game
		if c.Name == world.WallClass || c.Name == world.JointClass {
			continue
		}
		if c.Name != world.GameClass {
			prev := s.w.Act(game)
			made, err := s.w.Spawn(c.Name, world.Placement{})
			s.w.Act(prev)
			if err != nil {
				continue
			}
			slot = made
		}
		for h := range world.HookCount {
			err := s.call(h, slot, world.Args{Other: world.MatchID})
			if err == nil {
				continue
			}
			e := scriptErrors(t, err)[0]
			if e.File == "" || e.Line < 1 || strings.Contains(e.Message, "internal error") && !strings.Contains(text, "internal") {
				t.Errorf("%s of %s: %+v", h, c.Name, e)
			}
		}
		if spent := s.w.Actor().Calls().Spent(slot); spent > OrderInstructions {
			t.Errorf("%s: %d instructions in one tick", c.Name, spent)
		}
	}
}

// FuzzNumbers checks that a number that is written as text is read back as nearly the same
// number.
func FuzzNumbers(f *testing.F) {
	for _, s := range []string{"1", "0x1f", "1e5", "-3.25", " 7 ", "010", "1e400", ".5", "5.", "0x", "e5", "--1", "1_0", "inf", "nan", "0b1"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		v, ok := syntax.ParseNumber(s)
		if !ok {
			return
		}
		if v != v {
			t.Errorf("%q is read as NaN", s)
		}
		shown := formatNumber(v)
		again, ok := syntax.ParseNumber(shown)
		if v-v == 0 && (!ok || formatNumber(again) != shown) {
			t.Errorf("%q is %v, shown as %q, read as %v", s, v, shown, again)
		}
	})
}
