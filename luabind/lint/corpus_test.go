package lint

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/hindcast/hindcast/world"
)

var update = flag.Bool("update", false, "write what is found into testdata/mistakes")

// rxFile matches the line above a file of an archive.
var rxFile = regexp.MustCompile(`(?m)^-- (\S+) --\n`)

// unpacked returns the files of an archive, and what stands above them.
func unpacked(text string) (head string, files []world.Source) {
	marks := rxFile.FindAllStringSubmatchIndex(text, -1)
	for i, m := range marks {
		end := len(text)
		if i+1 < len(marks) {
			end = marks[i+1][0]
		}
		files = append(files, world.Source{Name: text[m[2]:m[3]], Text: text[m[1]:end]})
	}
	if len(marks) == 0 {
		return text, nil
	}
	return text[:marks[0][0]], files
}

// archives calls visit with each archive of a folder of testdata.
func archives(t *testing.T, folder string, least int, visit func(path, head string, files []world.Source)) {
	paths, err := filepath.Glob(filepath.Join("testdata", folder, "*.txtar"))
	if err != nil || len(paths) < least {
		t.Fatalf("%d archives in %s, at least %d are expected (%v)", len(paths), folder, least, err)
	}
	for _, p := range paths {
		text, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		head, files := unpacked(string(text))
		visit(p, head, files)
	}
}

// lines returns what Check finds, a line each, and what CheckTests and CheckBot find in the files of tests and bots.
func lines(files []world.Source) string {
	var b strings.Builder
	scripts, tests, bots := withoutTests(files)
	found := append(Check(scripts, testSetup), CheckTests(scripts, testSetup, tests)...)
	for _, bot := range bots {
		found = append(found, CheckBot(scripts, testSetup, bot)...)
	}
	for _, f := range found {
		b.WriteString(f.String() + "\n")
	}
	return b.String()
}

// withoutTests tells the files of tests, and those of bots, from the others.
func withoutTests(files []world.Source) (scripts, tests, bots []world.Source) {
	for _, f := range files {
		switch {
		case strings.HasSuffix(f.Name, "_test.lua"):
			tests = append(tests, f)
		case strings.HasSuffix(f.Name, "_bot.lua"):
			bots = append(bots, f)
		default:
			scripts = append(scripts, f)
		}
	}
	return scripts, tests, bots
}

// TestCorpusOfMistakes: each archive of testdata/mistakes is a game with one mistake, below the line that Check says
// about it. With -update, the lines are written.
func TestCorpusOfMistakes(t *testing.T) {
	archives(t, "mistakes", 150, func(path, head string, files []world.Source) {
		got := lines(files)
		if *update && got != head {
			text := got
			for _, f := range files {
				text += "-- " + f.Name + " --\n" + f.Text
			}
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
			return
		}
		if got != head {
			t.Errorf("%s:\ngot\n%swant\n%s", path, got, head)
		}
		if strings.Count(got, "\n") != 1 {
			t.Errorf("%s: one line for one cause is expected, and these are found:\n%s", path, got)
		}
	})
}

// TestCorpusOfGoodGames: nothing is found in the games of testdata/good.
func TestCorpusOfGoodGames(t *testing.T) {
	archives(t, "good", 30, func(path, _ string, files []world.Source) {
		if got := lines(files); got != "" {
			t.Errorf("%s:\n%s", path, got)
		}
	})
}
