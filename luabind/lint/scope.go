package lint

import (
	"slices"
	"strings"

	"github.com/hindcast/hindcast/luabind/internal/api"
	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/hindcast/hindcast/world"
	"github.com/yuin/gopher-lua/ast"
)

// kind is the known kind of a value.
type kind uint8

const (
	anything   kind = iota
	object          // of a class
	someObject      // of a class that is not known
	input           // of a class
	props           // a class's objProps
	test            // t, in a test file
	testWorld       // w, in a test file
	botWorld        // world, in a bot's file
	frame           // v, in view.lua
	committed       // v.committed
	shown           // what v shows: the match, a player or an object
	shownList       // a list of these
	found           // a list that a query gives, of objects of a class; nil: of other values
	shared          // a table of the file, which is frozen after loading
	module          // what a file in a subfolder has returned, which is frozen after loading
	classTable      // a class itself, such as Ship
	contact         // that onContact is given
	bump            // one of those that moveAndSlide gives
	arena           // the table arena
	joint           // that rope and the like return
	asked           // the answers that onJoin is given
	past            // that migrate is given
	shownCue        // that a function of view.lua is given
	toldCue         // one of those that w:cues gives in a test
	kept            // a list or a record in state
	claimed         // that verify is given
	spawnArgs       // that onSpawn of a class is given
)

// value is what a check knows of a value. Class belongs to object, input, props, shown and shownList.
type value struct {
	Kind   kind
	Class  *class
	Type   string         // of Lua, of a value without a kind, or of the items of a found list; empty: not known
	Items  kind           // of a found list: that of its items
	Hint   string         // what to do about a member that it does not have
	Flat   bool           // of shared: a local variable has it, and it has neither tables nor functions
	Text   *ast.TableExpr // of shared: what it was written as; nil: not known
	Of     *api.Member    // a method of objects that was looked up without a call
	Field  bool           // it is the value of a declared field
	File   string         // of module: the one that has returned it
	Part   *part          // of kept
	Own    *ownTable      // of a table of a variable; nil: it is not known
	Weak   string         // of a table of the file that has a metatable with nothing but __mode: that
	Caught bool           // it is what pcall gives besides whether the function ended, and errors are texts
	Made   *ast.TableExpr // of the table of a local variable that is followed: as it is first written
	Lists  bool           // a table of the file that has a metatable with nothing but __index = table
	AtLoad bool           // a coroutine that is made while the files are loaded
	Func   *ownFunction   // a function of the file; nil: it is none, or not known
	False  bool           // of an object: it may also be false
	Maybe  bool           // it may also be nil: an item of a list of state
	Level  bool           // it is the name of a level
	Lib    *api.Member    // a function of the library, under another name
	Says   *writtenTexts  // the texts that it may be; nil: they are not known
	Line   int            // of a local variable that is given no value: where it is declared

	Const *ast.StringExpr // what a variable of the file always holds; nil: it is no text, or not known
}

// locals are the local variables of a block.
type locals struct {
	vars   map[string]value
	again  map[string]declaration // of those that are assigned to again
	held   map[string]held        // by those that are not
	memo   map[ast.Expr]*inferred // what is known of expressions while the variables stay as they are
	parent *locals
}

// scope tracks the values of variables and expressions, as far as they follow from the
// text.
type scope struct {
	game  *game
	block *locals
	view  *view           // nil: another file than view.lua is walked
	file  string          // that is walked
	again map[string]bool // names that the file assigns to: what they hold is not followed
	// steady are the types of those of them that always hold values of one type.
	steady map[string]string
	// fields are the names that the file gives to fields of tables and to methods.
	fields map[string]bool
	tables map[string]*ownTable // of the variables of the file
	// holding are the tables of the file whose objects are followed.
	holding map[*ast.TableExpr]holds
}

// within walks code that has further variables in scope.
func (s *scope) within(vars map[string]value, walk func()) {
	s.block = &locals{vars: vars, again: map[string]declaration{}, parent: s.block}
	walk()
	s.block = s.block.parent
}

// outermost reports whether the variables that are declared now are those of the file.
func (s *scope) outermost() bool { return s.block != nil && s.block.parent == nil }

// declare adds a variable to the innermost block.
func (s *scope) declare(name string, v value) {
	s.set(s.block, name, v)
	delete(s.block.again, name) // of another one with the name
	delete(s.block.held, name)
}

// lookUp returns the known value of a local variable. ok is false for a global.
func (s *scope) lookUp(name string) (v value, ok bool) {
	for b := s.block; b != nil; b = b.parent {
		if v, ok := b.vars[name]; ok {
			return v, true
		}
	}
	return value{}, false
}

// isGlobal reports whether an expression is the function of the library with one of the names.
func (s *scope) isGlobal(e ast.Expr, names ...string) bool {
	id := syntax.NameOf(e)
	_, isLocal := s.lookUp(id)
	return !isLocal && slices.Contains(names, id) && !s.game.own().assigns(id)
}

// isQuery is isGlobal. In a bot's file it is true of world.objects and the like,
// too.
func (s *scope) isQuery(e ast.Expr, names ...string) bool {
	get, ok := e.(*ast.AttrGetExpr)
	if !ok {
		return s.isGlobal(e, names...)
	}
	name, _ := syntax.TextOf(get.Key)
	return s.infer(get.Object).Kind == botWorld && slices.Contains(names, name)
}

// infer returns the value of an expression.
func (s *scope) infer(e ast.Expr) value {
	s.game.steps++
	m := s.inferred(e)
	if m == nil {
		return s.inferOnce(e)
	}
	if !m.hasValue {
		v := s.inferOnce(e) // which may infer e itself
		m.value, m.hasValue = v, true
	}
	return m.value
}

// inferOnce returns the value of an expression as infer does, which remembers it.
func (s *scope) inferOnce(e ast.Expr) value {
	switch e := e.(type) {
	case *ast.IdentExpr:
		if v, isLocal := s.lookUp(e.Value); isLocal {
			return v
		}
		if c := s.classVariable(e); c != nil && s.view == nil && c.called != "" && !world.HoldsState(c.name()) {
			return value{Kind: classTable, Class: c}
		}
		if call := s.game.required[e.Value]; call != nil && s.game.functionsOf.given[e.Value] == 1 && s.isRequire(call) {
			return value{Kind: module, File: moduleOf(call, s.game.modules)}
		}
		if s.game.isShared(e.Value) {
			return value{Kind: shared, Text: s.game.shared[e.Value], Own: s.game.tables[e.Value]}
		}
		if s.view == nil && s.isGlobal(e, "arena") {
			return value{Kind: arena}
		}
		if c := s.game.class(world.GameClass); e.Value == "game" && c != nil && s.view == nil {
			return value{Kind: object, Class: c}
		}
		if s.callee(e) != nil || s.isOwnGlobal(e.Value) {
			return value{Type: "function"}
		}
	case *ast.StringExpr:
		return value{Type: "string"}
	case *ast.FuncCallExpr:
		return s.inferCall(e)
	case *ast.AttrGetExpr:
		if key, ok := syntax.TextOf(e.Key); ok && key == "objProps" {
			if v := s.infer(e.Object); v.Kind == object || v.Kind == classTable {
				return value{Kind: props, Class: v.Class}
			}
		}
		if key, ok := syntax.TextOf(e.Key); ok && s.view != nil {
			return s.inferShown(s.infer(e.Object), key)
		}
		if s.callee(e) != nil {
			return value{Type: "function"}
		}
		if key, ok := syntax.TextOf(e.Key); ok && s.isConstant(e.Object, key) {
			return value{Type: "number"}
		}
		if key, ok := syntax.TextOf(e.Key); ok {
			return s.memberOf(s.infer(e.Object), key)
		}
		return s.itemOf(e.Object)
	case *ast.LogicalOpExpr:
		return s.inferEither(e)
	}
	return value{}
}

// isOwnGlobal reports whether a global always is the function that a file of the game defines under this name. view.lua
// and tests have globals of their own.
func (s *scope) isOwnGlobal(name string) bool {
	f := s.game.functionsOf.globals[name]
	_, ofGame := s.game.functionsOf.trees[s.file]
	return f != nil && ofGame && s.game.functionsOf.given[name] == 1 && s.game.hidesNothing() && (s.view != nil) == (f.file == api.ViewFile) &&
		!slices.Contains(s.game.functionsOf.declared[f.file], name)
}

// isOwnFunction reports whether an expression is the name of a function of the game, whatever happens.
func (s *scope) isOwnFunction(e ast.Expr) bool {
	name := syntax.NameOf(e)
	v, isLocal := s.lookUp(name)
	return name != "" && (isLocal && v.Func != nil && !s.again[name] || !isLocal && s.isOwnGlobal(name))
}

// inferEither returns what a and b, or a or b, is: an object, if b is one, and a where it counts. It may be nil as other
// objects may, and it may be false.
func (s *scope) inferEither(e *ast.LogicalOpExpr) value {
	a, b := s.infer(e.Lhs), s.infer(e.Rhs)
	if e.Operator == "and" {
		if b.Kind != object && b.Kind != someObject && b.Kind != joint {
			return value{}
		}
		b.False = b.False || !a.isObject() && a.Kind != joint
		return b
	}
	b.False, a.False = false, b.False
	switch rest := literal(e.Rhs); {
	case (a.isObject() || a.Kind == joint) && (rest == "nil" || neverHolds(e.Rhs)):
		a.False = rest == "boolean"
		return a
	case s.view == nil:
		if v, ok := s.game.joined(a, b); ok {
			v.False = a.False
			return v
		}
	}
	return value{}
}

// ofVariable adds what is known of the table of a local variable.
func (s *scope) ofVariable(name string, v value) value {
	if s.again[name] {
		return v
	}
	if v.Own = s.tables[name]; v.Kind == anything {
		v.Type = "table"
	}
	return v
}

// isObject reports whether a value is an object, or nil.
func (v value) isObject() bool { return v.Kind == object || v.Kind == someObject }

// isConstant reports whether a member of an expression is a number of the library, such as math.pi.
func (s *scope) isConstant(of ast.Expr, name string) bool {
	base := syntax.NameOf(of)
	return base == "math" && s.isGlobal(of, base) && library.HasMember(base, name)
}

// memberOf returns the value of a member of a value.
func (s *scope) memberOf(v value, name string) value {
	isObject := v.isObject()
	switch {
	case isObject && v.Class != nil && v.Class.fields[name] != nil:
		return s.valueOf(v.Class.fields[name])
	case v.Kind == kept && v.Part.parts[name] != nil:
		return s.valueOf(v.Part.parts[name])
	case isObject && library.Method(name) != nil:
		return value{Type: "function", Of: library.Method(name)}
	case v.Kind == object && v.Class.isMethod(name):
		return value{Type: "function"}
	case v.Made != nil && s.heldIn(v.Made, name).isObject():
		return s.heldIn(v.Made, name)
	case v.Kind == module && s.game.functionsOf.results[v.File] != nil && s.game.functionsOf.results[v.File].functions[name] != nil,
		v.Kind == classTable && v.Class.isMethod(name):
		return value{Type: "function"}
	case v.Kind == module && s.game.functionsOf.results[v.File] != nil:
		return nested(s.game.functionsOf.results[v.File].text, name)
	case v.Kind == shared:
		if of := nested(v.Text, name); of.Kind != anything || v.Own == nil {
			return of
		}
		return value{Type: v.Own.plainField(name), Field: true}
	case v.Own != nil && s.game.isLoaded():
		return value{Type: v.Own.fieldOf(name), Field: true}
	case v.Kind == joint && (name == "bodyA" || name == "bodyB"), v.Kind == bump && name == "object":
		return value{Kind: someObject, Class: s.game.anyObject()}
	case (v.Kind == object || v.Kind == classTable) && v.Class.tables[name]:
		return value{Kind: shared}
	case recordFields[v.Kind] != nil && slices.Contains(recordFields[v.Kind], name):
		return value{Type: "number"}
	}
	if v.Kind == anything && v.Type == "string" && library.HasMember("string", name) {
		return value{Type: "function"}
	}
	return value{Type: s.fieldType(v, name)}
}

// inferCall returns the value of a call.
func (s *scope) inferCall(e *ast.FuncCallExpr) value {
	if name, _, ok := declaredClass(e); ok && s.view == nil && s.game.class(name) != nil && !world.HoldsState(name) {
		return value{Kind: classTable, Class: s.game.class(name)}
	}
	var v value
	if e.Receiver != nil {
		v = s.infer(e.Receiver)
	}
	if s.isRequire(e) {
		return value{Kind: module, File: moduleOf(e, s.game.modules)}
	}
	switch {
	case s.view != nil:
		return s.inferFound(e)
	case e.Receiver == nil && s.isQuery(e.Func, "stats") && s.game.class(world.PlayerClass) != nil:
		return value{Kind: object, Class: s.game.class(world.PlayerClass)}
	case e.Receiver == nil && s.isQuery(e.Func, "stats"):
		return value{Kind: someObject}
	case v.Kind == test && e.Method == "world":
		return value{Kind: testWorld}
	case v.Kind == testWorld && e.Method == "cues":
		name, _ := syntax.TextOf(first(e.Args))
		return value{Kind: found, Items: toldCue, Class: s.game.cues[name]}
	case len(e.Args) > 0 && (v.Kind == testWorld && e.Method == "spawn" || e.Receiver == nil && s.isQuery(e.Func,
		"spawn", "nearest")):
		return s.objectOf(e.Args[0])
	case e.Receiver == nil && len(e.Args) > 0 && s.isQuery(e.Func, "objects"):
		return value{Kind: found, Class: s.objectOf(e.Args[0]).Class}
	case s.isSeen(e):
		return s.seen(e)
	}
	m := v.method(e.Method)
	if e.Receiver == nil {
		m = s.callee(e.Func)
	}
	if m != nil && m == library.Function("table", "remove") && len(e.Args) > 0 {
		return s.itemOf(e.Args[0])
	}
	if m == nil {
		if own := s.ownCall(e); own != nil {
			return s.resultOf(own)
		}
	}
	return s.returned(m)
}

// isRequire reports whether an expression is a call of require.
func (s *scope) isRequire(e *ast.FuncCallExpr) bool {
	return e.Receiver == nil && s.isGlobal(e.Func, "require")
}

// returned returns the value of the first result of a function of the library.
func (s *scope) returned(m *api.Member) value {
	if m == nil || len(m.Returns) == 0 {
		return value{}
	}
	return s.ofType(m.Returns[0].Type)
}

// ofType returns the value for a type of the API.
func (s *scope) ofType(t string) value {
	switch strings.TrimSuffix(t, "?") {
	case "Object":
		return value{Kind: someObject, Class: s.game.anyObject()}
	case "Joint":
		return value{Kind: joint}
	case "Object[]":
		return value{Kind: found, Class: s.game.anyObject()}
	case "integer[]":
		return value{Kind: found, Type: "number"}
	case "Bump[]":
		return value{Kind: found, Items: bump}
	case "Claimed":
		return value{Kind: claimed}
	case "Contact":
		return value{Kind: contact}
	}
	return value{Type: simpleType(t)}
}

// itemOf returns the value of the items of a list, such as objects("Ship").
func (s *scope) itemOf(e ast.Expr) value {
	switch v := s.infer(e); {
	case v.Kind == shownList:
		return value{Kind: shown, Class: v.Class}
	case v.Kind == shared:
		return nestedItem(v.Text)
	case v.Made != nil && s.heldIn(v.Made, "").isObject():
		return s.heldIn(v.Made, "")
	case v.Kind == anything && v.Own != nil && v.Own.items != nil && s.game.isLoaded():
		return value{Type: "table", Own: v.Own.items}
	case v.Kind == found && v.Items != anything:
		return value{Kind: v.Items, Class: v.Class}
	case v.Kind == found && v.Type != "":
		return value{Type: v.Type}
	case v.Kind == kept && v.Part.item != nil:
		item := s.valueOf(v.Part.item)
		item.Maybe = true
		return item
	case v.Kind == found && v.Class != nil:
		return s.game.objectOfClass(v.Class)
	}
	return value{}
}

// objectOf returns an object of the class that an expression names.
func (s *scope) objectOf(e ast.Expr) value {
	if name, ok := syntax.TextOf(e); ok && s.game.class(name) != nil {
		return value{Kind: object, Class: s.game.class(name)}
	}
	return value{Kind: someObject, Class: s.game.anyObject()}
}
