package lint

import (
	"slices"
	"strings"

	"github.com/hindcast/hindcast/luabind/internal/ident"
	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/hindcast/hindcast/world"
	"github.com/yuin/gopher-lua/ast"
)

// noteText notes what a field of an object is given, among texts.
func (w *walker) noteText(name string, e ast.Expr) {
	l := w.game.learning
	if l.texts[name] == nil {
		l.texts[name] = &writtenTexts{}
	}
	l.texts[name].add(w.textsIn(e))
}

// mentioned returns how often the file has a text.
func (w *walker) mentioned(text string) (n int) {
	eachExpr(w.tree, func(e ast.Expr) {
		if is, ok := syntax.TextOf(e); ok && is == text {
			n++
		}
	})
	return n
}

// heldText returns the text that the words of a field hold.
func heldText(words []uint64) string {
	if len(words) == 0 {
		return ""
	}
	var b strings.Builder
	for i := range words[0] {
		b.WriteByte(byte(words[1+i/8] >> (8 * (i % 8))))
	}
	return b.String()
}

// comparedField checks game.phase == "playing" where the files only ever give it other texts. said reports that there is
// a finding.
func (w *walker) comparedField(e *ast.RelationalOpExpr, what *ast.AttrGetExpr, text string) (said bool) {
	name, _ := syntax.TextOf(what.Key)
	v, l := w.scope.infer(what.Object), w.game.known
	if w.outside != nil && !w.scope.fields[name] {
		if l = w.outside; w.game.words[text] || w.mentioned(text) > 1 {
			return false // the game may be wrong, which is said of it
		}
	}
	if l == nil || l.closed || name == "team" || v.Class == nil || v.Kind != object && v.Kind != shown {
		return false
	}
	p := v.Class.fields[name]
	if p == nil || p.of != "string" || l.texts[name] != nil && l.texts[name].open {
		return false
	}
	all := []string{""}
	for _, c := range w.game.all() {
		if f := c.fields[name]; f != nil {
			all = append(all, f.text)
		}
	}
	if l.texts[name] != nil {
		all = append(all, l.texts[name].all()...)
	}
	slices.Sort(all)
	all = slices.DeleteFunc(slices.Compact(all), func(s string) bool { return s == "" })
	isState := v.Kind == object && world.HoldsState(v.Class.name()) || v.Kind == shown && world.HoldsState(v.Class.ofState())
	if text == "" || slices.Contains(all, text) || l.strayed[text] || !isState && len(ident.Nearest(text, all)) == 0 || len(all) == 0 {
		return false // game.toml may give fields of objects other texts
	}
	about := topic{sort: aNeverText, name: name}
	if l.texts[name] != nil {
		if t := w.game.usedWords.misspelt(*l.texts[name], text); t != nil {
			w.sayMisspelt(about, t, shortly(what), text, syntax.Place{File: w.report.current(), Line: e.Line()})
			return true
		}
	}
	w.report.sayAbout(about, e.Line(), text, didYouMean(text, all, "the files give it "+world.Listed(all)),
		"%s is never %q", shortly(what), text)
	return true
}
