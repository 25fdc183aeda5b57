//go:build external

package luabind

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestHooksInPUC prints how long the hooks of BenchmarkTenLines and BenchmarkApplyInput take
// in PUC Lua 5.1, where objects are tables and methods are Lua functions. It checks nothing;
// the figure is for comparison.
func TestHooksInPUC(t *testing.T) {
	from := strings.Index(shipLua, "function Ship:applyInput")
	program := "Y = {}" + tenLines + "Ship = {}\n" + shipLua[from:] + `
for _, c in ipairs({ Y, Ship }) do
  c.__index = c
  function c:getPosition() return self.x, self.y end
  function c:getVelocity() return self.vx, self.vy end
  function c:getDirection() return self.angle end
  function c:setForce(x, y) self.fx, self.fy = x, y end
  function c:setTorque(v) self.torque = v end
  function c:setDirectionalForce(a, f) self.fx, self.fy = f * math.cos(a), f * math.sin(a) end
end
local function new(c) return setmetatable({ x = 0, y = 0, vx = 0, vy = 0, angle = 0.3, tx = 3, ty = 4, age = 0,
  objProps = { torque_power = 6, thrust_power = 40, backthrust_power = 20 } }, c) end
local all = {}
for i = 1, 2000 do all[i] = new(Y) end
local from, rounds = os.clock(), 100
for i = 1, rounds do for j = 1, 2000 do all[j]:tick() end end
print(string.format("2,000 tick hooks of ten lines: %.2f ms", (os.clock() - from) / rounds * 1e3))
local ship, input = new(Ship), { Accel = true, Turnleft = true }
from, rounds = os.clock(), 200000
for i = 1, rounds do ship:applyInput(input) end
print(string.format("one applyInput of the ship: %.0f ns", (os.clock() - from) / rounds * 1e9))
`
	file := filepath.Join(t.TempDir(), "bench.lua")
	if err := os.WriteFile(file, []byte(program), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(lua51(t), file).CombinedOutput()
	if err != nil || !strings.Contains(string(out), "applyInput") {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Logf("PUC Lua 5.1:\n%s", out)
}
