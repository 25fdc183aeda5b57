package luabind

import (
	"strings"
	"testing"

	"github.com/hindcast/hindcast/world"
)

const shipLua = `
Ship = object "Ship" {
  input  = { Turnleft = "bool", Turnright = "bool", Accel = "bool", Backthrust = "bool",
             aim = { "number", min = -math.pi, max = math.pi, step = 0.001 } },
  state  = { fuel = 100, target = ref(), name = str(16) },
  aux    = { team = 0 },
  objProps = { torque_power = 6, thrust_power = 40, backthrust_power = 20 },
  body   = { type = "dynamic", shape = { circle = 0.5 }, density = 1, friction = 0.3, restitution = 0.4,
             linear_damping = 0.5, angular_damping = 2, bullet = false, layer = "ship", collides = { "ship", "wall" } },
  lod    = "predict",
  authority = "host",
  ticking = "fixed",
  order  = 0,
  look   = { shape = "triangle", color = "#f90" },
  controls = { Turnleft = "ArrowLeft", Accel = { "ArrowUp", "w", "pad:a" }, aim = "mouse" },
}

-- once per tick, with the owner's input of that tick
function Ship:applyInput(input)
  local props = self.objProps
  local turn = (input.Turnleft and 1 or 0) - (input.Turnright and 1 or 0)
  self:setTorque(turn * props.torque_power)
  local push = (input.Accel and props.thrust_power or 0) - (input.Backthrust and props.backthrust_power or 0)
  self:setDirectionalForce(self:getDirection(), push)
end
`

func TestShipScript(t *testing.T) {
	s := start(t, "ship.lua", shipLua)
	slot := s.spawn("Ship")
	c := s.w.Class(slot)
	if len(c.Inputs) != 5 || len(c.Fields) != 4 || c.Body == nil || !c.Hooks.Has(world.ApplyInput) || c.Look.Color != "#f90" {
		t.Fatalf("declared: %+v", c)
	}
	var in world.Input
	for _, f := range c.Inputs {
		if f.Name == "Turnleft" || f.Name == "Accel" {
			in.Buttons |= 1 << f.Index
		}
	}
	if err := s.call(world.ApplyInput, slot, world.Args{Input: in}); err != nil {
		t.Fatal(err)
	}
	if b := s.w.Now.Body(slot); b.Torque != 6 || b.FX != 40 || b.FY != 0 {
		t.Errorf("torque %v, force %v %v", b.Torque, b.FX, b.FY)
	}
}

// TestHeld: input:held returns for how many 64ths of the tick a button was down. The bool is
// true if it was down at all.
func TestHeld(t *testing.T) {
	s := start(t, "ship.lua", `
Ship = object "Ship" {
  input = { Accel = "bool", Brake = "bool", aim = "number" },
  state = { down = 0, accel = false, what = str(5) },
}
local function parts(input, what) return input:held(what) end
function Ship:applyInput(input)
  self.accel = input.Accel
  self.down = parts(input, self.what)
end`)
	slot := s.spawn("Ship")
	class := s.w.Class(slot)
	what, _ := class.Field("what")
	ask := func(in world.Input, name string) (float64, error) {
		if err := world.PutString(s.w.Now.Row(slot), what, name); err != nil {
			t.Fatal(err)
		}
		err := s.call(world.ApplyInput, slot, world.Args{Input: in})
		return s.field(slot, "down"), err
	}
	whole := world.Input{Buttons: 1} // Accel: buttons are numbered by name
	for _, c := range []struct {
		part float64
		want float64
	}{{1, 64}, {0.5, 32}, {0.25, 16}, {0.001, 1}, {0.999, 64}} {
		in := world.Input{}
		in.Press(0, c.part)
		if got, err := ask(in, "Accel"); got != c.want || err != nil {
			t.Errorf("down for %v of the tick: %v, %v, want %v", c.part, got, err, c.want)
		}
		accel, _ := class.Field("accel")
		if s.w.Now.Row(slot).Word(accel) != 1 {
			t.Errorf("down for %v of the tick: Accel is false", c.part)
		}
	}
	if got, err := ask(whole, "Brake"); got != 0 || err != nil {
		t.Errorf("Brake: %v, %v", got, err)
	}
	if _, err := ask(whole, "Acel"); err == nil || !strings.Contains(err.Error(), "Ship declares no input Acel; it has: Accel") {
		t.Errorf("Acel: %v", err)
	}
	if _, err := ask(whole, "aim"); err == nil || !strings.Contains(err.Error(), "held is for bools") {
		t.Errorf("aim: %v", err)
	}
	refused(t, "X = object \"X\" {\n input = { held = \"bool\" } }", "2: X.input.held: the name is reserved")
}

func BenchmarkApplyInput(b *testing.B) {
	s := start(b, "ship.lua", shipLua)
	slot := s.spawn("Ship")
	a := &world.Args{Input: world.Input{Buttons: 5}}
	b.ReportAllocs()
	for b.Loop() {
		s.w.Actor().Calls().Spend(slot, -s.w.Actor().Calls().Spent(slot)) // as in a tick of its own
		if err := s.vm.Call(s.w.Actor(), world.ApplyInput, slot, a); err != nil {
			b.Fatal(err)
		}
	}
}
