package syntax

import "github.com/yuin/gopher-lua/ast"

// Names of the functions that rewritten code calls. Package luabind provides
// them. No script can spell the names.
const (
	Get     = "(=get)"     // (object, key): a field of a table or an object
	Set     = "(=set)"     // (object, key, value): every write to a table or an object
	Change  = "(=change)"  // (object, key, operator, by): object[key] = object[key] + by
	Sum     = "(=sum)"     // (object, key, operator, old, by): object[key] = old + by, where old is object[key]
	Old     = "(=old)"     // (object, key): what Sum gets as old
	Revise  = "(=revise)"  // (object, key, value, n): Set with a value that is computed from object[key]; n: a revision
	Concat  = "(=concat)"  // (a, b, ...): a .. b ..
	Text    = "(=text)"    // (s): charges for a long string that is written out
	Order   = "(=order)"   // (a): a, which is compared by < or another order, and may be a long string
	Pow     = "(=pow)"     // (a, b): a ^ b
	Mod     = "(=mod)"     // (a, b): a % b
	Table   = "(=table)"   // ({...}, n): charges for a table; n packs how many fields it has
	List    = "(=list)"    // ({...}, n, a, f()): adds a list of any length after n values
	Put     = "(=put)"     // ({...}, mask, key, value, ...): adds fields
	Closure = "(=closure)" // (function): charges for what it captures
	Varargs = "(=varargs)" // (...): charges for its length, which has a limit
	Scratch = "(=scratch)" // (function): the variables that it captures are scratch variables
	// (function, file, name, ...): the variables that the function captures, of these names, may have scratch tables
	ScratchTable = "(=scratch table)"

	Frozen = "(=frozen)" // (n): a function is about to change variable n of Locals, which only loading may

	NextIndex = "(=next index)" // the step of ipairs
	NextKey   = "(=next key)"   // the step of pairs
)

// rewriter changes the syntax tree of a file before it is compiled. It avoids
// what gopher-lua compiles wrong, and replaces operations that need control by
// calls.
//
// Avoided: assignments to several targets, which read values already
// overwritten (issue 440); a chain of and/or assigned to a variable (490); a
// generic for with fewer than three values, which leaves old ones in place
// (514); constant conditions, whose jumps land wrong (540); a field of a
// constant as a target (524); a break out of a block with captured variables,
// which leaves them open; "local f = function", which sees f inside; numbers
// with leading zeros, which are read as octal; a constant like -3 % 0.5, whose
// result -0 also takes the place of each 0 in the function. The verifier replaces tail calls
// by plain ones.
//
// Replaced by calls: writes to tables and objects, "..", "^", constructors,
// closures, "..." as a list, and reads of fields that some class declares. The left side of "<" and the like passes
// through Order if both sides may be long strings.
//
// A function may change a local variable of its file while the files are loaded, and in a hook if it is a scratch
// variable: Scratch and Frozen see to that.
//
// To save time, the functions of the library and the methods of objects are
// arguments of the main chunk, and so variables that functions capture. Looking
// them up by name would cost more than calling them.
type rewriter struct {
	names   Names
	u       *unit
	scratch scratch
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
	if name := r.u.chunk.Mentions.named[f]; name != "" {
		r.u.scope().name = name
	}
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

// body rewrites the statements of a scope.
func (r rewriter) body(list []ast.Stmt) []ast.Stmt {
	r.u.scope().open(false)
	defer r.u.scope().close()
	return r.stmts(list)
}

// at sets the line of a node.
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
