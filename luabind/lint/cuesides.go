package lint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hindcast/hindcast/luabind"
	"github.com/hindcast/hindcast/luabind/internal/api"
	"github.com/hindcast/hindcast/luabind/internal/ident"
	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/hindcast/hindcast/world"
	"github.com/yuin/gopher-lua/ast"
)

// sentCue is a call of cue whose name is written out.
type sentCue struct {
	at   syntax.Place
	keys map[string]int // what it says, with the lines; nil: not known
}

// cueSides are the two sides of the cues of a game: what hooks send, and what view.lua shows. A name that only one side
// has may be meant for one that only the other has. Which of two fields is wrong is told by how often each word is
// written: it is the rarer one. Names of cues are those of functions and classes as well, so that this says nothing of
// them: a cue is said where it is shown, with the place where the other is sent.
type cueSides struct {
	sent  map[string][]sentCue
	shown map[string]syntax.Place            // by cue
	read  map[string]map[string]syntax.Place // by cue and field; a cue whose fields are not all known has none
	words *wordsOf
	// tables are the cues that are given a table or an object, which none can hold: what view.lua reads may be in it.
	tables map[string]bool

	unsent map[string]misspelling            // by cue that is shown
	fields map[string]map[string]misspelling // by cue and field that is read: the hook is wrong
	hints  map[string]map[string]misspelling // by cue and field that is read: view.lua is wrong
}

// misspelling is a name that stands for another one.
type misspelling struct {
	name, meant string
	at, other   syntax.Place // where the name is, and where the other one
}

// unsendable notes cues that are given what none can hold.
func (c *cueSides) unsendable(cues []string) {
	for _, name := range cues {
		c.tables[name] = true
	}
}

// hint says what is meant, and where that is.
func (m *misspelling) hint(seen string) string {
	return fmt.Sprintf("did you mean %s? (%s in %s:%d)", m.meant, seen, m.other.File, m.other.Line)
}

// nameHint says which cue is meant by the name of one that no hook sends, and that it may be the hook that is wrong.
func (c *cueSides) nameHint(name string) (hint string, known bool) {
	m, known := c.unsent[name]
	if !known {
		return "", false
	}
	hint = m.hint("emitted")
	if len(ident.Nearest(name, []string{m.meant})) > 0 {
		hint = strings.TrimSuffix(hint, ")") + "; if " + name + " is right, write it there)"
	}
	return hint, true
}

// sentAt adds to a name of a cue where hooks send it.
func (c *cueSides) sentAt(name string) string {
	if calls := c.sent[name]; len(calls) > 0 {
		return fmt.Sprintf(" (emitted in %s:%d)", calls[0].at.File, calls[0].at.Line)
	}
	return ""
}

// shownAt adds to a name of a cue where view.lua shows it.
func (c *cueSides) shownAt(name string) string {
	if at, shown := c.shown[name]; shown {
		return fmt.Sprintf(" (shown in %s:%d)", at.File, at.Line)
	}
	return ""
}

// newCueSides reads the cues of files.
func newCueSides(files []world.Source, words *wordsOf) *cueSides {
	c := &cueSides{sent: map[string][]sentCue{}, shown: map[string]syntax.Place{}, read: map[string]map[string]syntax.Place{}, words: words,
		tables: map[string]bool{}, unsent: map[string]misspelling{}, fields: map[string]map[string]misspelling{}, hints: map[string]map[string]misspelling{}}
	_, sentKnown := namesGiven(api.WithoutView(files), "cue")
	_, shownKnown := namesGiven(slices.DeleteFunc(slices.Clone(files), func(f world.Source) bool { return f.Name != api.ViewFile }), cueHooks...)
	for _, f := range files {
		tree, err := syntax.Parse(f)
		if err != nil {
			return c
		}
		eachExpr(tree, func(e ast.Expr) {
			call, ok := e.(*ast.FuncCallExpr)
			if !ok || call.Receiver != nil {
				return
			}
			of := syntax.NameOf(call.Func)
			for _, name := range textsOf(first(call.Args)) {
				at := syntax.Place{File: f.Name, Line: max(call.Line(), 1)}
				switch {
				case f.Name == api.ViewFile && slices.Contains(cueHooks, of):
					c.shows(name, at, call)
				case f.Name != api.ViewFile && of == "cue":
					c.sends(name, at, call)
				}
			}
		})
	}
	if sentKnown && shownKnown {
		c.pairNames()
	}
	for _, name := range ident.Keys(c.sent) {
		if len(c.read[name]) > 0 {
			c.pairFields(name)
		}
	}
	return c
}

func (c *cueSides) sends(name string, at syntax.Place, call *ast.FuncCallExpr) {
	s := sentCue{at: at}
	if len(call.Args) == 1 {
		s.keys = map[string]int{}
	} else if keys, whole := tableKeys(call.Args[1]); whole {
		s.keys = keys
		for _, key := range ident.Keys(keys) {
			c.tables[name] = c.tables[name] || key != "to" && literal(valueOf(call.Args[1], key)) == "table"
		}
	}
	c.sent[name] = append(c.sent[name], s)
}

func (c *cueSides) shows(name string, at syntax.Place, call *ast.FuncCallExpr) {
	if _, again := c.shown[name]; !again {
		c.shown[name], c.read[name] = at, map[string]syntax.Place{}
	}
	var f *ast.FunctionExpr
	if len(call.Args) == 2 {
		f, _ = call.Args[1].(*ast.FunctionExpr)
	}
	switch {
	case f == nil || c.read[name] == nil:
		c.read[name] = nil
		return
	case len(f.ParList.Names) == 0:
		return
	}
	all, indexed := 0, 0
	eachExpr(f.Stmts, func(e ast.Expr) {
		if syntax.NameOf(e) == f.ParList.Names[0] {
			all++
		}
		get, ok := e.(*ast.AttrGetExpr)
		if !ok || syntax.NameOf(get.Object) != f.ParList.Names[0] {
			return
		}
		if key, isText := syntax.TextOf(get.Key); isText {
			indexed++
			c.read[name][key] = syntax.Place{File: at.File, Line: max(get.Line(), get.Key.Line())}
		}
	})
	if all != indexed {
		c.read[name] = nil // it is passed on
	}
}

// pairNames pairs the cues that only hooks have with those that only view.lua has.
func (c *cueSides) pairNames() {
	var sent, shown []string
	for _, name := range ident.Keys(c.sent) {
		if _, both := c.shown[name]; !both {
			sent = append(sent, name)
		}
	}
	for _, name := range ident.Keys(c.shown) {
		if c.sent[name] == nil {
			shown = append(shown, name)
		}
	}
	for _, name := range shown {
		meant := counterpart(name, sent, len(shown))
		if meant != "" {
			c.unsent[name] = misspelling{name, meant, c.shown[name], c.sent[meant][0].at}
		}
	}
}

// counterpart returns the name among those of the other side that is meant by one of several of this side: that which is
// like it, or the only one.
func counterpart(name string, other []string, several int) string {
	if near := ident.Nearest(name, other); len(near) > 0 {
		return near[0]
	}
	if several == 1 && len(other) == 1 {
		return other[0]
	}
	return ""
}

// pairFields pairs the fields that only some calls of a cue give with those that only view.lua reads.
func (c *cueSides) pairFields(cue string) {
	given := map[string]int{}
	for _, call := range c.sent[cue] {
		if call.keys == nil {
			return
		}
		for _, key := range ident.Keys(call.keys) {
			given[key]++
		}
	}
	builtIn := append([]string{"x", "y", "to", "when", "lasts", "age", "mine", "name", "object"}, luabind.CueReserved()...)
	for _, call := range c.sent[cue] {
		var unread, lacking []string
		for _, key := range ident.Keys(call.keys) {
			if _, is := c.read[cue][key]; !is && !slices.Contains(builtIn, key) {
				unread = append(unread, key)
			}
		}
		for _, key := range ident.Keys(c.read[cue]) {
			if call.keys[key] == 0 && !slices.Contains(builtIn, key) {
				lacking = append(lacking, key)
			}
		}
		for _, field := range lacking {
			key := counterpart(field, unread, len(lacking)+given[field])
			if key == "" {
				continue
			}
			hook, view := syntax.Place{File: call.at.File, Line: call.keys[key]}, c.read[cue][field]
			if given[field] > 0 || c.words.words[key] < c.words.words[field] {
				note(c.fields, cue, field, misspelling{key, field, hook, view})
			} else {
				note(c.hints, cue, field, misspelling{field, key, view, hook})
			}
		}
	}
}

func note(of map[string]map[string]misspelling, cue, field string, m misspelling) {
	if of[cue] == nil {
		of[cue] = map[string]misspelling{}
	}
	of[cue][field] = m
}

// say reports what hooks name wrongly.
func (c *cueSides) say(r *report) {
	for _, cue := range ident.Keys(c.fields) {
		for _, field := range ident.Keys(c.fields[cue]) {
			m := c.fields[cue][field]
			r.sayOf(topic{sort: aCue, name: cue + "." + m.name}, m.at, m.name, m.hint("read"), "nothing reads %s of the cue %s", m.name, cue)
		}
	}
}
