package lint

import (
	"slices"

	"github.com/hindcast/hindcast/luabind/internal/ident"
	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/hindcast/hindcast/world"
	"github.com/yuin/gopher-lua/ast"
)

// teamArgument are the functions that need teams, with the number of arguments before the name of one.
var teamArgument = map[string]int{"setTeam": 1, "smallestTeam": 0, "teamColor": 0}

// teamCall checks a call of a function that needs teams: that there are some, and the one that it names.
func (k *checks) teamCall(s *scope, e *ast.FuncCallExpr) {
	name := syntax.NameOf(e.Func)
	before, isTeam := teamArgument[name]
	if !isTeam || !s.isGlobal(e.Func, name) || !k.game.isLoaded() {
		return
	}
	known := k.game.own().teamNames()
	if len(known) == 0 {
		if name != "teamColor" { // which has a color for the empty team
			k.report.say(e.Line(), name, `write teams { Red = { color = "#f55" }, Blue = { color = "#59f" } }`,
				"%s: no file declares teams", name)
		}
		return
	}
	if len(e.Args) <= before {
		return
	}
	for _, team := range textsOf(e.Args[before]) {
		if !slices.Contains(known, team) && (team != "" || name != "teamColor") {
			k.report.say(e.Line(), team, didYouMean(team, known, "there are "+world.Listed(known)), "%s: there is no team %s",
				name, team)
		}
	}
}

// hasTeam checks that the class of which fillTeams makes objects has a field for their team.
func (k *checks) hasTeam(e *ast.FuncCallExpr) {
	name, _ := syntax.TextOf(e.Args[0])
	c := k.game.class(name)
	if c == nil || !k.game.isLoaded() || len(k.game.own().teamNames()) == 0 || c.fieldType(world.TeamField) == "string" {
		return
	}
	k.report.say(e.Line(), name, "declare it: state = { team = str(16) }", "fillTeams: %s has no field for its team", name)
}

// comparedTeam checks the team of an object that a text resembles, and that no file gives to a field team. said reports
// that there is a finding.
func (w *walker) comparedTeam(c *class, text string, line int) (said bool) {
	known, l := w.game.own().teamNames(), w.game.known
	if l == nil || l.closed || c.fieldType(world.TeamField) != "string" || slices.Contains(known, text) || len(ident.Nearest(text, known)) == 0 ||
		l.texts["team"] != nil && slices.Contains(l.texts["team"].all(), text) || c.fields[world.TeamField].text == text {
		return false
	}
	w.report.say(line, text, didYouMean(text, known, ""), "there is no team %s", text)
	return true
}

// teamOf checks the team of a player that is written out: stats(player).team == "Red", and = "Red".
func (k *checks) teamOf(c *class, e ast.Expr, line int) (said bool) {
	known := k.game.own().teamNames()
	if c.name() != world.PlayerClass || !k.game.isLoaded() || len(known) == 0 {
		return false
	}
	for _, team := range textsOf(e) {
		if team != "" && !slices.Contains(known, team) {
			k.report.say(line, team, didYouMean(team, known, "there are "+world.Listed(known)), "there is no team %s", team)
			return true
		}
	}
	return false
}
