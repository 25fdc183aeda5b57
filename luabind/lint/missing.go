package lint

import (
	"regexp"
	"slices"
	"strings"

	"github.com/hindcast/hindcast/luabind/internal/api"
	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// omission is a hook that is declared without some of its parameters.
type omission struct {
	file     string
	from, to int      // its lines
	name     string   // of the hook
	start    string   // function Ship:onContact(
	has      []string // its parameters without self
	lacks    []string
}

// otherwise are names that scripts give to the parameters of hooks.
var otherwise = map[string][]string{
	"args": {"fields", "opts", "options", "params"}, "asked": {"answers"}, "contact": {"collision", "hit", "touch"},
	"input": {"cmd", "controls", "inputs", "keys"}, "level": {"map"}, "old": {"before", "previous", "prev"},
	"other":  {"col", "collider", "hit", "obj", "target", "that", "them", "with"},
	"player": {"id", "pid", "plr", "ply", "user", "who"},
}

// noteOmitted notes the parameters that a hook has and that the function does not take. One with the name of a function
// of the library is meant if the function uses it otherwise than to call it; then its value is that of the parameter.
func (w *walker) noteOmitted(c *class, name string, hook *api.Member, params []string, vars map[string]value,
	f *ast.FunctionExpr) {
	if len(params) >= len(hook.Params) || w.scope.shows() != nil {
		return
	}
	o := omission{file: w.report.current(), from: f.Line(), to: f.LastLine(), name: name, start: "function " + name + "(",
		has: params}
	if c != nil {
		o.start = "function " + c.name() + ":" + name + "("
	}
	for _, p := range hook.Params[len(params):] {
		o.lacks = append(o.lacks, p.Name)
		if library.Has(p.Name) && w.scope.isGlobal(&ast.IdentExpr{Value: p.Name}, p.Name) && usesAsValue(f.Stmts, p.Name) {
			w.report.say(f.Line(), name, "write "+o.taking(p.Name), "%s is given %s, and does not take it", name, p.Name)
			vars[p.Name] = w.scope.ofType(p.Type)
		}
	}
	w.omitted = append(w.omitted, o)
}

// usesAsValue reports whether code uses a name that it does not declare otherwise than to call it.
func usesAsValue(stmts []ast.Stmt, name string) (uses bool) {
	called := map[ast.Expr]bool{}
	eachExpr(stmts, func(e ast.Expr) {
		switch e := e.(type) {
		case *ast.FuncCallExpr:
			called[e.Func] = true
		case *ast.IdentExpr:
			uses = uses || e.Value == name && !called[e]
		}
	})
	return uses && !declares(stmts, name)
}

// declares reports whether code declares a local variable or a parameter.
func declares(stmts []ast.Stmt, name string) (found bool) {
	var block func([]ast.Stmt)
	block = func(list []ast.Stmt) {
		for _, s := range list {
			switch s := s.(type) {
			case *ast.LocalAssignStmt:
				found = found || slices.Contains(s.Names, name)
			case *ast.GenericForStmt:
				found = found || slices.Contains(s.Names, name)
			case *ast.NumberForStmt:
				found = found || s.Name == name
			}
			syntax.EachPart(s, func(ast.Expr) {}, block)
		}
	}
	block(stmts)
	eachExpr(stmts, func(e ast.Expr) {
		if f, ok := e.(*ast.FunctionExpr); ok {
			block(f.Stmts)
			found = found || slices.Contains(f.ParList.Names, name)
		}
	})
	return found
}

// taking returns how the hook is declared with a parameter that it lacks.
func (o omission) taking(param string) string {
	names := slices.Concat(o.has, o.lacks[:slices.Index(o.lacks, param)], []string{param})
	return o.start + strings.Join(names, ", ") + ")"
}

// meant returns how the hook is declared so that a name is a parameter of it; empty: it is like none that it lacks.
func (o omission) meant(name string) string {
	for i, p := range o.lacks {
		low := strings.ToLower(name)
		if strings.HasPrefix(p, low) || strings.HasPrefix(low, p) || slices.Contains(otherwise[p], low) {
			return o.start + strings.Join(slices.Concat(o.has, o.lacks[:i], []string{name}), ", ") + ")"
		}
	}
	return ""
}

// rxUndefined matches the message about a name that is not defined.
var rxUndefined = regexp.MustCompile(`^(\w+) is not defined$`)

// explainOmitted says of names that are not defined in a hook that they may be a parameter which it lacks.
func explainOmitted(found []Finding, omitted []omission) {
	for i := range found {
		f := &found[i]
		m := rxUndefined.FindStringSubmatch(f.Message)
		for _, o := range omitted {
			if m == nil || f.File != o.file || f.Line < o.from || f.Line > o.to {
				continue
			}
			if instead := o.meant(m[1]); instead != "" {
				f.Hint = o.name + " is given it: " + instead
			}
		}
	}
}
