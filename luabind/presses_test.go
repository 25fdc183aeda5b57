package luabind

import (
	"strings"
	"testing"

	"github.com/hindcast/hindcast/world"
)

// TestPresses: pressed, released and presses tell of the presses of a hook's arguments, and the
// buttons that any file asks for are counted.
func TestPresses(t *testing.T) {
	s := start(t, "ship.lua", `
Ship = object "Ship" {
  input = { Fire = "bool", Dash = "bool", Look = "bool", aim = "number" },
  state = { shots = 0, dashes = 0, ended = 0 },
}
local function count(input) return input:presses("Fire") end
function Ship:applyInput(input)
  self.shots = self.shots + count(input)
  if input:pressed("Dash") then self.dashes = self.dashes + 1 end
  if input:released("Dash") then self.ended = self.ended + 1 end
end`)
	slot := s.spawn("Ship")
	counted := ""
	for _, f := range s.w.Class(slot).Inputs {
		if f.Counted {
			counted += f.Name + " "
		}
	}
	if counted != "Dash Fire " {
		t.Errorf("counted are %q", counted)
	}
	var p world.Presses
	p.Down.Set(0, 1) // Dash: buttons are numbered by name
	p.Down.Set(1, 3)
	for _, p := range []world.Presses{p, {}, {Up: p.Down}} {
		if err := s.call(world.ApplyInput, slot, world.Args{Presses: p}); err != nil {
			t.Fatal(err)
		}
	}
	if s.field(slot, "shots") != 3 || s.field(slot, "dashes") != 1 || s.field(slot, "ended") != 1 {
		t.Errorf("%v shots, %v dashes, %v ended", s.field(slot, "shots"), s.field(slot, "dashes"), s.field(slot, "ended"))
	}
}

// TestPressesThatAreNotCounted: an error says how to write the call.
func TestPressesThatAreNotCounted(t *testing.T) {
	for call, want := range map[string]string{
		`local f = input.pressed; f(input, "Fire")`: `write input:pressed("Fire")`,
		`input:pressed("aim")`:                      "pressed is for bools",
		`input:presses("fire")`:                     "Ship declares no input fire; it has: Fire",
	} {
		s := start(t, "ship.lua", "Ship = object \"Ship\" { input = { Fire = \"bool\", aim = \"number\" } }\nfunction Ship:applyInput(input)\n"+call+"\nend")
		err := s.call(world.ApplyInput, s.spawn("Ship"), world.Args{})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", call, err, want)
		}
	}
}

// TestPressesOfAnyButton: a call that names its button by a variable counts all of them.
func TestPressesOfAnyButton(t *testing.T) {
	s := start(t, "ship.lua", `
Ship = object "Ship" { input = { Fire = "bool", Dash = "bool", aim = "number" }, state = { n = 0 } }
function Ship:applyInput(input)
  for _, name in ipairs({ "Fire", "Dash" }) do
    if input:pressed(name) then self.n = self.n + 1 end
  end
end`)
	for _, f := range s.w.Class(s.spawn("Ship")).Inputs {
		if f.Counted == f.Axis {
			t.Errorf("%s: counted %v", f.Name, f.Counted)
		}
	}
}

// TestInputsThatFade: repeats and decay are read, and what they cannot be is refused.
func TestInputsThatFade(t *testing.T) {
	s := start(t, "ship.lua", `Ship = object "Ship" { input = { a = { "bool", repeats = false }, b = { "number", decay = 0.2 }, c = { "number", repeats = true }, d = { "number", repeats = false } } }`)
	for i, want := range []struct {
		once  bool
		decay float64
	}{{true, 0}, {false, 0.2}, {false, 0}, {true, 0}} {
		if f := s.w.Class(s.spawn("Ship")).Inputs[i]; f.Once != want.once || f.Decay != want.decay {
			t.Errorf("%s: %+v", f.Name, f)
		}
	}
	for declared, want := range map[string]string{
		`a = { "bool", repeats = 1 }`:                  "2: X.input.a.repeats = 1: must be true or false",
		`a = { "bool", decay = 1 }`:                    "2: X.input.a: unknown key decay",
		`a = { "number", decay = -1 }`:                 "2: X.input.a: decay = -1: must be 0 (it stays) to 10 seconds",
		`a = { "number", decay = 1, repeats = false }`: "2: X.input.a: with repeats = false the number is 0 at once; leave out decay or repeats",
		`released = "bool"`:                            "2: X.input.released: the name is reserved",
	} {
		refused(t, "X = object \"X\" {\n input = { "+declared+" } }", want)
	}
}

// TestFieldsThatTheEngineKeeps: the counts of presses and the last owner pose are part of an
// object's state, and no script can name them, not even in a string.
func TestFieldsThatTheEngineKeeps(t *testing.T) {
	for _, kept := range []string{"edges of Fire", "pose x"} {
		for body, want := range map[string]string{
			`self[k] = 0/0`:                         "Ship has no field " + kept,
			`self.n = self[k]`:                      "Ship has no field or method " + kept,
			`self.n = find(1)[k]`:                   "Ship has no field or method " + kept,
			`spawn("Ship", { x = 1, [k] = 0 / 0 })`: "Ship has no " + kept + "; there are angle, owner, vx, vy, w, x, y and n",
		} {
			s := start(t, "ship.lua", `
Ship = object "Ship" {
  body = { shape = { circle = 1 }, mass = 1 },
  authority = "owner",
  input = { Fire = "bool" },
  state = { n = 0 },
}
local function find() return objects("Ship")[1] end
function Ship:applyInput(input)
  local _ = input:pressed("Fire")
  local k = "`+kept+`"
  `+body+`
end`)
			slot := s.spawn("Ship")
			if c := s.w.Class(slot); len(c.Fields) != 7 || len(c.Declared()) != 1 {
				t.Fatalf("%d fields of which %d are declared", len(c.Fields), len(c.Declared()))
			}
			if err := s.call(world.ApplyInput, slot, world.Args{}); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, want %q", body, err, want)
			}
		}
	}
}
