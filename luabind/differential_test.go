//go:build external

package luabind

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// lua51 finds PUC Lua 5.1, which the differential tests compare with.
func lua51(t *testing.T) string {
	t.Helper()
	for _, n := range []string{"lua5.1", "lua51"} {
		if p, err := exec.LookPath(n); err == nil {
			return p
		}
	}
	t.Fatal("this test compares with PUC Lua 5.1, which is not there: install the Debian package lua5.1 (apt-get install lua5.1)")
	return ""
}

const separator = "~~~~"

// addresses are what PUC Lua shows of functions and tables, and we do not.
var addresses = regexp.MustCompile(`(function|table|userdata|builtin): (0x)?[0-9a-f]+`)

// puc runs programs in one Lua process; an error is a last line "error".
func puc(t *testing.T, programs []program) [][]string {
	t.Helper()
	bin := lua51(t)
	var b strings.Builder
	for _, p := range programs {
		fmt.Fprintf(&b, "do local ok = pcall(function()\n%s\nend) if not ok then print('error') end print(%q) end\n", p.body, separator)
	}
	file := filepath.Join(t.TempDir(), "programs.lua")
	if err := os.WriteFile(file, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(bin, file).CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", bin, err, out)
	}
	text := addresses.ReplaceAllString(string(out), "$1")
	text = strings.ReplaceAll(text, "-nan", "nan")
	text = minusZero.ReplaceAllString(text, "0$1")
	parts := strings.Split(text, separator+"\n")
	if len(parts) != len(programs)+1 {
		t.Fatalf("%d answers for %d programs:\n%s", len(parts)-1, len(programs), out)
	}
	results := make([][]string, len(programs))
	for i := range programs {
		if text := strings.TrimSuffix(parts[i], "\n"); text != "" {
			results[i] = strings.Split(text, "\n")
		}
	}
	return results
}

func compareWithPUC(t *testing.T, programs []program) {
	t.Helper()
	want := puc(t, programs)
	for i, p := range programs {
		if got := ours(t, p); strings.Join(got, "\n") != strings.Join(want[i], "\n") {
			t.Errorf("%s\n%s\ngives\n%s\nbut Lua 5.1 gives\n%s\nfirst difference: %s", p.name, p.body, strings.Join(got, "\n"), strings.Join(want[i], "\n"), firstDifference(got, want[i]))
		}
	}
}

// TestPuzzleAnswers sees that the answers which TestPuzzles goes by are those
// of PUC Lua. With LUABIND_UPDATE=1 it writes them anew.
func TestPuzzleAnswers(t *testing.T) {
	var b strings.Builder
	for i, lines := range puc(t, puzzlePrograms()) {
		fmt.Fprintf(&b, "== %s\n", puzzles[i][0])
		for _, l := range lines {
			b.WriteString(l + "\n")
		}
	}
	if os.Getenv("LUABIND_UPDATE") != "" {
		if err := os.WriteFile(puzzleAnswers, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	have, err := os.ReadFile(puzzleAnswers)
	if err != nil {
		t.Fatal(err)
	}
	if string(have) != b.String() {
		t.Errorf("%s is not what PUC Lua answers: run this test with LUABIND_UPDATE=1", puzzleAnswers)
	}
}

// TestRandomProgramsAgainstPUC compares programs made at random.
func TestRandomProgramsAgainstPUC(t *testing.T) {
	n, from := 400, uint64(1)
	if s := os.Getenv("LUABIND_PROGRAMS"); s != "" { // "COUNT FROM", for a longer search
		if _, err := fmt.Sscan(s, &n, &from); err != nil {
			t.Fatal(err)
		}
	}
	for n > 0 {
		batch := min(n, 500)
		var programs []program
		for i := range batch {
			seed := from + uint64(i)
			programs = append(programs, program{fmt.Sprint("seed ", seed), generate(seed)})
		}
		compareWithPUC(t, programs)
		n -= batch
		from += uint64(batch)
		if t.Failed() {
			return
		}
	}
}

// generator writes a random Lua program that ends and prints.
type generator struct {
	*rand.Rand
	b     strings.Builder
	names []string // locals in scope
	loops int
	depth int
	fresh int
	va    bool
}

func generate(seed uint64) string {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 1))}
	g.line("local fuel = 300")
	g.line("local function id(...) fuel = fuel - 1 if fuel < 0 then error('fuel') end return ... end")
	g.line("local function one(x) return x, 7, nil end")
	g.line("local function show(...) local x = ... if type(x) == 'function' then return 'fn' end return tostring(x) end")
	g.line("local t = {1, 2, 3, k = 4}")
	g.line("local a, b, c, f = 1, 'x', true, nil")
	g.names = []string{"a", "b", "c", "f"}
	g.block(4 + g.IntN(5))
	g.line("print(show(a), show(b), show(c), type(f), t[1], t[2], t.k)")
	return g.b.String()
}

func (g *generator) line(format string, args ...any) {
	g.b.WriteString(strings.Repeat(" ", g.depth))
	fmt.Fprintf(&g.b, format+"\n", args...)
}

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
	switch g.IntN(17) {
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
	}
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

// list is an expression list, its last part maybe open.
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
	switch g.IntN(14) {
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
		return "(" + g.number() + g.pick(" + ", " - ", " * ", " % ") + g.number() + ")"
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
