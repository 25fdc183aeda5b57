package lint

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hindcast/hindcast/luabind/internal/api"
	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/hindcast/hindcast/world"
)

// chains are codes that grow with a number, at each link of which checks ask for what the links below are.
var chains = map[string]func(n int) string{
	"methods": func(n int) string { return chainable + " b" + strings.Repeat(":a(1)", n) },
	"sums in it": func(n int) string {
		return chainable + " print(b" + strings.Repeat(":a(1 + self.fuel)", n) + " .. 'x')"
	},
	"callbacks":  func(n int) string { return chainable + " b" + strings.Repeat(":a(function(x) return x end)", n) },
	"of texts":   func(n int) string { return "local s = ('x')" + strings.Repeat(":rep(1)", n) + " print(s)" },
	"of objects": func(n int) string { return "self" + strings.Repeat(":me(1)", n) + ":remove()" },
	"dots":       func(n int) string { return "local b = {} function b.a() return b end b" + strings.Repeat(".a()", n/2) },
	"fields":     func(n int) string { return "local t = {} print(t" + strings.Repeat(".a", n) + ")" },
	"of self":    func(n int) string { return "print(self" + strings.Repeat(".target", n) + ")" },
	"written":    func(n int) string { return "local t = {} t" + strings.Repeat(".a", n) + " = 5" },
	"keys":       func(n int) string { return "local t = {} print(t" + strings.Repeat("[1]", n) + ")" },
	"curried":    func(n int) string { return "local function f(x) return f end f" + strings.Repeat("(1)", n) },
	"+":          func(n int) string { return "local x = 1" + strings.Repeat(" + self.fuel", n) + " print(x)" },
	"* and -":    func(n int) string { return "local x = 1" + strings.Repeat(" * 2 - self.fuel", n/2) + " print(x)" },
	"^":          func(n int) string { return "local x = 1" + strings.Repeat(" ^ self.fuel", n/2) + " print(x)" },
	"not":        func(n int) string { return "local x = " + strings.Repeat("not ", n) + "self.fuel print(x)" },
	"#":          func(n int) string { return "local x = " + strings.Repeat("#", n) + "scores print(x)" },
	"..":         func(n int) string { return "local x = 'a'" + strings.Repeat(" .. self.fuel", n) + " print(x)" },
	"and":        func(n int) string { return "local x = self.fuel" + strings.Repeat(" and self.fuel", n) + " print(x)" },
	"or":         func(n int) string { return "local x = self.fuel" + strings.Repeat(" or self.fuel", n) + " print(x)" },
	"and, or": func(n int) string {
		return "local x = self.fuel" + strings.Repeat(" and 1 or self.fuel", n/2) + " print(x)"
	},
	"or, objects": func(n int) string { return "local x = " + near + strings.Repeat(" or "+near, n) + " x:remove()" },
	"or, ==": func(n int) string {
		return "if self.fuel == 1" + strings.Repeat(" or self.fuel == 1", n) + " then print(1) end"
	},
	"and, ~=": func(n int) string {
		return "if self.fuel ~= 1" + strings.Repeat(" and self.fuel ~= 2", n) + " then print(1) end"
	},
	"==": func(n int) string { return "local x = 1" + strings.Repeat(" == self.fuel", n) + " print(x)" },
	"elseif": func(n int) string {
		return "if self.fuel == 1 then print(1) " + strings.Repeat("elseif self.fuel == 2 then print(1) ", n/2) + " end"
	},
	"elseif, class": func(n int) string {
		return "local o = " + near + " if o.class == 'Ship' then print(1) " + strings.Repeat("elseif o.class == 'Ship' then print(1) ", n/2) + " end"
	},
	"locals": func(n int) string { return "local x = self " + strings.Repeat("local x = x.target ", n) },
	"functions": func(n int) string {
		text := "local function f0() return 1 end "
		for i := range n / 2 {
			text += fmt.Sprintf("local function f%d() return f%d(f%d()) end ", i+1, i, i)
		}
		return text + fmt.Sprintf("print(f%d())", n/2)
	},

	"own call":       brackets("local function f(x) return x end print(", "f(", "1", ")", ")"),
	"unknown call":   brackets("print(", "self.fuel(", "1", ")", ")"),
	"method call":    brackets("print(", "self:help(", "1", ")", ")"),
	"floor":          brackets("print(", "math.floor(", "1", ")", ")"),
	"max":            brackets("print(", "math.max(", "1", ", 2)", ")"),
	"min":            brackets("print(", "math.min(1, ", "1", ")", ")"),
	"tostring":       brackets("print(", "tostring(", "1", ")", ")"),
	"format":         brackets("print(", "string.format('%s', ", "1", ")", ")"),
	"select":         brackets("print(", "select(1, ", "1", ")", ")"),
	"insert":         brackets("local x = {} ", "table.insert(x, ", "1", ")", ""),
	"nearest":        brackets("print(", "nearest('Ship', 1, ", "1", ")", ")"),
	"spawn":          brackets("print(", "spawn('Ship', { fuel = ", "1", " })", ")"),
	"setmetatable":   brackets("print(", "setmetatable({}, ", "{}", ")", ")"),
	"index":          brackets("local t = {} print(", "t[", "1", "]", ")"),
	"table":          brackets("print(", "{ ", "1", " }", ")"),
	"keyed table":    brackets("print(", "{ a = ", "1", " }", ")"),
	"+ to the right": brackets("print(", "(1 + ", "self.fuel", ")", ")"),
	"minus":          brackets("print(", "-(", "self.fuel", ")", ")"),
	".. to the left": brackets("print(", "(", "'a'", " .. self.fuel)", ")"),
	"or right":       brackets("print(", "(self.fuel or ", "1", ")", ")"),
	"and right":      brackets("print(", "(self.fuel and ", "1", ")", ")"),
	"if":             brackets("", "if self.fuel == 1 then ", "print(1)", " end", ""),
	"while":          brackets("", "while self.fuel > 0 do ", "self.fuel = 0", " end", ""),
	"for":            brackets("", "for _ in ipairs(objects('Ship')) do ", "print(1)", " end", ""),
	"do":             brackets("", "do local x = 1 ", "print(1)", " end", ""),
	"function":       brackets("", "local f = function(x) ", "print(1)", " end", ""),
	"named function": brackets("", "local function f(x) ", "print(1)", " end f(1)", ""),
	"pcall":          brackets("", "pcall(function(x) ", "print(1)", " end)", ""),
	"asSeen":         brackets("", "self:asSeen(function() ", "print(1)", " end)", ""),
}

const (
	chainable = "local b = {} function b:a(v) self[#self + 1] = v return self end"
	near      = "nearest('Ship', 1, 1)"
)

// brackets returns code with brackets or blocks within each other, of which there may be fewer than links of a chain.
func brackets(before, open, middle, end, after string) func(n int) string {
	return func(n int) string {
		return before + strings.Repeat(open, n/4) + middle + strings.Repeat(end, n/4) + after
	}
}

// stepsOf returns how many steps the check of files takes, without those of view.lua, and with those alone.
func stepsOf(t *testing.T, files []world.Source) (hooks, view int) {
	p := program(files, testSetup)
	if p == nil {
		t.Fatalf("%v", Check(files, testSetup)[0])
	}
	game := api.WithoutView(files)
	g := newGame(game, p, &report{files: game})
	g.learn(names(game))
	newWalker(g, &report{files: game}).files(game)
	if len(game) == len(files) {
		return g.steps, 0
	}
	of := newGame(files, p, &report{})
	w := newWalker(of, &report{files: files})
	w.scope.show(newView(p.Schema()))
	tree, err := syntax.Parse(files[len(game)])
	if err != nil {
		t.Fatal(err)
	}
	w.file(api.ViewFile, tree)
	return g.steps, of.steps
}

// TestChains: the work of a check grows as the text does, however the text is nested.
func TestChains(t *testing.T) {
	for name, form := range chains {
		steps := func(n int) (hooks, view int) {
			return stepsOf(t, bundle("ship.lua", strings.Replace(mistakes, "%s", form(n), 1), "view.lua",
				"local scores = {} hud(function(self) "+form(n)+" end)"))
		}
		hooks, view := steps(8)
		twice, viewTwice := steps(16)
		if twice > 3*hooks || viewTwice > 3*view {
			t.Errorf("%s: 8 links take %d steps, in view.lua %d, and 16 take %d and %d", name, hooks, view, twice, viewTwice)
			continue // longer ones may never end
		}
		long, viewLong := steps(160)
		if most := hooks + (twice-hooks)*19*5/4; long > most {
			t.Errorf("%s: 8 links take %d steps, 16 take %d, and 160 take %d, of at most %d", name, hooks, twice, long, most)
		}
		if most := view + (viewTwice-view)*19*5/4; viewLong > most {
			t.Errorf("%s in view.lua: 8 links take %d steps, 16 take %d, and 160 take %d, of at most %d", name, view, viewTwice, viewLong, most)
		}
	}
}
