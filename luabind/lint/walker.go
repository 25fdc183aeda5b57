package lint

import (
	"fmt"
	"maps"
	"slices"

	"github.com/hindcast/hindcast/luabind"
	"github.com/hindcast/hindcast/luabind/internal/api"
	"github.com/hindcast/hindcast/luabind/internal/ident"
	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/hindcast/hindcast/world"
	"github.com/yuin/gopher-lua/ast"
)

// walker walks the syntax trees of files and checks the names in them.
type walker struct {
	game   *game
	report *report
	scope  *scope
	checks *checks

	surplus     []surplus                       // parameters of hooks that are given nothing
	omitted     []omission                      // hooks that lack parameters
	hidden      []localHook                     // local functions that are called like hooks
	named       map[string]bool                 // names that are called or looked up anywhere
	thinks      *class                          // whose think is being walked
	testing     bool                            // the files are tests
	inTick      bool                            // what is walked runs only after the files are loaded
	cues        []string                        // that view.lua shows; nil: not known
	sides       *cueSides                       // where cues are shown; nil: see cues
	sent        sentFields                      // notes what cues send; nil: nothing does
	unshown     map[string]bool                 // cues of which it has been said that nothing shows them
	defined     map[string]syntax.Place         // the methods and hooks that files define
	steered     *class                          // if the file is a bot's: the class that it may steer
	stored      ast.Expr                        // what the name is given that is walked; nil: it is read
	target      ast.Expr                        // what the assignment is to that is walked
	calling     ast.Expr                        // the function of the call that is walked
	absent      absence                         // what the function that is walked knows of results that may be nil
	keeps       map[string]*ast.TableExpr       // the tables that the file keeps, by variable
	within      string                          // the function with a name that is walked; empty: none
	followed    map[ast.Expr]bool               // inputs that are passed to functions which are known to be given them
	alone       ast.Expr                        // the last statement so far that is a call
	seeing      bool                            // the function of asSeen is walked
	leavesOut   bool                            // what is walked leaves a value out if it is nil
	metatables  bool                            // the file makes metatables
	nested      int                             // how many functions without names surround what is walked
	returns     string                          // the variable that the file returns; empty: it returns something else
	methodsOf   string                          // the table before the colon of the function that is walked
	tested      map[string]bool                 // members of global tables that the file looks up without calling them
	hook        string                          // the hook that is walked; empty: none, or a function that hooks call
	comparing   map[*ast.FunctionExpr]value     // what functions that table.sort is given compare
	scratch     map[*ast.LocalAssignStmt][]bool // variables of the file whose tables hooks may write to
	spoilt      map[*ast.LocalAssignStmt][]int  // lines that keep others of them from being such
	tree        []ast.Stmt                      // the file
	body        []ast.Stmt                      // the innermost function that is walked
	passed      map[string]passedParam          // parameters of functions around what is walked
	outside     *learned                        // what the files of the game say, where a test or a bot is walked
	ofTable     string                          // the table before the dot of the function that is walked
	hookedBy    *class                          // the class whose hook is walked; nil: it is one of game.lua
	amid        *class                          // whose method is walked, on objects that are among those of the class; nil: none
	lacksCalled bool                            // calls name a function that game.lua lacks
	statement   ast.Stmt                        // the innermost statement around what is walked
	negated     *ast.UnaryNotOpExpr             // the second not of the last not not
}

func newWalker(g *game, r *report) *walker {
	g.reassigned.next()
	return &walker{
		game:    g,
		report:  r,
		scope:   &scope{game: g},
		checks:  &checks{g, r, map[string]bool{}, map[string]bool{}},
		named:   map[string]bool{},
		unshown: map[string]bool{},
		defined: map[string]syntax.Place{},

		followed: map[ast.Expr]bool{},
		absent:   absence{asked: map[string]bool{}},
	}
}

// readTests makes the walker read tests.
func (w *walker) readTests() { w.testing = true }

// readBot makes the walker read a bot.
func (w *walker) readBot() { w.steered = w.game.steered() }

// files walks the files of the game.
func (w *walker) files(files []world.Source) {
	for i, f := range files {
		w.file(f.Name, w.game.tree(i))
	}
	w.noteMeant()
	if w.game.hidesNothing() {
		u := unused{w.game, w.report, w.named, map[syntax.Place]bool{}, w.lacksCalled, map[string]bool{}}
		if w.game.isLoaded() {
			for i, f := range files {
				u.onOneSide(w.game.tree(i), f.Name)
			}
		}
		u.check()
		w.sayLocalHooks()
		w.saySurplus()
		w.noClasses(names(files))
	}
}

// file walks one file.
func (w *walker) file(name string, tree []ast.Stmt) {
	w.report.begin(name)
	w.scope.file = name
	w.scope.again, w.scope.fields = assignedIn(tree), fieldsIn(tree)
	w.returns, w.keeps = returnedBy(tree), keptIn(tree)
	w.scope.tables, w.scope.steady = w.game.ofFile(name, tree)
	w.scope.holding = w.game.locals[name].holding
	w.tested = testedIn(tree)
	w.comparing = map[*ast.FunctionExpr]value{}
	w.scratch, w.spoilt = syntax.ScratchTables(name, tree), syntax.SpoiltScratch(name, tree)
	w.metatables, w.tree = false, tree
	eachExpr(tree, func(e ast.Expr) { w.metatables = w.metatables || syntax.NameOf(e) == "setmetatable" })
	w.block(tree)
	w.withoutIndex(tree)
	if !w.testing && w.steered == nil {
		w.sayTwice(name, tree)
	}
}

func (w *walker) block(stmts []ast.Stmt) {
	w.scope.within(map[string]value{}, func() {
		for i, s := range stmts {
			if _, isLocal := s.(*ast.LocalAssignStmt); isLocal {
				w.usedNext(stmts, i)
				w.withoutValue(stmts, i)
				w.overLast(stmts, i)
			}
			if branch, isIf := s.(*ast.IfStmt); isIf && i+1 < len(stmts) {
				w.nilAfter(branch, stmts[i+1])
			}
			w.stmt(s)
			if branch, isIf := s.(*ast.IfStmt); isIf {
				w.afterBranch(branch)
			}
		}
	})
}

func (w *walker) stmt(s ast.Stmt) {
	outer := w.statement
	w.statement = s
	defer func() { w.statement = outer }()
	switch s := s.(type) {
	case *ast.LocalAssignStmt:
		w.local(s)
		return
	case *ast.AssignStmt:
		w.assign(s)
		return
	case *ast.GenericForStmt:
		w.forEach(s)
		return
	case *ast.NumberForStmt:
		w.numberFor(s)
		w.scope.within(map[string]value{s.Name: {}}, func() { syntax.EachPart(s, w.expr, w.block) })
		return
	case *ast.IfStmt:
		w.noteGuard(s.Condition)
		w.condition(s.Condition)
		w.always(s.Condition)
		w.nilUsed(s)
		w.shadowed(s)
		w.functionTested(s.Condition, s)
		if w.branches(s) {
			return
		}
	case *ast.WhileStmt:
		w.functionTested(s.Condition, s)
		w.noteGuard(s.Condition)
		w.condition(s.Condition)
		if alwaysHolds(s.Condition) {
			w.endless("while", s.Line(), s.Stmts)
		} else {
			w.stuck("while", s.Line(), s.Condition, s.Stmts)
		}
	case *ast.FuncCallStmt:
		w.noteDropped(s.Expr, w.discarded(s.Expr))
		w.alone = s.Expr
	case *ast.RepeatStmt:
		w.functionTested(s.Condition, s)
		w.condition(s.Condition)
		if neverHolds(s.Condition) {
			w.endless("repeat", s.Line(), s.Stmts)
		} else {
			w.stuck("repeat", s.Line(), s.Condition, s.Stmts)
		}
	case *ast.FuncDefStmt:
		if get, isMember := s.Name.Func.(*ast.AttrGetExpr); isMember {
			w.libraryWritten(get, s.Func)
		} else if s.Name.Receiver != nil {
			get := &ast.AttrGetExpr{Object: s.Name.Receiver, Key: &ast.StringExpr{Value: s.Name.Method}}
			get.SetLine(s.Line())
			w.libraryWritten(get, &ast.FunctionExpr{ParList: &ast.ParList{HasVargs: s.Func.ParList.HasVargs, Names: append([]string{"s"}, s.Func.ParList.Names...)}})
		}
		if w.defines(s) {
			w.function(nil, unknown(s.Func.ParList.Names), s.Func.Stmts)
			return
		}
		c, name, params := w.game.methodOf(w.report.current(), s)
		params = w.selfTwice(s, params)
		params = w.dottedHook(c, name, params, s.Func, s.Name.Receiver == nil)
		outer, table := w.methodsOf, w.ofTable
		w.methodsOf, w.ofTable = syntax.NameOf(s.Name.Receiver), ""
		if get, isMember := s.Name.Func.(*ast.AttrGetExpr); isMember {
			w.ofTable = syntax.NameOf(get.Object)
		}
		w.define(c, name, params, s.Func)
		w.methodsOf, w.ofTable = outer, table
		return
	case *ast.ReturnStmt:
		w.filtered(s)
		w.verdict(s)
		w.checks.thought(w.thinks, s)
		w.thoughtValues(s)
		if w.scope.shows().isCamera() {
			w.checks.keys("camera", api.CameraKeys(), first(s.Exprs))
			w.checks.cameraValues(w.scope, first(s.Exprs))
			w.checks.cameraResult(w.scope, s)
		}
	}
	syntax.EachPart(s, w.expr, w.block)
}

// seesItself reports whether a statement is local function f, whose function sees f: not what has that name outside. Only
// the parser's last line tells it from local f = function.
func seesItself(s *ast.LocalAssignStmt) bool {
	return s.LastLine() != 0 && len(s.Exprs) == 1 && literal(s.Exprs[0]) == "function"
}

func (w *walker) local(s *ast.LocalAssignStmt) {
	outer := w.inTick
	w.inTick = outer || len(s.Names) == 1 && len(s.Exprs) == 1 && literal(s.Exprs[0]) == "function" &&
		w.laterHere(s.Names[0])
	walk := func() {
		for i, e := range s.Exprs {
			w.givesNothing(e)
			if f, isFunction := e.(*ast.FunctionExpr); isFunction && i < len(s.Names) {
				vars := unknown(f.ParList.Names)
				maps.Copy(vars, w.given(s.Names[i], f))
				if w.scope.shows() != nil {
					w.inView(vars, f)
					continue
				}
				w.nested++
				w.passing(s.Names[i], f, func() {
					w.inFunction(s.Names[i], func() { w.function(nil, vars, f.Stmts) })
				})
				w.nested--
				continue
			}
			w.expr(e)
		}
	}
	if seesItself(s) {
		w.scope.within(map[string]value{s.Names[0]: {}}, walk)
	} else {
		walk()
	}
	w.inTick = outer
	w.surplusResults(s)
	w.surplusValues(len(s.Names), s.Exprs)
	w.noteLocalHook(s)
	for i, n := range s.Names {
		var v value
		if i < len(s.Exprs) {
			if v = w.scope.infer(s.Exprs[i]); v.Kind == anything {
				v.Type = w.scope.typeOf(s.Exprs[i])
			}
			if v.Type == "nil" {
				v.Type = ""
			}
			if w.scope.outermost() && !w.testing && w.steered == nil &&
				literal(s.Exprs[i]) == "table" {
				text, _ := s.Exprs[i].(*ast.TableExpr)
				v = value{Kind: shared, Flat: isFlat(s.Exprs[i]), Text: text}
			}
			if tableIn(s.Exprs[i]) != nil {
				if v = w.scope.ofVariable(n, v); !w.scope.again[n] {
					v = w.follow(v, s.Exprs[i])
				}
			}
			if t := w.textsIn(s.Exprs[i]); !t.open && literal(s.Exprs[i]) == "" && v.Kind == anything {
				v.Says = &t
			}
			if m := w.scope.callee(s.Exprs[i]); m != nil && !w.scope.again[n] {
				v.Lib = m
			}
			if f, ok := s.Exprs[i].(*ast.FunctionExpr); ok {
				v.Func = &ownFunction{f: f, file: w.scope.file}
			}
			if text, isText := s.Exprs[i].(*ast.StringExpr); isText && w.scope.outermost() {
				v.Const = text
			}
			if mode := weakMode(s.Exprs[i]); mode != "" && w.scope.outermost() && !w.testing && w.steered == nil {
				v = value{Type: "table", Weak: mode}
			}
			if w.scope.listsIn(s.Exprs[i]) && w.scope.outermost() && !w.testing && w.steered == nil {
				v = value{Lists: true}
			}
			if scratch := w.scratch[s]; scratch != nil && scratch[i] || w.readEarly(s, i) {
				v = value{}
			}
		} else if i > 0 && len(s.Exprs) > 0 {
			v = w.scope.result(s.Exprs[len(s.Exprs)-1], i-len(s.Exprs)+1)
		}
		if isNil := len(s.Exprs) == 0 || len(s.Exprs) == len(s.Names) && literal(s.Exprs[i]) == "nil"; isNil &&
			w.game.isLoaded() { // otherwise it may be why they do not load
			v = value{Type: "nil", Line: max(s.Line(), 1)}
		}
		if i == 1 && len(s.Exprs) == 1 && w.catchesText(s.Exprs[0]) {
			v = value{Caught: true}
		}
		if i < len(s.Exprs) && w.scope.isCoroutine(s.Exprs[i]) && !w.inTick && w.scope.outermost() && !w.testing {
			v = value{Type: v.Type, AtLoad: true}
		}
		if w.scope.again[n] && (v.Kind != shared || !w.scope.outermost()) {
			w.declareAgain(s, i)
			continue
		}
		w.scope.declare(n, v)
		if i < len(s.Exprs) && !w.scope.again[n] {
			w.scope.hold(n, s.Exprs[i])
		}
	}
}

// moduleOf returns the file that a call of require names, among those that are known; empty: that is not known.
func moduleOf(require *ast.FuncCallExpr, known map[string]luabind.Module) string {
	if len(require.Args) != 1 {
		return ""
	}
	name, isText := require.Args[0].(*ast.StringExpr)
	if !isText {
		return ""
	}
	file, _ := syntax.ModuleFile(name.Value, ident.Keys(known))
	return file
}

// assign walks an assignment. Kinds[n].tick = function(self) end may define a method.
func (w *walker) assign(s *ast.AssignStmt) {
	w.droppedSelf(s)
	w.assignedAgain(s)
	for i, e := range s.Lhs {
		if i < len(s.Rhs) {
			w.stored = s.Rhs[i]
		}
		w.target = e
		w.written(e)
		w.expr(e)
		w.stored, w.target = nil, nil
	}
	w.surplusValues(len(s.Lhs), s.Rhs)
	w.fewerValues(s)
	w.assignedFields(s)
	w.noteItems(s)
	w.hooksAssigned(s)
	w.hookOfNothing(s)
	w.toItself(s)
	for i, e := range s.Rhs {
		w.givesNothing(e)
		f, isFunction := e.(*ast.FunctionExpr)
		if !isFunction || i >= len(s.Lhs) {
			w.expr(e)
			continue
		}
		name := syntax.LastName(s.Lhs[i])
		c := w.game.loadedClass(w.report.current(), f, name)
		params := w.dottedHook(c, name, f.ParList.Names, f, true)
		w.define(c, name, params, f)
	}
}

// assignedFields checks the types of what is written into declared fields.
func (w *walker) assignedFields(s *ast.AssignStmt) {
	for _, e := range s.Lhs[min(len(s.Lhs), len(s.Rhs)):] {
		if get, ok := e.(*ast.AttrGetExpr); ok {
			w.noteStored(get, nil)
		}
	}
	for i := range min(len(s.Lhs), len(s.Rhs)) {
		get, ok := s.Lhs[i].(*ast.AttrGetExpr)
		if !ok {
			continue
		}
		w.noteKey(get)
		w.partWritten(get, s.Rhs[i])
		w.noteStored(get, s.Rhs[i])
		name, _ := syntax.TextOf(get.Key)
		v := w.scope.infer(get.Object)
		if name == "team" && v.Kind == object {
			w.checks.teamOf(v.Class, s.Rhs[i], max(get.Key.Line(), get.Line()))
		}
		if (v.Kind == object || v.Kind == someObject) && v.Class != nil && !slices.Contains(onlyRead, name) {
			w.fits(v.Class, name, s.Rhs[i], max(get.Key.Line(), get.Line()))
		}
	}
}

// forEach walks a loop such as for _, o in ipairs(objects("Ship")) do.
func (w *walker) forEach(s *ast.GenericForStmt) {
	for _, e := range s.Exprs {
		w.expr(e)
	}
	vars := unknown(s.Names)
	if call, ok := s.Exprs[0].(*ast.FuncCallExpr); ok && len(s.Exprs) == 1 && w.scope.isGlobal(call.Func, "ipairs", "pairs") && len(call.Args) == 1 {
		counts := w.scope.isList(call.Args[0]) || w.scope.isGlobal(call.Func, "ipairs")
		again := assignedIn(s.Stmts)[s.Names[0]]
		switch {
		case len(s.Names) == 2:
			vars[s.Names[1]] = w.scope.listed(call.Args[0])
			if counts && !again {
				vars[s.Names[0]] = value{Type: "number", Hint: s.Names[0] + " counts, and " + s.Names[1] + " is the item"}
			}
		case len(s.Names) == 1 && counts && !again:
			vars[s.Names[0]] = value{Type: "number", Hint: w.valueIsSecond(s, call)}
			w.countsPlayers(s, call)
		}
	}
	w.overClass(s)
	w.overList(s)
	w.removesItem(s)
	w.scope.within(vars, func() { w.block(s.Stmts) })
}

// listed returns the value of the items of a list that a loop goes through.
func (s *scope) listed(list ast.Expr) value {
	v := s.itemOf(list)
	if of := s.stateList(list); of != nil && v.Kind == anything && (v.Type == "number" || v.Type == "boolean") {
		v.Hint = "declare " + lastPart(of.name) + " = list(record { ... }, n) for items with parts"
	}
	return v
}

// unknown returns variables of which nothing is known.
func unknown(names []string) map[string]value {
	vars := map[string]value{}
	for _, n := range names {
		vars[n] = value{}
	}
	return vars
}

// define walks a function with a name. c is the class whose method it is, nil for other functions.
// params are its parameters with self.
func (w *walker) define(c *class, name string, params []string, f *ast.FunctionExpr) {
	vars := unknown(append(slices.Clone(f.ParList.Names), params...)) // self, too, is that of this function
	if hookOf(c, name, w.report.current()) == nil {
		maps.Copy(vars, w.given(name, f))
		if c == nil && w.scope.outermost() {
			maps.Copy(vars, w.hostParams(name, f))
		}
	}
	if c != nil && len(params) > 0 {
		c.walk(name)
		if params[0] == "self" || api.HookMember(name) != nil { // otherwise Ship.helper(x) may be given anything
			vars[params[0]] = value{Kind: object, Class: c}
		}
		w.hookParams(c, name, params[1:], vars, f)
	} else if c == nil && w.scope.outermost() {
		w.hookParams(nil, name, f.ParList.Names, vars, f)
	}
	var thinks *class
	if c == nil && w.isBot(name, f, vars) {
		thinks = w.steered
	} else if name == world.Think.String() {
		thinks = c
	}
	outer, outerHook, outerClass := w.inTick, w.hook, w.hookedBy
	w.inTick = w.inTick || runsInTick(c, name, w.report.current()) || w.laterHere(name)
	if w.hook = ""; hookOf(c, name, w.report.current()) != nil && (c != nil || w.scope.outermost()) {
		w.hook, w.hookedBy = name, c
		w.staleReads(c, name, params, f)
		w.timersIn(c, name, f)
	}
	w.timerOnly(c, name, params, f)
	w.callsItself(c, name, params, f)
	outerNested, outerAmid := w.nested, w.amid
	w.nested, w.amid = 0, nil
	if w.game.isAmid(c, name, params) {
		w.amid = c
	}
	passing := name
	if hookOf(c, name, w.report.current()) != nil {
		passing = "" // the host calls it
	}
	w.passing(passing, f, func() {
		w.inFunction(name, func() { w.function(thinks, vars, f.Stmts) })
	})
	w.inTick, w.hook, w.hookedBy, w.nested, w.amid = outer, outerHook, outerClass, outerNested, outerAmid
	w.answered(c, name, thinks, f)
}

// given returns what is known of the parameters of a function.
func (w *walker) given(name string, f *ast.FunctionExpr) map[string]value {
	return w.learnedHere().params(name, f, w.game.demands(f, w.report.current()))
}

// gives reports whether a function returns anything, or may end in an error only.
func gives(stmts []ast.Stmt) (found bool) {
	eachReturn(stmts, func(r *ast.ReturnStmt) { found = found || len(r.Exprs) > 0 })
	return found
}

// eachReturn visits the return statements of a function, without those of functions in it.
func eachReturn(stmts []ast.Stmt, visit func(*ast.ReturnStmt)) {
	for _, s := range stmts {
		if r, ok := s.(*ast.ReturnStmt); ok {
			visit(r)
		}
		syntax.EachPart(s, func(ast.Expr) {}, func(inner []ast.Stmt) { eachReturn(inner, visit) })
	}
}

// anInput returns the name of an input of a class, for an example.
func anInput(c *class) string {
	if names, _ := c.inputNames(); len(names) > 0 {
		return names[0]
	}
	return "Accel"
}

// hookParams notes the values of the parameters of a hook, without self.
func (w *walker) hookParams(c *class, name string, params []string, vars map[string]value, f *ast.FunctionExpr) {
	hook := hookOf(c, name, w.report.current())
	if hook != nil {
		w.noteSurplus(c, name, hook, params, f)
		w.noteOmitted(c, name, hook, params, vars, f)
	}
	if c != nil && (name == world.ApplyInput.String() || name == world.Simulate.String()) && len(params) > 0 {
		vars[params[0]] = value{Kind: input, Class: c}
		return
	}
	if hook == nil {
		return
	}
	if c != nil && name == "migrate" && len(params) > 0 {
		vars[params[0]] = value{Kind: past}
		return
	}
	if w.swapped(c, name, hook, params, f) {
		return
	}
	if w.takesSpawnArgs(c, name, params, f) {
		vars[params[0]] = value{Kind: spawnArgs, Class: c}
		return
	}
	for i, p := range hook.Params[:min(len(hook.Params), len(params))] {
		if c == nil && name == "onStart" && i == 0 {
			vars[params[i]] = value{Type: "string", Level: true}
			continue
		}
		if p.Name == "asked" && w.game.form != nil {
			vars[params[i]] = value{Kind: asked}
			continue
		}
		if v := w.scope.ofType(p.Type); v.Kind != anything || v.Type == "number" || p.Type == "string" {
			vars[params[i]] = v
		}
	}
}

// function walks the body of a function. thinks is the class whose inputs the
// function returns, nil for other functions.
func (w *walker) function(thinks *class, params map[string]value, body []ast.Stmt) {
	outer, twice, absent, around := w.thinks, w.checks.twice, w.absent, w.body
	w.body = body
	w.checks.twice = map[string]bool{}
	w.absent = absence{asked: map[string]bool{}, guards: absent.guards}
	defer func() { w.checks.twice, w.absent, w.body = twice, absent, around }()
	w.thinks = thinks
	w.scope.within(params, func() { w.block(body) })
	w.thinks = outer
}

// inFunction walks the outermost function around what it walks. One within another belongs to that.
func (w *walker) inFunction(name string, walk func()) {
	outer := w.within
	w.within = or(outer, name)
	walk()
	w.within = outer
}

// inView walks a function of view.lua that is given parameters.
func (w *walker) inView(vars map[string]value, f *ast.FunctionExpr) {
	v, outer := w.scope.shows(), w.inTick
	defer v.camera(v.camera(false)) // its results are not those of the function of camera
	w.inTick = true
	w.nested++
	w.function(nil, vars, f.Stmts)
	w.nested--
	w.inTick = outer
}

// isBot reports whether a function is a bot's function bot(me, world), and notes
// what its parameters are.
func (w *walker) isBot(name string, f *ast.FunctionExpr, vars map[string]value) bool {
	if w.steered == nil || name != "bot" {
		return false
	}
	for i, v := range []value{{Kind: object, Class: w.steered}, {Kind: botWorld}} {
		if i < len(f.ParList.Names) {
			vars[f.ParList.Names[i]] = v
		}
	}
	return true
}

// expr walks an expression.
func (w *walker) expr(e ast.Expr) {
	w.game.steps++
	switch e := e.(type) {
	case nil:
		return
	case *ast.IdentExpr:
		w.named[e.Value] = true
		if v, _ := w.scope.lookUp(e.Value); v.Kind == input && w.game.learning == nil && !w.followed[e] {
			v.Class.allInputs() // it is passed on: anything may be read there
		}
		return
	case *ast.StringExpr:
		w.named[e.Value] = true // o["onHit"](o), or a name that is passed on
	case *ast.AttrGetExpr:
		done, stored := w.attribute(e), w.stored
		if w.stored = nil; !done { // its parts are read
			syntax.EachOperand(e, w.expr, w.block)
		}
		w.stored = stored
		return
	case *ast.TableExpr:
		w.givenTwice(e)
		w.oddRows(e)
		if w.scope.outermost() && !w.inTick {
			w.functionsOf(e)
			return
		}
	case *ast.UnaryNotOpExpr:
		w.valueNegated(e)
	case *ast.UnaryLenOpExpr:
		w.measured(e)
	case *ast.UnaryMinusOpExpr:
		w.operands(e.Line(), "-", e.Expr)
	case *ast.LogicalOpExpr:
		w.noteLeft(e)
		w.valueTested(e)
		w.alwaysLast(e)
		w.contradicts(e)
		w.same(e)
		w.nilLookedUp(e)
		if get := w.optional(e); get != nil {
			w.expr(get.Object)
			w.expr(e.Rhs)
			return
		}
		if vars := w.scope.narrowed(e.Lhs, e.Operator == "and"); len(vars) > 0 {
			w.expr(e.Lhs)
			w.scope.within(vars, func() { w.expr(e.Rhs) })
			return
		}
	case *ast.RelationalOpExpr:
		w.compared(e)
		w.amongThem(e)
	case *ast.ArithmeticOpExpr:
		w.laterBy(e)
		w.operands(e.Line(), e.Operator, e.Lhs, e.Rhs)
	case *ast.StringConcatOpExpr:
		w.operands(e.Line(), "..", e.Lhs, e.Rhs)
	case *ast.FuncCallExpr:
		if w.call(e) {
			return
		}
	case *ast.FunctionExpr:
		if w.scope.shows() != nil {
			w.inView(w.compares(e), e)
			return
		}
		outer := w.inTick
		w.inTick = outer || !w.testing && w.steered == nil && w.game.keptRunsLater(e)
		w.nested++
		w.function(nil, w.compares(e), e.Stmts)
		w.nested--
		w.inTick = outer
		return
	}
	syntax.EachOperand(e, w.expr, w.block)
}

// functionsOf walks a table of a file. Functions in it may run only after the files are loaded.
func (w *walker) functionsOf(e *ast.TableExpr) {
	later := !w.testing && w.steered == nil && w.scope.shows() == nil
	for _, f := range e.Fields {
		if f.Key != nil {
			w.expr(f.Key)
		}
		name, isText := syntax.TextOf(f.Key)
		w.inTick = later && isText && literal(f.Value) == "function" && w.game.fieldRunsLater(name)
		w.expr(f.Value)
		w.inTick = false
	}
}

// optional returns what c.y or 0 reads of a cue that may be without it, nil if nothing. A name that resembles one that
// the cue has is a mistake none the less.
func (w *walker) optional(e *ast.LogicalOpExpr) *ast.AttrGetExpr {
	get, ok := e.Lhs.(*ast.AttrGetExpr)
	if !ok || e.Operator != "or" {
		return nil
	}
	v := w.scope.infer(get.Object)
	key, isText := syntax.TextOf(get.Key)
	if !isText || v.Kind != shownCue || v.Class == nil || len(ident.Nearest(key, v.Class.names())) > 0 {
		return nil
	}
	return get
}

// attribute checks a.name. done reports that nothing of it is left to walk.
func (w *walker) attribute(e *ast.AttrGetExpr) (done bool) {
	w.checks.matchInView(w.scope, e)
	w.givesNothing(e.Object)
	w.usedAtOnce(e.Object)
	v := w.scope.infer(e.Object)
	key, isText := syntax.TextOf(e.Key)
	if !isText {
		if v.Kind == input {
			v.Class.allInputs()
		}
		if v.Kind == module {
			w.checks.ofNothing(v.File, e)
		}
		w.checks.item(w.scope, v, e)
		w.beyond(v, e)
		return false
	}
	w.named[key] = true
	w.noteLookup(v, key, e)
	line := max(e.Key.Line(), e.Line())
	switch v.Kind {
	case object:
		if w.unseen(v.Class, key, line) {
			break
		}
		if w.stored != nil && library.Function("", key) != nil && w.game.lacks(v.Class, key) &&
			len(ident.Nearest(key, v.Class.names())) == 0 { // it is no call of that
			w.report.sayAbout(memberTopic(v.Class.name(), key), line, key, w.declaring(v.Class, key), "%s has no field or method %s", v.Class.name(), key)
			break
		}
		w.checks.member(v.Class, key, line, "field or method", or(w.functionBeside(e.Object, key), w.declaring(v.Class, key)))
	case someObject:
		if v.Class != nil {
			w.checks.someMember(v.Class, key, line, "field or method", w.functionBeside(e.Object, key))
		}
		w.checks.noStats(e.Object, key, line)
	case joint:
		if w.stored == nil { // otherwise it is said that it cannot be written
			w.checks.ofJoint(key, line, "field")
		}
	case input:
		if w.calling != e || !slices.Contains(api.InputMethods(), key) { // the dot is said
			w.checks.input(v.Class, key, line)
		}
	case botWorld:
		w.checks.botWorldMember(key, line)
	case asked:
		w.checks.answer(key, line)
	case spawnArgs:
		w.checks.spawnArg(v.Class, key, line)
	case test, testWorld:
		w.checks.ofTestDotted(v, e, w.calling == e)
	case toldCue:
		w.checks.toldMember(v.Class, key, line)
	case props:
		w.checks.prop(v.Class, key, line)
	case frame, committed, shown, shownCue:
		w.checks.shownMember(w.scope, v, key, line)
	case classTable:
		sign := ""
		if w.calling == e {
			sign = "."
		}
		if sign == "" || !w.tested[syntax.NameOf(e.Object)+"."+key] {
			w.checks.classMember(v.Class, key, line, sign)
		}
	case module:
		w.checks.ofModule(v.File, key, line, "field", w.calling == e)
	default:
		if _, computed := e.Object.(*ast.ArithmeticOpExpr); computed && w.scope.typeOf(e.Object) == "number" {
			w.report.say(line, key, "write vec.distance(x1, y1, x2, y2) for a distance", "what is computed here is a number, and has no field %s", key)
			return false
		}
		if w.caught(e.Object, key, line) {
			return false
		}
		w.checks.ownTable(v, e.Object, key, line)
		if v.Type == "nil" && w.stored != nil && w.scope.sharedIn(e.Object) != nil {
			return false // it is said that it cannot be written
		}
		w.checks.indexed(w.scope, v, e.Object, key, line, "field")
		w.listMember(v, e.Object, key, line)
	}
	_, isName := e.Object.(*ast.IdentExpr)
	return isName
}

// declaring returns how a member is declared that a class does not have, as far as what it is given tells.
func (w *walker) declaring(c *class, name string) string {
	if get, isCalled := w.calling.(*ast.AttrGetExpr); isCalled && w.stored == nil && syntax.LastName(get) == name {
		return thereAre(name, c.ownMethods(), "declare function "+c.name()+":"+name+"() ... end, and call it with a colon")
	}
	as := "0"
	switch w.scope.typeOf(w.stored) {
	case "function":
		return "write function " + c.name() + ":" + name + "() ... end outside of other functions"
	case "string":
		as = "str(16)"
	case "boolean":
		as = "false"
	case anObject, "nil":
		as = "ref()"
	case "table":
		as = `list("number", 8)`
	}
	if c.declares() {
		return thereAre(name, c.ownFields(), "declare a field in state: "+name+" = "+as)
	}
	return "declare it: " + c.name() + " { state = { " + name + " = " + as + " } }"
}

// call checks a call. done reports that nothing of it is left to walk.
func (w *walker) call(e *ast.FuncCallExpr) (done bool) {
	switch {
	case w.scope.shows() != nil:
		if e.Receiver != nil {
			return w.methodCall(e)
		}
		if w.viewCall(e) {
			return true
		}
	case w.testBody(e):
		return true
	case e.Receiver != nil:
		return w.methodCall(e)
	case w.scope.isQuery(e.Func, "spawn", "objects", "nearest"):
		if w.checks.classItself(w.scope, syntax.LastName(e.Func), e) {
			return false
		}
		w.checks.spawnCall(syntax.LastName(e.Func), e, w.names(first(e.Args)))
		w.spawnValues(e)
	case w.scope.isGlobal(e.Func, api.After, api.Every) && w.swappedTimer(e):
		return true
	case w.scope.isGlobal(e.Func, api.After, api.Every):
		if !w.timer(e) {
			w.checks.period(e)
		}
	case w.scope.isGlobal(e.Func, "stopTimer", "timeLeft"):
		w.timer(e)
	case w.scope.isQuery(e.Func, "level"):
		w.checks.levelCall(w.names(first(e.Args)))
	}
	w.notePassed(e)
	w.noteAsked(e)
	callee := w.scope.callee(e.Func)
	if !w.protectedMethod(e) {
		w.checks.arguments(w.scope, callee, e)
	}
	w.checks.positions(w.scope, callee, e)
	w.cutShort(callee, e)
	w.degrees(callee, e)
	w.formatted(e)
	w.shownNumbers(e)
	w.printed(e)
	w.converted(e)
	w.randomRange(e)
	w.ofOne(e)
	w.turnedRound(e)
	w.ofLoading(e)
	w.ordering(e)
	w.noteOrdering(e)
	w.patterns(e)
	w.inserted(e)
	w.noteInserted(e)
	w.concatenated(e)
	w.yielded(e)
	w.textDotted(e)
	w.textMissing(e)
	w.misspeltLibrary(e)
	w.ofItself(e)
	w.givenNothing(e)
	w.calledValue(e)
	w.calling = e.Func
	if v := w.scope.infer(e.Func); v.Kind == classTable {
		w.checks.classCalled(v.Class, e)
	}
	w.cueShown(e)
	w.cueFields(e)
	w.options(e)
	w.methodOfNobody(e)
	w.dispatched(e)
	if name := syntax.NameOf(e.Func); slices.Contains(changing, name) && w.scope.isGlobal(e.Func, name) {
		w.changes(name, e.Line())
	}
	w.layers(e)
	w.checks.teamCall(w.scope, e)
	w.checks.dotted(w.scope, e)
	w.sharedChanged(e)
	w.madeByMetatable(e)
	w.ownArguments(e)
	w.notAnObject(e)
	w.dottedMethod(e)
	w.helperTimers(e)
	return false
}

// swappedTimer checks every(self.boom, 2). said reports that there is a finding.
func (w *walker) swappedTimer(e *ast.FuncCallExpr) (said bool) {
	if len(e.Args) != 2 || literal(e.Args[1]) != "number" || syntax.LastName(e.Args[0]) == "" {
		return false
	}
	if get, isMember := e.Args[0].(*ast.AttrGetExpr); !isMember || !w.scope.infer(get.Object).isObject() {
		return false
	}
	name := syntax.NameOf(e.Func)
	w.report.say(e.Line(), name, fmt.Sprintf("write %s(%s, %q)", name, or(numberOf(e.Args[1]), "1"), syntax.LastName(e.Args[0])),
		"%s takes the seconds, and then the name of a function", name)
	return true
}

// methodCall checks a:method().
func (w *walker) methodCall(e *ast.FuncCallExpr) (done bool) {
	w.named[e.Method] = true
	if base := syntax.NameOf(e.Receiver); library.Function(base, e.Method) != nil && base != "" &&
		w.scope.isGlobal(e.Receiver, base) {
		w.report.say(e.Line(), e.Method, "write "+base+"."+e.Method+"(...)", "%s is a table of functions: the colon gives "+
			"the table to %s", base, e.Method)
		for _, a := range e.Args {
			w.expr(a)
		}
		return true
	}
	w.notePassed(e)
	w.usedAtOnce(e.Receiver)
	w.noteAsked(e)
	v := w.scope.infer(e.Receiver)
	if e.Method == "remove" {
		w.noteRemoved(v)
	}
	w.listOfFile(v, e)
	w.givenNothing(e)
	w.patterns(e)
	w.ofItself(e)
	w.checks.arguments(w.scope, v.method(e.Method), e)
	w.ownArguments(e)
	w.helperTimers(e)
	w.cutShort(v.method(e.Method), e)
	w.degrees(v.method(e.Method), e)
	w.onlyHooks(e)
	if e.Method == "asSeen" && v.isObject() && !w.seeing {
		w.seesNothing(e)
		w.seeing = true
		for _, a := range e.Args {
			w.expr(a)
		}
		w.seeing = false
		return true
	}
	if v.Kind == joint && e.Method == "setLimits" {
		w.limitsSet(e)
	}
	if v.isObject() && changesWorld(e.Method) {
		w.changes(e.Method, e.Line())
	}
	w.formatted(e)
	w.shownNumbers(e)
	if (v.Kind == object || v.Kind == someObject) && e.Method == "is" && library.Method("is") != nil {
		w.checks.className("is", w.names(first(e.Args)))
		w.isNever(v, e)
	}
	switch v.Kind {
	case shown, frame, committed:
		w.checks.shownMethod(e)
	case test, testWorld:
		w.checks.testCall(v.Kind, e, w.names(first(e.Args)))
		w.expected(e)
		switch {
		case v.Kind == test && e.Method == "world":
			w.testWorldOptions(e)
		case v.Kind == testWorld && e.Method == "call":
			w.hostCall(e)
		}
	case botWorld:
		w.checks.ofBotWorld(e)
	case object:
		if w.unseen(v.Class, e.Method, e.Line()) {
			break
		}
		w.checks.bodyMethod(v.Class, e.Method, e.Line())
		w.checks.member(v.Class, e.Method, e.Line(), "method", or(w.functionBeside(e.Receiver, e.Method),
			thereAre(e.Method, v.Class.ownMethods(), "declare it: function "+v.Class.name()+":"+e.Method+"() ... end")))
	case someObject:
		if v.Class != nil {
			w.checks.someMember(v.Class, e.Method, e.Line(), "method", w.functionBeside(e.Receiver, e.Method))
		}
	case input:
		w.checks.inputMethod(v.Class, e)
		for _, a := range e.Args {
			w.expr(a)
		}
		return true
	case classTable:
		w.checks.classMember(v.Class, e.Method, e.Line(), ":")
		w.classHook(v.Class, e.Method, e)
	case module:
		w.checks.ofModule(v.File, e.Method, e.Line(), "method", true)
	default:
		if w.caught(e.Receiver, e.Method, e.Line()) {
			return false
		}
		w.checks.indexed(w.scope, v, e.Receiver, e.Method, e.Line(), "method")
		w.listMember(v, e.Receiver, e.Method, e.Line())
	}
	return false
}

// expected checks t:eq(game.phase, "paly"), which compares as == does.
func (w *walker) expected(e *ast.FuncCallExpr) {
	if e.Method != "eq" || len(e.Args) < 2 {
		return
	}
	r := &ast.RelationalOpExpr{Operator: "==", Lhs: e.Args[0], Rhs: e.Args[1]}
	r.SetLine(e.Line())
	if !w.comparedText(r, e.Args[0], e.Args[1]) {
		w.comparedText(r, e.Args[1], e.Args[0])
	}
}

// spawnValues checks the types of the fields that spawn is given.
func (w *walker) spawnValues(e *ast.FuncCallExpr) {
	w.noteSpawned(e)
	w.unowned(e)
	var c *class
	for _, name := range textsOf(first(e.Args)) { // of several, one without a body: it has no place
		if of := w.game.class(name); of != nil && (c == nil || of.bodiless()) {
			c = of
		}
	}
	if c == nil || len(e.Args) != 2 || syntax.LastName(e.Func) != "spawn" {
		return
	}
	t, ok := e.Args[1].(*ast.TableExpr)
	if !ok {
		return
	}
	if w.placement(c, t, e.Line()); len(textsOf(e.Args[0])) > 1 {
		return
	}
	for _, f := range t.Fields {
		if key, isText := syntax.TextOf(f.Key); isText && key != "owner" {
			if p := c.fields[key]; p != nil {
				w.fitsOrNil(p, f.Value, max(f.Key.Line(), e.Line()), key)
			}
		}
	}
}

// testBody walks test("name", function(t) ... end).
func (w *walker) testBody(e *ast.FuncCallExpr) bool {
	if !w.testing || !w.scope.isGlobal(e.Func, "test") || len(e.Args) != 2 {
		return false
	}
	f, ok := e.Args[1].(*ast.FunctionExpr)
	if !ok {
		return false
	}
	vars := unknown(f.ParList.Names)
	if len(f.ParList.Names) > 0 {
		vars[f.ParList.Names[0]] = value{Kind: test}
	}
	w.scope.within(vars, func() { w.block(f.Stmts) })
	return true
}
