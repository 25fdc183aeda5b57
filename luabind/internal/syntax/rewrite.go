package syntax

import (
	"github.com/yuin/gopher-lua/ast"
)

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

// maxImports is how many of our functions a file takes as local variables of
// its main chunk; it finds further ones among the globals.
const maxImports = 100

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
	names    Names
	chunk    *Chunk // what the file holds
	fn       *function
	temps    int
	imported map[string]bool // chunk.Imports as a set
	errs     []error
	broken   bool // by an error other than an absent name: the tree is not fit to be compiled
}

func (r *rewriter) fail(line int, format string, args ...any) {
	r.broken = true
	r.errs = append(r.errs, Problem(r.chunk.File, max(line, 1), format, args...))
}

// absent notes a member of the library that is not there.
func (r *rewriter) absent(line int, message string) {
	r.chunk.absent = r.chunk.absent || r.fn.main()
	r.errs = append(r.errs, Problem(r.chunk.File, max(line, 1), "%s", message))
}

// file rewrites a whole file.
func (r *rewriter) file(stmts []ast.Stmt) []ast.Stmt {
	r.fn = &function{constants: map[string]bool{}}
	r.fn.open(false)
	stmts = r.stmts(stmts)
	r.checkConstants(r.fn, 1)
	if len(r.chunk.Imports) == 0 {
		return stmts
	}
	return append([]ast.Stmt{local(1, r.chunk.Imports, at(&ast.Comma3Expr{}, 1))}, stmts...)
}

// use is a reference to one of our functions or values, by the name that it
// has in Program.imported.
func (r *rewriter) use(n string, line int) *ast.IdentExpr {
	if !r.imported[n] && len(r.chunk.Imports) < maxImports {
		r.imported[n] = true
		r.chunk.Imports = append(r.chunk.Imports, n)
	}
	return name(n, line)
}

// at gives a node its line.
func at[N ast.PositionHolder](n N, line int) N {
	n.SetLine(line)
	n.SetLastLine(line)
	return n
}

func name(n string, line int) *ast.IdentExpr { return at(&ast.IdentExpr{Value: n}, line) }

// helper is a call of one of our functions, which gives one value.
func (r *rewriter) helper(fn string, line int, args ...ast.Expr) *ast.FuncCallExpr {
	return at(&ast.FuncCallExpr{Func: r.use(fn, line), Args: args, AdjustRet: true}, line)
}

func statement(call *ast.FuncCallExpr) ast.Stmt {
	call.AdjustRet = false
	return at(&ast.FuncCallStmt{Expr: call}, call.Line())
}

// temp is a fresh local name that no script can spell.
func (r *rewriter) temp() string {
	r.temps++
	return "(" + itoa(r.temps) + ")"
}

func local(line int, names []string, exprs ...ast.Expr) *ast.LocalAssignStmt {
	s := &ast.LocalAssignStmt{Names: names, Exprs: exprs}
	s.SetLine(line)
	return s
}

func (r *rewriter) stmts(list []ast.Stmt) []ast.Stmt {
	out := make([]ast.Stmt, 0, len(list))
	for _, s := range list {
		out = append(out, r.stmt(s)...)
	}
	return out
}

// body rewrites the statements of a scope of their own.
func (r *rewriter) body(list []ast.Stmt) []ast.Stmt {
	r.fn.open(false)
	defer r.fn.close()
	return r.stmts(list)
}

// function rewrites a function: its parameters and body.
func (r *rewriter) function(f *ast.FunctionExpr) {
	r.chunk.Functions++
	inner := &function{parent: r.fn, varargs: f.ParList.HasVargs, constants: map[string]bool{}}
	inner.open(false)
	inner.declare(f.ParList.Names...)
	if inner.varargs {
		inner.declare("arg") // gopher-lua declares it, as Lua 5.1 does
	}
	r.fn = inner
	f.Stmts = r.stmts(f.Stmts)
	r.fn = inner.parent
	r.checkConstants(inner, f.Line())
}

func (r *rewriter) checkConstants(f *function, line int) {
	if len(f.constants) > maxConstants {
		r.fail(line, "%d different constants in one function, or in the file outside of functions: at most %d", len(f.constants), maxConstants)
	}
}
