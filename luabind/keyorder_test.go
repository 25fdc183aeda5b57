package luabind

import (
	"strings"
	"testing"

	"github.com/hindcast/hindcast/world"
)

// TestOrderOfKeys: pairs and next visit numbers, strings, booleans, objects by id, then tables and
// functions as they were inserted.
func TestOrderOfKeys(t *testing.T) {
	for _, c := range []struct{ body, want string }{
		{`local a, b, c, f = {"a"}, {"b"}, {"c"}, function() end
local t = { [c] = 1, [f] = 2, [a] = 3, [b] = 4 } t.s = 5 t[2] = 6 t[false] = 7 t[true] = 8 t[-1] = 9
local out = "" for k, v in pairs(t) do out = out .. v end print(out)
t[c] = nil t[c] = 1 t[f] = 0 out = "" for k, v in pairs(t) do out = out .. v end print(out)
out = "" local k, v = next(t) while k ~= nil do out = out .. v k, v = next(t, k) end print(out)
for k in pairs(t) do t[k] = nil end print(next(t))`, "965781234 965780341 965780341 nil"},
		{`local t, out = {}, "" for i = 1, 40 do t[{i}] = i end
for k, v in pairs(t) do if v % 2 == 1 then t[k] = nil t[{}] = 100 end end
for k, v in pairs(t) do out = out .. v .. "," end print(#out, out:sub(1, 9))`, "136\t2,4,6,8,1"},
		{`local o = spawn("X") local p = spawn("X") local t = { [p] = "p", [o] = "o", [self] = "s" } t[{}] = "t" t.a = "a"
local ids = {} for k, v in pairs(t) do if type(k) == "userdata" then ids[#ids + 1] = k.id end end
print(#ids, ids[1] < ids[2] and ids[2] < ids[3], t[o], t[p], t[self], t[objects("X")[1]])
t[o] = nil print(t[o])`, "3\ttrue\to\tp\ts\ts nil"},
		{`local t, out, k, v = {}, "", nil, nil for i = 1, 9 do t[{}] = i end k, v = next(t)
while k do out = out .. v if v % 3 == 0 then t[k] = nil end k, v = next(t, k) end print(out)
for _, v in next, t do out = out .. v end print(out)`, "123456789 123456789124578"}, // a removed key keeps its place
		{`local t, n = {}, 0 for i = 1, 2400 do local k = {} t[k] = i if i % 2 == 0 then t[k] = nil end end
for _ in pairs(t) do n = n + 1 end print(n)`, "1200"},
	} {
		lines, err := run(t, c.body)
		if err != nil || strings.Join(lines, " ") != c.want {
			t.Errorf("%s\nprints %q, %v, not %q", c.body, lines, err, c.want)
		}
	}
}

// TestKeysOfFiles: tables of files with tables as keys keep their order in each hook, whatever hooks before did.
func TestKeysOfFiles(t *testing.T) {
	s := start(t, "a.lua", `
X = object "X" { state = { n = 0 } }
local a, b, c = {1}, {2}, {3}
local of = { [c] = "c" } of[a] = "a" of[b] = "b" of[c] = nil of[c] = "c"
function X:tick()
  local t, out = {}, ""
  for k, v in pairs(of) do out = out .. v .. k[1] t[k] = v end
  t[a] = nil t[a] = "z" t[{}] = "-"
  for k, v in pairs(t) do out = out .. v end
  print(out)
end`)
	slot, left := s.spawn("X"), int64(0)
	for i := range 3 {
		if err := s.call(world.OnTick, slot, world.Args{}); err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(s.lines[i], "a1b2c3bcz-") {
			t.Errorf("%q", s.lines[i])
		}
		if now := s.vm.lang.budget.left; i > 0 && now != left {
			t.Errorf("%d instructions left, and %d before", now, left)
		}
		left = s.vm.lang.budget.left
	}
}
