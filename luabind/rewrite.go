package luabind

import (
	"github.com/hindcast/hindcast/luabind/internal/api"
	"github.com/hindcast/hindcast/world"
	"github.com/yuin/gopher-lua/ast"
)

// Names of the functions that rewritten code calls. No script can spell them.
const (
	fnGet     = "(=get)"     // (get)(object, key): a field, of handles too
	fnSet     = "(=set)"     // (set)(object, key, value): every write to a table or handle
	fnChange  = "(=change)"  // (change)(object, key, operator, by): object[key] = object[key] + by
	fnConcat  = "(=concat)"  // a .. b .. c
	fnPow     = "(=pow)"     // a ^ b
	fnTable   = "(=table)"   // (table)({...}, n) pays for a table; n says how many fields it has
	fnList    = "(=list)"    // (list)({...}, n, a, f()) adds a list of any length after n values
	fnPut     = "(=put)"     // (put)({...}, mask, key, value, ...) adds fields
	fnClosure = "(=closure)" // (closure)(function) pays for what it captures
	fnVarargs = "(=varargs)" // (varargs)(...) pays for its length

	fnNextIndex = "(=next index)" // ipairs' step
	fnNextKey   = "(=next key)"   // pairs' step
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
	file   string
	fields map[string]bool // names that are read through (get)
	any    bool            // all names are
	lib    *api.Library
	fn     *function
	temps  int
	errs   []error
	broken bool            // by an error other than a name that is not there: there is no code
	first  map[string]bool // globals that the main chunk itself reads
	doubt  bool            // the main chunk itself uses an absent member

	imports []string        // what the main chunk is to be given
	known   map[string]bool // the same, as a set
	reads   map[string]int  // globals read: first line
	writes  map[string]int  // globals assigned: first line
	decls   map[string]*lines
	literal int // functions met
}

func newRewriter(file string, fields map[string]bool, lib *api.Library) *rewriter {
	return &rewriter{file: file, fields: fields, lib: lib,
		first: map[string]bool{}, known: map[string]bool{}, reads: map[string]int{}, writes: map[string]int{}, decls: map[string]*lines{}}
}

func (r *rewriter) fail(line int, format string, args ...any) {
	r.broken = true
	r.errs = append(r.errs, problem(r.file, max(line, 1), format, args...))
}

// absent notes a member of the library that is not there.
func (r *rewriter) absent(line int, message string) {
	r.doubt = r.doubt || r.fn.main()
	r.errs = append(r.errs, problem(r.file, max(line, 1), "%s", message))
}

// chunk rewrites a whole file.
func (r *rewriter) chunk(stmts []ast.Stmt) []ast.Stmt {
	r.fn = &function{constants: map[string]bool{}}
	r.fn.open(false)
	stmts = r.stmts(stmts)
	r.checkConstants(r.fn, 1)
	if len(r.imports) == 0 {
		return stmts
	}
	return append([]ast.Stmt{local(1, r.imports, at(&ast.Comma3Expr{}, 1))}, stmts...)
}

// use is a reference to one of our functions or values, by the name that it
// has in Program.imported.
func (r *rewriter) use(n string, line int) *ast.IdentExpr {
	if !r.known[n] && len(r.imports) < maxImports {
		r.known[n] = true
		r.imports = append(r.imports, n)
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

// loop rewrites the body of a loop, with the variables it begins with. until,
// if any, is the condition of a repeat, which sees the body's variables.
func (r *rewriter) loop(vars []string, list []ast.Stmt, until *ast.Expr) []ast.Stmt {
	b := r.fn.open(true)
	defer r.fn.close()
	r.fn.declare(vars...)
	out := r.stmts(list)
	if until != nil {
		*until = r.expr(*until)
	}
	line := 1
	if len(list) > 0 {
		line = list[0].Line()
	}
	switch {
	case b.close:
		// A captured variable of the body's own makes each break close all.
		v := r.temp()
		see := at(&ast.FunctionExpr{ParList: &ast.ParList{}, Stmts: []ast.Stmt{at(&ast.ReturnStmt{Exprs: []ast.Expr{name(v, line)}}, line)}}, line)
		return append([]ast.Stmt{local(line, []string{v}, at(&ast.NilExpr{}, line)), local(line, []string{r.temp()}, at(&ast.FalseExpr{}, line), see)}, out...)
	case !startsSafe(out, until):
		return append([]ast.Stmt{local(line, []string{r.temp()}, at(&ast.NilExpr{}, line))}, out...)
	}
	return out
}

// startsSafe reports whether the code of a loop's body surely does not begin
// with a jump: gopher-lua follows jumps to jumps, and takes a backward one,
// patched already, for something else.
func startsSafe(body []ast.Stmt, until *ast.Expr) bool {
	if len(body) == 0 {
		return true // then it is the loop's own instruction, or the condition
	}
	switch s := body[0].(type) {
	case *ast.AssignStmt, *ast.LocalAssignStmt, *ast.FuncCallStmt, *ast.ReturnStmt, *ast.NumberForStmt, *ast.GenericForStmt:
		return true
	case *ast.IfStmt:
		return true // constant conditions are folded away
	case *ast.WhileStmt:
		return !isConstant(s.Condition)
	}
	return false
}

// function rewrites a function: its parameters and body.
func (r *rewriter) function(f *ast.FunctionExpr) {
	r.literal++
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

// assignGlobal checks an assignment to a global name.
func (r *rewriter) assignGlobal(n string, line int) {
	if r.lib.Has(n) {
		r.fail(line, "%s belongs to the language or its library; use another name, or a local variable", n)
	}
	if _, ok := r.writes[n]; !ok {
		r.writes[n] = line
	}
}

// declaredNames collects the keys of every table that stands under the key
// state or aux: the fields that handles may have.
func declaredNames(stmts []ast.Stmt, into map[string]bool) {
	var expr func(e ast.Expr)
	block := func(list []ast.Stmt) { declaredNames(list, into) }
	expr = func(e ast.Expr) {
		if t, ok := e.(*ast.TableExpr); ok {
			for _, f := range t.Fields {
				if k, ok := f.Key.(*ast.StringExpr); ok && (k.Value == "state" || k.Value == "aux") {
					addKeys(f.Value, into)
				}
			}
		}
		if e != nil {
			eachOperand(e, expr, block)
		}
	}
	for _, s := range stmts {
		eachPart(s, expr, block)
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

// lines are where the keys of a declaration stand, for messages.
type lines struct {
	line int
	keys map[string]*lines
}

// find is the line of the deepest key of path that is known.
func (l *lines) find(path ...string) int {
	if l == nil {
		return 0
	}
	line := l.line
	for _, k := range path {
		if l = l.keys[k]; l == nil {
			return line
		}
		line = l.line
	}
	return line
}

func linesOf(t *ast.TableExpr, line int) *lines {
	l := &lines{line: line, keys: map[string]*lines{}}
	for i, f := range t.Fields {
		key := "#" + itoa(i+1)
		if k, ok := f.Key.(*ast.StringExpr); ok {
			key, line = k.Value, max(k.Line(), line)
		}
		at := line
		if inner, ok := f.Value.(*ast.TableExpr); ok {
			l.keys[key] = linesOf(inner, at)
		} else {
			l.keys[key] = &lines{line: at}
		}
	}
	return l
}

// noteDeclaration remembers the lines of object "Name" {...} and game {...}.
func (r *rewriter) noteDeclaration(call *ast.FuncCallExpr) {
	if len(call.Args) != 1 {
		return
	}
	t, ok := call.Args[0].(*ast.TableExpr)
	if !ok {
		return
	}
	if id, ok := call.Func.(*ast.IdentExpr); ok && id.Value == "game" {
		r.decls[world.GameClass] = linesOf(t, call.Line())
	}
	inner, ok := call.Func.(*ast.FuncCallExpr)
	if !ok || len(inner.Args) != 1 {
		return
	}
	id, isName := inner.Func.(*ast.IdentExpr)
	class, isString := inner.Args[0].(*ast.StringExpr)
	if isName && isString && id.Value == "object" {
		r.decls[class.Value] = linesOf(t, call.Line())
	}
}
