package lint

import (
	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// declaration is a local variable where it is declared.
type declaration struct {
	s    *ast.LocalAssignStmt
	name string
}

// reassigned are the values that walks find out for variables that are assigned to again, such as the best of a loop:
// local best for ... do if ... then best = s end end. What a walk notes is known to the next one.
type reassigned struct {
	known, noted map[declaration][]value
	held, holds  map[objectTable][]value // the same of what tables hold
}

// next begins another walk.
func (r *reassigned) next() {
	r.known, r.noted = r.noted, map[declaration][]value{}
	r.held, r.holds = r.holds, map[objectTable][]value{}
}

// reassignedTo returns what a variable holds if everything that it is given is of one kind, objects of several classes being
// of one; it may be nil besides. It is not known of plain values, which a variable that may be nil is often tested for.
func (g *game) reassignedTo(d declaration) (v value) {
	for _, given := range g.reassigned.known[d] {
		switch {
		case given.Type == "nil":
		case given.Kind != object && given.Kind != someObject && given.Kind != shown, given.Class == nil:
			return value{}
		case v.Kind == anything:
			v = value{Kind: given.Kind, Class: given.Class, False: given.False}
		case v.isObject():
			var ok bool
			if v, ok = g.joined(v, given); !ok {
				return value{}
			}
		case v.Kind != given.Kind || v.Class != given.Class:
			return value{}
		}
	}
	return v
}

// given returns what is noted of a value that a variable is given. In t = t or nearest("Foe"), it is what stands after or.
func (s *scope) given(name string, e ast.Expr) value {
	if either, ok := e.(*ast.LogicalOpExpr); ok && name != "" && either.Operator == "or" && syntax.NameOf(either.Lhs) == name {
		e = either.Rhs
	}
	if e == nil || literal(e) == "nil" || name != "" && syntax.NameOf(e) == name {
		return value{Type: "nil"}
	}
	return s.infer(e)
}

// declareAgain declares a variable that is assigned to again.
func (w *walker) declareAgain(s *ast.LocalAssignStmt, i int) {
	d := declaration{s, s.Names[i]}
	switch r := &w.game.reassigned; {
	case i < len(s.Exprs):
		r.noted[d] = append(r.noted[d], w.scope.given("", s.Exprs[i]))
	case len(s.Exprs) > 0:
		r.noted[d] = append(r.noted[d], value{}) // a further result
	}
	v := w.game.reassignedTo(d)
	if v.Kind == anything {
		v = w.scope.steadily(d.name)
	}
	w.scope.declare(d.name, v)
	w.scope.block.again[d.name] = d
}

// assignedAgain notes what an assignment gives to variables, and forgets what is known of those that may hold something
// else then.
func (w *walker) assignedAgain(s *ast.AssignStmt) {
	for i, e := range s.Lhs {
		name := syntax.NameOf(e)
		b := w.scope.blockOf(name)
		if b == nil {
			continue
		}
		d, isAgain := b.again[name]
		if !isAgain {
			w.scope.set(b, name, w.scope.steadily(name))
			continue
		}
		v := value{}
		switch {
		case i < len(s.Rhs):
			v = w.scope.given(name, s.Rhs[i])
		case len(s.Rhs) > 0 && !isCall(s.Rhs[len(s.Rhs)-1]):
			v = value{Type: "nil"}
		}
		r := &w.game.reassigned
		r.noted[d] = append(r.noted[d], v)
	}
}

// blockOf returns the innermost block that declares a variable; nil: none does.
func (s *scope) blockOf(name string) *locals {
	for b := s.block; b != nil; b = b.parent {
		if _, ok := b.vars[name]; ok {
			return b
		}
	}
	return nil
}
