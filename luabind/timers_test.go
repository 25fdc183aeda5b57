package luabind

import (
	"slices"
	"strings"
	"testing"

	"github.com/hindcast/hindcast/world"
)

const bombs = `
Bomb = object "Bomb" { state = { n = 0 } }
function Bomb:onSpawn() after(0.5, "explode") end
function Bomb:explode() self.n = self.n + 1 after(1, "explode") print(timeLeft("explode")) end
function Bomb:fizzle() stopTimer("explode") print(timeLeft("explode")) end
function Bomb:tick()
  local name, seconds = "nothing", 1
  %s
end
function never() every(1, "fizzle") end`

// TestTimersAreFunctionsOfTheClass: the functions that calls of after and every name by a text are timers of each
// class that has them, and their calls start and stop them.
func TestTimersAreFunctionsOfTheClass(t *testing.T) {
	s := start(t, "bomb.lua", strings.ReplaceAll(bombs, "%s", ""), "other.lua", `Other = object "Other" {} function Other:explode() end`, "game.lua", `
function explode() print("the match") end
function onStart() every(0.25, "explode") end`)
	for class, want := range map[string][]string{"Bomb": {"explode", "fizzle"}, "Other": {"explode"}, world.GameClass: {"explode"}} {
		i, _ := s.vm.Schema().ClassByName(class)
		c := &s.vm.Schema().Classes[i]
		if !slices.Equal(c.Timers, want) || !c.Hooks.Has(world.OnTimer) {
			t.Errorf("%s has the timers %q", class, c.Timers)
		}
	}
	bomb := s.spawn("Bomb")
	for _, timer := range []int{0, 1} {
		if err := s.call(world.OnTimer, bomb, world.Args{Timer: timer}); err != nil {
			t.Error(err)
		}
	}
	if want := []string{": 1", ": nil"}; len(s.lines) != 2 || !strings.HasSuffix(s.lines[0], want[0]) || !strings.HasSuffix(s.lines[1], want[1]) {
		t.Errorf("%q, want %q", s.lines, want)
	}
}

// TestMistakesWithTimers are errors that say what to write.
func TestMistakesWithTimers(t *testing.T) {
	for call, want := range map[string]string{
		`after(1, name)`:           `after: Bomb has no timer "nothing": write function Bomb:nothing(), and name it as a text: after(1, "nothing")`,
		`every(1, "tick")`:         `every: tick is no timer: write a function of its own that calls it, and name that: every(..., "vanish")`,
		`every(1, "remove")`:       `every: remove is no timer: write a function of its own that calls it`,
		`after(1, self.explode)`:   `after: a timer is the name of a function, not a function: write after(..., "explode")`,
		`after(-1, "explode")`:     "after: bad value: a time of -1 s; a timer takes 0 to 604800 s",
		`every(0/0, "explode")`:    "every: ",
		`after(1e6, "explode")`:    "a time of 1e+06 s",
		`after("soon", "explode")`: "after: the time",
		`after(seconds)`:           "after: the function",
		`stopTimer("nothing")`:     `stopTimer: Bomb has no timer "nothing"`,
		`timeLeft(5)`:              "timeLeft: ",
	} {
		s := start(t, "bomb.lua", strings.ReplaceAll(bombs, "%s", call))
		if err := s.call(world.OnTick, s.spawn("Bomb"), world.Args{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", call, err, want)
		}
	}
	many := `Many = object "Many" {}`
	for _, name := range []string{"a", "b", "c", "d", "e", "f", "g", "h", "i"} {
		many += "\nfunction Many:" + name + "() after(1, \"" + name + "\") end"
	}
	_, err := NewProgram(bundle("many.lua", many), testSetup)
	if want := "many.lua:1: Many has 9 timers: a, b, c, d, e, f, g, h and i; calls of after and every can name at most 8 of its functions"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// TestTimersOfOthers: an error about a timer that another class has says that a timer belongs to self, and one about a
// function that no call names says how it is named.
func TestTimersOfOthers(t *testing.T) {
	for call, want := range map[string]string{
		`freeze(other)`:     `after: Mage has no timer "thaw", which Base has; a timer belongs to self, and where there is none, to the object whose hook runs: start it in a method, function Base:freeze(...), and call o:freeze(...)`,
		`after(1, "thaw")`:  `after: Mage has no timer "thaw", which Base has; a timer belongs to self: start it in a method of Base`,
		`stopTimer("thaw")`: `stopTimer: Mage has no timer "thaw", which Base has; a timer belongs to self`,
		`after(1, name)`:    `after: the name of a timer is written as a text in the call: write after(..., "glow")`,
		`stopTimer("glow")`: `stopTimer: the name of a timer is written as a text in the call: write after(..., "glow")`,
	} {
		s := start(t, "classes.lua", `
Base = object "Base" { state = { cold = false } }
function Base:thaw() self.cold = false end
Unit = object "Unit" { extends = Base }
Mage = object "Mage" { state = { k = 0 } }
local function freeze(o) o.cold = true after(1, "thaw") end
function Mage:glow() self.k = 1 end
function Mage:tick()
  local other, name = spawn("Unit"), "glow"
  `+call+`
end`)
		if err := s.call(world.OnTick, s.spawn("Mage"), world.Args{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", call, err, want)
		}
	}
}

// TestTimersOfSelf: in a function that has a self, a timer is that of self, whoever's hook calls the function, and
// changes of another object's timer take effect when the order ends. Without a self it is that of the object whose hook
// runs, and of the match if only game.lua has the function.
func TestTimersOfSelf(t *testing.T) {
	s := start(t, "classes.lua", `
Pad = object "Pad" { state = { foe = ref(), at = 0 } }
Foe = object "Foe" {}
function Foe:reset() end
function Foe:give() pcall(function() after(0.5, "reset") end) end
function Foe:keep() stopTimer("reset") end
function Foe:look() return timeLeft("reset") end
function Pad:reset() end
local Plan = {}
Plan.__index = Plan
function Plan:go() after(1, "planned") end
function Plan:look() return timeLeft("planned") end
local function helper() after(2, "helped") return timeLeft("helped") end
function Pad:planned() end
function Pad:helped() end
local steps = {
  function(self) self.foe = spawn("Foe") self.foe:give() print("own", self.foe:look(), timeLeft("reset")) end,
  function(self) self.foe:keep() print("later", self.foe:look()) end,
  function(self) print("stopped", self.foe:look()) self.foe:give() print("later", self.foe:look()) end,
  function(self) print("started", self.foe:look(), timeLeft("reset")) end,
  function(self) local p = setmetatable({}, Plan) p:go() print("table", p:look()) end,
  function() print("helper", helper()) end,
  function(self) after(3, "begin") print("match", timeLeft("begin")) end,
  function(self) print("begun", timeLeft("begin")) self.foe:remove() end,
}
function Pad:tick() self.at = self.at + 1 steps[self.at](self) end
`, "game.lua", `function begin() end`)
	pad := s.spawn("Pad")
	for range 8 {
		if err := s.call(world.OnTick, pad, world.Args{}); err != nil {
			t.Fatal(err)
		}
		s.order()
	}
	const want = "own 0.5 nil, later 0.5, stopped nil, later nil, started 0.5 nil, table 1, helper 2, match nil, begun 3"
	var got []string
	for _, line := range s.lines {
		_, printed, _ := strings.Cut(line, ": ")
		got = append(got, strings.ReplaceAll(printed, "\t", " "))
	}
	if text := strings.Join(got, ", "); text != want {
		t.Errorf("%s, want %s", text, want)
	}
}
