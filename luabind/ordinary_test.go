package luabind

import (
	"testing"

	"github.com/hindcast/hindcast/runtime/simtest/draws"
	"github.com/hindcast/hindcast/world"
	"pgregory.net/rapid"
)

// ordinary is a game whose hooks use tables and objects as keys, metatables, modules, classes that extend others and
// caught errors.
var ordinary = []string{
	"a.lua", `
local V, Heap = require("lib.vector"), require("lib.heap")
Unit = object "Unit" { state = { n = 0, sum = 0, x = 0, y = 0, last = ref() }, body = { shape = { circle = 0.4 } } }
function Unit:step(n) self.n = self.n + n return V(self:getPosition()) end
function Unit:tick()
  local seen, order, heap = {}, {}, Heap()
  for _, o in ipairs(objects("Unit")) do
    seen[o] = V(o:getPosition()) + V(o.n, 1)
    order[seen[o]] = o
    heap:push(o, -o.n)
  end
  for v, o in pairs(order) do
    local ok, e = pcall(function()
      if random() < 0.2 then error({ of = o, sum = v.x }) end
      if o.n % 3 == 0 then local x = nil + o.n end
      self.sum = self.sum + v.y
    end)
    if not ok then self.sum = self.sum + (type(e) == "table" and e.sum or #e) end
  end
  local each = coroutine.wrap(function(f)
    for _, o in ipairs(objects("Unit")) do if o.n % 2 == 0 then f = coroutine.yield(o, f) end end
    return nil, coroutine.running() ~= nil
  end)
  for o in each do self.sum = self.sum + o.n end
  local sum = V(0, 0)
  for o, v in pairs(seen) do sum = sum * 0.5 + v self.last = o end
  self.x, self.y = sum.x, sum.y
  local best = heap:pop()
  if best ~= self and best:is("Unit") then best:applyImpulse(sum.y * 0.01, -0.1) end
  self:step(1)
  if self.n == 20 and #objects("Unit") < 12 then spawn(random(2) == 1 and "Elite" or "Unit", { x = self.x % 7, y = 2 }) end
  if self.n > 45 then self:remove() end
end`,
	"b.lua", `
Elite = object "Elite" { extends = Unit, state = { rank = 1 } }
function Elite:step(n) local v = Unit.step(self, n * 2) self.rank = self.rank + (v < require("lib.vector")(5, 5) and 1 or 2) return v end`,
	"lib/vector.lua", `
local V = setmetatable({}, { __call = function(V, x, y) return setmetatable({ x = x, y = y }, V) end })
V.__index = V
local added
function V.__add(a, b) added = V(a.x + b.x, 0) added.y = a.y + b.y return added end
function V.__mul(a, n) return V(a.x * n, a.y * n) end
function V.__lt(a, b) return a.x < b.x end
return V`,
	"lib/heap.lua", `
local Heap = {} Heap.__index = Heap
function Heap:push(v, key) self[#self + 1] = { v = v, key = key } table.sort(self, function(a, b) return a.key < b.key end) end
local top
function Heap:pop() top = table.remove(self, 1) return top.v end
return function() return setmetatable({}, Heap) end`,
	"game.lua", `function onStart() for i = 1, 4 do spawn(i % 2 == 0 and "Elite" or "Unit", { x = i, y = i % 3 }) end end`,
}

// TestOrdinaryLuaLeavesNoTrace runs that game forwards and back in any order, on two VMs: a tick has the same hash and
// takes the same budgets whenever it runs, and on either VM.
func TestOrdinaryLuaLeavesNoTrace(t *testing.T) {
	prog, err := NewProgram(bundle(ordinary...), testSetup)
	if err != nil {
		t.Fatal(err)
	}
	draws.CheckN(t, draws.Pick(20, 60), func(r *rapid.T) {
		vms := []*VM{prog.NewVM(), prog.NewVM()}
		w := world.New()
		w.Load(nil, prog.Schema())
		history := []*world.State{{}}
		history[0].CopyFrom(w.Now)
		hashes := []uint64{w.Now.Hash()}
		for range rapid.IntRange(20, 80).Draw(r, "moves") {
			if back := rapid.IntRange(0, 6).Draw(r, "back"); back > 3 {
				to := max(len(history)-back, 0)
				history = history[:to+1]
				w.Load(history[to], prog.Schema())
				w.Now.CopyFrom(history[to])
			}
			vm := vms[rapid.IntRange(0, 1).Draw(r, "vm")]
			vm.lang.budget.reset(0, hookAllowance) // step reads it after calls that run no hook, too
			left := step(t, w, vm)
			saved := &world.State{}
			saved.CopyFrom(w.Now)
			history = append(history, saved)
			h := w.Now.Hash() + uint64(left)
			if tick := int(w.Now.Tick); tick >= len(hashes) {
				hashes = append(hashes, h)
			} else if hashes[tick] != h {
				r.Fatalf("tick %d: %016x, and %016x before", tick, h, hashes[tick])
			}
		}
	})
}
