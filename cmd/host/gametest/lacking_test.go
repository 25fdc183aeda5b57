package gametest

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/hindcast/hindcast/world"
)

// TestTrialNamesTheClassesAtOnce: a field that objects of several classes lack at a place is one error, which says to
// look at the class. What self lacks is declared.
func TestTrialNamesTheClassesAtOnce(t *testing.T) {
	for body, want := range map[string]string{
		"if other and other.class ~= 'Gate' and other.team == 1 then self.n = 1 end":               "Barge and Rock have no field or method team: look at other.class first",
		"if other and other:is('Rock') then self.n = other.mm end":                                 "Rock has no field or method mm: look at other.class first",
		"for _, o in ipairs(overlapCircle(0, 0, 50)) do if o ~= self then self.n = o.team end end": "look at o.class first",
		"if other and other.class ~= 'Gate' then self.n = other.team + other.n end":                "Barge and Rock have no field or method team: look at other.class first",
	} {
		game := trialGame(t, map[string]string{
			"game.toml": "name = \"small\"\n[[spawn]]\nclass = \"Gate\"\n[[spawn]]\nclass = \"Rock\"\nx = 1\n[[spawn]]\nclass = \"Gate\"\nx = 30\n[[spawn]]\nclass = \"Barge\"\nx = 31\n",
			"things.lua": `
Gate = object "Gate" { state = { n = 0 }, body = { shape = { circle = 1 } } }
function Gate:onContact(other) ` + body + ` end
Rock = object "Rock" { state = { n = 0 }, body = { shape = { circle = 1 } } }
Barge = object "Barge" { state = { n = 0 }, body = { shape = { circle = 1 } } }
Tug = object "Tug" { state = { team = 1 }, body = { shape = { circle = 1 } } }`,
		})
		var said []string
		for _, e := range Try(game, TrialOptions{}).Errors {
			said = append(said, e.Message)
		}
		if len(said) != 1 || !strings.Contains(said[0], want) {
			t.Errorf("%s: %q, want %q", body, said, want)
		}
	}
}

// TestTrialSaysOneLineOnce: a field that is given the id of an object, and nil where the object has none, is one mistake.
func TestTrialSaysOneLineOnce(t *testing.T) {
	game := trialGame(t, map[string]string{
		"game.toml": "name = \"small\"\n",
		"things.lua": `
Tug = object "Tug" { state = { rival = ref() }, body = { shape = { circle = 1 } } }
function Tug:onSpawn(args) self.rival = args.rival.id end`,
		"game.lua": `function onJoin(p) spawn("Tug", { rival = objects("Tug")[1] }) end`,
	})
	var said []string
	for _, e := range Try(game, TrialOptions{}).Errors {
		said = append(said, e.Error())
	}
	if len(said) != 1 || !strings.Contains(said[0], "cannot hold a string") {
		t.Errorf("%q", said)
	}
}

// TestTrialSaysAnInheritedHookOnce: what fails in a hook that several classes inherit is one mistake, and so is an argument
// that one call leaves out and that several lines of the function need. Another call, and another line, are others.
func TestTrialSaysAnInheritedHookOnce(t *testing.T) {
	for body, want := range map[string][]string{
		"function Mob:onSpawn() self.home = { 1, 2 } end": {"Calf.home has no part 1; there are x, y (the same for Lamb and Mob)"},
		"function Mob:onSpawn() self.home = { 1, 2 }\nend function Mob:tick() self.home.z = 1 end": {
			"Calf.home has no part 1; there are x, y (the same for Lamb and Mob)", "Calf.home has no part z; there are x, y (the same for Lamb and Mob)"},
		"local function move(a, step)\nif a > 5 then return step + 1 end\nreturn step - 1 end\nfunction Mob:tick() self.n = self.n + 1 move(self.n % 9) end": {
			"attempt to perform arithmetic on a nil value (local 'step')"},
		"local function move(a, step)\nif a > 5 then return step + 1 end\nreturn step - 1 end\nfunction Mob:tick() self.n = self.n + 1 if self.n % 9 > 5 then move(6) else\nmove(1) end end": {
			"attempt to perform arithmetic on a nil value (local 'step')", "attempt to perform arithmetic on a nil value (local 'step')"},
	} {
		game := trialGame(t, map[string]string{
			"game.toml": "name = \"small\"\n",
			"game.lua":  "function onStart() for i, c in ipairs { 'Calf', 'Lamb', 'Mob' } do spawn(c, { x = i * 4 }) end end",
			"mob.lua": `Mob = object "Mob" { state = { home = record { x = 0, y = 0 }, n = 0 }, body = { shape = { circle = 1 } } }
Calf = object "Calf" { extends = Mob }
Lamb = object "Lamb" { extends = Mob }
` + body,
		})
		var said []string
		for _, e := range Try(game, TrialOptions{}).Errors {
			said = append(said, e.Message)
		}
		if !slices.Equal(said, want) {
			t.Errorf("%s:\ngot  %q\nwant %q", body, said, want)
		}
	}
}

// TestTrialSaysABudgetOnce: a hook that uses up its budget ends in other lines, and most of it goes to other functions,
// as chance has it. That is one mistake of each class and hook.
func TestTrialSaysABudgetOnce(t *testing.T) {
	game := trialGame(t, map[string]string{
		"game.toml": "name = \"small\"\n",
		"foes.lua": `
local function a(n)
  for i = 1, 10 do n = n + i end
  return n
end
local function b(n)
  for i = 1, 9 do n = n * 2 n = n % 7 end
  return n
end
Foe = object "Foe" { state = { n = 0 } }
function Foe:tick()
  for i = 1, random(4000) do random() end
  while self.n < 1 do
    a(1)
    b(2)
  end
end
function Foe:onStep()
  local t = {}
  for i = 1, random(90) do random() end
  while self.n < 1 do
    t = { {}, {}, {}, {} }
    t = { {}, {}, {}, { t } }
  end
end
function Foe:onSpawn() every(0.1, "onStep") end
Boss = object "Boss" { extends = Foe }`,
		"game.lua": `function onStart() spawn("Foe") spawn("Boss") end`,
	})
	got := map[string]int{}
	for _, e := range Try(game, TrialOptions{}).Errors {
		what, _, _ := strings.Cut(e.Message, ",")
		got[what]++
	}
	want := map[string]int{}
	for _, hook := range []string{"Foe:tick", "Boss:tick"} {
		want[hook+" used up its budget of 100000 instructions"] = 1
	}
	for _, hook := range []string{"Foe:onStep", "Boss:onStep"} {
		want[hook+" used up its budget of 1024 KiB of memory"] = 1
	}
	if !maps.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestOnePerBudget: the place that most of the errors have is the one that is said.
func TestOnePerBudget(t *testing.T) {
	spent := func(class string, line int, rest string) *world.ScriptError {
		return &world.ScriptError{File: "a.lua", Line: line, Class: class, Budget: true,
			Message: class + ":tick used up its budget of 100000 instructions, " + rest}
	}
	other := &world.ScriptError{File: "a.lua", Line: 1, Message: "boom"}
	list := []*world.ScriptError{spent("A", 1, "x"), other, spent("A", 2, "y"), spent("B", 3, "x"), spent("A", 2, "z")}
	want := []*world.ScriptError{list[2], other, list[3]}
	if got := oncePerBudget(list); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
