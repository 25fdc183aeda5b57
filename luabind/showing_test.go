package luabind

import (
	"errors"
	"strings"
	"testing"

	"github.com/hindcast/hindcast/world"
)

// shown calls the function of show of a field of class X between two values.
func shown(vm *VM, field string, a, b world.Value, part float64) (world.Value, error) {
	class, _ := vm.Schema().ClassByName("X")
	c := &vm.Schema().Classes[class]
	for i := range c.Fields {
		if c.Fields[i].Name == field {
			return vm.ShowField(c, i, a, b, part)
		}
	}
	panic("no field " + field)
}

// loaded compiles one file.
func loaded(t *testing.T, text string) *VM {
	t.Helper()
	p, err := NewProgram(bundle("a.lua", text), testSetup)
	if err != nil {
		t.Fatal(err)
	}
	return p.NewVM()
}

// TestShowFunctions: a field of each kind, within lists and records too, is shown by its function.
func TestShowFunctions(t *testing.T) {
	vm := loaded(t, `
local WAY = { easing = 2 }
local function eased(a, b, f) return a + (b - a) * f ^ WAY.easing end
X = object "X" {
  state = {
    heat = { "number", default = 5, min = 0, max = 100, show = eased },
    heading = { "angle", show = function(a) return a end },
    lit = { "bool", default = true, show = function(a, b, f) return a or b end },
    name = { str(8, "me"), show = function(a, b, f) return a:sub(1, 1) .. b:sub(2) end },
    few = list({ "number", show = eased }, 3),
    slots = list(record { left = { "number", show = function(a, b) return b end }, plain = 0 }, 2),
    at = record { x = { "number", show = eased }, y = 0 },
  },
  aux = { worn = { "number", show = eased } },
}`)
	n, b, s := world.NumberValue, world.BoolValue, world.TextValue
	for _, c := range []struct {
		field      string
		a, b, want world.Value
	}{
		{"heat", n(10), n(20), n(12.5)}, {"heading", n(1), n(2), n(1)}, {"worn", n(0), n(4), n(1)},
		{"lit", b(false), b(true), b(true)}, {"name", s("ab"), s("xyz"), s("ayz")},
		{"few[1]", n(0), n(4), n(1)}, {"few[3]", n(4), n(0), n(3)}, {"slots[2].left", n(1), n(2), n(2)}, {"at.x", n(0), n(8), n(2)},
	} {
		if got, err := shown(vm, c.field, c.a, c.b, 0.5); err != nil || got != c.want {
			t.Errorf("%s: %v %v, not %v", c.field, got, err, c.want)
		}
	}
	class, _ := vm.Schema().ClassByName("X")
	if f, _ := vm.Schema().Classes[class].Field("heat"); f.Show != world.ShowFunction || f.Min != 0 || f.Max != 100 || numberOf(f.Default[0]) != 5 {
		t.Errorf("%+v", f)
	}
	for _, name := range []string{"slots[1].plain", "at.y"} {
		if f, ok := vm.Schema().Classes[class].Field(name); !ok || f.Show != world.ShowLerp || f.ShowWith != 0 {
			t.Errorf("%s: %+v", name, f)
		}
	}
}

// TestShowFunctionFails: a failure names file, line and field, and the next call works.
func TestShowFunctionFails(t *testing.T) {
	for body, want := range map[string]string{
		"return nil":          "a.lua:1: X.v: the function of show must return a number, not nil",
		"return a < b":        "a.lua:1: X.v: the function of show must return a number, not a boolean",
		"return tostring(a)":  "a.lua:1: X.v: the function of show must return a number, not a string",
		"":                    "a.lua:1: X.v: the function of show must return a number, not nil",
		"\nreturn a.x":        "a.lua:2: X.v: attempt to index",
		"\nerror(\"no\")":     "a.lua:2: X.v: no",
		"\nwhile true do end": "a.lua:2: X.v: the function of show used up its budget of 500 instructions",
		"\nlocal t = {} for i = 1, 50 do t[i] = (\"x\"):rep(1000) .. i end": "a.lua:2: X.v: the function of show used up its budget",
		"\nlocal function g() g() end g()":                                  "a.lua:2: X.v: ",
		"\nreturn self.v":                                                   "",
		"if a < 0 then return b.x end return a":                             "",
	} {
		p, err := NewProgram(bundle("a.lua", "X = object \"X\" { state = { v = { \"number\", show = function(a, b, f) "+body+"\n end } } }"), testSetup)
		if strings.Contains(body, "self") {
			if err == nil || !strings.Contains(err.Error(), "self is not defined") {
				t.Errorf("%q: %v", body, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%q: %v", body, err)
			continue
		}
		vm := p.NewVM()
		for range 2 {
			_, err = shown(vm, "v", world.NumberValue(1), world.NumberValue(2), 0.5)
			var se *world.ScriptError
			if want == "" && err != nil || want != "" && (err == nil || !strings.HasPrefix(err.Error(), want) || !errors.As(err, &se) || se.Class != "X") {
				t.Errorf("%q: %v, not %s", body, err, want)
			}
		}
	}
	vm := loaded(t, "X = object \"X\" { state = { s = { str(2), show = function() return \"abc\" end }, b = { \"bool\", show = function() return 1 end } } }")
	for field, want := range map[string]string{"s": "X.s: the function of show returns 3 bytes, and the field has at most 2", "b": "X.b: the function of show must return true or false, not a number"} {
		if _, err := shown(vm, field, world.TextValue("a"), world.TextValue("b"), 0.5); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", field, err)
		}
	}
}

// TestShowFunctionIsPure: a function of show sees no world, changes nothing, and prints nothing.
func TestShowFunctionIsPure(t *testing.T) {
	for call, want := range map[string]string{
		"objects(\"X\")": "cannot reach the simulation", "players()": "cannot reach the simulation", "now()": "cannot reach the simulation",
		"random()": "cannot reach the simulation", "tickNumber()": "cannot reach the simulation", "spawn(\"X\")": "cannot reach the simulation",
		"cue(\"x\")": "cannot reach the simulation", "raycast(0, 0, 1, 1)": "cannot reach the simulation", "nearest(\"X\", 0, 0)": "cannot reach the simulation",
		"overlapCircle(0, 0, 1)": "cannot reach the simulation", "game.score": "cannot reach the simulation", "game:valid()": "cannot reach the simulation",
		"game.id": "", "print(a)": "a function of show cannot print", "ref()": "can be called only while the files are loaded", "table.insert(TABLE, 1)": "read-only", "TABLE[1]": "",
	} {
		vm := loaded(t, "TABLE = { 1 }\ngame { state = { score = 0 } }\nX = object \"X\" { state = { v = { \"number\", show = function(a, b, f) local x = "+call+" return b end } } }")
		_, err := shown(vm, "v", world.NumberValue(1), world.NumberValue(2), 0.5)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, not %q", call, err, want)
		}
	}
	refused(t, "local n = 0\nX = object \"X\" { state = { v = { \"number\",\n show = function(a, b, f)\n n = n + 1\n return b end } } }", "4: n, a local of the file, is changed in a function, but it is frozen after loading")
}

// TestShowFunctionIsUnnoticed: the hooks of a VM have the same results whether or not it shows fields in between.
func TestShowFunctionIsUnnoticed(t *testing.T) {
	text := `
X = object "X" { state = { v = { "number", show = function(a, b, f) while a < 1e9 do a = a + 1 end return b end } } }
function X:tick() self.v = self.v + random() end`
	var hashes [2]uint64
	for i := range hashes {
		s := start(t, "a.lua", text)
		slot := s.spawn("X")
		for range 5 {
			if err := s.call(world.OnTick, slot, world.Args{}); err != nil {
				t.Fatal(err)
			}
			s.order()
			if i == 1 {
				if _, err := shown(s.vm, "v", world.NumberValue(1), world.NumberValue(2), 0.5); err == nil {
					t.Fatal("the function ended")
				}
			}
		}
		hashes[i] = s.w.Now.Hash()
	}
	if hashes[0] != hashes[1] || hashes[0] == 0 {
		t.Errorf("%x", hashes)
	}
}

func TestShowRefused(t *testing.T) {
	for declared, want := range map[string]string{
		`{ "number", show = "slow" }`:                `1: X.state.v: show must be "lerp", "step", "shortest" or a function of two values and a fraction`,
		`{ "number", show = {} }`:                    `1: X.state.v: show must be "lerp"`,
		`{ "bool", show = "lerp" }`:                  `1: X.state.v: show must be "step" or a function`,
		`{ str(4), show = 5 }`:                       `1: X.state.v: show must be "step" or a function`,
		`{ "ref", show = function() end }`:           `1: X.state.v: show must be "step" for a reference`,
		`{ "number", show = math.max }`:              `1: X.state.v: show is a function of the library`,
		`list({ "number", show = "slow" }, 2)`:       `1: X.state.v: show must be "lerp"`,
		`record { w = { "number", show = "slow" } }`: `1: X.state.v.w: show must be "lerp"`,
	} {
		refused(t, "X = object \"X\" { state = { v = "+declared+" } }", want)
	}
	// Functions of any number of parameters are accepted.
	loaded(t, `X = object "X" { state = { v = { "number", show = function() return 1 end }, w = { "number", show = function(a, b, f, more) return a end }, u = { "number", show = function(...) return (...) end } } }`)
}
