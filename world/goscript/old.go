package goscript

import (
	"fmt"

	"github.com/hindcast/hindcast/world"
)

// Old is an object as it was before a bundle switch, for Migrate. Fields have the
// names under which the old bundle declares them: "fuel", "slot.count", and
// "hits[1]" for the first item of a list.
type Old struct {
	on    *stage
	class *world.Class
	row   world.Row
}

// Has reports whether there was such a field, and of an item of a list whether the
// list had it.
func (o Old) Has(name string) bool {
	i := o.find(name)
	return i >= 0 && o.class.Has(o.row, i)
}

// Number returns a number.
func (o Old) Number(name string) float64 { return numberOf(o.row.Word(o.field(name, world.Number))) }

// Bool returns a truth value.
func (o Old) Bool(name string) bool { return o.row.Word(o.field(name, world.Bool)) != 0 }

// Text returns a text.
func (o Old) Text(name string) string {
	return world.StringField(o.row, o.field(name, world.String))
}

// Ref returns the object that was referred to.
func (o Old) Ref(name string) Object {
	return o.on.object(world.ObjectID(o.row.Word(o.field(name, world.Ref))))
}

// Len returns how many items a list had.
func (o Old) Len(list string) int { return o.field("#"+list, world.Count).Len(o.row) }

func (o Old) find(name string) int {
	for i := range o.class.Declared() {
		if o.class.Fields[i].Name == name {
			return i
		}
	}
	return -1
}

// field returns a field of a kind. It fails if there was none.
func (o Old) field(name string, kind world.FieldKind) *world.Field {
	i := o.find(name)
	if i < 0 || o.class.Fields[i].Kind != kind {
		fail("the old %s had no %s of that kind%s", o.class.Name, name, o.names())
	}
	return &o.class.Fields[i]
}

// names lists the fields for a message.
func (o Old) names() string {
	var names []string
	for i := range o.class.Declared() {
		if o.class.Fields[i].List == 0 {
			names = append(names, o.class.Fields[i].Name)
		}
	}
	if len(names) == 0 {
		return ": it had no fields"
	}
	return fmt.Sprintf("; it had %s", world.Listed(names))
}
