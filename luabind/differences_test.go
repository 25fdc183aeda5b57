package luabind

import (
	"os"
	"strings"
	"testing"
)

// differences are programs that show each difference from PUC Lua 5.1 that docs/scripting.md lists, with what they
// print here. An external test checks that PUC Lua prints something else.
// file is what stands before the hook.
var differences = []struct{ what, body, prints, file string }{
	{"pairs has an order", `local t, out = {}, "" for _, k in ipairs({"delta", "alpha", "charlie", "bravo", "echo", "golf", "foxtrot"}) do t[k] = k end for k in pairs(t) do out = out .. k:sub(1, 1) end print(out)`, "abcdefg", ""},
	{"# honours __len", `print(#setmetatable({}, { __len = function() return 7 end }))`, "7", ""},
	{"math.log takes a base", `print(math.log(8, 2), math.log(100, 10))`, "3\t2", ""},
	{"0 * -1 is 0", `local zero, less = 0, -1 print(1 / (zero * less))`, "inf", ""},
	{"the length of a table with holes", `local t = {1, 2, 3} t[5] = 5 print(#t)`, "5", ""},
	{"strings have a limit", `print(#("x"):rep(65537))`, "error", ""},
	{"a call returns at most 250 values", `local t = {} for i = 1, 300 do t[i] = i end print(select("#", unpack(t)))`, "error", ""},
	{"calls nest at most so deep", `local function f(n) return n == 0 and 0 or 1 + f(n - 1) end print(f(1100))`, "error", ""},
	{"tail calls nest", `local function f(n) if n == 0 then return "end" end return f(n - 1) end print(f(1100))`, "error", ""},
	{"a pattern may contain the character 0", `print(#(("a\0b.c"):match("a\0b%.c")))`, "5", ""},
	{"table.sort is stable", `local t, out = {}, "" for i = 1, 40 do t[i] = {k = i % 2, i = i} end table.sort(t, function(a, b) return a.k < b.k end) for i = 1, 20 do out = out .. t[i].i .. " " end print(out)`,
		"2 4 6 8 10 12 14 16 18 20 22 24 26 28 30 32 34 36 38 40 ", ""},
	{"table.insert refuses positions outside", `local t = {1} table.insert(t, 5, 2) print(t[5])`, "error", ""},
	{"tostring shows no addresses", `print(tostring({}) == tostring({}))`, "true", ""},
	{"% is exact", `print(5 % math.huge, -5 % math.huge)`, "5\tinf", ""},
	{"tonumber refuses infinity", `print(tonumber("inf"))`, "nil", ""},
	{"bounds of for are numbers", `for i = "1", 2 do print(i) end`, "error", ""},
	{"left out", `print(os, io, debug, loadstring)`, "error", ""},
	{"%s takes any value", `print(string.format("%s %s", nil, true))`, "nil true", ""},
	{"texts have a metatable that scripts do not see", `print(getmetatable("x"))`, "nil", ""},
	{"left out: setfenv", `print(type(setfenv), type(getfenv), type(_G))`, "error", ""},
	{"__mode means nothing within a hook", `local t = setmetatable({}, { __mode = "k" }) t[{}] = 1 local n = 0 for i = 1, 400 do n = #("x"):rep(1000 + i) end print(next(t) ~= nil)`, "true", ""},
	{"xpcall passes arguments on", `print(xpcall(function(...) return ... end, function(e) return e end, 7))`, "true\t7", ""},
	{"tonumber takes no signs in other bases, and no hexadecimal fractions", `print(tonumber(" -7 ", 8), tonumber("0x1p4"), tonumber("0x.8"))`, "nil\tnil\tnil", ""},
	{"an error of assert is any value, without a place", `print(pcall(function() assert(false, "m") end)) print(type(select(2, pcall(assert, false, {}))))`, "false\tm\ntable", ""},
	{"calls in pcall nest 20 deep", `local function d(n) if n == 0 then return true end return select(2, pcall(d, n - 1)) end print(d(25) == true)`, "false", ""},
	{"a key that is removed and inserted again is the last", `local a, b, c, out = {}, {}, {}, "" local t = {[a] = "a", [b] = "b", [c] = "c"} for i = 1, 20 do t[a] = nil t[a] = "a" end for _, v in pairs(t) do out = out .. v end print(out) t[b] = nil t[b] = "b" out = "" for _, v in pairs(t) do out = out .. v end print(out)`, "bca\ncab", ""},
	{"next of a key that was removed before next or pairs came by it", `local t = {a = 1, b = 2, c = 3} print(next(t)) t.b = nil print((pcall(next, t, "b")))`, "a\t1\nfalse", ""},
	{"there is one NaN", `print(#tostring(0 / 0) + #tostring(-(0 / 0)))`, "6", ""},
	{"tables of files are frozen in hooks", `print((pcall(function() kept.x = 1 end)), (pcall(table.insert, kept, 1)), (pcall(rawset, kept, "x", 1)), (pcall(setmetatable, kept, {})))`, "false\tfalse\tfalse\tfalse", `local kept = {}`},
	{"variables of files are frozen in hooks", `n = n + 1 print(n)`, "error", `n = 1`},
	{"a coroutine lives as long as the hook that makes it", `print((pcall(coroutine.resume, co)))`, "false", `local co = coroutine.create(function() end)`},
	{"coroutines run within each other at most 20 deep", `local function d(n) if n == 0 then return true end return select(2, coroutine.resume(coroutine.create(d), n - 1)) end print(d(25) == true)`, "false", ""},
	{"a coroutine costs 12 KiB of the hook's memory", `local all = {} for i = 1, 120 do all[i] = coroutine.create(function() end) end print(#all)`, "error", ""},
	{"a budget error goes through coroutine.resume", `print(coroutine.resume(coroutine.create(function() for i = 1, 200000 do local x = i end return "end" end)))`, "error", ""},
	{"coroutine.wrap adds no place to an error", `print(pcall(function() coroutine.wrap(function() error("x", 0) end)() end))`, "false\tx", ""},
	{"calls that nest too deep cannot be caught", `local function f() return 1 + f() end print((pcall(f)))`, "error", ""},
	{"the levels of error end at pcall", `print((select(2, pcall(function() error("x", 3) end)):gsub("^.*:%d+: ", "at ")))`, "x", ""},
	{"a step of gmatch is valid only in the hook that made it", `print((pcall(step)))`, "false", `local step = ("a b"):gmatch("%a")`},
	{"a pattern has at most 1024 bytes", `print((pcall(string.find, "x", ("a+"):rep(513))))`, "false", ""},
	{"a table has at most 65535 values in a row", `local t = {} for i = 1, 65536 do t[i] = true end print(#t)`, "error", ""},
	{"a global that no file sets", `print(nobody)`, "error", ""},
	{"_G.T = T after local T = ...", `print(T)`, "error", `local T = 1 _G.T = T`},
	{"an operand of % and ^ is taken before a call on its right changes it", `local n = 5 local function two() n = 7 return 2 end print(n % two(), n) n = 5 print(n ^ two(), n)`, "1\t7\n25\t7", ""},
	{"calls nest at most 160 deep in pcall", `local function f(n) return n == 0 and 0 or 1 + f(n - 1) end print(pcall(f, 200))`, "error", ""},
	{"a string that is written out has at most 8192 bytes", `print(#"` + strings.Repeat("x", 8193) + `")`, "error", ""},
	{"a function that ends with a tail call is a level of error", `local function g() error("x", 2) end local function f() return g() end print((select(2, pcall(function() f() end)):gsub("^.*:%d+: ", "at ")))`, "at x", ""},
	{"table.sort terminates with any function", `local t = {} for i = 1, 60 do t[i] = i end print((pcall(table.sort, t, function() return true end)))`, "true", ""},
	{"NaN is printed as nan", `print(0 / 0, tostring(-(0 / 0)) == tostring(0 / 0))`, "nan\ttrue", ""},
	{"the handler of xpcall runs after the error has ended the function, so an error in it does not call it", `local n = 0 xpcall(error, function() n = n + 1 if n < 3 then error("again") end end) print(n)`, "1", ""},
	{"pairs gives a state of its own and not the table", `local t = {} local _, state = pairs(t) print(state == t)`, "false", ""},
	{"a table of a file keeps its metatable", `print((pcall(setmetatable, kept, nil)))`, "false", `local kept = setmetatable({}, {})`},
	{"0 and -0 are one key, and x * -1 is 0", `local zero = 0 print(1 / (zero * -1), 1 / -zero)`, "inf\t-inf", ""},
	{"errors have other words", `local t print((select(2, pcall(function() return t.x end)):gsub("^.*:%d+: ", "")))`, "attempt to index a nil value (local 't') with key 'x'", ""},
}

func TestDifferences(t *testing.T) {
	for _, d := range differences {
		lines, err := []string(nil), error(nil)
		if p, bad := NewProgram(bundle("a.lua", d.file+"\nX = object \"X\" {}\nfunction X:tick() "+d.body+" end"), testSetup); bad != nil || p == nil {
			lines = []string{"error"}
		} else if lines, err = runAfter(t, d.file, d.body); err != nil {
			lines = append(lines, "error")
		}
		if got := strings.Join(lines, "\n"); got != d.prints {
			t.Errorf("%s: %s\nprints %q, not %q", d.what, d.body, got, d.prints)
		}
	}
}

// documented are the beginnings of the paragraphs of docs/scripting.md about differences, each with a program that shows
// one of what it lists.
var documented = map[string]string{
	"`pairs` and `next`": "pairs has an order", "Metatables work": "# honours __len", "`pcall` and `xpcall`": "calls in pcall nest 20 deep",
	"A coroutine lives": "a coroutine lives as long as the hook that makes it", "`math.log(x, base)`": "math.log takes a base",
	"`n % f()` and": "an operand of % and ^ is taken before a call on its right changes it", "`#` of a": "the length of a table with holes",
	"io, os, debug,": "left out", "A string has": "strings have a limit", "`%s` of `string.format`": "%s takes any value",
	"The iterator of": "a step of gmatch is valid only in the hook that made it", "A pattern or": "a pattern may contain the character 0",
	"`table.sort` is stable": "table.sort is stable", "`tostring` shows no": "tostring shows no addresses",
	"`tonumber` does not": "tonumber refuses infinity",
}

// TestDocumentedDifferences: each paragraph about differences has a program.
func TestDocumentedDifferences(t *testing.T) {
	text, err := os.ReadFile("../docs/scripting.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(text), "\n## Differences from Lua 5.1\n")
	section, _, _ = strings.Cut(section, "\n## ")
	paragraphs := strings.Split(section, "\n- ")[1:]
	if len(paragraphs) != len(documented) {
		t.Errorf("%d paragraphs about differences, and %d are known here", len(paragraphs), len(documented))
	}
	names := map[string]bool{"": true}
	for _, d := range differences {
		names[d.what] = true
	}
	for _, p := range paragraphs {
		shown := false
		// order: none decides more than another
		for start, what := range documented {
			shown = shown || strings.HasPrefix(p, start) && names[what]
		}
		if !shown {
			t.Errorf("no program shows: %s", p)
		}
	}
}
