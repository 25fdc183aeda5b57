package luabind

import (
	lua "github.com/yuin/gopher-lua"
)

// mergedKeys are the keys of a declaration that a class takes over key by key from the class that it extends. It
// takes over others as a whole, unless it has its own.
var mergedKeys = []string{"input", "controls", "state", "aux", "objProps", "body", "look", "moves", "correct"}

// maxExtended is how many classes a class extends in a row.
const maxExtended = 32

// extend returns the table of a declaration together with what it takes over from the class that it extends.
func (d *declaration) extend(L call, t *lua.LTable) *lua.LTable {
	d.given = t
	v := t.RawGetString("extends")
	if v == lua.LNil {
		return t
	}
	from, ok := v.(*lua.LTable)
	if ok {
		d.extends = d.set.of(from)
	}
	switch {
	case v == lua.LFalse: // it was nil: see package syntax
		d.fail([]string{"extends"},
			"%s.extends is nil; extend a class that is declared above, or in another file, and does not extend this one",
			d.class().Name)
		return t
	case d.extends == nil || d.extends == d:
		d.extends = nil
		d.fail([]string{"extends"},
			"%s.extends must be a class: Enemy = object \"Enemy\" { ... }, and then extends = Enemy; it is %s",
			d.class().Name, aTypeName(v))
		return t
	}
	if d.depth = d.extends.depth + 1; d.depth > maxExtended {
		L.RaiseError("%s extends a class that extends a class, and so on: at most %d", d.class().Name, maxExtended)
	}
	d.class().Extends = d.extends.class().Name
	d.given = merged(L, d.extends.given, t)
	// What is in both as a table is merged, one level deep.
	for _, key := range mergedKeys {
		theirs, isTable := d.extends.given.RawGetString(key).(*lua.LTable)
		own, hasOwn := t.RawGetString(key).(*lua.LTable)
		if isTable && hasOwn {
			d.given.RawSetString(key, merged(L, theirs, own))
		}
	}
	return d.given
}

// merged returns a table with the fields of two, those of the second in the place of the first's.
func merged(L call, first, second *lua.LTable) *lua.LTable {
	out := L.CreateTable(0, 8)
	for _, t := range []*lua.LTable{first, second} {
		for _, k := range L.lang.order.keys(t) {
			L.entry()
			setTable(L, out, k, valueAt(t, k))
		}
	}
	return out
}

// inherit gives the class the methods and constants of the class that it extends.
func (d *declaration) inherit() {
	if d.extends == nil {
		return
	}
	for _, k := range sortedTableKeys(d.extends.table) {
		if name, ok := k.(lua.LString); ok && d.table.RawGetString(string(name)) == lua.LNil {
			d.table.RawSetString(string(name), d.extends.table.RawGetString(string(name)))
		}
	}
}
