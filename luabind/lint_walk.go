package luabind

import (
	"fmt"
	"slices"

	"github.com/hindcast/hindcast/luabind/internal/api"
	"github.com/hindcast/hindcast/luabind/internal/ident"
	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/hindcast/hindcast/world"
	"github.com/yuin/gopher-lua/ast"
)

// linter walks the syntax trees of a bundle.
type linter struct {
	files   []world.Source
	trees   [][]ast.Stmt // nil: the file does not parse
	lib     *api.Library
	classes map[string]*lintClass
	vars    map[string]*lintClass // by the names of globals and file locals
	named   map[string]bool       // names that are called or looked up anywhere
	globals map[string]lintPlace  // functions of game.lua
	file    string
	scope   *lintScope
	thinks  *lintClass // whose think is walked
	found   []Finding
	seen    func(e ast.Expr) // is shown each expression before it is walked; may be nil
	unread  bool             // a file does not parse: what is missing may be there

	testing bool       // the file is one of tests
	steered *lintClass // the file is a bot's: what it may steer
}

// lintKind is what the linter knows of a value.
type lintKind uint8

const (
	anything   lintKind = iota
	anObject            // of a class
	anInput             // of a class
	propsOf             // a class's objProps
	aTest               // t, in a test file
	aTestWorld          // w, in a test file
	aBotWorld           // world, in a bot's file
)

type lintType struct {
	kind  lintKind
	class *lintClass
}

type lintScope struct {
	vars   map[string]lintType
	parent *lintScope
}

// newLinter reads what files declare. p is what they compile to, nil if they
// do not.
func newLinter(files []world.Source, p *Program) *linter {
	l := &linter{files: files, lib: api.NewLibrary(), classes: map[string]*lintClass{}, vars: map[string]*lintClass{}, named: map[string]bool{}, globals: map[string]lintPlace{}}
	l.trees = make([][]ast.Stmt, len(files))
	for i, f := range files {
		l.file = f.Name
		if tree, err := syntax.Parse(f); err == nil {
			l.trees[i] = tree
			l.declarations(tree)
		} else {
			l.unread = true
			l.unreadClasses(f)
		}
	}
	if p != nil {
		l.complete(p)
	}
	for i, f := range files {
		l.file = f.Name
		l.methods(l.trees[i])
		l.gameFunctions(l.trees[i])
		if l.trees[i] == nil {
			l.unreadMethods(f)
		}
	}
	return l
}

// lint looks through the files that parse.
func lint(files []world.Source, p *Program) []Finding {
	l := newLinter(files, p)
	for i, f := range files {
		l.file = f.Name
		l.block(l.trees[i])
	}
	if !l.unread {
		l.unused()
	}
	return l.found
}

func (l *linter) say(line int, name, hint, format string, args ...any) {
	l.sayIn(l.file, line, name, hint, format, args...)
}

func (l *linter) sayIn(file string, line int, name, hint, format string, args ...any) {
	l.found = append(l.found, Finding{File: file, Line: line, Column: columnOf(textOf(l.files, file), line, name),
		Message: fmt.Sprintf(format, args...), Hint: hint})
}

// didYouMean is the hint for a name that is not there.
func didYouMean(name string, known []string, otherwise string) string {
	if near := ident.Nearest(name, known); len(near) > 0 {
		return "did you mean " + near[0] + "?"
	}
	return otherwise
}

// declarations collects the classes that a file declares.
func (l *linter) declarations(tree []ast.Stmt) {
	note := func(variable string, e ast.Expr) {
		if name, table, ok := declaredClass(e); ok {
			c := newLintClass(name, l.file, table)
			l.classes[name] = c
			l.declared(c, table)
			if variable != "" {
				l.vars[variable] = c
			}
		}
	}
	for _, s := range tree {
		switch s := s.(type) {
		case *ast.AssignStmt:
			for i := range min(len(s.Lhs), len(s.Rhs)) {
				note(syntax.NameOf(s.Lhs[i]), s.Rhs[i])
			}
		case *ast.LocalAssignStmt:
			for i := range min(len(s.Names), len(s.Exprs)) {
				note(s.Names[i], s.Exprs[i])
			}
		case *ast.FuncCallStmt:
			note("", s.Expr)
		}
	}
}

// methods collects the methods that a file gives to classes.
func (l *linter) methods(tree []ast.Stmt) {
	for _, s := range tree {
		switch s := s.(type) {
		case *ast.FuncDefStmt:
			if c, name, _ := l.methodOf(s); c != nil {
				c.methods[name] = lintPlace{l.file, s.Line()}
			}
		case *ast.AssignStmt: // Ship.speed = 3
			for _, e := range s.Lhs {
				if get, ok := e.(*ast.AttrGetExpr); ok && l.vars[syntax.NameOf(get.Object)] != nil {
					if key, isText := syntax.TextOf(get.Key); isText {
						l.vars[syntax.NameOf(get.Object)].members[key] = true
					}
				}
			}
		}
	}
}

// methodOf tells the class and the name of function C:name() and of function
// C.name(self), and which parameters it has with self.
func (l *linter) methodOf(f *ast.FuncDefStmt) (c *lintClass, name string, params []string) {
	if f.Name.Receiver != nil {
		return l.vars[syntax.NameOf(f.Name.Receiver)], f.Name.Method, append([]string{"self"}, f.Func.ParList.Names...)
	}
	if get, ok := f.Name.Func.(*ast.AttrGetExpr); ok {
		if key, isText := syntax.TextOf(get.Key); isText {
			return l.vars[syntax.NameOf(get.Object)], key, f.Func.ParList.Names
		}
	}
	return nil, "", nil
}

func (l *linter) block(stmts []ast.Stmt) {
	l.scope = &lintScope{vars: map[string]lintType{}, parent: l.scope}
	for _, s := range stmts {
		l.stmt(s)
	}
	l.scope = l.scope.parent
}

func (l *linter) stmt(s ast.Stmt) {
	switch s := s.(type) {
	case *ast.LocalAssignStmt:
		for _, e := range s.Exprs {
			l.expr(e)
		}
		for i, n := range s.Names {
			t := lintType{}
			if i < len(s.Exprs) {
				t = l.infer(s.Exprs[i])
			}
			l.scope.vars[n] = t
		}
		return
	case *ast.AssignStmt:
		for _, e := range s.Lhs {
			l.assigned(syntax.NameOf(e))
		}
	case *ast.GenericForStmt:
		l.forEach(s)
		return
	case *ast.NumberForStmt:
		l.within(map[string]lintType{s.Name: {}}, func() { syntax.EachPart(s, l.expr, l.block) })
		return
	case *ast.FuncDefStmt:
		l.functionStmt(s)
		return
	case *ast.ReturnStmt:
		l.thought(s)
	}
	syntax.EachPart(s, l.expr, l.block)
}

// assigned forgets what a variable was.
func (l *linter) assigned(name string) {
	for s := l.scope; s != nil; s = s.parent {
		if _, ok := s.vars[name]; ok {
			s.vars[name] = lintType{}
			return
		}
	}
}

// within walks with more variables in sight.
func (l *linter) within(vars map[string]lintType, walk func()) {
	l.scope = &lintScope{vars: vars, parent: l.scope}
	walk()
	l.scope = l.scope.parent
}

// forEach is for _, o in ipairs(objects("Ship")) do.
func (l *linter) forEach(s *ast.GenericForStmt) {
	for _, e := range s.Exprs {
		l.expr(e)
	}
	vars := map[string]lintType{}
	for _, n := range s.Names {
		vars[n] = lintType{}
	}
	if call, ok := s.Exprs[0].(*ast.FuncCallExpr); ok && syntax.NameOf(call.Func) == "ipairs" && len(call.Args) == 1 && len(s.Names) == 2 {
		vars[s.Names[1]] = l.listOf(call.Args[0])
	}
	l.within(vars, func() { l.block(s.Stmts) })
}

// listOf is what a list holds: objects("Ship").
func (l *linter) listOf(e ast.Expr) lintType {
	call, ok := e.(*ast.FuncCallExpr)
	if !ok || !l.isQuery(call.Func, "objects") || len(call.Args) == 0 {
		return lintType{}
	}
	return l.objectOf(call.Args[0])
}

func (l *linter) objectOf(e ast.Expr) lintType {
	if name, ok := syntax.TextOf(e); ok && l.classes[name] != nil {
		return lintType{anObject, l.classes[name]}
	}
	return lintType{}
}

// isOurs reports whether an expression names one of our functions, and no
// local variable.
func (l *linter) isOurs(e ast.Expr, names ...string) bool {
	id := syntax.NameOf(e)
	_, isLocal := l.lookUp(id)
	return !isLocal && slices.Contains(names, id)
}

func (l *linter) lookUp(name string) (lintType, bool) {
	for s := l.scope; s != nil; s = s.parent {
		if t, ok := s.vars[name]; ok {
			return t, true
		}
	}
	return lintType{}, false
}

// functionStmt walks a function with what its parameters are.
func (l *linter) functionStmt(f *ast.FuncDefStmt) {
	c, name, params := l.methodOf(f)
	vars := map[string]lintType{}
	for _, n := range f.Func.ParList.Names {
		vars[n] = lintType{}
	}
	if c != nil && len(params) > 0 {
		vars[params[0]] = lintType{anObject, c}
		if (name == world.ApplyInput.String() || name == world.Simulate.String()) && len(params) > 1 {
			vars[params[1]] = lintType{anInput, c}
		}
	}
	outer := l.thinks
	l.thinks = nil
	if l.isBot(f, vars) {
		l.thinks = l.steered
	} else if name == world.Think.String() {
		l.thinks = c
	}
	l.within(vars, func() { l.block(f.Func.Stmts) })
	l.thinks = outer
}

// infer is what an expression gives.
func (l *linter) infer(e ast.Expr) lintType {
	switch e := e.(type) {
	case *ast.IdentExpr:
		if t, isLocal := l.lookUp(e.Value); isLocal {
			return t
		}
		if c := l.classes[world.GameClass]; e.Value == "game" && c != nil {
			return lintType{anObject, c}
		}
	case *ast.FuncCallExpr:
		return l.inferCall(e)
	case *ast.AttrGetExpr:
		if key, ok := syntax.TextOf(e.Key); ok && key == "objProps" {
			if t := l.infer(e.Object); t.kind == anObject {
				return lintType{propsOf, t.class}
			}
		}
		if _, ok := e.Key.(*ast.NumberExpr); ok {
			return l.listOf(e.Object)
		}
	}
	return lintType{}
}

// inferCall is what a call gives.
func (l *linter) inferCall(e *ast.FuncCallExpr) lintType {
	t := lintType{}
	if e.Receiver != nil {
		t = l.infer(e.Receiver)
	}
	switch {
	case t.kind == aTest && e.Method == "world":
		return lintType{kind: aTestWorld}
	case len(e.Args) > 0 && (t.kind == aTestWorld && e.Method == "spawn" || e.Receiver == nil && l.isQuery(e.Func, "spawn", "nearest")):
		return l.objectOf(e.Args[0])
	}
	return lintType{}
}

// isQuery is isOurs; in a bot's file also of world.objects and the like.
func (l *linter) isQuery(e ast.Expr, names ...string) bool {
	get, ok := e.(*ast.AttrGetExpr)
	if !ok {
		return l.isOurs(e, names...)
	}
	name, _ := syntax.TextOf(get.Key)
	return l.infer(get.Object).kind == aBotWorld && slices.Contains(names, name)
}

// expr walks an expression, and checks what it names.
func (l *linter) expr(e ast.Expr) {
	if l.seen != nil && e != nil {
		l.seen(e)
	}
	switch e := e.(type) {
	case nil:
		return
	case *ast.IdentExpr:
		l.named[e.Value] = true
		if t, _ := l.lookUp(e.Value); t.kind == anInput {
			t.class.all = true // it goes elsewhere: anything may be read there
		}
		return
	case *ast.AttrGetExpr:
		if l.attribute(e) {
			return
		}
	case *ast.FuncCallExpr:
		if l.call(e) {
			return
		}
	case *ast.FunctionExpr:
		vars := map[string]lintType{}
		for _, n := range e.ParList.Names {
			vars[n] = lintType{}
		}
		outer := l.thinks
		l.thinks = nil
		l.within(vars, func() { l.block(e.Stmts) })
		l.thinks = outer
		return
	}
	syntax.EachOperand(e, l.expr, l.block)
}
