package rules

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// oldTerms are words that docs/glossary.md has others for. In names they stand
// as words of their own: tellerFor has teller.
var oldTerms = map[string]string{
	"teller": "snapshot sender", "outlook": "relevancy set", "stand in": "proxy", "standin": "proxy", "whyline": "source line", "placer": "source line",
	"whys": "provenance", "dress": "change of level of detail", "dressed": "change of level of detail", "handover": "blend", "trail": "pose history", "blind": "input-only",
	"playback": "interpolation buffer", "restate": "apply committed", "usual": "default", "strange": "replicated", "told": "replicated, or acknowledged",
	"known run": "shared run", "known part": "shared set", "known sum": "shared sum", "settle": "commit", "settled": "committed", "given": "patch",
	"screen": "view bounds", "overruled": "corrected", "narrowed": "reduced window", "ghosts": "proxy definitions", "picture": "frame", "pictures": "frames", "otherwise": "divergence",
	"evidence": "recorded state", "latecomer": "late input", "acts": "host events", "queue move": "owner pose", "judge moves": "owner pose",
	"agenda": "rerun queue", "occasion": "displacement context", "bystander": "non-simulating", "helm": "input effects", "strays": "hold differs",
}

// publishedTerms are names with such a word that stay: Lua, JSON, flags and
// metrics have them, or the page, which draws trails.
var publishedTerms = map[string]bool{"trail": true}

// oldPhrases are the same in prose: comments and pages.
var oldPhrases = regexp.MustCompile(`(?i)\b(stand-ins?|tellers?|outlooks?|whylines?|told of|told objects?|a moment ago|knownRun|known part|the trail|handovers?|whoever|he|his|him|himself|misheard|watchers?)\b`)

// TestTerms finds old terms in names, comments, string literals and pages, and in
// the files of other languages, tests included.
func TestTerms(t *testing.T) {
	m, r := loadModule(t), openRepo(t)
	var found []string
	for _, s := range m {
		for id, obj := range s.info.Defs {
			if obj == nil || publishedTerms[id.Name] {
				continue
			}
			if old := oldTerm(id.Name); old != "" {
				found = append(found, fmt.Sprintf("%s %s: say %s", s.dir, id.Name, oldTerms[old]))
			}
		}
		for _, f := range s.files {
			found = append(found, oldProse(s.dir, path.Base(s.fset.Position(f.Package).Filename), f)...)
		}
	}
	found = append(found, r.oldTermsOfTests(t)...)
	for _, file := range r.pages() {
		if file == "CHANGELOG.md" || file == "docs/glossary.md" {
			continue
		}
		text, err := os.ReadFile(filepath.Join(r.root, filepath.FromSlash(file)))
		if err != nil {
			t.Fatal(err)
		}
		for _, phrase := range oldPhrases.FindAllString(string(text), -1) {
			found = append(found, file+" "+strings.ToLower(phrase))
		}
	}
	found = append(found, r.oldPhrasesOfOtherFiles(t)...)
	hold(t, "terms", found, "Each line is a name, or words in a comment, text or page, for which docs/glossary.md has another term.")
}

func oldProse(dir, file string, f *ast.File) (found []string) {
	for _, group := range f.Comments {
		for _, phrase := range oldPhrases.FindAllString(group.Text(), -1) {
			found = append(found, fmt.Sprintf("%s %s: %s", dir, file, strings.ToLower(phrase)))
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		if text, ok := n.(*ast.BasicLit); ok && text.Kind == token.STRING && file != "terms_test.go" {
			for _, phrase := range oldPhrases.FindAllString(text.Value, -1) {
				found = append(found, fmt.Sprintf("%s %s: %q", dir, file, strings.ToLower(phrase)))
			}
		}
		return true
	})
	return found
}

// rxJSComment is a comment of a script of a page. In its code, names and texts must not have old terms.
var rxJSComment = regexp.MustCompile(`(?m)//.*$`)

// otherLanguages are the endings of the names of files that people read and that
// are neither Go nor pages.
var otherLanguages = []string{".lua", ".js", ".html", ".css", ".toml", ".txtar", ".txt", ".yml"}

// oldPhrasesOfOtherFiles finds old phrases in scripts, web pages, settings and shell
// files, and in the transcripts and golden texts of tests. Left out is what is
// compared with the output of another Lua interpreter.
func (r repo) oldPhrasesOfOtherFiles(t *testing.T) (found []string) {
	read := map[string]bool{}
	for _, file := range r.files {
		kind := path.Ext(file)
		if path.Dir(file) == ".ci" {
			kind = ".ci"
		} else if !slices.Contains(otherLanguages, kind) || strings.HasPrefix(file, "luabind/testdata/lua51/") {
			continue
		}
		text, err := os.ReadFile(filepath.Join(r.root, filepath.FromSlash(file)))
		if err != nil {
			t.Fatal(err)
		}
		read[kind] = true
		for _, phrase := range oldPhrases.FindAllString(string(text), -1) {
			found = append(found, fmt.Sprintf("%s %s: %s", path.Dir(file), path.Base(file), strings.ToLower(phrase)))
		}
		if kind == ".js" {
			for _, name := range rxWord.FindAllString(rxJSComment.ReplaceAllString(string(text), ""), -1) {
				if old := oldTerm(name); old != "" && !publishedTerms[name] {
					found = append(found, fmt.Sprintf("%s %s: %s: say %s", path.Dir(file), path.Base(file), name, oldTerms[old]))
				}
			}
		}
	}
	for _, kind := range append(otherLanguages, ".ci") {
		if !read[kind] {
			t.Errorf("no %s file was read", kind)
		}
	}
	return found
}

// oldTermsOfTests finds old terms in the files of tests. They are parsed only:
// what an identifier refers to is not needed, and type-checking them would take
// as long as all other packages do.
func (r repo) oldTermsOfTests(t *testing.T) (found []string) {
	for _, file := range r.goFiles() {
		if !strings.HasSuffix(file, "_test.go") || file == "docs/rules/terms_test.go" {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(r.root, filepath.FromSlash(file)), nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		dir := path.Dir(file)
		for _, name := range declaredNames(f) {
			if old := oldTerm(name); old != "" && !publishedTerms[name] {
				found = append(found, fmt.Sprintf("%s %s: %s: say %s", dir, path.Base(file), name, oldTerms[old]))
			}
		}
		found = append(found, oldProse(dir, path.Base(file), f)...)
	}
	return found
}

// declaredNames are the names that a file declares: of functions, types,
// values, fields, parameters and variables.
func declaredNames(f *ast.File) (names []string) {
	add := func(exprs ...ast.Expr) {
		for _, e := range exprs {
			if id, ok := e.(*ast.Ident); ok {
				names = append(names, id.Name)
			}
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			add(n.Name)
		case *ast.TypeSpec:
			add(n.Name)
		case *ast.ValueSpec:
			for _, id := range n.Names {
				add(id)
			}
		case *ast.Field:
			for _, id := range n.Names {
				add(id)
			}
		case *ast.AssignStmt:
			if n.Tok == token.DEFINE {
				add(n.Lhs...)
			}
		case *ast.RangeStmt:
			if n.Tok == token.DEFINE {
				add(n.Key, n.Value)
			}
		}
		return true
	})
	return names
}

func TestDeclaredNames(t *testing.T) {
	const text = `package x
type a struct{ b int }
const c = 1
func (d a) e(f int) (g int) {
	h := f
	for i, j := range []int{} { i, j = j, i }
	if k, ok := any(h).(int); ok { h = k }
	return func(l int) int { return l }(h)
}`
	f, err := parser.ParseFile(token.NewFileSet(), "x.go", text, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(declaredNames(f), " "); got != "a b c e d f g h i j k ok l" {
		t.Errorf("found %q", got)
	}
}

// oldTerm is the old term that a name has as words of its own; "" if none.
func oldTerm(name string) string {
	var b strings.Builder
	b.WriteByte(' ')
	for i, c := range name {
		if i > 0 && unicode.IsUpper(c) {
			b.WriteByte(' ')
		}
		b.WriteRune(unicode.ToLower(c))
	}
	b.WriteByte(' ')
	words, found := b.String(), ""
	// order: the least that fits is taken
	for old := range oldTerms {
		if strings.Contains(words, " "+old+" ") && (found == "" || old < found) {
			found = old
		}
	}
	return found
}
