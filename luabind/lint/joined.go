package lint

import (
	"slices"
	"strings"

	"github.com/hindcast/hindcast/world"
)

// objectOfClass returns an object of a class, of one of several, or of any.
func (g *game) objectOfClass(c *class) value {
	if c == g.anyObject() || len(c.either) > 0 {
		return value{Kind: someObject, Class: c}
	}
	return value{Kind: object, Class: c}
}

// joined returns what is known of a value that is one of two objects: one of their classes. ok is false if nothing is.
func (g *game) joined(a, b value) (v value, ok bool) {
	if !a.isObject() || !b.isObject() || a.Class == nil || b.Class == nil {
		return value{}, false
	}
	c := g.either(a.Class, b.Class)
	if c == nil {
		return value{}, false
	}
	v = g.objectOfClass(c)
	v.False = a.False || b.False
	return v, true
}

// either returns the class that stands for objects of two classes; nil: none does. What any object has, game, player and
// team need not have.
func (g *game) either(a, b *class) *class {
	switch {
	case a == b, slices.Contains(a.below, b):
		return a
	case slices.Contains(b.below, a):
		return b
	}
	var of []*class
	for _, c := range append(a.alternatives(), b.alternatives()...) {
		switch {
		case c != g.anyObject() && world.HoldsState(c.name()):
			return nil
		case c == g.anyObject(), g.class(c.name()) != c:
			return g.anyObject()
		case !slices.ContainsFunc(of, func(o *class) bool { return c.is(o) }):
			of = append(slices.DeleteFunc(of, func(o *class) bool { return o.is(c) }), c)
		}
	}
	if len(of) == 1 {
		return of[0]
	}
	slices.SortFunc(of, func(a, b *class) int { return strings.Compare(a.name(), b.name()) })
	name := neitherOf(of)
	if g.unions[name] == nil {
		g.unions[name] = unionOf(of)
	}
	return g.unions[name]
}

// alternatives returns the classes of which an object may be.
func (c *class) alternatives() []*class {
	if len(c.either) > 0 {
		return slices.Clone(c.either)
	}
	return []*class{c}
}

// unionOf returns a class that has the members of several, and of those that extend them.
func unionOf(of []*class) *class {
	u := newClass("", "", nil)
	u.open, u.either = false, of
	for _, c := range of {
		for _, b := range append([]*class{c}, c.below...) {
			u.open = u.open || b.open
			u.addMembers(b.names())
			u.share(b)
		}
	}
	return u
}

// neitherOf returns how a message begins that says what objects of several classes lack: neither Foe nor Gun.
func neitherOf(of []*class) string {
	list := make([]string, 0, len(of))
	for _, c := range of {
		list = append(list, c.name())
	}
	if len(list) == 2 {
		return "neither " + list[0] + " nor " + list[1]
	}
	return "none of " + world.Listed(list)
}
