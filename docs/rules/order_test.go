package rules

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// reason starts the comment, on the line above, that says why the order of an
// iteration over a map does not matter.
const reason = "// order: "

// mapOrder finds iterations over a map, whose order differs from run to run,
// that give no such reason. Sorting the keys at once needs none:
// slices.Sorted(maps.Keys(m)).
func mapOrder(s source) (found []finding) {
	const advice = "a map's order differs from run to run: go through a sorted slice, or say why it does not matter on the line above, with " + reason
	for _, f := range s.files {
		excused := excusedLines(s.fset, f)
		sorted := map[ast.Node]bool{}
		say := func(n ast.Node, what string) {
			if p := s.fset.Position(n.Pos()); !excused[p.Line] {
				found = append(found, at(p, "%s: %s", what, advice))
			}
		}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.RangeStmt:
				if slices.ContainsFunc(kinds(s.info.TypeOf(n.X)), isMap) {
					say(n, "range over a map")
				}
			case *ast.CallExpr: // comes before what it calls and its arguments
				if pkg, name, ok := s.callee(n); ok && pkg == "slices" && strings.HasPrefix(name, "Sorted") {
					if inner, ok := n.Args[0].(*ast.CallExpr); ok {
						sorted[calledName(inner)] = true
					}
				}
			case *ast.Ident:
				pkg, name, ok := s.function(n)
				if ok && pkg == "maps" && (name == "Keys" || name == "Values" || name == "All") && !sorted[n] {
					say(n, "maps."+name)
				}
			}
			return true
		})
	}
	return found
}

func isMap(t types.Type) bool {
	_, ok := t.(*types.Map)
	return ok
}

// excusedLines are the lines of f right below a comment that gives a reason.
func excusedLines(fset *token.FileSet, f *ast.File) map[int]bool {
	lines := map[int]bool{}
	for _, group := range f.Comments {
		for _, c := range group.List {
			if text, ok := strings.CutPrefix(c.Text, reason); ok && strings.TrimSpace(text) != "" {
				lines[fset.Position(group.End()).Line+1] = true
			}
		}
	}
	return lines
}

// calledName is the identifier that names what is called; nil if none does.
func calledName(call *ast.CallExpr) ast.Node {
	switch f := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		return f
	case *ast.SelectorExpr:
		return f.Sel
	}
	return nil
}

func (s source) callee(call *ast.CallExpr) (pkg, name string, ok bool) {
	if id, isIdent := calledName(call).(*ast.Ident); isIdent {
		return s.function(id)
	}
	return "", "", false
}
