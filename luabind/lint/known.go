package lint

import (
	"fmt"
	"slices"

	"github.com/hindcast/hindcast/luabind/internal/api"
	"github.com/hindcast/hindcast/luabind/internal/ident"
	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/hindcast/hindcast/world"
	"github.com/yuin/gopher-lua/ast"
)

// maxNamed is how many of the names that exist a hint lists.
const maxNamed = 8

// thereAre returns the hint that lists the names that exist, those that are most like a name first, and says what else
// can be done about it. Of many names it lists a part.
func thereAre(name string, known []string, otherwise string) string {
	listed := ident.NearestFirst(name, known)
	if more := len(listed) - maxNamed; more > 1 {
		listed = append(slices.Clone(listed[:maxNamed]), fmt.Sprintf("%d others", more))
	}
	switch {
	case len(listed) == 0:
		return otherwise
	case len(listed) == 1:
		return "there is only " + listed[0] + ", or " + otherwise
	}
	return "there are " + world.Listed(listed) + ", or " + otherwise
}

// ownFields returns the names of the fields that the files declare in a class.
func (c *class) ownFields() []string {
	given := []string{"bodyA", "bodyB", "class", "id", "owner"}
	return slices.DeleteFunc(ident.Keys(c.fields), func(n string) bool { return slices.Contains(given, n) })
}

// ownMethods returns the names of the methods that the files give a class, without hooks.
func (c *class) ownMethods() []string {
	return slices.DeleteFunc(ident.Keys(c.methods), func(n string) bool { return api.HookMember(n) != nil })
}

// ownMembers returns the names of the fields of a class or, for a method, of its methods.
func (c *class) ownMembers(what string) []string {
	if what == "method" {
		return c.ownMethods()
	}
	return c.ownFields()
}

// functionBeside returns how an own function with a name is called that a member of an object is taken for; empty: there
// is none.
func (w *walker) functionBeside(of ast.Expr, name string) string {
	v, isLocal := w.scope.lookUp(name)
	if !isLocal {
		v.Func = w.game.functionsOf.globals[name]
	}
	if of := w.scope.infer(of); of.Kind == object && w.game.isMeant(of.Class, name) {
		return "" // which is said
	}
	if on := shortly(of); v.Func != nil && on != "this" {
		return name + " is a function: write " + name + "(" + on + ")"
	}
	return ""
}

// isMeant reports whether a class has a method with almost a name, that nothing calls: its definition may be misspelt.
func (g *game) isMeant(c *class, name string) bool {
	meant := ident.Nearest(name, c.ownMethods())
	if len(meant) == 0 {
		return false
	}
	for _, tree := range g.trees {
		if tree == nil {
			return false
		}
		named := false
		eachExpr(tree, func(e ast.Expr) {
			call, isCall := e.(*ast.FuncCallExpr)
			text, _ := syntax.TextOf(e)
			named = named || isCall && call.Method == meant[0] || text == meant[0]
		})
		if named {
			return false
		}
	}
	return true
}

// fieldsBeside returns the names of the fields of the table of a variable in which an expression looks up one; nil: it
// looks up something else.
func (s *scope) fieldsBeside(e ast.Expr) []string {
	if get, ok := e.(*ast.AttrGetExpr); ok {
		if v := s.infer(get.Object); v.Own != nil {
			return ident.Keys(v.Own.fields)
		}
	}
	return nil
}

// besideFunction says what stands for a member of a function that is a table in other engines: camera.shake; empty:
// nothing does.
func besideFunction(of ast.Expr, name string) string {
	base := syntax.NameOf(of)
	switch m := api.ViewFunction(name); {
	case base != "camera" && base != "hud" && base != "sound" && base != "text":
		return ""
	case m != nil && len(m.Params) > 0 && m.Params[0].Keys() != nil:
		return name + " is a function: write " + name + " { ... }"
	case base == "camera":
		return "write camera(function(v) return { follow = v.me, zoom = 20 } end)"
	case base == "sound":
		return "write sound { file = \"boom.wav\" }, in the function of a cue"
	}
	return "write hud(function(v) text { \"...\" } end)"
}

// declaringIn returns how a member is declared that no class has.
func declaringIn(what, name string) string {
	if what == "method" {
		return "declare it in a class: function Class:" + name + "(...) ... end"
	}
	return "declare it in the state of a class"
}
