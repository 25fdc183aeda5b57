package lint

import (
	"slices"
	"strings"

	"github.com/hindcast/hindcast/luabind"
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
		names := []ast.Expr{f.Value}
		if list, ok := f.Value.(*ast.TableExpr); ok {
			names = nil
			for _, item := range list.Fields {
				names = append(names, item.Value)
			}
		}
		axis, known := c.axis(input)
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
