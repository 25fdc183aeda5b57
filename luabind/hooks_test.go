package luabind

import (
	"strings"
	"testing"

	"github.com/hindcast/hindcast/world"
)

func TestContactHooks(t *testing.T) {
	s := start(t, "a.lua", actors+`
function Ball:onContact(other, c) print("begin", other.class, c.x, c.y, c.nx, c.ny, c.impulse) end
function Ball:onContactEnd(other) print("end", other == nil or other:valid()) end
function Ball:onTrigger(other) print("trigger", other.class) other.hp = 1 end
function Ball:onRemove() print("gone", self.hp) end`)
	a, b := s.spawn("Ball"), s.spawn("Ball")
	other := s.w.Now.Objects[b].ID
	args := world.Args{Other: other, Contact: world.Contact{X: 1, Y: 2, NormalX: 3, NormalY: 4, Impulse: 5}}
	for _, h := range []world.Hook{world.OnContact, world.OnContactEnd, world.OnTrigger, world.OnRemove} {
		if err := s.call(h, a, args); err != nil {
			t.Errorf("%s: %v", h, err)
		}
	}
	args.Other = 12345 // never there
	if err := s.call(world.OnContactEnd, a, args); err != nil {
		t.Errorf("%v", err)
	}
	want := []string{"begin\tBall\t1\t2\t3\t4\t5", "end\ttrue", "trigger\tBall", "gone\t10", "end\tfalse"}
	for i, w := range want {
		if i >= len(s.lines) || !strings.HasSuffix(s.lines[i], ": "+w) {
			t.Errorf("line %d of %q is not %q", i, s.lines, w)
		}
	}
}

func TestInputs(t *testing.T) {
	s := start(t, "a.lua", `
P = object "P" { input = { left = "bool", fire = "bool", aim = "number", zoom = { "number", min = 0, max = 10, step = 0.5 } }, state = { n = 0 } }
function P:applyInput(input)
  print(input.left, input.fire, input.aim, input.zoom)
  if input.zoom == 3 then input.left = true end
  if input.zoom == 4 then print(input.lefft) end
  local all = ""
  for k, v in pairs(input) do all = all .. k .. "=" .. tostring(v) .. ";" end
  print(all)
end
function P:think()
  self.n = self.n + 1
  if self.n == 1 then return { fire = true, aim = 7, zoom = 2.2 } end
  if self.n == 2 then return nil end
  if self.n == 3 then return { fre = true } end
  if self.n == 4 then return { aim = true } end
  return 5
end`)
	slot := s.spawn("P")
	c := s.w.Class(slot)
	buttons := map[string]uint32{}
	axes := map[string]int{}
	for _, f := range c.Inputs {
		if f.Axis {
			axes[f.Name] = f.Index
		} else {
			buttons[f.Name] = 1 << f.Index
		}
	}
	var in world.Input
	in.Buttons = buttons["left"]
	in.Axes[axes["aim"]], in.Axes[axes["zoom"]] = -0.25, 2
	for range 2 {
		if err := s.call(world.ApplyInput, slot, world.Args{Input: in}); err != nil {
			t.Fatal(err)
		}
	}
	if !strings.HasSuffix(s.lines[2], "true\tfalse\t-0.25\t2") || !strings.HasSuffix(s.lines[3], "aim=-0.25;fire=false;left=true;zoom=2;") {
		t.Errorf("%q", s.lines)
	}
	in.Axes[axes["zoom"]] = 3
	if err := s.call(world.ApplyInput, slot, world.Args{Input: in}); err == nil || !strings.Contains(err.Error(), "read-only") {
		t.Errorf("a write to an input: %v", err)
	}
	in.Axes[axes["zoom"]] = 4
	if err := s.call(world.ApplyInput, slot, world.Args{Input: in}); err == nil || !strings.Contains(err.Error(), "P declares no input lefft; it has: left") {
		t.Errorf("an unknown input: %v", err)
	}

	answers := []struct {
		want world.Input
		err  string
	}{{want: world.Input{Buttons: buttons["fire"]}}, {}, {err: "the result sets fre; P declares the inputs: fire"}, {err: "sets aim to a boolean"}, {err: "is a number"}}
	answers[0].want.Axes[axes["aim"]], answers[0].want.Axes[axes["zoom"]] = 1, 2
	for i, a := range answers {
		args := world.Args{Input: world.Input{Buttons: 77}}
		err := s.vm.Call(s.w.Actor(), world.Think, slot, &args)
		if a.err != "" {
			if err == nil || !strings.Contains(err.Error(), a.err) || !strings.HasPrefix(err.Error(), "a.lua:1") {
				t.Errorf("answer %d: %v, not %q", i, err, a.err)
			}
		} else if err != nil || args.Input != a.want {
			t.Errorf("answer %d: %+v, %v", i, args.Input, err)
		}
	}
}

func TestGame(t *testing.T) {
	s := start(t, "a.lua", actors+`
function Ball:tick() game.score = game.score + 1 self.mark = game.score print(game.phase, game == game, game.id) end`,
		"game.lua", `
game { state = { score = 0, phase = str(8, "lobby"), last = 0 } }
function onStart() game.phase = "play" print(#objects("Ball")) end
function onJoin(player) game.last = player spawn("Ball", { owner = player }) end
function onLeave(player) game.last = -player end
function tick() game.score = game.score + 100 print(game.score) end`)
	game, _ := s.w.Match()
	for _, c := range []struct {
		h world.Hook
		a world.Args
	}{{world.OnStart, world.Args{}}, {world.OnJoin, world.Args{Player: 5}}, {world.OnGameTick, world.Args{}}} {
		if !s.w.Class(game).Hooks.Has(c.h) {
			t.Errorf("%s is not declared", c.h)
		}
		if err := s.call(c.h, game, c.a); err != nil {
			t.Fatal(err)
		}
	}
	if s.field(game, "score") != 100 || s.field(game, "last") != 5 {
		t.Errorf("score %v, last %v", s.field(game, "score"), s.field(game, "last"))
	}
	s.order()
	ball := int(s.w.Now.Run[0])
	if s.w.Class(ball).Name != "Ball" || s.w.Now.Objects[ball].Owner != 5 {
		t.Fatalf("no ball for the player")
	}
	if err := s.call(world.OnTick, ball, world.Args{}); err != nil {
		t.Fatal(err)
	}
	if s.field(ball, "mark") != 100 || s.field(game, "score") != 100 {
		t.Errorf("the game was changed before the order's end: %v %v", s.field(ball, "mark"), s.field(game, "score"))
	}
	s.order()
	if s.field(game, "score") != 101 {
		t.Errorf("score %v", s.field(game, "score"))
	}
	if err := s.call(world.OnLeave, game, world.Args{Player: 5}); err != nil || s.field(game, "last") != -5 {
		t.Errorf("onLeave: %v, last %v", err, s.field(game, "last"))
	}
}

func TestLevelSpawnsRunOnSpawn(t *testing.T) {
	setup := testSetup
	setup.Spawns = []world.Spawn{{Class: "P", Count: 3}}
	s := startWith(t, setup, "a.lua", `P = object "P" { state = { n = 0 } } function P:onSpawn(args) self.n = 5 print(next(args), type(args)) args.x = 1 end`)
	if len(s.w.Faults()) != 3 || len(s.lines) != 3 || !strings.HasSuffix(s.lines[0], "nil\ttable") {
		t.Errorf("%+v %q", s.w.Faults(), s.lines)
	}
	for _, slot := range s.w.Now.Run {
		if s.w.Class(int(slot)).Name == "P" && s.field(int(slot), "n") != 5 {
			t.Errorf("what onSpawn did before its error is gone")
		}
	}
}
