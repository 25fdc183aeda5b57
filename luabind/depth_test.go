package luabind

import (
	"strings"
	"testing"
)

// TestDepth: calls nest 1000 deep in a hook, 160 deep in pcall and in coroutines, and less deep if they have many
// variables. An error says so.
func TestDepth(t *testing.T) {
	const f = `local function f(n) if n == 0 then return 0 end return 1 + f(n - 1) end `
	wide := "local function f(n) local a" + strings.Repeat(", a", 150) +
		" = n if n == 0 then return 0 end return 1 + f(n - 1) end "
	nested := func(how string) string { // in d of them within each other, 100 calls each
		return `local d, t = 5
local how = { pcall = pcall, nothing = function(f) return true, f() end }
function how.resume(f) return coroutine.resume(coroutine.create(f)) end
t = setmetatable({}, { __index = function(t, k)
  if k > 0 then return t[k - 1] end
  if d == 0 then return "end" end
  d = d - 1
  local ok, v = how.` + how + `(function() return t[100] end)
  return v
end })
print(t[100]) d = 0 `
	}
	const limit = "at most 1000 calls within each other, ours included, of which at most 160 in"
	for _, c := range []struct {
		body, want string
	}{
		{f + `print(f(990))`, "990"},
		{f + `print(f(1000))`, ""},
		{f + `print(pcall(f, 150))`, "true\t150"},
		{f + `pcall(f, 160)`, ""},
		{f + `local function g() return f(150) end print(pcall(pcall, g))`, "true\ttrue\t150"},
		{f + `print(coroutine.wrap(f)(150))`, "150"},
		{f + `coroutine.wrap(f)(170)`, ""},
		{nested("pcall"), "end"},
		{nested("nothing") + `print(t[950])`, "end\nend"},
		{nested("pcall") + `d = 19 print(t[950])`, ""},
		{nested("resume") + `d = 19 print(t[950])`, ""},
		{wide + `print(f(90))`, "90"},
		{wide + `print(f(120))`, ""},
		{wide + `pcall(f, 30)`, ""},
		{`local t = setmetatable({}, { __index = function(t, k) return k == 0 and 0 or 1 + t[k - 1] end })
print(t[980])`, "980"},
		{`local function sorted(n)
  local t = { n, n - 1 }
  table.sort(t, function(a, b) if n > 0 then sorted(n - 1) end return a < b end)
  return t[1]
end
print(sorted(300))`, "299"},
		{`local function g(n)
  if n == 0 then return "" end
  return (("xy"):gsub("x", function() return g(n - 1) end))
end
print(#g(300))`, "300"},
	} {
		lines, err := run(t, c.body)
		if c.want == "" {
			if err == nil || !strings.Contains(err.Error(), limit) {
				t.Errorf("%s: %v", c.body, err)
			}
		} else if err != nil || strings.Join(lines, "\n") != c.want {
			t.Errorf("%s prints %q, not %q: %v", c.body, lines, c.want, err)
		}
	}
}
