package luabind

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/hindcast/hindcast/runtime/simtest/draws"
	"github.com/hindcast/hindcast/world"
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

// TestProgramsRunTheSame is FuzzPrograms without a fuzzer.
func TestProgramsRunTheSame(t *testing.T) { draws.Check(t, runsTheSame) }

func runsTheSame(r *rapid.T) {
	body := generate(r)
	prog, err := NewProgram(bundle("a.lua", "X = object 'X' {}\nfunction X:tick()\n"+body+"\nend"), testSetup)
	if err != nil {
		r.Fatalf("refused: %v\n%s", err, body)
	}
	outcome := func() (lines []string) {
		vm, w := prog.NewVM(), world.New()
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
	first, second := outcome(), outcome()
	if !slices.Equal(first, second) || strings.Contains(strings.Join(first, "\n"), "internal") {
		r.Fatalf("%v\nthen %v\n%s", first, second, body)
	}
}

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
