package lint

import (
	"fmt"
	"math"
	"slices"

	"github.com/hindcast/hindcast/luabind"
	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// limitsGiven checks the limits that the options of a joint have. said reports that there is a finding.
func (w *walker) limitsGiven(of string, t *ast.TableExpr, line int) (said bool) {
	least, most := valueOf(t, "min"), valueOf(t, "max")
	return w.limits(of, "", least, most, of == "hinge", max(line, t.Line()))
}

// limitsSet checks joint:setLimits(min, max). They are angles if all joints with limits that the game makes are hinges.
func (w *walker) limitsSet(e *ast.FuncCallExpr) {
	if len(e.Args) == 2 {
		w.limits(e.Method, e.Method, e.Args[0], e.Args[1], w.game.onlyHinges(), e.Line())
	}
}

// limits checks the limits of a joint. at is where a finding stands; empty: at the name of the limit.
func (w *walker) limits(of, at string, least, most ast.Expr, angles bool, line int) (said bool) {
	low, isLow := w.scope.numberIn(least)
	high, isHigh := w.scope.numberIn(most)
	for i, n := range []float64{low, high} {
		e, name := []ast.Expr{least, most}[i], []string{"min", "max"}[i]
		if !angles || math.Abs(n) <= luabind.MaxHingeLimit {
			continue
		}
		hint := fmt.Sprintf("write a number of radians from %v to %v", -luabind.MaxHingeLimit, luabind.MaxHingeLimit)
		if math.Abs(n) >= 5 && math.Abs(n) <= 180 {
			hint = "write math.rad(" + or(syntax.NameOf(e), fmt.Sprint(n)) + ")"
		}
		w.report.say(max(e.Line(), line), or(at, name), hint, "%s: %s is in radians, from %v to %v, and is %v here", of, name, -luabind.MaxHingeLimit,
			luabind.MaxHingeLimit, n)
		return true
	}
	if isLow && isHigh && low > high {
		w.report.say(line, or(at, "min"), "change them round", "%s: min is above max", of)
		return true
	}
	return false
}

// onlyHinges reports whether the files name hinge, and no other function that makes joints with limits.
func (g *game) onlyHinges() bool {
	named := map[string]bool{}
	for _, tree := range g.trees {
		eachExpr(tree, func(e ast.Expr) {
			if name := syntax.NameOf(e); slices.Contains([]string{"hinge", "slider", "wheel", "spring"}, name) {
				named[name] = true
			}
			if text, isText := syntax.TextOf(e); isText { // _G[name], or a table of functions by their names
				named[text] = named[text] || text != "hinge" && slices.Contains([]string{"slider", "wheel", "spring"}, text)
			}
		})
	}
	return named["hinge"] && !named["slider"] && !named["wheel"] && !named["spring"] && g.hidesNothing()
}
