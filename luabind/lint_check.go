package luabind

import (
	"slices"

	"github.com/hindcast/hindcast/luabind/internal/ident"
	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/hindcast/hindcast/world"
	"github.com/yuin/gopher-lua/ast"
)

// attribute checks a.name; done: nothing of it is left to walk.
func (l *linter) attribute(e *ast.AttrGetExpr) (done bool) {
	t := l.infer(e.Object)
	key, isText := syntax.TextOf(e.Key)
	if !isText {
		if t.kind == anInput {
			t.class.all = true
		}
		return false
	}
	l.named[key] = true
	line := max(e.Key.Line(), e.Line())
	switch t.kind {
	case anObject:
		l.member(t.class, key, line, "field or method", "declare a field in state: "+key+" = 0")
	case anInput:
		l.input(t.class, key, line)
	case aBotWorld:
		l.botWorldMember(key, line)
	case propsOf:
		if t.class.props != nil && !t.class.props[key] {
			l.say(line, key, didYouMean(key, ident.Keys(t.class.props), "declare it in objProps"), "%s.objProps has no %s", t.class.name, key)
		}
	}
	_, isName := e.Object.(*ast.IdentExpr)
	return isName
}

func (l *linter) member(c *lintClass, name string, line int, what, hint string) {
	if !l.has(c, name) {
		l.say(line, name, didYouMean(name, l.names(c), hint), "%s has no %s %s", c.name, what, name)
	}
}

func (l *linter) input(c *lintClass, name string, line int) {
	c.read[name] = true
	if _, ok := c.inputs[name]; !ok && !c.all && !c.open {
		l.say(line, name, didYouMean(name, ident.Keys(c.inputs), "declare it in input"), "%s declares no input %s", c.name, name)
	}
}

// call checks a call; done: nothing of it is left to walk.
func (l *linter) call(e *ast.FuncCallExpr) (done bool) {
	if l.testBody(e) {
		return true
	}
	if e.Receiver != nil {
		l.named[e.Method] = true
		switch t := l.infer(e.Receiver); t.kind {
		case aTest, aTestWorld:
			l.testCall(t.kind, e)
		case anObject:
			l.member(t.class, e.Method, e.Line(), "method", "declare it: function "+t.class.name+":"+e.Method+"() ... end")
		case anInput:
			if name, ok := syntax.TextOf(first(e.Args)); ok {
				l.input(t.class, name, e.Line())
			} else {
				t.class.all = true
			}
			for _, a := range e.Args {
				l.expr(a)
			}
			return true
		}
		return false
	}
	if l.isQuery(e.Func, "spawn", "objects", "nearest") {
		l.spawnCall(syntax.LastName(e.Func), e)
	}
	return false
}

// spawnCall checks the class that is the first argument of spawn, objects and
// nearest, and what spawn gives to the object.
func (l *linter) spawnCall(fn string, e *ast.FuncCallExpr) {
	name, ok := syntax.TextOf(first(e.Args))
	if !ok {
		return
	}
	c := l.classes[name]
	switch {
	case c == nil && name != world.WallClass:
		known := l.scriptClasses()
		l.say(e.Line(), name, didYouMean(name, known, "the scripts declare "+world.Listed(known)), "%s: there is no class %s", fn, name)
	case c != nil && fn == "spawn" && len(e.Args) > 1:
		l.spawned(c, e.Args[1])
	}
}

func first(list []ast.Expr) ast.Expr {
	if len(list) == 0 {
		return nil
	}
	return list[0]
}

// spawned checks the keys of spawn's second argument.
func (l *linter) spawned(c *lintClass, args ast.Expr) {
	keys, _ := tableKeys(args)
	allowed := append([]string{"angle", "owner", "vx", "vy", "w", "x", "y"}, ident.Keys(c.members)...)
	for _, k := range ident.Keys(keys) {
		if !slices.Contains(allowed, k) && !c.open {
			l.say(keys[k], k, didYouMean(k, allowed, "spawn takes x, y, angle, vx, vy, w, owner and the fields of "+c.name), "spawn: %s has no %s", c.name, k)
		}
	}
}

// thought checks the inputs that think gives.
func (l *linter) thought(s *ast.ReturnStmt) {
	if l.thinks == nil || len(s.Exprs) != 1 {
		return
	}
	keys, _ := tableKeys(s.Exprs[0])
	for _, k := range ident.Keys(keys) {
		if _, ok := l.thinks.inputs[k]; !ok && !l.thinks.all && !l.thinks.open {
			l.say(keys[k], k, didYouMean(k, ident.Keys(l.thinks.inputs), "declare it in input"), "%s declares no input %s", l.thinks.name, k)
		}
	}
}
