package luabind

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// writtenFiles have one program a line, for everything that the sandbox keeps of Lua 5.1. The
// file of the same name that ends in .txt has the output of PUC Lua for each; the external
// tests check it.
func writtenFiles(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob("testdata/lua51/*.lua")
	if err != nil || len(files) == 0 {
		t.Fatal("no programs: ", err)
	}
	return files
}

func writtenPrograms(t testing.TB, file string) (out []program) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range strings.Split(string(text), "\n") {
		if line != "" && !strings.HasPrefix(line, "--") {
			out = append(out, program{filepath.Base(file) + ":" + strconv.Itoa(i+1), line})
		}
	}
	return out
}

func answersFile(file string) string { return strings.TrimSuffix(file, ".lua") + ".txt" }

func TestWrittenPrograms(t *testing.T) {
	total := 0
	for _, file := range writtenFiles(t) {
		text, err := os.ReadFile(answersFile(file))
		if err != nil {
			t.Fatal(err)
		}
		answers := strings.Split(string(text), "== ")[1:]
		programs := writtenPrograms(t, file)
		if len(answers) != len(programs) {
			t.Fatalf("%s: %d answers to %d programs: run the external tests with LUABIND_UPDATE=1", file, len(answers), len(programs))
		}
		for i, p := range programs {
			_, want, _ := strings.Cut(strings.TrimSuffix(answers[i], "\n"), "\n")
			t.Run(p.name, func(t *testing.T) {
				if got := strings.Join(ours(t, p), "\n"); got != want {
					t.Errorf("%s\ngives\n%s\nbut Lua 5.1 gives\n%s", p.body, got, want)
				}
			})
		}
		total += len(programs)
	}
	if total < 400 {
		t.Errorf("%d programs", total)
	}
}
