package goscript

import (
	"slices"
	"strings"

	"github.com/hindcast/hindcast/world"
)

// function is a declared function that the host program may call.
type function struct {
	world.Function
	Call func(a Actor, args Arguments)
}

// Function declares a function that the host program may call (Host.Call), with
// parameters of the kinds Number, Bool, String and Ref. The acting object is the
// game.
func (g *Game) Function(name string, call func(a Actor, args Arguments), params ...world.FieldKind) {
	g.match.mayDeclare()
	at := caller()
	switch {
	case !identifier(name):
		g.match.problem(at, "a function has a name of letters, digits and _, not %q", name)
	case slices.ContainsFunc(g.functions, func(f function) bool { return f.Name == name }):
		g.match.problem(at, "the function %s is declared twice", name)
	case call == nil:
		g.match.problem(at, "the function %s is nil", name)
	case slices.ContainsFunc(params, func(k world.FieldKind) bool { return k > world.String }):
		g.match.problem(at, "the function %s: parameters are a Number, a Bool, a String or a Ref", name)
	}
	g.functions = append(g.functions, function{world.Function{Name: name, Params: slices.Clone(params)}, call})
}

// sortedFunctions returns the functions by name, as a schema has them.
func (g *Game) sortedFunctions() (all []world.Function) {
	for _, f := range g.functions {
		all = append(all, f.Function)
	}
	slices.SortFunc(all, func(a, b world.Function) int { return strings.Compare(a.Name, b.Name) })
	return all
}

// Arguments are those of a call by the host program. They are counted from 0, and
// are of the kinds that the function declares.
type Arguments struct {
	on     *stage
	values []world.NamedValue
}

// Number returns argument i, a number.
func (a Arguments) Number(i int) float64 { return numberOf(a.value(i, world.Number).Word) }

// Bool returns argument i, a truth value.
func (a Arguments) Bool(i int) bool { return a.value(i, world.Bool).Word != 0 }

// Text returns argument i, a text.
func (a Arguments) Text(i int) string { return a.value(i, world.String).Text }

// Ref returns argument i, an object, which may have been removed; no object if there is
// none.
func (a Arguments) Ref(i int) Object {
	return a.on.object(world.ObjectID(a.value(i, world.Ref).Word))
}

func (a Arguments) value(i int, kind world.FieldKind) *world.Value {
	if i < 0 || i >= len(a.values) {
		fail("argument %d of %d", i, len(a.values))
	}
	v := &a.values[i].Value
	if v.Kind != kind {
		fail("argument %d is %s, of another kind than asked for", i, v)
	}
	return v
}
