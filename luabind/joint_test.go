package luabind

import (
	"math"
	"testing"

	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
)

// pair is the beginning of a tick in which a Ball spawns another one, 3 m to its right.
const pair = `local other = spawn("Ball", { x = 3 }) `

func TestJointFunctions(t *testing.T) {
	for _, c := range []struct {
		call string
		want physics.Joint
	}{
		{`rope(self, other)`, physics.Joint{Kind: physics.Distance, Flags: physics.JointLimits, Length: 3, Max: 3}},
		{`rope(self, other, { length = 5, ax = 0.5, by = 1, break_force = 70, collide = true })`, physics.Joint{Kind: physics.Distance,
			Flags: physics.JointLimits | physics.JointCollide, Length: 5, Max: 5, AnchorA: physics.Vec{X: 0.5}, AnchorB: physics.Vec{Y: 1}, BreakForce: 70}},
		{`rope(self, nil, { bx = 0, by = 4 })`, physics.Joint{Kind: physics.Distance, Flags: physics.JointLimits, Length: 4, Max: 4, AnchorB: physics.Vec{Y: 4}}},
		{`rod(self, other)`, physics.Joint{Kind: physics.Distance, Length: 3}},
		{`spring(self, other)`, physics.Joint{Kind: physics.Distance, Flags: physics.JointSpring, Length: 3, Hertz: 2, Damping: 0.3}},
		{`spring(self, other, { hertz = 1, damping = 1, length = 2, min = 1, max = 4 })`, physics.Joint{Kind: physics.Distance,
			Flags: physics.JointSpring | physics.JointLimits, Length: 2, Min: 1, Max: 4, Hertz: 1, Damping: 1}},
		{`hinge(self, other)`, physics.Joint{Kind: physics.Hinge, AnchorA: physics.Vec{X: 3}}},
		{`hinge(self, other, { ax = 1, speed = 2, max_torque = 9, min = -1, max = 1 })`, physics.Joint{Kind: physics.Hinge,
			Flags: physics.JointMotor | physics.JointLimits, AnchorA: physics.Vec{X: 1}, AnchorB: physics.Vec{X: -2}, Speed: 2, MaxForce: 9, Min: -1, Max: 1}},
		{`hinge(self, nil)`, physics.Joint{Kind: physics.Hinge}},
		{`weld(self, other, { hertz = 3, damping = 0.5, turn_hertz = 2, break_torque = 8 })`, physics.Joint{Kind: physics.Weld, AnchorA: physics.Vec{X: 3},
			Hertz: 3, Damping: 0.5, TurnHertz: 2, BreakTorque: 8}},
		{`slider(self, other, { axis = 1, max_force = 5, speed = -1 })`, physics.Joint{Kind: physics.Slider, Flags: physics.JointMotor,
			AnchorA: physics.Vec{X: 3}, Axis: 1, MaxForce: 5, Speed: -1}},
		{`wheel(self, other)`, physics.Joint{Kind: physics.Wheel, Flags: physics.JointSpring, AnchorA: physics.Vec{X: 3}, Axis: math.Pi / 2, Hertz: 4, Damping: 0.7}},
	} {
		s, slot := hooked(t, pair+c.call)
		if err := s.call(world.OnTick, slot, world.Args{}); err != nil {
			t.Errorf("%s: %v", c.call, err)
			continue
		}
		got := s.w.Now.Physics.Joints[0]
		got.Key, got.KeyA, got.KeyB, got.SlotA, got.SlotB = 0, 0, 0, 0, 0
		got.Flags &^= physics.JointFixedB
		if !got.Same(&c.want) {
			t.Errorf("%s\ngives %+v\nwant  %+v", c.call, got, c.want)
		}
	}
}

func TestJointHandles(t *testing.T) {
	prints(t, pair+`local j = rope(self, other) self.target = j
	print(j.class, j:valid(), j.bodyA == self, j.bodyB == other, self.target == j, #objects("Joint"))`, "Joint true true true true 0")
	prints(t, pair+`local j = hinge(self, other) j:setMotor(1, 5) j:setLimits(-1, 1) j:setSpring(2, 0.5) j:remove() print(j:valid())`, "true")
	prints(t, `local j = hinge(self, nil) print(j.bodyB)`, "nil")
	fails(t, `rope(self, self)`, "a.lua:13: rope: bad joint")
	fails(t, `rope(self, 5)`, "rope: the second argument must be an object, not a number")
	fails(t, `rope(self, game)`, "game has no body")
	fails(t, pair+`rope(self, other, { lenght = 3 })`, "rope has no option lenght; there are length, ")
	fails(t, pair+`rope(self, other, { length = "x" })`, "rope: length must be a number, not a string")
	fails(t, pair+`rope(self, other, { length = -1 })`, "rope: length = -1: must not be below 0")
	fails(t, pair+`hinge(self, other, { min = 1 })`, "hinge: set both min and max, or neither")
	fails(t, `weld(spawn("Box"), nil)`, "is dynamic")
	fails(t, `self:setMotor(1, 2)`, "setMotor is for joints, and this is a Ball")
	fails(t, pair+`rope(self, other):setLength(1e9)`, "length = 1e+09: must be")
	fails(t, pair+`rope(self, other).bodyA = other`, "the objects of a joint cannot be changed")
	fails(t, pair+`rope(self, other):setOwner(1)`, "a joint has no owner")
	fails(t, pair+`print(rope(self, other):getPosition())`, "Joint has no body")
	fails(t, `spawn("Joint")`, "there is no class Joint")
}

// TestJointsOfATick: joints that hooks create act in the physics step, and hooks learn which
// joints the step has broken.
func TestJointsOfATick(t *testing.T) {
	s := start(t, "a.lua", actors+`
Pair = object "Pair" { state = { joint = ref(), told = 0, n = 0 }, body = { shape = { circle = 0.5 } } }
function Pair:tick()
  self.n = self.n + 1
  if self.n == 1 then self.joint = rope(self, spawn("Ball", { x = 2, vx = 30 }), { length = 2, break_force = 5 }) end
end
function Pair:onJointBreak(other, joint)
  self.told = self.told + 1
  print(other.class, joint == self.joint, joint:valid())
end`)
	slot := s.spawn("Pair")
	for range 3 {
		stepRig(t, s.w, s.vm)
	}
	if s.field(slot, "told") != 1 || len(s.lines) != 1 {
		t.Errorf("told %v times: %q", s.field(slot, "told"), s.lines)
	}
}

func TestAttachment(t *testing.T) {
	prints(t, pair+`self:attach(other, -1, 0.5) print(self:getPosition()) print(self:getHolder() == other, other:getHolder())
	self:detach() self:detach() print(self:getHolder())`, "2 0.5", "true nil", "nil")
	prints(t, `local other = spawn("Ball", { x = 3, vx = 2, w = 1 }) self:attach(other, 0, 1) print(self:getVelocity()) print(self:getAngularVelocity())`, "1 0", "1")
	fails(t, `self:attach(self)`, "an object cannot carry itself")
	fails(t, `self:attach()`, "attach: the object to attach to must be an object, not nil")
	fails(t, `self:attach(game)`, "game has no body")
	fails(t, pair+`self:attach(other, 0/0, 1)`, "must be finite")
}

func TestMoveAndSlide(t *testing.T) {
	prints(t, `spawn("Box", { x = 3 })`, []string{}...)
	s := start(t, "a.lua", actors+`
Walker = object "Walker" { state = { n = 0 }, body = { type = "kinematic", shape = { circle = 0.5 }, fixed_rotation = true } }
function Walker:onSpawn() if #objects("Box") == 0 then spawn("Box", { x = 3 }) end end
function Walker:tick()
  local met = self:moveAndSlide(5, -1)
  local x, y = self:getPosition()
  print(#met, met[1].object.class, met[1].nx, met[1].ny + 0, math.floor(x * 100 + 0.5), math.floor(y * 100 + 0.5))
  for _, other in ipairs(objects("Ball")) do other:moveAndSlide(1, 1) end
end`)
	slot := s.spawn("Walker")
	if err := s.call(world.OnTick, slot, world.Args{}); err != nil {
		t.Fatal(err)
	}
	if want := ": 1\tBox\t-1\t0\t150\t-100"; len(s.lines) != 1 || s.lines[0][len(s.lines[0])-len(want):] != want {
		t.Errorf("%q", s.lines)
	}
	s.spawn("Ball")
	if err := s.call(world.OnTick, slot, world.Args{}); err == nil {
		t.Error("a hook moved and slid another object")
	}
	fails(t, `self:moveAndSlide(1, 1/0)`, "moveAndSlide: dy is inf: it must be finite")
}

func TestBodiesThatNeverSleep(t *testing.T) {
	prog, err := NewProgram(bundle("a.lua", `
A = object "A" { body = { shape = { circle = 1 } } }
B = object "B" { body = { shape = { circle = 1 }, sleep = false } }
C = object "C" { body = { shape = { circle = 1 }, sleep = true } }`), testSetup)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{"A": false, "B": true, "C": false} {
		i, _ := prog.Schema().ClassByName(name)
		if got := prog.Schema().Classes[i].Body.Def.NoSleep; got != want {
			t.Errorf("%s: NoSleep = %v", name, got)
		}
	}
}
