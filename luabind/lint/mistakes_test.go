package lint

import (
	"strings"
	"testing"
)

const mistakes = `local scores = { 1, 2 }
names = {}
Ship = object "Ship" {
  input = { Accel = "bool", Fire = "bool" }, controls = { Accel = "w", Fire = "space" },
  state = { fuel = 1 }, body = { shape = { circle = 0.5 } },
}
function Ship:applyInput(input)
  if input.Accel and input.Fire then self.fuel = 0 end
%s
end
function Ship:think() return { Accel = true } end
`

// TestMistakes: mistakes in a hook (line 9), which the trial of host check may never reach, and what is said.
func TestMistakes(t *testing.T) {
	for body, want := range map[string]string{
		"self.setForce(0, 0)":                          "ship.lua:9:6: setForce is called with a dot, and so without its object; write self:setForce(...)",
		"self.setForce(self, 0, 0)":                    "",
		"local o = nearest('Ship', 0, 0) o.remove()":   "ship.lua:9:35: remove is called with a dot, and so without its object; write o:remove(...)",
		"self:setPosition({ 1, 2 })":                   "ship.lua:9:6: setPosition takes 2 arguments, and is called with 1; write self:setPosition(1, 2)",
		"self:setPosition({ 1 }, 2)":                   "ship.lua:9:6: setPosition: x must be a number, and is a table; the signature is setPosition(x, y)",
		"self:setTorque('fast')":                       "ship.lua:9:6: setTorque: torque must be a number, and is a string; the signature is setTorque(torque)",
		"self:setTorque('5')":                          "",
		"self:setTorque(nil)":                          "ship.lua:9:6: setTorque: torque must be a number, and is a nil; the signature is setTorque(torque)",
		"self:setVelocity(true, 0)":                    "ship.lua:9:6: setVelocity: vx must be a number, and is a boolean; the signature is setVelocity(vx, vy)",
		"self:attach('Ship')":                          "ship.lua:9:6: attach: holder must be an object, and is a string; the signature is attach(holder [, dx [, dy]])",
		"spawn('Ship', 1, 2)":                          "ship.lua:9:1: spawn takes 1 to 2 arguments, and is called with 3; write spawn(\"Ship\", { x = 1, y = 2 })",
		"spawn('Ship', 1)":                             "ship.lua:9:1: spawn: args must be a table, and is a number; the signature is spawn(class [, args])",
		"spawn('Ship', nil)":                           "",
		"spawn(Ship)":                                  "ship.lua:9:1: spawn takes the name of a class, and not the class itself; write spawn(\"Ship\")",
		"cue(5)":                                       "ship.lua:9:1: cue: name must be a string, and is a number; the signature is cue(name [, says])",
		"cue('hit', 5)":                                "ship.lua:9:1: cue: says must be a table, and is a number; the signature is cue(name [, says])",
		"self.fuel = math.floor('x')":                  "ship.lua:9:18: floor: x must be a number, and is a string; the signature is floor(x)",
		"self.fuel = math.sin({})":                     "ship.lua:9:18: sin: x must be a number, and is a table; the signature is sin(x)",
		"self.fuel = #string.rep('x', 'y')":            "ship.lua:9:21: rep: n must be a whole number, and is a string; the signature is rep(s, n)",
		"self.fuel = #string.upper(5)":                 "",
		"for i, v in ipairs(5) do end":                 "ship.lua:9:13: ipairs: t must be a table, and is a number; the signature is ipairs(t)",
		"scores[1] = 5":                                "ship.lua:9:1: scores is a table of the file, which is frozen after loading; declare what changes in state (self.scores, or game.scores), or make the table in the hook, or a scratch table of it: each function writes its keys, which stay the same, before it reads them",
		"scores.x.y = 5":                               "ship.lua:9:1: scores is a table of the file, which is frozen after loading; declare what changes in state (self.scores, or game.scores), or make the table in the hook",
		"table.insert(scores, 3)":                      "ship.lua:9:14: scores is a table of the file, which is frozen after loading; declare what changes in state (self.scores, or game.scores), or make the table in the hook",
		"names[self] = true":                           "ship.lua:9:1: names is a table of the file, which is frozen after loading; declare what changes in state (self.names, or game.names), or make the table in the hook",
		"local names = {} names[self] = true":          "",
		"local scores = { } table.insert(scores, 3)":   "",
		"local t = {} t.x = scores[1] t[self] = names": "",
		"setmetatable(5, {})":                          "ship.lua:9:1: setmetatable: t must be a table, and is a number; the signature is setmetatable(t, metatable)",
		"pcall('x')":                                   "ship.lua:9:1: pcall: f must be a function, and is a string; the signature is pcall(f, ...)",
		"if type(self.fuel) == 'int' then end":         `ship.lua:9:24: type() never gives "int"; there are boolean, function, nil, number, string, table, thread and userdata`,
		"if 'nubmer' ~= type(self.fuel) then end":      `ship.lua:9:5: type() never gives "nubmer"; did you mean number?`,
		"if type(self) == 'userdata' then end":         "",
		"if input.Accel == 1 then end":                 "ship.lua:9:10: the input Accel is true or false, and never a number; write if input.Accel then",
		"if input.Accel == true then end":              "",
		"if input.Accel == nil then end":               "",
		"wait(1)":                                      "ship.lua:9:1: wait is not defined; a hook cannot wait: after(seconds, \"name\") calls a function of the class later",
		"self.fuel = math.sign(2)":                     "ship.lua:9:18: math.sign does not exist; write x > 0 and 1 or x < 0 and -1 or 0",
		"self.fuel = math.clamp(2, 0, 1)":              "ship.lua:9:18: math.clamp does not exist; write math.max(low, math.min(x, high))",
		"self.target = null":                           "ship.lua:9:15: null is not defined; nothing is written nil\nship.lua:9:6: Ship has no field or method target; declare a field in state: target = 0",
		"end function Ship:update(dt)":                 "ship.lua:9:19: Ship:update is not a hook, and nothing calls it; tick runs in each tick",
		"end function Ship:draw()":                     "ship.lua:9:19: Ship:draw is not a hook, and nothing calls it; look and view.lua say what is shown",
		"self:init() end function Ship:init()":         "",
		"end function Ship:onDestroy()":                "ship.lua:9:19: Ship:onDestroy is not a hook, and nothing calls it; onRemove runs before an object goes",
		"end function Ship:onVictory()":                "ship.lua:9:19: Ship:onVictory is not a hook, and nothing calls it; the hooks are",
		"end B = object 'B' { input = { Go = 'bool' } } function B:applyInput(i) if i.Go then end end function B:think() self:remove()":                   "ship.lua:9:105: B:think returns nothing, so it steers nothing; return a table of inputs, such as { Go = true }",
		"end B = object 'B' { input = { Go = 'bool' } } function B:applyInput(i) if i.Go then end end function B:think() if now() > 1 then return {} end": "",
	} {
		var got []string
		for _, f := range Check(bundle("ship.lua", strings.Replace(mistakes, "%s", body, 1)), testSetup) {
			got = append(got, f.String())
		}
		all := strings.Join(got, "\n")
		if all != want && !(strings.Contains(want, "the hooks are") && strings.HasPrefix(all, want)) {
			t.Errorf("%s:\ngot  %q\nwant %q", body, all, want)
		}
	}
}

// TestOneKeyForTwoInputs: a key is that of one input.
func TestOneKeyForTwoInputs(t *testing.T) {
	text := strings.Replace(strings.Replace(mistakes, "%s", "", 1), `Fire = "space"`, `Fire = { "space", "w" }`, 1)
	found := Check(bundle("ship.lua", text), testSetup)
	if len(found) != 1 || found[0].String() != `ship.lua:4:68: Ship.controls: "w" is the key of Accel and of Fire; give each input a key of its own` {
		t.Errorf("%v", found)
	}
}

// TestLocalHooks: a local function of game.lua is no hook.
func TestLocalHooks(t *testing.T) {
	for text, want := range map[string]string{
		"local function tick() end":                               "game.lua:1:16: tick is local, so it is no hook, and nothing calls it; leave out local: function tick() ... end",
		"local onJoin = function(p) end":                          "game.lua:1:7: onJoin is local, so it is no hook, and nothing calls it; leave out local: function onJoin() ... end",
		"local function tick() end function onStart() tick() end": "",
		"local function help() end":                               "",
		"function onStart() local function tick() end tick() end": "",
	} {
		var got []string
		for _, f := range Check(bundle("a.lua", "X = object 'X' {}", "game.lua", text), testSetup) {
			got = append(got, f.String())
		}
		if all := strings.Join(got, "\n"); all != want {
			t.Errorf("%s:\ngot  %q\nwant %q", text, all, want)
		}
	}
}
