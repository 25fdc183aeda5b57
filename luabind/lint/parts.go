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

// part is what is declared of a field, of a part of a record, or of the items of a list.
type part struct {
	name  string  // as messages call it: Ship.fuel
	of    string  // the type of a plain value; "": it is no type of Lua, or may be nil
	ref   bool    // it holds an object or nil
	id    bool    // of view.lua: it holds the id of an object, or nil
	joint bool    // of a reference: the files give it nothing but joints
	text  string  // the text that it begins with
	color bool    // of a text: look draws the object in this colour
	size  int     // the most bytes that a text has
	min   float64 // of a number, if it is below max
	max   float64
	parts map[string]*part
	item  *part // of a list
	most  int   // how many items a list holds
}

// noteTypes notes what the fields of the loaded class hold.
func (c *class) noteTypes(def *world.Class) {
	c.fields = map[string]*part{}
	if !world.HoldsState(def.Name) {
		for _, f := range [...][2]string{{"class", "string"}, {"id", "string"}, {"owner", "number"}} {
			c.fields[f[0]] = &part{name: c.name() + "." + f[0], of: f[1]}
		}
	}
	c.noteParts(def)
	if m := rxTemplate.FindStringSubmatch(def.Look.Color); m != nil && c.fields[m[1]] != nil && c.fields[m[1]].of == "string" {
		c.fields[m[1]].color = true
	}
}

// noteParts notes what the fields hold that a class of the schema declares.
func (c *class) noteParts(def *world.Class) {
	root := &part{name: c.name(), parts: c.fields}
	for i := range def.Declared() {
		if f := &def.Fields[i]; f.List == 0 {
			p := root.at(strings.Split(strings.TrimPrefix(f.Name, "#"), "."))
			if p.hold(f); f.Kind == world.Count {
				p.items(def.Fields[i+1 : i+1+f.Leaves])
			}
		}
	}
}

// share adds the fields of a class to a class that stands for all objects: a field holds what it holds in each class that
// has it.
func (c *class) share(from *class) {
	for _, name := range ident.Keys(from.fields) {
		p, known := from.fields[name], c.fields[name]
		switch {
		case known == nil:
			c.fields[name] = &part{name: name, of: p.of, ref: p.ref && p.item == nil, id: p.id, size: p.size, most: p.most, item: p.item, parts: p.parts}
		case !known.alike(p):
			c.fields[name] = &part{name: name}
		default:
			known.size, known.most = max(known.size, p.size), max(known.most, p.most)
		}
	}
}

// agreeOn adds the fields that hold the same in each of several classes that has them to a class that stands for these.
func (c *class) agreeOn(classes []*class) {
	differs := map[string]bool{}
	for i, of := range classes {
		for _, name := range of.names() {
			p, known := of.fields[name], c.fields[name]
			switch {
			case p == nil || differs[name] || known != nil && !known.alike(p):
				differs[name] = true
				delete(c.fields, name)
			case known == nil:
				shared := *p
				if c.fields[name] = &shared; len(classes) > 1 {
					shared.name, shared.text, shared.min, shared.max = c.name()+"."+name, "", 0, 0
				}
			default:
				known.size, known.most = max(known.size, p.size), max(known.most, p.most)
			}
		}
		for _, name := range ident.Keys(of.fields) { // class, id and owner, which are no members
			if i == 0 && !of.has(name) {
				c.fields[name] = of.fields[name]
			}
		}
	}
}

// alike reports whether two parts hold values of the same types.
func (p *part) alike(o *part) bool {
	if p == nil || o == nil {
		return p == o
	}
	if p.of != o.of || p.ref != o.ref || p.id != o.id || p.joint != o.joint || !p.item.alike(o.item) || len(p.parts) != len(o.parts) {
		return false
	}
	for _, name := range ident.Keys(p.parts) {
		if !p.parts[name].alike(o.parts[name]) {
			return false
		}
	}
	return true
}

// at returns the part with a path, which it makes if it does not exist.
func (p *part) at(path []string) *part {
	for _, name := range path {
		if p.parts == nil {
			p.parts = map[string]*part{}
		}
		if p.parts[name] == nil {
			p.parts[name] = &part{name: p.name + "." + name}
		}
		p = p.parts[name]
	}
	return p
}

// hold notes what a field of the schema holds.
func (p *part) hold(f *world.Field) {
	switch f.Kind {
	case world.Number:
		p.of, p.min, p.max = "number", f.Min, f.Max
	case world.Bool:
		p.of = "boolean"
	case world.String:
		p.of, p.size, p.text = "string", f.Cap, heldText(f.Default)
	case world.Ref:
		p.ref = true
	case world.Count:
		p.most = f.Cap
	}
}

// items notes what the items of a list hold, given the fields of the first.
func (p *part) items(leaves []world.Field) {
	p.item = &part{name: "an item of " + p.name}
	for i := range leaves {
		of := p.item
		if _, path, named := strings.Cut(leaves[i].Name, "]."); named {
			p.item.name = p.name + "[]"
			of = of.at(strings.Split(path, "."))
		}
		of.hold(&leaves[i])
	}
}

// valueOf returns the value of a part.
func (s *scope) valueOf(p *part) value {
	switch {
	case p.id:
		return value{Type: "string", Field: true, Maybe: true, Hint: isAnID}
	case p.ref && p.joint:
		return value{Kind: joint}
	case p.ref:
		return value{Kind: someObject, Class: s.game.anyObject()} // or a joint
	case p.item != nil, p.parts != nil:
		return value{Kind: kept, Part: p}
	}
	return value{Type: p.of, Field: true}
}

// is describes what a part holds.
func (p *part) is() string {
	switch {
	case p.ref:
		return "an object or nil"
	case p.item != nil:
		return "a list"
	case p.parts != nil:
		return "a record"
	}
	return aType(p.of)
}

// fits checks a value that is written into a declared field of a class. at is the name at which the finding stands.
func (w *walker) fits(c *class, name string, e ast.Expr, line int) {
	if p := c.fields[name]; p != nil {
		w.fitsPart(p, e, line, name)
	}
}

// fitsPart checks a value that is written into a part. It stands at a name in a line.
func (w *walker) fitsPart(p *part, e ast.Expr, line int, at string) {
	if p.of == "" && !p.ref && p.item == nil && p.parts == nil {
		return // it differs from class to class
	}
	if either, ok := e.(*ast.LogicalOpExpr); ok && w.fitsEither(p, either, line, at) {
		return
	}
	t, written := e.(*ast.TableExpr)
	given := w.scope.typeOf(e)
	if w.scope.misCalled(e) {
		return // which is said
	}
	if p.color {
		w.color(p.name, e, line)
	}
	if text, isText := syntax.TextOf(e); isText && p.size > 0 && len(text) > p.size {
		w.report.sayAbout(topic{aLongText, text, lastPart(p.name)}, line, at, fmt.Sprintf("declare str(%d)", len(text)),
			"%s holds at most %d bytes, and not %d", p.name, p.size, len(text))
	} else if n := leastLength(e); !isText && p.size > 0 && n > p.size && (given == "string" || !w.game.overloads[".."]) {
		w.report.say(line, at, fmt.Sprintf("declare str(%d) or more", n), "%s holds at most %d bytes, and is given %d or more", p.name, p.size, n)
	}
	list := w.scope.infer(e)
	switch whole := p.item != nil || p.parts != nil; {
	case p.item != nil && !p.item.ref && list.Kind == found && list.Class != nil:
		w.report.say(line, at, "declare list(\"ref\", n), or insert a field of each", "%s is %s, and not an object",
			p.item.name, p.item.is())
	case whole && written:
		w.fitsParts(p, t, line, at)
	case given == "nil" && w.leavesOut:
	case given == "" && !p.ref && w.scope.emptyCall(e) != "":
		w.report.say(line, at, "end "+w.scope.emptyCall(e)+" with return and a value", "%s is %s, and %s returns nothing", p.name, p.is(), w.scope.emptyCall(e))
	case given == "", given == p.of, whole && given == "table", p.ref && (given == anObject || given == "nil"):
	case whole:
		instead := "assign a table, or add an item with table.insert"
		if p.parts != nil {
			instead = "assign one of its parts, or a table: { " + ident.Keys(p.parts)[0] + " = ... }"
		}
		w.report.say(line, at, instead, "%s is %s, and cannot be %s", p.name, p.is(), aType(given))
	default:
		w.report.say(line, at, w.storingInstead(e, given, p.of), "%s is %s, and cannot hold %s", p.name, p.is(),
			aType(given))
	}
}

// lastPart returns what is behind the last dot of a name.
func lastPart(name string) string { return name[strings.LastIndex(name, ".")+1:] }

// fitsEither checks the values that a and b, a or b, and a and b or c may be. said reports that there is a finding.
func (w *walker) fitsEither(p *part, e *ast.LogicalOpExpr, line int, at string) (said bool) {
	before := len(w.report.found)
	both, isChoice := e.Lhs.(*ast.LogicalOpExpr)
	isChoice = isChoice && e.Operator == "or" && both.Operator == "and"
	plain := p.of == "number" || p.of == "string"
	switch _, nested := e.Lhs.(*ast.LogicalOpExpr); {
	case e.Operator == "or" && plain && slices.Contains([]string{"function", "number", "string", "table"}, w.scope.typeOf(e.Lhs)) && !nested:
		w.fitsPart(p, e.Lhs, line, at) // which is what it always gives
	case isChoice:
		w.fitsPart(p, both.Rhs, line, at)
	case plain && !nested && w.scope.typeOf(e.Lhs) == "boolean":
		gives := map[string]string{"and": "false", "or": "true"}[e.Operator]
		w.report.say(line, at, "write a and b or c", "%s is %s, and cannot hold %s, which %s may give", p.name, p.is(), gives,
			e.Operator)
		return true
	}
	if len(w.report.found) == before {
		w.fitsPart(p, e.Rhs, line, at)
	}
	return len(w.report.found) > before
}

// fitsParts checks a table that is written out and that a list or a record takes over.
func (w *walker) fitsParts(p *part, t *ast.TableExpr, line int, at string) {
	if n, exact := items(t); p.item != nil && exact && n > p.most {
		w.report.say(line, at, fmt.Sprintf("declare list(..., %d)", n), "%s holds at most %d items, and not %d", p.name,
			p.most, n)
		return
	}
	for _, f := range t.Fields {
		key, isText := syntax.TextOf(f.Key)
		if isText && p.item != nil && p.item.parts[key] != nil {
			w.report.say(max(line, f.Key.Line()), key, "write "+lastPart(p.name)+" = { { "+key+" = ... } }", "%s is a list of records, and is given one", p.name)
			return
		}
		switch of := p.parts[key]; {
		case f.Key == nil && p.item != nil:
			w.fitsItem(p, f.Value, max(line, f.Value.Line()), at)
		case isText && p.item != nil:
			w.report.say(max(line, f.Key.Line()), key, "write { 1, 2 }, or declare a record", "%s is a list, and takes no %s",
				p.name, key)
		case isText && of != nil:
			w.fitsOrNil(of, f.Value, max(line, f.Key.Line()), key)
		case isText && p.parts != nil:
			w.checks.noPart(p, key, max(line, f.Key.Line()))
		case f.Key == nil && p.parts != nil && w.scope.isSomething(f.Value):
			w.report.say(max(line, f.Value.Line()), at, "write { "+strings.Join(ident.Keys(p.parts), " = ..., ")+" = ... }",
				"%s is a record, whose parts have names", p.name)
			return
		}
	}
}

// isSomething reports whether an expression has a type that is known, and is not nil.
func (s *scope) isSomething(e ast.Expr) bool {
	of := s.typeOf(e)
	return of != "" && of != "nil" && of != anObject && !s.infer(e).Maybe
}

// fitsItem checks an item that is written into a list. nil takes one away.
func (w *walker) fitsItem(list *part, e ast.Expr, line int, at string) {
	w.fitsOrNil(list.item, e, line, at)
}

// fitsOrNil is fitsPart for a place where nil leaves the value out, as in a table that is written out.
func (w *walker) fitsOrNil(p *part, e ast.Expr, line int, at string) {
	outer := w.leavesOut
	w.leavesOut = true
	w.fitsPart(p, e, line, at)
	w.leavesOut = outer
}

// noPart reports a part that a record does not have.
func (k *checks) noPart(p *part, name string, line int) {
	known := ident.Keys(p.parts)
	k.report.say(line, name, didYouMean(name, known, "there are "+world.Listed(known)), "%s has no part %s", p.name, name)
}

// leastLength returns how many bytes a text has at least that an expression joins: those of the texts that are written out,
// and one for each number.
func leastLength(e ast.Expr) (n int) {
	switch e := e.(type) {
	case *ast.StringExpr:
		return len(e.Value)
	case *ast.NumberExpr:
		return 1
	case *ast.StringConcatOpExpr:
		return leastLength(e.Lhs) + leastLength(e.Rhs)
	}
	return 0
}
