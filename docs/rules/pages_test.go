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

// A page is a page of Markdown.
type page struct {
	file   string
	lines  []string
	fenced []string // by line: the language of the block of code that it is in; "": none
}

const plainBlock = "text" // the language of a block that names none

// readPages reads the repository's pages.
func (r repo) readPages(t *testing.T) (all []page) {
	t.Helper()
	for _, file := range r.pages() {
		text, err := os.ReadFile(filepath.Join(r.root, filepath.FromSlash(file)))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, readPage(file, string(text)))
	}
	return all
}

func readPage(file, text string) page {
	p := page{file: file, lines: strings.Split(text, "\n")}
	language := ""
	for _, line := range p.lines {
		mark, isFence := strings.CutPrefix(strings.TrimSpace(line), "```")
		now := language
		switch {
		case isFence && language == "":
			if language, _, _ = strings.Cut(mark, " "); language == "" {
				language = plainBlock
			}
		case isFence:
			language, now = "", ""
		}
		p.fenced = append(p.fenced, now)
	}
	return p
}

// say makes a finding of a line, which is counted from 0.
func (p *page) say(line int, format string, args ...any) finding {
	return finding{p.file, line + 1, fmt.Sprintf(format, args...)}
}

// prose is a line without code; "" in a block of code.
func (p *page) prose(i int) string {
	if p.fenced[i] != "" || strings.HasPrefix(strings.TrimSpace(p.lines[i]), "```") {
		return ""
	}
	return rxSpan.ReplaceAllString(p.lines[i], "")
}

var (
	rxSpan    = regexp.MustCompile("`([^`\n]+)`")
	rxLink    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	rxHeading = regexp.MustCompile(`^#{1,6} +(.*?) *#*$`)
	rxAnchor  = regexp.MustCompile(`<a (?:id|name)="([^"]+)"`)
	rxNoSlug  = regexp.MustCompile(`[^\p{L}\p{N}\- _]`)
)

// anchors are the places of a page that links can name.
func (p *page) anchors() map[string]bool {
	all := map[string]bool{}
	for i, line := range p.lines {
		if p.fenced[i] != "" {
			continue
		}
		for _, m := range rxAnchor.FindAllStringSubmatch(line, -1) {
			all[m[1]] = true
		}
		m := rxHeading.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		text := rxLink.ReplaceAllString(m[1], "]")
		slug := strings.ReplaceAll(rxNoSlug.ReplaceAllString(strings.ToLower(text), ""), " ", "-")
		name := slug
		for n := 1; all[name]; n++ {
			name = fmt.Sprintf("%s-%d", slug, n)
		}
		all[name] = true
	}
	return all
}

// TestLinks: every relative link of a page leads to a file or folder of the
// repository, and its anchor to a heading there.
func TestLinks(t *testing.T) {
	r := openRepo(t)
	pages := r.readPages(t)
	byFile := map[string]*page{}
	for i := range pages {
		byFile[pages[i].file] = &pages[i]
	}
	var found []finding
	for _, p := range pages {
		for i := range p.lines {
			for _, m := range rxLink.FindAllStringSubmatch(p.prose(i), -1) {
				if why := r.badLink(byFile, p.file, m[1]); why != "" {
					found = append(found, p.say(i, "link to %s: %s", m[1], why))
				}
			}
		}
	}
	report(t, found)
}

func (r repo) badLink(pages map[string]*page, from, link string) string {
	if strings.Contains(link, ":") {
		return "" // of another place
	}
	target, anchor, _ := strings.Cut(link, "#")
	file := from
	if target != "" {
		file = path.Join(path.Dir(from), target)
	}
	if _, err := os.Stat(filepath.Join(r.root, filepath.FromSlash(file))); err != nil {
		return "there is no " + file
	}
	if anchor == "" {
		return ""
	}
	p := pages[file]
	if p == nil {
		return file + " is no page of Markdown"
	}
	if !p.anchors()[anchor] {
		return fmt.Sprintf("%s has no heading #%s", file, anchor)
	}
	return ""
}

// spans visits the code in the text of a page: what is between backticks.
func (p *page) spans(visit func(line int, code string)) {
	for i, line := range p.lines {
		if p.fenced[i] != "" {
			continue
		}
		for _, m := range rxSpan.FindAllStringSubmatch(line, -1) {
			visit(i, m[1])
		}
	}
}

var rxFile = regexp.MustCompile(`^[\w.-]+(/[\w.-]+)*\.(go|md|js|html)$`)

// TestFilesInPages: a Go file, a page or a script of a web page that a page
// names in code is there.
func TestFilesInPages(t *testing.T) {
	r := openRepo(t)
	var found []string
	for _, p := range r.readPages(t) {
		p.spans(func(line int, code string) {
			if !rxFile.MatchString(code) || strings.HasPrefix(code, "../") || slices.Contains(r.files, code) || slices.Contains(r.files, path.Join(path.Dir(p.file), code)) {
				return
			}
			bare := !strings.Contains(code, "/") && slices.ContainsFunc(r.files, func(f string) bool { return path.Base(f) == code })
			if !bare {
				found = append(found, fmt.Sprintf("%s %s", p.file, code))
			}
		})
	}
	hold(t, "files", found, "Each line is a page, and a file in it that is not there.")
}

var rxQualified = regexp.MustCompile(`^\*?(\w+)\.([A-Z]\w*)(?:\.(\w+))?(?:\(\))?$`)

// TestNamesInPages: what a page names in code as pkg.Name, pkg.Type.Member or
// Type.Member is there. CHANGELOG.md may name what was.
func TestNamesInPages(t *testing.T) {
	r, m := openRepo(t), loadModule(t)
	var found []string
	for _, p := range r.readPages(t) {
		if p.file == "CHANGELOG.md" {
			continue
		}
		p.spans(func(line int, code string) {
			match := rxQualified.FindStringSubmatch(code)
			if match != nil && !m.has(match[1], match[2], match[3]) {
				found = append(found, fmt.Sprintf("%s %s", p.file, code))
			}
		})
	}
	hold(t, "names", found, "Each line is a page, and a name in it that the code does not have.")
}

// has says that a package has a name, and that a type of it has a member, or that
// first is no package of this module. With a type as first, second is the member.
func (m module) has(first, second, third string) bool {
	known := false
	for _, s := range m {
		if s.pkg.Name() == first && s.pkg.Name() != "main" {
			known = true
			if obj := s.pkg.Scope().Lookup(second); obj != nil && (third == "" || hasMember(obj, third)) {
				return true
			}
		}
		if obj, ok := s.pkg.Scope().Lookup(first).(*types.TypeName); ok && third == "" && hasMember(obj, second) {
			return true
		}
	}
	return !known && !ast.IsExported(first)
}

func hasMember(obj types.Object, name string) bool {
	if _, ok := obj.(*types.TypeName); !ok {
		return false
	}
	member, _, _ := types.LookupFieldOrMethod(obj.Type(), true, obj.Pkg(), name)
	return member != nil
}

// TestDiagrams: blocks of Mermaid begin with a kind of diagram, their brackets
// close, and so do their blocks.
func TestDiagrams(t *testing.T) {
	var found []finding
	for _, p := range openRepo(t).readPages(t) {
		for i := range p.lines {
			if p.fenced[i] == "mermaid" && (i == 0 || p.fenced[i-1] != "mermaid") {
				if why := badDiagram(p.diagram(i)); why != "" {
					found = append(found, p.say(i, "this diagram %s", why))
				}
			}
		}
	}
	report(t, found)
}

func (p *page) diagram(i int) (lines []string) {
	for ; i < len(p.lines) && p.fenced[i] == "mermaid"; i++ {
		lines = append(lines, strings.TrimSpace(p.lines[i]))
	}
	return lines
}

// diagramKinds have, for each kind of diagram that we use, the words that open a
// block which "end" closes.
var diagramKinds = map[string][]string{
	"flowchart": {"subgraph"}, "graph": {"subgraph"}, "stateDiagram-v2": nil, "classDiagram": nil, "erDiagram": nil, "timeline": nil, "gantt": nil,
	"sequenceDiagram": {"loop", "alt", "opt", "par", "critical", "break", "rect", "box"},
}

func badDiagram(lines []string) string {
	kind, open, begun := "", 0, false
	for _, line := range lines {
		if line == "" || strings.HasPrefix(line, "%%") {
			continue
		}
		word, _, _ := strings.Cut(strings.TrimSuffix(line, ":"), " ")
		if !begun {
			kind, begun = word, true
			if _, ok := diagramKinds[kind]; !ok {
				return fmt.Sprintf("is of no kind that is known: %q", word)
			}
			continue
		}
		switch {
		case slices.Contains(diagramKinds[kind], word):
			open++
		case word == "end":
			open--
		}
		if why := unbalanced(line); why != "" {
			return why + ": " + line
		}
		if open < 0 {
			return "closes a block that is not open"
		}
	}
	if open > 0 {
		return fmt.Sprintf("has %d blocks without end", open)
	}
	if !begun {
		return "is empty"
	}
	return ""
}

// unbalanced says which bracket of a line is without its other half, outside
// quotes.
func unbalanced(line string) string {
	var stack []rune
	quoted := false
	closes := map[rune]rune{')': '(', ']': '[', '}': '{'}
	for _, c := range line {
		switch {
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '(' || c == '[' || c == '{':
			stack = append(stack, c)
		case closes[c] != 0:
			if len(stack) == 0 || stack[len(stack)-1] != closes[c] {
				return "has a bracket that does not fit"
			}
			stack = stack[:len(stack)-1]
		}
	}
	if quoted {
		return "has an open quote"
	}
	if len(stack) > 0 {
		return "has an open bracket"
	}
	return ""
}

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
			if lang := p.fenced[i]; lang == plainBlock || lang == "sh" || lang == "bash" || lang == "console" {
				try(i, strings.TrimPrefix(strings.TrimSpace(line), "$ "))
			}
		}
		p.spans(try)
	}
	report(t, found)
}

func TestBadCommands(t *testing.T) {
	c := &commands{repo: openRepo(t), flags: map[string]map[string]string{"host": {"for": "duration", "v": "bool", "to": "uint64", "net": "string"}},
		tests: map[string][]string{"world": {"TestMerge", "BenchmarkSave"}, "world/physics": {"TestGolden"}}, testFlags: map[string][]string{"world/physics": {"long"}}}
	for text, why := range map[string]string{
		"host -for 20s mygame": "", "host -for 20 mygame": "-for is a flag of kind duration", "host -nope": "no flag -nope", "host test -v tag": "",
		"host replay FILE -to N": "", "host replay x -to soon": "kind uint64", "go run ./cmd/host -nope": "no flag -nope", "host simulates it -- twice": "",
		"host check tag   # or -all": "", "go test ./world": "", "go test ./word": "no package ./word", "go test ./... -run Merge": "",
		"go test ./world -run Marge": "matches nothing", "go test ./world -bench 'Save/x'": "", "go test ./world -run Save": "matches nothing",
		"go test ./world/physics -long": "", "go test ./world -long": "have a flag -long", "bash .ci/run gofmt": "", "bash .ci/run gofmd": "no step gofmd",
		"bash .ci/walk": "no .ci/walk", "go install ./cmd/hots": "no package", "ls -l": "",
	} {
		if got := c.bad(text); (got == "") != (why == "") || !strings.Contains(got, why) {
			t.Errorf("%s: got %q, want %q", text, got, why)
		}
	}
}

func TestBadDiagrams(t *testing.T) {
	for text, why := range map[string]string{
		"flowchart LR\nA[x] --> B(y)": "", "flow LR": "no kind", "sequenceDiagram\nloop x\nA->>B: hi\nend": "", "sequenceDiagram\nloop x": "without end",
		"flowchart LR\nA[x --> B": "open bracket", "flowchart LR\nA[\"x)\"] --> B": "", "flowchart LR\nend": "not open", "": "empty",
	} {
		if got := badDiagram(strings.Split(text, "\n")); (got == "") != (why == "") || !strings.Contains(got, why) {
			t.Errorf("%q: got %q, want %q", text, got, why)
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
	goTestFlagValues = []string{"run", "bench", "skip", "count", "tags", "timeout", "fuzz", "fuzztime", "benchtime", "cpu", "parallel", "C", "coverprofile", "cpuprofile", "memprofile", "o"}
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
	if c.looksLikeProse(words) {
		return ""
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

// looksLikeProse says that a line which begins with the name of a program is a
// sentence or a drawing.
func (c *commands) looksLikeProse(words []string) bool {
	return !slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(w, "-") && len(w) > 1 && w[1] != '-' })
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
	var steps []string
	for _, m := range rxStep.FindAllSubmatch(text, -1) {
		steps = append(steps, string(m[1]))
	}
	for _, w := range words[1:] {
		if len(steps) > 0 && !slices.Contains(steps, w) && w != strings.ToUpper(w) {
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
		words := strings.Fields(line)
		program, name := words[0], strings.TrimPrefix(words[1], "-")
		if all[program] == nil {
			all[program] = map[string]string{}
		}
		left, _, _ := strings.Cut(line, " = ")
		kinds := strings.Fields(left)
		all[program][name] = kinds[len(kinds)-1]
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
			shared[modulePath+"/"+dir] = append(shared[modulePath+"/"+dir], declaredFlags(r.parse(t, file))...)
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
		if !ok || len(call.Args) < 3 {
			return true
		}
		if sel, ok := call.Fun.(*ast.SelectorExpr); ok {
			if id, ok := sel.X.(*ast.Ident); ok && id.Name == "flag" {
				for _, arg := range call.Args[:2] {
					if lit, ok := arg.(*ast.BasicLit); ok {
						name, _ := strconv.Unquote(lit.Value)
						names = append(names, name)
					}
				}
			}
		}
		return true
	})
	return names
}

func (r repo) eachTest(t *testing.T, visit func(dir string, f *ast.File)) {
	for _, file := range r.goFiles() {
		if strings.HasSuffix(file, "_test.go") {
			visit(path.Dir(file), r.parse(t, file))
		}
	}
}

// TestErrorsInPages: docs/errors.md has every error that public packages export:
// variables Err... as pkg.ErrName, and types of errors as *pkg.Name or pkg.Name.
func TestErrorsInPages(t *testing.T) {
	r := openRepo(t)
	const file = "docs/errors.md"
	text, err := os.ReadFile(filepath.Join(r.root, filepath.FromSlash(file)))
	if err != nil {
		t.Fatal(err)
	}
	var found []finding
	for _, s := range loadModule(t) {
		if !s.isPublic() || s.pkg.Name() == "main" {
			continue
		}
		for _, name := range s.pkg.Scope().Names() {
			obj := s.pkg.Scope().Lookup(name)
			full := s.pkg.Name() + "." + name
			if obj.Exported() && isError(obj) && !strings.Contains(string(text), full+"`") {
				found = append(found, at(s.fset.Position(obj.Pos()), "%s is not in %s", full, file))
			}
		}
	}
	report(t, found)
}

// isError says that obj is a variable of type error, or a type that implements it.
func isError(obj types.Object) bool {
	iface := types.Universe.Lookup("error").Type().Underlying().(*types.Interface)
	switch obj.(type) {
	case *types.Var:
		return types.Identical(obj.Type(), types.Universe.Lookup("error").Type())
	case *types.TypeName:
		return !types.IsInterface(obj.Type()) && (types.Implements(obj.Type(), iface) || types.Implements(types.NewPointer(obj.Type()), iface))
	}
	return false
}
