package luabind

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
)

const actors = `
Ball = object "Ball" {
  state = { hp = 10, mark = 0, target = ref(), name = str(8, "ball"), on = true, list = list("number", 4), rec = record { n = 1 } },
  aux = { team = 1 },
  objProps = { push = 3 },
  body = { shape = { circle = 0.5 }, layer = "ball" },
}
Box = object "Box" { body = { type = "static", shape = { box = { 2, 1 } }, layer = "box" }, order = 1 }
Plain = object "Plain" { state = { n = 0 } }
function Ball:helper(k) return self.hp * k, self.objProps.push end
Ball.LIMIT = 7
`

// hooked returns a scene with one Ball. body is the code of its tick.
func hooked(t *testing.T, body string) (*testScene, int) {
	t.Helper()
	s := start(t, "a.lua", actors+"function Ball:tick()\n"+body+"\nend")
	return s, s.spawn("Ball")
}

// prints runs a Ball's tick and compares what it prints.
func prints(t *testing.T, body string, want ...string) {
	t.Helper()
	s, slot := hooked(t, body)
	if err := s.call(world.OnTick, slot, world.Args{}); err != nil {
		t.Errorf("%s\n%v", body, err)
		return
	}
	var got []string
	for _, l := range s.lines {
		_, text, _ := strings.Cut(l, ": ")
		got = append(got, strings.ReplaceAll(text, "\t", " "))
	}
	if strings.Join(got, "|") != strings.Join(want, "|") {
		t.Errorf("%s\nprinted %q, not %q", body, got, want)
	}
}

// fails runs the tick of a Ball and checks that its error contains each of the texts.
func fails(t *testing.T, body string, want ...string) {
	t.Helper()
	s, slot := hooked(t, body)
	err := s.call(world.OnTick, slot, world.Args{})
	for _, w := range want {
		if err == nil || !strings.Contains(err.Error(), w) {
			t.Errorf("%s\nerror %v lacks %q", body, err, w)
		}
	}
}

func TestFields(t *testing.T) {
	prints(t, `print(self.hp, self.name, self.on, self.target, self.team)`, "10 ball true nil 1")
	prints(t, `self.hp = self.hp - 0.5 self.name = 'x' self.on = false self.target = self self.team = 4
	print(self.hp, self.name, self.on, self.target == self, self.team) self.target = nil print(self.target)`, "9.5 x false true 4", "nil")
	prints(t, `local f = 'hp' print(self[f]) self[f] = 3 print(self.hp, self['hp'])`, "10", "3 3")
	prints(t, `print(#self.id, type(self.id), self.owner, self.class, self.objProps.push, self.LIMIT, self:helper(2))`, "16 string 0 Ball 3 7 20 3")
	fails(t, `self.name = 5`, "Ball.name is a string of at most 8 bytes and cannot hold a number")
	fails(t, `self.name = 'much too long'`, "a.lua:13: name holds at most 8 bytes, not 13")
	fails(t, `self.hpp = 1`, "Ball has no field hpp: declare a field in state", "did you mean hp?")
	fails(t, `print(self.hpp)`, "Ball has no field or method hpp")
	fails(t, `print(self.x)`, "Ball has no field or method x: getPosition() returns x and y")
	fails(t, `self.hp = 'x'`, "Ball.hp is a number and cannot hold a string")
	fails(t, `self.hp = nil`, "Ball.hp is a number and cannot hold a nil")
	fails(t, `self.on = 1`, "Ball.on is a boolean and cannot hold a number")
	fails(t, `self.target = 5`, "Ball.target is a ref (an object, or nil) and cannot hold a number")
	fails(t, `self.owner = 3`, "setOwner")
	fails(t, `self.id = 'x'`, "cannot be changed")
	prints(t, `local o, id = self, self.id local k = 'hp' print(o[k] == self.hp, o["own" .. "er"], o[("id")] == id, ({ o })[1][k] == o[k])`, "true 0 true true")
	prints(t, `local function sum(of, keys) local n = 0 for _, k in ipairs(keys) do n = n + of[k] end return n end print(sum(self, { "hp", "owner" }) == self.hp, sum({ a = 1 }, { "a" }))`, "true 1")
	fails(t, `local o = self local k = 'hpp' print(o[k])`, "Ball has no field or method hpp")
	fails(t, `local o = self print(o[5])`, "the fields of an object have names, as in other.hp, and a number is none")
	prints(t, `local k = 'hp' self[k] = self[k] + 1 print(self[k] == self.hp)`, "true")
}

func TestBodies(t *testing.T) {
	prints(t, `self:setPosition(1, 2) self:setVelocity(3, 4) self:setDirection(0.5) self:setAngularVelocity(6)
	local x, y = self:getPosition() local vx, vy = self:getVelocity() print(x, y, vx, vy, self:getDirection(), self:getAngularVelocity())`, "1 2 3 4 0.5 6")
	prints(t, `print(string.format('%.4f', self:getMass()))`, "0.7854")
	prints(t, `self:applyImpulse(self:getMass(), 0) local vx = self:getVelocity() print(string.format('%.6f', vx)) self:applyAngularImpulse(1) print(self:getAngularVelocity() > 0)`, "1.000000", "true")
	fails(t, `self:setForce(1)`, "setForce: fy must be a number, not nil")
	fails(t, `self:setPosition(1/0, 0)`, "finite")
	fails(t, `self:setOwner(1.5)`, "not a player")
	fails(t, `self:setOwner(70000)`, "not a player")
	fails(t, `spawn('Plain'):setForce(1, 1)`, "Plain has no body")
	fails(t, `spawn('Plain'):getPosition()`, "Plain has no body")
	fails(t, `spawn('Plain', { y = 1 })`, "the object has no body: class Plain has no body")
	fails(t, `spawn('Plain', { vx = 1 })`, "the object has no body: class Plain has no body")
}

func TestForcesReachTheBody(t *testing.T) {
	s, slot := hooked(t, `self:setForce(1, 2) self:setTorque(3) self:applyForce(4, 5) self:applyTorque(6) self:setOwner(9) print(self.owner)`)
	if err := s.call(world.OnTick, slot, world.Args{}); err != nil {
		t.Fatal(err)
	}
	b := s.w.Now.Body(slot)
	if b.FX != 1 || b.FY != 2 || b.Torque != 3 || b.ImpFX != 4 || b.ImpFY != 5 || b.ImpT != 6 {
		t.Errorf("%+v", b)
	}
	if s.w.End(); s.w.Now.Objects[slot].Owner != 9 {
		t.Errorf("owner %d at the end of the tick", s.w.Now.Objects[slot].Owner)
	}
}

// TestOthersAreReadAsBeforeTheOrder: an object reads others as they were before the order
// began. What it writes to them takes effect when the order ends, and what it subtracts is
// subtracted then.
func TestOthersAreReadAsBeforeTheOrder(t *testing.T) {
	s := start(t, "a.lua", actors+`
function Ball:tick()
  for _, b in ipairs(objects("Ball")) do
    if b ~= self then
      self.mark = b.hp
      b.hp = b.hp - 1
      self.mark = self.mark * 100 + b.hp
      b:setVelocity(1, 0)
      print((b:getVelocity()))
    end
  end
  self.hp = self.hp + 5
  print(self.hp)
end`)
	a, b := s.spawn("Ball"), s.spawn("Ball")
	for _, slot := range []int{a, b} {
		if err := s.call(world.OnTick, slot, world.Args{}); err != nil {
			t.Fatal(err)
		}
	}
	if s.field(a, "hp") != 15 || s.field(b, "hp") != 15 || s.field(a, "mark") != 1010 || s.field(b, "mark") != 1010 {
		t.Errorf("before the end: hp %v %v, mark %v %v", s.field(a, "hp"), s.field(b, "hp"), s.field(a, "mark"), s.field(b, "mark"))
	}
	s.order()
	if s.field(a, "hp") != 14 || s.field(b, "hp") != 14 || s.w.Now.Body(a).VX != 1 {
		t.Errorf("after it: hp %v %v, vx %v", s.field(a, "hp"), s.field(b, "hp"), s.w.Now.Body(a).VX)
	}
}

func TestSpawn(t *testing.T) {
	s := start(t, "a.lua", actors+`
function Ball:tick()
  local b = spawn("Ball", { x = 3, y = 4, angle = 1, vx = 5, vy = 6, w = 7, owner = 8, hp = 99, name = "new", on = false, target = self })
  local x, y = b:getPosition()
  print(x, y, b:getDirection(), b.owner, b.hp, b.name, b.on, b.target == self, b:valid(), b == self, b.mark)
  b.hp = 50
  print(b.hp, #objects("Ball"), b == spawn("Ball"))
end
function Ball:onSpawn(args)
  self.mark = (args.hp or 0) + 1
  if args.hp then args = args.x end
  print("born", self.hp, args == 3)
end
function Box:onSpawn(args) args.x = 1 end`)
	slot := s.spawn("Ball")
	if err := s.call(world.OnTick, slot, world.Args{}); err != nil {
		t.Fatal(err)
	}
	want := []string{"born\t10\tfalse", "born\t99\ttrue", "3\t4\t1\t8\t99\tnew\tfalse\ttrue\ttrue\tfalse\t100", "born\t10\tfalse", "50\t1\tfalse"}
	for i, l := range s.lines {
		if _, text, _ := strings.Cut(l, ": "); i >= len(want) || text != want[i] {
			t.Errorf("line %d: %q", i, text)
		}
	}
	fails(t, `spawn("Bal")`, "no class Bal", "declare Ball, ")
	fails(t, `spawn("Wall")`, "no class Wall")
	fails(t, `spawn("game")`, "no class game")
	fails(t, `spawn("Ball", { hpp = 1 })`, "Ball has no hpp", "there are hp, ")
	fails(t, `spawn("Ball", { x = "1" })`, "x must be a number")
	fails(t, `spawn("Ball", { x = 1/0 })`, "within")
	fails(t, `spawn("Ball", { hp = "1" })`, "cannot hold")
	fails(t, `spawn("Ball", 5)`, "must be a table")
	fails(t, `for i = 1, 65 do spawn("Plain") end`, "64")
}

// TestNestedOnSpawn: an error in onSpawn is reported for the new object. The hook that
// spawned it continues with its captured variables intact. Nesting is bounded.
func TestNestedOnSpawn(t *testing.T) {
	s := start(t, "a.lua", actors+`
function Plain:onSpawn() self.n = 1 local x = nil + 1 end
function Box:onSpawn() spawn("Box") end
function Ball:onSpawn(args) if self.hp == 11 then while true do end end end
function Ball:tick()
  local n = 1
  local function up() n = n + 1 return n end
  local p = spawn("Plain")
  up() up()
  print(n, p.n, p:valid())
  local b = spawn("Ball", { hp = 11 })
  up()
  print(n, b.hp)
  spawn("Box")
  print("end")
end`)
	slot := s.spawn("Ball")
	if err := s.call(world.OnTick, slot, world.Args{}); err != nil {
		t.Fatal(err)
	}
	if len(s.lines) != 3 || !strings.HasSuffix(s.lines[0], "3\t1\ttrue") || !strings.HasSuffix(s.lines[1], "4\t11") {
		t.Errorf("%q", s.lines)
	}
	faults := s.w.Faults()
	if len(faults) != 3 {
		t.Fatalf("faults: %+v", faults)
	}
	if f := faults[0]; f.Class != "Plain" || f.Hook != world.OnSpawn || !strings.Contains(f.Err.Error(), "a.lua:13:") {
		t.Errorf("%+v", f)
	}
	if e := scriptErrors(t, faults[1].Err)[0]; !e.Budget || e.Class != "Ball" {
		t.Errorf("%+v", e)
	}
	if f := faults[2]; f.Class != "Box" || !strings.Contains(f.Err.Error(), "8 deep") {
		t.Errorf("%+v", f)
	}
}

func TestQueries(t *testing.T) {
	setup := testSetup
	setup.Walls = []world.Wall{{X: 10, Y: 0, W: 1, H: 5}}
	s := startWith(t, setup, "a.lua", actors+`
function Ball:tick()
  local h, x, y, nx, ny, f = raycast(0, 0, 20, 0)
  print(h.class, x, y, nx, ny, f)
  print(raycast(0, 0, 20, 0, "ball") == nil, raycast(0, 0, 0, 20, {"box", "ball"}).class, raycast(0, 0, 5, 5))
  print(#overlapCircle(0, 3, 1), overlapCircle(0, 3, 1)[1].class, #overlapBox(0, 3, 1, 1, "box"), #overlapBox(5, 5, 1, 1))
  print(nearest("Box", 0, 0).class, nearest("Box", 0, 0, 1), nearest("Ball", 0, 0))
  print(#objects("Ball"), objects("Ball")[1] == self, #objects("Plain"), #players(), players()[1], arena.width, arena.height)
  print(now() == tickNumber() / 60, tickNumber())
  local all = raycastAll(0, 0, 20, 4.5)
  print(#all, all[1].class, #raycastAll(0, 0, 0, 20, "ball"), #raycastAll(0, 0, 0, 20), #raycastAll(0, 0, 5, 0))
  local c, cx, cy, cnx, cny, cf = circleCast(0, 0, 0, 10, 0.5, "box")
  print(c.class, cx, math.floor(cy * 1000), cnx, cny, math.floor(cf * 1000), circleCast(0, 0, 0, 10, 0.5, "wall"))
  print(#overlapPolygon({ -1, 2, 1, 2, 0, 5 }), #overlapPolygon({ -1, 2, 1, 2, 0, 5 }, "wall"), #overlapPolygon({ 8, 0, 11, -9, 11, 9 }))
end`)
	game, _ := s.w.Match()
	prev := s.w.Act(game)
	if _, err := s.w.Spawn("Box", world.Placement{Pose: physics.Pose{X: 0, Y: 3}}); err != nil {
		t.Fatal(err)
	}
	s.w.Act(prev)
	s.w.Join(7)
	s.w.Join(9)
	s.w.Leave(9)
	slot := s.spawn("Ball")
	if err := s.call(world.OnTick, slot, world.Args{}); err != nil {
		t.Fatal(err)
	}
	want := []string{"Wall\t9.5\t0\t-1\t0\t0.475", "true\tBox\tnil", "1\tBox\t1\t0", "Box\tnil\tnil", "1\ttrue\t0\t1\t7\t40\t30", "true\t1",
		"1\tWall\t0\t1\t0", "Box\t0\t2499\t0\t-1\t199\tnil", "1\t0\t1"}
	for i, w := range want {
		if i >= len(s.lines) || !strings.HasSuffix(s.lines[i], ": "+w) {
			t.Errorf("line %d of %q is not %q", i, s.lines, w)
		}
	}
	fails(t, `raycast(0, 0, 1, 1, "bal")`, "there is no layer bal; there are ball, box")
	fails(t, `overlapPolygon({ 0, 0, 1, 0, 1, 1 }, "wal")`, "there is no layer wal; there are wall")
	fails(t, `overlapPolygon({ 0, 0, 1, 0, 1 })`, "5 numbers")
	fails(t, `overlapPolygon({ 0, 0, 1, 0, 1, "x" })`, "number 6 is a string")
	fails(t, `overlapPolygon({ 0, 0, 1, 0, 2, 0 })`, "collinear")
	fails(t, `overlapPolygon({ 0, 0, 1, 0, 0/0, 1 })`, "finite")
	fails(t, `overlapPolygon(1)`, "must be a table")
	fails(t, `circleCast(0, 0, 1, 1, 0)`, "r is 0: it must be 0.01 to 200000")
	fails(t, `raycastAll(0, 0, 1)`, "y2 must be a number")
	fails(t, `nearest("Nothing", 0, 0)`, "no class Nothing")
	fails(t, `objects()`, "must be a string")
	fails(t, `raycast(0, 0, 0/0, 1)`, "finite")
}

// TestObjectsAreInTheOrderOfSpawning: even if several were spawned in one tick.
func TestObjectsAreInTheOrderOfSpawning(t *testing.T) {
	s := start(t, "a.lua", `
Egg = object "Egg" { state = { n = 0 } }
Hen = object "Hen" { state = { laid = 0 } }
function Hen:tick()
  for i = 1, 20 do
    self.laid = self.laid + 1
    spawn("Egg", { n = self.laid })
  end
end
function Hen:onSpawn()
  local out = ""
  for _, egg in ipairs(objects("Egg")) do out = out .. " " .. egg.n end
  print(out)
end`)
	s.spawn("Hen")
	s.tick()
	s.tick()
	s.spawn("Hen")
	want := ""
	for i := range 40 {
		want += fmt.Sprintf(" %d", i+1)
	}
	if got := s.lines[len(s.lines)-1]; !strings.HasSuffix(got, want) {
		t.Errorf("the order is%s", got)
	}
}

func TestRemovedObjects(t *testing.T) {
	s := start(t, "a.lua", actors+`
function Ball:tick()
  local b = spawn("Ball")
  if self.target == nil and self.hp == 10 then
    self.target = b
    b:remove()
    print(b:valid(), self.target == b)
  end
end
function Ball:onContactEnd(other)
  print(self.target == nil, not self.target, other:valid(), other == other, other ~= nil, tostring(other) ~= "")
  if self.hp == 1 then other.hp = 5 elseif self.hp == 2 then other:setForce(1, 1) elseif self.hp == 3 then print(other.hp) end
end
function game_remove() game:remove() end
function Plain:tick() game_remove() end`)
	slot := s.spawn("Ball")
	s.tick()
	if got := s.lines[len(s.lines)-1]; !strings.HasSuffix(got, "true\ttrue") {
		t.Errorf("%q", got)
	}
	target, _ := s.w.Class(slot).Field("target")
	gone := world.ObjectID(s.w.Now.Row(slot).Word(target))
	for hp := 0.0; hp <= 3; hp++ {
		f, _ := s.w.Class(slot).Field("hp")
		s.w.Now.Row(slot).SetWord(f, world.NumberBits(hp))
		err := s.call(world.OnContactEnd, slot, world.Args{Other: gone})
		if got := s.lines[len(s.lines)-1]; !strings.HasSuffix(got, "true\ttrue\tfalse\ttrue\ttrue\ttrue") {
			t.Errorf("%q", got)
		}
		if hp > 0 && (err == nil || !strings.Contains(err.Error(), "has been removed")) || hp == 0 && err != nil {
			t.Errorf("hp %v: %v", hp, err)
		}
	}
	plain := s.spawn("Plain")
	if err := s.call(world.OnTick, plain, world.Args{}); err == nil || !strings.Contains(err.Error(), "game cannot be removed") {
		t.Errorf("%v", err)
	}
}

func TestPrint(t *testing.T) {
	s, slot := hooked(t, "print('hello', 1, nil, true, self ~= nil)\nprint()")
	if err := s.call(world.OnTick, slot, world.Args{}); err != nil {
		t.Fatal(err)
	}
	if len(s.lines) != 2 || s.lines[0] != "a.lua:13: hello\t1\tnil\ttrue\ttrue" || s.lines[1] != "a.lua:14: " {
		t.Errorf("%q", s.lines)
	}
	s.w.Rerun = true
	left := s.vm.lang.budget.left
	if err := s.call(world.OnTick, slot, world.Args{}); err != nil || len(s.lines) != 2 {
		t.Errorf("a re-run printed: %q, %v", s.lines, err)
	}
	if s.vm.lang.budget.left != left {
		t.Errorf("a silent print costs other than a loud one: %d, %d", s.vm.lang.budget.left, left)
	}
}

func TestRandom(t *testing.T) {
	s, slot := hooked(t, `self.mark = random() + 1000 * random(6) + 10000 * random(-2, 2)
	for i = 1, 200 do local r, d, e = random(), random(6), random(3, 3) assert(r >= 0 and r < 1 and d >= 1 and d <= 6 and d % 1 == 0 and e == 3) end`)
	var first float64
	for i := range 3 {
		var saved world.State
		saved.CopyFrom(s.w.Now)
		w := world.New()
		w.Load(&saved, s.vm.Schema())
		w.Begin()
		w.BeginOrder()
		if err := s.vm.Call(w.Actor(), world.OnTick, slot, &world.Args{}); err != nil {
			t.Fatal(err)
		}
		f, _ := w.Class(slot).Field("mark")
		if v := numberOf(w.Now.Row(slot).Word(f)); i > 0 && v != first || v == math.Trunc(v) {
			t.Errorf("mark = %v, then %v", first, v)
		} else {
			first = v
		}
	}
	fails(t, `random(0)`, "the range is empty")
	fails(t, `random(5, 1)`, "the range is empty")
	fails(t, `random('x')`, "must be a number")
}

func TestVec(t *testing.T) {
	prints(t, `print(vec.length(3, 4), vec.distance(1, 1, 4, 5), vec.dot(1, 2, 3, 4)) print(vec.normalize(0, 5)) print(vec.normalize(0, 0))
	local x, y = vec.rotate(1, 0, math.pi / 2) print(math.abs(x) < 1e-15, y) print(vec.angle(0, 2) == math.pi / 2) print(vec.fromAngle(0)) print(vec.fromAngle(0, 3))`,
		"5 5 11", "0 1", "0 0", "true 1", "true", "1 0", "3 0")
}

func TestPairsOrder(t *testing.T) {
	prints(t, `local t = { z = 1, a = 2, [10] = 3, [2] = 4, [-1] = 5, [0.5] = 6, [true] = 7, [false] = 8, B = 9, [1000000] = 10 }
	local s = '' for k in pairs(t) do s = s .. tostring(k) .. ' ' end print(s)
	s = '' local k = next(t) while k ~= nil do s = s .. tostring(k) .. ' ' k = next(t, k) end print(s)`,
		"-1 0.5 2 10 1000000 B a z false true ", "-1 0.5 2 10 1000000 B a z false true ")
}

// TestListsAreReadOnly: the lists of which the reference page says it.
func TestListsAreReadOnly(t *testing.T) {
	for _, list := range []string{"objects('Ball')", "players()", "raycastAll(-50, 0, 50, 0)", "overlapCircle(0, 0, 50)", "overlapBox(0, 0, 50, 50)",
		"overlapPolygon({ -9, -9, 9, -9, 9, 9 })", "self:moveAndSlide(0.1, 0)"} {
		fails(t, "local l = "+list+" l[1] = 3", "read-only")
		fails(t, "local l = "+list+" table.sort(l)", "copy the list into a new table first")
	}
}
