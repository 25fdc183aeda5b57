package lint

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/hindcast/hindcast/luabind"
	"github.com/hindcast/hindcast/luabind/internal/api"
	"github.com/hindcast/hindcast/luabind/internal/ident"
	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/hindcast/hindcast/world"
	"github.com/yuin/gopher-lua/ast"
)

// game has the declarations of the files of a bundle.
type game struct {
	files       []string     // their names
	trees       [][]ast.Stmt // by file; nil: the file does not parse
	reserved    []string     // members of every object
	classes     map[string]*class
	vars        map[string]*class         // by the names of globals and file locals
	functions   map[string]syntax.Place   // the global functions of game.lua
	loaded      map[syntax.Place][]method // where the methods of the loaded classes begin
	called      map[string]bool           // functions that the host program calls
	takes       world.Functions           // what they take
	names       ownNames
	timed       map[string]bool           // functions that after and every can call
	shared      map[string]*ast.TableExpr // globals that are tables written out, and what they are written as; nil: unknown
	any         *class                    // has what objects of any class have; nil: that is not known
	doubt       doubt                     // what files may declare that do not load
	unread      bool                      // a file does not parse: it may use any name
	atLoad      *loading                  // the functions that may run while the files are loaded
	loads       bool                      // the files load, so that all declarations are known
	modules     map[string]luabind.Module
	required    map[string]*ast.FuncCallExpr // globals that files set to what require returns
	functionsOf *ownFunctions
	tables      map[string]*ownTable           // of globals
	locals      map[string]*localsOf           // by file
	written     map[string]bool                // as writtenIn returns
	words       map[string]bool                // as wordsIn returns
	fieldNames  map[string]bool                // that files give to fields of tables and to methods
	guarded     map[string]bool                // names of what files give metatables, if these have __newindex
	demanded    map[*ast.FunctionExpr][]demand // by function: what it demands of its parameters
	needs       map[*ast.FunctionExpr][]demand // by function: what it demands of them in branches
	methodsOf   map[*ast.FunctionExpr]*class   // by method that is written with a colon: its class
	resulting   map[ownResult]value            // by function: its first result
	steps       int                            // expressions that were walked, inferred or typed so far: the work of a check

	usedWords *wordsOf // of all files; nil: not known

	learning *learned // what the walk of the files finds out; nil: it is the last one
	known    *learned // what the walk before has found out; nil: there was none
	ofView   *learned // the same of view.lua, whose functions no other file calls

	ofOutside *learned      // the same of the test or bot that is walked
	outside   *ownFunctions // the functions of that; nil: none is walked

	cues map[string]*class // what cues contain, of those of which it is known, where a test is walked

	reassigned reassigned                   // what walks find out of variables that are assigned to again
	unions     map[string]*class            // the classes that stand for several
	dropped    map[ast.Expr]dropped         // by call that is the last statement of a function: what it makes
	changedIn  map[ast.Stmt]map[string]bool // by the first statement of a file: see changed
	onNew      map[string]bool              // functions that may run on new objects, see methodsOnNew; nil: not yet known

	reached      map[string]bool  // names that the game may come to use; nil: not known
	overloads    overloads        // the operators that may compute with tables
	raisesTables bool             // files may raise something else than a text
	keyed        map[string]bool  // names that tables which are written out give to their fields; nil: not yet known
	asksNothing  bool             // there is no entry form
	form         *world.EntryForm // nil: there is none, or it is not known
	sent         []string         // the names of cues; nil: they are not known
}

// newGame reads the declarations of files. p is what the files compile to, nil
// if they do not.
func newGame(files []world.Source, p *luabind.Program, r *report) *game {
	g := &game{files: names(files), trees: make([][]ast.Stmt, len(files)), reserved: api.NewLibrary().Reserved(),
		classes: map[string]*class{}, vars: map[string]*class{}, functions: map[string]syntax.Place{},
		loaded: map[syntax.Place][]method{}, called: map[string]bool{}, timed: map[string]bool{}, shared: map[string]*ast.TableExpr{},
		loads: p != nil, functionsOf: newOwnFunctions(), demanded: map[*ast.FunctionExpr][]demand{}, needs: map[*ast.FunctionExpr][]demand{},
		methodsOf: map[*ast.FunctionExpr]*class{}, dropped: map[ast.Expr]dropped{},
		resulting: map[ownResult]value{}, overloads: overloads{}, locals: map[string]*localsOf{}, required: map[string]*ast.FuncCallExpr{},
		unions: map[string]*class{}}
	for i, f := range files {
		r.begin(f.Name)
		if tree, err := syntax.Parse(f); err == nil {
			g.trees[i] = tree
			g.names.note(tree)
			g.declarations(tree, r)
			g.noteShared(tree)
			g.functionsOf.note(f.Name, tree)
		} else {
			g.unread = true
			g.doubt.unread(f, err)
			g.unreadClasses(f)
		}
	}
	g.tables = ownTablesIn(slices.Concat(g.trees...), g.functionsOf.given)
	g.written, g.words = writtenIn(slices.Concat(g.trees...)), wordsIn(slices.Concat(g.trees...))
	for _, t := range ident.Keys(g.tables) {
		g.tables[t].written, g.tables[t].words = g.written, g.words
	}
	g.fieldNames = fieldsIn(slices.Concat(g.trees...))
	g.guarded = guardedIn(slices.Concat(g.trees...), g.fieldNames)
	for _, tree := range g.trees {
		g.overloads.note(tree)
	}
	g.atLoad, g.raisesTables = newLoading(g.trees), raisesTables(g.trees)
	if g.loads {
		g.complete(p, r)
	} else {
		g.doubt.unloaded(files, g.trees)
	}
	for i, f := range files {
		g.methods(f.Name, g.trees[i])
		g.gameFunctions(f.Name, g.trees[i])
		if g.trees[i] == nil {
			g.unreadMethods(f)
		}
	}
	if p != nil {
		g.noteAny()
	}
	return g
}

// tablesIn returns the tables of the local variables of a file.
func (g *game) tablesIn(tree []ast.Stmt) map[string]*ownTable {
	tables := ownTablesIn(tree, nil)
	written, words := writtenIn(tree), wordsIn(tree) // tests and view.lua are no files of the game
	maps.Copy(written, g.written)
	maps.Copy(words, g.words)
	items := itemTablesIn(tree, written)
	for _, name := range ident.Keys(tables) {
		t := tables[name]
		t.items, t.written, t.words = items[name], written, words
	}
	return tables
}

// ofFile returns the tables of the local variables of a file, and the types of those that are assigned to.
func (g *game) ofFile(name string, tree []ast.Stmt) (tables map[string]*ownTable, steady map[string]string) {
	if g.locals[name] == nil {
		g.locals[name] = &localsOf{g.tablesIn(tree), g.steadyOf(tree), objectTablesIn(tree)}
	}
	return g.locals[name].tables, g.locals[name].steady
}

// localsOf is what is known of the local variables of a file.
type localsOf struct {
	tables map[string]*ownTable
	steady map[string]string

	holding map[*ast.TableExpr]holds
}

// isCalled reports whether the host program may call a function.
func (g *game) isCalled(function string) bool { return g.called[function] }

// tree returns the syntax tree of a file, nil if it does not parse.
func (g *game) tree(file int) []ast.Stmt { return g.trees[file] }

// hidesNothing reports whether all files parse, so that a name which none uses is
// not used.
func (g *game) hidesNothing() bool { return !g.unread }

// isLoaded reports whether the files load, so that classes have the methods that they have, however the text gives
// them these.
func (g *game) isLoaded() bool { return g.loads }

// mayDeclare reports whether a file that does not load may declare a name.
func (g *game) mayDeclare(name string) bool { return g.doubt.of(name) }

// declarations collects the classes that a file declares.
func (g *game) declarations(tree []ast.Stmt, r *report) {
	note := func(variable string, e ast.Expr) {
		if call, isCall := e.(*ast.FuncCallExpr); isCall && syntax.NameOf(call.Func) == "teams" {
			r.teamColors(first(call.Args))
		}
		if name := withoutBraces(e); name != "" && !isCalled(tree, variable) {
			r.say(e.Line(), name, "write object \""+name+"\" { state = { } }", "object(\"%s\") declares nothing without braces", name)
			g.classes[name] = newClass(name, r.current(), nil)
			if variable != "" {
				g.vars[variable] = g.classes[name]
			}
		}
		if name, table, ok := declaredClass(e); ok {
			c := newClass(name, r.current(), table)
			g.classes[name] = c
			checkDeclared(r, c, table)
			g.keysOfNothing(r, c, table)
			if variable != "" {
				g.vars[variable] = c
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

// withoutBraces returns the name in object "Name" without a table after it; empty: it is no such expression.
func withoutBraces(e ast.Expr) string {
	call, ok := e.(*ast.FuncCallExpr)
	if !ok || syntax.NameOf(call.Func) != "object" || len(call.Args) != 1 {
		return ""
	}
	name, _ := syntax.TextOf(call.Args[0])
	return name
}

// isCalled reports whether code calls what a variable holds.
func isCalled(tree []ast.Stmt, variable string) (called bool) {
	eachExpr(tree, func(e ast.Expr) {
		call, ok := e.(*ast.FuncCallExpr)
		called = called || ok && variable != "" && (syntax.NameOf(call.Func) == variable || slices.ContainsFunc(call.Args, func(a ast.Expr) bool {
			return syntax.NameOf(a) == variable
		}))
	})
	return called
}

// declaredClass returns the class and the table of object "Name" { ... }, game { ... } or
// player { ... }.
func declaredClass(e ast.Expr) (name string, table ast.Expr, ok bool) {
	call, ok := e.(*ast.FuncCallExpr)
	if !ok || len(call.Args) != 1 {
		return "", nil, false
	}
	if name := syntax.NameOf(call.Func); world.HoldsState(name) {
		return name, call.Args[0], true
	}
	inner, ok := call.Func.(*ast.FuncCallExpr)
	if !ok || syntax.NameOf(inner.Func) != "object" || len(inner.Args) != 1 {
		return "", nil, false
	}
	name, ok = syntax.TextOf(inner.Args[0])
	return name, call.Args[0], ok
}

// method is a method of a loaded class. A function may be that of several classes.
type method struct {
	class *class
	name  string
}

// complete adds what the loaded classes have, however the text declares them.
func (g *game) complete(p *luabind.Program, r *report) {
	members, schema := p.Members(), p.Schema()
	g.modules, g.reached, g.asksNothing = p.Modules(), p.Reached(), !schema.Asks()
	if _, form := schema.Functions.EntryForm(); form != nil && form.Asks() {
		g.form = form
	}
	g.names.know(schema)
	g.takes = schema.Functions
	for _, f := range schema.Functions {
		g.called[f.Name] = true
	}
	for i := range schema.Classes {
		def := &schema.Classes[i]
		c := g.classes[def.Name]
		if c == nil {
			c = newClass(def.Name, "", nil)
			g.classes[def.Name] = c
		}
		c.complete(schema, def, members[def.Name])
		for _, name := range def.Timers {
			g.timed[name] = true
		}
		for _, name := range ident.Keys(members[def.Name]) {
			at := members[def.Name][name]
			g.loaded[at] = append(g.loaded[at], method{c, name})
		}
	}
	for i := range schema.Classes {
		c := g.classes[schema.Classes[i].Name]
		for of := schema.Classes[i].Extends; of != ""; of = g.extended(schema, of) {
			g.classes[of].below = append(g.classes[of].below, c)
			c.inherit(g.classes[of], g.extended(schema, of) == "")
			g.changedTypes(c, g.classes[of], r)
		}
	}
	for _, c := range g.all() {
		c.firstColor(r)
	}
}

// extended returns the name of the class that a class extends; empty: none.
func (g *game) extended(schema *world.Schema, name string) string {
	for i := range schema.Classes {
		if schema.Classes[i].Name == name {
			return schema.Classes[i].Extends
		}
	}
	return ""
}

// isFunction reports whether a class has a method, or game.lua a function.
func (g *game) isFunction(name string) bool {
	_, is := g.functions[name]
	for _, n := range ident.Keys(g.classes) {
		is = is || g.classes[n].isMethod(name)
	}
	return is
}

// timeable returns the names of the functions that a timer can call: those of game.lua, and the methods of classes, without
// hooks.
func (g *game) timeable() []string {
	names := ident.Keys(g.functions)
	for _, n := range ident.Keys(g.classes) {
		names = append(names, g.classes[n].ownMethods()...)
	}
	return slices.DeleteFunc(names, func(n string) bool { return api.GameHookMember(n) != nil || api.HookMember(n) != nil })
}

// anyObject returns a class that stands for all objects: it has the members of all classes. It is nil if these are not
// known.
func (g *game) anyObject() *class { return g.any }

// noteAny makes what anyObject returns.
func (g *game) noteAny() {
	g.any = newClass("an object", "", nil)
	g.any.open = false
	for _, c := range g.all() {
		if world.HoldsState(c.name()) { // nothing that one meets
			continue
		}
		g.any.open = g.any.open || c.open
		g.any.addMembers(c.names())
		g.any.share(c)
	}
}

// layers returns the names of the layers; nil if they are not known.
func (g *game) layers() []string { return g.names.layers }

// runsLater reports whether a function with a name runs only after the files are loaded.
func (g *game) runsLater(name string) bool { return name != "" && g.loads && !g.atLoad.mayCall(name) }

// fieldRunsLater is runsLater for a function that is written into a table.
func (g *game) fieldRunsLater(name string) bool {
	return name != "" && g.loads && !g.atLoad.mayCallField(name)
}

// keptRunsLater reports whether a function that is given to another, which keeps it, runs only after the files are loaded.
func (g *game) keptRunsLater(f *ast.FunctionExpr) bool { return g.loads && g.atLoad.runsKeptLater(f) }

// own returns the names that the game gives to things besides classes.
func (g *game) own() *ownNames { return &g.names }

// methods collects the methods that a file gives to classes.
func (g *game) methods(file string, tree []ast.Stmt) {
	for _, s := range tree {
		switch s := s.(type) {
		case *ast.FuncDefStmt:
			if c, name, _ := g.methodOf(file, s); c != nil {
				if s.Name.Receiver != nil {
					g.methodsOf[s.Func] = c
				}
				if g.loads && c.methods[name] != (syntax.Place{File: file, Line: s.Line()}) {
					continue // it is given another later
				}
				c.addMethod(name, syntax.Place{File: file, Line: s.Line()})
				c.noteColon(name, s.Name.Receiver != nil)
				if !gives(s.Func.Stmts) && !forgetsReturn(s.Func.Stmts) {
					c.noteSilent(name, syntax.Place{File: file, Line: s.Line()})
				}
			}
		case *ast.AssignStmt: // Ship.speed = 3
			for i, e := range s.Lhs {
				get, ok := e.(*ast.AttrGetExpr)
				if !ok || g.vars[syntax.NameOf(get.Object)] == nil {
					continue
				}
				if key, isText := syntax.TextOf(get.Key); isText {
					g.vars[syntax.NameOf(get.Object)].addTable(key, i < len(s.Rhs) && literal(s.Rhs[i]) == "table")
				}
			}
		}
	}
}

// methodOf returns the class and the name of function C:name() and of function
// C.name(self), and its parameters with self. Other functions have no class.
func (g *game) methodOf(file string, f *ast.FuncDefStmt) (c *class, name string, params []string) {
	if f.Name.Receiver != nil {
		return g.classOf(file, f.Func, f.Name.Receiver, f.Name.Method), f.Name.Method, append([]string{"self"},
			f.Func.ParList.Names...)
	}
	if get, ok := f.Name.Func.(*ast.AttrGetExpr); ok {
		if key, isText := syntax.TextOf(get.Key); isText {
			return g.classOf(file, f.Func, get.Object, key), key, f.Func.ParList.Names
		}
	}
	return nil, syntax.NameOf(f.Name.Func), nil
}

// classOf returns the class whose method of that name a function of a file is: the loaded class that
// has it or, if none or several have it, the class that was assigned to a variable.
func (g *game) classOf(file string, f *ast.FunctionExpr, variable ast.Expr, name string) *class {
	if c := g.loadedClass(file, f, name); c != nil {
		return c
	}
	return g.vars[syntax.NameOf(variable)]
}

// loadedClass returns the only loaded class whose method of that name is a function of a file.
func (g *game) loadedClass(file string, f *ast.FunctionExpr, name string) (c *class) {
	for _, m := range g.loaded[syntax.Place{File: file, Line: f.Line()}] {
		if m.name == name && c != nil {
			return nil
		}
		if m.name == name {
			c = m.class
		}
	}
	return c
}

// gameFunctions collects the global functions of game.lua.
func (g *game) gameFunctions(file string, tree []ast.Stmt) {
	if file != api.GameFile {
		return
	}
	for _, s := range tree {
		if f, ok := s.(*ast.FuncDefStmt); ok && f.Name.Receiver == nil {
			if n := syntax.NameOf(f.Name.Func); n != "" {
				g.functions[n] = syntax.Place{File: file, Line: f.Line()}
			}
		}
	}
}

// class returns a class by its name, nil if there is none.
func (g *game) class(name string) *class { return g.classes[name] }

// all returns the classes, sorted by name.
func (g *game) all() (list []*class) {
	for _, n := range ident.Keys(g.classes) {
		list = append(list, g.classes[n])
	}
	return list
}

// eachFunction visits the global functions of game.lua, sorted by name.
func (g *game) eachFunction(visit func(name string, at syntax.Place)) {
	for _, n := range ident.Keys(g.functions) {
		visit(n, g.functions[n])
	}
}

// spawnable returns the classes that scripts can name, sorted.
func (g *game) spawnable() (names []string) {
	for _, n := range ident.Keys(g.classes) {
		if !world.BuiltIn(n) {
			names = append(names, n)
		}
	}
	return names
}

// members returns all members of the objects of a class.
func (g *game) members(c *class) []string {
	return append(slices.DeleteFunc(c.names(), func(n string) bool { return c.unseen[n] }), g.reserved...)
}

// lacks reports whether the objects of a class surely have no such member.
func (g *game) lacks(c *class, member string) bool {
	if g.mayDeclare(member) {
		return false
	}
	for _, b := range c.below {
		if b.has(member) {
			return false
		}
	}
	return !c.has(member) && !slices.Contains(g.reserved, member)
}

// lacksItself reports whether the table of a class surely has no such member, whatever classes that extend it have.
func (g *game) lacksItself(c *class, member string) bool {
	return !g.mayDeclare(member) && !c.has(member) &&
		(!slices.Contains(g.reserved, member) || api.HookMember(member) != nil)
}

// steered returns the class that stands for the objects that a bot may steer.
func (g *game) steered() *class {
	any := anySteered(g.all())
	for _, m := range g.reserved {
		any.addMember(m)
	}
	return any
}

// foreign reports whether a message says what stands for the name of another engine.
func foreign(message string) bool { return strings.Contains(message, "; ") }

// ofView says of a name that is not defined what it has to do with view.lua; empty: nothing.
func ofView(f Finding, name string, isUndefined bool) string {
	switch inView := f.File == api.ViewFile; {
	case !isUndefined:
	case inView && name == "v" && strings.HasPrefix(f.Hint, "camera takes a function"):
	case inView && name == "v":
		return "the functions of hud and camera are given it: function(v) ... end"
	case inView && name == "view":
		return "hud, camera, onCue and the like are functions: write onCue(...)"
	case inView && name == "c":
		return "the function of onCue is given it: function(c) ... end"
	case !inView && slices.Contains(append(luabind.Effects(), "onCue", "onCueMoved", "onCueCancelled"), name):
		return "it is for view.lua: a hook calls cue(\"name\", { x = 1 }), and onCue(\"name\", function(c) ... end) there shows it"
	case !inView && api.ViewFunction(name) != nil:
		return "write it in view.lua, in hud(function(v) ... end) if it is a widget"
	}
	return ""
}

// explainNames says of a name that is not defined, and is that of an input or of a class, that it is a text, and of one
// of a method how it is called.
func (g *game) explainNames(found []Finding) {
	for i := range found {
		if g.withoutSelf(&found[i]) {
			continue
		}
		name, isUndefined := strings.CutSuffix(found[i].Message, " is not defined")
		if c := g.classes[name]; isUndefined && c != nil && found[i].File == api.ViewFile && found[i].Hint != noMethods {
			found[i].Hint = api.ViewFile + " names classes by texts: \"" + name + "\""
		}
		found[i].Hint = or(ofView(found[i], name, isUndefined), found[i].Hint)
		for _, c := range g.all() {
			if isUndefined && c.declared[name] > 0 && !world.HoldsState(c.name()) && found[i].File == c.file && !foreign(found[i].Message) {
				found[i].Hint = "it is a field of " + c.name() + ": self." + name
			}
			if isUndefined && c.isMethod(name) && !strings.HasSuffix(found[i].Hint, "?") {
				found[i].Hint = name + " is a method of " + c.name() + ": self:" + name + "(...)"
			}
			if _, is := c.inputs[name]; is && isUndefined {
				found[i].Hint = `the name of an input is a text, "` + name + `", or it is read from the input: input.` + name
			}
		}
	}
}

// rxSet matches the message about a global that a function sets.
var rxSet = regexp.MustCompile(`^global (\w+) is set in a function, but globals are frozen after loading`)

// withoutSelf explains reload() and hp = hp - 1 in a method of a class that has the method reload and the field hp.
func (g *game) withoutSelf(f *Finding) (is bool) {
	name, rest, isUndefined := strings.Cut(f.Message, " is not defined")
	if m := rxSet.FindStringSubmatch(f.Message); m != nil {
		name, rest, isUndefined = m[1], "", true
	}
	c := g.methodAround(f.File, f.Line)
	if !isUndefined || c == nil || rest != "" && !strings.HasPrefix(rest, "; did you mean ") {
		return false
	}
	switch call := g.calledAt(f.File, f.Line, name); {
	case c.isMethod(name) && call != nil:
		f.Hint = name + " is a method of " + c.name() + ": write self:" + shortlyCalled(call)
	case c.declared[name] > 0 && call == nil:
		f.Hint = name + " is a field of " + c.name() + ": write self." + name
	default:
		return false
	}
	f.Message = strings.TrimSuffix(f.Message, rest)
	if at := rxSet.FindStringIndex(f.Message); at != nil {
		f.Message = f.Message[:at[1]]
	}
	return true
}

// methodAround returns the class whose method, written with a colon, stands around a line; nil: none does.
func (g *game) methodAround(file string, line int) *class {
	i := slices.Index(g.files, file)
	if i < 0 {
		return nil
	}
	for _, s := range g.trees[i] {
		def, ok := s.(*ast.FuncDefStmt)
		if ok && def.Name.Receiver != nil && def.Line() <= line && line <= def.Func.LastLine() {
			c, _, _ := g.methodOf(file, def)
			return c
		}
	}
	return nil
}

// calledAt returns the call of a function with a name in a line; nil: there is none.
func (g *game) calledAt(file string, line int, name string) (found *ast.FuncCallExpr) {
	eachExpr(g.trees[slices.Index(g.files, file)], func(e ast.Expr) {
		if call, ok := e.(*ast.FuncCallExpr); ok && call.Line() == line && syntax.NameOf(call.Func) == name {
			found = call
		}
	})
	return found
}
