package luabind

import (
	"strconv"
	"strings"

	"github.com/hindcast/hindcast/world"
	lua "github.com/yuin/gopher-lua"
)

// part is the value that stands for a list or a record in the state of an object, or
// for a record in a list. It refers to a place and does not hold the contents. There is
// one part for each place, so that parts compare equal for the same place.
type part struct {
	Of    *handle
	Shape *shape
	Base  int              // added to the shape's field indexes
	Item  int              // of a record in a list: which item
	Views []*lua.LUserData // of parts of this part
}

// asPart returns v as a part, nil if it is not one.
func asPart(v lua.LValue) *part {
	if u, ok := v.(*lua.LUserData); ok {
		p, _ := u.Value.(*part)
		return p
	}
	return nil
}

// asList returns v as a list of state, nil if it is not one.
func asList(v lua.LValue) *part {
	if p := asPart(v); p != nil && p.Shape.Item != nil {
		return p
	}
	return nil
}

// count returns the Count field of a list.
func (p part) count() *world.Field { return &p.Of.Class.def().Fields[p.Base+p.Shape.At] }

// itemBase returns the index in the class's Fields of the first field of an
// item.
func (p part) itemBase(item int) int {
	return p.Base + p.Shape.At + 1 + (item-1)*p.count().Leaves
}

// path names a part for messages: Ship.slots[2].
func (p part) path() string {
	name := p.Of.Class.def().Name + "." + p.Shape.Name
	if p.Item > 0 {
		name = strings.Replace(name, "[]", "["+strconv.Itoa(p.Item)+"]", 1)
	}
	return name
}

// words returns the words of an item in a row.
func (p part) words(row world.Row, item int) []uint64 {
	fields, first := p.Of.Class.def().Fields, p.itemBase(item)
	last := &fields[first+p.count().Leaves-1]
	return row.Span(&fields[first], last)
}
