package syntax

import "github.com/yuin/gopher-lua/ast"

// maxScratch is how many scratch variables the files of a bundle may have. Before each hook all of them are put back,
// and the set of those that are assigned is one word.
const maxScratch = 64

// fileLocal is a local variable of the main chunk of a file.
type fileLocal struct {
	bit     uint64 // of its own in a set of variables, 0 for one that no function changes
	read    bool   // a function reads it
	carried bool   // a function may read what it did not assign itself in the same call
}

// isScratch reports whether no function reads the variable before it has assigned it in the same call. So the variable
// keeps nothing from one hook for the next.
func (v *fileLocal) isScratch() bool { return v.bit != 0 && v.read && !v.carried }

// scratchIn returns the scratch variables of a file, by the statements that declare them, at the places of their
// names. most is how many there may be.
func scratchIn(tree []ast.Stmt, most int) map[*ast.LocalAssignStmt][]bool {
	f := &flow{names: map[string][]*fileLocal{}, declared: map[*ast.LocalAssignStmt][]*fileLocal{}, most: most}
	f.scope(func() { f.stmts(tree, 0) })
	if f.next == 0 {
		return nil // no function changes a local variable of the file
	}
	f.counted = true
	f.scope(func() { f.stmts(tree, 0) })
	out := map[*ast.LocalAssignStmt][]bool{}
	// order: they go into another map
	for s, vars := range f.declared {
		for i, v := range vars {
			if v.isScratch() {
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
	loops    int // of the main chunk around it
	next     int // bits given out
	most     int
	counted  bool // the second time
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
	if v == nil || f.inside == 0 {
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
				f.expr(to, set)
			}
		}
		for _, to := range s.Lhs {
			set = f.assign(NameOf(to), set)
		}
	case *ast.LocalAssignStmt:
		_, isFunction := only(s.Exprs).(*ast.FunctionExpr)
		if isFunction && s.LastLine() != 0 { // local function f sees f
			f.local(s, true)
			f.exprs(s.Exprs, set)
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
		f.function(s.Func, "self")
		return set
	}
	f.function(s.Func)
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

func (f *flow) exprs(list []ast.Expr, set uint64) {
	for _, e := range list {
		f.expr(e, set)
	}
}

func (f *flow) expr(e ast.Expr, set uint64) {
	switch e := e.(type) {
	case nil:
	case *ast.IdentExpr:
		if v := f.find(e.Value); v != nil && f.inside > 0 {
			v.read = true
			v.carried = v.carried || f.counted && set&v.bit == 0
		}
	case *ast.FunctionExpr:
		f.function(e)
	default:
		EachOperand(e, func(part ast.Expr) { f.expr(part, set) }, nil)
	}
}

// function walks a function, which may be called at any time: nothing is assigned when it begins.
func (f *flow) function(e *ast.FunctionExpr, first ...string) {
	f.inside++
	f.scope(func() {
		for _, n := range append(first, e.ParList.Names...) {
			f.declare(n, nil)
		}
		if e.ParList.HasVargs {
			f.declare("arg", nil)
		}
		f.stmts(e.Stmts, 0)
	})
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
