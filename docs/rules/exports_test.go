package rules

import (
	"go/ast"
	"go/types"
	"regexp"
	"strings"
	"testing"
)

// TestExportsAreUsed: a name at the top of an internal package that is exported is used by another
// package or its tests.
func TestExportsAreUsed(t *testing.T) {
	m, r := loadModule(t), openRepo(t)
	report(t, m.unusedExports(r.usesInTests(t)))
}

func TestUnusedExports(t *testing.T) {
	all := load(t, openRepo(t).root, "./docs/rules/testdata/exports/...")
	want := map[string]string{}
	for _, s := range all {
		for place, text := range wants(s) {
			want[place] = text
		}
	}
	compare(t, want, module(all).unusedExports(map[string]bool{}))
}

// unusedExports finds exported names of internal packages that no other package uses, nor a test: a
// type is also used by whoever uses a function or type that is exported and has it in its signature.
func (m module) unusedExports(used map[string]bool) (found []finding) {
	for _, s := range m {
		note := func(obj types.Object) {
			if obj != nil && obj.Pkg() != nil && obj.Pkg() != s.pkg {
				used[obj.Pkg().Path()+"."+obj.Name()] = true
			}
		}
		// order: each is noted
		for _, obj := range s.info.Uses {
			note(obj)
		}
	}
	for _, s := range m {
		if !strings.Contains("/"+s.dir+"/", "/internal/") {
			continue
		}
		signatures := s.signatures()
		for _, name := range s.pkg.Scope().Names() {
			obj := s.pkg.Scope().Lookup(name)
			if obj.Exported() && !used[s.pkg.Path()+"."+name] && !regexp.MustCompile(`\b`+name+`\b`).MatchString(signatures) {
				found = append(found, at(s.fset.Position(obj.Pos()), "no other package uses %s: write it with a small letter, or remove it", name))
			}
		}
	}
	return found
}

// usesInTests are the names at the top of a package, as path.Name, that tests of other packages use.
func (r repo) usesInTests(t *testing.T) map[string]bool {
	used := map[string]bool{}
	r.eachTest(t, func(dir string, f *ast.File) {
		imports := importsOf(f)
		ast.Inspect(f, func(n ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok {
				if id, ok := sel.X.(*ast.Ident); ok && isOurs(imports[id.Name]) && imports[id.Name] != modulePath+"/"+dir {
					used[imports[id.Name]+"."+sel.Sel.Name] = true
				}
			}
			return true
		})
	})
	return used
}

// signatures is the text of the signatures and types that the package exports.
func (s source) signatures() (text string) {
	s.inspect(func(n ast.Node) {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if n.Name.IsExported() {
				text += types.ExprString(n.Type) + "\n"
			}
		case *ast.TypeSpec:
			if n.Name.IsExported() {
				text += types.ExprString(n.Type) + "\n"
			}
		}
	})
	return text
}

func isOurs(pkg string) bool { return strings.HasPrefix(pkg, modulePath+"/") }
