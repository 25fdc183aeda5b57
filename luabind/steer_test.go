package luabind

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hindcast/hindcast/world"
)

// pressedBy returns the inputs of a bot as a text such as "Left aim=0.5".
func pressedBy(t *testing.T, input, body string) (pressed string, lost bool) {
	t.Helper()
	s := start(t, "a.lua", `A = object "A" { input = `+input+` } function A:applyInput(i) self.x = i end`)
	slot := s.spawn("A")
	b, err := NewBot("my.lua", "function bot(me, world) "+body+" end")
	if err != nil {
		t.Fatal(err)
	}
	class := s.w.Class(slot)
	in, err := b.Decide(s.reader(), slot, class)
	if err != nil {
		t.Fatalf("%s: %v", input, err)
	}
	return inputWords(class, &in), b.Lost()
}

func inputWords(class *world.Class, in *world.Input) string {
	var on []string
	for _, f := range class.Inputs {
		switch {
		case f.Axis && in.Axes[f.Index] != 0:
			on = append(on, fmt.Sprintf("%s=%.2f", f.Name, in.Axes[f.Index]))
		case !f.Axis && in.Buttons&(1<<f.Index) != 0:
			on = append(on, f.Name)
		}
	}
	return strings.Join(on, " ")
}

// TestSteer: steer chooses inputs by their names: to the left and ahead, or in the direction
// -0.6, 0.8.
func TestSteer(t *testing.T) {
	for input, want := range map[string]string{
		`{ Turnleft = "bool", Turnright = "bool", Accel = "bool", Backthrust = "bool" }`: "Accel Turnleft",
		`{ Left = "bool", Right = "bool", Accel = "bool" }`:                              "Accel Left",
		`{ left = "bool", right = "bool", up = "bool", down = "bool", Fire = "bool" }`:   "left up",
		`{ Left = "bool", Right = "bool", Jump = "bool" }`:                               "Left",
		`{ moveX = "number", moveY = "number" }`:                                         "moveX=-0.60 moveY=0.80",
		`{ x = { "number", min = -4, max = 2 }, y = { "number", min = 0, max = 3 } }`:    "x=-2.40 y=2.40",
		`{ turn = { "number", min = -3, max = 3 }, thrust = "number" }`:                  "thrust=1.00 turn=3.00",
		`{ steer = "number", gas = "bool", brake = "bool" }`:                             "gas steer=-1.00",
		`{ aim = { "number", min = -3.15, max = 3.15 }, Thrust = "bool" }`:               "Thrust aim=2.21",
	} {
		if got, lost := pressedBy(t, input, `return world.steer(1, 1, -0.6, 0.8)`); got != want || lost {
			t.Errorf("%s: %q, want %q; lost %v", input, got, want, lost)
		}
	}
	if got, lost := pressedBy(t, `{ q = "bool", zoom = "number" }`, `return world.steer(1, 1, 1, 1) or { q = true }`); got != "q" || !lost {
		t.Errorf("inputs that say nothing: %q, lost %v", got, lost)
	}
}

// TestAnything: every input is used at some time and released at some time, and none changes
// in every tick.
func TestAnything(t *testing.T) {
	s := start(t, "a.lua", `A = object "A" { input = { q = "bool", w = "bool", zoom = { "number", min = -2, max = 5 } } } function A:applyInput(i) self.x = i end`)
	slot := s.spawn("A")
	b, err := NewBot("my.lua", "function bot(me, world) return world.anything() end")
	if err != nil {
		t.Fatal(err)
	}
	seen, changes, last := map[string]bool{}, 0, ""
	for range 600 {
		s.w.Now.Tick++
		in, err := b.Decide(s.reader(), slot, s.w.Class(slot))
		if err != nil {
			t.Fatal(err)
		}
		now := inputWords(s.w.Class(slot), &in)
		if now != last {
			changes++
		}
		last = now
		seen["q"] = seen["q"] || strings.Contains(now, "q")
		seen["w"] = seen["w"] || strings.Contains(now, "w")
		seen["zoom"] = seen["zoom"] || strings.Contains(now, "zoom")
		seen["nothing"] = seen["nothing"] || now == ""
		if z := in.Axes[0]; z < -2 || z > 5 {
			t.Errorf("zoom = %v", z)
		}
	}
	if len(seen) != 4 || !seen["q"] || !seen["w"] || !seen["zoom"] || !seen["nothing"] || changes < 20 || changes > 180 {
		t.Errorf("%v, %d changes", seen, changes)
	}
}
