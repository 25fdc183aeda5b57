package luabind

import (
	"fmt"
	"strings"

	"pgregory.net/rapid"
)

// generator writes random Lua programs that print something and end. They use every function that the library has of
// Lua 5.1, every event of metatables, and a module.
type generator struct {
	r     *rapid.T
	b     strings.Builder
	names []string // locals in scope
	loops int
	depth int
	fresh int
	va    bool
	co    bool // within the function of a coroutine
	// how many calls of the library are around what is written
	within int
	hides  bool // __metatable is among the events, and __len is not: len could not see it
}

// generate returns a program, the body of a function, and the file lib/m.lua that it requires.
func generate(r *rapid.T) (body, module string) {
	g := &generator{r: r}
	module = g.module()
	g.line("local fuel = 300")
	g.line("local function id(...) fuel = fuel - 1 if fuel < 0 then error('fuel') end return ... end")
	g.line("local function one(x) return x, 7, nil end")
	g.line("local function show(...) local x = ... local k = type(x) if k == 'function' then return 'fn' end if k == 'thread' then return k end x = tostring(x) if k == 'table' and type(x) == 'string' and x:find('^table: ') then return k end return type(x) == 'table' and 'table' or x end")
	g.line("%s", strings.TrimSuffix(callHelpers, "\n"))
	g.line("local M = require('lib.m')")
	g.line("local t = {1, 2, 3, k = 4}")
	g.line("local a, b, c, f = 1, 'x', true, nil")
	g.line("local l, s = {5, 1, 4}, 'ab1 (c, d2)'")
	g.metatables()
	g.names = []string{"a", "b", "c", "f"}
	g.block(4 + g.IntN(5))
	g.line("print(show(a), show(b), show(c), type(f), show(t[1]), show(t[2]), show(t.k), show(len(l)), show(l[1]), s)")
	g.line("print(seen[o] and 1, seen[p] and 1, seen[print] and 1, seen[seen] and 1, type(o), type(p), seen[mt] and 1)")
	g.line("if mt.__metatable ~= nil and getmetatable(new(1)) == mt.__metatable then mark('__metatable') end")
	return g.b.String(), module
}

func (g *generator) line(format string, args ...any) {
	g.b.WriteString(strings.Repeat(" ", g.depth))
	fmt.Fprintf(&g.b, format+"\n", args...)
}

// IntN draws a number below n.
func (g *generator) IntN(n int) int { return rapid.IntRange(0, n-1).Draw(g.r, "n") }

func (g *generator) pick(list ...string) string { return list[g.IntN(len(list))] }

func (g *generator) name() string { return g.names[g.IntN(len(g.names))] }

func (g *generator) block(n int) {
	keep := len(g.names)
	g.depth++
	for range n {
		g.stmt()
	}
	g.depth--
	g.names = g.names[:keep]
}

func (g *generator) newName() string {
	g.fresh++
	return fmt.Sprint("v", g.fresh)
}

func (g *generator) stmt() {
	if g.depth > 5 {
		g.line("%s = %s", g.name(), g.expr(1))
		return
	}
	switch g.IntN(40) {
	case 28, 29, 30:
		g.line("print(all(%s))", g.call())
	case 31, 32:
		g.line("%s, %s = %s", g.name(), g.name(), g.call())
	case 33, 34:
		g.line("%s = %s", g.name(), g.call())
	case 35:
		g.coroutine()
	case 36:
		if g.co {
			g.yield()
		} else {
			g.coroutine()
		}
	case 37:
		g.closures()
	case 38:
		n := g.newName()
		g.line("for %s = %s do", n, g.bounds())
		g.loop(n)
		g.line("end")
	case 39:
		n, m := g.newName(), g.newName()
		g.line("local %s, %s = %s", n, m, g.call())
		g.names = append(g.names, n, m)
	case 20:
		g.line("seen[%s] = %s", g.key(), g.pick("nil", "true", "(seen["+g.key()+"] or 0)", g.expr(1)))
	case 21:
		g.line("%s = seen[%s]", g.name(), g.key())
	case 22:
		g.line("%s = %s", g.pick("o", "p", "o", g.name()), g.object(2))
	case 23:
		g.line("o.%s = %s", g.pick("n", "x", "k", "q"), g.pick("o.n + 1", "(tonumber(o.n) or 0) + "+g.number(), g.expr(1), "o.n + o", "nil"))
	case 24:
		g.protected()
	case 25:
		g.line("mt.%s = %s", g.pick("__index", "__newindex", "__add", "__pow", "__eq", "__lt", "__call", "__concat", "__unm", "__tostring", g.hidden()),
			g.pick("nil", "mt."+g.pick("__add", "__eq", "__lt", "__concat", "__pow"), "base", "function(x, y) fuel = fuel - 1 if fuel < 0 then error('fuel') end return "+g.pick("x", "y", "1", "'m'", "nil", "true")+" end"))
	case 26:
		g.line("%s = %s", g.name(), g.pick("o:get()", "o:get("+g.expr(1)+")", "p:get()", "getmetatable(o) == mt", "rawget(o, 'n')", "rawequal(o, p)", "type(p) == 'table' and type(getmetatable(p))", "o(1)", "len(o)", "len(p)"))
	case 27:
		g.line("setmetatable(%s, %s)", g.pick("o", "p", "o"), g.pick("mt", "mt", "sub", "nil"))
	case 0, 1:
		n := g.newName()
		g.line("local %s = %s", n, g.expr(3))
		g.names = append(g.names, n)
	case 2:
		n, m := g.newName(), g.newName()
		g.line("local %s, %s = %s", n, m, g.list())
		g.names = append(g.names, n, m)
	case 3:
		g.line("%s = %s", g.name(), g.expr(3))
	case 4:
		g.line("%s, %s = %s", g.name(), g.name(), g.list())
	case 5:
		g.line("t[%d], %s, t.k = (%s or 0), %s", 1+g.IntN(3), g.name(), g.expr(1), g.list())
	case 6:
		g.line("if %s then", g.expr(2))
		g.block(1 + g.IntN(3))
		if g.IntN(2) == 0 {
			g.line("else")
			g.block(1 + g.IntN(2))
		}
		g.line("end")
	case 7:
		n := g.newName()
		g.line("for %s = 1, %d do", n, 1+g.IntN(3))
		g.loop(n)
		g.line("end")
	case 8:
		n, m := g.newName(), g.newName()
		g.line("for %s, %s in ipairs({%s}) do", n, m, g.list())
		g.loop(n, m)
		g.line("end")
	case 9:
		n := g.newName()
		g.line("local %s = 0", n)
		g.line("while %s do", g.pick("true", n+" < 3", n+" < 2 and "+g.expr(1), "not ("+n+" > 2)"))
		g.line(" %s = %s + 1 if %s > 3 then break end", n, n, n)
		g.loop()
		g.line("end")
	case 10:
		n := g.newName()
		g.line("local %s = 0", n)
		g.line("repeat")
		g.line(" %s = %s + 1", n, n)
		inner := g.newName()
		g.line(" local %s = %s", inner, g.expr(2))
		g.loop(inner)
		g.line("until %s > 2 or %s", n, g.pick(g.expr(2), inner, "false", "nil", "true and "+inner))
	case 11:
		g.function()
	case 12:
		g.line("print(%s)", strings.Join([]string{"show(" + g.expr(2) + ")", "(show(" + g.expr(2) + "))"}, ", "))
	case 13:
		g.line("do")
		g.block(1 + g.IntN(3))
		g.line("end")
	case 14:
		va := g.va
		g.va = false
		defer func() { g.va = va }()
		g.line("%s = function() %s end", "f", g.pick("return "+g.expr(2), g.name()+" = "+g.expr(1), "fuel = fuel - 1 return "+g.list()))
	case 15:
		g.line("if type(f) == 'function' then %s = f(%s) end", g.name(), g.expr(1))
	case 16:
		if g.loops > 0 {
			g.line("if %s then break end", g.expr(1))
		} else {
			g.line("%s = t[%s]", g.name(), g.pick("1", "2", "'k'", "#t"))
		}
	case 17:
		g.line("if len(l) < 6 then table.insert(l, %s) end", g.pick("7", "1, 2", "1, 0", "2"))
	case 18:
		g.line("%s = %s", g.name(), g.pick("table.remove(l)", "table.remove(l, 1)", "table.concat(l, '-')", "len(l)", "l[len(l)]", "(unpack(l))", "select('#', unpack(l))"))
	case 19:
		g.line("%s", g.pick("table.sort(l)", "table.sort(l, function(x, y) return x > y end)", "s = "+g.text()+" s = s:sub(1, 30)", g.name()+" = "+g.text()))
	}
}

// metatables declares what the statements about tables as keys and metatables use.
func (g *generator) metatables() {
	g.line("local seen, base, mt, sub = {}, {k = 'base'}, {}, {}")
	g.line("local function num(v) if type(v) == 'table' then v = rawget(v, 'n') end return tonumber(v) or 1 end")
	// PUC Lua 5.1 does not use __len of tables
	g.line("local honours = #setmetatable({}, {__len = function() return 1 end}) == 1")
	g.line("local function len(v) local m = not honours and type(v) == 'table' and getmetatable(v) if type(m) == 'table' and rawget(m, '__len') ~= nil then return (m.__len(v)) end return #v end")
	g.hides = g.IntN(4) == 0
	g.line("local function new(n) return setmetatable({n = n}, mt) end")
	g.line("function base.get(self, x) fuel = fuel - 1 if fuel < 0 then error('fuel') end return %s end", g.pick("self.n", "x or self.k", "self.n, x", "rawget(self, 'n')"))
	g.line("mt.__index = %s", g.pick("base", "function(t, k) mark('__index') return base[k] end", "setmetatable({q = 1}, {__index = base})"))
	for _, op := range []string{"add", "sub", "mul", "div", "mod", "pow", "unm"} {
		if g.IntN(4) > 0 {
			g.line("mt.__%s = function(x, y) mark('__%s') fuel = fuel - 1 if fuel < 0 then error('fuel') end return %s end", op, op, g.pick("new(num(x) + num(y))", "num(x) - num(y)", "x", "'"+op+"'"))
		}
	}
	for _, op := range []string{"eq", "lt", "le"} {
		if g.IntN(4) > 0 {
			g.line("mt.__%s = function(x, y) mark('__%s') return %s end", op, op, g.pick("num(x) < num(y)", "num(x) == num(y)", "true", "nil"))
		}
	}
	g.line("mt.__concat = function(x, y) mark('__concat') return %s end", g.pick("num(x) .. '&' .. num(y)", "'c'", "new(num(x))"))
	g.line("mt.__call = function(self, x) mark('__call') return %s end", g.pick("x", "self.n", "num(self) + num(x)"))
	g.line("mt.__tostring = function(x) mark('__tostring') return 'o' .. tostring(rawget(x, 'n')) end")
	if !g.hides && g.IntN(2) == 0 {
		g.line("mt.__len = function(x) mark('__len') fuel = fuel - 1 if fuel < 0 then error('fuel') end return %s end", g.pick("num(x)", "3", "new(num(x))", "x", "rawget(x, 'n')"))
	}
	if g.hides {
		g.line("mt.__metatable = %s", g.pick("'hidden'", "base", "false", "mt"))
	}
	if g.IntN(3) == 0 {
		g.line("mt.__newindex = %s", g.pick("function(t, k, v) mark('__newindex') rawset(t, k, v) end", "base", "function() mark('__newindex') end"))
	}
	g.line("for k, v in pairs(mt) do sub[k] = v end")
	g.line("local o, p = new(1), setmetatable({n = 2}, sub)")
}

// hidden returns an event about the metatable as a whole.
func (g *generator) hidden() string {
	if g.hides {
		return "__metatable"
	}
	return "__len"
}

// key returns a key of any type but nil and NaN.
func (g *generator) key() string {
	return g.pick("o", "p", "mt", "new", "print", "id", "1", "'k'", "true", "t", "seen", "l[1] or 0", "o")
}

// object returns an expression of objects with a metatable.
func (g *generator) object(depth int) string {
	if depth <= 0 {
		return g.pick("o", "p", "o", "1", "2", "new(3)", "new(0)", "'x'")
	}
	a, b := func() string { return g.object(depth - 1) }, func() string { return g.object(depth - 1) }
	switch g.IntN(8) {
	case 0, 1:
		return "(" + a() + g.pick(" + ", " - ", " * ", " / ", " % ", " ^ ") + b() + ")"
	case 2:
		return "(" + a() + " .. " + b() + ")"
	case 3:
		return "(" + a() + g.pick(" == ", " ~= ", " < ", " <= ", " > ", " >= ") + b() + ")"
	case 4:
		return "-(" + a() + ")"
	case 5:
		return "len(" + g.pick("o", "p", "new(2)", "l") + ")"
	case 6:
		return g.pick("o", "p") + g.pick(".n", ".k", ".q", ".nothing", "[1]")
	}
	return a()
}

// protected writes a pcall.
func (g *generator) protected() {
	ok, e := g.newName(), g.newName()
	loops, va := g.loops, g.va
	g.loops, g.va = 0, false
	handled := g.IntN(4) == 0
	if handled {
		g.line("local %s, %s = xpcall(function()", ok, e)
	} else {
		g.line("local %s, %s = pcall(function(...)", ok, e)
	}
	g.line(" fuel = fuel - 1 if fuel < 0 then error('fuel') end")
	g.block(1 + g.IntN(3))
	g.line(" %s", g.pick("error("+g.pick("'e', 0", "o", "nil", "{}", "1, 0", "true")+")", "return "+g.expr(1), "local x = nil + 1", "local x = o + nil", "return o:none()", ""))
	g.loops, g.va = loops, va
	if handled {
		g.line("end, function(e) return type(e) end)")
	} else {
		g.line("end, %s)", g.expr(1))
	}
	g.line("if type(%s) == 'string' and #%s > 8 then %s = 'message' end", e, e, e)
	g.names = append(g.names, ok, e)
}

// text returns an expression of the string library.
func (g *generator) text() string {
	switch g.IntN(9) {
	case 0:
		return "string.format(" + g.pick("'%d|%5d', 3, -4", "'%g %s', 0.1, s", "'%-6s|%.2f', 'ab', 2 / 3", "'%x %X %o', 255, 171, 8", "'%q', s", "'%5.1f%%', 99.95", "'%+d % d', 5, 5") + ")"
	case 1:
		return "s:sub(" + g.pick("1", "2", "-3", "0", "5", "-1") + ", " + g.pick("1", "3", "-1", "-2", "9") + ")"
	case 2:
		return "tostring(s:find(" + g.pattern() + "))"
	case 3:
		return "tostring(s:match(" + g.pattern() + ", " + g.pick("1", "2", "-2", "4") + "))"
	case 4:
		return "(s:gsub(" + g.pattern() + ", " + g.pick("'<%0>'", "''", "'%1'", "{a = 'A', c = false}", "function(x, y) if y then return y .. x end return x == 'a' and 'z' end", "'x', 2", "'%%'") + "))"
	case 5:
		return g.pick("s:upper()", "s:lower()", "s:reverse()", "s:rep(2)", "tostring(s:byte(2))", "string.char(65 + #s % 20)")
	case 6:
		return "(function() local r = '' for x, y in s:gmatch(" + g.pattern() + ") do r = r .. tostring(x) .. tostring(y) .. ';' if #r > 60 then break end end return r end)()"
	case 7:
		return "(s .. " + g.pick("'q'", "1", "'(x)'", "#s") + ")"
	}
	return "tostring(" + g.number() + " .. " + g.number() + ")"
}

// pattern returns a pattern whose parts usually fit together.
func (g *generator) pattern() string {
	var b strings.Builder
	b.WriteString(g.pick("", "", "^"))
	for range 1 + g.IntN(4) {
		part := g.pick("a", "b", "%a", "%d", "%s", ".", "%w", "[ab1]", "[^%s,]", "[a-c]", "%p", "%(", "%S", "[%a_]", "[]x]")
		part += g.pick("", "", "", "*", "+", "-", "?")
		switch g.IntN(12) {
		case 0, 1:
			part = "(" + part + ")"
		case 2:
			part = g.pick("()", "%b()", "%f[%w]", "%f[%W]", "(%a)%1", "((%w)%s?)")
		case 3:
			part = g.pick("(", ")", "%1", "[a", "%", "%2")
		}
		b.WriteString(part)
	}
	b.WriteString(g.pick("", "", "$"))
	return "'" + b.String() + "'"
}

func (g *generator) loop(names ...string) {
	g.loops++
	keep := len(g.names)
	g.names = append(g.names, names...)
	g.line(" fuel = fuel - 1 if fuel < 0 then error('fuel') end")
	g.block(1 + g.IntN(3))
	g.names = g.names[:keep]
	g.loops--
}

func (g *generator) function() {
	n, p, q := g.newName(), g.newName(), g.newName()
	loops, va := g.loops, g.va
	g.loops, g.va = 0, g.IntN(3) == 0
	params := p + ", " + q
	if g.va {
		params += ", ..."
	}
	if g.IntN(2) == 0 {
		g.line("local function %s(%s)", n, params)
	} else {
		g.line("local %s = function(%s)", n, params)
	}
	keep := len(g.names)
	g.names = append(g.names, p, q)
	g.line(" fuel = fuel - 1 if fuel < 0 then error('fuel') end")
	g.block(1 + g.IntN(3))
	g.line(" return %s", g.pick(g.expr(2), g.list(), "id("+g.list()+")", "(id("+g.list()+"))", p))
	g.names = g.names[:keep]
	g.loops, g.va = loops, va
	g.line("end")
	m := g.newName()
	g.line("local %s = %s(%s)", m, n, g.list())
	g.names = append(g.names, m)
}

// list returns an expression list. Its last expression may give several values.
func (g *generator) list() string {
	parts := make([]string, 1+g.IntN(3))
	for i := range parts {
		parts[i] = g.expr(2)
	}
	return strings.Join(parts, ", ")
}

func (g *generator) expr(depth int) string {
	if depth <= 0 {
		return g.leaf()
	}
	a, b := func() string { return g.expr(depth - 1) }, func() string { return g.expr(depth - 1) }
	switch g.IntN(19) {
	case 15:
		return g.call()
	case 16:
		return "(" + g.call() + ")"
	case 17:
		return "(" + g.argument("edge") + g.pick(" < ", " <= ", " > ", " >= ", " == ", " ~= ") + g.pick(g.number(), g.argument("edge")) + ")"
	case 0, 1:
		return "(" + a() + " and " + b() + ")"
	case 2, 3:
		return "(" + a() + " or " + b() + ")"
	case 4:
		return "not " + a()
	case 5:
		return "(" + a() + g.pick(" == ", " ~= ") + b() + ")"
	case 6:
		return "(" + g.number() + g.pick(" < ", " <= ", " > ", " >= ") + g.number() + ")"
	case 7:
		op, left := g.pick(" + ", " - ", " * ", " % "), g.number()
		if op == " % " && left == "fuel" {
			left = "(fuel + 0)" // Lua does not say whether a call on the right changes the operand
		}
		return "(" + left + op + g.number() + ")"
	case 8:
		return "id(" + a() + ", " + b() + ")"
	case 9:
		return "(id(" + a() + "))"
	case 10:
		return "one(" + a() + ")"
	case 11:
		return "(show(" + a() + ") .. 'q' .. show(" + b() + ")):sub(1, 40)"
	case 12:
		return "({" + a() + ", " + b() + "})[" + g.pick("1", "2") + "]"
	case 13:
		return "({x = " + a() + ", [" + g.pick("1", "2", "'y'", "30") + "] = " + b() + ", " + a() + g.pick("", ", id("+b()+")") + "})[" + g.pick("1", "2", "'x'", "'y'", "30") + "]"
	case 14:
		return g.text()
	}
	return g.leaf()
}

func (g *generator) number() string {
	return g.pick("1", "2", "-3", "0.5", "#t", "fuel", "(tonumber("+g.name()+") or 4)", "#{id(1, 2)}")
}

func (g *generator) leaf() string {
	if g.va && g.IntN(6) == 0 {
		return g.pick("...", "(...)", "select('#', ...)")
	}
	return g.pick(g.name(), g.name(), g.name(), "1", "-2", "'s'", "true", "false", "nil", "t.k", "t[2]")
}
