package luabind

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hindcast/hindcast/runtime/simtest/draws"
	"pgregory.net/rapid"
)

// TestChangesAreOrdinaryAssignments: statements that change fields, which are compiled in a way of their own, give the
// same as in a table, in which a variable in between keeps them from being compiled so.
func TestChangesAreOrdinaryAssignments(t *testing.T) {
	shown := map[string]int{}
	draws.Check(t, func(r *rapid.T) {
		pick := func(list ...string) string { return rapid.SampledFrom(list).Draw(r, "part") }
		var statements []string
		for range rapid.IntRange(1, 8).Draw(r, "statements") {
			place := func() string { return pick("o.a", "o.b", "o.l[1]", "o.l[2]", "o.l[i]") }
			to := place()
			from := pick(to, to, to, place())
			op := pick("+", "-", "*", "/")
			by := pick("1", "i", "-k", "i * k", "o.b", "(o.a)", "bump()", "bump() + 1", "k % 2")
			shown[fmt.Sprintf("%t", to == from)]++
			statements = append(statements, fmt.Sprintf("%s = %s %s %s", to, from, op, by))
		}
		const before, after = "local i, k = 1, 3 local function bump() o.a = o.a + 10 return 2 end ", " print(o.a, o.b, o.l[1], o.l[2])"
		apart := make([]string, len(statements))
		for i, s := range statements {
			to, value, _ := strings.Cut(s, " = ")
			apart[i] = fmt.Sprintf("do local value = %s %s = value end", value, to)
		}
		body := func(object string, list []string) string { return object + before + strings.Join(list, " ") + after }
		s := start(t, "x.lua", `X = object "X" { state = { a = 5, b = 7, l = list("number", 4) } }
function X:onSpawn()
  table.insert(self.l, 11) table.insert(self.l, 13)
  `+body("local o = self ", statements)+`
  `+body("local o = { a = 5, b = 7, l = { 11, 13 } } ", apart)+`
end`)
		s.spawn("X")
		for i, line := range s.lines {
			_, s.lines[i], _ = strings.Cut(line, ": ")
		}
		if len(s.lines) != 2 || s.lines[0] != s.lines[1] {
			r.Fatalf("%s\ngives %q", strings.Join(statements, "\n"), s.lines)
		}
	})
	if shown["true"] == 0 || shown["false"] == 0 {
		t.Errorf("%v", shown)
	}
}
