package syntax

import (
	"strconv"

	"github.com/hindcast/hindcast/world"
	"github.com/yuin/gopher-lua/ast"
)

// DeclaredNames adds the keys of every table under the key state or aux to
// into. These are the fields that objects may have.
func DeclaredNames(stmts []ast.Stmt, into map[string]bool) {
	var expr func(e ast.Expr)
	block := func(list []ast.Stmt) { DeclaredNames(list, into) }
	expr = func(e ast.Expr) {
		if t, ok := e.(*ast.TableExpr); ok {
			for _, f := range t.Fields {
				if k, ok := f.Key.(*ast.StringExpr); ok && (k.Value == "state" || k.Value == "aux") {
					addKeys(f.Value, into)
				}
			}
		}
		if e != nil {
			EachOperand(e, expr, block)
		}
	}
	for _, s := range stmts {
		EachPart(s, expr, block)
	}
}

func addKeys(e ast.Expr, into map[string]bool) {
	t, ok := e.(*ast.TableExpr)
	if !ok {
		return
	}
	for _, f := range t.Fields {
		if k, ok := f.Key.(*ast.StringExpr); ok {
			into[k.Value] = true
		}
		addParts(f.Value, into)
	}
}

// addParts adds the keys of record {...}, and of the record in list(record {...}, n).
func addParts(e ast.Expr, into map[string]bool) {
	call, ok := e.(*ast.FuncCallExpr)
	if !ok || len(call.Args) == 0 {
		return
	}
	switch id, _ := call.Func.(*ast.IdentExpr); {
	case id == nil:
	case id.Value == "record":
		addKeys(call.Args[0], into)
	case id.Value == "list":
		addParts(call.Args[0], into)
	}
}

// Lines are the lines of the keys of a declaration, for messages.
type Lines struct {
	Line int
	keys map[string]*Lines
}

// Find returns the line of the deepest key of path that is known.
func (l *Lines) Find(path ...string) int {
	if l == nil {
		return 0
	}
	line := l.Line
	for _, k := range path {
		if l = l.keys[k]; l == nil {
			return line
		}
		line = l.Line
	}
	return line
}

func linesOf(t *ast.TableExpr, line int) *Lines {
	l := &Lines{Line: line, keys: map[string]*Lines{}}
	for i, f := range t.Fields {
		key := "#" + strconv.Itoa(i+1)
		if k, ok := f.Key.(*ast.StringExpr); ok {
			key, line = k.Value, max(k.Line(), line)
		}
		at := line
		if inner, ok := f.Value.(*ast.TableExpr); ok {
			l.keys[key] = linesOf(inner, at)
		} else {
			l.keys[key] = &Lines{Line: at}
		}
	}
	return l
}

// declarationOf returns the name and the table of object "Name" {...}, game {...} and player {...}; "" for other calls.
func declarationOf(call *ast.FuncCallExpr) (name string, t *ast.TableExpr) {
	t, ok := only(call.Args).(*ast.TableExpr)
	if !ok {
		return "", nil
	}
	if id := NameOf(call.Func); world.HoldsState(id) {
		return id, t
	}
	inner, ok := call.Func.(*ast.FuncCallExpr)
	if !ok || NameOf(inner.Func) != "object" {
		return "", nil
	}
	name, _ = TextOf(only(inner.Args))
	return name, t
}

// AssignedGlobals adds the globals to names that the main chunk of a file assigns, or defines as functions, outside of
// blocks.
func AssignedGlobals(tree []ast.Stmt, names map[string]bool) {
	locals := map[string]bool{}
	for _, s := range tree {
		switch s := s.(type) {
		case *ast.LocalAssignStmt:
			for _, n := range s.Names {
				locals[n] = true
			}
		case *ast.FuncDefStmt:
			if s.Name.Func != nil {
				addGlobal(s.Name.Func, locals, names)
			}
		case *ast.AssignStmt:
			for _, e := range s.Lhs {
				addGlobal(e, locals, names)
			}
		}
	}
}

func addGlobal(e ast.Expr, locals, names map[string]bool) {
	if id, ok := e.(*ast.IdentExpr); ok && !locals[id.Value] {
		names[id.Value] = true
	}
}
