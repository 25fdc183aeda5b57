package lint

import (
	"strconv"
	"strings"
	"testing"
)

// byCode declares classes in ways that only loading tells: a function, a shared table, loops, a table
// of methods, and functions that several classes have.
const byCode = `local function inputs(more)
  local t = { Go = "bool", turn = { "number", min = -1, max = 1 } }
  for k, v in pairs(more or {}) do t[k] = v end
  return t
end
local function unit(name, props)
  return object(name) { input = inputs { Fire = "bool" }, state = { hp = 10 }, objProps = props }
end
Tank = unit("Tank", { armour = 3 })
local base = { state = { fuel = 3 }, input = inputs(), controls = { Go = "w" } }
base.objProps = { thrust = 4 }
Rocket = object "Rocket" (base)
Kinds = {}
for _, n in ipairs { "Red", "Blue" } do
  Kinds[n] = object(n) { state = { n = 0 }, input = { Go = "bool" }, body = { shape = { circle = 1 } } }
  Kinds[n].tick = function(self) self.n = self.n + 1 end
end
object "Zone" { body = { type = "static", sensor = true, shape = { circle = 1 } } }
local shared = {}
function shared.applyInput(self, input) if input.Fire then self.hp = 0 end end
function shared:onHurt() end
local Mixed = object "Mixed" { input = { Fire = "bool" }, state = { hp = 1 } }
for name, f in pairs(shared) do Mixed[name] = f end
local function steer(self, input) if input.Push then self.v = 1 end end
Cart = object "Cart" { input = { Push = "bool" }, state = { v = 0 } }
Cart.applyInput = steer
function Tank:applyInput(input) if input.Go or input.Fire then self.hp = self.hp - self.objProps.armour end end
function Rocket:applyInput(input) if input.Go then self.fuel = self.fuel - input.turn end end
function Kinds.Red:applyInput(input) if input.Go then self.n = 0 end end
function Kinds.Blue:think() return { Go = true } end
function Kinds.Blue:steps() for _, name in ipairs { "onHurt" } do self[name](self) end end
`

// TestCheckKnowsLoadedClasses: what Check says of classes and their methods is true however the scripts
// declare them, and mistakes in their methods are found.
func TestCheckKnowsLoadedClasses(t *testing.T) {
	lines := strings.Count(byCode, "\n")
	for extra, want := range map[string]string{
		"":                                     "",
		"function Tank:tick() self.pp = 1 end": "a.lua:LINE:27: Tank has no field or method pp; did you mean hp?",
		"function Rocket:tick() self.fule = 1 end":                                                "a.lua:LINE:29: Rocket has no field or method fule; did you mean fuel?",
		"function Kinds.Red:onTrigger(o) o:remove(1) self.m = 1 end":                              "a.lua:LINE:35: remove takes no arguments, and is called with 1; the signature is remove()\na.lua:LINE:50: Red has no field or method m; there is only n, or declare a field in state: m = 0",
		"Kinds.Red.onTrigger = function(self) self.m = 1 end":                                     "a.lua:LINE:43: Red has no field or method m; there is only n, or declare a field in state: m = 0",
		"function Kinds.Blue:applyInput(i) if i.Goo then end end":                                 "a.lua:LINE:40: Blue declares no input Goo; did you mean Go?",
		"function Rocket:think() return { Go = true, trun = 1 } end":                              "a.lua:LINE:45: Rocket declares no input trun; did you mean turn?",
		"function Tank:step() each(function(o) o.zebra = 1 end) end each = unit":                  "",
		"for _, n in ipairs { 'Red', 'Blue' } do Kinds[n].go = function(self) self.v = 1 end end": "", // of both
	} {
		want = strings.ReplaceAll(want, "LINE", strconv.Itoa(lines+1))
		var got []string
		for _, f := range Check(bundle("a.lua", byCode+extra), testSetup) {
			got = append(got, f.String())
		}
		if all := strings.Join(got, "\n"); all != want {
			t.Errorf("%s:\ngot  %s\nwant %s", extra, all, want)
		}
	}
	outside := "test('a', function(t)\n local w = t:world { players = 1 }\n w:input(1, { Fire = true, turn = 1 })\n local r = w:spawn('Rocket', { fuel = 1 }) t:eq(r.fuel, 1)\n t:eq(r.hp, 1)\nend)"
	if got := CheckTests(bundle("a.lua", byCode), testSetup, bundle("x.lua", outside)); len(got) != 1 || got[0].Line != 5 {
		t.Errorf("a test: %v", got)
	}
	if got := CheckBot(bundle("a.lua", byCode), testSetup, bundle("x.lua", "function bot(me, world) return { Fire = true, Psh = true } end")[0]); len(got) != 1 || !strings.Contains(got[0].String(), "did you mean Push?") {
		t.Errorf("a bot: %v", got)
	}
}
