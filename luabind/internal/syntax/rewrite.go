package syntax

import "github.com/yuin/gopher-lua/ast"

// Names of the functions that rewritten code calls. No script can spell them.
const (
	Get     = "(=get)"     // (get)(object, key): a field, of handles too
	Set     = "(=set)"     // (set)(object, key, value): every write to a table or handle
	Change  = "(=change)"  // (change)(object, key, operator, by): object[key] = object[key] + by
	Concat  = "(=concat)"  // a .. b .. c
	Pow     = "(=pow)"     // a ^ b
	Table   = "(=table)"   // (table)({...}, n) pays for a table; n says how many fields it has
	List    = "(=list)"    // (list)({...}, n, a, f()) adds a list of any length after n values
	Put     = "(=put)"     // (put)({...}, mask, key, value, ...) adds fields
	Closure = "(=closure)" // (closure)(function) pays for what it captures
	Varargs = "(=varargs)" // (varargs)(...) pays for its length

	NextIndex = "(=next index)" // ipairs' step
	NextKey   = "(=next key)"   // pairs' step
)

// rewriter changes the syntax tree of a file before it is compiled. It cures
// what gopher-lua compiles wrong, and turns what a script may do only under
// our eyes into calls.
//
// Cured: assignments to several targets read values already overwritten (issue
// 440); a chain of and/or assigned to a variable (490); a generic for with
// fewer than three values leaves old ones in place (514); constant conditions
// make jumps that land wrong (540); a field of a constant as target (524); a
// break out of a block with captured variables leaves them open; "local f =
// function" sees f inside; numbers with leading zeros are octal. Tail calls
// are turned into plain ones by the verifier.
//
// Turned into calls: writes to tables and handles (frozen tables, memory),
// "..", "^", constructors, closures, "..." as a list, and reads of the fields
// that some class declares.
//
// Made cheaper: our functions, the library's and the methods of objects among
// them, are arguments of the main chunk, and so variables that functions
// capture. Looking them up by name would cost more than calling them.
type rewriter struct {
	names Names
	u     *unit
}

// file rewrites a whole file.
func (r rewriter) file(stmts []ast.Stmt, c *Chunk) []ast.Stmt {
	r.u.enter(nil, false)
	stmts = r.stmts(stmts)
	r.u.leave(1)
	if len(c.Imports) == 0 {
		return stmts
	}
	return append([]ast.Stmt{local(1, c.Imports, at(&ast.Comma3Expr{}, 1))}, stmts...)
}

// function rewrites the body of a function.
func (r rewriter) function(f *ast.FunctionExpr) {
	r.u.enter(f.ParList.Names, f.ParList.HasVargs)
	f.Stmts = r.stmts(f.Stmts)
	r.u.leave(f.Line())
}

func (r rewriter) stmts(list []ast.Stmt) []ast.Stmt {
	out := make([]ast.Stmt, 0, len(list))
	for _, s := range list {
		out = append(out, r.stmt(s)...)
	}
	return out
}

// body rewrites the statements of a scope of their own.
func (r rewriter) body(list []ast.Stmt) []ast.Stmt {
	r.u.scope().open(false)
	defer r.u.scope().close()
	return r.stmts(list)
}

// at gives a node its line.
func at[N ast.PositionHolder](n N, line int) N {
	n.SetLine(line)
	n.SetLastLine(line)
	return n
}

func name(n string, line int) *ast.IdentExpr { return at(&ast.IdentExpr{Value: n}, line) }

func statement(call *ast.FuncCallExpr) ast.Stmt {
	call.AdjustRet = false
	return at(&ast.FuncCallStmt{Expr: call}, call.Line())
}

func local(line int, names []string, exprs ...ast.Expr) *ast.LocalAssignStmt {
	s := &ast.LocalAssignStmt{Names: names, Exprs: exprs}
	s.SetLine(line)
	return s
}
