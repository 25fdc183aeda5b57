package rules

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var shrink = flag.Bool("shrink", false, "write the lists in testdata/remaining again, if they do not grow")

// hold fails for every violation of a rule but those that remain from before
// there was the rule: they are in testdata/remaining/RULE/PACKAGE.txt, a line
// each. A line that is no violation any more fails too. -shrink writes the list
// again if there are no more than before, so that names may change.
// -v prints the number of violations by package.
//
// A violation begins with the folder of its package and a space.
func hold(t *testing.T, rule string, violations []string, whatToDo string) {
	t.Helper()
	slices.Sort(violations)
	violations = slices.Compact(violations)
	dir := filepath.Join("testdata", "remaining", rule)
	remain := readRemaining(t, dir)
	for _, line := range byPackage(violations) {
		t.Log(line)
	}
	if *shrink && len(violations) <= len(remain) {
		writeRemaining(t, dir, violations)
		return
	}
	for _, v := range violations {
		if !slices.Contains(remain, v) {
			t.Errorf("new: %s", v)
		}
	}
	for _, v := range remain {
		if !slices.Contains(violations, v) {
			t.Errorf("gone, and still listed: %s", v)
		}
	}
	if t.Failed() {
		t.Logf("%s\nThose that remain from before the rule are in docs/rules/%s, which only shrinks. When some are gone, or have other names: "+
			"go test ./docs/rules -shrink (there were %d and are %d: it writes no more than there were)",
			whatToDo, filepath.ToSlash(dir), len(remain), len(violations))
	}
}

// folderOf is the package that a violation is of.
func folderOf(violation string) string {
	dir, _, _ := strings.Cut(violation, " ")
	return dir
}

func readRemaining(t *testing.T, dir string) (all []string) {
	files, err := filepath.Glob(filepath.Join(dir, "*.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		pkg := strings.ReplaceAll(strings.TrimSuffix(filepath.Base(file), ".txt"), "_", "/")
		for line := range strings.Lines(string(text)) {
			all = append(all, pkg+" "+strings.TrimSpace(line))
		}
	}
	slices.Sort(all)
	return all
}

// writeRemaining writes a file for each package, so that work on two packages
// does not meet in one.
func writeRemaining(t *testing.T, dir string, violations []string) {
	files := map[string]string{}
	for _, v := range violations {
		pkg, rest, _ := strings.Cut(v, " ")
		files[strings.ReplaceAll(pkg, "/", "_")+".txt"] += rest + "\n"
	}
	old, err := filepath.Glob(filepath.Join(dir, "*.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range old {
		if files[filepath.Base(file)] == "" {
			if err := os.Remove(file); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// byPackage counts violations.
func byPackage(violations []string) (lines []string) {
	count, total := map[string]int{}, 0
	var dirs []string
	for _, v := range violations {
		dir := folderOf(v)
		if count[dir] == 0 {
			dirs = append(dirs, dir)
		}
		count[dir]++
		total++
	}
	for _, dir := range dirs {
		lines = append(lines, fmt.Sprintf("%5d %s", count[dir], dir))
	}
	return append(lines, fmt.Sprintf("%5d in all", total))
}
