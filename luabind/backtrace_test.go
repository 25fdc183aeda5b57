package luabind

import (
	"errors"
	"testing"

	"github.com/hindcast/hindcast/world"
)

// TestErrorsShowTheCallStack: an error lists the calls that led to it, the innermost first.
func TestErrorsShowTheCallStack(t *testing.T) {
	s := start(t, "gun.lua", `Gun = object "Gun" { state = { n = 0 } }
local function load(g)
  g.n = g.n + nil
end
function Gun:fire()
  load(self)
end
function Gun:tick()
  self:fire()
end
function Gun:onRemove()
  local function f(n) return 1 + f(n + 1) end
  f(1)
end
function Gun:think()
  error("here")
end`)
	slot := s.spawn("Gun")
	fail := func(h world.Hook) *world.ScriptError {
		t.Helper()
		var se *world.ScriptError
		if err := s.call(h, slot, world.Args{}); !errors.As(err, &se) {
			t.Fatalf("%s: %v", h, err)
		}
		return se
	}
	e := fail(world.OnTick)
	const want = "mine/gun.lua:3 in load, called from mine/gun.lua:6 in fire, called from mine/gun.lua:9 in Gun:tick"
	if got := e.TraceIn("mine"); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got := e.In("mine/"); got != "mine/"+e.Error() {
		t.Errorf("%s: %s", got, e)
	}
	if e := fail(world.OnRemove); len(e.Trace) != maxTrace {
		t.Errorf("%d calls of a recursion are told: %+v", len(e.Trace), e.Trace)
	}
	if e := fail(world.Think); e.TraceIn("") != "" || e.Line != 16 {
		t.Errorf("a trace of one call says nothing new: %q, line %d", e.TraceIn(""), e.Line)
	}
}
