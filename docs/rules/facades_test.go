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

// bareFields are the fields of facades that are no parts, each for its reason.
var bareFields = map[string]string{
	"world.World.present":             "where the World is: all of it reads the state and the schema",
	"world.World.Options":             "settings of the program, which may change them between ticks",
	"runtime/timeline.Timeline.check": "a setting: assert invariants",
	"runtime/timeline.Timeline.ran":   "a setting: the observer of the program",
	"runtime.Host.log":                "the log of the program",
	"runtime.Client.now":              "the time of the last call",
	"runtime.Client.end":              "the parts that all kinds of clients have",
	"runtime.Client.scope":            "a setting, which follows from the kind",
	"runtime.Client.names":            "the names of the players, as the host sent them",
	"runtime.Client.datagrams":        "counters, which the report has as they are",
	"luabind.VM.used":                 "a number that the last hook left for Instructions",
}

// TestFacadesAreParts: the fields of a facade are parts: structs with methods on their pointers, interfaces
// of its package, or types of other packages of this module.
func TestFacadesAreParts(t *testing.T) {
	parts := loadModule(t).parts()
	byType := map[*types.Named]*part{}
	for _, p := range parts {
		byType[p.named] = p
	}
	excused := map[string]bool{}
	for _, whole := range parts {
		if !slices.Contains(facades, whole.dir+"."+whole.name) {
			continue
		}
		st := whole.named.Underlying().(*types.Struct)
		for i := range st.NumFields() {
			f, name := st.Field(i), whole.dir+"."+whole.name+"."+st.Field(i).Name()
			named := ourNamed(f.Type())
			if named != nil && (named.Obj().Pkg() != f.Pkg() || types.IsInterface(named) || byType[named] != nil && !byType[named].record) {
				continue
			}
			if bareFields[name] == "" {
				t.Errorf("%s is no part: move it into a struct that owns it, with methods; exceptions are in bareFields, with their reasons", name)
			}
			excused[name] = true
		}
	}
	for name := range bareFields {
		if !excused[name] {
			t.Errorf("%s is in bareFields and is a part, or not there: take its line out", name)
		}
	}
}
