package lint

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hindcast/hindcast/luabind"
	"github.com/hindcast/hindcast/runtime/simtest/draws"
	"github.com/hindcast/hindcast/world"
)

// breaks are ways to break a file so that it does not load. They return "" for a file that cannot be broken so.
var breaks = map[string]func(text string) string{
	"a word that does not belong": func(text string) string { return rxStatement.ReplaceAllString(text, "${1}local = ") },
	"a declaration without its name": func(text string) string {
		return changed(text, strings.Replace(text, "{", "= {", 1))
	},
	"half of it": func(text string) string { return text[:len(text)/2] },
	"an end that is missing": func(text string) string {
		i := strings.LastIndex(text, "end")
		return text[:max(i, 0)]
	},
	"nil where it begins": func(text string) string { return rxStatement.ReplaceAllString(text, "${1}local zz = (nil).x ") },
	"nil where it ends":   func(text string) string { return returning(text, "local zz = (nil).x") },
	"a name that is missing": func(text string) string {
		return rxStatement.ReplaceAllString(text, "${1}local zz = nowhere.x ")
	},
	"an error where it begins": func(text string) string { return "error('no')\n" + text },
	"a key that is not there": func(text string) string {
		at := rxDeclaration.FindStringIndex(text)
		if at == nil {
			return ""
		}
		return text[:at[1]] + " zzz = 1, " + text[at[1]:]
	},
}

var (
	// rxStatement matches what is before the first statement.
	rxStatement = regexp.MustCompile(`\A((?:\s|--[^\n]*\n)*)`)
	// rxDeclaration matches the beginning of a declaration.
	rxDeclaration = regexp.MustCompile(`(?m)^(?:\w+ = )?(?:object "\w+"|game|player) \{`)
)

func changed(before, after string) string {
	if before == after {
		return ""
	}
	return after
}

// returning inserts a statement before the value that a module returns.
func returning(text, statement string) string {
	if i := strings.LastIndex(text, "\nreturn "); i >= 0 {
		return text[:i+1] + statement + text[i:]
	}
	return text + "\n" + statement
}

// whole are games in which nothing is wrong: those of testdata/good, of byCode and of the repository, with their tests.
func whole(t *testing.T, visit func(name string, files, tests []world.Source)) {
	archives(t, "good", 30, func(path, _ string, files []world.Source) {
		scripts, tests, _ := withoutTests(files)
		visit(path, scripts, tests)
	})
	visit("classes that code declares", bundle("a.lua", byCode, "b.lua", "Bird = object 'Bird' { state = { n = 1 } }",
		"game.lua", "function tick() local t, r = spawn('Tank'), spawn('Red') t.hp = 1 r.n = 1 spawn('Blue'):steps() end"), nil)
	for _, folder := range []string{"scripts/arena", "scripts/grapple", "scripts/soccer", "cmd/host/template"} {
		paths, err := filepath.Glob(filepath.Join("../..", folder, "*.lua"))
		if err != nil || len(paths) == 0 {
			t.Fatalf("%s: no files (%v)", folder, err)
		}
		var files, tests []world.Source
		for _, p := range paths {
			text, err := os.ReadFile(p)
			if err != nil {
				t.Fatal(err)
			}
			f := world.Source{Name: filepath.Base(p), Text: string(text)}
			if strings.HasSuffix(f.Name, "_test.lua") {
				tests = append(tests, f)
			} else {
				files = append(files, f)
			}
		}
		visit(folder, files, tests)
	}
}

// TestOneCauseOneFinding: when one file of a game does not load, whichever it is and however it is broken, nothing is
// found but that: not in the other files, and not in the tests. A plain run breaks each file in a third of the ways,
// and the next file in others.
func TestOneCauseOneFinding(t *testing.T) {
	n, ways := 0, slices.Sorted(maps.Keys(breaks))
	stride, next := draws.Pick(3, 1), 0
	broke := make(map[string]bool)
	whole(t, func(name string, files, tests []world.Source) {
		if found := append(Check(files, testSetup), CheckTests(files, testSetup, tests)...); len(found) > 0 {
			t.Errorf("%s: is not whole: %v", name, found)
			return
		}
		for i := range files {
			next++
			for w := next % stride; w < len(ways); w += stride {
				how := ways[w]
				broken := append([]world.Source{}, files...)
				broken[i].Text = breaks[how](files[i].Text)
				if _, err := luabind.NewProgram(broken, testSetup); broken[i].Text == "" || err == nil {
					continue
				}
				n, broke[how] = n+1, true
				found := append(Check(broken, testSetup), CheckTests(broken, testSetup, tests)...)
				if len(found) != 1 || found[0].File != files[i].Name {
					t.Errorf("%s: %s: %s:\n%v", name, files[i].Name, how, found)
				}
			}
		}
	})
	if n < 600/stride || len(broke) != len(ways) {
		t.Errorf("%d games were broken, in %d of %d ways", n, len(broke), len(ways))
	}
}
