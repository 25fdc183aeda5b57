package luabind

import (
	"strings"

	"github.com/hindcast/hindcast/luabind/internal/ident"
	"github.com/hindcast/hindcast/world"
	lua "github.com/yuin/gopher-lua"
)

// fields reads the fields of objects for scripts: plain values, and the lists and
// records among them, which lie flat in the object's row.
type fields struct {
	scene   *scene
	objects *objects
	meta    *lua.LTable // of lists and records
}

// open makes the metatable of lists and records. Most of their uses are
// compiled to calls of syntax.Get and syntax.Set and do not need it.
func (fs *fields) open(L *lua.LState, env *environment) {
	fs.meta = withIndex(L, env.function(L, func(L call) int {
		return fs.getPart(L, L.Get(1).(*lua.LUserData).Value.(*part), L.Get(2))
	}))
	fs.meta.RawSetString("__len", env.function(L, func(L call) int {
		L.Push(L.num(float64(fs.shownLen(L, fs.listArg(L, 1, "#")))))
		return 1
	}))
}

// view returns the part with number n among views, and makes it if it does not
// exist.
func (fs *fields) view(views *[]*lua.LUserData, n int, p part) *lua.LUserData {
	for len(*views) <= n {
		*views = append(*views, nil)
	}
	if (*views)[n] == nil {
		(*views)[n] = &lua.LUserData{Value: &p, Metatable: fs.meta}
	}
	return (*views)[n]
}

// row returns the fields of an object, as the acting object sees it.
func (fs *fields) row(L call, h *handle) world.Row {
	s, slot := fs.scene.look(L, h)
	return s.Row(slot)
}

func (fs *fields) listLen(L call, p *part) int { return p.count().Len(fs.row(L, p.Of)) }

// shownLen is listLen for a script that asks for the length.
func (fs *fields) shownLen(L call, p *part) int {
	fs.scene.pending.read(L, p.Of, fs.row(L, p.Of), p.Base+p.Shape.At)
	return fs.listLen(L, p)
}

// itemNumber returns a key of a list as a whole number, -1 for a number that is
// not whole.
func (fs *fields) itemNumber(L call, p *part, key lua.LValue) int {
	n, ok := key.(lua.LNumber)
	if !ok {
		L.RaiseError("%s is a list: its items have numbers, as in %s[1]; table.insert, remove and sort change it, "+
			"and # is the number of items",
			p.path(), p.path())
	}
	i := clampInt(float64(n))
	if float64(i) != float64(n) {
		return -1
	}
	return i
}

// luaGet implements syntax.Get(object, key).
func (fs *fields) luaGet(L call) int { return fs.get(L, L.Get(1), L.Get(2)) }

// get pushes a field of a table or of a handle.
func (fs *fields) get(L call, object, key lua.LValue) int {
	if u, ok := object.(*lua.LUserData); ok {
		switch o := u.Value.(type) {
		case *handle:
			if name, ok := key.(lua.LString); ok {
				return fs.getField(L, u, o, string(name))
			}
		case *part:
			return fs.getPart(L, o, key)
		}
	}
	L.Push(L.GetTable(object, key))
	return 1
}

// index returns a field of a value that is not a table.
func (fs *fields) index(L call, object, key lua.LValue) lua.LValue {
	fs.get(L, object, key)
	v := L.Get(-1)
	L.Pop(1)
	return v
}

// getField pushes a field of a handle.
func (fs *fields) getField(L call, u *lua.LUserData, h *handle, name string) int {
	s, ok := h.Class.field(name)
	switch {
	case !ok:
		return fs.getReserved(L, u, h, name)
	case s.plain():
		fs.pushLeaf(L, h, s.At)
	default:
		L.Push(fs.view(&h.Views, s.Index, part{Of: h, Shape: s}))
	}
	return 1
}

func (fs *fields) getReserved(L call, u *lua.LUserData, h *handle, name string) int {
	switch name {
	case "id":
		L.Push(lua.LString(h.ID.String()))
	case "owner":
		s, slot := fs.scene.look(L, h)
		fs.scene.pending.readOwner(L, h, s.Objects[slot].Owner)
		L.Push(L.num(float64(s.Objects[slot].Owner)))
	default:
		if h.Class == fs.objects.removed() {
			fs.scene.look(L, h) // raises
		}
		L.Push(L.GetField(u, name)) // a method, or an error that says what is missing
	}
	return 1
}

// getPart pushes what a key of a list or a record holds.
func (fs *fields) getPart(L call, p *part, key lua.LValue) int {
	if p.Shape.Item == nil {
		return fs.getNamed(L, p, key)
	}
	fs.pushItem(L, p, fs.itemNumber(L, p, key))
	return 1
}

// pushItem pushes an item of a list, nil if it has none of that number.
func (fs *fields) pushItem(L call, p *part, i int) {
	fs.scene.pending.readItem(L, p, i)
	switch {
	case i < 1 || i > fs.listLen(L, p):
		L.Push(lua.LNil)
	case p.Shape.Item.plain():
		fs.pushLeaf(L, p.Of, p.itemBase(i))
	default:
		L.Push(fs.view(&p.Views, i-1, part{Of: p.Of, Shape: p.Shape.Item, Base: p.itemBase(i), Item: i}))
	}
}

func (fs *fields) getNamed(L call, p *part, key lua.LValue) int {
	name, _ := key.(lua.LString)
	s := p.Shape.Parts[string(name)]
	if s == nil {
		fs.raiseNoPart(L, p.path(), p.Shape, key)
	}
	if s.plain() {
		fs.pushLeaf(L, p.Of, p.Base+s.At)
	} else {
		L.Push(fs.view(&p.Views, s.Index, part{Of: p.Of, Shape: s, Base: p.Base, Item: p.Item}))
	}
	return 1
}

func (fs *fields) raiseNoPart(L call, path string, s *shape, key lua.LValue) {
	L.RaiseError("%s has no part %s; there are %s", path, toText(key),
		strings.Join(ident.NearestFirst(toText(key), ident.Keys(s.Parts)), ", "))
}

// pushLeaf pushes the value of a field. It raises an error for a field of an
// item that the list does not have any more.
func (fs *fields) pushLeaf(L call, h *handle, i int) {
	row := fs.row(L, h)
	fs.present(L, h, row, i)
	fs.scene.pending.read(L, h, row, i)
	fs.pushField(L, row, &h.Class.def().Fields[i])
}

// pushField pushes what a row of state holds in a field.
func (fs *fields) pushField(L call, row world.Row, f *world.Field) {
	switch f.Kind {
	case world.Number:
		L.Push(L.num(numberOf(row.Word(f))))
	case world.Bool:
		L.Push(lua.LBool(row.Word(f) != 0))
	case world.Ref:
		L.Push(fs.scene.refOf(world.ObjectID(row.Word(f))))
	case world.String:
		L.Push(lua.LString(world.StringField(row, f)))
	}
}

// present raises an error for a field of an item that the list does not have.
func (fs *fields) present(L call, h *handle, row world.Row, i int) {
	if f := &h.Class.def().Fields[i]; f.List != 0 && !h.Class.def().Has(row, i) {
		L.RaiseError("%s.%s: the list has %d items now", h.Class.def().Name, f.Name,
			h.Class.def().Fields[i-f.List].Len(row))
	}
}

// listArg returns argument i, which is a list or a record, as a list.
func (fs *fields) listArg(L call, i int, what string) *part {
	p := asList(L.Get(i))
	if p == nil {
		L.RaiseError("%s: %s", what, "this is a record, not a list; its parts have names")
	}
	return p
}

// keysIn returns the keys of a table, or of a list or a record of state.
func (fs *fields) keysIn(L call, v lua.LValue) (keys []lua.LValue) {
	p := asPart(v)
	switch {
	case p == nil:
		return keysOf(L, v.(*lua.LTable))
	case p.Shape.Item != nil:
		for i := range fs.shownLen(L, p) {
			keys = append(keys, L.num(float64(i+1)))
		}
	default:
		for _, name := range ident.Keys(p.Shape.Parts) {
			keys = append(keys, lua.LString(name))
		}
	}
	L.alloc(128 + 16*len(keys))
	L.charge((itemCost - stepCost) * len(keys)) // who gets the keys reads the values
	return keys
}

// length returns the length of a table or of a list of state.
func (fs *fields) length(L call, v lua.LValue) int {
	if t, ok := v.(*lua.LTable); ok {
		L.whole(t)
		return t.Len()
	}
	if p := asList(v); p != nil {
		return fs.shownLen(L, p)
	}
	L.RaiseError("%s is not a list", aTypeName(v))
	return 0
}

// at returns what a key of a table, or of a list or a record of state, holds.
func (fs *fields) at(L call, v, key lua.LValue) lua.LValue {
	if t, ok := v.(*lua.LTable); ok {
		return valueAt(t, key)
	}
	fs.getPart(L, asPart(v), key)
	got := L.Get(-1)
	L.Pop(1)
	return got
}
