package goscript

import (
	"slices"

	"github.com/hindcast/hindcast/world"
)

// Extend declares a class that extends another class of the game, as extends does in Lua. The new class has the fields,
// inputs and timers of the other, which are read and written with the same handles, and each of its hooks and timers
// that it does not have itself. A hook calls that of the other class as the function that it is:
//
//	boss.Tick = func(a goscript.Actor, self goscript.Object) { enemy.Tick(a, self); rage.Add(self, 1) }
//
// What of declares besides is the same for the new class, but for its name and what change sets; nil changes nothing.
// A field that is declared again, with the same name and kind, has another default or range. Actor.Objects,
// Actor.Nearest and Object.Is count an object of the new class among those of the other.
//
// Inputs that the new class declares are numbered after those of the other, so that the handles of these fit both.
func (g *Game) Extend(of *Class, name string, change func(spec *world.Class)) *Class {
	if of == nil || !slices.Contains(g.classes, of) {
		g.match().problem(caller(), "%s extends a class of another game, or none", name)
		return g.Class(world.Class{Name: name})
	}
	spec := cloned(of.declared().plainSpec())
	spec.Name = name
	if change != nil {
		change(&spec)
	}
	spec.Extends = ""
	c := g.Class(spec)
	c.extends = of
	c.declared().extend(of.declared())
	return c
}

// cloned returns a copy of a class that shares nothing with it.
func cloned(spec world.Class) world.Class {
	if spec.Body != nil {
		b := *spec.Body
		b.Collides, b.Def.Shapes = slices.Clone(b.Collides), slices.Clone(b.Def.Shapes)
		spec.Body = &b
	}
	spec.Seen, spec.Moves, spec.Correct = copied(spec.Seen), copied(spec.Moves), copied(spec.Correct)
	return spec
}

func copied[T any](of *T) *T {
	if of == nil {
		return nil
	}
	c := *of
	return &c
}

// inherit gives the class the hooks of the class that it extends.
func (c *Class) inherit() {
	if c.extends == nil {
		return
	}
	of := &c.extends.Hooks
	take(&c.OnSpawn, of.OnSpawn, c.OnSpawn == nil)
	take(&c.ApplyInput, of.ApplyInput, c.ApplyInput == nil)
	take(&c.Simulate, of.Simulate, c.Simulate == nil)
	take(&c.Verify, of.Verify, c.Verify == nil)
	take(&c.Think, of.Think, c.Think == nil)
	take(&c.Tick, of.Tick, c.Tick == nil)
	take(&c.OnContact, of.OnContact, c.OnContact == nil)
	take(&c.OnContactEnd, of.OnContactEnd, c.OnContactEnd == nil)
	take(&c.OnTrigger, of.OnTrigger, c.OnTrigger == nil)
	take(&c.OnJointBreak, of.OnJointBreak, c.OnJointBreak == nil)
	take(&c.OnRemove, of.OnRemove, c.OnRemove == nil)
	take(&c.Migrate, of.Migrate, c.Migrate == nil)
}

func take[F any](own *F, theirs F, missing bool) {
	if missing {
		*own = theirs
	}
}

// plainSpec returns what the class was declared with. A class that extends another is declared with what that has.
func (d *declaration) plainSpec() world.Class { return d.spec }

// extend makes d the declaration of a class that extends another.
func (d *declaration) extend(from *declaration) { d.base, d.spec.Extends = from, from.name() }

// is reports whether the class is, or extends, another.
func (d *declaration) is(other *declaration) bool {
	for ; d != nil; d = d.base {
		if d == other {
			return true
		}
	}
	return false
}

// leaf returns what the class has of a value of a class that it is or extends.
func (d *declaration) leaf(l *leaf) *leaf {
	if l.declared() == d {
		return l
	}
	return d.leafOf[d.base.leaf(l)]
}

// list returns what the class has of a list of a class that it is or extends.
func (d *declaration) list(l *list) *list {
	if l.of == d {
		return l
	}
	return d.listOf[d.base.list(l)]
}

// inherit takes over the fields, inputs and timers of the class that is extended, which has been laid out.
func (d *declaration) inherit() {
	if d.base == nil {
		return
	}
	d.leafOf, d.listOf = map[*leaf]*leaf{}, map[*list]*list{}
	shows := len(d.shows)
	d.shows = append(d.shows, d.base.shows...)
	for _, l := range d.base.leaves {
		d.inheritLeaf(l, shows)
	}
	for _, l := range d.base.lists {
		d.inheritList(l, shows)
	}
	for _, t := range d.base.timers {
		if !slices.ContainsFunc(d.timers, func(own *timer) bool { return own.named() == t.named() }) {
			d.timers = append(d.timers, t)
		}
	}
}

// inheritLeaf takes over a field, unless the class declares it again. The functions that show fields of the class that
// is extended stand after so many of the class's own.
func (d *declaration) inheritLeaf(l *leaf, shows int) {
	at := slices.IndexFunc(d.leaves, func(own *leaf) bool { return own.name() == l.name() })
	if at < 0 {
		d.checkName(l.name(), d.at)
		d.leafOf[l] = l.inherited(d, nil, shows)
		d.leaves = append(d.leaves, d.leafOf[l])
		return
	}
	d.leafOf[l] = d.leaves[at]
	own, theirs := d.leaves[at].field(), l.field()
	if own.Kind != theirs.Kind || own.Aux != theirs.Aux || own.Cap != theirs.Cap {
		d.wrong("%s.%s: the field of %s is declared again, as another kind of field", d.name(), l.name(), d.base.name())
	}
}

// inheritList takes over a list.
func (d *declaration) inheritList(l *list, shows int) {
	d.checkName(l.name(), d.at)
	own := newList(d, l.name(), l.most, l.isAux())
	for _, theirs := range l.leaves {
		d.leafOf[theirs] = theirs.inherited(d, own, shows)
		own.leaves = append(own.leaves, d.leafOf[theirs])
	}
	d.listOf[l] = own
	d.lists = append(d.lists, own)
}

// inherited returns the value for a class that extends that of the leaf.
func (l *leaf) inherited(d *declaration, in *list, shows int) *leaf {
	f := l.field()
	f.Default = slices.Clone(f.Default)
	if f.ShowWith > 0 {
		f.ShowWith += shows
	}
	return newLeaf(d, in, f)
}

// inheritInputs takes over the inputs of the class that is extended, as numbered there, and returns how many there are.
func (d *declaration) inheritInputs() (buttons, axes int) {
	if d.base == nil {
		return 0, 0
	}
	d.spec.Inputs = slices.Clone(d.base.inputFields())
	for _, f := range d.spec.Inputs {
		if slices.ContainsFunc(d.inputs, func(own *input) bool { return own.name() == f.Name }) {
			d.wrong("%s declares the input %s of %s again", d.name(), f.Name, d.base.name())
		}
		if f.Axis {
			axes++
		} else {
			buttons++
		}
	}
	return buttons, axes
}
