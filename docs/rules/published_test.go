package rules

import (
	"fmt"
	"go/ast"
	"go/types"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/hindcast/hindcast/runtime/simtest/golden"
)

// published compares a list with testdata/published/NAME, which holds what is
// published: programs, scripts and pages of other people rely on it. A published
// name stays when Go names change.
func published(t *testing.T, name string, lines []string) {
	t.Helper()
	golden.Lines(t, "testdata/published/"+name, lines)
}

// A publication is a Go type that is written or read as JSON.
type publication struct {
	label     string // in the list
	dir, name string // of the Go type
}

// lookup finds what a publication is of.
func (m module) lookup(t *testing.T, p publication) types.Object {
	t.Helper()
	if s, ok := m.dir(p.dir); ok && s.pkg.Scope().Lookup(p.name) != nil {
		return s.pkg.Scope().Lookup(p.name)
	}
	t.Errorf("%s: there is no %s.%s: change its line in docs/rules", p.label, p.dir, p.name)
	return nil
}

// TestPublishedWords holds the words by which values of enumerations are
// called in JSON, metrics, logs, dumps and errors: the texts in their methods
// String, without the names of their Go types.
func TestPublishedWords(t *testing.T) {
	var lines []string
	for _, s := range loadModule(t) {
		s.inspect(func(n ast.Node) {
			f, ok := n.(*ast.FuncDecl)
			if !ok || f.Name.Name != "String" || f.Recv == nil || f.Body == nil || !s.isBasic(f.Recv.List[0].Type, types.IsInteger) {
				return
			}
			if words := s.words(f.Body); len(words) > 0 {
				lines = append(lines, strings.Join(words, ", "))
			}
		})
	}
	slices.Sort(lines)
	published(t, "words.txt", lines)
}

// words are the constant texts in a body and in the package's variables that
// it uses.
func (s source) words(body ast.Node) (words []string) {
	used := map[types.Object]bool{}
	var visit func(n ast.Node) bool
	visit = func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BasicLit:
			if w := s.text(n); w != "" && !strings.Contains(w, "%") {
				words = append(words, w)
			}
		case *ast.Ident:
			if v := s.packageVar(n); v != nil && !used[v] {
				used[v] = true
				if value := s.initial(v); value != nil {
					ast.Inspect(value, visit)
				}
			}
		}
		return true
	}
	ast.Inspect(body, visit)
	return words
}

// initial is the expression that a variable of the package is declared with.
func (s source) initial(v *types.Var) (value ast.Expr) {
	s.inspect(func(n ast.Node) {
		if spec, ok := n.(*ast.ValueSpec); ok && len(spec.Values) == len(spec.Names) {
			for i, name := range spec.Names {
				if s.info.Defs[name] == v {
					value = spec.Values[i]
				}
			}
		}
	})
	return value
}

// flagMethods are those that declare a flag, with the places of its name, its
// default and its usage among their arguments.
var flagMethods = map[string][3]int{
	"Bool": {0, 1, 2}, "String": {0, 1, 2}, "Int": {0, 1, 2}, "Uint": {0, 1, 2}, "Int64": {0, 1, 2}, "Uint64": {0, 1, 2}, "Float64": {0, 1, 2}, "Duration": {0, 1, 2},
	"BoolVar": {1, 2, 3}, "StringVar": {1, 2, 3}, "IntVar": {1, 2, 3}, "UintVar": {1, 2, 3}, "Int64Var": {1, 2, 3}, "Uint64Var": {1, 2, 3}, "Float64Var": {1, 2, 3}, "DurationVar": {1, 2, 3},
	"TextVar": {1, 2, 3}, "Func": {0, -1, 1}, "BoolFunc": {0, -1, 1},
}

// TestPublishedFlags holds the flags of the programs: package, name, the word
// that stands for the value, kind and default.
func TestPublishedFlags(t *testing.T) {
	published(t, "flags.txt", loadModule(t).flagLines())
}

// flagLines is a line for each flag: program, -name, value, kind, default.
func (m module) flagLines() (lines []string) {
	for _, s := range m {
		if !within(s.dir, "cmd/...") {
			continue
		}
		s.inspect(func(n ast.Node) {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return
			}
			sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
			if !ok || !isFlags(s.info.TypeOf(sel.X)) {
				return
			}
			if places, ok := flagMethods[sel.Sel.Name]; ok {
				lines = append(lines, s.flagLine(call, sel.Sel.Name, places))
			}
		})
	}
	slices.Sort(lines)
	return lines
}

func isFlags(t types.Type) bool {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	n, ok := types.Unalias(t).(*types.Named)
	return ok && (n.Obj().Name() == "Flags" || n.Obj().Name() == "FlagSet")
}

func (s source) flagLine(call *ast.CallExpr, method string, places [3]int) string {
	value := ""
	if parts := strings.Split(s.text(call.Args[places[2]]), "`"); len(parts) == 3 {
		value = " " + parts[1]
	}
	standard := ""
	if places[1] >= 0 {
		arg := call.Args[places[1]]
		standard = " = " + types.ExprString(arg)
		if v := s.info.Types[arg].Value; v != nil {
			standard = " = " + v.String()
		}
	}
	return fmt.Sprintf("%s -%s%s %s%s", path.Base(s.dir), s.text(call.Args[places[0]]), value, strings.ToLower(strings.TrimSuffix(method, "Var")), standard)
}

// versions are the constants that say which version of a format a package
// writes, and the pages that say it too, each with the words.
var versions = []struct {
	publication
	pages map[string]string
}{
	{publication{"wire", "net/wire", "Version"}, map[string]string{"net/wire/PROTOCOL.md": "Protocol version: **%s**", "CHANGELOG.md": "Protocol version %s,"}},
	{publication{"replay", "runtime/replay", "Version"}, map[string]string{"CHANGELOG.md": "replay format version %s."}},
}

// TestPublishedVersions holds the versions of the formats.
func TestPublishedVersions(t *testing.T) {
	m := loadModule(t)
	r := openRepo(t)
	var lines []string
	for _, v := range versions {
		c, ok := m.lookup(t, v.publication).(*types.Const)
		if !ok {
			continue
		}
		number := c.Val().String()
		lines = append(lines, v.label+" "+number)
		// order: every page is checked
		for page, words := range v.pages {
			if want := fmt.Sprintf(words, number); !strings.Contains(r.read(t, page), want) {
				t.Errorf("%s does not say %q, as %s.%s does", page, want, v.dir, v.name)
			}
		}
	}
	published(t, "versions.txt", lines)
}

// settingMethods are those of scripts' table that read a key of game.toml; each
// is for one kind of value.
var settingMethods = []string{"number", "integer", "whole", "milliseconds", "flag", "str", "pair", "sub", "list", "get"}

// TestPublishedSettings holds the keys of game.toml and the kinds of their
// values. A test of package scripts has each of them in its table.
func TestPublishedSettings(t *testing.T) {
	s, ok := loadModule(t).dir("scripts")
	if !ok {
		t.Fatal("no package scripts")
	}
	var lines []string
	s.inspect(func(n ast.Node) {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) == 0 {
			return
		}
		sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		if !ok || !slices.Contains(settingMethods, sel.Sel.Name) || s.info.Selections[sel] == nil {
			return
		}
		if key := s.text(call.Args[0]); key != "" {
			lines = append(lines, sel.Sel.Name+" "+key)
		}
	})
	slices.Sort(lines)
	published(t, "settings.txt", lines)
}
