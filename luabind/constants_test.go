package luabind

import (
	"slices"
	"strings"
	"testing"
)

// TestFieldPlace: also of a class that a function declares, where its keys are not known.
func TestFieldPlace(t *testing.T) {
	p, err := NewProgram(bundle("a.lua", "A = object \"A\" {\n  state = { n = 0 },\n  aux = {\n    m = 0 } }\n"+
		"local function class(name) return object(name) { state = { n = 0 } } end\nB = class(\"B\")"), testSetup)
	if err != nil {
		t.Fatal(err)
	}
	vm := p.NewVM()
	for _, c := range []struct {
		class, field string
		aux          bool
		line         int
	}{{"A", "n", false, 2}, {"A", "m", true, 4}, {"B", "n", false, 5}, {"C", "n", false, 0}} {
		file, line, ok := vm.FieldPlace(c.class, c.field, c.aux)
		if ok != (c.line > 0) || line != c.line || ok && file != "a.lua" {
			t.Errorf("%s.%s: %s:%d, %v; want line %d", c.class, c.field, file, line, ok, c.line)
		}
	}
}

func TestConstantChanges(t *testing.T) {
	vm := func(props string) *VM {
		p, err := NewProgram(bundle("a.lua", "local shared = { 1 }\nA = object \"A\" { objProps = { "+props+" } }\nB = object \"B\" {}"), testSetup)
		if err != nil {
			t.Fatal(err)
		}
		return p.NewVM()
	}
	a := vm(`power = 2, name = "x", wings = { { span = 1 }, { span = 2 } }, gone = true, x = shared, y = shared`)
	b := vm(`power = 2.5, name = "y", wings = { { span = 1 }, { span = 3 } }, new = { 1 }, x = shared, y = shared`)
	want := []string{"A.objProps.gone removed (it was true)", `A.objProps.name was "x", is "y"`, "A.objProps.new[1] added (1)", "A.objProps.power was 2, is 2.5", "A.objProps.wings[2].span was 2, is 3"}
	if got := ConstantChanges(a, b); !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if got := ConstantChanges(a, a); len(got) > 0 {
		t.Errorf("nothing has changed: %q", got)
	}
}

// TestHookChanges: of hooks that do nothing at once, those are named whose code differs, or that of a function or a
// constant of the file which they use. Lines and comments are no code.
func TestHookChanges(t *testing.T) {
	const text = `local COUNT, speeds = 4, { 1, 2 }
local function more() return COUNT + 1 end
A = object "A" { input = { Go = "bool" }, state = { n = 0 } }
function A:applyInput(input) self.n = self.n + 1 end
function A:onSpawn() self.n = speeds[1] end
function onStart() for _ = 1, more() do spawn("A", { n = 5 }) end end
function onJoin(player) spawn("A", { owner = player }) end
`
	vm := func(text string) *VM {
		p, err := NewProgram(bundle("game.lua", text), testSetup)
		if err != nil {
			t.Fatal(err)
		}
		return p.NewVM()
	}
	const later = "game: hook onStart changed, which runs when a level begins: another seed in game.toml begins anew"
	was := vm(text)
	for _, c := range []struct{ old, new, want string }{
		{"", "", ""},
		{"function onStart", "\n-- a comment\nfunction onStart", ""},
		{"self.n + 1", "self.n + 2", ""},
		{"n = 5", "n = 6", later},
		{"COUNT + 1", "COUNT + 2", later},
		{"= 4,", "= 5,", later},
		{"speeds[1]", "speeds[2]", "A: hook onSpawn changed, which runs for objects that spawn from now on"},
		{"owner = player", "owner = player, n = 1", "game: hook onJoin changed, which runs for who joins from now on"},
	} {
		if got := strings.Join(HookChanges(was, vm(strings.Replace(text, c.old, c.new, 1))), "\n"); got != c.want {
			t.Errorf("%q for %q: %q, want %q", c.new, c.old, got, c.want)
		}
	}
}
