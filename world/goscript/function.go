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
	g.functions = append(g.functions, declared(g, caller(), world.Function{
		Name:   name,
		Params: slices.Clone(params),
	}, call))
}

// Command declares a function that players call, too, with a line of chat: /name and the
// arguments, with spaces between them. Parameters have the kinds Number, Bool and String. A
// String that comes last gets the rest of the line.
func (g *Game) Command(
	name string,
	call func(a Actor, player world.PlayerID, args Arguments),
	params ...world.FieldKind,
) {
	at := caller()
	if slices.Contains(params, world.Ref) {
		g.match().problem(at, "the command %s: players cannot write a Ref in a line of chat", name)
	}
	run := func(a Actor, args Arguments) {
		call(a, world.PlayerID(args.Number(0)), Arguments{args.on, args.values[1:]})
	}
	if call == nil {
		run = nil
	}
	g.functions = append(g.functions, declared(g, at, world.Function{
		Name:    name,
		Params:  append([]world.FieldKind{world.Number}, params...),
		Command: true,
	}, run))
}

// declared returns a function of a game, and notes what is wrong with it.
func declared(g *Game, at place, f world.Function, call func(a Actor, args Arguments)) function {
	g.match().mayDeclare()
	name, params := f.Name, f.Params
	switch {
	case !identifier(name):
		g.match().problem(at, "a function has a name of letters, digits and _, not %q", name)
	case slices.ContainsFunc(g.functions, func(f function) bool { return f.Name == name }):
		g.match().problem(at, "the function %s is declared twice", name)
	case call == nil:
		g.match().problem(at, "the function %s is nil", name)
	case slices.ContainsFunc(params, func(k world.FieldKind) bool { return k > world.String }):
		g.match().problem(at, "the function %s: parameters are a Number, a Bool, a String or a Ref", name)
	}
	return function{f, call}
}

// sortedFunctions returns the functions by name, as a schema has them.
func sortedFunctions(functions []function) (all []world.Function) {
	for _, f := range functions {
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
