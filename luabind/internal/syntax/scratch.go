package syntax

import (
	"github.com/hindcast/hindcast/luabind/internal/api"
	"github.com/yuin/gopher-lua/ast"
)

// maxScratch is how many scratch variables the files of a bundle may have. Before each hook all of them are put back,
// and the set of those that are assigned is one word.
const maxScratch = 64

// fileLocal is a local variable of the main chunk of a file.
type fileLocal struct {
	bit     uint64 // of its own in a set of variables, 0 for one that no function changes
	read    bool   // a function reads it
	carried bool   // a function may read what it did not assign itself in the same call
	table   scratchUse
	// it is the first parameter of a function, of which only table counts
	parameter bool
}

// scratchUse is how functions use the table that a local variable of the file has.
type scratchUse struct {
	init    ast.Expr
	written bool // a function writes a field of it
	read    bool // a function uses it otherwise
	loose   bool // another use than that of a scratch table, besides those in early

	early []earlyUse   // functions that use it before they write a field
	begun map[int]bool // functions that begin by writing a field, by the order of their beginnings
}

// earlyUse is a use of a table in a function that has not written a field of it before.
type earlyUse struct{ function, line int }

// spoilt returns the line of the only use, or the first of those in one function, that keeps a table from being a
// scratch table: the function writes fields as well, but later, and others write them first. It is 0 if there is none.
func (v *fileLocal) spoilt() int {
	u := &v.table
	if !u.written || u.loose || v.bit != 0 || len(u.early) == 0 || !u.begun[u.early[0].function] {
		return 0
	}
	others := 0
	for _, e := range u.early {
		if e.function != u.early[0].function {
			return 0
		}
	}
	// order: they are counted
	for f := range u.begun {
		if f != u.early[0].function {
			others++
		}
	}
	if others == 0 {
		return 0
	}
	return u.early[0].line
}

// mayBeScratch reports whether the table may be a scratch table: each function that uses it begins by writing a
// field, or by passing it to a function of the file that does. Whether each key is written before it is read, the
// scratch table finds out.
func (v *fileLocal) mayBeScratch() bool {
	return v.table.written && v.table.read && !v.table.loose && len(v.table.early) == 0 && v.bit == 0
}

// writes notes a write of a field.
func (u *scratchUse) writes(key ast.Expr) {
	u.written = true
	t, isTable := u.init.(*ast.TableExpr)
	if !isTable {
		return
	}
	positional, found := 0, false
	for _, field := range t.Fields {
		switch field.Value.(type) {
		case *ast.TableExpr, *ast.FunctionExpr:
			u.loose = true
		}
		if field.Key == nil {
			positional++
			continue
		}
		found = found || samePlace(field.Key, key)
	}
	switch n, isNumber := constantNumber(key); {
	case isNumber:
		found = found || n >= 1 && n <= float64(positional)
	case !isConstant(key):
		found = len(t.Fields) > 0
	}
	u.loose = u.loose || !found
}

// scratch are the scratch variables of a file, and the variables that may have scratch tables, by the statements that
// declare them, at the places of their names.
type scratch struct {
	variables, tables map[*ast.LocalAssignStmt][]bool
	spoilt            map[*ast.LocalAssignStmt][]int
}

// ScratchTables returns the local variables of a file that may have scratch tables, by the statements that declare
// them, at the places of their names.
func ScratchTables(file string, tree []ast.Stmt) map[*ast.LocalAssignStmt][]bool {
	return scratchIn(file, tree, maxScratch).tables
}

// SpoiltScratch returns the lines of the uses that keep local variables of a file from having scratch tables, as
// ScratchTables has them, where other functions use these as such; 0: there is none.
func SpoiltScratch(file string, tree []ast.Stmt) map[*ast.LocalAssignStmt][]int {
	if file == api.ViewFile {
		return nil
	}
	return scratchIn(file, tree, maxScratch).spoilt
}

// isScratch reports whether no function reads the variable before it has assigned it in the same call. So the variable
// keeps nothing from one hook for the next.
func (v *fileLocal) isScratch() bool { return v.bit != 0 && v.read && !v.carried }

// scratchIn returns what is scratch in a file. most is how many scratch variables there may be. view.lua has keep
// instead of scratch tables.
func scratchIn(file string, tree []ast.Stmt, most int) (out scratch) {
	f := &flow{fills: map[string]bool{}, names: map[string][]*fileLocal{},
		declared: map[*ast.LocalAssignStmt][]*fileLocal{}, most: most}
	f.scope(func() { f.stmts(tree, 0) })
	if file != api.ViewFile {
		out.tables = f.those((*fileLocal).mayBeScratch)
		out.spoilt = map[*ast.LocalAssignStmt][]int{}
		// order: they go into another map
		for s, vars := range f.declared {
			for i, v := range vars {
				if line := v.spoilt(); line > 0 {
					if out.spoilt[s] == nil {
						out.spoilt[s] = make([]int, len(vars))
					}
					out.spoilt[s][i] = line
				}
			}
		}
	}
	if f.next == 0 {
		return out // no function changes a local variable of the file
	}
	f.counted = true
	f.scope(func() { f.stmts(tree, 0) })
	out.variables = f.those((*fileLocal).isScratch)
	return out
}

// those returns the local variables of the file that are such.
func (f *flow) those(are func(*fileLocal) bool) map[*ast.LocalAssignStmt][]bool {
	out := map[*ast.LocalAssignStmt][]bool{}
	// order: they go into another map
	for s, vars := range f.declared {
		for i, v := range vars {
			if are(v) {
				if out[s] == nil {
					out[s] = make([]bool, len(vars))
				}
				out[s][i] = true
			}
		}
	}
	return out
}

// flow walks a file twice: first it finds the local variables of the file that functions change, then the reads of
// these for which the function has certainly assigned them before. What a function calls does not count.
type flow struct {
	names    map[string][]*fileLocal // what each name means, the innermost last; nil: a variable of a function
	opened   [][]string              // the names that each open scope declares
	declared map[*ast.LocalAssignStmt][]*fileLocal
	inside   int // functions around the present place
	nth      int // the order of the innermost one
	started  int // how many functions have begun
	loops    int // of the main chunk around it
	next     int // bits given out
	most     int
	counted  bool                // the second time
	fills    map[string]bool     // by calledAs: functions that begin by writing to their first parameter
	begun    map[*fileLocal]bool // the tables that the function has used as scratch tables up to here in the text
}

// ended is the set after a return or a break: what follows does not run, so every variable is as good as assigned.
const ended = ^uint64(0)

func (f *flow) scope(body func()) {
	f.opened = append(f.opened, nil)
	body()
	last := len(f.opened) - 1
	for _, n := range f.opened[last] {
		f.names[n] = f.names[n][:len(f.names[n])-1]
	}
	f.opened = f.opened[:last]
}

func (f *flow) declare(name string, v *fileLocal) {
	f.names[name] = append(f.names[name], v)
	last := len(f.opened) - 1
	f.opened[last] = append(f.opened[last], name)
}

// local declares the variables of a statement. Those of a loop of the main chunk are several, so they do not count.
func (f *flow) local(s *ast.LocalAssignStmt, isFunction bool) {
	vars := f.declared[s]
	if f.inside == 0 && f.loops == 0 && vars == nil && !isFunction {
		vars = make([]*fileLocal, len(s.Names))
		for i := range vars {
			vars[i] = &fileLocal{}
			if len(s.Exprs) == len(s.Names) {
				vars[i].table.init = s.Exprs[i]
			}
		}
		f.declared[s] = vars
	}
	for i, n := range s.Names {
		if vars == nil {
			f.declare(n, nil)
		} else {
			f.declare(n, vars[i])
		}
	}
}

func (f *flow) find(name string) *fileLocal {
	if list := f.names[name]; len(list) > 0 {
		return list[len(list)-1]
	}
	return nil
}

// assign returns the set after an assignment to a variable.
func (f *flow) assign(name string, set uint64) uint64 {
	v := f.find(name)
	if v == nil || f.inside == 0 || v.parameter {
		return set
	}
	if !f.counted && v.bit == 0 && f.next < f.most {
		v.bit = 1 << f.next
		f.next++
	}
	return set | v.bit
}

// block walks the statements of a scope. Like stmts, it takes the set of the variables that are certainly assigned
// before, and returns that after.
func (f *flow) block(list []ast.Stmt, set uint64) uint64 {
	f.scope(func() { set = f.stmts(list, set) })
	return set
}

func (f *flow) stmts(list []ast.Stmt, set uint64) uint64 {
	for _, s := range list {
		set = f.stmt(s, set)
	}
	return set
}

func (f *flow) stmt(s ast.Stmt, set uint64) uint64 {
	switch s := s.(type) {
	case *ast.AssignStmt:
		f.exprs(s.Rhs, set)
		for _, to := range s.Lhs {
			if NameOf(to) == "" {
				f.target(to, set)
			}
		}
		for _, to := range s.Lhs {
			set = f.assign(NameOf(to), set)
		}
	case *ast.LocalAssignStmt:
		_, isFunction := only(s.Exprs).(*ast.FunctionExpr)
		if isFunction && s.LastLine() != 0 { // local function f sees f
			f.local(s, true)
			f.function(only(s.Exprs).(*ast.FunctionExpr), s.Names[0])
			break
		}
		f.exprs(s.Exprs, set)
		f.local(s, isFunction && len(s.Names) == 1)
	case *ast.FuncDefStmt:
		return f.define(s, set)
	case *ast.FuncCallStmt:
		f.expr(s.Expr, set)
	case *ast.DoBlockStmt:
		return f.block(s.Stmts, set)
	case *ast.IfStmt:
		f.expr(s.Condition, set)
		return f.block(s.Then, set) & f.block(s.Else, set)
	case *ast.ReturnStmt:
		f.exprs(s.Exprs, set)
		return ended
	case *ast.BreakStmt:
		return ended
	default:
		return f.loop(s, set)
	}
	return set
}

// define walks function a.b.c() and function A:m().
func (f *flow) define(s *ast.FuncDefStmt, set uint64) uint64 {
	if s.Name.Func == nil {
		f.expr(s.Name.Receiver, set)
		f.function(s.Func, "."+s.Name.Method, "self")
		return set
	}
	f.function(s.Func, calledAs(s.Name.Func))
	if to := NameOf(s.Name.Func); to != "" {
		return f.assign(to, set)
	}
	f.expr(s.Name.Func, set)
	return set
}

// loop walks a loop, whose body may run once, often or, but for repeat, not at all.
func (f *flow) loop(s ast.Stmt, set uint64) uint64 {
	if f.inside == 0 {
		f.loops++
		defer func() { f.loops-- }()
	}
	body := func(list []ast.Stmt, vars ...string) {
		f.scope(func() {
			for _, n := range vars {
				f.declare(n, nil)
			}
			f.stmts(list, set)
		})
	}
	switch s := s.(type) {
	case *ast.WhileStmt:
		f.expr(s.Condition, set)
		body(s.Stmts)
	case *ast.NumberForStmt:
		f.exprs([]ast.Expr{s.Init, s.Limit, s.Step}, set)
		body(s.Stmts, s.Name)
	case *ast.GenericForStmt:
		f.exprs(s.Exprs, set)
		body(s.Stmts, s.Names...)
	case *ast.RepeatStmt:
		after := set
		f.scope(func() {
			after = f.stmts(s.Stmts, set)
			f.expr(s.Condition, after)
		})
		if !breaks(s.Stmts) {
			return after
		}
	}
	return set
}

// breaks reports whether a statement leaves the loop that it is the body of.
func breaks(list []ast.Stmt) (found bool) {
	for _, s := range list {
		switch s := s.(type) {
		case *ast.BreakStmt:
			return true
		case *ast.DoBlockStmt:
			found = found || breaks(s.Stmts)
		case *ast.IfStmt:
			found = found || breaks(s.Then) || breaks(s.Else)
		}
	}
	return found
}

// target walks the place of a field that is assigned to.
func (f *flow) target(e ast.Expr, set uint64) {
	get, isField := e.(*ast.AttrGetExpr)
	if !isField {
		f.expr(e, set)
		return
	}
	v := f.begin(get.Object)
	if v == nil {
		f.expr(e, set)
		return
	}
	v.table.writes(get.Key)
	f.reads(v, set)
	f.expr(get.Key, set)
}

// reads notes that a function reads a variable.
func (f *flow) reads(v *fileLocal, set uint64) {
	v.read = true
	v.carried = v.carried || f.counted && set&v.bit == 0
}

// begin notes that a function uses a table as a scratch table first, and returns its variable; nil if it is no local
// variable of the file, or not in a function.
func (f *flow) begin(e ast.Expr) *fileLocal {
	v := f.find(NameOf(e))
	if v != nil && f.inside > 0 {
		if f.begun[v] = true; v.table.begun == nil {
			v.table.begun = map[int]bool{}
		}
		v.table.begun[f.nth] = true
		return v
	}
	return nil
}

func (f *flow) exprs(list []ast.Expr, set uint64) {
	for _, e := range list {
		f.expr(e, set)
	}
}

func (f *flow) expr(e ast.Expr, set uint64) {
	switch e := e.(type) {
	case nil:
	case *ast.IdentExpr:
		v := f.find(e.Value)
		if v != nil {
			f.uses(v, e.Line())
		}
		if v != nil && f.inside > 0 {
			v.table.read = true
			f.reads(v, set)
		}
	case *ast.FunctionExpr:
		f.function(e, "")
	case *ast.FuncCallExpr:
		f.passes(e)
		EachOperand(e, func(part ast.Expr) { f.expr(part, set) }, nil)
	default:
		EachOperand(e, func(part ast.Expr) { f.expr(part, set) }, nil)
	}
}

// uses notes a use of a table that is no write of a field.
func (f *flow) uses(v *fileLocal, line int) {
	switch {
	case f.begun[v]:
	case f.inside > 0 && !f.counted && !v.parameter:
		v.table.early = append(v.table.early, earlyUse{f.nth, line})
	default:
		v.table.loose = true
	}
}

// passes notes that a call passes a table, as the first argument or the object of a method, to a function of the file
// that begins by writing to it.
func (f *flow) passes(e *ast.FuncCallExpr) {
	switch {
	case e.Receiver != nil && f.fills["."+e.Method]:
		f.begin(e.Receiver)
	case e.Func != nil && len(e.Args) > 0 && f.fills[calledAs(e.Func)]:
		f.begin(e.Args[0])
	}
}

// calledAs returns the name of a function, with a point before that of a field; "" for other expressions.
func calledAs(e ast.Expr) string {
	name := LastName(e)
	if name == "" || NameOf(e) != "" {
		return name
	}
	return "." + name
}

// function walks a function, which may be called at any time: nothing is assigned when it begins. called is how calls
// name it, if they do.
func (f *flow) function(e *ast.FunctionExpr, called string, first ...string) {
	f.inside++
	f.started++
	around, outer := f.begun, f.nth
	f.nth = f.started
	f.begun = map[*fileLocal]bool{}
	f.scope(func() {
		given := &fileLocal{parameter: true} // the first one
		for i, n := range append(first, e.ParList.Names...) {
			if i == 0 {
				f.declare(n, given)
			} else {
				f.declare(n, nil)
			}
		}
		if e.ParList.HasVargs {
			f.declare("arg", nil)
		}
		f.stmts(e.Stmts, 0)
		if !f.counted && called != "" {
			other, hasOther := f.fills[called]
			f.fills[called] = given.table.written && !given.table.loose && (other || !hasOther)
		}
	})
	f.begun, f.nth = around, outer
	f.inside--
}

func countScratch(of map[*ast.LocalAssignStmt][]bool) (n int) {
	// order: they are counted
	for _, which := range of {
		for _, is := range which {
			if is {
				n++
			}
		}
	}
	return n
}
