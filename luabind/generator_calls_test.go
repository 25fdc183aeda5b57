package luabind

import (
	"maps"
	"math/bits"
	"slices"
	"strings"

	"pgregory.net/rapid"
)

// calls are expressions that call each function that the library has of Lua 5.1, by its name. What is in braces is
// replaced: see fill. What is documented as different (docs/scripting.md) does not occur. try calls a function as
// pcall does, and hides the words of an error.
var calls = map[string][]string{
	"_VERSION": {"_VERSION", "#_VERSION"},
	"assert": {"(assert({v} or 1, {s}))", "select('#', assert(1, {v}, nil))", "try(assert, {v}, 'm')", "try(assert, nil)",
		"try(function() return assert(f, 'none') and 1 end)", "try(assert)"},
	"error": {"try(error, {v})", "try(error, {s}, {level})", "try(error, {o}, {level})", "try(error, {k})", "try(error)",
		"try(function(x) if x then error({v}, {level}) end return {v} end, {v})",
		"try(function(x) local function deep(n) if n > 0 then return 1 + deep(n - 1) end error(x, {level}) end return deep({count}) end, {v})"},
	"getmetatable": {"getmetatable(o) == mt", "getmetatable({})", "type(getmetatable({t}))", "getmetatable(getmetatable(M))", "try(getmetatable)"},
	"ipairs":       {"sum(ipairs({t}))", "select('#', ipairs(l))", "(select(3, ipairs({t})))", "((ipairs(l))(l, {count}))", "try(ipairs, {v})"},
	"next": {"next(l)", "next({})", "next({{v}})", "next({4, 5, 6}, {count} % 3 + 1)", "(next({7, 8}, {count} % 3 + 1 < 3 and 1 or 2))",
		"sum(next, {t})", "sum(next, {t}, nil)", "try(next, {v})", "try(next, {7}, 'absent')", "type(next(t))"},
	"pairs":    {"sum(pairs({t}))", "select('#', pairs(t))", "(try(pairs, {v}))"},
	"pcall":    {"hush(pcall({f}, {v}, {v}))", "hush(pcall({v}, {v}))", "hush(pcall(pcall, type, {v}))", "select('#', pcall({f}))", "(pcall(error))", "try(pcall)"},
	"print":    {"print({s})", "print({n}, {s}, nil)", "print()", "try(function() print({n}) end)"},
	"rawequal": {"rawequal({v}, {v})", "rawequal(o, p)", "rawequal({n}, {n})", "rawequal({s}, {s})", "try(rawequal, {v})"},
	"rawget":   {"rawget({t}, {key})", "rawget(o, {field})", "rawget(o, 'n')", "try(rawget, {v}, {v})", "rawget({t}, nil)"},
	"rawset": {"rawset({{v}}, {key}, {v})[1]", "rawset(o, {field}, {v}) == o", "try(rawset, {v}, {v}, {v})",
		"try(rawset, {}, nil, 1)", "rawget(rawset({}, {key}, {v}), {key})"},
	"require": {"require('lib.m').k", "require('lib.m') == M", "require('lib.m').first({v}, {v})", "M.first({l})",
		"M.new({n}):get()", "(M.new({n}) + M.new({n})).n", "M.list[{count}]", "M.step({n})", "try(M.first, {v})", "M.new({v}).k"},
	"select": {"select({count} % 3 + 1, {l}, {v}, {v})", "(select(-1, {l}))", "select('#', {l})", "select(-2, {v}, {l})",
		"try(select, {pos}, {l})", "select(2.7, {v}, {v}, {v})", "select('2', {v}, {l})", "try(select, {v}, {v})"},
	"setmetatable": {"setmetatable({}, {__index = {t}})[{key}]", "setmetatable({{v}}, mt)", "setmetatable({n = {n}}, sub) + {n}",
		"try(setmetatable, {v}, {v})", "setmetatable({{v}}, nil)[1]", "weak({v})",
		"setmetatable({}, {__index = function(x, y) return {v} end})[{key}]"},
	"tonumber": {"tonumber({digits})", "tonumber({digits}, {base})", "tonumber({n})", "tonumber({v} and 10, {base})", "tonumber({o})",
		"tonumber({s}:sub(1, 1), {base})", "try(tonumber, {digits}, {base})", "tonumber(99, {base})", "try(tonumber, '1', {pos})", "try(tonumber)"},
	"tostring": {"plain(tostring({v}))", "tostring({n})", "tostring({s})", "plain(tostring({o}))", "tostring({edge})", "tostring(nil)",
		"#tostring({n} < {n})", "try(tostring)", "tostring({n} / 3)", "tostring({n} * 1e15)"},
	"type": {"type({v})", "type({o})", "type({c})", "type({f})", "type({t})", "try(type)", "type(nil)"},
	"unpack": {"unpack(l)", "(unpack({t}))", "unpack({{l}}, {pos}, {count})", "select('#', unpack({}, 1, {count}))",
		"try(unpack, {v})", "unpack({1, nil, 3}, {count})", "({unpack({5, 6, 7}, 2)})[1]"},
	"xpcall": {"hush(xpcall(function() return {l} end, {f}))", "hush(xpcall(function() error({v}, 0) end, function(x) return type(x) end))",
		"hush(xpcall(function() return nil + 1 end, function(x) return {v} end))", "hush(xpcall(print and error, type))", "try(xpcall, {f})"},

	"coroutine.create": {"coroutine.create(paid({f}))", "type(coroutine.create(paid(function() end)))", "try(coroutine.create, {k})", "try(coroutine.create)",
		"hush(coroutine.resume(coroutine.create(paid({f})), {l}))", "hush(coroutine.resume(coroutine.create(paid({y})), {l}))",
		"coroutine.status(coroutine.create(paid({f})))"},
	"coroutine.resume": {"hush(coroutine.resume({c}, {l}))", "hush(coroutine.resume({c}))", "select('#', coroutine.resume({c}, {v}))",
		"try(coroutine.resume, {k})", "try(coroutine.resume, {c}, {v})", "twice(paid({y}), {l})", "twice(paid({y}), {v}, {v})"},
	"coroutine.running": {"coroutine.running() == co", "type(coroutine.running())", "twice(paid(function(x) x = coroutine.running() coroutine.yield({v}) return x == coroutine.running() end))"},
	"coroutine.status": {"coroutine.status({c})", "try(coroutine.status, {k})", "twice(paid(function() coroutine.yield(coroutine.status(co)) return {v} end))",
		"twice(paid(function() co = coroutine.running() coroutine.yield(coroutine.status(co)) return {v} end))"},
	"coroutine.wrap": {"try(wr, {l})", "try(wr)", "coroutine.wrap(paid({f}))({l})", "coroutine.wrap(paid({y}))({l})", "try(coroutine.wrap, {k})",
		"sum(coroutine.wrap(paid(function() for i = 1, {count} do coroutine.yield(i, {v}) end end)))", "type(coroutine.wrap(paid({f})))",
		"try(coroutine.wrap(paid(function() error({o}) end)))", "try(coroutine.wrap(paid(function() return nil + {n} end)))"},
	"coroutine.yield": {"try(coroutine.yield, {v})", "twice(paid(function(...) return coroutine.yield(...) end), {l})",
		"twice(paid(function() local function deep(n) if n == 0 then return coroutine.yield({l}) end return (deep(n - 1)) end return deep({count}) end))",
		"twice(paid(function() return hush(pcall(coroutine.yield, {v})) end))", "twice(paid(function() return setmetatable({}, {__index = function() return coroutine.yield(1) end}).x end))",
		"twice(paid(function() local r = {} for i, v in ipairs({5, {v}}) do r[i] = coroutine.yield(v) end return r[1], r[2] end), {v})",
		"twice(paid(function() return {v}, coroutine.yield({v}), {v} end), {l})", "twice(paid(function(x) x = x or coroutine.yield({l}) return x end))",
		"twice(paid(function() return ({coroutine.yield({l})})[1] end))", "twice(paid(function() return setmetatable({}, {__call = function(x, y) return coroutine.yield(y) end})({v}) end), {v})"},

	"math.abs":   {"math.abs({n})", "math.abs({m})", "math.abs({edge})", "try(math.abs, {k})"},
	"math.acos":  {"near(math.acos({unit}))", "try(math.acos, {k})"},
	"math.asin":  {"near(math.asin({unit}))", "try(math.asin, {k})"},
	"math.atan":  {"near(math.atan({m}))", "near(math.atan({edge}))", "try(math.atan)"},
	"math.atan2": {"near(math.atan2({m}, {d}))", "near(math.atan2({d}, {edge}))", "try(math.atan2, {m})"},
	"math.ceil":  {"math.ceil({n})", "math.ceil({m})", "math.ceil({edge})", "math.ceil('2.5')"},
	"math.cos":   {"near(math.cos({m}))", "try(math.cos, {k})"},
	"math.deg":   {"near(math.deg({m}))", "try(math.deg, nil)"},
	"math.exp":   {"near(math.exp({m} % 9))", "math.exp(0)", "math.exp(-math.huge)"},
	"math.floor": {"math.floor({n})", "math.floor({m})", "math.floor({edge})", "math.floor('2.5')", "try(math.floor, {v})"},
	"math.fmod":  {"math.fmod({m}, {d})", "math.abs(math.fmod({n}, {d}))", "try(math.fmod, {m})"},
	"math.huge":  {"({n} < math.huge)", "(-math.huge < {m})", "(math.huge == 1 / 0)", "tostring(-math.huge)"},
	"math.log":   {"near(math.log(1 + math.abs({m})))", "math.log(1)", "math.log(0)", "try(math.log, {k})"},
	"math.log10": {"near(math.log10(1 + math.abs({m})))", "math.log10(1000)", "try(math.log10)"},
	"math.max":   {"math.max({n})", "math.max({m}, {n}, {d})", "math.max({edge}, {m})", "math.max('3', {m})", "try(math.max)", "try(math.max, {m}, {v})"},
	"math.min":   {"math.min({n})", "math.min({m}, {n}, {d})", "math.min({edge}, {m})", "math.min('3', {m})", "try(math.min)", "try(math.min, {m}, {v})"},
	"math.modf":  {"math.modf({m})", "(select(2, math.modf({m})))", "math.modf({edge})", "math.modf({n})"},
	"math.pi":    {"near(math.pi)", "near(math.pi * {m})"},
	"math.pow":   {"near(math.pow(math.abs({m}), {m} % 3))", "math.pow(2, {count})", "math.pow({d}, 0)", "math.pow({edge}, -1)", "try(math.pow, 2)"},
	"math.rad":   {"near(math.rad({m}))"},
	"math.sin":   {"near(math.sin({m}))", "math.sin(0)"},
	"math.sqrt":  {"near(math.sqrt(math.abs({m})))", "math.sqrt({count} * {count})", "math.sqrt('16')"},
	"math.tan":   {"near(math.tan({unit}))"},

	"string.byte": {"string.byte({s}, {pos}, {pos})", "({s}):byte({pos})", "string.byte({s})", "select('#', ({s}):byte(1, -1))", "try(string.byte, {v})"},
	"string.char": {"string.char(65 + {count}, 97)", "string.char()", "string.char(({s} .. 'x'):byte(1, 3))", "try(string.char, {v})", "try(string.char, 256)", "try(string.char, -1)"},
	"string.find": {"string.find({s}, {p})", "({s}):find({p}, {pos})", "({s}):find({s}, {pos}, true)", "({s}):find('', {pos})", "({s}):find({plain}, 1, {v})", "try(string.find, {s}, {p}, {v})"},
	"string.format": {"string.format('%d|%5d|%-5d|%05d', {count}, {m}, {count}, {count})", "string.format('%i %u %c', {m}, {count}, 65 + {count})",
		"string.format('%{width}g %{width}e', {m}, {m})", "('%{width}f|%{width}G'):format({m}, {d})", "string.format('%{width}s', {s})", "string.format('%q', {s})",
		"('%x %X %o %#x'):format({count}, 255, {count}, {count})", "string.format('%%')", "('%+d % d %+.1f'):format({m}, {m}, {m})",
		"string.format('%{width}d', {digits})", "try(string.format, '%d', {k})", "try(string.format, '%{width}')", "try(string.format)", "string.format('%g %f', {edge}, {edge})",
		"string.format('%s %s', {n}, {s})", "string.format({s}:gsub('%%', ''))", "string.format('%{width}x', {count})", "string.format('%.{count}f', {m} / 3)"},
	"string.gmatch": {"sum(({s}):gmatch({p}))", "sum(string.gmatch({s}, '{item}'))", "({s}):gmatch({p})()", "sum(({s}):gmatch('({item})({item}?)'))", "try(string.gmatch, {k}, 'x')", "type(('x'):gmatch('.'))"},
	"string.gsub": {"string.gsub({s}, {p}, {s2})", "({s}):gsub({p}, function(x, y) return {g} end)", "({s}):gsub('{item}', {a = 'A', ['1'] = 2, b = false})",
		"({s}):gsub({p}, {s2}, {pos})", "try(string.gsub, {s}, {p}, {v})", "({s}):gsub('{item}', function(...) return select('#', ...) end)", "({s}):gsub('({item})({item}*)', '%2%1%0')",
		"({s}):gsub('{item}', setmetatable({}, {__index = function(x, y) return y .. y end}))", "({s}):gsub('', '-', {count})", "try(string.gsub, {s}, '.', function() return {v} end)"},
	"string.len":     {"string.len({s})", "({s}):len()", "#({s})", "string.len({m})", "try(string.len, {v})"},
	"string.lower":   {"string.lower({s})", "({s}):lower()", "string.lower(12)"},
	"string.match":   {"string.match({s}, {p})", "({s}):match({p}, {pos})", "({s}):match('({item}+)(.*)')", "({s}):match('()({item})()')", "try(string.match, {s}, {v})"},
	"string.rep":     {"string.rep({s}, {count}):sub(1, 40)", "({s}):rep(2):sub({pos}, {pos})", "('ab'):rep({pos})", "string.rep('', {count})", "try(string.rep, {v}, 2)", "('x'):rep(2.9)"},
	"string.reverse": {"string.reverse({s})", "({s}):reverse()", "string.reverse({count})"},
	"string.sub":     {"string.sub({s}, {pos}, {pos})", "({s}):sub({pos})", "({s}):sub({pos}, {pos} + 0.5)", "({s}):sub('2', {pos})", "try(string.sub, {v}, {pos})", "try(string.sub, {s})"},
	"string.upper":   {"string.upper({s})", "({s}):upper()"},

	"table.concat": {"table.concat({{n}, {s}, {n}}, {s2})", "table.concat({{s}, {s}})", "table.concat(l)", "try(table.concat, {{v}, {v}}, ',')", "try(table.concat, {1, 2, 3}, {s2}, {pos}, {count})",
		"table.concat({}, {s})", "table.concat({1, 2, 3}, ' ', {count} % 3 + 1)", "try(table.concat, {v})"},
	"table.insert": {"put({v})", "put({v}, {count} % 4 + 1)", "put({v}, 4)", "try(table.insert, {v}, 1)", "try(table.insert, {})", "select('#', table.insert({}, ({v})))"},
	"table.remove": {"table.remove({4, {v} or 5, 6})", "table.remove({4, {v} or 5, 6}, {count} % 3 + 1)", "table.remove({1, 2, 3}, {pos})", "select('#', table.remove({}))", "(function(x) table.remove(x, 1) return unpack(x) end)({{v} or 1, 2, {v} or 3, 4})", "try(table.remove, {v})"},
	"table.sort": {"sorted({3, {m}, {d}, 1, {count}})", "sorted({3, {m}, {d}, 1}, function(x, y) return x > y end)", "sorted({{s}, {s}, 'b'})", "sorted({{s}, {s}, 'b'}, function(x, y) return #x < #y or #x == #y and x < y end)",
		"try(table.sort, {3, 'x', {n}})", "try(table.sort, {2, 1}, {k})", "try(table.sort, {v})", "try(table.sort, {3, 1, 2}, function(x, y) error({v}) end)", "sorted({})"},
}

// callHelpers are functions that calls use.
const callHelpers = `local co, wr
local ran = {}
local function mark(e) if not ran[e] then ran[e] = true print('event ' .. e) end end
local function paid(x) fuel = fuel - 12 if fuel < 0 then error('fuel') end return x end
local function hush(ok, e, ...) if not ok and type(e) == 'string' and #e > 8 then e = 'message' end return ok, e, ... end
local function tried(ok, ...) local e = ... if not ok and type(e) == 'string' then return ok, 'message' end return ok, ... end
local function try(x, ...) paid() return tried(pcall(x, ...)) end
local function plain(x) if type(x) == 'string' then x = x:gsub('^(%a+): [0x%x]+$', '%1') end return x end
local function text(x) x = show(x) return type(x) == 'string' and x:sub(1, 30) or 'none' end
local function all(...) local r = '' for i = 1, select('#', ...) do r = r .. text((select(i, ...))) .. ';' end return r end
local function near(x) return math.floor(x * 1e6 + 0.5) / 1e6 end
local function twice(x, ...) local c = coroutine.create(x) local r = all(hush(coroutine.resume(c, ...))) .. coroutine.status(c) if coroutine.status(c) == 'suspended' then r = r .. all(hush(coroutine.resume(c, ...))) end return r .. coroutine.status(c) end
local function sum(step, state, first) local n, m = 0, 0 for x, y in step, state, first do n = n + 1 m = m + (type(y) == 'number' and y or type(x) == 'number' and x or #text(x)) if n > 9 then break end end return m, n end
local function put(...) local q = {1, 2, 3} if select('#', ...) == 2 then table.insert(q, (select(2, ...)), (...)) else table.insert(q, ...) end return unpack(q, 1, 4) end
local function sorted(q, less) table.sort(q, less) for i = 1, #q do q[i] = text(q[i]) end return table.concat(q, ' ') end
local held = {}
local function weak(x) mark('__mode') local w = setmetatable({}, {__mode = 'k'}) w[held] = x return w[held], next(w) == held end
`

// operations are expressions that lead to metamethods.
var operations = []string{"({o} + {o})", "({o} - {n})", "({d} * {o})", "({o} / {d})", "({o} % {d})", "({o} ^ {d})", "-{o}", "(o == new({n}))",
	"({o} < {o})", "({o} <= {o})", "({o} > {o})", "({o} >= {o})", "({o} ~= {o})", "{o}({v})", "({o} .. {s})", "({s} .. {n} .. {o})", "len({o})", "{o}.k", "{o}[{field}]",
	"try(function() o[{field}] = {v} end)", "try(function() return {o} + {v} end)", "try(function() return {v} < {o} end)", "try(function() return {o} <= {v} end)",
	"try(function() return {v} .. {o} end)", "try(function() return {v} == {o} end)", "tostring({o}) == {s}", "try(function() return {o} % {v} end)",
	"try(function() return {v} ^ {o} end)", "try(function() return {o}[{v}] end)", "try(function() return ({v})({l}) end)", "try(function() return #{k} end)", "try(function() return -({v}) end)"}

// calledNames are the names of calls, sorted.
var calledNames = slices.Sorted(maps.Keys(calls))

// call returns an expression that calls a function of the library. It may have any number of values.
func (g *generator) call() string {
	group := g.pick("", "__", "coroutine.", "string.", "math.", "", "table.", "__")
	if group == "__" {
		return g.fill(g.evenly(operations))
	}
	var names []string
	for _, n := range calledNames {
		if group == "" && !strings.Contains(n, ".") || group != "" && strings.HasPrefix(n, group) {
			names = append(names, n)
		}
	}
	return g.fill(g.evenly(calls[g.evenly(names)]))
}

// evenly picks one of a list, each as often as the others; rapid prefers the first.
func (g *generator) evenly(list []string) string {
	n := 0
	for range bits.Len(uint(len(list))) + 2 {
		n *= 2
		if rapid.Bool().Draw(g.r, "bit") {
			n++
		}
	}
	return list[n%len(list)]
}

// fill replaces what is in braces: an {n} is a number, and so on. Braces around anything else stay.
func (g *generator) fill(template string) string {
	va := g.va
	g.va = g.va && !strings.Contains(template, "function(")
	g.within++
	defer func() { g.va = va; g.within-- }()
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(template, "{")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		what, after, _ := strings.Cut(rest, "}")
		if value := g.argument(what); value != "" {
			b.WriteString(value)
			template = after
		} else {
			b.WriteString("{")
			template = rest
		}
	}
}

// argument returns an expression of a kind, and "" if there is no such kind.
func (g *generator) argument(kind string) string {
	switch kind {
	case "v": // any value
		if g.within < 3 && g.IntN(5) == 0 {
			return g.pick("("+g.call()+")", g.call())
		}
		return g.pick(g.leaf(), g.leaf(), g.expr(1), g.pick("o", "p", "{}", "co", "1", "'a'"))
	case "l": // values
		return g.pick(g.argument("v"), g.argument("v")+", "+g.argument("v"), "nil, "+g.argument("v"), "one("+g.leaf()+")", "id("+g.leaf()+", "+g.leaf()+")")
	case "k": // a value that few functions take
		return g.pick("nil", "true", "{}", "'x'", "t", "false")
	case "n":
		if g.within < 3 && g.IntN(4) == 0 {
			return g.fill("(tonumber((" + g.fill(g.pick("math.floor({m})", "string.len({s})", "select('#', {l})", "math.max({m}, {d})", "math.abs({m})")) + ")) or 2)")
		}
		return g.number()
	case "m": // moderate
		return g.pick("0", "1", "-1", "2.5", "-0.75", "7", "100", "1e-3", "(#s)", "-3.5", "12")
	case "d": // but not 0
		return g.pick("1", "-1", "2", "0.5", "-0.25", "3", "10")
	case "unit":
		return g.pick("0", "1", "-1", "0.5", "-0.25", "0.999")
	case "edge": // not for arithmetic
		return g.pick("math.huge", "-math.huge", "2^53", "-2^53", "1e300", "1e-300", "1e15", "2^31", "-2^31", "0.1", "123456789012345")
	case "count":
		return g.pick("0", "1", "2", "3", "(#s % 4)", "1")
	case "pos":
		return g.pick("0", "1", "2", "3", "-1", "-2", "-9", "9", "#s", "'2'", "1.5")
	case "level":
		return g.pick("0", "1", "2", "nil")
	case "base":
		return g.pick("2", "8", "10", "16", "36", "3", "nil", "'16'")
	case "digits":
		return g.pick("'12'", "'ff'", "' 11 '", "'0x1f'", "'1e2'", "'12a'", "''", "'z'", "'777'", "'.5'", "'5.'", "'0x'", "'1 1'", "'1e'", "'000'", "' '", `'1\n'`)
	case "width":
		return g.pick("", "5", ".2", "8.3", "-7", "-8.1", "05", ".0", "+", "12")
	case "s":
		if g.within < 3 && g.IntN(4) == 0 {
			return g.pick("(text("+g.call()+"))", "("+g.text()+")")
		}
		return g.pick("s", "s", "('ab')", "('a1 b2')", "([[long ]'s]])", `('q"\\\n\065')`, "('')", "('%d{}')", "text("+g.leaf()+")", "(l[1] .. '')", "([==[\nx]]]==])")
	case "s2": // to replace
		return g.pick("''", "'-'", "'<%0>'", "'%1'", "'%%'", "', '", "7", "'%2'")
	case "plain":
		return g.pick("'a'", "'.'", "'('", "'1'", "' '")
	case "p":
		return g.pattern()
	case "item":
		return g.pick("%a", "%d", ".", "%w", "[ab]", "%s", "[^a]", "%l", "%u", "%c", "%x", "%A", "%D")
	case "g": // of a function that gsub calls
		return g.pick("x", "y", "nil", "'z'", "#tostring(x)", "false", "tostring(x) .. tostring(y)", g.argument("v"))
	case "t":
		return g.pick("t", "l", "seen", "{1, 2, 3}", "{}", "{"+g.leaf()+", "+g.leaf()+"}", "{k = "+g.leaf()+"}", "M", "{9, nil, 7}", "M.list")
	case "o":
		return g.pick("o", "p", "new(2)", "o")
	case "c":
		return g.pick("co", "co", "coroutine.create(paid("+g.argument("y")+"))")
	case "f":
		return g.pick("function(x, y) return "+g.free()+" end", "function(x, y) return y, x end", "function(...) return select('#', ...), ... end", "type", "function(x) return x.k end", "function() end",
			"function(x) return x + 1 end", "function(x) error(x, "+g.argument("level")+") end", "one", "function(x, y) local function z() x = y return x end return z() end")
	case "y": // a function that yields
		return g.pick("function(x, y) local z = coroutine.yield(x) return z, y end", "function(...) coroutine.yield(...) return ... end",
			"function(x) for i = 1, 3 do x = coroutine.yield(i, x) end return x end", "function(x, y) coroutine.yield("+g.free()+") return "+g.free()+" end",
			"function() coroutine.yield() error('e', 0) end", "function(x) coroutine.yield(hush(pcall(coroutine.yield))) return o + x end",
			"function(x) local z = x repeat x = coroutine.yield(x) until x return function() return z end end")
	case "key":
		return g.key()
	case "field":
		return g.pick("'n'", "'k'", "'x'", "'q'", "'none'")
	}
	return ""
}

// free is an expression without the values of the function around it.
func (g *generator) free() string {
	va := g.va
	g.va = false
	defer func() { g.va = va }()
	return g.pick(g.leaf(), g.expr(1), "x", "y", "x, y")
}

// coroutine writes statements that make a coroutine and run it on.
func (g *generator) coroutine() {
	loops, va, names, co := g.loops, g.va, len(g.names), g.co
	g.loops, g.va, g.co = 0, false, true
	p, q := g.newName(), g.newName()
	wraps := g.IntN(4) == 0
	if wraps {
		g.line("wr = coroutine.wrap(paid(function(%s, %s)", p, q)
	} else {
		g.line("co = coroutine.create(paid(function(%s, %s)", p, q)
	}
	g.names = append(g.names, p, q)
	g.line(" fuel = fuel - 1 if fuel < 0 then error('fuel') end")
	for range 1 + g.IntN(3) {
		g.block(1 + g.IntN(2))
		g.yield()
	}
	g.line(" %s", g.pick("return "+g.list(), "", "error({})", "return o:none()", "return coroutine.yield("+g.list()+")"))
	g.line("end))")
	g.loops, g.va, g.names, g.co = loops, va, g.names[:names], co
	for range 1 + g.IntN(4) {
		if wraps {
			g.line("print(all(try(wr, %s)))", g.list())
		} else {
			g.line("print(all(hush(coroutine.resume(co, %s))), coroutine.status(co))", g.list())
		}
	}
}

// yield writes a statement that yields.
func (g *generator) yield() {
	g.line("%s", g.pick("coroutine.yield()", "coroutine.yield("+g.list()+")", g.name()+" = coroutine.yield("+g.expr(1)+")", g.name()+", "+g.name()+" = coroutine.yield("+g.list()+")",
		"if "+g.expr(1)+" then coroutine.yield(1) end", "print(all(coroutine.yield(coroutine.running() == co)))", "for i = 1, 2 do coroutine.yield(i) end", "do return coroutine.yield("+g.list()+") end"))
}

// closures writes a loop whose functions share no variable.
func (g *generator) closures() {
	n, i, x := g.newName(), g.newName(), g.newName()
	g.line("local %s = {}", n)
	g.line("for %s = %s do", i, g.bounds())
	g.line(" fuel = fuel - 1 if fuel < 0 then error('fuel') end")
	g.line(" local %s = %s", x, g.expr(1))
	g.line(" %s[#%s + 1] = function(y) %s end", n, n, g.pick(x+" = y or "+x+" return "+x+", "+i, i+" = "+i+" + 1 return "+i, "local z = "+x+" "+x+" = "+i+" return z, y", "return "+n+"[1] and "+x))
	g.line(" if #%s > 3 then break end", n)
	g.line("end")
	g.line("if #%s > 1 then print(all(%s[1](%s))) print(all(%s[2]())) print(all(%s[1]())) end", n, n, g.expr(1), n, n)
}

// bounds returns those of a numeric for.
func (g *generator) bounds() string {
	return g.pick("1, 3", "3, 1, -1", "1, 2, 0.5", "5, 1, -2", "1, 0", "0, 1, 0.25", "-1, -3, -1", "2, 2", "1, #l", "#l, 1, -1", "1, 4, 2", "2^53, 2^53 + 2, 2", "0.1, 0.35, 0.1", "3, 1")
}

// module writes the file that the program requires.
func (g *generator) module() string {
	return strings.Join([]string{"local M = {k = " + g.pick("7", "'k'", "true", "{1}", "0.5") + ", list = {4, 5, 6}}", "M.__index = M",
		"local function inner(x, y) " + g.pick("return y, x", "return x", "if x then return y end return x, y", "return ({x, y})[2]") + " end",
		"function M.first(...) return " + g.pick("...", "inner(...)", "(...)", "select('#', ...), (inner(...))") + " end",
		"function M.new(n) return setmetatable({n = n}, M) end",
		"function M:get() return " + g.pick("self.n", "self.k", "inner(self.n, M.k)", "rawget(self, 'k'), self.n") + " end",
		"function M.step(x) local n = 0 for i = " + g.pick("1, 3", "3, 1, -1", "1, #M.list") + " do n = n + x * " + g.pick("i", "M.list[i]") + " end return n end",
		"M.__add = function(a, b) return M.new(" + g.pick("a.n + b.n", "inner(a.n, b.n)") + ") end", "return M"}, "\n")
}
