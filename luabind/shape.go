package luabind

import (
	"strings"

	"github.com/hindcast/hindcast/luabind/internal/ident"
	"github.com/hindcast/hindcast/world"
)

// shape is the structure of a declared field: a plain value, a record of named parts,
// or a list of items. A schema has only the leaves, with names such as "slot.count",
// "#hits" and "hits[3].x". Shapes are derived from these names.
type shape struct {
	Name string // as messages show it: hits, slot.count
	// At is the index in the class's Fields of a value, or of the Count of a
	// list. Within an item it counts from the first field of the item.
	At    int
	Index int               // among the parts of its record
	Parts map[string]*shape // of a record
	Item  *shape            // of a list
}

func (s shape) plain() bool { return s.Parts == nil && s.Item == nil }

// what returns the name of the kind, for messages.
func (s shape) what() string {
	switch {
	case s.Item != nil:
		return "list"
	case s.Parts != nil:
		return "record"
	}
	return "value"
}

// shapesOf returns the fields of a class as scripts see them, by name.
func shapesOf(def *world.Class) map[string]*shape {
	top := &shape{Parts: map[string]*shape{}}
	for i := 0; i < len(def.Declared()); i++ {
		f := &def.Fields[i]
		s := addLeaf(top, strings.TrimPrefix(f.Name, "#"), i)
		if f.Kind != world.Count {
			continue
		}
		s.Item = &shape{Name: s.Name + "[]"}
		for j, leaf := range def.Fields[i+1 : i+1+f.Leaves] { // of item 1
			if _, path, named := strings.Cut(leaf.Name, "]."); named {
				addLeaf(s.Item, path, j)
			}
		}
		i += f.Cap * f.Leaves
	}
	return top.Parts
}

// addLeaf adds the leaf with a path such as "slot.count" to a record, which it
// makes one. at is the index of the leaf's field.
func addLeaf(s *shape, path string, at int) *shape {
	name, rest, nested := strings.Cut(path, ".")
	if s.Parts == nil {
		s.Parts = map[string]*shape{}
	}
	part := s.Parts[name]
	if part == nil {
		part = &shape{Name: strings.TrimPrefix(s.Name+"."+name, "."), At: at, Index: len(s.Parts)}
		s.Parts[name] = part
	}
	if nested {
		return addLeaf(part, rest, at)
	}
	return part
}

// fieldNames returns the names that a script may write after a dot to reach a
// field of a class or a part of one.
func fieldNames(def *world.Class) (names []string) {
	for i := range def.Declared() {
		for _, n := range strings.FieldsFunc(def.Fields[i].Name, func(r rune) bool {
			return strings.ContainsRune("#.[]", r)
		}) {
			if ident.Valid(n) {
				names = append(names, n)
			}
		}
	}
	return names
}
