package syntax

import (
	"strconv"

	"github.com/yuin/gopher-lua/ast"
)

// maxImports is how many imported values a file takes as local variables of its
// main chunk. It finds the others among the globals.
const maxImports = 100

// unit is the file that is being rewritten: what it holds, which function is
// being rewritten, and what is wrong.
type unit struct {
	chunk    *Chunk
	fn       *function // that is being rewritten
	work     *Work
	sums     int             // arithmetic operators around what is being rewritten
	temps    int             // temporary names given out
	imported map[string]bool // chunk.Imports as a set
	errs     []error
	broken   bool // by an error other than an absent name: the tree must not be compiled
}

// fail reports an error at a line.
func (u *unit) fail(line int, format string, args ...any) {
	if u.broken = true; u.full() {
		return
	}
	u.errs = append(u.errs, Problem(u.chunk.File, max(line, 1), format, args...))
}

// full reports whether so many errors were reported that no more are.
func (u *unit) full() bool { return len(u.errs) >= MaxProblems }

// absent reports a library member that does not exist. The file can still be
// compiled, so that its other errors are found.
func (u *unit) absent(line int, message string) {
	if u.full() || IsModule(u.chunk.File) {
		return // a library may look whether it is there
	}
	if u.fn.main() {
		u.chunk.failsToLoad()
	}
	u.errs = append(u.errs, Problem(u.chunk.File, max(line, 1), "%s", message))
}

// use returns a reference to an imported value, see Chunk.Imports.
func (u *unit) use(n string, line int) *ast.IdentExpr {
	u.fn.passesAll()
	if !u.imported[n] && len(u.chunk.Imports) < maxImports {
		u.imported[n] = true
		u.chunk.Imports = append(u.chunk.Imports, n)
	}
	return name(n, line)
}

// helper returns a call of one of the functions that rewritten code calls. It
// has one result.
func (u *unit) helper(fn string, line int, args ...ast.Expr) *ast.FuncCallExpr {
	return at(&ast.FuncCallExpr{Func: u.use(fn, line), Args: args, AdjustRet: true}, line)
}

// temp returns a new name for a local variable, which no script can spell.
func (u *unit) temp() string {
	u.temps++
	return "(" + strconv.Itoa(u.temps) + ")"
}

// enter begins a function.
func (u *unit) enter(params []string, varargs bool) {
	if u.fn != nil {
		u.work.spend(functionWork)
		u.chunk.Functions++
	}
	u.fn = newFunction(u.fn, params, varargs, u.work)
}

// leave ends the function and checks how many constants it has. line is where
// it began.
func (u *unit) leave(line int) {
	if n := u.fn.differentConstants(); n > maxConstants {
		u.fail(line, "%d different constants in one function, or in the file outside of functions: at most %d", n,
			maxConstants)
	}
	u.fn = u.fn.around()
}

// scope returns the function that is being rewritten.
func (u *unit) scope() *function { return u.fn }

// declares notes the lines of a declaration, if the call is one.
func (u *unit) declares(call *ast.FuncCallExpr) {
	name, t := declarationOf(call)
	if name == "" {
		return
	}
	u.chunk.Declarations[name] = linesOf(t, call.Line())
	for _, f := range t.Fields {
		switch key, _ := TextOf(f.Key); key {
		case "state", "aux":
			u.refuseNil(name+"."+key, f.Value)
		case "extends": // a table does not say that it was given nil
			f.Value = at(&ast.LogicalOpExpr{Operator: "or", Lhs: f.Value, Rhs: at(&ast.FalseExpr{}, f.Value.Line())}, f.Value.Line())
		}
	}
}

// refuseNil reports fields of state or aux that are declared as nil: the table does not even have them.
func (u *unit) refuseNil(path string, e ast.Expr) {
	t, ok := e.(*ast.TableExpr)
	if !ok {
		return
	}
	for _, f := range t.Fields {
		if _, isNil := f.Value.(*ast.NilExpr); isNil && f.Key != nil {
			key, _ := TextOf(f.Key)
			u.fail(f.Key.Line(),
				"%s.%s = nil declares nothing, because nil has no type: write %s = ref() for an object, str(16) "+
					"for a text, or a default such as 0 or false",
				path, key, key)
		}
	}
}

// reads notes that a global is read.
func (u *unit) reads(global string, line int) { u.chunk.reads(global, line, u.fn.main()) }

// writes notes that a global is assigned.
func (u *unit) writes(global string, line int) { u.chunk.writes(global, line) }

// result returns the errors, and whether the tree may be compiled.
func (u *unit) result() (errs []error, ok bool) { return u.errs, !u.broken }
