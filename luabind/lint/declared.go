package lint

import (
	"slices"
	"strings"

	"github.com/hindcast/hindcast/luabind"
	"github.com/hindcast/hindcast/luabind/internal/ident"
	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/hindcast/hindcast/luabind/keyname"
	"github.com/hindcast/hindcast/world"
	"github.com/yuin/gopher-lua/ast"
)

// checkDeclared checks the names of keys, shapes and colours in a declaration,
// which only viewers read.
func checkDeclared(r *report, c *class, table ast.Expr) {
	t, ok := table.(*ast.TableExpr)
	if !ok {
		return
	}
	for _, f := range t.Fields {
		inner, isTable := f.Value.(*ast.TableExpr)
		key, _ := syntax.TextOf(f.Key)
		switch {
		case !isTable:
		case key == "controls":
			checkControls(r, c, inner)
		case key == "look":
			checkLook(r, c, inner)
		}
	}
}

func checkControls(r *report, c *class, table *ast.TableExpr) {
	of := map[string]string{} // by key: the input
	for _, f := range table.Fields {
		input, isText := syntax.TextOf(f.Key)
		if f.Key == nil || !isText {
			continue
		}
		_, isInput := c.inputs[input]
		if name, named := syntax.TextOf(f.Value); named && !isInput && keyname.Known(input, true) {
			if _, reversed := c.inputs[name]; reversed {
				r.say(max(f.Key.Line(), f.Value.Line()), input, "write "+name+" = \""+input+"\"", "%s.controls: the input comes first, and then its key", c.name())
				return
			}
		}
		names := []ast.Expr{f.Value}
		if list, ok := f.Value.(*ast.TableExpr); ok {
			if names = nil; namedKeys(r, c, input, list) {
				continue
			}
			for _, item := range list.Fields {
				names = append(names, item.Value)
			}
		}
		axis, known := c.axis(input)
		if axis && oppositeKeys(r, c, input, names) {
			continue
		}
		for _, e := range names {
			if name, ok := syntax.TextOf(e); ok && !keyname.Known(name, axis || !known) {
				unknownKey(r, c, input, name, max(e.Line(), f.Key.Line()), axis)
			} else if other := of[sameKey(name, axis)]; ok && other != "" && other != input {
				r.say(max(e.Line(), f.Key.Line()), name, "give each input a key of its own",
					"%s.controls: %q is the key of %s and of %s", c.name(), name, other, input)
			} else if ok {
				of[sameKey(name, axis)] = input
			}
		}
	}
}

// opposites are keys that stand for opposite directions, the negative one first.
var opposites = [][2]string{{"a", "d"}, {"s", "w"}, {"arrowleft", "arrowright"}, {"arrowdown", "arrowup"}, {"left", "right"}, {"down", "up"},
	{"pad:left", "pad:right"}, {"pad:down", "pad:up"}}

// oppositeKeys checks turn = { "a", "d" }: both keys set the number to its largest value. said reports that there is a
// finding.
func oppositeKeys(r *report, c *class, input string, names []ast.Expr) (said bool) {
	at := map[string]int{}
	for _, e := range names {
		if name, isText := syntax.TextOf(e); isText {
			at[strings.ToLower(name)] = max(e.Line(), 1)
		}
	}
	for _, pair := range opposites {
		if at[pair[0]] > 0 && at[pair[1]] > 0 && !c.positive[input] {
			r.say(at[pair[0]], input, "write "+input+" = { \"-"+pair[0]+"\", \""+pair[1]+"\" }", "%s.controls.%s: %s and %s both set it to its "+
				"largest value", c.name(), input, pair[0], pair[1])
			return true
		}
	}
	return false
}

// namedKeys checks Fire = { key = "space" }: the keys of an input are a list. said reports that there is a finding.
func namedKeys(r *report, c *class, input string, list *ast.TableExpr) (said bool) {
	var keys []string
	at := 0
	name := ""
	for _, f := range list.Fields {
		if text, isText := syntax.TextOf(f.Value); isText {
			keys = append(keys, `"`+text+`"`)
		}
		if key, isText := syntax.TextOf(f.Key); isText && name == "" {
			name, at = key, max(f.Key.Line(), f.Value.Line())
		}
	}
	if name == "" {
		return false
	}
	if len(keys) == 0 {
		keys = []string{`"space"`, `"pad:a"`}
	}
	r.say(at, name, "write "+input+" = { "+strings.Join(keys, ", ")+" }", "%s.controls.%s: the keys of an input are a list, in which %s "+
		"means nothing", c.name(), input, name)
	return true
}

// keysOfNothing checks the keys of a declaration whose values are nil, because a name is not set when the file is
// loaded: extend = Rock. Others are refused when the file is loaded.
func (g *game) keysOfNothing(r *report, c *class, table ast.Expr) {
	t, ok := table.(*ast.TableExpr)
	if !ok || !g.isLoaded() {
		return
	}
	known := luabind.DeclaredKeys(c.name())
	for _, f := range t.Fields {
		key, isText := syntax.TextOf(f.Key)
		if isText && !slices.Contains(known, key) {
			r.say(max(f.Key.Line(), f.Value.Line()), key, didYouMean(key, known, "there are "+world.Listed(known)), "%s: unknown key %s, and its "+
				"value is nil", c.name(), key)
		}
	}
}

// sameKey returns a name that all names of a key have in common. The mouse alone is its place for a number.
func sameKey(name string, axis bool) string {
	if axis && strings.EqualFold(name, "mouse") {
		return "mouse"
	}
	return keyname.Canonical(name)
}

func unknownKey(r *report, c *class, input, name string, line int, axis bool) {
	bare := strings.TrimPrefix(name, "-")
	if !axis && keyname.Known(name, true) {
		r.say(line, bare, "it moves a \"number\"; "+input+" is a \"bool\"",
			"%s.controls.%s: %q is not a key or button", c.name(), input, name)
		return
	}
	if slices.Contains([]string{"alt", "altleft", "altright", "cmd", "command", "control", "controlleft", "controlright", "ctrl", "lctrl", "rctrl",
		"lalt", "ralt", "meta", "super", "win"}, strings.ToLower(bare)) {
		r.say(line, bare, "Control, Alt and Meta belong to the browser: take another key, such as shift", "%s.controls.%s: there is not a key or "+
			"button %q", c.name(), input, name)
		return
	}
	known := keyname.All(axis)
	for _, pair := range keyname.Aliases() {
		known = append(known, pair[0])
	}
	r.say(line, bare, didYouMean(bare, known,
		"docs/scripting.md lists the names, such as w, ArrowUp, space, mouse:left, pad:a"),
		"%s.controls.%s: there is not a key or button %q", c.name(), input, name)
}

func checkLook(r *report, c *class, table *ast.TableExpr) {
	for _, f := range table.Fields {
		key, _ := syntax.TextOf(f.Key)
		value, ok := syntax.TextOf(f.Value)
		if key == "color" {
			r.color(c.name()+".look.color", f.Value, max(f.Key.Line(), f.Value.Line()))
		}
		switch {
		case !ok:
		case key == "shape" && !slices.Contains(luabind.LookShapes(), value):
			r.say(max(f.Key.Line(), f.Value.Line()), value,
				didYouMean(value, luabind.LookShapes(), "there are "+world.Listed(luabind.LookShapes())),
				"%s.look.shape: there is no shape %q", c.name(), value)
		}
	}
}

// changedTypes checks that a class gives no field another type than the class that it extends: the hooks that it takes
// over use it as it was there.
func (g *game) changedTypes(c, of *class, r *report) {
	for _, name := range ident.Keys(c.declared) {
		now, was := c.fields[name], of.fields[name]
		if now == nil || was == nil || now.holdsLike(was) {
			continue
		}
		r.sayIn(syntax.Place{File: c.file, Line: c.declared[name]}, name, "give it another name", "%s is %s, and %s, which %s extends, is %s",
			now.name, now.is(), was.name, c.name(), was.is())
	}
}

// holdsLike reports whether two parts hold values of one type.
func (p *part) holdsLike(o *part) bool {
	if p.item != nil && o.item != nil {
		return p.item.holdsLike(o.item)
	}
	return p.is() == o.is()
}
