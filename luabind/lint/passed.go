package lint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hindcast/hindcast/luabind/internal/ident"
	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/hindcast/hindcast/world"
	"github.com/yuin/gopher-lua/ast"
)

// writtenText is a text that is written out, and where.
type writtenText struct {
	text   string
	at     syntax.Place
	passed bool // a function is given it, which gives it on

	answered bool // it is an answer that the entry form offers
}

// writtenTexts are the texts that files give to a field or a parameter. open means that there may be others.
type writtenTexts struct {
	texts []writtenText
	open  bool
}

// all returns the texts.
func (t writtenTexts) all() (list []string) {
	for _, w := range t.texts {
		list = append(list, w.text)
	}
	return list
}

func (t *writtenTexts) add(o writtenTexts) {
	t.texts, t.open = append(t.texts, o.texts...), t.open || o.open
}

// textsIn returns the texts that an expression may be: those that are written out in it, and those that all callers give a
// parameter.
func (w *walker) textsIn(e ast.Expr) (t writtenTexts) {
	switch e := e.(type) {
	case *ast.StringExpr:
		t.texts = []writtenText{{text: e.Value, at: syntax.Place{File: w.report.current(), Line: max(e.Line(), 1)}}}
	case *ast.LogicalOpExpr:
		if e.Operator == "or" {
			t = w.textsIn(e.Lhs)
		}
		t.add(w.textsIn(e.Rhs))
	case *ast.IdentExpr:
		if v, _ := w.scope.lookUp(e.Value); v.Says != nil {
			return *v.Says
		}
		return w.textsGiven(e.Value)
	case *ast.AttrGetExpr:
		name, _ := syntax.TextOf(e.Key)
		list := w.answersTo(w.scope.infer(e.Object), name)
		for _, text := range list {
			t.texts = append(t.texts, writtenText{text: text, at: w.game.answerAt(text, w.report.current(), max(e.Line(), 1)), passed: true, answered: true})
		}
		t.open = len(list) == 0
	default:
		t.open = literal(e) == ""
	}
	return t
}

// passedParam is a parameter of a function of which all calls are known.
type passedParam struct {
	function string
	at       int
}

// names returns the names that an argument may be: texts that are written out there, and those of a local variable that
// the function uses nowhere else, so that nothing tests it.
func (w *walker) names(e ast.Expr) (names []writtenText) {
	switch e := e.(type) {
	case *ast.StringExpr:
		return w.textsIn(e).texts
	case *ast.LogicalOpExpr:
		if e.Operator == "or" {
			names = w.names(e.Lhs)
		}
		return append(names, w.names(e.Rhs)...)
	}
	name, uses := syntax.NameOf(e), 0
	v, _ := w.scope.lookUp(name)
	h := w.scope.heldBy(e)
	if w.scope.again[name] || h.text == nil && (v.Says == nil || v.Says.open) {
		return nil
	}
	eachExpr(w.body, func(o ast.Expr) {
		if syntax.NameOf(o) == name {
			uses++
		}
	})
	if uses != 1 || !declares(w.body, name) {
		return nil
	}
	if h.text != nil {
		return w.names(h.text)
	}
	return v.Says.texts
}

// textsGiven returns the texts that all callers give a parameter; open: it is none, or they are not all known.
func (w *walker) textsGiven(name string) (t writtenTexts) {
	p, known := w.passed[name]
	if !known {
		return writtenTexts{open: true}
	}
	for _, call := range w.learnedHere().says[p.function] {
		if p.at < len(call) {
			t.add(call[p.at])
		}
	}
	if l := w.game.learning; l != nil {
		l.chained = l.chained || t.open
	}
	for i := range t.texts {
		t.texts[i].passed = true
	}
	return t
}

// passing walks a function with a name, of whose parameters is known what all callers give them.
func (w *walker) passing(name string, f *ast.FunctionExpr, walk func()) {
	outer := w.passed
	w.passed = map[string]passedParam{}
	hides := map[string]bool{}
	for _, p := range f.ParList.Names {
		hides[p] = true
	}
	eachName(f.Stmts, func(n string) { hides[n] = true })
	for _, n := range ident.Keys(outer) {
		if !hides[n] {
			w.passed[n] = outer[n]
		}
	}
	if l := w.learnedHere(); l != nil && !l.isPassed(name) && l.forms[name] != isMixed && len(l.says[name]) > 0 &&
		(!w.game.isCalled(name) || w.game.functionsIn(w.report.current()).locals[w.report.current()][name] != nil) &&
		w.scope.shows() == nil {
		again := assignedIn(f.Stmts)
		eachName(f.Stmts, func(n string) { again[n] = true })
		for i, p := range f.ParList.Names {
			if !again[p] {
				w.passed[p] = passedParam{name, i}
			}
		}
	}
	walk()
	w.passed = outer
}

// wordsOf has how often words stand in files, in comments as well, and how often they are written as texts or names of
// fields.
type wordsOf struct {
	words, texts map[string]int
}

func newWordsOf(files []world.Source) *wordsOf {
	u := &wordsOf{map[string]int{}, map[string]int{}}
	for _, f := range files {
		for _, at := range rxWord.FindAllStringIndex(f.Text, -1) {
			if !strings.HasPrefix(strings.TrimLeft(f.Text[at[1]:], " "), "(") { // the name of a function says nothing of a text
				u.words[f.Text[at[0]:at[1]]]++
			}
		}
		if tree, err := syntax.Parse(f); err == nil {
			eachExpr(tree, func(e ast.Expr) {
				if s, ok := e.(*ast.StringExpr); ok {
					u.texts[s.Value]++
				}
			})
		}
	}
	return u
}

// misspelt returns the text among those that are given which is meant to be one that something is compared with: it
// resembles that, and stands nowhere else. Where both stand once, it is that which a caller gives.
func (u *wordsOf) misspelt(given writtenTexts, compared string) *writtenText {
	for i := range given.texts {
		t := &given.texts[i]
		if u == nil || t.answered || u.texts[t.text] != 1 || len(ident.Nearest(t.text, []string{compared})) == 0 {
			continue
		}
		if more := u.words[compared] - u.words[t.text]; more > 0 || more == 0 && t.passed {
			return t
		}
	}
	return nil
}

// sayMisspelt reports a text that is given to what is nowhere compared with it.
func (w *walker) sayMisspelt(about topic, t *writtenText, what, meant string, seen syntax.Place) {
	w.report.sayOf(about, t.at, t.text, fmt.Sprintf("did you mean %s? (compared in %s:%d)", meant, seen.File, seen.Line),
		"nothing compares %s with %q", what, t.text)
}

// comparedParam checks what == "dril", where all callers of a function give the parameter what other texts, or where it is
// a key of a table that is written out. said reports that there is a finding.
func (w *walker) comparedParam(e *ast.RelationalOpExpr, name, text string) (said bool) {
	if w.game.known == nil || text == "" {
		return false
	}
	here := syntax.Place{File: w.report.current(), Line: e.Line()}
	if given := w.textsGiven(name); !given.open && len(given.texts) > 0 {
		all := given.all()
		slices.Sort(all)
		if all = slices.Compact(all); slices.Contains(all, text) {
			return false
		}
		about := topic{aNeverText, here.File + ":" + w.passed[name].function, name}
		if t := w.game.usedWords.misspelt(given, text); t != nil {
			w.sayMisspelt(about, t, name, text, here)
			return true
		}
		if len(ident.Nearest(text, all)) > 0 && !w.game.fieldNames[text] {
			w.report.sayAbout(about, e.Line(), text, didYouMean(text, all, ""), "%s is never %q", name, text)
			return true
		}
	}
	for _, table := range w.scope.keyedBy(name, w.body) {
		keys, whole := tableKeys(w.scope.infer(table).Text)
		known := ident.Keys(keys)
		if whole && !w.game.fieldNames[text] && len(ident.Nearest(text, known)) > 0 && !slices.Contains(known, text) {
			w.report.say(e.Line(), text, didYouMean(text, known, ""), "%s is a key of %s, which has no %s", name, shortly(table), text)
			return true
		}
	}
	return false
}

// keyedBy returns the tables, written out with names alone, that code looks up with a variable or goes through with it.
// A table that is asked whether it has the variable may lack it.
func (s *scope) keyedBy(name string, body []ast.Stmt) (tables []ast.Expr) {
	asked := map[ast.Expr]bool{}
	eachCondition(body, func(get *ast.AttrGetExpr) { asked[get] = true })
	note := func(e ast.Expr) {
		v := s.infer(e)
		if v.Kind != shared || v.Text == nil || len(v.Text.Fields) < 2 || syntax.NameOf(e) == "" || s.again[syntax.NameOf(e)] {
			return
		}
		for _, f := range v.Text.Fields {
			if key, isText := syntax.TextOf(f.Key); !isText || strings.TrimSpace(key) == "" {
				return
			}
		}
		tables = append(tables, e)
	}
	eachExpr(body, func(e ast.Expr) {
		if get, ok := e.(*ast.AttrGetExpr); ok && syntax.NameOf(get.Key) == name && !asked[get] {
			note(get.Object)
		}
	})
	eachStmt(body, func(st ast.Stmt) {
		loop, ok := st.(*ast.GenericForStmt)
		if !ok || loop.Names[0] != name || len(loop.Exprs) != 1 {
			return
		}
		if call, isCalled := loop.Exprs[0].(*ast.FuncCallExpr); isCalled && len(call.Args) == 1 && s.isGlobal(call.Func, "pairs") {
			note(call.Args[0])
		}
	})
	return tables
}

// sayUncompared reports texts that fields are given which nothing compares them with, and that resemble one with which the
// field is compared: enter("plya").
func (w *walker) sayUncompared(files []world.Source) {
	l, u := w.game.known, w.game.usedWords
	if l == nil || u == nil || l.closed {
		return
	}
	for _, name := range ident.Keys(l.texts) {
		p := w.game.textField(name)
		if p == nil {
			continue
		}
		compared := comparedWith(files, name)
		all := l.texts[name].all()
		for i := range l.texts[name].texts {
			t := &l.texts[name].texts[i]
			meant := closest(t.text, ident.Keys(compared))
			if u.texts[t.text] != 1 || u.words[t.text] != 1 || meant == "" || !slices.Contains(append(all, p.text), meant) {
				continue // what is never given is said where it is compared
			}
			w.sayMisspelt(topic{aNeverText, "", name}, t, compared[meant].what, meant, compared[meant].at)
		}
	}
}

// leastAlike is the length from which on texts that differ in one letter are taken for the same.
const leastAlike = 4

// closest returns a text that differs from another in one letter or in capitals only, and in no digit; empty: there is
// none.
func closest(text string, known []string) string {
	for _, k := range known {
		alike := strings.EqualFold(k, text) || ident.Distance(strings.ToLower(text), strings.ToLower(k)) == 1
		if k != text && max(len(text), len(k)) >= leastAlike && alike && !strings.ContainsAny(k+text, "0123456789") && text+"s" != k && k+"s" != text {
			return k
		}
	}
	return ""
}

// textField returns a declared field with a name that holds a text; nil: there is none.
func (g *game) textField(name string) *part {
	for _, c := range g.all() {
		if p := c.fields[name]; p != nil && p.of == "string" {
			return p
		}
	}
	return nil
}

// comparison is what is compared with a text, and where.
type comparison struct {
	what string
	at   syntax.Place
}

// comparedWith returns the texts with which files compare a field, and where.
func comparedWith(files []world.Source, name string) map[string]comparison {
	texts := map[string]comparison{}
	for _, f := range files {
		tree, err := syntax.Parse(f)
		if err != nil {
			continue
		}
		eachExpr(tree, func(e ast.Expr) {
			r, ok := e.(*ast.RelationalOpExpr)
			if !ok || r.Operator != "==" && r.Operator != "~=" {
				return
			}
			for _, side := range [][2]ast.Expr{{r.Lhs, r.Rhs}, {r.Rhs, r.Lhs}} {
				get, isMember := side[0].(*ast.AttrGetExpr)
				text, isText := syntax.TextOf(side[1])
				if _, known := texts[text]; isMember && isText && syntax.LastName(get) == name && !known {
					texts[text] = comparison{shortly(get), syntax.Place{File: f.Name, Line: max(r.Line(), 1)}}
				}
			}
		})
	}
	return texts
}
