package luabind

import (
	"slices"
	"strconv"
	"strings"

	"github.com/hindcast/hindcast/luabind/internal/api"
	"github.com/hindcast/hindcast/luabind/internal/ident"
	"github.com/hindcast/hindcast/world"
	lua "github.com/yuin/gopher-lua"
)

// frameNames makes the tables of a frame read-only. They have lists and records from the moment on at which these are
// read, because most are not. Names that no script declares are refused, as hooks refuse them of objects; one that only
// another class has is nil: view.lua goes through objects of several classes, and asks what they have.
type frameNames struct {
	vm      *VM                               // whose tables these are
	schema  *world.Schema                     // whose names these are; nil: none is refused
	objects map[string]bool                   // fields of the objects of any class
	metas   map[string]*lua.LTable            // metatables, by what the tables are called
	of      map[*world.Class]*declaredNames   // of the classes that tables were made of
	readers map[*lua.LTable]world.FieldReader // of the tables of this frame with lists or records
}

// declaredNames has the names that a class declares.
type declaredNames struct {
	plain []string            // fields that hold one value
	parts map[string]bool     // fields that are lists and records
	inner map[string][]string // the names in a record, by the path of it: spot, slots[]
}

// know begins with the names of a schema, unless they are known.
func (n *frameNames) know(vm *VM, schema *world.Schema) {
	n.readers = map[*lua.LTable]world.FieldReader{}
	if n.vm == vm && n.schema == schema {
		return
	}
	*n = frameNames{vm, schema, map[string]bool{}, map[string]*lua.LTable{}, map[*world.Class]*declaredNames{}, n.readers}
	if schema == nil {
		return
	}
	for i := range schema.Classes {
		if class := &schema.Classes[i]; !world.HoldsState(class.Name) {
			d := n.declared(class)
			for _, name := range append(ident.Keys(d.parts), d.plain...) {
				n.objects[name] = true
			}
		}
	}
}

// declared returns the names that a class declares.
func (n *frameNames) declared(class *world.Class) *declaredNames {
	if d := n.of[class]; d != nil {
		return d
	}
	d := &declaredNames{parts: map[string]bool{}, inner: map[string][]string{}}
	n.of[class] = d
	for i := range class.Fields {
		path := stepsOf(strings.TrimPrefix(class.Fields[i].Name, "#"))
		if !ident.Valid(path[0].name) { // it is for the engine
			continue
		}
		if len(path) == 1 && class.Fields[i].Kind != world.Count {
			d.plain = append(d.plain, path[0].name)
			continue
		}
		d.parts[path[0].name] = true
		at := path[0].name
		for _, step := range path[1:] {
			switch {
			case step.item > 0:
				at += "[]"
				continue
			case !slices.Contains(d.inner[at], step.name):
				d.inner[at] = append(d.inner[at], step.name)
			}
			at += "." + step.name
		}
	}
	return d
}

// withBelow returns the names of classes, and those of the classes that extend them.
func (n *frameNames) withBelow(names []string) []string {
	if n.schema == nil {
		return names
	}
	for i := range n.schema.Classes {
		if c := &n.schema.Classes[i]; !slices.Contains(names, c.Name) && slices.ContainsFunc(names, c.Is) {
			names = append(names, c.Name)
		}
	}
	return names
}

// leafStep is a part of the name of a leaf: a name, or the number of an item.
type leafStep struct {
	name string
	item int
}

// stepsOf returns the steps of a name such as slots[2].spot.x.
func stepsOf(name string) (out []leafStep) {
	for part := range strings.SplitSeq(name, ".") {
		part, item, isItem := strings.Cut(part, "[")
		out = append(out, leafStep{name: part})
		if isItem {
			i, _ := strconv.Atoi(strings.TrimSuffix(item, "]")) // the schema writes it
			out = append(out, leafStep{item: i})
		}
	}
	return out
}

func (s leafStep) key() lua.LValue {
	if s.item > 0 {
		return lua.LNumber(s.item)
	}
	return lua.LString(s.name)
}

// fields freezes a table that has the fields of r, and own names.
func (n *frameNames) fields(t *lua.LTable, called string, r world.FieldReader, objects bool, own ...string) {
	if !r.Known() {
		n.freeze(t, called, nil, objects, own)
		return
	}
	d := n.declared(n.class(r))
	if len(d.parts) > 0 {
		n.readers[t] = r
	}
	n.freeze(t, called, d.parts, objects, slices.Concat(d.plain, ident.Keys(d.parts), own))
}

// class returns the class in force of an object, whose state may be one of scripts before these.
func (n *frameNames) class(r world.FieldReader) *world.Class {
	if n.schema != nil {
		if i, ok := n.schema.ClassByName(r.Class().Name); ok {
			return &n.schema.Classes[i]
		}
	}
	return r.Class()
}

// freeze makes a table read-only that has only known names. parts are those that are made when they are read.
func (n *frameNames) freeze(t *lua.LTable, called string, parts map[string]bool, objects bool, known []string) {
	if n.metas[called] == nil {
		m := n.vm.newTable(1)
		m.RawSetString("__index", n.vm.function(func(L call) int {
			t, name := L.Get(1).(*lua.LTable), toText(L.Get(2)) // the interpreter passes nothing else
			if parts[name] {
				L.Push(n.part(L, t, called, name))
				return 1
			}
			if n.schema == nil || slices.Contains(known, name) || objects && n.objects[name] {
				return 0
			}
			hint := "; it has " + world.Listed(known)
			if near := ident.Nearest(name, known); len(near) > 0 {
				hint = "; did you mean " + near[0] + "?"
			} else if instead := api.ForeignMember(name); objects && instead != "" {
				hint = ": " + instead
			}
			L.RaiseError("%s has no field %s%s", called, name, hint)
			return 0
		}))
		n.metas[called] = m
	}
	t.Metatable = n.metas[called]
}

// part makes a list or a record of a table, which has it from then on.
func (n *frameNames) part(L call, of *lua.LTable, called, name string) lua.LValue {
	r, ok := n.readers[of]
	if !ok {
		L.RaiseError("%s.%s: the table is of an earlier picture: read it anew from v", called, name)
	}
	root := n.vm.newTable(4)
	class := r.Class()
	for i := range class.Fields { // lists in a record, which may have no items
		if f := &class.Fields[i]; f.Kind == world.Count {
			if path := stepsOf(f.Name[1:]); path[0].name == name {
				n.tableAt(L, root, path[1:])
			}
		}
	}
	r.All(func(full string, v world.Value) bool {
		if strings.HasPrefix(full, name) {
			if path := stepsOf(full); path[0].name == name {
				last := len(path) - 1
				L.charge(1)
				n.tableAt(L, root, path[1:last]).RawSet(path[last].key(), frameValue(v))
			}
		}
		return true
	})
	n.freezePart(root, called, name, n.declared(n.class(r)))
	of.RawSetString(name, root)
	return root
}

// tableAt returns the table in a table to which steps lead. It makes those that are not there.
func (n *frameNames) tableAt(L call, t *lua.LTable, path []leafStep) *lua.LTable {
	for _, step := range path {
		inner, made := t.RawGet(step.key()).(*lua.LTable)
		if !made {
			L.charge(cueCost)
			inner = n.vm.newTable(4)
			t.RawSet(step.key(), inner)
		}
		t = inner
	}
	return t
}

// freezePart freezes a list or a record, and those in it.
func (n *frameNames) freezePart(t *lua.LTable, called, path string, d *declaredNames) {
	t.ForEach(func(k, v lua.LValue) { // in any order: each is frozen alone
		if inner, ok := v.(*lua.LTable); ok {
			at := path + "[]"
			if name, isName := k.(lua.LString); isName {
				at = path + "." + string(name)
			}
			n.freezePart(inner, called, at, d)
		}
	})
	if names, isRecord := d.inner[path]; isRecord {
		n.freeze(t, called+"."+path, nil, false, names)
	} else {
		t.Metatable = n.listMeta(called + "." + path)
	}
}

// listMeta returns the metatable of a list, which has no names.
func (n *frameNames) listMeta(called string) *lua.LTable {
	if n.metas[called] == nil {
		m := n.vm.newTable(1)
		m.RawSetString("__index", n.vm.function(func(L call) int {
			if name, isName := L.Get(2).(lua.LString); isName {
				L.RaiseError("%s is a list, and has no field %s: its first item is %s[1]", called, string(name), called)
			}
			return 0
		}))
		n.metas[called] = m
	}
	return n.metas[called]
}
