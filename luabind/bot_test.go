package luabind

import (
	"strings"
	"testing"

	"github.com/hindcast/hindcast/world"
)

func decide(t *testing.T, s *testScene, slot int, source string) (world.Input, error) {
	t.Helper()
	b, err := NewBot("my.lua", source)
	if err != nil {
		t.Fatalf("%v\n%s", err, source)
	}
	return b.Decide(s.reader(), slot, s.w.Class(slot))
}

func TestBot(t *testing.T) {
	s := start(t, "ship.lua", shipLua+actors)
	slot := s.spawn("Ship")
	other := s.spawn("Ball")
	s.w.Now.Body(other).X = 5
	before := s.w.Now.Hash()
	names := func(in world.Input) string {
		var on []string
		for _, f := range s.w.Class(slot).Inputs {
			if !f.Axis && in.Buttons&(1<<f.Index) != 0 {
				on = append(on, f.Name)
			}
		}
		return strings.Join(on, " ")
	}
	for _, c := range []struct{ body, want string }{
		{`return { Accel = true }`, "Accel"},
		{`return nil`, ""},
		{`return {}`, ""},
		{`local b = world.nearest("Ball", me:getPosition()) local x = b:getPosition() return { Accel = x == 5 and b.hp == 10 and b.name == "ball", Turnleft = me.fuel == 100 }`, "Accel Turnleft"},
		{`local h = world.raycast(0, 0, 9, 0) return { Accel = h and h.class == "Ball" }`, "Accel"},
		{`return { Accel = #world.objects("Ball") == 1 and #world.overlapCircle(5, 0, 1) == 1 and #overlapBox(5, 0, 1, 1) == 1 }`, "Accel"},
		{`return { Accel = #world.raycastAll(0, 0, 9, 0) == 1 and world.circleCast(0, 0, 9, 0, 1).class == "Ball" and #world.overlapPolygon({ 5, 0, 6, 0, 5, 1 }) == 1 }`, "Accel"},
		{`local k = "fuel" return { Accel = me[k] == 100, Turnright = world.arena.width == 40 and arena.height == 30 }`, "Accel Turnright"},
		{`local r = random() return { Accel = r >= 0 and r < 1 and r == r, Turnleft = world.random(1) == 1 }`, "Accel Turnleft"},
		{`return { Accel = now() == tickNumber() / 60 and #players() == 0 and me:valid() and me.owner == 0 }`, "Accel"},
	} {
		in, err := decide(t, s, slot, "function bot(me, world) "+c.body+" end")
		if err != nil || names(in) != c.want {
			t.Errorf("%s: %q, %v", c.body, names(in), err)
		}
	}
	for _, c := range []struct{ body, want string }{
		{`me.fuel = 1`, "a bot can look"},
		{`me:setTorque(1)`, "a bot can look"},
		{`me:remove()`, "a bot can look"},
		{`spawn("Ball")`, "a bot can look"},
		{`world.x = 1`, "read-only"},
		{`return { Acel = true }`, "the result sets Acel; Ship declares the inputs: Accel"},
		{`return 5`, "is a number"},
		{`while true do end`, "budget"},
		{`local function f(...) return f(1, ...) end f(1)`, "too deep"},
		{`return { aim = me.nothing }`, "Ship has no field or method nothing"},
	} {
		_, err := decide(t, s, slot, "function bot(me, world)\n"+c.body+" end")
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "my.lua:") {
			t.Errorf("%s: %v, not %q", c.body, err, c.want)
		}
	}
	if s.w.Now.Hash() != before || s.w.Actor().Calls().Acting() != -1 {
		t.Error("a bot changed the world")
	}
}

func TestBotRefused(t *testing.T) {
	for _, c := range []struct{ source, want string }{
		{`function bott() end`, "a bot file must declare a function"},
		{`bot = 5`, "a bot file must declare a function"},
		{`x = `, "my.lua:1: "},
		{"n = 0\nfunction bot() n = n + 1 end", "my.lua:2: global n is set in a function"},
		{`function bot() return me.x end`, "me is not defined"},
	} {
		if _, err := NewBot("my.lua", c.source); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.source, err)
		}
	}
}

// TestBotForSeveralWorlds: a bot can be asked about worlds of other bundles.
func TestBotForSeveralWorlds(t *testing.T) {
	b, err := NewBot("my.lua", "function bot(me) return { go = me.n == 3 } end")
	if err != nil {
		t.Fatal(err)
	}
	for i := range 4 {
		text := "P = object 'P' { input = { go = 'bool' }, state = { n = 3 } }"
		if i%2 == 1 {
			text = "O = object 'O' { state = { x = 1 } } P = object 'P' { input = { go = 'bool', stop = 'bool' }, state = { a = 1, n = 3 } }"
		}
		s := start(t, "a.lua", text)
		slot := s.spawn("P")
		for range 2 {
			if in, err := b.Decide(s.reader(), slot, s.w.Class(slot)); err != nil || in.Buttons != 1 {
				t.Errorf("%+v, %v", in, err)
			}
		}
	}
}
