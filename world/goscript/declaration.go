package goscript

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/hindcast/hindcast/world"
)

// declaration is the declaration of one class.
type declaration struct {
	spec    world.Class
	leaves  []*leaf // fields, without those of lists
	lists   []*list
	inputs  []*input
	timers  []*timer
	shows   showings
	at      place
	found   []error // its errors
	laidOut bool

	base   *declaration    // of the class that it extends; nil: none
	leafOf map[*leaf]*leaf // by the fields of base: those of the class
	listOf map[*list]*list // the same for lists
}

// newDeclaration begins the declaration of a class.
func newDeclaration(spec world.Class, at place) *declaration {
	d := &declaration{spec: spec, at: at}
	if !identifier(spec.Name) {
		d.problem(at, "a class has a name of letters, digits and _, not %q", spec.Name)
	}
	if spec.Fields != nil || spec.Inputs != nil || spec.Timers != nil || spec.Hooks != 0 {
		d.problem(at,
			"%s: fields, inputs, timers and hooks are declared with the methods and the fields of the Class",
			spec.Name)
	}
	if spec.Extends != "" {
		d.problem(at, "%s: a class that extends another is declared with Game.Extend", spec.Name)
	}
	return d
}

// problem notes an error of the declaration.
func (d *declaration) problem(at place, format string, args ...any) {
	d.found = append(d.found, at.problem(format, args...))
}

// wrong notes an error of the class as a whole.
func (d *declaration) wrong(format string, args ...any) { d.problem(d.at, format, args...) }

// mayDeclare panics once the game has been compiled: too late for an error.
func (d *declaration) mayDeclare() {
	if d.laidOut {
		panic("goscript: the game has been compiled: declare everything of " + d.spec.Name + " before that")
	}
}

// isLaidOut reports whether the declaration is complete.
func (d *declaration) isLaidOut() bool { return d.laidOut }

// name returns the name of the class.
func (d *declaration) name() string { return d.spec.Name }

// class returns the class for the schema, and its errors.
func (d *declaration) class() (world.Class, error) { return d.spec, errors.Join(d.found...) }

// inputFields returns the inputs as laid out.
func (d *declaration) inputFields() []world.InputField { return d.spec.Inputs }

func (d *declaration) addInput(f world.InputField) *input {
	d.mayDeclare()
	in := newInput(d, f)
	d.inputs = append(d.inputs, in)
	at := caller()
	switch {
	case !identifier(f.Name):
		d.problem(at, "%s: an input has a name of letters, digits and _, not %q", d.spec.Name, f.Name)
	case slices.ContainsFunc(d.inputs[:len(d.inputs)-1], func(other *input) bool { return other.name() == f.Name }):
		d.problem(at, "%s has two inputs named %s", d.spec.Name, f.Name)
	case f.Axis && !(f.Min <= 0 && f.Max >= 0 && f.Min < f.Max):
		d.problem(at, "%s.%s: min = %v, max = %v: the range must hold 0, which stands for no input", d.spec.Name,
			f.Name, f.Min, f.Max)
	}
	return in
}

// addLeaf adds a field.
func (d *declaration) addLeaf(f world.Field) *leaf {
	d.mayDeclare()
	l := newLeaf(d, nil, f)
	d.checkField(f.Name, f, caller())
	d.leaves = append(d.leaves, l)
	return l
}

// addList adds a list.
func (d *declaration) addList(name string, most int, aux bool) *list {
	d.mayDeclare()
	at := caller()
	if d.checkName(name, at); most < 1 || most > maxItems {
		d.problem(at, "%s.%s: a list holds 1 to %d items, not %d", d.spec.Name, name, maxItems, most)
		most = 1
	}
	l := newList(d, name, most, aux)
	d.lists = append(d.lists, l)
	return l
}

// maxItems is the largest number of items that a list may be declared with.
const maxItems = 256

// showingsOf returns the functions that show the fields of a class; nil without a declaration.
func showingsOf(d *declaration) *showings {
	if d == nil {
		return nil
	}
	return &d.shows
}

// checkPath finds a name that no field can have.
func (d *declaration) checkPath(name string, at place) {
	for part := range strings.SplitSeq(name, ".") {
		if !identifier(part) {
			d.problem(
				at,
				"%s: a field has a name of letters, digits and _, with dots between the names of a "+
					"record and its parts, not %q",
				d.spec.Name,
				name,
			)
			return
		}
	}
}

// checkName finds a name that no field can have, or that another one has.
func (d *declaration) checkName(name string, at place) {
	d.checkPath(name, at)
	taken := func(other string) bool {
		return other == name || strings.HasPrefix(other, name+".") || strings.HasPrefix(name, other+".")
	}
	if slices.ContainsFunc(d.leaves, func(l *leaf) bool { return taken(l.name()) }) ||
		slices.ContainsFunc(d.lists, func(l *list) bool { return taken(l.name()) }) {
		d.problem(at, "%s: the field %s is declared twice, or as a record too", d.spec.Name, name)
	}
}

// checkField finds a field that cannot be. name says which it is.
func (d *declaration) checkField(name string, f world.Field, at place) {
	d.checkName(name, at)
	checkText(d, name, f, at)
}

// checkText finds a text that does not fit.
func checkText(d *declaration, name string, f world.Field, at place) {
	if f.Kind == world.String && (f.Cap < 1 || f.Cap > world.MaxString || f.Default == nil) {
		d.problem(at, "%s.%s: a text holds 1 to %d bytes, its default among them; %d are declared", d.spec.Name,
			name, world.MaxString, f.Cap)
	}
}

// layOut numbers fields and inputs as luabind does: state, then aux, each by name;
// buttons and axes by name. So a class of a Lua script and the same class in Go
// have the same state.
func (d *declaration) layOut(hooks world.HookSet) {
	d.laidOut = true
	d.spec.Hooks, d.spec.Fields, d.spec.Inputs = hooks, nil, nil
	d.inherit()
	slices.SortStableFunc(d.leaves, func(a, b *leaf) int { return strings.Compare(a.name(), b.name()) })
	slices.SortStableFunc(d.lists, func(a, b *list) int { return strings.Compare(a.name(), b.name()) })
	for _, aux := range [...]bool{false, true} {
		d.layOutFields(aux)
	}
	slices.SortStableFunc(d.inputs, func(a, b *input) int { return strings.Compare(a.name(), b.name()) })
	d.layOutTimers()
	buttons, axes := d.inheritInputs()
	for _, in := range d.inputs {
		d.spec.Inputs = append(d.spec.Inputs, in.number(&buttons, &axes))
	}
	if buttons > world.MaxButtons || axes > world.MaxAxes {
		d.wrong("%s: %d buttons and %d axes: at most %d and %d", d.spec.Name, buttons, axes, world.MaxButtons,
			world.MaxAxes)
	}
	d.checkSettings()
}

// layOutFields lays out the fields of state or of aux: plain fields and lists, by
// name.
func (d *declaration) layOutFields(aux bool) {
	leaves := slices.DeleteFunc(slices.Clone(d.leaves), func(l *leaf) bool { return l.field().Aux != aux })
	lists := slices.DeleteFunc(slices.Clone(d.lists), func(l *list) bool { return l.isAux() != aux })
	for len(leaves)+len(lists) > 0 {
		if len(lists) == 0 || len(leaves) > 0 && leaves[0].name() < lists[0].name() {
			d.spec.Fields = leaves[0].layOut(d.spec.Fields)
			leaves = leaves[1:]
			continue
		}
		d.spec.Fields = lists[0].layOut(d.spec.Fields)
		lists = lists[1:]
	}
}

// describe writes everything that determines the meaning of a state or an input.
func describe(d *declaration, to io.Writer) {
	spec := d.spec
	fmt.Fprintf(to, "%+v %+v\n", spec.Body, spec.Moves)
	spec.Body, spec.Moves = nil, nil // which are printed as addresses within a struct
	fmt.Fprintf(to, "%+v\n", spec)
}

// identifier reports whether a name is of letters, digits and _, with no digit in
// front, and of at most 64 bytes.
func identifier(name string) bool {
	for i, c := range name {
		letter := c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		if !letter && !(i > 0 && c >= '0' && c <= '9') {
			return false
		}
	}
	return name != "" && len(name) <= world.MaxClassName
}
