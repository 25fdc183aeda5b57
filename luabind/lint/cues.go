package lint

import (
	"slices"

	"github.com/hindcast/hindcast/luabind/internal/api"
	"github.com/hindcast/hindcast/luabind/internal/ident"
	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/hindcast/hindcast/world"
	"github.com/yuin/gopher-lua/ast"
)

// cueHooks are the functions of view.lua that show cues.
var cueHooks = []string{"onCue", "onCueMoved", "onCueCancelled"}

// namesGiven returns the texts that files give to functions as their first argument. known is false if there may be
// others: a file does not parse, or a name is not written as a text.
func namesGiven(files []world.Source, functions ...string) (names []string, known bool) {
	known = true
	var expr func(ast.Expr)
	var block func([]ast.Stmt)
	expr = func(e ast.Expr) {
		call, ok := e.(*ast.FuncCallExpr)
		if id, isName := e.(*ast.IdentExpr); isName && slices.Contains(functions, id.Value) {
			known = false // it is passed on, or has another name
		}
		switch {
		case e == nil:
		case ok && call.Receiver == nil && slices.Contains(functions, syntax.NameOf(call.Func)):
			texts := textsOf(first(call.Args))
			names, known = append(names, texts...), known && len(texts) > 0
			for _, a := range call.Args {
				expr(a)
			}
		default:
			syntax.EachOperand(e, expr, block)
		}
	}
	block = func(list []ast.Stmt) {
		for _, s := range list {
			syntax.EachPart(s, expr, block)
		}
	}
	for _, f := range files {
		tree, err := syntax.Parse(f)
		known = known && err == nil
		block(tree)
	}
	slices.Sort(names)
	return slices.Compact(names), known
}

// cueNames returns the names of the cues that files emit. It returns nil if there are none, or if a name is not written
// as a text.
func cueNames(files []world.Source) []string {
	names, known := namesGiven(files, "cue")
	if !known || len(names) == 0 {
		return nil
	}
	return names
}

// shownCues returns the names of the cues that view.lua shows. known is false if it may show others: there is no such
// file, it shows none or requires other files, or a name is computed or is that of no cue.
func shownCues(files []world.Source) (names []string, known bool) {
	var view []world.Source
	for _, f := range files {
		if f.Name == api.ViewFile {
			view = append(view, f)
		}
	}
	if names, known = namesGiven(view, cueHooks...); len(view) == 0 {
		return nil, false
	}
	required, _ := namesGiven(view, "require")
	sent := cueNames(api.WithoutView(files))
	for _, name := range names {
		known = known && slices.Contains(sent, name) // otherwise there is a finding in view.lua
	}
	return names, known && len(names) > 0 && len(required) == 0
}

// cueShown checks that view.lua shows a cue that is emitted, once for each name.
func (w *walker) cueShown(e *ast.FuncCallExpr) {
	if w.cues == nil || !w.scope.isGlobal(e.Func, "cue") {
		return
	}
	for _, name := range textsOf(first(e.Args)) {
		if slices.Contains(w.cues, name) || w.unshown[name] {
			continue
		}
		w.unshown[name] = true
		w.report.sayAbout(topic{sort: anAside}, e.Line(), name, meantElsewhere(name, w.cues, w.sides.shownAt,
			"write onCue(\""+name+"\", function(c) ... end) in "+api.ViewFile),
			"%s shows no cue %s", api.ViewFile, name)
	}
}

// meantElsewhere is didYouMean with where the name stands that is meant.
func meantElsewhere(name string, known []string, at func(string) string, otherwise string) string {
	hint := didYouMean(name, known, otherwise)
	if near := ident.Nearest(name, known); len(near) > 0 {
		hint += at(near[0])
	}
	return hint
}

// cueContents returns what the cues of files contain, by their names: of those that are always given a table which is
// written out.
func cueContents(files []world.Source) map[string]*class {
	contents, open := map[string]*class{}, map[string]bool{}
	for _, f := range files {
		tree, err := syntax.Parse(f)
		if err != nil {
			return nil
		}
		eachExpr(tree, func(e ast.Expr) {
			call, ok := e.(*ast.FuncCallExpr)
			if !ok || syntax.NameOf(call.Func) != "cue" {
				return
			}
			for _, name := range textsOf(first(call.Args)) {
				if contents[name] == nil {
					contents[name] = shownClass(aCueCalled+name, "age", "lasts", "mine", "name", "object")
					contents[name].typed(map[string]string{"age": "number", "lasts": "number", "mine": "boolean", "name": "string",
						"object": "string"})
				}
				if len(call.Args) > 1 {
					keys, whole := tableKeys(call.Args[1])
					open[name] = open[name] || !whole
					contents[name].addMembers(ident.Keys(keys))
					for _, key := range ident.Keys(keys) {
						contents[name].calls[key]++
					}
				}
			}
		})
	}
	for _, name := range ident.Keys(open) {
		if open[name] {
			delete(contents, name)
		}
	}
	return contents
}

// sentFields are the types of the values that cues are given, by cue and field, one for each call of cue; empty: it is
// not known.
type sentFields map[string]map[string][]string

// note notes a value that cues with some names are given.
func (s sentFields) note(cues []string, field string, given argument) {
	if s == nil {
		return
	}
	of := given.of
	if of == "string" && !given.words { // it may stand for a number
		of = ""
	}
	for _, name := range cues {
		if s[name] == nil {
			s[name] = map[string][]string{}
		}
		s[name][field] = append(s[name][field], of)
	}
}

// addTo adds the types of fields to what is known of cues: of those that are of one type in each call.
func (s sentFields) addTo(cues map[string]*class) {
	for _, name := range ident.Keys(cues) {
		for _, field := range ident.Keys(s[name]) {
			list := slices.Compact(slices.Clone(s[name][field]))
			plain := len(list) == 1 && slices.Contains([]string{"boolean", "number", "string"}, list[0])
			if plain && cues[name].has(field) && len(s[name][field]) == cues[name].calls[field] && cues[name].fields[field] == nil {
				cues[name].typed(map[string]string{field: list[0]})
			}
		}
	}
}
