package luabind

import (
	"strings"
	"testing"
)

// differences are programs that show each difference from PUC Lua 5.1 that docs/scripting.md lists, with what they
// print here. An external test checks that PUC Lua prints something else.
var differences = []struct{ what, body, prints string }{
	{"pairs has an order", `local t, out = {}, "" for _, k in ipairs({"delta", "alpha", "charlie", "bravo", "echo", "golf", "foxtrot"}) do t[k] = k end for k in pairs(t) do out = out .. k:sub(1, 1) end print(out)`, "abcdefg"},
	{"# honours __len", `print(#setmetatable({}, { __len = function() return 7 end }))`, "7"},
	{"math.log takes a base", `print(math.log(8, 2), math.log(100, 10))`, "3\t2"},
	{"0 * -1 is 0", `local zero, less = 0, -1 print(1 / (zero * less))`, "inf"},
	{"the length of a table with holes", `local t = {1, 2, 3} t[5] = 5 print(#t)`, "5"},
	{"strings have a limit", `print(#("x"):rep(65537))`, "error"},
	{"a call returns at most 250 values", `local t = {} for i = 1, 300 do t[i] = i end print(select("#", unpack(t)))`, "error"},
	{"calls nest at most so deep", `local function f(n) return n == 0 and 0 or 1 + f(n - 1) end print(f(1100))`, "error"},
	{"tail calls nest", `local function f(n) if n == 0 then return "end" end return f(n - 1) end print(f(1100))`, "error"},
	{"a pattern may contain the character 0", `print(#(("a\0b.c"):match("a\0b%.c")))`, "5"},
	{"table.sort is stable", `local t, out = {}, "" for i = 1, 40 do t[i] = {k = i % 2, i = i} end table.sort(t, function(a, b) return a.k < b.k end) for i = 1, 20 do out = out .. t[i].i .. " " end print(out)`,
		"2 4 6 8 10 12 14 16 18 20 22 24 26 28 30 32 34 36 38 40 "},
	{"table.insert refuses positions outside", `local t = {1} table.insert(t, 5, 2) print(t[5])`, "error"},
	{"tostring shows no addresses", `print(tostring({}) == tostring({}))`, "true"},
	{"% is exact", `print(5 % math.huge, -5 % math.huge)`, "5\tinf"},
	{"tonumber refuses infinity", `print(tonumber("inf"))`, "nil"},
	{"bounds of for are numbers", `for i = "1", 2 do print(i) end`, "error"},
	{"left out", `print(os, io, debug, loadstring)`, "error"},
	{"%s takes any value", `print(string.format("%s %s", nil, true))`, "nil true"},
	{"texts have a metatable that scripts do not see", `print(getmetatable("x"))`, "nil"},
	{"left out: setfenv", `print(type(setfenv), type(getfenv), type(_G))`, "error"},
	{"__mode means nothing within a hook", `local t = setmetatable({}, { __mode = "k" }) t[{}] = 1 local n = 0 for i = 1, 400 do n = #("x"):rep(1000 + i) end print(next(t) ~= nil)`, "true"},
	{"xpcall passes arguments on", `print(xpcall(function(...) return ... end, function(e) return e end, 7))`, "true\t7"},
	{"tonumber takes no signs in other bases, and no hexadecimal fractions", `print(tonumber(" -7 ", 8), tonumber("0x1p4"), tonumber("0x.8"))`, "nil\tnil\tnil"},
	{"an error of assert is any value, without a place", `print(pcall(function() assert(false, "m") end)) print(type(select(2, pcall(assert, false, {}))))`, "false\tm\ntable"},
	{"calls in pcall nest 20 deep", `local function d(n) if n == 0 then return true end return select(2, pcall(d, n - 1)) end print(d(25) == true)`, "false"},
}

func TestDifferences(t *testing.T) {
	for _, d := range differences {
		lines, err := []string(nil), error(nil)
		if p, bad := NewProgram(bundle("a.lua", "X = object \"X\" {}\nfunction X:tick() "+d.body+" end"), testSetup); bad != nil || p == nil {
			lines = []string{"error"}
		} else if lines, err = run(t, d.body); err != nil {
			lines = append(lines, "error")
		}
		if got := strings.Join(lines, "\n"); got != d.prints {
			t.Errorf("%s: %s\nprints %q, not %q", d.what, d.body, got, d.prints)
		}
	}
}
