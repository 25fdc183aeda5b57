package rules

import (
	"fmt"
	"go/ast"
	"go/types"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestCommandsInPages: commands in blocks of code, and those between backticks
// that begin with a program, have flags, packages, tests and files that are
// there.
func TestCommandsInPages(t *testing.T) {
	r := openRepo(t)
	c := &commands{repo: r, flags: loadModule(t).flagKinds(), tests: r.testNames(t), testFlags: r.testFlags(t)}
	var found []finding
	for _, p := range r.readPages(t) {
		try := func(line int, text string) {
			if why := c.bad(text); why != "" {
				found = append(found, p.say(line, "%s: %s", text, why))
			}
		}
		for i, line := range p.lines {
			lang := p.fenced[i]
			if lang == plainBlock || lang == "sh" || lang == "bash" || lang == "console" || lang == "" && strings.HasPrefix(line, "    ") {
				try(i, strings.TrimPrefix(strings.TrimSpace(line), "$ "))
			}
		}
		p.spans(try)
	}
	report(t, found)
}

// TestTestsOfCI: each test that a script of .ci names is there. Of a pattern of several, go test
// complains only if none matches.
func TestTestsOfCI(t *testing.T) {
	r := openRepo(t)
	c := &commands{repo: r, tests: r.testNames(t), testFlags: r.testFlags(t)}
	for _, script := range r.files {
		if path.Dir(script) != ".ci" {
			continue
		}
		for line := range strings.SplitSeq(strings.ReplaceAll(r.read(t, script), "\\\n", " "), "\n") {
			line, _, _ = strings.Cut(line, " | ")
			words := strings.Fields(strings.ReplaceAll(line, "'", ""))
			if len(words) > 2 && words[0] == "tests" && slices.Contains(words, "-run") {
				if why := c.badTest(words[2:]); why != "" {
					t.Errorf("%s: %s: %s", script, line, why)
				}
			}
		}
	}
}

func TestBadCommands(t *testing.T) {
	c := &commands{repo: openRepo(t), flags: map[string]map[string]string{"host": {"for": "duration", "v": "bool", "to": "uint64", "net": "string"}},
		tests: map[string][]string{"world": {"TestMerge", "BenchmarkSave"}, "world/physics": {"TestGolden"}}, testFlags: map[string][]string{"world/physics": {"long"}}}
	for text, why := range map[string]string{
		"host -for 20s mygame": "", "host -for 20 mygame": "-for is a flag of kind duration", "host -nope": "no flag -nope", "host test -v tag": "",
		"host replay FILE -to N": "", "host replay x -to soon": "kind uint64", "go run ./cmd/host -nope": "no flag -nope", "host simulates it -- twice": "",
		"host check tag   # or -all": "", "go test ./world": "", "go test ./word": "no package ./word", "go test ./... -run Merge": "",
		"go test ./world -run Marge": "matches nothing", "go test ./world -bench 'Save/x'": "", "go test ./world -run Save": "matches nothing",
		"go test ./world/physics -long": "", "go test -long ./world/physics": "name the packages before it", "go test ./world -long": "have a flag -long", "bash .ci/run gofmt": "", "bash .ci/run gofmd": "no step gofmd",
		"bash .ci/walk": "no .ci/walk", "go install ./cmd/hots": "no package", "ls -l": "",
	} {
		if got := c.bad(text); (got == "") != (why == "") || !strings.Contains(got, why) {
			t.Errorf("%s: got %q, want %q", text, got, why)
		}
	}
}

// commands knows what words of commands may be.
type commands struct {
	repo      repo
	flags     map[string]map[string]string // by program and flag: the kind of its value
	tests     map[string][]string          // functions of tests, by folder
	testFlags map[string][]string          // flags that tests declare, by folder
}

// goTestFlags are those of go test that take no value.
var (
	goTestFlags      = []string{"v", "race", "short", "benchmem", "failfast", "cover", "json"}
	goTestFlagValues = []string{"p", "vet", "run", "bench", "skip", "count", "tags", "timeout", "fuzz", "fuzztime", "benchtime", "cpu", "parallel", "C", "coverprofile", "cpuprofile", "memprofile", "o"}
	rxGap            = regexp.MustCompile(` {2,}| #`)
)

// bad says what is wrong with a command; "" also if it is none of ours.
func (c *commands) bad(text string) string {
	text = rxGap.Split(text, 2)[0] // what it does stands beside it
	words := strings.Fields(strings.TrimSuffix(text, "\\"))
	if len(words) < 2 {
		return ""
	}
	switch {
	case words[0] == "host" || words[0] == "client":
		return c.badProgram(words[0], words[1:])
	case words[0] == "bash":
		return c.badScript(words[1:])
	case words[0] == "go" && words[1] == "run" && len(words) > 2:
		if program, ok := strings.CutPrefix(words[2], "./cmd/"); ok && c.flags[program] != nil {
			return c.badProgram(program, words[3:])
		}
		return c.badPackages(words[2:])
	case words[0] == "go" && words[1] == "test":
		return c.badTest(words[2:])
	case words[0] == "go":
		return c.badPackages(words[2:])
	}
	return ""
}

func (c *commands) badProgram(program string, words []string) string {
	if !slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(w, "-") && len(w) > 1 && w[1] != '-' }) {
		return "" // a sentence, or a drawing
	}
	for i, w := range words {
		name, isFlag := strings.CutPrefix(strings.Trim(w, "[]"), "-")
		if !isFlag || name == "" || name[0] >= '0' && name[0] <= '9' {
			continue
		}
		name, value, hasValue := strings.Cut(strings.TrimPrefix(name, "-"), "=")
		kind, ok := c.flags[program][name]
		if !ok && name != "h" && name != "version" {
			return fmt.Sprintf("%s has no flag -%s", program, name)
		}
		if !hasValue && kind != "bool" && i+1 < len(words) {
			value, hasValue = words[i+1], true
		}
		if hasValue && !fits(kind, strings.Trim(value, "[]")) {
			return fmt.Sprintf("-%s is a flag of kind %s: not %s", name, kind, value)
		}
	}
	return ""
}

func fits(kind, value string) bool {
	var err error
	switch {
	case value == strings.ToUpper(value) && strings.ContainsAny(value, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"):
		return true // it stands for a value
	case kind == "duration":
		_, err = time.ParseDuration(value)
	case kind == "int" || kind == "uint64" || kind == "int64" || kind == "uint":
		_, err = strconv.ParseInt(value, 10, 64)
	}
	return err == nil
}

var rxStep = regexp.MustCompile(`(?m)^step_(\w+)\(\)`)

func (c *commands) badScript(words []string) string {
	text, err := os.ReadFile(filepath.Join(c.repo.root, filepath.FromSlash(words[0])))
	if err != nil {
		return "there is no " + words[0]
	}
	steps := list(rxStep.FindAllString(string(text), -1))
	for _, w := range words[1:] {
		if steps != "nothing" && !strings.Contains(steps, "step_"+w+"()") && w != strings.ToUpper(w) {
			return fmt.Sprintf("%s has no step %s", words[0], w)
		}
	}
	return ""
}

// badPackages looks at the words that begin with ./ only.
func (c *commands) badPackages(words []string) string {
	for _, w := range words {
		dir, ok := strings.CutPrefix(strings.Trim(w, "'\""), "./")
		dir = strings.TrimSuffix(strings.TrimSuffix(dir, "..."), "/")
		if !ok || dir == "" || dir == strings.ToUpper(dir) {
			continue
		}
		if info, err := os.Stat(filepath.Join(c.repo.root, filepath.FromSlash(dir))); err != nil || !info.IsDir() {
			return "there is no package ./" + dir
		}
	}
	return ""
}

func (c *commands) badTest(words []string) string {
	if why := c.badPackages(words); why != "" {
		return why
	}
	dirs := c.dirs(words)
	for i, w := range words {
		name, isFlag := strings.CutPrefix(w, "-")
		name, value, hasValue := strings.Cut(strings.TrimPrefix(name, "-"), "=")
		switch {
		case !isFlag || name == "" || slices.Contains(goTestFlags, name):
			continue
		case !slices.Contains(goTestFlagValues, name):
			if !slices.ContainsFunc(dirs, func(dir string) bool { return slices.Contains(c.testFlags[dir], name) }) {
				return fmt.Sprintf("neither go test nor these tests have a flag -%s", name)
			}
			if slices.ContainsFunc(words[i:], func(w string) bool { return strings.HasPrefix(w, "./") }) {
				return fmt.Sprintf("go test takes what follows -%s for arguments of the tests: name the packages before it", name)
			}
			continue
		}
		if !hasValue && i+1 < len(words) {
			value = words[i+1]
		}
		if why := c.badPattern(name, strings.Trim(value, "'\""), dirs); why != "" {
			return why
		}
	}
	return ""
}

// dirs are the folders whose tests a go test runs.
func (c *commands) dirs(words []string) (dirs []string) {
	for dir := range c.tests {
		for _, w := range words {
			pattern, ok := strings.CutPrefix(w, "./")
			if ok && (pattern == "..." || within(dir, strings.TrimSuffix(pattern, "/"))) {
				dirs = append(dirs, dir)
			}
		}
	}
	slices.Sort(dirs)
	return dirs
}

func (c *commands) badPattern(flag, value string, dirs []string) string {
	prefixes := map[string][]string{"run": {"Test", "Example", "Fuzz"}, "skip": {"Test", "Example", "Fuzz"}, "bench": {"Benchmark"}, "fuzz": {"Fuzz"}}[flag]
	if prefixes == nil || value == "-" || value == "^$" || value == strings.ToUpper(value) {
		return ""
	}
	first, _, _ := strings.Cut(value, "/")
	if strings.Contains(value, "|") {
		first = value
	}
	for part := range strings.SplitSeq(first, "|") {
		part, _, _ = strings.Cut(part, "/")
		rx, err := regexp.Compile(part)
		if err != nil {
			return err.Error()
		}
		if !slices.ContainsFunc(dirs, func(dir string) bool {
			return slices.ContainsFunc(c.tests[dir], func(name string) bool {
				return rx.MatchString(name) && slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(name, p) })
			})
		}) {
			return fmt.Sprintf("-%s %s matches nothing", flag, part)
		}
	}
	return ""
}

// flagKinds are the flags of the programs with the kinds of their values.
func (m module) flagKinds() map[string]map[string]string {
	all := map[string]map[string]string{}
	for _, line := range m.flagLines() {
		left, _, _ := strings.Cut(line, " = ")
		words := strings.Fields(left)
		if all[words[0]] == nil {
			all[words[0]] = map[string]string{}
		}
		all[words[0]][strings.TrimPrefix(words[1], "-")] = words[len(words)-1]
	}
	return all
}

// testNames are the functions of tests by folder.
func (r repo) testNames(t *testing.T) map[string][]string {
	all := map[string][]string{}
	r.eachTest(t, func(dir string, f *ast.File) {
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil {
				all[dir] = append(all[dir], fn.Name.Name)
			}
		}
	})
	return all
}

// testFlags are the flags that tests have, by folder: those that they declare, and those of
// the packages for tests that they import.
func (r repo) testFlags(t *testing.T) map[string][]string {
	shared := map[string][]string{}
	for _, file := range r.goFiles() {
		if dir := path.Dir(file); within(dir, testPackages...) && !strings.HasSuffix(file, "_test.go") {
			_, f := r.parse(t, file)
			shared[modulePath+"/"+dir] = append(shared[modulePath+"/"+dir], declaredFlags(f)...)
		}
	}
	all := map[string][]string{}
	r.eachTest(t, func(dir string, f *ast.File) {
		all[dir] = append(all[dir], declaredFlags(f)...)
		for _, spec := range f.Imports {
			all[dir] = append(all[dir], shared[strings.Trim(spec.Path.Value, `"`)]...)
		}
	})
	return all
}

// declaredFlags are the flags that a file declares.
func declaredFlags(f *ast.File) (names []string) {
	ast.Inspect(f, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) < 3 || !strings.HasPrefix(types.ExprString(call.Fun), "flag.") {
			return true
		}
		for _, arg := range call.Args[:2] {
			if lit, ok := arg.(*ast.BasicLit); ok {
				names = append(names, strings.Trim(lit.Value, `"`))
			}
		}
		return true
	})
	return names
}
