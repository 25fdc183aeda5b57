package luabind

import (
	"strings"
	"testing"

	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
)

func TestOwnershipRefused(t *testing.T) {
	const round = "body = { shape = { circle = 1 } }"
	refused(t, "X = object \"X\" {\n authority = \"me\",\n ticking = \"often\" }", "2: X.authority = \"me\": must be \"host\" or \"owner\"", "3: must be \"fixed\" or \"independent\"")
	refused(t, "X = object \"X\" {\n authority = \"owner\" }", "2: needs a body")
	refused(t, "X = object \"X\" {\n moves = { speed = 3 }, "+round+" }", "2: X.moves is only for classes with authority = \"owner\"")
	refused(t, "X = object \"X\" { authority = \"owner\", "+round+",\n moves = {\n speed = 0,\n sped = 1 } }", "4: unknown key moves.sped; there are speed, ghost", "3: X.moves.speed must be above 0")
	refused(t, "X = object \"X\" { }\nfunction X:verify(claimed) return true end", "2: X:verify is only for classes with authority")
	refused(t, "X = object \"X\" { }\nfunction X:simulate(input, dt) end", "2: X:simulate is only for classes with ticking")
	refused(t, "X = object \"X\" {\n ticking = \"independent\" }", "2: needs a function X:simulate(input, dt)")
	refused(t, "X = object \"X\" {\n ticking = \"independent\" }\nfunction X:simulate(input, dt) end\nfunction X:applyInput(input) end\nfunction X:think() end",
		"4: X:simulate takes the place of applyInput", "5: X:simulate takes the place of think")
}

// TestOwnerAuthorityWithIndependentTicking tests that a class may have both keys.
func TestOwnerAuthorityWithIndependentTicking(t *testing.T) {
	s := start(t, "a.lua", `
X = object "X" { authority = "owner", ticking = "independent", body = { type = "kinematic", shape = { circle = 1 } } }
function X:simulate(input, dt) end
function X:verify(claimed) return true end`)
	if c := s.w.Class(s.spawn("X")); c.Moves == nil || !c.Independent {
		t.Errorf("moves %v, independent %v", c.Moves, c.Independent)
	}
}

// TestOwnershipHooks checks the arguments of simulate and verify, and that verify can change
// nothing.
func TestOwnershipHooks(t *testing.T) {
	s := start(t, "a.lua", `
X = object "X" { authority = "owner", moves = { speed = 12, ghost = true }, body = { shape = { circle = 1 } }, state = { n = 0 } }
function X:verify(claimed)
  if claimed.x == 7 then claimed.x = 8 end
  return claimed.x + claimed.y + claimed.angle + claimed.vx + claimed.vy + claimed.w < 22 and self.n
end
Y = object "Y" { ticking = "independent", input = { go = "bool" }, state = { sum = 0, n = 0 } }
function Y:simulate(input, dt)
  if input.go then self.sum = self.sum + dt end
  self.n = self.n + input:held("go")
end`)
	x, y := s.spawn("X"), s.spawn("Y")
	if m := s.w.Class(x).Moves; m == nil || m.Speed != 12 || !m.Ghost || s.w.Class(x).Independent || !s.w.Class(y).Independent {
		t.Fatalf("moves %+v", m)
	}
	for _, c := range []struct {
		w     float64
		ok    bool
		wrong string
	}{{6, true, ""}, {7, false, ""}} {
		args := world.Args{Claimed: world.Placement{Pose: physics.Pose{X: 1, Y: 2, Angle: 3}, Velocity: physics.Velocity{VX: 4, VY: 5, W: c.w}}}
		if err := s.vm.Call(s.w.Actor(), world.Verify, x, &args); err != nil || args.OK != c.ok {
			t.Errorf("w %v: %v, %v", c.w, args.OK, err)
		}
	}
	args := world.Args{Claimed: world.Placement{Pose: physics.Pose{X: 7}}}
	if err := s.vm.Call(s.w.Actor(), world.Verify, x, &args); err == nil || args.OK || !strings.Contains(err.Error(), "read-only") {
		t.Errorf("verify changed what was claimed: %v, %v", args.OK, err)
	}
	in := world.Input{}
	in.Press(0, 0.25)
	for range 2 {
		if err := s.call(world.Simulate, y, world.Args{Input: in, DT: world.FrameParts / 8}); err != nil {
			t.Fatal(err)
		}
	}
	sum, _ := s.w.Class(y).Field("sum")
	n, _ := s.w.Class(y).Field("n")
	if row := s.w.Now.Row(y); row.Word(sum) != world.NumberBits(0.25) || row.Word(n) != world.NumberBits(32) {
		t.Errorf("simulated to %v", row)
	}
	if errs := fieldNames(s.w.Class(x)); len(errs) != 1 {
		t.Errorf("scripts can name %v", errs)
	}
}

// TestTraceEndsAtTheReturn: the trace of a hook has the line at which it returned. Tracing does
// not change its budget.
func TestTraceEndsAtTheReturn(t *testing.T) {
	s := start(t, "a.lua", `
X = object "X" { authority = "owner", body = { shape = { circle = 1 } } }
local function inside(v)
  return v < 5
end
function X:verify(claimed)
  if claimed.x > 3 then
    return false
  end
  if claimed.y > 3 then return inside(claimed.y) end
  if claimed.w > 3 then error("no") end
end`)
	x := s.spawn("X")
	for _, c := range []struct {
		at   world.Placement
		line int
	}{{world.Placement{Pose: physics.Pose{X: 4}}, 8}, {world.Placement{Pose: physics.Pose{Y: 4}}, 10}, {world.Placement{Velocity: physics.Velocity{W: 4}}, 11}, {world.Placement{}, 12}} {
		var used [2]int
		for i, trace := range []func(world.Change){nil, func(world.Change) {}} {
			s.vm.TraceChanges(trace)
			_ = s.vm.Call(s.w.Actor(), world.Verify, x, &world.Args{Claimed: c.at})
			used[i] = s.vm.Instructions()
		}
		s.vm.TraceChanges(nil)
		if file, line := s.vm.ReturnLine(); file != "a.lua" || line != c.line || used[0] != used[1] || used[0] == 0 {
			t.Errorf("%+v ended at %s:%d, used %v", c.at, file, line, used)
		}
	}
}
