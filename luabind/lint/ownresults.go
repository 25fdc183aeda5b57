package lint

import (
	"slices"

	"github.com/hindcast/hindcast/luabind/internal/ident"
	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// resultOf returns the value of the first result of a function of the game's files, as far as all its returns agree.
// Where none is known, an object may be nil, and other values may not.
func (s *scope) resultOf(c *ownCall) value { return s.resultAt(c, 0) }

// resultAt is resultOf for another result.
func (s *scope) resultAt(c *ownCall, at int) value {
	key := ownResult{c.to.f, c.class, at}
	if v, known := s.game.resulting[key]; known {
		return v
	}
	s.game.resulting[key] = value{} // of a function that calls itself, nothing is known meanwhile
	functions := s.game.functionsIn(c.to.file)
	vars := unknown(functions.declared[c.to.file])
	for _, name := range functions.tablesOf(c.to.file) {
		vars[name] = value{Kind: shared} // its functions may call each other
	}
	if functions == s.game.outside {
		for _, name := range ident.Keys(functions.locals[c.to.file]) {
			vars[name] = value{Type: "function", Func: functions.locals[c.to.file][name]}
		}
	}
	for _, p := range c.to.f.ParList.Names {
		vars[p] = value{}
	}
	s.game.paramsIn(vars, c)
	if c.class != nil && c.to.colon {
		vars["self"] = value{Kind: object, Class: c.class}
	}
	r := &results{scope: &scope{game: s.game, file: c.to.file, again: functions.again[c.to.file]}, at: at}
	r.scope.tables, r.scope.steady = s.game.ofFile(c.to.file, functions.trees[c.to.file])
	r.scope.within(vars, func() { r.block(c.to.f.Stmts) })
	v := r.common(ends(c.to.f.Stmts))
	s.game.resulting[key] = v
	return v
}

// ownResult names a function, the class whose method it is, nil: of none, and which of its results is meant.
type ownResult struct {
	f     *ast.FunctionExpr
	class *class
	at    int
}

// results are the values that a function returns.
type results struct {
	scope *scope
	at    int // which one of each return
	list  []value
}

func (r *results) block(stmts []ast.Stmt) {
	r.scope.within(map[string]value{}, func() {
		for _, s := range stmts {
			r.stmt(s)
		}
	})
}

func (r *results) stmt(s ast.Stmt) {
	vars := map[string]value{}
	switch s := s.(type) {
	case *ast.ReturnStmt:
		v := value{Type: "nil"}
		switch last := len(s.Exprs) - 1; {
		case r.at <= last:
			v = r.value(s.Exprs[r.at])
		case mayAdd(s.Exprs):
			v = value{}
		}
		r.list = append(r.list, v)
		return
	case *ast.LocalAssignStmt:
		for i, n := range s.Names {
			var v value
			switch {
			case r.scope.again[n]:
				if v = r.scope.game.reassignedTo(declaration{s, n}); v.Kind == anything {
					v = r.scope.steadily(n)
				}
			case i < len(s.Exprs) && tableIn(s.Exprs[i]) != nil:
				v = r.scope.ofVariable(n, v)
			case i < len(s.Exprs):
				v = r.value(s.Exprs[i])
			}
			if v.Type == "nil" {
				v = value{}
			}
			r.scope.declare(n, v)
		}
		return
	case *ast.NumberForStmt:
		vars[s.Name] = value{}
	case *ast.GenericForStmt:
		vars = unknown(s.Names)
		call, ok := s.Exprs[0].(*ast.FuncCallExpr)
		if ok && len(call.Args) == 1 && len(s.Names) == 2 && r.scope.isGlobal(call.Func, "ipairs") && !r.scope.again[s.Names[1]] {
			vars[s.Names[1]] = r.scope.itemOf(call.Args[0])
		}
	}
	r.scope.within(vars, func() { syntax.EachPart(s, func(ast.Expr) {}, r.block) })
}

// value returns what is known of a value that may be a result.
func (r *results) value(e ast.Expr) value {
	v := r.scope.infer(e)
	switch v.Kind {
	case object, someObject, found, joint, kept, test, testWorld:
		return v
	case anything:
		if of := r.scope.typeOf(e); slices.Contains([]string{"boolean", "nil", "number", "string"}, of) {
			return value{Type: of, Maybe: v.Maybe}
		}
		if v.Own != nil && v.Own.returned {
			return value{Type: "table", Own: v.Own}
		}
	}
	return value{}
}

// common returns what all results have in common. ended is true if the function never ends without a return.
func (r *results) common(ended bool) (of value) {
	for _, v := range r.list {
		switch {
		case v.Type == "nil":
			ended = false
		case v == value{}:
			return value{}
		case of == value{} || of == v:
			of = v
		case of.Maybe != v.Maybe && of.Type == v.Type && of.Kind == anything && v.Kind == anything:
			of.Maybe = true
		case of.isObject() && v.isObject():
			var ok bool
			if of, ok = r.scope.game.joined(of, v); !ok {
				return value{}
			}
		default:
			return value{}
		}
	}
	if !ended && !of.isObject() && of.Kind != joint {
		return value{}
	}
	return of
}

// ends reports whether code never runs to its end, because it returns or fails before.
func ends(stmts []ast.Stmt) bool {
	if len(stmts) == 0 {
		return false
	}
	switch s := stmts[len(stmts)-1].(type) {
	case *ast.ReturnStmt:
		return true
	case *ast.DoBlockStmt:
		return ends(s.Stmts)
	case *ast.IfStmt:
		return ends(s.Then) && ends(s.Else)
	}
	return false
}

// mayAdd reports whether the last of several expressions may give more than one value.
func mayAdd(list []ast.Expr) bool { _, open := count(list); return open }
