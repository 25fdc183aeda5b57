package world

import (
	"cmp"
	"fmt"
	"slices"
)

// Changes returns the differences between the declarations of two schemas, one line each: classes,
// fields and inputs that were added, removed or changed, sorted by name. has reports whether there are objects of a
// class, which are removed with it.
func Changes(from, to *Schema, has func(class string) bool) (lines []string) {
	for _, name := range bothNames(from.Classes, to.Classes, func(c *Class) string { return c.Name }) {
		i, had := from.ClassByName(name)
		j, stays := to.ClassByName(name)
		switch {
		case !had && to.Classes[j].OnlyEntered(), !stays && from.Classes[i].OnlyEntered(): // entryChange says it
		case !had:
			lines = append(lines, "class "+name+" added")
		case !stays:
			line := "class " + name + " removed"
			if has(name) {
				line += ", and its objects with it"
			}
			lines = append(lines, line)
		default:
			lines = append(lines, changesOf(&from.Classes[i], &to.Classes[j])...)
		}
	}
	if from.Asks() || to.Asks() { // onJoin is then the function of the form, and no hook
		hook := hookLine(GameClass, OnJoin)
		lines = slices.DeleteFunc(lines, func(l string) bool { return len(l) > len(hook) && l[:len(hook)] == hook })
	}
	lines = append(lines, teamChanges(from.Teams, to.Teams)...)
	lines = append(lines, entryChange(from, to)...)
	return append(lines, functionChanges(from.Functions, to.Functions)...)
}

// teamChanges returns the changes of the teams.
func teamChanges(from, to []Option) (lines []string) {
	for _, name := range bothNames(from, to, func(o *Option) string { return o.Name }) {
		named := func(o Option) bool { return o.Name == name }
		i, j := slices.IndexFunc(from, named), slices.IndexFunc(to, named)
		switch {
		case i < 0:
			lines = append(lines, "team "+name+" added")
		case j < 0:
			lines = append(lines, "team "+name+" removed"+keepTeam)
		case from[i] != to[j]:
			lines = append(lines, "team "+name+" has another color"+keepColor)
		}
	}
	return lines
}

// entryChange returns the change of the entry form.
func entryChange(from, to *Schema) []string {
	_, was := from.Functions.EntryForm()
	_, is := to.Functions.EntryForm()
	switch {
	case !from.Asks() && to.Asks():
		return []string{"entry: players are asked before they join" + asksLater}
	case from.Asks() && !to.Asks():
		return []string{"entry: players are asked nothing any more; who had not answered joins, and onJoin gets no answers"}
	case (was == nil) != (is == nil) || was != nil && !was.same(is):
		return []string{"entry changed"}
	}
	return nil
}

// functionChanges returns the changes of the functions that the host program may call.
func functionChanges(from, to Functions) (lines []string) {
	say := func(f *Function, what string) { lines = append(lines, "game.calls."+f.Name+" "+what) }
	for _, name := range bothNames(from, to, func(f *Function) string { return f.Name }) {
		a, b := from.named(name), to.named(name)
		switch {
		case a != nil && a.Entry != nil || b != nil && b.Entry != nil: // entryChange says it
		case a == nil:
			say(b, "added ("+b.String()+")")
		case b == nil:
			say(a, "removed")
		case a.String() != b.String():
			say(b, "changed ("+a.String()+" to "+b.String()+")")
		}
	}
	return lines
}

// RetypedField is a field of a class that has another type than before.
type RetypedField struct {
	Class, Field string
	Was, Is      string // "number", "boolean", "string", "ref", "record", "list of numbers"
	Aux          bool   // it is declared in aux now, not in state
}

// String names the field and both types.
func (f RetypedField) String() string {
	return fmt.Sprintf("%s.%s was a %s and is a %s", f.Class, f.Field, f.Was, f.Is)
}

// Retyped returns the fields whose type differs between two schemas, sorted by name. Their values could not carry
// over.
func Retyped(from, to *Schema) (fields []RetypedField) {
	for i := range to.Classes {
		c := &to.Classes[i]
		j, had := from.ClassByName(c.Name)
		if !had {
			continue
		}
		old := declared(&from.Classes[j])
		for _, d := range declared(c) {
			if o, ok := byName(old, d.name); ok && o.kind != d.kind {
				fields = append(fields, RetypedField{c.Name, d.name, o.kind, d.kind, d.aux})
			}
		}
	}
	slices.SortFunc(fields, func(a, b RetypedField) int {
		return cmp.Or(cmp.Compare(a.Class, b.Class), cmp.Compare(a.Field, b.Field))
	})
	return fields
}

// TypeName returns the type of a field in a word, without its capacity.
func (f *Field) TypeName() string {
	switch f.Kind {
	case Bool:
		return "boolean"
	case Ref:
		return "ref"
	case String:
		return "string"
	}
	return "number"
}

func changesOf(a, b *Class) (lines []string) {
	say := func(format string, args ...any) { lines = append(lines, b.Name+fmt.Sprintf(format, args...)) }
	before, now := declared(a), declared(b)
	if b.Name == PlayerClass {
		entered := func(d declaredField) bool { return d.name == EnteredField } // entryChange says it
		before, now = slices.DeleteFunc(before, entered), slices.DeleteFunc(now, entered)
	}
	for _, n := range bothNames(before, now, func(d *declaredField) string { return d.name }) {
		f, had := byName(before, n)
		g, has := byName(now, n)
		switch {
		case !had:
			say(".%s added (%s)", n, g.kind)
		case !has:
			say(".%s removed", n)
		case f.kind != g.kind:
			say(".%s retyped (%s to %s)", n, f.kind, g.kind)
		default:
			sayField(say, n, &f, &g)
		}
	}
	for _, n := range bothNames(a.Inputs, b.Inputs, func(f *InputField) string { return f.Name }) {
		f, had := FindInput(a.Inputs, n)
		g, has := FindInput(b.Inputs, n)
		switch {
		case !had:
			say(".input.%s added", n)
		case !has:
			say(".input.%s removed", n)
		case f.Axis != g.Axis || f.Min != g.Min || f.Max != g.Max || f.Step != g.Step || f.Merge != g.Merge ||
			f.Once != g.Once || f.Decay != g.Decay:
			say(".input.%s changed", n)
		case !slices.Equal(f.Keys, g.Keys):
			say(".controls.%s changed", n)
		}
	}
	return append(lines, otherChanges(a, b)...)
}

// sayField says what differs in a field that has the same type.
func sayField(say func(format string, args ...any), name string, f, g *declaredField) {
	if f.room != g.room {
		lost := ""
		switch {
		case f.room < g.room:
		case g.kind == "string":
			lost = ": longer texts become its default"
		default:
			lost = ": further items are gone"
		}
		say(".%s holds %d, not %d%s", name, g.room, f.room, lost)
	}
	if f.aux != g.aux {
		say(".%s moved between state and aux", name)
	}
	switch {
	case f.room != g.room, len(f.standard) == len(g.standard) && slices.Equal(f.standard, g.standard):
	default:
		say(".%s has another default%s", name, keepTheirs)
	}
	if n := min(len(f.limits), len(g.limits)); !slices.Equal(f.limits[:n], g.limits[:n]) {
		say(".%s has other limits: values beyond them are cut", name)
	}
	if n := min(len(f.shown), len(g.shown)); !slices.Equal(f.shown[:n], g.shown[:n]) {
		say(".%s is shown otherwise, or to others", name)
	}
}

// declaredField is a field as scripts declare it: a list or a record is one field.
type declaredField struct {
	name, kind string
	room       int // the capacity of a string or a list
	aux        bool
	standard   []uint64 // the defaults
	limits     []limits // of its numbers
	shown      []shown
}

// limits are those of a number.
type limits struct{ least, most, step float64 }

// shown says how a field is shown to whom.
type shown struct {
	show     Show
	function bool
	to       Audience
}

// declared returns the fields of a class as scripts declare them. The schema has one field for each
// leaf of a list or a record, with names such as "#hits" (a list), "hits[3].x" and "slot.count".
func declared(c *Class) (out []declaredField) {
	for i := range c.Declared() {
		f := &c.Fields[i]
		name, rest, isList := splitLeaf(f.Name)
		if n := len(out); n == 0 || out[n-1].name != name {
			out = append(out, declaredField{name: name, kind: f.TypeName(), room: f.Cap, aux: f.Aux})
		}
		d := &out[len(out)-1]
		d.standard = append(d.standard, f.Default...)
		d.limits = append(d.limits, limits{f.Min, f.Max, f.Step})
		d.shown = append(d.shown, shown{f.Show, f.ShowWith != 0, f.Sent})
		switch {
		case isList:
			d.kind = "list"
		case rest == "[1]":
			d.kind = "list of " + f.TypeName() + "s"
		case len(rest) > 3 && rest[:4] == "[1].":
			d.kind = "list of records"
		case rest != "" && rest[0] == '.':
			d.kind = "record"
		}
	}
	return out
}

// splitLeaf returns the field that a leaf belongs to, and the rest of the leaf's name. isList says
// that the leaf is the length of a list.
func splitLeaf(leaf string) (name, rest string, isList bool) {
	if isList = leaf != "" && leaf[0] == '#'; isList {
		leaf = leaf[1:]
	}
	end := slices.IndexFunc([]byte(leaf), func(b byte) bool { return b == '.' || b == '[' })
	if end < 0 {
		return leaf, "", isList
	}
	return leaf[:end], leaf[end:], isList
}

func byName(list []declaredField, name string) (d declaredField, ok bool) {
	i := slices.IndexFunc(list, func(d declaredField) bool { return d.name == name })
	if i < 0 {
		return d, false
	}
	return list[i], true
}

// otherChanges returns the changes of a class's body, hooks, order and look.
func otherChanges(a, b *Class) (lines []string) {
	for h := range HookCount {
		if a.Hooks.Has(h) != b.Hooks.Has(h) {
			verb := "added"
			if a.Hooks.Has(h) {
				verb = "removed"
			}
			lines = append(lines, hookLine(b.Name, h)+verb)
			if b.Hooks.Has(h) {
				lines[len(lines)-1] += whenRun(h)
			}
		}
	}
	if bodyText(a.Body) != bodyText(b.Body) {
		lines = append(lines, b.Name+".body changed")
	}
	if a.Order != b.Order {
		lines = append(lines, b.Name+".order changed")
	}
	if unlike(a.Seen, b.Seen) {
		lines = append(lines, b.Name+".seen changed")
	}
	for _, c := range []struct {
		what    string
		differs bool
	}{
		{".lod", a.LOD != b.LOD}, {".ticking", a.Independent != b.Independent}, {".extends", a.Extends != b.Extends},
		{".authority or .moves", unlike(a.Moves, b.Moves)}, {".correct", unlike(a.Correct, b.Correct)},
		{".hidden, .relevant or .predicted", a.Ranges != b.Ranges},
	} {
		if c.differs {
			lines = append(lines, b.Name+c.what+" changed")
		}
	}
	if a.Look != b.Look {
		lines = append(lines, b.Name+".look changed")
	}
	return lines
}

// unlike reports whether only one of two is there, or both are and differ.
func unlike[T comparable](a, b *T) bool { return (a == nil) != (b == nil) || a != nil && *a != *b }

// hookLine begins the line about a hook.
func hookLine(class string, h Hook) string { return class + ": hook " + h.String() + " " }

// The ends of lines about what is kept although it changes.
const (
	keepTheirs = ", which objects that are there do not take"
	keepTeam   = ", where its players stay until a script gives them another one"
	keepColor  = ", which objects that have asked for the old one do not take"
)

// HookChanged returns the line about a hook whose code has changed, if nobody sees that at once; "": it runs again
// soon.
func HookChanged(class string, h Hook) string {
	if end := whenRun(h); end != "" {
		return hookLine(class, h) + "changed" + end
	}
	return ""
}

// ShownLater reports whether a line of Changes, or HookChanged, is about what nobody sees at once, and says so. what is
// the line without that.
func ShownLater(line string) (what string, later bool) {
	for _, end := range [...]string{keepTheirs, keepTeam, keepColor, asksLater, startsLater, joinsLater, spawnsLater} {
		if n := len(line) - len(end); n > 0 && line[n:] == end {
			return line[:n], true
		}
	}
	return line, false
}

// The ends of lines about questions and hooks that are added or changed.
const (
	asksLater   = "; who plays already is not asked"
	startsLater = ", which runs when a level begins: another seed in game.toml begins anew"
	joinsLater  = ", which runs for who joins from now on"
	spawnsLater = ", which runs for objects that spawn from now on"
)

// whenRun says of hooks that do nothing at once when they are added or changed when they run.
func whenRun(h Hook) string {
	switch h {
	case OnStart:
		return startsLater
	case OnJoin:
		return joinsLater
	case OnSpawn:
		return spawnsLater
	}
	return ""
}

func bodyText(b *BodySpec) string {
	if b == nil {
		return ""
	}
	return fmt.Sprintf("%+v", *b)
}

// bothNames returns the names of two lists, each once, sorted.
func bothNames[T any](a, b []T, name func(*T) string) (names []string) {
	for _, list := range [][]T{a, b} {
		for i := range list {
			names = append(names, name(&list[i]))
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
