package lint

import (
	"slices"

	"github.com/hindcast/hindcast/luabind/internal/api"
	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// timerOnly checks a function that nothing but a timer calls. c is the class whose method it is, nil for a function of
// game.lua.
func (w *walker) timerOnly(c *class, name string, params []string, f *ast.FunctionExpr) {
	if w.testing || w.steered != nil || w.scope.shows() != nil || !w.game.isLoaded() || !w.game.hidesNothing() || w.game.isCalled(name) || !w.game.onlyTimed(name) {
		return
	}
	of := "the match"
	switch {
	case c != nil && (len(params) == 0 || !slices.Contains(c.timers, name)), c == nil && (!w.scope.outermost() || w.report.current() != api.GameFile ||
		!w.game.matchTimes(name)):
		return
	case c != nil:
		of, params = c.name(), params[1:]
	default:
		params = f.ParList.Names
	}
	w.timerParams(c, name, of, params, f)
	w.startsItself(c, name, f)
}

// timerParams checks the parameters of such a function, which is given nothing besides self. Only a parameter is said that
// cannot be nil wherever it is used.
func (w *walker) timerParams(c *class, name, of string, params []string, f *ast.FunctionExpr) {
	demanded := w.game.demands(f, w.report.current())
	for i, p := range f.ParList.Names {
		if !slices.Contains(params, p) || slices.Contains(demanded[i].refuses, "nil") || !needsValue(f, p, c) { // what is demanded is said of the call
			continue
		}
		hint := "keep it in state where the timer is started, and read it here"
		if slices.Contains([]string{"delta", "deltaTime", "dt", "dtime"}, p) {
			hint = "the seconds are those that the timer is started with: write them into a constant"
		}
		w.report.say(f.Line(), p, hint, "%s is a timer of %s, which is given no %s", name, of, p)
		return
	}
}

// startsItself checks such a function that no other function starts: function Foe:shoot() ... after(1, "shoot") end.
func (w *walker) startsItself(c *class, name string, f *ast.FunctionExpr) {
	all, inside := 0, 0
	count := func(to *int) func(ast.Expr) {
		return func(e ast.Expr) {
			if s, ok := e.(*ast.StringExpr); ok && s.Value == name {
				*to++
			}
		}
	}
	starts := func(tree []ast.Stmt, to *int) {
		eachExpr(tree, func(e ast.Expr) {
			if call, ok := e.(*ast.FuncCallExpr); ok && api.StartsTimer(syntax.NameOf(call.Func)) {
				eachExpr([]ast.Stmt{&ast.ReturnStmt{Exprs: call.Args}}, count(to))
			}
		})
	}
	for _, tree := range w.game.trees {
		starts(tree, &all)
		eachStmt(tree, func(s ast.Stmt) {
			switch s := s.(type) {
			case *ast.FuncDefStmt:
				if or(s.Name.Method, syntax.LastName(s.Name.Func)) == name {
					starts(s.Func.Stmts, &inside)
				}
			case *ast.AssignStmt:
				for i := range min(len(s.Lhs), len(s.Rhs)) {
					if g, ok := s.Rhs[i].(*ast.FunctionExpr); ok && syntax.LastName(s.Lhs[i]) == name {
						starts(g.Stmts, &inside)
					}
				}
			}
		})
	}
	own := startsIn(f)
	i := slices.IndexFunc(own, func(s startedIn) bool { return s.name == name })
	if i < 0 || all != inside {
		return
	}
	where := "in onStart"
	if c != nil {
		where = "in function " + c.name() + ":onSpawn()"
	}
	call := own[i].call
	w.report.say(call.Line(), name, "start it elsewhere, too, such as "+where, "%s: nothing but %s itself starts the timer %s, so that it never runs", syntax.NameOf(call.Func),
		name, name)
}

// onlyTimed reports whether nothing looks up a function with a name but calls of after and the like.
func (g *game) onlyTimed(name string) bool {
	if !g.timed[name] {
		return false
	}
	aside, only := map[ast.Expr]bool{}, true // what defines it, and names of timers
	for _, tree := range g.trees {
		eachStmt(tree, func(s ast.Stmt) {
			switch s := s.(type) {
			case *ast.FuncDefStmt:
				aside[s.Name.Func] = true
				if get, ok := s.Name.Func.(*ast.AttrGetExpr); ok {
					aside[get.Key] = true
				}
			case *ast.AssignStmt:
				for i, e := range s.Lhs {
					if get, ok := e.(*ast.AttrGetExpr); ok && i < len(s.Rhs) && literal(s.Rhs[i]) == "function" {
						aside[get.Key] = true
					}
				}
			}
		})
		eachExpr(tree, func(e ast.Expr) {
			switch e := e.(type) {
			case *ast.FuncCallExpr:
				if of := syntax.NameOf(e.Func); api.StartsTimer(of) || of == "stopTimer" || of == "timeLeft" {
					eachExpr([]ast.Stmt{&ast.ReturnStmt{Exprs: e.Args}}, func(a ast.Expr) {
						_, isText := a.(*ast.StringExpr)
						aside[a] = aside[a] || isText
					})
				}
				get, isMember := e.Func.(*ast.AttrGetExpr)
				if isMember {
					_, isText := syntax.TextOf(get.Key)
					isMember = !isText
				}
				only = only && e.Method != name && !isMember // self[name]() may call any
			case *ast.IdentExpr:
				only = only && (e.Value != name || aside[e])
			case *ast.StringExpr:
				only = only && (e.Value != name || aside[e])
			}
		})
	}
	return only
}

// needsValue reports whether a parameter of a function is used, and wherever it is, nil ends in an error: something is
// computed with it or looked up in it, or a field of self is set to it that is never nil.
func needsValue(f *ast.FunctionExpr, param string, c *class) bool {
	all, hard := 0, 0
	is := func(list ...ast.Expr) {
		for _, e := range list {
			if e != nil && syntax.NameOf(e) == param {
				hard++
			}
		}
	}
	if assignedIn(f.Stmts)[param] || declares(f.Stmts, param) {
		return false
	}
	eachStmt(f.Stmts, func(s ast.Stmt) {
		set, ok := s.(*ast.AssignStmt)
		for i := 0; ok && i < min(len(set.Lhs), len(set.Rhs)); i++ {
			get, isMember := set.Lhs[i].(*ast.AttrGetExpr)
			if isMember && c != nil && syntax.NameOf(get.Object) == "self" {
				if of := c.fieldType(syntax.LastName(get)); of == "number" || of == "string" || of == "boolean" {
					is(set.Rhs[i])
				}
			}
		}
	})
	eachExpr(f.Stmts, func(e ast.Expr) {
		switch e := e.(type) {
		case *ast.IdentExpr:
			if e.Value == param {
				all++
			}
		case *ast.FunctionExpr:
			if slices.Contains(e.ParList.Names, param) {
				all++ // whose uses are not those of the parameter
			}
		case *ast.ArithmeticOpExpr:
			is(e.Lhs, e.Rhs)
		case *ast.UnaryMinusOpExpr:
			is(e.Expr)
		case *ast.StringConcatOpExpr:
			is(e.Lhs, e.Rhs)
		case *ast.RelationalOpExpr:
			if e.Operator != "==" && e.Operator != "~=" {
				is(e.Lhs, e.Rhs)
			}
		case *ast.AttrGetExpr:
			is(e.Object)
		case *ast.FuncCallExpr:
			is(e.Receiver, e.Func)
		}
	})
	return all > 0 && all == hard
}
