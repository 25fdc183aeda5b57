package lint

import (
	"slices"

	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/hindcast/hindcast/world"
	"github.com/yuin/gopher-lua/ast"
)

// question returns a question of the entry form; nil: there is none with this name.
func (g *game) question(name string) *world.Question {
	for i := range g.form.Questions {
		if g.form.Questions[i].Name == name {
			return &g.form.Questions[i]
		}
	}
	return nil
}

// answerAt returns where the entry form offers an answer; the place where the answer is used if no file writes it out.
func (g *game) answerAt(text, file string, line int) syntax.Place {
	at := syntax.Place{File: file, Line: line}
	for i, tree := range g.trees {
		eachExpr(tree, func(e ast.Expr) {
			if call, ok := e.(*ast.FuncCallExpr); ok && syntax.NameOf(call.Func) == "entry" && len(call.Args) == 1 {
				eachExpr([]ast.Stmt{&ast.ReturnStmt{Exprs: call.Args}}, func(e ast.Expr) {
					if s, isText := e.(*ast.StringExpr); isText && s.Value == text {
						at = syntax.Place{File: g.files[i], Line: max(s.Line(), call.Line(), 1)}
					}
				})
			}
		})
	}
	return at
}

// answer checks asked.kit, an answer that onJoin is given.
func (k *checks) answer(name string, line int) {
	var known []string
	for _, q := range k.game.form.Questions {
		known = append(known, q.Name)
	}
	switch {
	case name == "" || slices.Contains(known, name):
	case name == "name":
		k.report.say(line, name, "the name is for viewers: playerName(number) in view.lua, and p.name of v.players()",
			"no script of the simulation gets the name of a player")
	default:
		hint := "entry { ... } asks nothing that onJoin is given"
		if len(known) > 0 {
			hint = didYouMean(name, known, "it asks "+world.Listed(known))
		}
		k.report.say(line, name, hint, "entry { ... } asks nobody for %s", name)
	}
}

// comparedAnswer checks asked.kit == "Tank", where Tank is no answer. said reports that there is a finding.
func (w *walker) comparedAnswer(name, text string, e *ast.RelationalOpExpr) (said bool) {
	known := w.answersTo(value{Kind: asked}, name)
	if len(known) == 0 || slices.Contains(known, text) {
		return false
	}
	w.report.say(e.Line(), text, didYouMean(text, known, "there are "+world.Listed(known)), "entry.%s has no answer %q", name, text)
	return true
}

// answersTo returns the answers that the entry form offers to a question, whose answers a value has; none: it has others,
// or players write the answer.
func (w *walker) answersTo(of value, name string) (known []string) {
	if of.Kind != asked {
		return nil
	}
	if q := w.game.question(name); q != nil {
		for _, o := range q.Options {
			known = append(known, o.Name)
		}
	}
	return known
}

// ofHookNotSelf reports whether the parameters of a function with a dot are those of the hook without self:
// function Ship.onContact(other).
func ofHookNotSelf(params, hook []string) bool {
	if len(params) == 0 || len(params) > len(hook) {
		return false
	}
	first := params[0] == hook[0] || len(params) == 1 && slices.Contains(otherwise[hook[0]], params[0])
	return first && !slices.Contains(params[1:], hook[0])
}

// dottedHook checks function Ship.onContact(other) end, which lacks self. It returns the parameters as they would be with
// self.
func (w *walker) dottedHook(c *class, name string, params []string, f *ast.FunctionExpr, dotted bool) (with []string) {
	hook := hookOf(c, name, w.report.current())
	if c == nil || hook == nil || !dotted {
		return params
	}
	var known []string
	for _, p := range hook.Params {
		known = append(known, p.Name)
	}
	if len(known) == 0 || !ofHookNotSelf(params, known) {
		return params
	}
	w.report.say(f.Line(), name, "write a colon: function "+c.name()+":"+name+"("+params[0]+")", "%s.%s is given self first, which is called %s here",
		c.name(), name, params[0])
	return append([]string{"self"}, params...)
}

// hookOfNothing checks Coin.tick = Coin.tock, where there is no Coin.tock.
func (w *walker) hookOfNothing(s *ast.AssignStmt) {
	for i := range min(len(s.Lhs), len(s.Rhs)) {
		to, isMember := s.Lhs[i].(*ast.AttrGetExpr)
		from, isOther := s.Rhs[i].(*ast.AttrGetExpr)
		if !isMember || !isOther || w.inTick || !w.game.isLoaded() {
			continue
		}
		name, isText := syntax.TextOf(from.Key)
		v := w.scope.infer(from.Object)
		if w.scope.infer(to.Object).Kind != classTable || v.Kind != classTable || !isText || !w.game.lacks(v.Class, name) ||
			v.Class.fields[name] != nil || name == "objProps" {
			continue
		}
		w.report.say(max(from.Line(), from.Key.Line(), 1), name, didYouMean(name, slices.DeleteFunc(v.Class.names(), func(n string) bool { return n == syntax.LastName(to) }), "declare it: function "+v.Class.name()+":"+name+"() ... end"),
			"the class %s has no function %s", v.Class.name(), name)
	}
}
