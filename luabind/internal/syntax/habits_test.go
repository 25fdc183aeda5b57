package syntax

import (
	"strings"
	"testing"

	"github.com/hindcast/hindcast/world"
)

// TestHabits: what other languages and other Luas have is recognised, and answered on its line.
func TestHabits(t *testing.T) {
	for text, want := range map[string]string{
		"x += 1":                                   "there is no +=",
		"x -= y":                                   "there is no -=",
		"self.hp *= 2":                             "there is no *=",
		"t[1] /= 2":                                "there is no /=",
		"x = y ?? 1":                               "there is no ??",
		"x = self?.hp":                             "there is no ?.",
		"if x === 1 then end":                      "equal is written ==",
		"if x <> 1 then end":                       "not equal is written ~=",
		"if x is true then end":                    "equal is written ==",
		"for i = 1 to 10 do end":                   "a loop is written for i",
		"for i in 1..10 do end":                    "a loop is written for i",
		"x = { \"a\": 1 }":                         "{ x = 1 }",
		"function f(a = 2) end":                    "no default",
		"delete x":                                 "o:remove()",
		"x =+ 1":                                   "there is no +=",
		"print($\"a {b}\")":                        ".. joins texts",
		"x++":                                      "there is no ++",
		"if x != 1 then end":                       "~=",
		"if x != 1 then y += 1 end":                "~=",
		"if x then y += 1 end z = a != b":          "x + 1",
		"x = 7 // 2":                               "math.floor(a / b)",
		"for i = 1, 3 do continue end":             "there is no continue",
		"for i = 1, 3 do\n    continue\n  end":     "there is no continue",
		"local x: number = 5":                      "no types",
		"local function f(a: number, b) end":       "no types",
		"local function f(a): number return a end": "no types",
		"type A = { n: number }":                   "no types",
		"export type A = number":                   "no types",
		"local s = `hp {x}`":                       ".. joins texts",
		"x = !y":                                   "write not",
		"if x && y then end":                       "write and",
		"if x || y then end":                       "write or",
		"if x then y = 1 else if y then x = 2 end": "",
		"elif x then end":                          "write elseif",
		"x = y ? 1 : 2":                            "condition and a or b",
		"/* note */":                               "a comment begins with --",
		"// note":                                  "a comment begins with --",
		"# note":                                   "a comment begins with --",
		"const x = 1":                              "declared with local",
		"let x = 1":                                "declared with local",
		"Debris:\nlocal x = 1":                     "the name of a method",
		"Debris: {\n state = {},\n}":               "declared with object",
		"Debris = object: \"Debris\" {\n}":         "without a colon",
		"var x = 1":                                "declared with local",
		"x = (a) => a + 1":                         "function(x) return x end",
		"x = { a: 1 }":                             "{ x = 1 }",
		"x = { a = 1, b: 2 }":                      "{ x = 1 }",
		"if x = 1 then end":                        "compare with ==",
		"while x = 1 do end":                       "compare with ==",
		"local x <const> = 1":                      "no attributes",
		"x ..= 'a'":                                "there is no ..=",
		"x = 1\n<<<<<<< HEAD\nx = 1":               "conflict marker of a merge",
		"x = 1\n=======\nx = 2":                    "conflict marker of a merge",
		"x = 1\n>>>>>>> other branch":              "conflict marker of a merge",
		"x = 1\n||||||| 12ab":                      "conflict marker of a merge",
		"x = 1 & 2":                                "no operators for bits",
		"x = 1 << 2":                               "no operators for bits",
		"if (x) {\n    y = 1\n  }":                 "if ... then ... end",
		"if (x) { y = 1 }":                         "if ... then ... end",
		"while x {\n  }":                           "if ... then ... end",
		"for (i = 0; i < 3; i = i + 1) do end":     "for i = 1, 10 do",
		"x = [1, 2]":                               "{ 1, 2, 3 }",
		"f([1, 2])":                                "{ 1, 2, 3 }",
		"x = 'a += b' y = = 1":                     "",
		"x = 2 ** 3":                               "x ^ 2",
		"local y = if x then 1 else 2":             "condition and a or b",
		"if (x > 1) y = 2":                         "if ... then ... end",
		"x == 5":                                   "assigned with =",
		"self.fuel - 1":                            "write x = x - 1",
		"local f = fn(x) return x end":             "function(x) return x end",
		"local n = s:len":                          "s:len()",
		"class Foo { }":                            "object \"Ship\"",
		"import x from 'y'":                        "require",
		"foreach (o in list) { }":                  "ipairs(list)",
		"local n = x :: number":                    "no types",
		"while x > 3 x = x - 1 end":                "stands do",
		"?x":                                       "print(...)",
		"try:":                                     "pcall",
		"} catch (e) {":                            "pcall",
		"raise Error(\"x\")":                       "error(\"text\")",
		"switch (x) {\ncase 1:":                    "elseif x == 2",
		"await x()":                                "cannot wait",
		"extends Base":                             "extends = Base",
		"export var speed = 3":                     "in state",
		"@onready var n = 3":                       "in state",
		"func _ready():":                           "onSpawn runs",
		"local f = lambda x: x":                    "function(x) return x end",
		"if x > 1:\ny()":                           "if ... then ... end",
		"for i in range(3):\ny()":                  "ipairs(list)",
		"x = x - 1 if y\nz()":                      "stands before",
		"endif\nx()":                               "a block ends with end",
		"new Coin()":                               "spawn(",
		"x := 3":                                   "assigned with =",
		"local self.x = 3":                         "without local",
		"local function self.x() end":              "without local",
		"local {a, b} = t":                         "local a, b = t.a, t.b",
		"repeat { x() }":                           "without braces",
		"x = 1_000\ny()":                           "digits alone",
		"\"abc\":upper()":                          "(\"x\"):upper()",
		"f(x = 3)":                                 "an argument has no name",
		"function() x() end":                       "has a name",
	} {
		_, err := Parse(world.Source{Name: "a.lua", Text: "function f()\n  " + text + "\nend\n"})
		switch message := ""; {
		case err == nil:
			t.Errorf("%s: it parses", text)
		default:
			if message = err.Error(); want == "" && strings.Contains(message, "\"; ") || !strings.Contains(message, want) {
				t.Errorf("%s: %s, not %q", text, message, want)
			}
		}
	}
}

// TestBlocksThatDoNotMatch: what has no end, and which end is too many, is found by the indentation.
func TestBlocksThatDoNotMatch(t *testing.T) {
	for text, want := range map[string]string{
		"function f()\n  if x then\n    y()\nend\n":                        "a.lua:2: syntax error: the file ends too early; the if of line 2 has no end",
		"function f()\n  for i = 1, 3 do\n    y()\nend\nfunction g()\nend": "a.lua:2: syntax error: the file ends too early; the for of line 2 has no end",
		"function f()\n  while x do\n    y()\n":                            "a.lua:2: syntax error: the file ends too early; the while of line 2 has no end",
		"function f()\nx()\n":                                              "a.lua:1: syntax error: the file ends too early; the function of line 1 has no end",
		"repeat x()\n":                                                     "a.lua:1: syntax error: the file ends too early; the repeat of line 1 has no until",
		"x = {\n  1, 2,\n":                                                 "a.lua:1: syntax error: the file ends too early; the { of line 1 is not closed",
		"function f()\n  if x then\n    y()\n  else if z then\n    y()\n  end\nend\n": "a.lua:4: syntax error: the file ends too early; write elseif, or end the if within " +
			"the else with an end of its own",
		"function f()\n  if x then y() else if z then y() end end\n  if x then\nend\n": "a.lua:3: syntax error: the file ends too early; the if of line 3 has no end",
		"function S:tick(\n  self.x = 1\nend":                                          "a.lua:1: syntax error near \"(\"; the ( of line 1 is not closed",
		"f(function(a, b\n  a.x = 1\nend)":                                             "a.lua:1: syntax error near \"(\"; the ( of line 1 is not closed",
		"x = f(1\nlocal y = 2":                                                         "a.lua:1: syntax error near \"(\"; the ( of line 1 is not closed",
		"S = {\n  a = 1,\nfunction f() end":                                            "a.lua:3: syntax error near \"f\"; the { of line 1 is not closed",
		"x = f(1 2)":                                                                   "a.lua:1: syntax error near \"2\"; is a comma missing in the ( of line 1?",
		"x = { a = 1,\n  b = 2\n  c = 3 }":                                             "a.lua:3: syntax error near \"c\"; is a comma missing in the { of line 1?",
		"function f()\n  if x then y() end\n  end\n  z()\nend": "a.lua:5: syntax error near \"end\"; there is an end too many: that of line 3 ends the " +
			"function of line 1",
		"function f()\n  local x =\nend": "a.lua:2: syntax error near \"=\"; after = stands a value",
		"function f()\n  try { print(1) } catch\n  print(2)\nend": "a.lua:2: parse error near \"try\"; errors are caught with pcall: " +
			"local ok, err = pcall(function() ... end)",
		"function f()\n  if x > 1\n\n    -- so it is\n    x = 2\n  end\nend":       "a.lua:2: syntax error near \"x\"; after the condition stands then: if ... then",
		"function f()\n  while x > 1\n    x = 2\n  end\nend":                       "a.lua:2: syntax error near \"x\"; before the block stands do: while ... do",
		"function f()\n  x.y\nend":                                                 "a.lua:2: parse error near \"y\"; a name alone is no statement: call it with parentheses, y(), or give it a value with =",
		"function f()\n  if x then y else z() end\nend":                            "a.lua:2: parse error near \"else\"; a name alone is no statement: call it with parentheses, y(), or give it a value with =",
		"public void f()\nend":                                                     "a.lua:1: parse error near \"void\"; a function is written function(x) return x end",
		"signal hit\n":                                                             "a.lua:1: parse error near \"hit\"; signal is no word of Lua: a statement is a call, signal(...), or gives something a value, signal = ...",
		"function f()\n  x.y\n  if z then z.w = z.w + 1 end\nend":                  "a.lua:2: parse error near \"y\"; a name alone is no statement: call it with parentheses, y(), or give it a value with =",
		"function f()\n  x = 3 + \n  if z then z.w = z.w + 1 end\nend":             "a.lua:2: syntax error near \"+\"; after + stands a value",
		"function f()\n  local l = x() if l > 0\n  if z then z.w = 1 end end\nend": "a.lua:2: syntax error near \"l\"; after the condition stands then: if ... then",
		"for i = 1, 3 print(i) end":                                                "a.lua:1: syntax error near \"print\"; before the block stands do: for ... do",
		"x = a or\nfunction f() end":                                               "a.lua:1: syntax error near \"or\"; after or stands a value",
		"function f(self.x) end":                                                   "a.lua:1: syntax error near \".\"",
		"x = 1\ny = 2 \"\"":                                                        "a.lua:2: syntax error near \"\"",
		"x()\nend":                                                                 "a.lua:2: syntax error near \"end\"; there is an end too many, here or further up",
		"x(\"a)\ny()":                                                              "a.lua:1: unterminated string near \"a)\"",
		"-- it's\nx('a)\n":                                                         "a.lua:2: unterminated string near \"a)\"",
	} {
		if _, err := Parse(world.Source{Name: "a.lua", Text: text}); err == nil || err.Error() != want {
			t.Errorf("%s:\ngot  %v\nwant %s", text, err, want)
		}
	}
}
