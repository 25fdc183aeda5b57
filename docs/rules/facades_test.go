package rules

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"testing"
)

// holders may hold the facade of their package, each for its reason: structs, and fields that keep its
// methods.
var holders = map[string]string{
	"world.Actor":        "a value by which scripts see the World; no part of it",
	"world.Reader":       "a value by which programs read the World; no part of it",
	"world.Queries":      "a value by which scripts and programs search the World; no part of it",
	"world.PartialRerun": "drives the World through ticks of the past, as a program does through the present",
	"world.RerunBlock":   "the calls of a PartialRerun for one block: it drives the World as well",
	"world.bodyFetcher":  "the World as the physics sees it, for the time of one step",
	"world.Calls":        "a value by which an interpreter runs hooks in the World; no part of it",
	"luabind.Bot":        "runs the script of a bot in a VM",
	"luabind.View":       "runs view.lua in a VM",
	"luabind.Tests":      "runs a game's tests in a VM",
	"luabind.testRun":    "one test of a game in a VM",
	"runtime.poll":       "a Driver calls the Host or Client that it drives",
	"runtime.update":     "a Driver calls the Host or Client that it drives",
	"runtime.due":        "a Driver calls the Host or Client that it drives",
}

// TestNothingHoldsTheFacade: of the structs of a facade's package, whether the facade holds them or
// not, only holders have a field that is or points to the facade, and none keeps one of its methods
// as a value.
func TestNothingHoldsTheFacade(t *testing.T) {
	m := loadModule(t)
	parts := m.parts()
	var found []string
	excused := map[string]bool{}
	for _, whole := range parts {
		if !slices.Contains(facades, whole.dir+"."+whole.name) {
			continue
		}
		for _, p := range parts {
			if p == whole || p.dir != whole.dir || !p.holds(whole) {
				continue
			}
			if name := p.dir + "." + p.name; holders[name] != "" {
				excused[name] = true
				continue
			}
			found = append(found, fmt.Sprintf("%s %s holds the %s", p.dir, p.name, whole.name))
		}
		if s, ok := m.dir(whole.dir); ok {
			for _, b := range s.boundMethods(whole) {
				if holders[s.dir+"."+b.field] != "" {
					excused[s.dir+"."+b.field] = true
					continue
				}
				found = append(found, fmt.Sprintf("%s %s is set to %s.%s", s.dir, b.field, whole.name, b.method))
			}
		}
	}
	for name := range holders {
		if !excused[name] {
			t.Errorf("%s is in holders and holds no facade: take its line out, or change its name", name)
		}
	}
	hold(t, "facade", found, "Each line is a struct that holds the facade of its package, or a field that keeps one of its methods: hand in what it needs as arguments.")
}

// A boundMethod is a field that is set to a method of a value.
type boundMethod struct{ field, method string }

// boundMethods are the fields of structs of the package that are set to a method of a facade as a value.
func (s source) boundMethods(whole *part) (found []boundMethod) {
	note := func(field *ast.Ident, value ast.Expr) {
		f, ok := s.info.Uses[field].(*types.Var)
		sel, isSel := ast.Unparen(value).(*ast.SelectorExpr)
		if !ok || !isSel || !f.IsField() || f.Pkg() != s.pkg || s.info.Selections[sel] == nil || s.info.Selections[sel].Kind() != types.MethodVal {
			return
		}
		if recv := ourNamed(s.info.Selections[sel].Recv()); recv == whole.named {
			found = append(found, boundMethod{f.Name(), sel.Sel.Name})
		}
	}
	s.inspect(func(n ast.Node) {
		switch n := n.(type) {
		case *ast.KeyValueExpr:
			if id, ok := n.Key.(*ast.Ident); ok {
				note(id, n.Value)
			}
		case *ast.AssignStmt:
			for i, to := range n.Lhs {
				if sel, ok := to.(*ast.SelectorExpr); ok && len(n.Lhs) == len(n.Rhs) {
					note(sel.Sel, n.Rhs[i])
				}
			}
		}
	})
	return found
}
