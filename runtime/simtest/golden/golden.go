// Package golden compares results of tests with files that are kept beside them, such
// as lists of published names. It is only for the tests of all packages.
//
// If a change of such a file is intended, the tests of its package write it again with
// -update. The message of a failure has the command.
package golden

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files of the tests again")

// Lines compares lines with a file that has one of them a line, in this order. It names
// each line that is missing or new.
func Lines(t testing.TB, file string, lines []string) {
	t.Helper()
	got := strings.Join(lines, "\n") + "\n"
	text, ok := read(t, file, got)
	if !ok {
		return
	}
	want := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	gone, added := without(want, lines), without(lines, want)
	for _, l := range gone {
		t.Errorf("%s has, and the code has no longer: %s", file, l)
	}
	for _, l := range added {
		t.Errorf("%s does not have: %s", file, l)
	}
	if len(gone)+len(added) == 0 {
		t.Errorf("the lines are not those of %s: their order or number differs", file)
	}
	explain(t)
}

// Text compares a text with a file, and names the first line that differs.
func Text(t testing.TB, file, got string) {
	t.Helper()
	text, ok := read(t, file, got)
	if !ok {
		return
	}
	is, was := strings.Split(got, "\n"), strings.Split(text, "\n")
	n := 0
	for n < len(is) && n < len(was) && is[n] == was[n] {
		n++
	}
	t.Errorf("%s:%d differs: it has\n%s\nand now it would be\n%s", file, n+1, line(was, n), line(is, n))
	explain(t)
}

// read returns the text of a file that differs from got. With -update it writes the file
// instead.
func read(t testing.TB, file, got string) (text string, differs bool) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return "", false
	}
	b, err := os.ReadFile(file)
	if err != nil {
		t.Error(err)
		explain(t)
		return "", false
	}
	return string(b), string(b) != got
}

// without returns the lines of a that are not in b.
func without(a, b []string) (out []string) {
	for _, l := range a {
		if !slices.Contains(b, l) {
			out = append(out, l)
		}
	}
	return out
}

// line returns a line of a text, which may have fewer.
func line(lines []string, n int) string {
	if n >= len(lines) {
		return "no such line"
	}
	return lines[n]
}

// explain says how to write the file again.
func explain(t testing.TB) {
	t.Helper()
	t.Logf(
		"If the change is meant: go test %s -run '^%s$' -update. If users notice it, add a line to CHANGELOG.md.",
		folder(t), t.Name())
}

// folder returns the folder of the test's package as a command at the top of the module names it.
func folder(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for top := dir; top != filepath.Dir(top); top = filepath.Dir(top) {
		if _, err := os.Stat(filepath.Join(top, "go.mod")); err != nil {
			continue
		}
		below, err := filepath.Rel(top, dir)
		if err != nil {
			t.Fatal(err)
		}
		return "./" + filepath.ToSlash(below)
	}
	return "."
}
