//go:build external

package luabind

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/hindcast/hindcast/runtime/simtest/draws"
	"github.com/hindcast/hindcast/world"
	"pgregory.net/rapid"
)

// lua51 finds PUC Lua 5.1, with which the differential tests compare.
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

// addresses matches the addresses that PUC Lua prints for functions and tables. Our
// tostring prints none.
var addresses = regexp.MustCompile(`(function|table|userdata|builtin|thread): (0x)?[0-9a-f]+`)

// puc runs programs in one Lua process. The output of a program that fails ends with the
// line "error".
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
	text = withoutMinusZeros(text)
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

// compareWithPUC compares programs, each of which requires a module.
func compareWithPUC(t *testing.T, r *rapid.T, programs []program, modules []string) {
	t.Helper()
	loading := make([]program, len(programs))
	for i, p := range programs {
		loading[i] = program{p.name, "package.loaded['lib.m'] = nil package.preload['lib.m'] = function()\n" + modules[i] + "\nend\n" + p.body}
	}
	want := puc(t, loading)
	for i, p := range programs {
		if got := ours(t, p, "lib/m.lua", modules[i]); strings.Join(got, "\n") != strings.Join(want[i], "\n") {
			r.Fatalf("%s\n%s\n%s\ngives\n%s\nbut Lua 5.1 gives\n%s\nfirst difference: %s", p.name, modules[i], p.body, strings.Join(got, "\n"), strings.Join(want[i], "\n"), firstDifference(got, want[i]))
		}
	}
}

// TestPuzzleAnswers checks that PUC Lua gives the answers that TestPuzzles expects. With
// LUABIND_UPDATE=1 it writes them again.
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

// TestWrittenAnswers checks the answers of the written programs in the same way.
func TestWrittenAnswers(t *testing.T) {
	for _, file := range writtenFiles(t) {
		programs := writtenPrograms(t, file)
		var b strings.Builder
		for i, lines := range puc(t, programs) {
			b.WriteString("== " + programs[i].name + "\n" + strings.Join(append(lines, ""), "\n"))
		}
		if os.Getenv("LUABIND_UPDATE") != "" {
			if err := os.WriteFile(answersFile(file), []byte(b.String()), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if have, err := os.ReadFile(answersFile(file)); err != nil || string(have) != b.String() {
			t.Errorf("%s is not what PUC Lua answers: run this test with LUABIND_UPDATE=1 (%v)", answersFile(file), err)
		}
	}
}

// TestScratchTablesAgainstPUC: a module with scratch tables gives the same in PUC Lua as in each of several hooks.
func TestScratchTablesAgainstPUC(t *testing.T) {
	const body = `local v = M.new(3, 2) print(tostring(v:turned()), select(2, v:twice())) print(M.rows(5, 6))
print(M.backwards(3)) print(M.keys(true)) print(M.keys(false)) print(M.rows(7, 1)) print(M.backwards(1))`
	want := puc(t, []program{{"module", "local M = (function()\n" + matrix + "\nend)()\n" + body}})[0]
	s := start(t, "lib/matrix.lua", matrix, "a.lua",
		"local M = require('lib.matrix') X = object 'X' {} function X:tick() "+body+" end")
	slot := s.spawn("X")
	for range 3 {
		s.lines = nil
		if err := s.call(world.OnTick, slot, world.Args{}); err != nil {
			t.Fatal(err)
		}
		for i, l := range s.lines {
			if _, got, _ := strings.Cut(l, ": "); i >= len(want) || got != want[i] {
				t.Errorf("%q, not %q", got, want)
			}
		}
	}
}

// TestGeneratedProgramsAgainstPUC compares random programs, several in one Lua process.
// -rapid.checks=N sets how many.
func TestGeneratedProgramsAgainstPUC(t *testing.T) {
	draws.Check(t, func(r *rapid.T) {
		var programs []program
		var modules []string
		for i := range 6 {
			body, module := generate(r)
			programs = append(programs, program{"program " + strconv.Itoa(i), body})
			modules = append(modules, module)
		}
		compareWithPUC(t, r, programs, modules)
	})
}

// TestLua51Names: lua51Names are the names that PUC Lua has.
func TestLua51Names(t *testing.T) {
	const list = `local out = {}
for k, v in pairs(_G) do
  if type(v) ~= "table" then out[#out + 1] = k
  elseif v ~= _G and v ~= package and k ~= "arg" then for n in pairs(v) do out[#out + 1] = k .. "." .. n end end
end
table.sort(out) for _, n in ipairs(out) do if n ~= "math.random" then print(n) end end`
	if got := puc(t, []program{{"names", list}})[0]; !slices.Equal(got, strings.Fields(lua51Names)) {
		t.Errorf("PUC Lua has\n%s", strings.Join(got, " "))
	}
}

// TestDifferencesFromPUC: what differences_test.go shows is different.
func TestDifferencesFromPUC(t *testing.T) {
	var programs []program
	for _, d := range differences {
		programs = append(programs, program{d.what, d.file + "\n" + d.body})
	}
	for i, lines := range puc(t, programs) {
		if strings.Join(lines, "\n") == differences[i].prints {
			t.Errorf("%s: PUC Lua prints the same, %q", differences[i].what, lines)
		}
	}
}
