package lint

import (
	"slices"

	"github.com/hindcast/hindcast/luabind/internal/ident"
	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// learned is what a walk of all files finds out for the next one: the values that functions of the game are given, and
// those that fields are given, by name. A name says nothing if something else than a call looks it up.
type learned struct {
	given  map[string][][]value  // by function: what each call passes
	calls  map[string][]madeCall // by function: each call
	stored map[string][]value    // by field of objects: what each assignment writes
	closed bool                  // an object's field is written by a computed name
	forms  map[string]form       // by function: how all files define it
	passed map[string]bool       // names that are looked up without a call

	named   map[string]bool              // names of variables that are not called: no method is looked up so
	writes  map[string]map[ast.Expr]bool // by name: what is written that may be a field of a table without a class
	lookups map[string]map[ast.Expr]bool // by name: where it is looked up in something that may have a method with this name
	texts   map[string]*writtenTexts
	chained bool                        // a function gives another what it is given, which the walk before did not tell
	says    map[string][][]writtenTexts // by function: the texts that each call passes
	counted map[*ownTable]bool          // tables that are given fields by something else than texts
	removed map[*class]bool             // classes whose objects scripts remove
	strayed map[string]bool             // texts that are written into fields which objects do not have
}

// madeCall is a call of a function, and where.
type madeCall struct {
	at   syntax.Place
	args []ast.Expr // without self
}

// form is how functions with a name are defined.
type form uint8

const (
	isNot   form = iota
	plainly      // function f(), or a local function
	hasDot       // function M.f()
	isColon      // function M:f()
	isMixed      // in several ways
)

// newLearned reads which functions the files define and look up.
func newLearned(trees [][]ast.Stmt) *learned {
	l := &learned{given: map[string][][]value{}, calls: map[string][]madeCall{}, stored: map[string][]value{}, forms: map[string]form{}, passed: map[string]bool{},
		counted: map[*ownTable]bool{}, removed: map[*class]bool{}, texts: map[string]*writtenTexts{}, says: map[string][][]writtenTexts{}, lookups: map[string]map[ast.Expr]bool{},
		strayed: map[string]bool{}, named: map[string]bool{}, writes: map[string]map[ast.Expr]bool{}}
	keys, global := callsKeys(slices.Concat(trees...)), map[string]bool{}
	for _, tree := range trees {
		called := map[ast.Expr]bool{}
		eachStmt(tree, func(s ast.Stmt) {
			switch s := s.(type) {
			case *ast.FuncDefStmt:
				name, of := definedAs(s)
				l.define(name, of)
				global[name] = true
				called[s.Name.Func] = true
			case *ast.LocalAssignStmt:
				for i, e := range s.Exprs {
					if literal(e) == "function" && i < len(s.Names) {
						l.define(s.Names[i], plainly)
					}
				}
			case *ast.AssignStmt:
				for _, e := range s.Lhs { // it may have another function then
					l.define(syntax.LastName(e), isMixed)
					if get, ok := e.(*ast.AttrGetExpr); ok {
						addTo(l.writes, syntax.LastName(get), get)
					}
				}
			}
		})
		eachExpr(tree, func(e ast.Expr) {
			switch e := e.(type) {
			case *ast.FuncCallExpr:
				called[e.Func] = true
				if given := framed(e); given != nil {
					called[given] = true
				}
			case *ast.IdentExpr:
				l.named[e.Value] = l.named[e.Value] || !called[e]
			case *ast.AttrGetExpr:
				if name, isText := syntax.TextOf(e.Key); isText {
					if called[e.Key] = true; !called[e] {
						addTo(l.lookups, name, e)
					}
				}
			case *ast.TableExpr:
				for _, f := range e.Fields {
					called[f.Key] = called[f.Key] || !keys // which looks nothing up
					if name, isText := syntax.TextOf(f.Key); isText && literal(f.Value) == "function" {
						l.define(name, isMixed)
					}
				}
			case *ast.StringExpr:
				l.passed[e.Value] = l.passed[e.Value] || !called[e]
			}
		})
	}
	for _, name := range ident.Keys(l.forms) { // no text and no member of a table stands for a local function
		if l.forms[name] == plainly && !global[name] {
			delete(l.passed, name)
			delete(l.lookups, name)
		}
	}
	return l
}

// newLearnedOfView is newLearned for view.lua: neither a text nor a member of a table stands for one of its functions
// without a table.
func newLearnedOfView(tree []ast.Stmt) *learned {
	l := newLearned([][]ast.Stmt{tree})
	for _, name := range ident.Keys(l.forms) {
		if l.forms[name] == plainly {
			delete(l.passed, name)
			delete(l.lookups, name)
		}
	}
	return l
}

// framed returns the function that a call of view.lua has called later, if it is one with a name: hud(draw).
func framed(e *ast.FuncCallExpr) (given ast.Expr) {
	switch of := syntax.NameOf(e.Func); {
	case of == "hud" || of == "camera":
		given = first(e.Args)
	case slices.Contains(cueHooks, of) && len(e.Args) == 2:
		given = e.Args[1]
	}
	if syntax.NameOf(given) == "" {
		return nil
	}
	return given
}

// noteFramed notes what such a function is given.
func (w *walker) noteFramed(e *ast.FuncCallExpr) {
	l, given := w.game.learning, framed(e)
	if l == nil || given == nil {
		return
	}
	v := value{Kind: frame}
	if name, isText := syntax.TextOf(e.Args[0]); given != e.Args[0] {
		if v = (value{}); isText && w.scope.shows().sent[name] != nil {
			v = value{Kind: shownCue, Class: w.scope.shows().sent[name]}
		}
	}
	name := syntax.NameOf(given)
	l.given[name] = append(l.given[name], []value{v})
}

// addTo adds an expression to those of a name.
func addTo(of map[string]map[ast.Expr]bool, name string, e ast.Expr) {
	if of[name] == nil {
		of[name] = map[ast.Expr]bool{}
	}
	of[name][e] = true
}

func (l *learned) define(name string, as form) {
	if l.forms[name] != isNot && l.forms[name] != as {
		as = isMixed
	}
	l.forms[name] = as
}

// callsKeys reports whether code calls functions by names that are keys of tables: for name in pairs(t) do self[name](self) end.
func callsKeys(tree []ast.Stmt) (calls bool) {
	keys := map[string]bool{}
	eachStmt(tree, func(s ast.Stmt) {
		if loop, ok := s.(*ast.GenericForStmt); ok {
			keys[loop.Names[0]] = true
		}
	})
	eachExpr(tree, func(e ast.Expr) {
		if call, ok := e.(*ast.FuncCallExpr); ok {
			if get, isMember := call.Func.(*ast.AttrGetExpr); isMember {
				calls = calls || keys[syntax.NameOf(get.Key)]
			}
		}
	})
	return calls
}

// isPassed reports whether something else than a call may look a function with a name up.
func (l *learned) isPassed(name string) bool {
	return l.passed[name] || len(l.lookups[name]) > 0 || l.named[name] && l.forms[name] == plainly
}

// noteLookup notes what a name is looked up in: no constant, input or part of state is a method.
func (w *walker) noteLookup(v value, name string, e ast.Expr) {
	if l := w.game.learning; l != nil && slices.Contains([]kind{props, input, contact, bump, arena, asked, kept}, v.Kind) {
		delete(l.lookups[name], e)
	}
}

// definedAs returns the name of the function that a statement defines, and how.
func definedAs(s *ast.FuncDefStmt) (name string, as form) {
	if s.Name.Receiver != nil {
		return s.Name.Method, isColon
	}
	if name = syntax.NameOf(s.Name.Func); name != "" {
		return name, plainly
	}
	return syntax.LastName(s.Name.Func), hasDot
}

// notePassed notes what a call passes.
func (w *walker) notePassed(e *ast.FuncCallExpr) {
	w.followInput(e)
	l := w.game.learning
	if l == nil {
		return
	}
	name, args, known := e.Method, e.Args, l.forms[e.Method] == isColon
	if e.Receiver == nil {
		_, isMember := e.Func.(*ast.AttrGetExpr)
		name = syntax.LastName(e.Func)
		known = isMember == (l.forms[name] == hasDot)
		if isMember && l.forms[name] == isColon && len(args) > 0 && w.scope.mayBeSelf(args[0]) {
			args, known = args[1:], true
		}
	}
	if l.forms[name] == isNot {
		return
	}
	if known = known && l.forms[name] != isMixed; !known {
		l.passed[name] = true
		return
	}
	values := make([]value, 0, len(args))
	passed, open := count(args)
	if open && w.scope.givesOnly(args[passed]) {
		passed, open = passed+1, false
	}
	says := make([]writtenTexts, 0, len(args))
	for _, a := range args[:passed] {
		values, says = append(values, w.scope.passable(a)), append(says, w.textsIn(a))
	}
	if open {
		l.passed[name] = true
	}
	l.given[name], l.says[name] = append(l.given[name], values), append(l.says[name], says)
	l.calls[name] = append(l.calls[name], madeCall{syntax.Place{File: w.report.current(), Line: max(e.Line(), 1)}, args})
}

// mayBeSelf reports whether an expression may be the object of a method that a dot calls: o.take("gold", 1) lacks it, and
// tells nothing of the parameters.
func (s *scope) mayBeSelf(e ast.Expr) bool {
	of := s.typeOf(e)
	return of == "" || of == "table" || of == anObject
}

// givesOnly reports whether a call is one of a function of the library that has one result.
func (s *scope) givesOnly(e ast.Expr) bool {
	call, ok := e.(*ast.FuncCallExpr)
	if !ok {
		return false
	}
	if v := s.infer(call); s.view != nil && (v.Kind == shown || v.Kind == shownList) {
		return true
	}
	m := s.callee(call.Func)
	if call.Receiver != nil {
		m = s.infer(call.Receiver).method(call.Method)
	}
	return m != nil && len(m.Returns) == 1 && m.Returns[0].Type != "any"
}

// followInput notes the inputs among the arguments of a call whose function is known to be given an input.
func (w *walker) followInput(e *ast.FuncCallExpr) {
	for i, a := range e.Args {
		if w.scope.infer(a).Kind != input || w.game.known == nil {
			continue
		}
		if c := w.scope.ownCall(e); c != nil && i < len(c.to.f.ParList.Names) && c.colon == c.to.colon {
			w.followed[a] = w.given(c.name, c.to.f)[c.to.f.ParList.Names[i]].Kind == input
		}
	}
}

// passable returns what a function can know of a value that it is given. The class of an object is left out, because the
// function may be written for those of others as well.
func (s *scope) passable(e ast.Expr) value {
	v := s.infer(e)
	switch {
	case v.isObject() && v.Class != nil:
		return value{Kind: someObject, Class: s.game.anyObject()}
	case v.Kind == input, v.Kind == joint, v.Kind == test, v.Kind == testWorld:
		return v
	case v.Kind == frame, v.Kind == committed, v.Kind == shown, v.Kind == shownList, v.Kind == shownCue:
		return value{Kind: v.Kind, Class: v.Class}
	case v.Kind == anything:
		switch of := s.typeOf(e); of {
		case "nil", "number", "string", "boolean":
			return value{Type: of}
		}
	}
	return value{}
}

// params returns what is known of the parameters of a function with a name, without self.
func (l *learned) params(name string, f *ast.FunctionExpr, of []demand) map[string]value {
	vars := map[string]value{}
	if l == nil || l.isPassed(name) || l.forms[name] == isMixed || len(l.given[name]) == 0 {
		return vars
	}
	again := assignedIn(f.Stmts)
	for i, p := range f.ParList.Names {
		v := agreed(len(l.given[name]), func(call int) value {
			if i >= len(l.given[name][call]) {
				return value{Type: "nil"}
			}
			return l.given[name][call][i]
		})
		switch {
		case v == value{} || again[p] || v.Type == "nil":
		case i < len(of) && slices.Contains(of[i].refuses, typeOfKind(v)) && !(of[i].part != "" && len(l.given[name]) > 1):
			return nil // which is said where it is called
		case tests(f.Stmts, p, v.Kind == someObject || v.Kind == joint || v.Kind == shown):
		default:
			vars[p] = v
		}
	}
	return vars
}

// agreeOn reports whether several calls give a function the same for a parameter, so that it is the function which stores
// it in the wrong place.
func (l *learned) agreeOn(name string, param int) bool {
	if l == nil || l.isPassed(name) || len(l.given[name]) < 2 {
		return false
	}
	return agreed(len(l.given[name]), func(call int) value {
		if param < 0 || param >= len(l.given[name][call]) {
			return value{}
		}
		return l.given[name][call][param]
	}) != value{}
}

// onlyCall returns the call that gives a parameter of the function that is walked its value; nil: there are others, or
// they are not known.
func (w *walker) onlyCall(e ast.Expr) (function string, param int, call *madeCall) {
	p, isParam := w.passed[syntax.NameOf(e)]
	if !isParam || w.game.known == nil || len(w.game.known.given[p.function]) != 1 || len(w.game.known.calls[p.function]) != 1 {
		return "", 0, nil
	}
	if call = &w.game.known.calls[p.function][0]; p.at >= len(call.args) {
		return "", 0, nil
	}
	return p.function, p.at, call
}

// agreed returns what n values have in common. Objects, what view.lua is shown of them, and joints may be nil, others may
// not.
func agreed(n int, at func(int) value) (common value) {
	absent := false
	for i := range n {
		switch v := at(i); {
		case v.Type == "nil":
			absent = true
		case v == value{}:
			return v
		case common == value{} || common == v:
			common = v
		default:
			return value{}
		}
	}
	if absent && common.Kind != someObject && common.Kind != joint && common.Kind != shown {
		return value{}
	}
	return common
}

// tests reports whether code asks what a parameter is: with type(p) or, unless it may be nil, as a condition.
func tests(stmts []ast.Stmt, p string, mayBeNil bool) (asks bool) {
	isParam := func(e ast.Expr) bool { return e != nil && syntax.NameOf(e) == p }
	eachExpr(stmts, func(e ast.Expr) {
		switch e := e.(type) {
		case *ast.FuncCallExpr:
			asks = asks || slices.Contains([]string{"type", "tonumber", "tostring"}, syntax.NameOf(e.Func)) && isParam(first(e.Args))
		case *ast.RelationalOpExpr:
			asks = asks || !mayBeNil && (literal(e.Rhs) == "nil" && isParam(e.Lhs) || literal(e.Lhs) == "nil" && isParam(e.Rhs))
		case *ast.LogicalOpExpr:
			asks = asks || !mayBeNil && (isParam(e.Lhs) || isParam(e.Rhs))
		case *ast.UnaryNotOpExpr:
			asks = asks || !mayBeNil && isParam(e.Expr)
		}
	})
	eachStmt(stmts, func(s ast.Stmt) {
		if branch, ok := s.(*ast.IfStmt); ok {
			asks = asks || !mayBeNil && isParam(branch.Condition)
		}
	})
	return asks
}

// noteStored notes what a field of an object is given.
func (w *walker) noteStored(get *ast.AttrGetExpr, e ast.Expr) {
	l := w.game.learning
	if l == nil {
		return
	}
	if name, isText := syntax.TextOf(get.Key); isText {
		if v := w.scope.infer(get.Object); v.isObject() || v.Kind == kept || v.Own != nil && v.Own.list == "" {
			delete(l.writes[name], get)
		}
		l.stored[name] = append(l.stored[name], w.scope.passable(e))
		if v := w.scope.infer(get.Object); v.isObject() && v.Class != nil && w.game.lacks(v.Class, name) {
			for _, text := range w.textsIn(e).all() {
				l.strayed[text] = true
			}
		}
		w.noteText(name, e)
		w.noteTextOf(w.scope.infer(get.Object), get.Object, name, e)
	} else if v := w.scope.infer(get.Object); v.isObject() || v == (value{}) {
		l.closed = true
	}
}

// noteSpawned notes what the fields of a new object are given.
func (w *walker) noteSpawned(e *ast.FuncCallExpr) {
	l := w.game.learning
	if l == nil || len(e.Args) < 2 || syntax.LastName(e.Func) != "spawn" {
		return
	}
	keys, whole := tableKeys(e.Args[1])
	l.closed = l.closed || !whole
	for _, name := range ident.Keys(keys) {
		l.stored[name] = append(l.stored[name], w.scope.passable(valueOf(e.Args[1], name)))
		w.noteText(name, valueOf(e.Args[1], name))
		w.noteTextOf(w.scope.objectOf(e.Args[0]), e, name, valueOf(e.Args[1], name))
	}
}

// hold notes in the declared references what they hold: joints, or objects.
func (l *learned) hold(classes []*class) {
	for _, c := range classes {
		for _, name := range ident.Keys(c.fields) {
			if p := c.fields[name]; p.ref && !l.closed && len(l.stored[name]) > 0 {
				p.joint = agreed(len(l.stored[name]), func(i int) value { return l.stored[name][i] }).Kind == joint
			}
		}
	}
}

// learn walks the files without a report, as often as that tells more about them.
func (g *game) learn(files []string) {
	for walk := range 3 {
		if walk == 2 && !g.known.chained {
			return
		}
		g.learning = newLearned(g.trees)
		w := newWalker(g, &report{})
		for i, name := range files {
			w.file(name, g.trees[i])
		}
		g.learning.hold(g.all())
		g.known, g.learning = g.learning, nil
		clear(g.resulting)
	}
}
