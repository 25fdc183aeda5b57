package luabind

import (
	"testing"

	"github.com/hindcast/hindcast/world"
)

// TestHooksAllocateNothing: computing, reading and queries in a hook allocate nothing. Only
// tables, strings and functions that the hook creates are allocated.
func TestHooksAllocateNothing(t *testing.T) {
	for name, c := range map[string]struct {
		hook world.Hook
		body string
	}{
		"fields":   {world.OnTick, `self.hp = self.hp + 0.25 * 3 if self.hp > 90 then self.hp = 0.5 end`},
		"methods":  {world.OnTick, `local x, y = self:getPosition() local a = self:getDirection() + 0.5 self:setForce(x * 2.5, y / 3 + a)`},
		"library":  {world.OnTick, `local s = math.sin(self.hp) local x, y = vec.rotate(s, 0.3, 0.7) self.hp = math.max(x, y, -4.5)`},
		"loop":     {world.OnTick, `local s = 0.5 for i = 1, 40 do s = s + i end self.hp = s`},
		"queries":  {world.OnTick, `local who, x, y = raycast(0.5, 0.5, 3.5, 4.5) self.hp = x or 0.5`},
		"contacts": {world.OnContact, `self.hp = contact.x + contact.impulse * 2`},
	} {
		t.Run(name, func(t *testing.T) {
			params := map[world.Hook]string{world.OnTick: "tick()", world.OnContact: "onContact(other, contact)"}
			s := start(t, "a.lua", actors+"function Ball:"+params[c.hook]+"\n"+c.body+"\nend")
			slot := s.place("Ball")
			args := &world.Args{Contact: world.Contact{X: 1.5, Impulse: 2.5}}
			before := s.field(slot, "hp")
			call := func() {
				s.w.Actor().Calls().Spend(slot, -s.w.Actor().Calls().Spent(slot))
				if err := s.vm.Call(s.w.Actor(), c.hook, slot, args); err != nil {
					t.Fatal(err)
				}
			}
			call()
			if n := testing.AllocsPerRun(200, call); n > 0 {
				t.Errorf("a call allocates %v times", n)
			}
			if name != "methods" && s.field(slot, "hp") == before {
				t.Error("the hook did nothing")
			}
		})
	}
}

// TestConstantsOfFilesOutliveHooks: numbers that files computed while they were loaded keep
// their values, however much hooks compute.
func TestConstantsOfFilesOutliveHooks(t *testing.T) {
	s := start(t, "a.lua", actors+`
local third = 1 / 3
half = math.cos(0) / 2
local steps = {} for i = 1, 5 do steps[i] = i * 0.1 end
local function scaled(x) return x * third end
function Ball:tick()
  local n = 0.5
  for i = 1, 600 do n = n + math.sin(i) end
  local sum = 0
  for _, v in ipairs(steps) do sum = sum + v end
  self.hp = scaled(3) + half + sum
end`)
	slot := s.place("Ball")
	for range 20 {
		s.w.Actor().Calls().Spend(slot, -s.w.Actor().Calls().Spent(slot))
		if err := s.vm.Call(s.w.Actor(), world.OnTick, slot, &world.Args{}); err != nil {
			t.Fatal(err)
		}
		if hp := s.field(slot, "hp"); hp != 3 {
			t.Fatalf("the constants make %v, want 3", hp)
		}
	}
}

// TestRelevantAllocatesNothing matters because the hook is called for each client and object.
func TestRelevantAllocatesNothing(t *testing.T) {
	s := start(t, "ship.lua", shipLua+actors, "game.lua", `
function relevant(viewer, object)
  local x, y = viewer:getPosition()
  local ox, oy = object:getPosition()
  return vec.distance(x, y, ox, oy) * 1.5 < 9
end`)
	viewer, object := s.spawn("Ship"), s.spawn("Ball")
	s.w.Now.Body(object).X = 5
	r := s.reader()
	n := testing.AllocsPerRun(200, func() {
		if ok, err := s.vm.Relevant(r, viewer, object); !ok || err != nil {
			t.Fatal(ok, err)
		}
	})
	if n > 0 {
		t.Errorf("a question allocates %v times", n)
	}
}
