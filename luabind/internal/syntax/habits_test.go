package syntax

import (
	"strings"
	"testing"

	"github.com/hindcast/hindcast/world"
)

// TestHabits: what other languages and other Luas have is recognised, and answered on its line.
func TestHabits(t *testing.T) {
	for text, want := range map[string]string{
		"x += 1":                               "there is no +=",
		"x -= y":                               "there is no +=",
		"self.hp *= 2":                         "there is no +=",
		"t[1] /= 2":                            "there is no +=",
		"x++":                                  "there is no ++",
		"if x != 1 then end":                   "~=",
		"x = 7 // 2":                           "math.floor(a / b)",
		"for i = 1, 3 do continue end":         "there is no continue",
		"for i = 1, 3 do\n    continue\n  end": "there is no continue",
		"local x: number = 5":                  "no types",
		"local function f(a: number, b) end":   "no types",
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
		"var x = 1":                                "declared with local",
		"x = (a) => a + 1":                         "function(x) return x end",
		"x = { a: 1 }":                             "{ x = 1 }",
		"x = { a = 1, b: 2 }":                      "{ x = 1 }",
		"if x = 1 then end":                        "compare with ==",
		"while x = 1 do end":                       "compare with ==",
		"local x <const> = 1":                      "no attributes",
		"x ..= 'a'":                                "there is no ..=",
		"x = 1 & 2":                                "no operators for bits",
		"x = 1 << 2":                               "no operators for bits",
		"if (x) {\n    y = 1\n  }":                 "if ... then ... end",
		"if (x) { y = 1 }":                         "if ... then ... end",
		"while x {\n  }":                           "if ... then ... end",
		"for (i = 0; i < 3; i = i + 1) do end":     "for i = 1, 10 do",
		"x = [1, 2]":                               "{ 1, 2, 3 }",
		"f([1, 2])":                                "{ 1, 2, 3 }",
		"x = 'a += b' y = = 1":                     "",
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
