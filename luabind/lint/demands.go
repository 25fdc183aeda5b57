package lint

import (
	"slices"

	"github.com/hindcast/hindcast/luabind/internal/api"
	"github.com/hindcast/hindcast/luabind/internal/ident"
	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/hindcast/hindcast/world"
	"github.com/yuin/gopher-lua/ast"
)

// demand is what a function does with a parameter whatever else holds, and that some values cannot bear. The zero
// demand is none.
type demand struct {
	does    string   // what messages say of it
	refuses []string // the types that cannot bear it
	plain   bool     // tables without a metatable cannot, either
	part    string   // of one that is stored: the name of what is declared with a type; empty: it is not
	number  bool     // texts that stand for no number cannot, either
}

// The demands of operations.
var (
	isComputed = demand{does: "and something is computed with it", refuses: []string{"nil", "boolean", "function", "thread", anObject}, plain: true, number: true}
	isPlace    = demand{does: "and spawn places an object with it", refuses: []string{"boolean", "function", "thread", anObject}, plain: true}
	isJoined   = demand{does: "and it is joined with ..", refuses: []string{"nil", "boolean", "function", "thread", anObject}, plain: true}
	isCompared = demand{does: "and < or > compares it", refuses: []string{"nil", "boolean", "function"}, plain: true}
	isMeasured = demand{does: "and # takes its length", refuses: []string{"nil", "number", "boolean", "function", anObject}, plain: false}
	isInvoked  = demand{does: "and it is called", refuses: []string{"nil", "number", "string", "boolean"}, plain: false}
	isCounted  = demand{does: "and a loop counts with it", refuses: []string{"nil", "boolean", "function", anObject}, plain: true}
	isName     = demand{does: "and a cue is sent with that name", refuses: []string{"nil", "number", "boolean", "function", anObject}, plain: true}
	isListed   = demand{does: "and a loop goes through it", refuses: []string{"nil", "number", "string", "boolean", "function", anObject}, plain: false}
)

// isIndexed is the demand of p.name; empty: of p[1] and the like.
func isIndexed(name string) demand {
	if name == "" {
		name = "an item"
	}
	d := demand{does: "and " + name + " is looked up in it", refuses: []string{"nil", "number", "boolean", "function"}}
	if name != "an item" && !library.HasMember("string", name) {
		d.refuses = append(d.refuses, "string")
	}
	return d
}

// isStored is the demand of a part of state that is given the parameter.
func isStored(p *part) demand {
	refuses := slices.DeleteFunc([]string{"number", "string", "boolean", "function", "thread", anObject}, func(of string) bool {
		return of == p.of || p.ref && of == anObject
	})
	whole := p.item != nil || p.parts != nil
	if p.of == "" && !p.ref && !whole {
		return demand{} // it differs from class to class
	}
	return demand{does: "and " + p.name + ", " + p.is() + ", is given it", refuses: refuses, plain: !whole, part: p.name}
}

// demands finds what a function demands of its parameters.
type demands struct {
	of     []demand       // by parameter
	params map[string]int // those that have not been given another value
	ended  bool           // what follows runs under a condition

	depends   map[string]bool                              // the parameters, and local variables that are computed from them
	own       func(*ast.FuncCallExpr) []demand             // what a function of the game demands of the arguments of a call
	overloads func(operator string, operand ast.Expr) bool // whether an operand may be a table that computes
	holds     func(ast.Expr) *part                         // what is declared of the part of state that an expression is; nil: it is none, or not known
	fields    func(class string) map[string]*part          // what is declared of the fields of a class
	library   func(ast.Expr) *api.Member                   // the function of the library that an expression is; nil: it is none, or not known
	isMethod  bool                                         // self is an object
}

// demandsIn returns the demands of a function of a file, before it is read.
func (g *game) demandsIn(f *ast.FunctionExpr, file string) *demands {
	return &demands{of: make([]demand, len(f.ParList.Names)), params: map[string]int{}, depends: map[string]bool{},
		own:       func(e *ast.FuncCallExpr) []demand { return g.ofCall(e, file) },
		overloads: func(operator string, operand ast.Expr) bool { return g.mayOverload(operator, operand, file) },
		holds:     func(e ast.Expr) *part { return g.partIn(e, f, file) },
		library:   func(e ast.Expr) *api.Member { return g.libraryIn(e, file) }, isMethod: g.methodsOf[f] != nil,
		fields: func(name string) map[string]*part {
			if c := g.class(name); c != nil && g.isLoaded() {
				return c.fields
			}
			return nil
		}}
}

// demandsOf returns what a function of a file demands of each of its parameters.
func (g *game) demandsOf(f *ast.FunctionExpr, file string) []demand {
	d := g.demandsIn(f, file)
	for i, p := range f.ParList.Names {
		d.depends[p] = p != "self"
		d.params[p] = i
	}
	d.block(f.Stmts)
	return d.of
}

// note notes a demand on an expression if it is a parameter: the first, or the first that nil does not meet, either.
func (d *demands) note(e ast.Expr, of demand) {
	if i, ok := d.params[syntax.NameOf(e)]; ok && (d.of[i].does == "" || d.of[i].part != "" && of.part == "") {
		d.of[i] = of
	}
}

func (d *demands) block(stmts []ast.Stmt) {
	for _, s := range stmts {
		if d.ended {
			return
		}
		d.stmt(s)
	}
}

func (d *demands) stmt(s ast.Stmt) {
	again := assignedIn([]ast.Stmt{s})
	for _, p := range ident.Keys(again) {
		if _, plain := s.(*ast.AssignStmt); plain { // which is given what the right side computes with it
			defer delete(d.params, p)
		} else {
			delete(d.params, p)
		}
	}
	switch s := s.(type) {
	case *ast.LocalAssignStmt:
		d.exprs(s.Exprs...)
		depends := d.dependsOn(s.Exprs...)
		for _, n := range s.Names {
			d.depends[n] = d.depends[n] || depends
			delete(d.params, n) // from here on, the name is another variable's
		}
	case *ast.AssignStmt:
		d.exprs(s.Rhs...)
		d.exprs(s.Lhs...)
		for i := range min(len(s.Lhs), len(s.Rhs)) {
			d.stores(d.holds(s.Lhs[i]), s.Rhs[i])
		}
	case *ast.FuncCallStmt:
		d.exprs(s.Expr)
	case *ast.ReturnStmt:
		d.exprs(s.Exprs...)
	case *ast.IfStmt:
		if d.exprs(s.Condition); len(s.Else) == 0 && ends(s.Then) && !d.dependsOn(s.Condition) {
			return // the function is called where it holds, and where it does not
		}
	case *ast.WhileStmt:
		d.exprs(s.Condition)
	case *ast.NumberForStmt:
		for _, e := range []ast.Expr{s.Init, s.Limit, s.Step} {
			if e != nil {
				d.note(e, isCounted)
				d.exprs(e)
			}
		}
	case *ast.GenericForStmt:
		d.exprs(s.Exprs...)
	case *ast.DoBlockStmt, *ast.FuncDefStmt:
	default:
		d.ended = true
	}
	d.ended = d.ended || leaves([]ast.Stmt{s})
}

// dependsOn reports whether expressions mention the parameters, or what is computed from them.
func (d *demands) dependsOn(list ...ast.Expr) (depends bool) {
	eachExpr([]ast.Stmt{&ast.ReturnStmt{Exprs: list}}, func(e ast.Expr) { depends = depends || d.depends[syntax.NameOf(e)] })
	return depends
}

func (d *demands) exprs(list ...ast.Expr) {
	for _, e := range list {
		d.expr(e)
	}
}

func (d *demands) expr(e ast.Expr) {
	switch e := e.(type) {
	case nil, *ast.FunctionExpr:
		return
	case *ast.AttrGetExpr:
		name, _ := syntax.TextOf(e.Key)
		d.note(e.Object, isIndexed(name))
	case *ast.FuncCallExpr:
		if e.Receiver != nil {
			d.note(e.Receiver, isIndexed(e.Method))
			if d.isMethod && syntax.NameOf(e.Receiver) == "self" {
				d.takes(library.Method(e.Method), e.Args)
			} else {
				d.numbers(library.Method(e.Method), e.Args)
			}
		} else {
			d.call(e)
			d.takes(d.library(e.Func), e.Args)
		}
		d.passedOn(e)
	case *ast.ArithmeticOpExpr:
		d.operands(e.Operator, isComputed, e.Lhs, e.Rhs)
	case *ast.UnaryMinusOpExpr:
		d.note(e.Expr, isComputed)
	case *ast.UnaryLenOpExpr:
		d.note(e.Expr, isMeasured)
	case *ast.StringConcatOpExpr:
		d.operands("..", isJoined, e.Lhs, e.Rhs)
	case *ast.RelationalOpExpr:
		if e.Operator != "==" && e.Operator != "~=" {
			d.note(e.Lhs, isCompared)
			d.note(e.Rhs, isCompared)
		}
	case *ast.LogicalOpExpr:
		d.expr(e.Lhs)
		return // what follows runs under a condition
	}
	syntax.EachOperand(e, d.expr, func([]ast.Stmt) {})
}

// operands notes the demand of an operation on both of its operands, other than of one whose other operand may be a table
// that computes with anything.
func (d *demands) operands(operator string, of demand, a, b ast.Expr) {
	for _, side := range [][2]ast.Expr{{a, b}, {b, a}} {
		if !d.overloads(operator, side[1]) {
			d.note(side[0], of)
		}
	}
}

// call notes the demands of a call on what is called, and those of ipairs, pairs and the functions of math on what they
// are given.
func (d *demands) call(e *ast.FuncCallExpr) {
	d.note(e.Func, isInvoked)
	name := syntax.NameOf(e.Func)
	if name == "ipairs" || name == "pairs" {
		d.note(first(e.Args), isListed)
	}
	if name == "cue" {
		d.note(first(e.Args), isName)
	}
	if name == "spawn" && len(e.Args) == 2 {
		for _, key := range placing {
			if at := valueOf(e.Args[1], key); at != nil {
				d.note(at, isPlace)
			}
		}
		if of, isText := syntax.TextOf(e.Args[0]); isText {
			d.stores(&part{parts: d.fields(of)}, e.Args[1])
		}
	}
	if get, ok := e.Func.(*ast.AttrGetExpr); ok && (syntax.NameOf(get.Object) == "math" || syntax.NameOf(get.Object) == "vec") {
		d.numbers(library.Function(syntax.NameOf(get.Object), syntax.LastName(get)), e.Args)
	} else if ok && syntax.NameOf(get.Object) == "table" && syntax.LastName(get) == "insert" && len(e.Args) > 1 {
		if list := d.holds(e.Args[0]); list != nil && list.item != nil {
			d.stores(list.item, e.Args[len(e.Args)-1])
		}
	}
}

// stores notes the demand of a part of state on what it is given: a parameter, or a table that is written out with some.
func (d *demands) stores(p *part, e ast.Expr) {
	t, written := e.(*ast.TableExpr)
	switch {
	case p == nil:
	case !written:
		d.note(e, isStored(p))
	default:
		for _, f := range t.Fields {
			if key, isText := syntax.TextOf(f.Key); isText {
				d.stores(p.parts[key], f.Value)
			} else if f.Key == nil && p.item != nil {
				d.stores(p.item, f.Value)
			}
		}
	}
}

// partIn returns what is declared of game.last.team or self.hp in a function of a file; nil: it is not known.
func (g *game) partIn(e ast.Expr, f *ast.FunctionExpr, file string) *part {
	get, ok := e.(*ast.AttrGetExpr)
	name, isText := "", false
	if ok {
		name, isText = syntax.TextOf(get.Key)
	}
	if !isText || !g.isLoaded() {
		return nil
	}
	switch c := g.classes[world.GameClass]; syntax.NameOf(get.Object) {
	case "":
		if of := g.partIn(get.Object, f, file); of != nil {
			return of.parts[name]
		}
	case "game":
		if c != nil && !slices.Contains(g.functionsOf.declared[file], "game") {
			return c.fields[name]
		}
	case "self":
		if c = g.methodsOf[f]; c != nil {
			return c.fields[name]
		}
	}
	return nil
}

// passedOn notes what another function of the game demands of the parameters that it is given.
func (d *demands) passedOn(e *ast.FuncCallExpr) {
	for i, of := range d.own(e) {
		if i < len(e.Args) && of.does != "" {
			d.note(e.Args[i], of)
		}
	}
}

// ofCall returns what a function of the game demands of the arguments of a call in a file; nil: that is not known.
func (g *game) ofCall(e *ast.FuncCallExpr, file string) []demand {
	here := g.functionsIn(file)
	f := here.locals[file][syntax.NameOf(e.Func)]
	if name := syntax.NameOf(e.Func); f == nil && here.given[name] == 1 && !slices.Contains(here.declared[file], name) {
		f = here.globals[name]
	}
	if get, ok := e.Func.(*ast.AttrGetExpr); ok && e.Receiver == nil {
		if f = g.memberIn(get, file); f != nil && f.colon {
			return nil
		}
	}
	if e.Receiver != nil {
		if f = g.only(e.Method); f != nil && !f.colon {
			return nil
		}
	}
	if f == nil {
		return nil
	}
	return g.demands(f.f, f.file)
}

// placing are the keys of spawn that place an object.
var placing = []string{"angle", "vx", "vy", "w", "x", "y"}

// numbers notes the demands of a function of the library on the arguments that must be numbers.
func (d *demands) numbers(m *api.Member, args []ast.Expr) {
	for i := range args {
		if m != nil && i < len(m.Params) && m.Params[i].Type == "number" && !m.Params[i].Optional {
			d.note(args[i], isComputed)
		}
	}
}

// refusesValue reports whether a demand cannot be met by the value of an expression.
func (s *scope) refusesValue(d demand, e ast.Expr) bool {
	of, v := s.typeOf(e), s.infer(e)
	switch {
	case v.Kind == module:
		made := s.game.functionsOf.results[v.File]
		return d.plain && made != nil && made.functions != nil && !made.metatables
	case slices.Contains(d.refuses, of):
		return true
	case of == "string":
		return d.number && s.isWords(e)
	}
	return of == "table" && d.plain && s.isPlain(e)
}
