package luabind

import (
	"slices"
	"strings"

	"github.com/hindcast/hindcast/luabind/internal/api"
	"github.com/hindcast/hindcast/luabind/internal/ident"
	"github.com/hindcast/hindcast/world"
	lua "github.com/yuin/gopher-lua"
)

// frameNames refuses names in the tables of a frame that no script declares, as hooks refuse them of objects. A name
// that only another class has is nil: view.lua goes through objects of several classes, and asks what they have.
type frameNames struct {
	schema *world.Schema              // whose names these are; nil: none is refused
	all    map[string]bool            // fields of the objects of any class
	metas  map[string]*lua.LTable     // metatables, by what the tables are called
	of     map[*world.Class]fieldSort // of the classes that tables were made of
}

// fieldSort has the fields of a class: those that the tables have, and lists and records, which they do not have.
type fieldSort struct {
	plain []string
	parts map[string]string // "list" or "record", by name
}

// know begins with the names of a schema, unless they are known.
func (n *frameNames) know(schema *world.Schema) {
	if n.schema == schema && n.metas != nil {
		return
	}
	*n = frameNames{schema, map[string]bool{}, map[string]*lua.LTable{}, map[*world.Class]fieldSort{}}
	if schema == nil {
		return
	}
	for i := range schema.Classes {
		class := &schema.Classes[i]
		if world.HoldsState(class.Name) {
			continue
		}
		sort := n.sort(class)
		for _, name := range sort.plain {
			n.all[name] = true
		}
		// order: each is noted alone
		for name := range sort.parts {
			n.all[name] = true
		}
	}
}

// forget forgets the metatables, which belong to an interpreter.
func (n *frameNames) forget() { *n = frameNames{} }

// sort returns the fields of a class.
func (n *frameNames) sort(class *world.Class) fieldSort {
	if class == nil {
		return fieldSort{}
	}
	if s, ok := n.of[class]; ok {
		return s
	}
	s := fieldSort{parts: map[string]string{}}
	for i := range class.Fields {
		switch f := &class.Fields[i]; {
		case f.Kind == world.Count:
			s.parts[f.Name[1:]] = "list"
		case ident.Valid(f.Name):
			s.plain = append(s.plain, f.Name)
		default:
			if record, _, ok := strings.Cut(f.Name, "."); ok && ident.Valid(record) {
				s.parts[record] = "record"
			}
		}
	}
	n.of[class] = s
	return s
}

// freeze makes a table of a frame read-only, and refuses names that it has not: class declares its fields, own are the
// others that it may have. objects says that it is one of several classes.
func (n *frameNames) freeze(vm *VM, t *lua.LTable, called string, class *world.Class, objects bool, own ...string) {
	if n.schema == nil {
		vm.freeze(t)
		return
	}
	if n.metas[called] == nil {
		m := vm.newTable(1)
		m.RawSetString("__index", vm.function(n.missing(called, class, objects, own)))
		n.metas[called] = m
	}
	t.Metatable = n.metas[called]
}

// missing returns the function that is called for a name that a table has not.
func (n *frameNames) missing(called string, class *world.Class, objects bool, own []string) func(L call) int {
	sort := n.sort(class)
	known := slices.Concat(sort.plain, own)
	return func(L call) int {
		name := toText(L.Get(2))
		switch part := sort.parts[name]; {
		case part != "":
			L.RaiseError("%s.%s is a %s: view.lua is shown numbers, texts, true and false; keep what it shows in a "+
				"field of its own as well, or send it in a cue", called, name, part)
		case slices.Contains(known, name), objects && n.all[name]:
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
	}
}
