package lint

import (
	"slices"

	"github.com/hindcast/hindcast/luabind/internal/api"
	"github.com/hindcast/hindcast/luabind/internal/ident"
	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/hindcast/hindcast/world"
	"github.com/yuin/gopher-lua/ast"
)

// amidHooks are the hooks in which the object whose hook runs is among those of its class, also after it is removed: it is
// there until the tick ends. A new one is not, until its onSpawn has run.
var amidHooks = []string{
	world.OnTick.String(), world.ApplyInput.String(), world.OnContact.String(), world.OnContactEnd.String(), world.OnTrigger.String(),
	world.OnRemove.String(),
}

// amongThem checks #objects("Foe") == 0 in a hook of the class Foe, which never holds, because self is one of them.
func (w *walker) amongThem(e *ast.RelationalOpExpr) {
	verdict, compares := "", false
	length := e.Lhs
	if n, isWritten := writtenNumber(e.Rhs); isWritten {
		verdict, compares = ofCount(e.Operator, n)
	} else if n, isWritten = writtenNumber(e.Lhs); isWritten {
		length = e.Rhs
		verdict, compares = ofCount(turned[e.Operator], n)
	}
	if !compares || w.amid == nil || w.seeing || w.nested > 0 || !w.game.isLoaded() || w.testing || w.steered != nil {
		return
	}
	if h := w.scope.heldBy(length); h.length != nil {
		length = h.length
	}
	of, isLength := length.(*ast.UnaryLenOpExpr)
	if !isLength {
		return
	}
	list := of.Expr
	if h := w.scope.heldBy(list); h.list != nil {
		list = h.list
	}
	call, isCall := list.(*ast.FuncCallExpr)
	if !isCall || len(call.Args) != 1 || !w.scope.isGlobal(call.Func, "objects") {
		return
	}
	name, _ := syntax.TextOf(call.Args[0])
	c := w.game.class(name)
	if c == nil || !w.amid.is(c) {
		return
	}
	hint := "compare it with 1, or look in tick() of game.lua"
	if verdict == "always" {
		hint = "compare it with 1"
	}
	w.report.say(max(e.Line(), 1), e.Operator, hint, "this %s holds: self is one of the objects of %s until the tick ends, also after self:remove()",
		verdict, name)
}

// isAmid reports whether a method of a class, or a hook, runs only on objects that are among those of their class.
func (g *game) isAmid(c *class, name string, params []string) bool {
	if c == nil || world.HoldsState(c.name()) || len(params) == 0 || params[0] != "self" || api.HookMember(name) != nil && !slices.Contains(amidHooks, name) {
		return false
	}
	if g.onNew == nil {
		g.onNew = methodsOnNew(g.trees)
	}
	return !g.onNew[name]
}

// methodsOnNew returns the names of the functions that may run on an object that is not yet among those of its class: what
// onSpawn calls on self, and what is called on something else than self, what a hook is given, and what nearest and objects
// find.
func methodsOnNew(trees [][]ast.Stmt) map[string]bool {
	onNew, calls := map[string]bool{}, map[string][]string{} // by caller: what it calls on self
	for _, tree := range trees {
		within, timers := map[ast.Expr]string{}, map[ast.Expr]bool{}
		old := map[ast.Expr]map[string]bool{}
		called := map[ast.Expr]bool{}
		eachStmt(tree, func(s ast.Stmt) {
			def, ok := s.(*ast.FuncDefStmt)
			if !ok {
				return
			}
			called[def.Name.Func] = true
			if def.Name.Receiver == nil {
				return
			}
			there := placedIn(def)
			eachExpr(def.Func.Stmts, func(e ast.Expr) { within[e], old[e] = def.Name.Method, there })
		})
		eachExpr(tree, func(e ast.Expr) {
			switch e := e.(type) {
			case *ast.FuncCallExpr:
				called[e.Func] = true
				if name := syntax.NameOf(e.Func); api.StartsTimer(name) || name == "stopTimer" || name == "timeLeft" {
					for _, a := range e.Args {
						timers[a] = true
					}
				}
				name, on := e.Method, e.Receiver
				if on == nil {
					name, on = syntax.LastName(e.Func), first(e.Args)
				}
				switch of := syntax.NameOf(on); {
				case of == "self" && within[e] != "":
					calls[within[e]] = append(calls[within[e]], name)
				case of == "" || !old[e][of]:
					onNew[name] = true
				}
			case *ast.AttrGetExpr:
				timers[e.Key] = true
				if name, isText := syntax.TextOf(e.Key); isText && !called[e] {
					onNew[name] = true
				}
			case *ast.StringExpr:
				if !timers[e] {
					onNew[e.Value] = true
				}
			}
		})
	}
	onNew[world.OnSpawn.String()] = true
	for next := ident.Keys(onNew); len(next) > 0; {
		from := next[0]
		next = next[1:]
		for _, name := range calls[from] {
			if !onNew[name] {
				onNew[name] = true
				next = append(next, name)
			}
		}
	}
	return onNew
}

// placedIn returns the local variables of a method that hold objects which were there before: what a hook touches, and what
// nearest and objects find.
func placedIn(def *ast.FuncDefStmt) map[string]bool {
	times, placed := map[string]int{}, map[string]bool{}
	for i, p := range def.Func.ParList.Names {
		times[p]++
		placed[p] = i == 0 && slices.Contains(amidHooks, def.Name.Method)
	}
	eachName(def.Func.Stmts, func(n string) { times[n]++ })
	eachStmt(def.Func.Stmts, func(s ast.Stmt) {
		switch s := s.(type) {
		case *ast.LocalAssignStmt:
			call, _ := first(s.Exprs).(*ast.FuncCallExpr)
			placed[s.Names[0]] = call != nil && syntax.NameOf(call.Func) == "nearest"
		case *ast.GenericForStmt:
			if call, _ := first(s.Exprs).(*ast.FuncCallExpr); call != nil && len(s.Names) == 2 && syntax.NameOf(call.Func) == "ipairs" {
				list, _ := first(call.Args).(*ast.FuncCallExpr)
				placed[s.Names[1]] = list != nil && syntax.NameOf(list.Func) == "objects"
			}
		}
	})
	again := assignedIn(def.Func.Stmts)
	// order: each is looked at by itself
	for n := range placed {
		placed[n] = placed[n] && times[n] == 1 && !again[n]
	}
	return placed
}

// turned are the operators of comparisons whose sides are exchanged.
var turned = map[string]string{"==": "==", "~=": "~=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}

// ofCount returns whether a comparison of a number of things, of which there is one at least, never or always holds.
// compares is false if it may do either.
func ofCount(operator string, n float64) (verdict string, compares bool) {
	switch {
	case n < 0:
		return "", false
	case operator == "==" && n < 1, operator == "<" && n <= 1, operator == "<=" && n < 1:
		return "never", true
	case operator == "~=" && n < 1, operator == ">" && n < 1, operator == ">=" && n <= 1:
		return "always", true
	}
	return "", false
}
