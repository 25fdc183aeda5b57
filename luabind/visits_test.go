package luabind

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hindcast/hindcast/runtime/simtest/draws"
	"github.com/hindcast/hindcast/world"
	"pgregory.net/rapid"
)

// naive is a game that changes tables, and compares what next and pairs say with what the table holds under each of the
// keys that the game uses, in the documented order.
const naive = `
X = object "X" { state = { n = 0 } }
function X:tick()
local t, U, R, rank, n = {}, {}, {}, {}, 0
local function f1() end local function f2() return n end
local a, b, c, d = { 1 }, { 2 }, { 3 }, { 4 }
local all = {} for i, o in ipairs(objects("X")) do all[i] = o end table.sort(all, function(a, b) return a.id < b.id end)
local pos = {}
for _, k in ipairs({ -2, 0, 0.5, 1, 1.5, 2, 3, 4, 5, 6, 7, 8, 9, 10, 30, 31, 32, "a", "b", "c", "dd", false, true, all[1], all[2], all[3] }) do
  U[#U + 1] = k
  pos[k] = #U
end
local keys = { a, b, c, d, f1, f2 }
for i = 1, #U do keys[#keys + 1] = U[i] end
local last
local was, ever, passed = {}, {}, {} -- the last rank, what has been a key, and what next and pairs have returned
local function note(k)
  if t[k] ~= nil then ever[k] = true end
  if type(k) ~= "table" and type(k) ~= "function" then return end
  if t[k] ~= nil and not rank[k] then
    n = n + 1
    rank[k], was[k], R[#R + 1] = n, n, k
  elseif t[k] == nil and rank[k] then
    rank[k] = nil
    for i = 1, #R do if R[i] == k then table.remove(R, i) break end end
  end
end
local function expected(after)
  local from, over = 1, 0
  if after ~= nil then
    if pos[after] then from = pos[after] + 1 else
      from, over = #U + 1, rank[after] or was[after]
    end
  end
  for i = from, #U do if t[U[i]] ~= nil then return U[i], t[U[i]] end end
  for i = 1, #R do if rank[R[i]] > over then return R[i], t[R[i]] end end
end
local function same(what, k, v, k2, v2)
  if k ~= k2 or v ~= v2 then
    error(what .. " says " .. tostring(k) .. ", " .. tostring(v) .. ", not " .. tostring(k2) .. ", " .. tostring(v2))
  end
end
local function follow(k)
  if k ~= nil and t[k] == nil and not passed[k] then
    local goesOn = pcall(next, t, k)
    if goesOn and type(k) ~= "number" and not ever[k] then error("next takes a key that was never there") end
    if not goesOn then return end
  end
  local ek, ev = expected(k)
  local gk, gv = next(t, k)
  same("next", gk, gv, ek, ev)
  last = gk
  if gk ~= nil then passed[gk] = true end
  return gk
end
local function set(i, v) local k = keys[i] t[k] = v note(k) end
local function insert(at) if at <= #t + 1 and #t < 10 then table.insert(t, at, "i") end end
local function remove(at) table.remove(t, at) end
local function sort() for i = 1, #t do t[i] = "s" end table.sort(t) end
local function loop(first, body) -- for k in next, t do, with a change in each step
  local k, steps = follow(first), 0
  while k ~= nil and steps < 12 do
    steps = steps + 1
    body(k, steps)
    k = follow(k)
  end
end
local function visit(body) -- pairs: the keys of the beginning that are still there
  local want, k, at = {}, expected(nil), 0
  while k ~= nil do want[#want + 1] = k k = expected(k) end
  for k, v in pairs(t) do
    at = at + 1
    while t[want[at]] == nil do at = at + 1 end
    same("pairs", k, v, want[at], t[want[at]])
    passed[k] = true
    if at <= 12 then body(k, at) end
  end
  for i = at + 1, #want do if t[want[i]] ~= nil then error("pairs ends early") end end
end
%s
print(n)
end`

// change returns a statement that changes the table. k and step are the loop's, if there is one.
func change(r *rapid.T, inLoop bool) string {
	kinds := []string{"set", "set", "unset", "insert", "remove", "none", "set", "unset"}
	if inLoop {
		kinds = append(kinds, "unset k", "again", "unset k", "assign", "replace", "unset k")
	}
	i := rapid.IntRange(1, 32).Draw(r, "key")
	switch rapid.SampledFrom(kinds).Draw(r, "change") {
	case "set":
		return fmt.Sprintf("set(%d, %d)", i, i)
	case "unset":
		return fmt.Sprintf("set(%d, nil)", i)
	case "insert":
		return fmt.Sprintf("insert(%d)", i%5+1)
	case "remove":
		return fmt.Sprintf("remove(%d)", i%5+1)
	case "unset k":
		return "t[k] = nil note(k)"
	case "again":
		return "t[k] = nil note(k) t[k] = step note(k)"
	case "assign":
		return "t[k] = step note(k)"
	case "replace": // as a work list does
		return fmt.Sprintf("t[k] = nil note(k) if step < 6 then set(%d, step) end", i)
	}
	return ""
}

// TestNextAndPairsHaveTheirOrder: whatever is inserted, removed and inserted again, also while a loop goes on, next and
// pairs visit what a look at every key finds, and the price is the same in each hook.
func TestNextAndPairsHaveTheirOrder(t *testing.T) {
	ended := 0
	draws.Check(t, func(r *rapid.T) {
		var b strings.Builder
		body := func() string { return "function(k, step) " + change(r, true) + " " + change(r, true) + " end" }
		for range rapid.IntRange(1, 30).Draw(r, "statements") {
			switch rapid.IntRange(0, 9).Draw(r, "statement") {
			case 0:
				b.WriteString("follow(nil)\n")
			case 1:
				b.WriteString("follow(last)\n")
			case 2:
				fmt.Fprintf(&b, "follow(keys[%d])\n", rapid.IntRange(1, 32).Draw(r, "after"))
			case 3:
				b.WriteString("loop(nil, " + body() + ")\n")
			case 4:
				b.WriteString("visit(" + body() + ")\n")
			case 5:
				b.WriteString("sort()\n")
			case 6:
				fmt.Fprintf(&b, "for i = 1, 32, %d do set(i, i) end\n", rapid.IntRange(1, 6).Draw(r, "by"))
			case 7:
				fmt.Fprintf(&b, "while follow(nil) ~= nil do t[last] = nil note(last) if n < 40 then %s end end\n",
					change(r, false))
			default:
				b.WriteString(change(r, false) + "\n")
			}
		}
		s := start(t, "a.lua", fmt.Sprintf(naive, b.String()))
		slot, spent := s.spawn("X"), 0
		s.spawn("X")
		s.spawn("X")
		for i := range 2 {
			err := s.call(world.OnTick, slot, world.Args{})
			if err != nil && !scriptErrors(t, err)[0].Budget {
				r.Fatalf("%s\n%v", b.String(), err)
			}
			if err == nil {
				ended++
			}
			if i == 0 {
				spent = s.vm.Instructions()
			} else if n := s.vm.Instructions(); n != spent {
				r.Fatalf("%s\n%d instructions, then %d", b.String(), spent, n)
			}
		}
	})
	if ended < 100 {
		t.Errorf("only %d hooks had enough instructions", ended)
	}
}
