package lint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hindcast/hindcast/luabind/internal/ident"
	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/hindcast/hindcast/world"
	"github.com/yuin/gopher-lua/ast"
)

// ownFunction is a function of the game's files.
type ownFunction struct {
	f     *ast.FunctionExpr
	colon bool   // it is written with a colon, and has self before its parameters
	file  string // it is written there
}

// ownFunctions has the functions of the files of a game that have names.
type ownFunctions struct {
	globals map[string]*ownFunction
	given   map[string]int                                // by global: how often files give it a value
	members map[string]map[string]map[string]*ownFunction // by file, table of the file and name; nil: it is given twice
	results map[string]*ownMembers                        // by file: what it returns
	methods map[string]map[syntax.Place]*ownFunction      // by name and place
	at      map[syntax.Place]*ownFunction                 // by place; nil: several begin in this line
	values  map[string]bool                               // names under which files put what may be a function into a table

	locals     map[string]map[string]*ownFunction // by file: local functions whose names stand for nothing else there
	trees      map[string][]ast.Stmt              // by file
	declared   map[string][]string                // by file: the names of its local variables and parameters
	again      map[string]map[string]bool         // by file: names that it assigns to
	metatables map[string]bool                    // by file: it makes some
}

// ownMembers is what a file returns.
type ownMembers struct {
	functions  map[string]*ownFunction
	metatables bool           // the file makes metatables
	text       *ast.TableExpr // the table as it is written out; nil: it is not, or not known
}

func newOwnFunctions() *ownFunctions {
	return &ownFunctions{map[string]*ownFunction{}, map[string]int{}, map[string]map[string]map[string]*ownFunction{},
		map[string]*ownMembers{}, map[string]map[syntax.Place]*ownFunction{}, map[syntax.Place]*ownFunction{}, map[string]bool{},
		map[string]map[string]*ownFunction{}, map[string][]ast.Stmt{}, map[string][]string{}, map[string]map[string]bool{},
		map[string]bool{}}
}

// note notes the functions of a file.
func (o *ownFunctions) note(file string, tree []ast.Stmt) {
	o.members[file] = map[string]map[string]*ownFunction{}
	o.declared[file], o.again[file] = localsIn(tree), assignedIn(tree)
	o.trees[file] = tree
	o.noteLocals(file, tree)
	o.notePlaces(file, tree)
	o.noteValues(tree)
	eachExpr(tree, func(e ast.Expr) { o.metatables[file] = o.metatables[file] || syntax.NameOf(e) == "setmetatable" })
	eachStmt(tree, func(s ast.Stmt) {
		switch s := s.(type) {
		case *ast.FuncDefStmt:
			o.given[syntax.NameOf(s.Name.Func)]++
		case *ast.AssignStmt:
			for _, e := range s.Lhs {
				o.given[syntax.NameOf(e)]++
			}
		}
	})
	for _, s := range tree {
		switch s := s.(type) {
		case *ast.FuncDefStmt:
			o.defined(file, s)
		case *ast.AssignStmt:
			for i, e := range s.Lhs {
				if get, ok := e.(*ast.AttrGetExpr); ok && i < len(s.Rhs) {
					o.member(file, syntax.NameOf(get.Object), syntax.LastName(get), s.Rhs[i], false)
				}
			}
		case *ast.LocalAssignStmt:
			for i, e := range s.Exprs {
				if t, ok := e.(*ast.TableExpr); ok && i < len(s.Names) {
					o.table(file, s.Names[i], t)
				}
			}
		}
	}
	outermost := map[ast.Stmt]bool{}
	for _, s := range tree {
		outermost[s] = true
	}
	eachStmt(tree, func(s ast.Stmt) {
		if outermost[s] {
			return
		}
		switch s := s.(type) { // what else may be there under the same name
		case *ast.FuncDefStmt:
			of := s.Name.Receiver
			if get, ok := s.Name.Func.(*ast.AttrGetExpr); ok {
				of = get.Object
			}
			o.member(file, syntax.NameOf(of), or(s.Name.Method, syntax.LastName(s.Name.Func)), nil, false)
		case *ast.AssignStmt:
			for _, e := range s.Lhs {
				if get, ok := e.(*ast.AttrGetExpr); ok {
					o.member(file, syntax.NameOf(get.Object), syntax.LastName(get), nil, false)
				}
			}
		}
	})
	o.returned(file, tree)
}

// defined notes what a statement defines: function f() end, function M.f() end, function M:f() end.
func (o *ownFunctions) defined(file string, s *ast.FuncDefStmt) {
	name, of := syntax.NameOf(s.Name.Func), s.Name.Receiver
	if name != "" && of == nil {
		o.globals[name] = &ownFunction{f: s.Func, file: file}
		return
	}
	name = s.Name.Method
	if get, ok := s.Name.Func.(*ast.AttrGetExpr); ok && of == nil {
		of, name = get.Object, syntax.LastName(get)
	}
	f := o.member(file, syntax.NameOf(of), name, s.Func, s.Name.Receiver != nil)
	if o.methods[name] == nil {
		o.methods[name] = map[syntax.Place]*ownFunction{}
	}
	o.methods[name][syntax.Place{File: file, Line: s.Line()}] = f
}

// member notes what a member of a table of a file is given, and returns it if it is a function.
func (o *ownFunctions) member(file, table, name string, e ast.Expr, colon bool) *ownFunction {
	of := o.members[file]
	if of[table] == nil {
		of[table] = map[string]*ownFunction{}
	}
	_, again := of[table][name]
	f, isFunction := e.(*ast.FunctionExpr)
	of[table][name] = nil
	if !isFunction {
		return nil
	}
	known := &ownFunction{f, colon, file}
	if !again {
		of[table][name] = known
	}
	return known
}

// table notes the functions in a table that is written out.
func (o *ownFunctions) table(file, name string, t *ast.TableExpr) {
	for _, f := range t.Fields {
		if key, isText := syntax.TextOf(f.Key); isText {
			o.member(file, name, key, f.Value, false)
		}
	}
}

// returned notes the functions in the table that a file returns.
func (o *ownFunctions) returned(file string, tree []ast.Stmt) {
	if len(tree) == 0 {
		return
	}
	last, ok := tree[len(tree)-1].(*ast.ReturnStmt)
	if !ok || len(last.Exprs) != 1 {
		return
	}
	name := syntax.NameOf(last.Exprs[0])
	if name != "" && assignedIn(tree)[name] { // which notes fields of tables under no name
		return
	}
	if t, written := last.Exprs[0].(*ast.TableExpr); written {
		name = "return"
		o.table(file, name, t)
	}
	o.results[file] = &ownMembers{o.members[file][name], o.metatables[file], writtenAs(tree, last.Exprs[0])}
}

// tablesOf returns the local variables of a file that always have a table which is written out: their names stand for
// nothing else there.
func (o *ownFunctions) tablesOf(file string) (names []string) {
	declared := map[string]int{}
	eachName(o.trees[file], func(n string) { declared[n]++ })
	for _, s := range o.trees[file] {
		local, ok := s.(*ast.LocalAssignStmt)
		for i := 0; ok && i < min(len(local.Names), len(local.Exprs)); i++ {
			if n := local.Names[i]; literal(local.Exprs[i]) == "table" && declared[n] == 1 && !o.again[file][n] {
				names = append(names, n)
			}
		}
	}
	return names
}

// writtenAs returns the table that an expression at the end of code is, or that a local variable begins with; nil: it is
// not written out.
func writtenAs(tree []ast.Stmt, e ast.Expr) (t *ast.TableExpr) {
	t, _ = e.(*ast.TableExpr)
	for _, s := range tree {
		if local, ok := s.(*ast.LocalAssignStmt); ok && len(local.Exprs) == len(local.Names) {
			for i, n := range local.Names {
				if n == syntax.NameOf(e) {
					t, _ = local.Exprs[i].(*ast.TableExpr)
				}
			}
		}
	}
	return t
}

// methodOf returns the method of a loaded class; nil: it is not known, or another in a class that extends this one.
func (o *ownFunctions) methodOf(c *class, name string) *ownFunction {
	at, isMethod := c.methods[name]
	for _, b := range c.below {
		if b.methods[name] != at {
			return nil
		}
	}
	if !isMethod || c.called == "" {
		return nil
	}
	return o.method(name, at)
}

// ofClass returns the method of a loaded class, whatever classes that extend it have; nil: it is not known.
func (o *ownFunctions) ofClass(c *class, name string) *ownFunction {
	at, isMethod := c.methods[name]
	if !isMethod || c.called == "" {
		return nil
	}
	return o.method(name, at)
}

// ownCall is a call of a function of the game's files.
type ownCall struct {
	name   string
	to     *ownFunction
	params []string
	of     []demand
	needs  []demand // in branches, of what a call leaves out
	args   []ast.Expr
	colon  bool   // the call is written with one
	class  *class // whose method it is; nil: of none

	onClass bool // it is looked up in the class itself
}

// ownCall returns a call of a function of the game's files; nil: it is none, or the function is not known.
func (s *scope) ownCall(e *ast.FuncCallExpr) *ownCall {
	if !s.game.isLoaded() {
		return nil
	}
	c := &ownCall{args: e.Args}
	of, functions := e.Receiver, s.game.functionsOf
	switch get, isMember := e.Func.(*ast.AttrGetExpr); {
	case of != nil:
		c.colon, c.name = true, e.Method
	case isMember:
		of, c.name = get.Object, syntax.LastName(get)
	default:
		c.name = syntax.NameOf(e.Func)
		if v, isLocal := s.lookUp(c.name); isLocal {
			c.to = v.Func
		} else if here := s.game.functionsIn(s.file); here.given[c.name] == 1 {
			c.to = here.globals[c.name]
		}
	}
	if of != nil && c.name != "" {
		switch v := s.infer(of); v.Kind {
		case module:
			if made := functions.results[v.File]; made != nil {
				c.to = made.functions[c.name]
			}
		case shared:
			if _, isLocal := s.lookUp(syntax.NameOf(of)); isLocal && !s.again[syntax.NameOf(of)] {
				c.to = s.game.functionsIn(s.file).members[s.file][syntax.NameOf(of)][c.name]
			}
		case classTable:
			c.to, c.class, c.onClass = functions.ofClass(v.Class, c.name), v.Class, true
		case object:
			c.to, c.class = functions.methodOf(v.Class, c.name), v.Class
		case someObject:
			c.to = s.game.only(c.name)
		case anything:
			if v == (value{}) && c.colon && s.game.isOnlyMethod(c.name) {
				c.to = s.game.only(c.name)
			}
		}
	}
	if c.to == nil {
		return nil
	}
	c.params, c.of, c.needs = c.to.f.ParList.Names, s.game.demands(c.to.f, c.to.file), s.game.needed(c.to.f, c.to.file)
	switch {
	case c.colon && !c.to.colon:
		c.args = append([]ast.Expr{e.Receiver}, e.Args...)
	case !c.colon && c.to.colon:
		c.params, c.of = append([]string{"self"}, c.params...), append([]demand{{}}, c.of...)
		c.needs = append([]demand{{}}, c.needs...)
	}
	return c
}

// demands returns what a function demands of its parameters.
func (g *game) demands(f *ast.FunctionExpr, file string) []demand {
	if _, known := g.demanded[f]; !known {
		g.demanded[f] = nil // of a function that calls itself, nothing is known meanwhile
		g.demanded[f] = g.demandsOf(f, file)
	}
	return g.demanded[f]
}

// needed returns what a function demands of its parameters in branches.
func (g *game) needed(f *ast.FunctionExpr, file string) []demand {
	if _, known := g.needs[f]; !known {
		g.needs[f] = g.neededIn(f, file)
	}
	return g.needs[f]
}

// ownArguments checks what a function of the game's files is given against what it does with its parameters.
func (w *walker) ownArguments(e *ast.FuncCallExpr) {
	c := w.scope.ownCall(e)
	if c == nil || w.report.saidAt(e.Line(), c.name) {
		return
	}
	passed, open := count(c.args)
	hint := "the signature is " + c.name + "(" + strings.Join(c.to.f.ParList.Names, ", ") + ")"
	switch {
	case c.colon && !c.to.colon && len(c.params) > 0 && c.params[0] == "self": // which the colon gives
		hint = "write " + shortly(e.Receiver) + ":" + c.name + "(" + strings.Join(c.params[1:], ", ") + ")"
	case c.colon && !c.to.colon:
		hint = "write " + shortly(e.Receiver) + "." + c.name + "(...), with a dot"
	case c.onClass && c.to.colon:
		hint = "write " + c.class.name() + "." + c.name + "(self, ...)"
	case !c.colon && c.to.colon:
		hint = "write " + strings.TrimSuffix(shortly(e.Func), "."+c.name) + ":" + c.name + "(...), with a colon"
	}
	passesOn := c.onClass && e.Receiver == nil && syntax.NameOf(first(e.Args)) == "self" // to what the class overrides
	if most := len(c.params); !passesOn && passed-surplusNils(c.args, most) > most && most > 0 && len(c.to.f.Stmts) > 0 && !c.to.f.ParList.HasVargs {
		w.report.say(e.Line(), c.name, hint, "%s takes %s, and is called with %s", c.name, takes(most, most), with(passed, open))
		return
	}
	for i, d := range c.of {
		if d.does == "" && i >= passed {
			d = c.needs[i]
		}
		switch {
		case d.does == "":
		case i >= passed:
			if all, known := w.scope.valuesIn(c.args); (!open || known && all <= i) && slices.Contains(d.refuses, "nil") {
				w.report.sayAbout(c.topic(i), e.Line(), c.name, hint, "%s is given no %s, %s", c.name, c.params[i], d.does)
				if self, _ := w.scope.lookUp("self"); self.Kind == object && self.Class != nil {
					self.Class.leavesOut()
				}
				return
			}
		case d.part != "" && w.game.known.agreeOn(c.name, i-(len(c.params)-len(c.to.f.ParList.Names))): // which is said there
		case w.scope.refusesValue(d, c.args[i]):
			switch {
			case c.swapped(w.scope, i, passed):
				hint = "the order is " + c.name + "(" + strings.Join(c.to.f.ParList.Names, ", ") + ")"
			case d.part != "" && w.scope.typeOf(c.args[i]) == anObject:
				hint = "give it a plain value, or declare " + lastPart(d.part) + " = ref()"
			}
			if w.scope.typeOf(c.args[i]) == "function" && named(c.args[i]) != nil {
				hint = w.scope.callIt(c.args[i])
			}
			w.report.sayAbout(c.topic(i), e.Line(), c.name, hint, "%s: %s is %s, %s", c.name, c.params[i],
				aType(or(w.scope.typeOf(c.args[i]), "table")), d.does)
			return
		}
	}
}

// swapped reports whether an argument that its parameter refuses fits another one, and that one's argument this parameter.
func (c *ownCall) swapped(s *scope, at, passed int) bool {
	for i := range min(passed, len(c.of)) {
		if i != at && c.of[i].does != "" && s.typeOf(c.args[i]) != "" && s.refusesValue(c.of[i], c.args[i]) && !s.refusesValue(c.of[i], c.args[at]) &&
			!s.refusesValue(c.of[at], c.args[i]) {
			return true
		}
	}
	return false
}

// topic is what a finding about a parameter of the function is about.
func (c *ownCall) topic(param int) topic {
	return topic{aParameter, fmt.Sprintf("%s:%d", c.to.file, c.to.f.Line()), c.params[param]}
}

// timedArguments checks that the functions that a timer may call, those with a name, do without arguments.
func (k *checks) timedArguments(e *ast.FuncCallExpr, name string) (said bool) {
	var functions []*ownFunction
	if k.game.functionsOf.given[name] > 0 {
		functions = append(functions, k.game.functionsOf.globals[name])
	}
	for _, c := range k.game.all() {
		if c.isMethod(name) && !world.BuiltIn(c.name()) {
			functions = append(functions, k.game.functionsOf.method(name, c.methods[name]))
		}
	}
	of, param := demand{}, ""
	for _, f := range functions {
		if f == nil {
			return false
		}
		all := k.game.demands(f.f, f.file)
		from := 0
		if !f.colon && f != k.game.functionsOf.globals[name] {
			from = 1 // self
		}
		at := slices.IndexFunc(all[min(from, len(all)):], func(d demand) bool { return slices.Contains(d.refuses, "nil") })
		if at < 0 {
			return false
		}
		of, param = all[from+at], f.f.ParList.Names[from+at]
	}
	if of.does == "" {
		return false
	}
	k.report.say(e.Line(), name, "write a function without parameters that calls it, and keep "+param+" in state",
		"%s gives %s no %s, %s", syntax.NameOf(e.Func), name, param, of.does)
	return true
}

// silent reports whether a call of a function of the game's files gives nothing: it neither returns a value nor ends in
// an error.
func (c *ownCall) silent() bool {
	return len(c.to.f.Stmts) > 0 && c.returnsNothing() && !forgetsReturn(c.to.f.Stmts)
}

// returnsNothing is silent for empty functions as well, which may be there to be filled later.
func (c *ownCall) returnsNothing() bool { return !gives(c.to.f.Stmts) && !c.fails() }

// fails reports whether a function of the game's files may end in an error that it raises itself.
func (c *ownCall) fails() (fails bool) {
	eachExpr(c.to.f.Stmts, func(e ast.Expr) {
		call, ok := e.(*ast.FuncCallExpr)
		fails = fails || ok && syntax.NameOf(call.Func) == "error"
	})
	return fails
}

// eachStmt visits all statements, those in functions as well.
func eachStmt(stmts []ast.Stmt, visit func(ast.Stmt)) {
	var block func([]ast.Stmt)
	var expr func(ast.Expr)
	expr = func(e ast.Expr) {
		if e != nil {
			syntax.EachOperand(e, expr, block)
		}
	}
	block = func(list []ast.Stmt) {
		for _, s := range list {
			visit(s)
			syntax.EachPart(s, expr, block)
		}
	}
	block(stmts)
}

// noteLocals notes the local functions of a file.
func (o *ownFunctions) noteLocals(file string, tree []ast.Stmt) {
	o.locals[file] = map[string]*ownFunction{}
	declared := map[string]int{}
	eachName(tree, func(n string) { declared[n]++ })
	eachStmt(tree, func(s ast.Stmt) {
		if s, ok := s.(*ast.LocalAssignStmt); ok && len(s.Names) == 1 && len(s.Exprs) == 1 {
			f, isFunction := s.Exprs[0].(*ast.FunctionExpr)
			if n := s.Names[0]; isFunction && declared[n] == 1 && !o.again[file][n] {
				o.locals[file][n] = &ownFunction{f: f, file: file}
			}
		}
	})
}

// localsIn returns the names of the local variables and parameters of code.
func localsIn(tree []ast.Stmt) []string {
	names := map[string]bool{}
	eachName(tree, func(n string) { names[n] = true })
	return ident.Keys(names)
}

// eachName visits the names of the local variables and parameters of code, once for each declaration.
func eachName(tree []ast.Stmt, visit func(string)) {
	note := func(list ...string) {
		for _, n := range list {
			visit(n)
		}
	}
	eachStmt(tree, func(s ast.Stmt) {
		switch s := s.(type) {
		case *ast.LocalAssignStmt:
			note(s.Names...)
		case *ast.NumberForStmt:
			note(s.Name)
		case *ast.GenericForStmt:
			note(s.Names...)
		}
	})
	eachExpr(tree, func(e ast.Expr) {
		if f, ok := e.(*ast.FunctionExpr); ok {
			note(f.ParList.Names...)
		}
	})
}
