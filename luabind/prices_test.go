package luabind

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/hindcast/hindcast/luabind/internal/api"
	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
)

// priced is a call with its worst arguments. n is the number of the call in the hook, and self the object whose hook
// runs. A case with most is called at most so often in a hook.
type priced struct {
	name   string // as unpriced and pricedNames have it, with a comment in brackets
	before string // statements that are not measured
	call   string
	most   int
}

// pricedCases are calls of all functions that hooks can call, and of the operators that are compiled to calls.
func pricedCases() []priced {
	long := `local s = ("x"):rep(1000) local q = ("y"):rep(1000) `
	longest := `local s = ("x"):rep(65000) local r = s:sub(2) .. "y" `
	list := func(n int) string {
		return fmt.Sprintf(`local t = {} for i = 1, %d do t[i] = i * 7 %% 1000 end `, n)
	}
	keys := func(n int) string {
		return fmt.Sprintf(`local t = {} for i = 1, %d do t["k" .. i * 7 %% 1000] = i end `, n)
	}
	meta := `local m = {} m.__index = m m.__newindex = function() end m.__tostring = function() return "m" end ` +
		`m.__concat = function() return "m" end m.__add = function() return 1 end m.__pow = m.__add m.__unm = m.__add ` +
		`local o = setmetatable({}, m) `
	chain := `local o = {} for i = 1, 90 do local p = {} p.__index = o o = setmetatable({}, p) end `
	other := `local o = objects("Crate")[1] `
	return []priced{
		{"type", ``, `type(self)`, 0},
		{"tostring", ``, `tostring(0.1 + n)`, 0},
		{"tostring (object)", ``, `tostring(self)`, 0},
		{"tonumber", `local s = ("1"):rep(60) `, `tonumber(s)`, 0},
		{"tonumber (fraction)", `local s = "1." .. ("1"):rep(1000) `, `tonumber(s)`, 0},
		{"tonumber (exponent)", `local s = ("1"):rep(1000) .. "e-300" `, `tonumber(s)`, 0},
		{"tonumber (subnormal)", `local s = "2.2250738585072012e-308" `, `tonumber(s)`, 0},
		{"tonumber (between)", `local s = "9007199254740993" `, `tonumber(s)`, 0},
		{"tonumber (base)", `local s = ("z"):rep(1000) `, `tonumber(s, 36)`, 0},
		{"tonumber (argument)", `local s = "0." .. ("3"):rep(60) `, `vec.length(s, s)`, 0},
		{"ipairs", list(2000), `for _ in ipairs(t) do end`, 20},
		{"ipairs (state)", `for i = #self.list + 1, 200 do table.insert(self.list, i) end `,
			`for _ in ipairs(self.list) do end`, 20},
		{"ipairs (call)", list(10), `ipairs(t)`, 0},
		{"pairs", keys(1000), `for _ in pairs(t) do end`, 20},
		{"pairs (call)", keys(1000), `pairs(t)`, 10},
		{"pairs (numbers)", list(3000), `pairs(t)`, 10},
		{"pairs (tables)", `local t = {} for i = 1, 500 do t[{}] = i end `, `for _ in pairs(t) do end`, 10},
		{"pairs (objects)",
			`local t = {} for i, o in ipairs(objects("Crate")) do if i > 1000 then break end t[o] = i end `,
			`for _ in pairs(t) do end`, 20},
		{"next", keys(1000), `next(t)`, 20},
		{"next (nils)", list(2500) + `for i = 1, 2499 do t[i] = nil end `, `next(t)`, 0},
		{"next (removed)", keys(1000) + `for i = 0, 999 do t["k" .. i] = nil end `, `next(t)`, 0},
		{"pairs (nils)", list(2500) + `for i = 1, 2499 do t[i] = nil end `, `pairs(t)`, 0},
		{"pairs (removed)", keys(1000) + `for i = 0, 999 do t["k" .. i] = nil end `, `pairs(t)`, 0},
		{"next (last)", keys(1000), `next(t, "k999")`, 20},
		{"next (tables)", `local t, l = {} for i = 1, 500 do l = {} t[l] = i end `, `next(t, l)`, 20},
		{"next (loop)", list(2000), `for _ in next, t do end`, 10},
		{"next (loop of texts)", keys(1000), `for _ in next, t do end`, 10},
		{"next (loop of tables)", `local t = {} for i = 1, 500 do t[{}] = i end `, `for _ in next, t do end`, 10},
		{"next (work list of texts)", keys(1000), `local k = next(t) if k then t[k] = nil end`, 990},
		{"next (work list of numbers)", list(2000), `local k = next(t) if k then t[k] = nil end`, 1990},
		{"next (work list of tables)", `local t = {} for i = 1, 500 do t[{}] = i end `,
			`local k = next(t) t[k] = nil t[{}] = n`, 1000},
		{"next (work list, inserted first)", keys(1000), `next(t) t["a" .. most - n] = n`, 1000},
		{"next (work list, fractions)", list(1000), `next(t) t[-n / 8] = n`, 1000},
		{"next (removed between)", keys(1000) + `for i = 2, 998 do t["k" .. i] = nil end `, `next(t, "k1")`, 0},
		{"next (any text)", keys(1000), `next(t, "k" .. n * 7 % 1000)`, 0},
		{"next (any table)", `local t, l = {}, {} for i = 1, 500 do l[i] = {} t[l[i]] = i end `, `next(t, l[n * 7 % 500 + 1])`, 0},
		{"next (many tables)", ``, `local t = { [self] = 1 } next(t) next(t)`, 0},
		{"pairs (few numbers)", list(16), `for _ in pairs(t) do end`, 0},
		{"select", list(200), `select(2, unpack(t))`, 0},
		{"select (count)", ``, `select("#", 1)`, 0},
		{"unpack", list(250), `unpack(t)`, 0},
		{"unpack (state)", `for i = #self.list + 1, 200 do table.insert(self.list, i) end `, `unpack(self.list)`, 0},
		{"setmetatable", `local m = { __index = { x = 1 } } `, `setmetatable({}, m)`, 0},
		{"setmetatable (new)", ``, `setmetatable({}, { __index = self.objProps, __add = 1 })`, 500},
		{"getmetatable", meta, `getmetatable(o)`, 0},
		{"rawget", keys(100), `rawget(t, "k7")`, 0},
		{"rawget (absent number)", list(10), `rawget(t, n + 0.5)`, 0},
		{"rawset", `local t = {} `, `rawset(t, n, n)`, 0},
		{"rawset (text)", `local t = {} `, `rawset(t, "k" .. n, n)`, 4000},
		{"rawset (table)", `local t = {} `, `rawset(t, {}, n)`, 2000},
		{"rawequal", long, `rawequal(s, s)`, 0},
		{"require", ``, `require("lib.part")`, 0},
		{"error", ``, `pcall(error, "x")`, 0},
		{"error (deep)", `local function f(d) if d == 0 then error("x") end return 1 + f(d - 1) end `,
			`pcall(f, 100)`, 0},
		{"error (deeper)", `local function f(d) if d == 0 then error("x") end return 1 + f(d - 1) end `,
			`pcall(f, 150)`, 0},
		{"pcall", `local function f() end `, `pcall(f)`, 0},
		{"pcall (long error)", longest, `pcall(objects, s)`, 0},
		{"pcall (no such field)", ``, `pcall(function() return self.hq end)`, 60},
		{"pcall (fails)", ``, `pcall(nil)`, 0},
		{"pcall (nil + 1)", `local function f() return nil + 1 end `, `pcall(f)`, 0},
		{"xpcall", `local function f() end `, `xpcall(f, f)`, 0},
		{"xpcall (fails)", `local function f() error("x") end local function h(e) return e end `, `xpcall(f, h)`, 0},
		{"assert", ``, `assert(self, "x")`, 0},
		{"coroutine.create", `local function f() end `, `coroutine.create(f)`, 80},
		{"coroutine.wrap", `local function f() end `, `coroutine.wrap(f)`, 80},
		{"coroutine.resume", `local yield = coroutine.yield local co = coroutine.create(function() while true do yield() end end) `,
			`coroutine.resume(co)`, 0},
		{"coroutine.yield (deep)", `local yield = coroutine.yield
local function f(d) if d == 0 then while true do yield() end end return 1 + f(d - 1) end
local co = coroutine.create(f) coroutine.resume(co, 100) `, `coroutine.resume(co)`, 0},
		{"coroutine.resume (new)", `local function f() end `, `coroutine.resume(coroutine.create(f))`, 80},
		{"coroutine.resume (fails)", `local function f() error("x") end `, `coroutine.resume(coroutine.create(f))`, 50},
		{"coroutine.resume (grows)", `local function f(d) if d == 0 then return 0 end return 1 + f(d - 1) end `, `coroutine.resume(coroutine.create(f), 140)`, 50},
		{"coroutine.status", `local co = coroutine.create(function() end) `, `coroutine.status(co)`, 0},
		{"coroutine.running", ``, `coroutine.running()`, 0},
		{"assert (fails)", ``, `pcall(assert, false, "x")`, 0},

		{"string.len", long, `string.len(s)`, 0},
		{"string.sub", long, `string.sub(s, 2, -2)`, 700},
		{"string.upper", long, `string.upper(s)`, 700},
		{"string.lower", long, `string.lower(s)`, 700},
		{"string.rep", ``, `string.rep("x", 1024)`, 700},
		{"string.reverse", long, `string.reverse(s)`, 700},
		{"string.byte", long, `string.byte(s, 1, 240)`, 0},
		{"string.char", `local t = {} for i = 1, 240 do t[i] = 65 end `, `string.char(unpack(t))`, 0},
		{"string.format", ``, `string.format("%f %g %e", 1e300 / 7, n / 7, n / 3)`, 500},
		{"string.format (%.99f)", ``, `string.format("%.99f", 1e300 / 7)`, 700},
		{"string.format (many)", `local f, t = ("%d"):rep(200), {} for i = 1, 200 do t[i] = i end `,
			`string.format(f, unpack(t))`, 500},
		{"string.format (%.99g)", `local f, t = ("%.99g"):rep(9), {} for i = 1, 9 do t[i] = 1 / 3e200 end `,
			`string.format(f, unpack(t))`, 500},
		{"string.format (text)", long, `string.format("%s", s)`, 700},
		{"string.format (plain)", long, `string.format(s)`, 700},
		{"string.format (text to %d)", `local s = ("1"):rep(60) `, `string.format("%g", s)`, 700},
		{"string.find", long, `string.find(s, "y", 1, true)`, 0},
		{"string.find (periodic)", `local s, q = ("a"):rep(1000), ("a"):rep(60) .. "b" .. ("a"):rep(60) `,
			`string.find(s, q, 1, true)`, 0},
		{"string.find (pattern)", `local s = ("a"):rep(40) `, `string.find(s, "a*a*b")`, 1},
		{"string.match", long, `string.match(s, "(x+)")`, 500},
		{"string.match (set)", long, `string.match(s, "^[^%s%d]*z")`, 500},
		{"string.match (%b)", `local s = ("("):rep(300) `, `string.match(s, "%b()")`, 1},
		{"string.match (captures)", `local s = ("a"):rep(1000) local p = ("(a)"):rep(32) `,
			`string.match(s, p)`, 500},
		{"string.match (long pattern)", ``, `string.match("a", ("%w?"):rep(300) .. n)`, 300},
		{"string.gmatch", long, `for _ in string.gmatch(s, "x") do end`, 20},
		{"string.gmatch (call)", long, `string.gmatch(s, "x")`, 500},
		{"string.gsub", long, `string.gsub(s, "x", "y")`, 100},
		{"string.gsub (no match)", long, `string.gsub(s, "y", "")`, 100},
		{"string.gsub (table)", long + `local t = { x = 1 } `, `string.gsub(s, "x", t)`, 100},
		{"string.gsub (function)", long + `local function f() return "y" end `, `string.gsub(s, "x", f)`, 100},
		{"string method", long, `s:len()`, 0},

		{"string.upper (longest)", longest, `string.upper(s)`, 10},
		{"string.sub (longest)", longest, `string.sub(s, 2)`, 10},
		{"string.rep (longest)", ``, `string.rep("x", 65536)`, 10},
		{"string.find (longest)", longest, `string.find(s, "y", 1, true)`, 5},
		{"string.find (longest, long text)", longest, `string.find(s, s)`, 5},
		{"string.match (longest)", longest, `string.match(s, "^(.)x*")`, 1},
		{"string.gsub (longest)", longest, `string.gsub(s, "^x", "y")`, 10},
		{"string.format (longest)", longest, `string.format("%q", s:sub(3))`, 2},
		{"tonumber (longest)", `local s = "1." .. ("1"):rep(65000) `, `tonumber(s)`, 2},
		{"table.concat (longest)", `local t = {} for i = 1, 60 do t[i] = ("x"):rep(1024) end `, `table.concat(t)`, 10},
		{"table.sort (longest)", longest + `local t = { s, r, s .. "a" } `, `table.sort(t)`, 5},
		{"pairs (longest)", `local t = {} for i = 1, 9 do t[("x"):rep(30000) .. i] = i end `,
			`for _ in pairs(t) do end`, 4},
		{"next (longest)", `local t = {} for i = 1, 9 do t[("x"):rep(30000) .. i] = i end `, `next(t)`, 4},
		{"rawset (longest)", longest + `local t = {} for i = 1, 12 do t[i .. "k"] = i end `, `rawset(t, s, n)`, 0},
		{"[]= (longest)", longest + `local t = {} for i = 1, 12 do t[i .. "k"] = i end `, `t[s] = n`, 0},
		{"[] (longest)", longest, `local x = deep[s]`, 0},
		{"[] (longest, chain)", longest + `local o = setmetatable({}, { __index = deep }) `, `local x = o[s]`, 0},
		{"== (longest)", longest, `local x = s == r`, 0},

		{"table.insert", `local t = {} `, `table.insert(t, n)`, 0},
		{"table.insert (first)", list(2000), `table.insert(t, 1, n)`, 500},
		{"table.insert (state)", ``, `table.insert(self.list, 1, n) table.remove(self.list)`, 0},
		{"table.remove", list(9000), `table.remove(t)`, 8000},
		{"table.remove (first)", list(9000), `table.remove(t, 1)`, 500},
		{"table.remove (state)", `for i = #self.list + 1, 200 do table.insert(self.list, i) end `,
			`table.remove(self.list, 1)`, 150},
		{"table.concat", `local t = {} for i = 1, 340 do t[i] = "ab" end `, `table.concat(t, " ")`, 500},
		{"table.concat (numbers)", `local t = {} for i = 1, 60 do t[i] = i / 7 end `, `table.concat(t)`, 500},
		{"table.sort", list(1000), `table.sort(t)`, 20},
		{"table.sort (texts)", `local t = {} for i = 1, 300 do t[i] = ("x"):rep(600) .. i * 7 % 300 end `,
			`table.sort(t)`, 10},
		{"table.sort (function)", list(300), `table.sort(t, function(a, b) return a > b end)`, 10},
		{"table.sort (state)", `for i = #self.list + 1, 200 do table.insert(self.list, i * 7 % 200) end `,
			`table.sort(self.list)`, 5},
		{"table.unpack", list(250), `table.unpack(t)`, 0},

		{"math.abs", ``, `math.abs(n)`, 0},
		{"math.floor", ``, `math.floor(n / 3)`, 0},
		{"math.ceil", ``, `math.ceil(n / 3)`, 0},
		{"math.sqrt", ``, `math.sqrt(n)`, 0},
		{"math.exp", ``, `math.exp(700 / n)`, 0},
		{"math.log", ``, `math.log(n, 3)`, 0},
		{"math.log10", ``, `math.log10(n)`, 0},
		{"math.sin", ``, `math.sin(1e300 * n)`, 0},
		{"math.cos", ``, `math.cos(1e300 * n)`, 0},
		{"math.tan", ``, `math.tan(1e300 * n)`, 0},
		{"math.asin", ``, `math.asin(1 / n)`, 0},
		{"math.acos", ``, `math.acos(1 / n)`, 0},
		{"math.atan", ``, `math.atan(n)`, 0},
		{"math.atan2", ``, `math.atan2(n, 3)`, 0},
		{"math.deg", ``, `math.deg(n)`, 0},
		{"math.rad", ``, `math.rad(n)`, 0},
		{"math.pow", ``, `math.pow(1.0001, n + 0.3)`, 0},
		{"math.fmod", ``, `math.fmod(1e308, 3e-300)`, 0},
		{"math.random", ``, `math.random(1, 6)`, 0},
		{"math.modf", ``, `math.modf(n / 3)`, 0},
		{"math.max", list(200), `math.max(unpack(t))`, 0},
		{"math.min", list(200), `math.min(unpack(t))`, 0},
		{"vec.length", ``, `vec.length(n, 3)`, 0},
		{"vec.distance", ``, `vec.distance(n, 3, 4, 5)`, 0},
		{"vec.normalize", ``, `vec.normalize(n, 3)`, 0},
		{"vec.dot", ``, `vec.dot(n, 1, 2, 3)`, 0},
		{"vec.rotate", ``, `vec.rotate(n, 1, 1e300)`, 0},
		{"vec.angle", ``, `vec.angle(n, 3)`, 0},
		{"vec.fromAngle", ``, `vec.fromAngle(1e300 * n, 2)`, 0},

		{"..", ``, `local s = "a" .. n / 7 .. "b"`, 0},
		{".. (long)", long + `s = s:sub(1, 500) `, `local r = s .. s`, 500},
		{".. (many)", ``, `local r = n .. n .. n .. n .. n .. n .. n .. n .. n .. n .. n .. n`, 500},
		{".. (__concat)", meta, `local r = o .. o`, 0},
		{"^", ``, `local x = n ^ 0.3`, 0},
		{"^ (__pow)", meta, `local x = o ^ 2`, 0},
		{"%", ``, `local x = 1e308 % (3e-300 * n)`, 0},
		{"+ (text)", `local s = "0." .. ("3"):rep(60) `, `local x = s + 1`, 0},
		{"+ (__add)", meta, `local x = o + 1`, 0},
		{"- (__unm)", meta, `local x = -o`, 0},
		{"[] (__index)", meta, `local x = o.absent`, 0},
		{"[] (chain)", chain, `local x = o.absent`, 0},
		{"[]= (__newindex)", meta, `o.absent = 1`, 0},
		{"[]= (long text)", long + `local t = { [s] = 1 } `, `t[s] = n`, 0},
		{"[]= (long text, of many)", long + `local t = { [s] = 1 } for i = 1, 100 do t["k" .. i] = i end `, `t[s] = n`, 0},
		{"[]= (text)", `local t = {} `, `t["k" .. n] = n`, 4000},
		{"[]= (far)", `local t = {} `, `t[n * 10] = n`, 4000},
		{"[]= (fraction)", `local t = {} `, `t[n / 2] = n`, 4000},
		{"[]= (backwards)", `local t = {} `, `t[4000 - n] = n`, 3900},
		{"[] (long text)", long + `local t = { [s] = 1 } `, `local x = t[s]`, 0},
		{"[]= (scratch)", ``, `pad.a = n`, 0},
		{"[]= (full scratch)", `pad.a = 1 pad.b = 1 `, `pad.a = n`, 0},
		{"[] (scratch)", `pad.a = 1 `, `local x = pad.a`, 0},
		{"[] (full scratch)", `pad.a = 1 pad.b = 1 `, `local x = pad.a`, 0},
		{"==", long + `local r = s:sub(1, 999) .. "x" `, `local x = s == r`, 0},
		{"<", long + `local r = s:sub(1, 999) .. "x" `, `local x = s < r`, 0},
		{"< (periodic)", `local s = ("ab"):rep(90) local r = s:sub(1, 179) .. "z" `, `local x = s < r`, 0},
		{"<=", long + `local r = s:sub(1, 999) .. "x" `, `local x = s <= r`, 0},
		{">", long + `local r = s:sub(1, 999) .. "x" `, `local x = s > r`, 0},
		{"< (field)", long + `local t, r = { s = s }, s:sub(1, 999) .. "x" `, `local x = r >= t.s`, 0},
		{"< (results)", meta + long + `m.__sub = function() return s end `, `local x = o - o < o - o`, 0},
		{"< (longest)", longest, `local x = r < s`, 0},
		{"< (numbers)", ``, `local x = n < most`, 0},
		{"#", list(1000), `local x = #t`, 0},
		{"# (text)", long, `local x = #s`, 0},
		{"{}", ``, `local t = {}`, 3000},
		{"{} (keys)", ``, `local t = { a = n, b = n, c = n, d = n, e = n, f = n, g = n, h = n }`, 800},
		{"{} (list)", ``, `local t = { n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n }`, 2000},
		{"{...}", list(200), `local t = { unpack(t) }`, 150},
		{"function", `local a, b, c = 1, 2, 3 `, `local function f() return a, b, c end`, 1000},
		{"function (one variable)", ``, `local function f() return n end`, 0},
		{"function (shared variables)", `local a, b, c, d, e = 1, 2, 3, 4, 5 `,
			`local function f() return a, b, c, d, e end`, 0},
		{"function (own variables)", ``,
			`local a, b, c, d, e = n, n, n, n, n local function f() return a, b, c, d, e end`, 0},
		{"function (200 variables)", ``, ownVariables(190), 0},
		{"function (while many are open)", "", captured(150, "if d > 0 then deep(d - 1) else for i = 1, 30 do "+
			"local a, b, c, d, e = i, i, i, i, i local h = function() return a + b + c + d + e end end end") + "deep(12)", 1},
		{"function (call)", `local function f() end `, `f()`, 0},
		{"function (captured variables)", captured(100, `return`), `f()`, 0},
		{"function (captured variables, deep)", "", captured(8, "if d > 0 then deep(d - 1) end for _ = 1, 999 do f() end") +
			"deep(150)", 1},
		{"function (many locals)", `local function f() local ` + strings.Repeat("a, ", 190) + `a end `, `f()`, 0},
		{"for (many locals)", ``, `for _ = 1, 100 do local ` + strings.Repeat("a, ", 180) + `a end`, 0},
		{"for (many results)", `local function f() end `,
			`for _ = 1, 100 do local ` + strings.Repeat("a, ", 180) + `a = f() end`, 0},
		{"function (many parameters)",
			`local function f(` + strings.Repeat("a, ", 90) + `a) end `, `f()`, 0},
		{"function (deep)", `local function f(d) if d == 0 then return 0 end return 1 + f(d - 1) end `, `f(900)`, 0},
		{"function (varargs)", list(200) + `local function f(...) return ... end `, `f(unpack(t))`, 0},
		{"function (varargs, deep)", `local function f(d, ...) if d == 0 then return 0 end return 1 + f(d - 1, ...) end `,
			`f(900, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20)`, 0},
		{"function (varargs, deep, 5)", `local function f(d, ...) if d == 0 then return 0 end return 1 + f(d - 1, ...) end `,
			`f(900, 1, 2, 3, 4, 5)`, 0},
		{"function (varargs, deep, 60)", `local function f(d, ...) if d == 0 then return 0 end return 1 + f(d - 1, ...) end ` + list(60),
			`f(900, unpack(t))`, 0},
		{"function (results)", `local function f(d) if d == 0 then return 1 end return f(d - 1) end ` + list(249),
			`f(900)`, 0},
		{"function (results of varargs)",
			`local function f(d, ...) if d == 0 then return ... end return f(d - 1, ...) end ` + list(100),
			`f(150, unpack(t))`, 0},
		{"function (piled results)", `local function f(d) if d == 0 then return 1 end return 1, f(d - 1) end `,
			`f(240)`, 0},
		{"function (written results)", `local function f(d) if d == 0 then return 1` + strings.Repeat(", d", 180) +
			` end return f(d - 1) end `, `f(900)`, 0},
		{"function (byte results)", long + `local function f(d) if d == 0 then return s:byte(1, 240) end return f(d - 1) end `,
			`f(900)`, 0},
		{"function (some results)", list(16) + `local function f(d) if d == 0 then return unpack(t) end return f(d - 1) end `,
			`f(900)`, 0},
		{"function (17 results)", list(17) + `local function f(d) if d == 0 then return unpack(t) end return f(d - 1) end `,
			`f(900)`, 0},
		{"function (many results)", list(249) + `local function f(d) if d == 0 then return unpack(t) end return f(d - 1) end `,
			`f(900)`, 0},
		{"for", ``, `for _ = 1, 100 do end`, 0},
		{"self.field", ``, `local x = self.hp`, 0},
		{"self.field =", ``, `self.hp = n`, 0},
		{"self.field (text) =", ``, `self.name = "abcdefgh"`, 0},
		{"self.field +=", ``, `self.hp = self.hp + 1`, 0},
		{"self.list[i]", `for i = #self.list + 1, 200 do table.insert(self.list, i) end `,
			`local x = self.list[100]`, 0},
		{"self.list[i] =", `for i = #self.list + 1, 200 do table.insert(self.list, i) end `, `self.list[100] = n`, 0},
		{"self.list =", list(200), `self.list = t`, 20},
		{"self.records[1] =", `local r = { a = 1, b = 2, c = "x" } `, `self.records[1] = r`, 0},
		{"self.records[i].part", `self.records[1] = { a = 1, b = 2, c = "x" } `, `local x = self.records[1].b`, 0},
		{"self.ref", other + `self.target = o `, `local x = self.target`, 0},
		{"other.field", other, `local x = o.hp`, 0},
		{"other.field =", other, `o.hp = n`, 0},
		{"game.field", ``, `game.score = game.score + 1`, 0},

		{":getPosition", other, `o:getPosition()`, 0},
		{":getVelocity", other, `o:getVelocity()`, 0},
		{":getDirection", other, `o:getDirection()`, 0},
		{":getAngularVelocity", other, `o:getAngularVelocity()`, 0},
		{":getMass", other, `o:getMass()`, 0},
		{":setPosition", ``, `self:setPosition(n, 0)`, 0},
		{":setPosition (other)", other, `o:setPosition(n, 0)`, 0},
		{":setVelocity", other, `o:setVelocity(n, 0)`, 0},
		{":setDirection", other, `o:setDirection(1e300 * n)`, 0},
		{":setAngularVelocity", other, `o:setAngularVelocity(n)`, 0},
		{":setForce", other, `o:setForce(n, 0)`, 0},
		{":setTorque", other, `o:setTorque(n)`, 0},
		{":setDirectionalForce", other, `o:setDirectionalForce(1e300 * n, 2)`, 0},
		{":setDirectionalForce (self)", ``, `self:setDirectionalForce(1e300 * n, 2)`, 0},
		{":applyForce", other, `o:applyForce(n, 0)`, 0},
		{":applyTorque", other, `o:applyTorque(n)`, 0},
		{":applyImpulse", other, `o:applyImpulse(n, 0)`, 0},
		{":applyAngularImpulse", other, `o:applyAngularImpulse(n)`, 0},
		{":asSeen", `local function f() end `, `self:asSeen(f)`, 0},
		{":asSeen (first)", `local function f() end `, `self:asSeen(f)`, 1},
		{":asSeen (ray)", `local function f() return raycast(-1, 1e4, 1, 1e4) end `, `self:asSeen(f)`, 0},
		{":asSeen (rays)", ``, `self:asSeen(function() for _ = 1, 20 do raycast(-1, 1e4, 1, 1e4) end end)`, 20},
		{":asSeen (objects)", ``,
			`self:asSeen(function() for _, o in ipairs(objects("Seen")) do o:getPosition() end end)`, 5},
		{":setOwner", other, `o:setOwner(1)`, 0},
		{":remove", other, `o:remove()`, 0},
		{":valid", other, `o:valid()`, 0},
		{":is", other, `o:is("Crate")`, 0},
		{":moveAndSlide", `self:setPosition(-500, 0) `, `self:moveAndSlide(1, 0)`, 0},
		{":moveAndSlide (crowd)", `self:setPosition(0.5, 0.5) `, `self:moveAndSlide(1, 0.3)`, 0},
		{":moveAndSlide (far)", `self:setPosition(-500, -500) `, `self:moveAndSlide(1000, 999)`, 0},
		{":attach", other, `self:attach(o, 1, 0)`, 0},
		{":detach", ``, `self:detach()`, 0},
		{":detach (attached)", other, `self:attach(o, 1, 0) self:detach()`, 0},
		{":getHolder", other + `self:attach(o, 1, 0) `, `self:getHolder()`, 0},
		{":setMotor", `local j = hinge(self, nil, {}) `, `j:setMotor(1, 2)`, 0},
		{":setLimits", `local j = hinge(self, nil, {}) `, `j:setLimits(0, 2)`, 0},
		{":setLength", `local j = rope(self, nil, {}) `, `j:setLength(1)`, 0},
		{":setSpring", `local j = spring(self, nil, {}) `, `j:setSpring(1, 2)`, 0},
		{":held", ``, `input:held("Fire")`, 0},
		{":pressed", ``, `input:pressed("Fire")`, 0},
		{":released", ``, `input:released("Fire")`, 0},
		{":presses", ``, `input:presses("Fire")`, 0},

		{"spawn", ``, `spawn("Crate")`, 60},
		{"spawn (fields)", ``,
			`spawn("Probe", { x = 1, y = 2, angle = 3, vx = 4, vy = 5, w = 6, owner = 1, hp = 3, name = "x" })`, 60},
		{"spawn (onSpawn)", ``, `spawn("Seen")`, 60},
		{"spawn (list)", list(256), `spawn("Probe", { list = t })`, 20},
		{"rope", other, `rope(self, o, { ax = 1, ay = 1, bx = 0, by = 0, length = 3, collide = true })`, 60},
		{"rod", other, `rod(self, o)`, 60},
		{"spring", other, `spring(self, o)`, 60},
		{"hinge", other, `hinge(self, o)`, 60},
		{"weld", other, `weld(self, o)`, 60},
		{"slider", other, `slider(self, o)`, 60},
		{"wheel", other, `wheel(self, o)`, 60},
		{"objects", ``, `objects("Crate")`, 20},
		{"objects (none)", ``, `objects("Nobody")`, 0},
		{"objects (family)", ``, `objects("Base")`, 20},
		{"raycast", ``, `raycast(-1, 1e4, 1, 1e4)`, 0},
		{"raycast (row)", ``, `raycast(-1, 0.3, 200, 0.3)`, 0},
		{"raycast (gap)", ``, `raycast(-1, 0.6, 200, 0.6)`, 0},
		{"raycast (diagonal)", ``, `raycast(-1, -1.5, 200, 190)`, 0},
		{"raycast (layers)", ``, `raycast(-1, 0.3, 200, 0.3, "seen", "wall", "default", "none")`, 0},
		{"raycastAll", ``, `raycastAll(-1, -1, 200, 200)`, 0},
		{"circleCast", ``, `circleCast(-1, 1e4, 1, 1e4, 1)`, 0},
		{"circleCast (row)", ``, `circleCast(-1, 0, 200, 0, 0.5, "default")`, 0},
		{"circleCast (diagonal)", ``, `circleCast(-1, -1.5, 200, 190, 0.5)`, 0},
		{"circleCast (wide)", ``, `circleCast(-1, 0, 200, 0, 100)`, 0},
		{"overlapCircle", ``, `overlapCircle(0, 1e4, 1)`, 0},
		{"overlapCircle (some)", ``, `overlapCircle(5, 5, 4)`, 0},
		{"overlapCircle (all)", ``, `overlapCircle(0, 0, 1000)`, 10},
		{"overlapCircle (layer)", ``, `overlapCircle(0, 0, 1000, "none")`, 10},
		{"overlapBox", ``, `overlapBox(0, 1e4, 1, 1)`, 0},
		{"overlapBox (some)", ``, `overlapBox(5, 5, 8, 8)`, 0},
		{"overlapBox (all)", ``, `overlapBox(0, 0, 1000, 1000)`, 10},
		{"overlapPolygon", ``, `overlapPolygon({ 0, 1e4, 2, 1e4, 2, 10002, 0, 10002 })`, 0},
		{"overlapPolygon (all)", ``,
			`overlapPolygon({ -500, 0, 0, -500, 300, -300, 500, 0, 400, 400, 0, 500, -300, 300, -400, 200 })`, 10},
		{"nearest", ``, `nearest("Crate", 5, 5)`, 0},
		{"nearest (far)", ``, `nearest("Crate", 1e4, 1e4)`, 0},
		{"nearest (rare)", ``, `nearest("Rare", -1, -1)`, 0},
		{"nearest (none)", ``, `nearest("Nobody", 5, 5)`, 0},
		{"nearest (within)", ``, `nearest("Crate", 1e4, 1e4, 10)`, 0},
		{"players", ``, `players()`, 300},
		{"stats", ``, `stats(64).kills = n`, 0},
		{"now", ``, `now()`, 0},
		{"tickNumber", ``, `tickNumber()`, 0},
		{"random", ``, `random(1, 6)`, 0},
		{"cue", ``,
			`cue("Hit", { a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, g = 7, h = "abcdefgh", to = "all", when = "confirmed" })`, 16},
		{"tell", `local s = ("x"):rep(256) `, `tell(1, s)`, 16},
		{"after", ``, `after(2, "explode")`, 0},
		{"every", ``, `every(2, "explode")`, 0},
		{"stopTimer", ``, `stopTimer("explode")`, 0},
		{"timeLeft", ``, `timeLeft("explode")`, 0},
		{"setTeam", ``, `setTeam(64, "Red")`, 0},
		{"smallestTeam", ``, `smallestTeam()`, 0},
		{"teamColor", ``, `teamColor("Red")`, 0},
		{"fillTeams", ``, `fillTeams("Bot", 4)`, 5},
		{"fillTeams (full)", ``, `fillTeams("Seen", 1)`, 5},
		{"takeOver", ``, `takeOver(1, "Bot")`, 0},
		{"takeOver (none)", ``, `takeOver(64, "Seen")`, 10},
		{"resetStats", ``, `resetStats()`, 5},
		{"level", ``, `level()`, 0},
		{"level (change)", ``, `level("main")`, 0},
		{"print", ``, `print(self, n / 7, "x")`, 0},
		{"print (long)", long, `print(s, s, s, s)`, 200},
	}
}

// ownVariables is statements that make a function with n captured variables.
func ownVariables(n int) string {
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprintf("v%d", i)
	}
	list := strings.Join(names, ", ")
	return fmt.Sprintf("local %s = 0 local g = function() local v = %s end", list, list)
}

// captured is a function deep(d), whose n local variables another function captures before it goes on, and a function
// f that does nothing; deep has been called once.
func captured(n int, then string) string {
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprintf("v%d", i)
	}
	list := strings.Join(names, ", ")
	return fmt.Sprintf("local function f() end local %s = 0 local g = function() return %s end "+
		"local function deep(d) local %s = d local g = function() return %s end %s end deep(0) ", list, list, list, list, then)
}

// unpriced are the sections whose functions hooks cannot call, or only while the files are loaded.
func unpriced(s *api.Section) bool {
	if s.Kind == api.Functions {
		return s.Title == "Declaring" || strings.HasPrefix(s.Title, "View") || strings.HasPrefix(s.Title, "Test") ||
			strings.HasPrefix(s.Title, "Bot")
	}
	return s.Kind != api.Methods || s.Of == "Test" || s.Of == "TestWorld"
}

// TestEveryFunctionIsPriced: each function that hooks can call has a case in pricedCases.
func TestEveryFunctionIsPriced(t *testing.T) {
	have := map[string]bool{}
	for _, c := range pricedCases() {
		name, _, _ := strings.Cut(c.name, " (")
		have[name] = true
	}
	functions := 0
	for _, s := range api.Sections() {
		if unpriced(&s) {
			continue
		}
		prefix := s.Of
		switch {
		case s.Of == "BotWorld":
			continue
		case s.Kind == api.Methods:
			prefix = ":"
		case s.Of != "":
			prefix += "."
		}
		for i := range s.Members {
			if m := &s.Members[i]; m.Params != nil {
				functions++
				if !have[prefix+m.Name] {
					t.Errorf("pricedCases has no call of %s%s", prefix, m.Name)
				}
			}
		}
	}
	if functions < 130 {
		t.Errorf("there are only %d functions", functions)
	}
}

// pricedGame is the game of pricedCases. Case number self.case runs self.n times.
func pricedGame(cases []priced) []string {
	var b strings.Builder
	b.WriteString(`
Base = object "Base" { state = { hp = 1 } }
Crate = object "Crate" { extends = Base, body = { shape = { polygon = { 0.5, 0.2, 0.2, 0.5, -0.2, 0.5, -0.5, 0.2,
  -0.5, -0.2, -0.2, -0.5, 0.2, -0.5, 0.5, -0.2 } } } }
Seen = object "Seen" { seen = true, state = { team = str(16) }, body = { shape = { circle = 0.3 }, layer = "seen" } }
function Seen:onSpawn() end
Rare = object "Rare" { body = { shape = { circle = 0.3 }, layer = "none" } }
Nobody = object "Nobody" { body = { shape = { circle = 0.3 } } }
Bot = object "Bot" { state = { team = str(16) } }
Probe = object "Probe" { input = { Fire = "bool" }, state = { case = 0, n = 0, hp = 1, name = str(8), target = ref(),
  list = list("number", 256), records = list(record { a = 1, b = 2, c = str(8) }, 32) }, objProps = { x = 1 },
  body = { shape = { box = { 0.8, 0.8 } } } }
function Probe:explode() end
local pad = { a = 1, b = 2 } -- a scratch table
local function level(up) -- tables with many keys, which the interpreter follows
  local t = {}
  for i = 1, 12 do t["k" .. i] = i end
  return setmetatable(t, up and { __index = up })
end
local deep = level(level(level(level(level(level())))))
local cases = {
`)
	for _, c := range cases {
		fmt.Fprintf(&b, "function(self, input, most) %sfor n = 1, most do %s end end,\n", c.before, c.call)
	}
	b.WriteString("}\nfunction Probe:applyInput(input) cases[self.case](self, input, self.n) end\n")
	return []string{
		"probe.lua", b.String(), "lib/part.lua", "return { x = 1 }",
		"game.lua", `game { state = { score = 0 } } teams { Red = {}, Blue = {} } player { state = { kills = 0 } }`,
	}
}

// market is a room in which prices are measured.
type market struct {
	*testScene
	probe int
	past  world.PastPoses
}

// pricedRooms are how many objects the rooms have.
var pricedRooms = []int{16, 1000, 16000}

// openMarket makes a room of so many objects: crates in a square, one in eight of them of a class that asSeen moves.
func openMarket(t testing.TB, objects int, cases []priced) *market {
	t.Helper()
	setup := testSetup
	setup.Objects = world.MaxObjects
	m := &market{testScene: startWith(t, setup, pricedGame(cases)...)}
	m.w.Check = false
	m.w.Print = func(world.Tick, world.ObjectID, string) {}
	for p := range world.PlayerID(64) {
		m.w.Join(p + 1)
	}
	side := 1
	for side*side < objects {
		side++
	}
	m.probe = m.put("Probe", physics.Pose{X: -3, Y: -3})
	m.put("Rare", physics.Pose{X: float64(side) * 1.2, Y: float64(side) * 1.2})
	m.put("Bot", physics.Pose{})
	for i := range objects {
		at := physics.Pose{X: float64(i%side) * 1.2, Y: float64(i/side) * 1.2}
		if i%8 == 7 {
			m.w.Now.Objects[m.put("Seen", at)].Owner = 1
			continue
		}
		m.put("Crate", at)
	}
	m.order()
	m.past = world.PastPoses{State: new(world.State), Schema: m.w.Schema()}
	m.past.State.CopyFrom(m.w.Now)
	m.past = world.PastPoses{Kept: m.past.List(nil)}
	m.w.Now.Tick = 100
	m.w.PosesAt = func(world.Tick) (world.PastPoses, bool) { return m.past, true }
	return m
}

func (m *market) put(class string, at physics.Pose) int {
	game, _ := m.w.Match()
	defer m.w.Act(m.w.Act(game))
	slot, err := m.w.Spawn(class, world.Placement{Pose: at})
	if err != nil {
		m.t.Fatal(err)
	}
	return slot
}

// run runs a case n times in a hook, and returns how many instructions it charged and how long it took. The world is
// as before then.
func (m *market) run(number, n int) (instructions int, took time.Duration) {
	m.t.Helper()
	for name, v := range map[string]int{"case": number + 1, "n": n} {
		f, _ := m.w.Class(m.probe).Field(name)
		m.w.Now.Row(m.probe).SetWord(f, world.NumberBits(float64(v)))
	}
	m.w.Begin()
	m.w.BeginOrder()
	mark := m.w.Actor().Calls().Mark()
	for range 8 { // then the order has its indexes, which all of its hooks share
		m.w.Actor().Queries().Raycast(-9, -9, -8, -8, 1)
		m.w.Actor().Queries().OfClass(0, nil)
	}
	args := world.Args{Input: world.Input{ViewTime: world.ViewTime{Back: 1000, All: true}}}
	began := time.Now()
	err := m.vm.Call(m.w.Actor(), world.ApplyInput, m.probe, &args)
	took = time.Since(began)
	if err != nil && !scriptErrors(m.t, err)[0].Budget {
		m.t.Fatal(err)
	}
	instructions = m.vm.Instructions()
	m.w.Actor().Calls().Undo(mark)
	m.w.EndOrder()
	m.w.End()
	return instructions, took
}

// often returns how often a case can run in a hook, within part of its budget, and what a call charges.
func (m *market) often(number int, c *priced) (n, each int) {
	none, _ := m.run(number, 0)
	once, _ := m.run(number, 1)
	each = once - none
	n = max((HookInstructions-none)*6/10/each, 1)
	if c.most > 0 {
		n = min(n, c.most)
	}
	return n, each
}

// BenchmarkPrices measures how much longer calls take, with their worst arguments, than a loop of additions of the
// same price, in rooms of different sizes.
func BenchmarkPrices(b *testing.B) {
	cases := append([]priced{{"additions", `local x = 0 `, `x = x + n`, 0}}, pricedCases()...)
	for _, objects := range pricedRooms {
		var m *market
		for i, c := range cases {
			b.Run(fmt.Sprintf("%d objects/%s", objects, c.name), func(b *testing.B) {
				if m == nil {
					m = openMarket(b, objects, cases)
				}
				m.t = b
				base := m.compare(b, 0, &cases[0])
				per := m.compare(b, i, &c)
				b.ReportMetric(0, "ns/op")
				b.ReportMetric(per.ns, "ns/instruction")
				b.ReportMetric(float64(per.instructions), "instructions")
				b.ReportMetric(per.ns/base.ns, "x-additions")
			})
		}
	}
}

// price is what a call costs.
type price struct {
	instructions int     // charged for a call
	ns           float64 // for each of these
}

// compare runs a case several times and returns the least that it took.
func (m *market) compare(b *testing.B, number int, c *priced) (p price) {
	n, each := m.often(number, c)
	p.instructions = each
	const never = time.Duration(1<<63 - 1)
	least, none := never, never
	var charged, before int
	for range max(b.N, 3) {
		var took time.Duration
		charged, took = m.run(number, n)
		least = min(least, took)
		before, took = m.run(number, 0)
		none = min(none, took)
	}
	p.ns = float64(least-none) / float64(charged-before)
	return p
}
