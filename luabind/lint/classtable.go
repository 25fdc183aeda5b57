package lint

import (
	"slices"
	"strings"

	"github.com/hindcast/hindcast/luabind"
	"github.com/hindcast/hindcast/luabind/internal/api"
	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/hindcast/hindcast/world"
	"github.com/yuin/gopher-lua/ast"
)

// listers are the names of the functions that list the objects of a class in other engines.
var listers = []string{"all", "each", "find", "findAll", "getAll", "instances", "list", "objects"}

// makers are the names of the functions that make an object of a class in other engines.
var makers = []string{"New", "create", "Create", "instance", "new", "spawn"}

// classMember checks Ship.fuel and Ship:new(), where Ship is a class and no object. sign is the sign before the name if
// it is called. said reports that there is a finding.
func (k *checks) classMember(c *class, name string, line int, sign string) (said bool) {
	_, isMethod := c.methods[name]
	called := sign != ""
	isField := c.fields[name] != nil
	switch {
	case called && !isMethod && slices.Contains(makers, name) && k.game.lacks(c, name):
		k.report.say(line, name, "write spawn(\""+c.name()+"\", { x = 1, y = 2 }), and onSpawn runs for it",
			"the class %s has no function %s", c.name(), name)
	case called && !isMethod && slices.Contains(listers, name) && k.game.lacks(c, name):
		k.report.say(line, name, "write for _, o in ipairs(objects(\""+c.name()+"\")) do",
			"the class %s has no function %s", c.name(), name)
	case !isMethod && isField:
		k.report.say(line, name, "write self."+name+", or "+name+" of the object that you mean",
			"%s is the class, and %s is a field of its objects", c.name(), name)
	case !isMethod && library.Method(name) != nil:
		k.report.say(line, name, "write self:"+name+"(...)", "%s is the class, and %s is a method of its objects",
			c.name(), name)
	case !called && !isMethod && name != "objProps" && slices.Contains(luabind.DeclaredKeys(c.name()), name) && k.game.isLoaded() &&
		k.game.lacks(c, name):
		k.report.say(line, name, or(api.ForeignMember(name), "keep in objProps what scripts read"), "the class %s has no member %s: what is "+
			"declared cannot be looked up", c.name(), name)
	case called && !isMethod && k.game.isLoaded() && k.game.lacksItself(c, name):
		k.report.say(line, name, didYouMean(name, c.names(), "declare it: function "+c.name()+sign+name+"() ... end, or leave out the call"),
			"the class %s has no function %s", c.name(), name)
	default:
		return false
	}
	return true
}

// overClass checks for _, o in pairs(Coin) do in a hook, where Coin is a class: it has the functions of the class, and not
// the objects.
func (w *walker) overClass(s *ast.GenericForStmt) {
	call, ok := s.Exprs[0].(*ast.FuncCallExpr)
	if !ok || !w.inTick || !w.scope.isGlobal(call.Func, "pairs", "ipairs") || len(call.Args) != 1 {
		return
	}
	if v := w.scope.infer(call.Args[0]); v.Kind == classTable && w.scope.view == nil {
		w.report.say(call.Line(), nameIn(call.Args[0]), "write for _, o in ipairs(objects(\""+v.Class.name()+"\")) do",
			"%s is the class, which holds no objects", v.Class.name())
	}
}

// classCalled checks Rock { x = 1 }.
func (k *checks) classCalled(c *class, e *ast.FuncCallExpr) {
	k.report.say(e.Line(), nameIn(e), "write spawn(\""+c.name()+"\", { x = 1, y = 2 })",
		"%s is a class, which is not called", c.name())
}

// classWritten checks Ship.count = 1 in a hook. said reports that there is a finding.
func (w *walker) classWritten(get *ast.AttrGetExpr) (said bool) {
	v := w.scope.infer(get.Object)
	name, isText := syntax.TextOf(get.Key)
	line := max(get.Line(), get.Key.Line(), 1)
	switch {
	case !w.inTick || v.Kind != classTable || !isText:
		return false
	case w.checks.classMember(v.Class, name, line, ""):
		return true
	case v.Class.isMethod(name):
		w.report.say(line, name, "keep in state what changes, and test it in the function",
			"%s.%s is a function of the class, which is frozen after loading", v.Class.name(), name)
		return true
	}
	w.report.say(line, name, "declare "+name+" in state, and write self."+name,
		"%s is the class, which is frozen after loading", v.Class.name())
	return true
}

// madeByMetatable checks setmetatable({}, Ship) in a function such as Ship.new of the class Ship: it makes a table, and no
// object.
func (w *walker) madeByMetatable(e *ast.FuncCallExpr) {
	if !w.scope.isGlobal(e.Func, "setmetatable") || len(e.Args) != 2 || literal(e.Args[0]) != "table" || !slices.Contains(makers, w.within) {
		return
	}
	v, name := w.scope.infer(e.Args[1]), syntax.NameOf(e.Args[1])
	if v.Kind == classTable && (w.ofTable == name || w.methodsOf == name) {
		w.report.say(e.Line(), "setmetatable", "objects are made by spawn(\""+v.Class.name()+"\", { x = 1, y = 2 }), and onSpawn runs for them",
			"setmetatable makes a table, and no object of the class %s", v.Class.name())
	}
}

// hooksAssigned checks Ship.tick = 5 and, in game.lua, onJoin = 5: a hook is a function.
func (w *walker) hooksAssigned(s *ast.AssignStmt) {
	for i := range min(len(s.Lhs), len(s.Rhs)) {
		name, full := syntax.LastName(s.Lhs[i]), shortly(s.Lhs[i])
		get, isMember := s.Lhs[i].(*ast.AttrGetExpr)
		isHook := isMember && w.scope.infer(get.Object).Kind == classTable && api.HookMember(name) != nil ||
			syntax.NameOf(s.Lhs[i]) == name && w.report.current() == api.GameFile && api.GameHookMember(name) != nil
		if _, isLocal := w.scope.lookUp(name); !isMember && isLocal || !isHook || w.inTick {
			continue
		}
		if of := w.scope.typeOf(s.Rhs[i]); of != "" && of != "function" && of != "nil" {
			w.report.say(max(s.Line(), 1), name, "write function "+strings.Replace(full, ".", ":", 1)+"() ... end",
				"%s is a hook, and must be a function, not %s", full, aType(of))
		}
	}
}

// defines checks function self.aim() end and function Ship:aim() end within a hook. said reports that there is a
// finding.
func (w *walker) defines(f *ast.FuncDefStmt) (said bool) {
	of, name := f.Name.Receiver, f.Name.Method
	if get, ok := f.Name.Func.(*ast.AttrGetExpr); ok && of == nil {
		of = get.Object
		name, _ = syntax.TextOf(get.Key)
	}
	if of == nil || name == "" || !w.inTick {
		return false
	}
	switch v := w.scope.infer(of); {
	case v.Kind == classTable, v.Kind == object && v.Class.called != "" && !world.HoldsState(v.Class.name()):
		w.report.say(f.Line(), name, "write function "+v.Class.name()+":"+name+"() ... end outside of other functions, or "+
			"local function "+name+"() ... end here", "%s gets its methods while the files are loaded", v.Class.name())
	case v.Kind == object, v.Kind == someObject:
		w.report.say(f.Line(), name, "write local function "+name+"() ... end",
			"%s is an object, which cannot hold a function", shortly(of))
	default:
		return false
	}
	return true
}

// onlyRead are the members of all objects that scripts cannot set.
var onlyRead = []string{"class", "id", "objProps", "owner"}

// reservedWritten checks that the left side of an assignment is no member that only methods set.
func (w *walker) reservedWritten(get *ast.AttrGetExpr) {
	v := w.scope.infer(get.Object)
	name, isText := syntax.TextOf(get.Key)
	if !isText || v.Kind != object && v.Kind != someObject || v.Class != nil && world.HoldsState(v.Class.name()) {
		return
	}
	line := max(get.Line(), get.Key.Line(), 1)
	switch {
	case name == "owner":
		w.report.say(line, name, "write "+shortly(get.Object)+":setOwner(player)", "owner can only be read")
	case slices.Contains(onlyRead, name):
		w.report.say(line, name, "keep what changes in a field of state", "%s can only be read", name)
	case v.Kind == object && v.Class.isMethod(name) && v.Class.fields[name] == nil:
		w.report.say(line, name, "keep in state what changes, and test it in the function",
			"%s is a function of %s, and cannot be set", name, v.Class.name())
	case library.Method(name) != nil:
		w.report.say(line, name, "call it: "+shortly(get.Object)+":"+name+"(...)", "%s is a method, and cannot be set",
			name)
	}
}
