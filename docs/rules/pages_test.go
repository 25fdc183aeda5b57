package rules

import (
	"fmt"
	"go/ast"
	"go/types"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
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
	for _, file := range r.files {
		if strings.HasSuffix(file, ".md") && !strings.Contains(file, "testdata/") {
			all = append(all, readPage(file, r.read(t, file)))
		}
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

var (
	rxFile   = regexp.MustCompile(`^[\w.-]+(/[\w.-]+)*\.(go|md|js|html)$`)
	rxFolder = regexp.MustCompile(`^(cmd|docs|luabind|net|runtime|scripts|world)(/\w+)+$`)
)

// TestFilesInPages: a Go file, a page, a script of a web page or a folder of packages that a
// page names in code is there.
func TestFilesInPages(t *testing.T) {
	r := openRepo(t)
	var found []finding
	for _, p := range r.readPages(t) {
		p.spans(func(line int, code string) {
			if rxFolder.MatchString(code) && !slices.ContainsFunc(r.files, func(f string) bool { return within(path.Dir(f), code+"/...") }) {
				found = append(found, p.say(line, "there is no folder %s", code))
			}
			if !rxFile.MatchString(code) || strings.HasPrefix(code, "../") || slices.Contains(r.files, code) || slices.Contains(r.files, path.Join(path.Dir(p.file), code)) {
				return
			}
			bare := !strings.Contains(code, "/") && slices.ContainsFunc(r.files, func(f string) bool { return path.Base(f) == code })
			if !bare {
				found = append(found, p.say(line, "there is no %s", code))
			}
		})
	}
	report(t, found)
}

var rxQualified = regexp.MustCompile(`^\*?(\w+)\.([A-Z]\w*)(?:\.(\w+))?(?:\(\))?$`)

// TestNamesInPages: what a page names in code as pkg.Name, pkg.Type.Member or
// Type.Member is there. CHANGELOG.md may name what was.
func TestNamesInPages(t *testing.T) {
	r, m := openRepo(t), loadModule(t)
	var found []finding
	for _, p := range r.readPages(t) {
		if p.file == "CHANGELOG.md" {
			continue
		}
		p.spans(func(line int, code string) {
			match := rxQualified.FindStringSubmatch(code)
			if match != nil && !m.has(match[1], match[2], match[3]) {
				found = append(found, p.say(line, "the code has no %s", code))
			}
		})
	}
	report(t, found)
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

// TestErrorsInPages: docs/errors.md has every error that public packages export:
// variables Err... as pkg.ErrName, and types of errors as *pkg.Name or pkg.Name.
func TestErrorsInPages(t *testing.T) {
	r := openRepo(t)
	const file = "docs/errors.md"
	text := r.read(t, file)
	var found []finding
	for _, s := range loadModule(t) {
		if !s.isPublic() {
			continue
		}
		for _, name := range s.pkg.Scope().Names() {
			obj := s.pkg.Scope().Lookup(name)
			full := s.pkg.Name() + "." + name
			if obj.Exported() && isError(obj) && !strings.Contains(text, full+"`") {
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

var rxTestName = regexp.MustCompile(`(?:^|[^.\w])((?:Test|Fuzz|Benchmark|Example)[A-Z]\w+)`)

// TestTestsInPages: tests that a page names are there. A page may shorten a name.
func TestTestsInPages(t *testing.T) {
	r := openRepo(t)
	all := slices.Concat(slices.Collect(maps.Values(r.testNames(t)))...)
	var found []finding
	for _, p := range r.readPages(t) {
		for i, line := range p.lines {
			for _, m := range rxTestName.FindAllStringSubmatch(line, -1) {
				name := m[1]
				if !slices.ContainsFunc(all, func(test string) bool { return strings.HasPrefix(test, name) }) {
					found = append(found, p.say(i, "there is no test %s", name))
				}
			}
		}
	}
	report(t, found)
}
