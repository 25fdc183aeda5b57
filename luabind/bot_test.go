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

// TestNumbersOutsideTheirRange: what think and a bot return is clamped, and said so if it is far outside.
func TestNumbersOutsideTheirRange(t *testing.T) {
	const inputs = `A = object "A" { input = { dir = "number", aim = { "number", min = -3.14, max = 3.14 } } }
`
	for _, c := range []struct{ answer, want string }{
		{`{ dir = 1, aim = math.pi }`, ""},
		{`{ dir = math.pi }`, `the result sets dir to a number outside its range of -1 to 1, to which it is clamped; declare the range in A.input, as in dir = { "number", min = -4, max = 4 }`},
		{`{ aim = -7 }`, `the result sets aim to a number outside its range of -3.14 to 3.14, to which it is clamped`},
	} {
		s := start(t, "a.lua", inputs+"function A:think() return "+c.answer+" end")
		var told []string
		s.vm.WatchPending(func(e *world.ScriptError) { told = append(told, e.Error()) })
		slot := s.spawn("A")
		if err := s.call(world.Think, slot, world.Args{}); err != nil {
			t.Fatal(err)
		}
		b, err := NewBot("my.lua", "function bot() return "+c.answer+" end")
		if err != nil {
			t.Fatal(err)
		}
		in, err := b.Decide(s.reader(), slot, s.w.Class(slot))
		if err != nil || in != world.Conform(s.w.Class(slot).Inputs, in) {
			t.Errorf("%s: %+v, %v", c.answer, in, err)
		}
		for _, e := range b.Ignored() {
			told = append(told, e.Error())
		}
		if c.want == "" && told != nil || c.want != "" && (len(told) != 2 || !strings.HasPrefix(told[0], "a.lua:2: "+c.want) || !strings.HasPrefix(told[1], "my.lua:1: "+c.want)) {
			t.Errorf("%s: told %q, want %q", c.answer, told, c.want)
		}
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
