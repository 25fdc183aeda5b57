package lint

import (
	"maps"

	"github.com/hindcast/hindcast/luabind/internal/ident"
	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// outsideWalks is how often a test or a bot is walked before what is wrong in it is said: helpers may call helpers.
const outsideWalks = 3

// learnOutside walks a file of tests, or a bot, without a report, so that it is known what its helpers are given and
// return: local function start(t) local w = t:world {} return w end.
func (g *game) learnOutside(file string, tree []ast.Stmt, prepare func(*walker)) {
	g.outside, g.ofOutside = newOwnFunctions(), nil
	g.outside.note(file, tree)
	if !g.isLoaded() {
		return
	}
	for range outsideWalks {
		g.learning = newLearned([][]ast.Stmt{tree})
		w := newWalker(g, &report{})
		prepare(w)
		w.file(file, tree)
		g.ofOutside, g.learning = g.learning, nil
		clear(g.resulting)
	}
	g.reassigned.next()
}

// functionsIn returns the functions that a file sees which have no table: those of the game's files, or those of the
// test or bot that is walked.
func (g *game) functionsIn(file string) *ownFunctions {
	if g.outside != nil && g.outside.trees[file] != nil {
		return g.outside
	}
	return g.functionsOf
}

// learnedHere returns what is known of what the functions of the file that is walked are given; nil: nothing is.
func (w *walker) learnedHere() *learned {
	switch {
	case w.testing || w.steered != nil:
		return w.game.ofOutside
	case w.scope.shows() != nil:
		return w.game.ofView
	}
	return w.game.known
}

// paramsIn adds what is known of the parameters of a function to its variables, where a test or a bot has it.
func (g *game) paramsIn(vars map[string]value, c *ownCall) {
	if g.functionsIn(c.to.file) == g.outside && !c.to.colon {
		maps.Copy(vars, g.ofOutside.params(c.name, c.to.f, g.demands(c.to.f, c.to.file)))
	}
}

// namesOnce returns the texts that a value may be which is a text, or a parameter that its function uses nowhere else, so
// that nothing tests it.
func (w *walker) namesOnce(e ast.Expr) (names []writtenText) {
	if names = w.names(e); len(names) > 0 || syntax.NameOf(e) == "" {
		return names
	}
	uses := 0
	eachExpr(w.body, func(o ast.Expr) {
		if syntax.NameOf(o) == syntax.NameOf(e) {
			uses++
		}
	})
	if _, isParam := w.passed[syntax.NameOf(e)]; !isParam || uses != 1 {
		return nil
	}
	return w.textsGiven(syntax.NameOf(e)).texts
}

// toldMember checks w:cues("hit")[1].name. A test may look that a cue has no such value, so that only a name is told that
// resembles one which it has.
func (k *checks) toldMember(c *class, name string, line int) {
	if c == nil || c.has(name) || k.game.sent == nil {
		return
	}
	if known := c.names(); len(ident.Nearest(name, known)) > 0 {
		k.report.say(line, name, didYouMean(name, known, ""), "%s has no %s", c.name(), name)
	}
}
