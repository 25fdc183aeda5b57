package luabind

import (
	"github.com/hindcast/hindcast/luabind/internal/ident"
	"github.com/hindcast/hindcast/world"
	lua "github.com/yuin/gopher-lua"
)

// fill writes a value into a row, in the place of a field or of a part of one.
func (wr *writer) fill(L call, row world.Row, h *handle, s *shape, base int, value lua.LValue) {
	L.charge(1)
	if s.plain() {
		wr.fillLeaf(L, row, h, base+s.At, value)
		return
	}
	if _, isTable := value.(*lua.LTable); !isTable && asPart(value) == nil {
		L.RaiseError("%s.%s is a %s and takes a table, not %s", h.Class.def().Name, s.Name, s.what(), aTypeName(value))
	}
	if s.Item != nil {
		wr.fillList(L, row, h, s, base, value)
		return
	}
	for _, k := range wr.fields.keysIn(L, value) {
		if name, ok := k.(lua.LString); !ok || s.Parts[string(name)] == nil {
			wr.fields.raiseNoPart(L, h.Class.def().Name+"."+s.Name, s, k)
		}
	}
	for _, name := range ident.Keys(s.Parts) {
		if v := wr.fields.at(L, value, lua.LString(name)); v != lua.LNil || s.Parts[name].ref(h, base) {
			wr.fill(L, row, h, s.Parts[name], base, v)
		} else {
			wr.fillDefault(row, h, s.Parts[name], base)
		}
	}
}

// ref reports whether the shape is a ref. nil fits a ref.
func (s shape) ref(h *handle, base int) bool {
	return s.plain() && h.Class.def().Fields[base+s.At].Kind == world.Ref
}

func (wr *writer) fillList(L call, row world.Row, h *handle, s *shape, base int, value lua.LValue) {
	p := part{Of: h, Shape: s, Base: base}
	n, f := wr.fields.length(L, value), p.count()
	if n > f.Cap {
		L.RaiseError("%s holds at most %d items, not %d", p.path(), f.Cap, n)
	}
	if asPart(value) != nil {
		L.charge((itemCost - 1) * n)
	}
	for i := 1; i <= n; i++ {
		wr.fill(L, row, h, s.Item, p.itemBase(i), wr.fields.at(L, value, L.num(float64(i))))
	}
	row.SetWord(f, uint64(n))
}

func (wr *writer) fillLeaf(L call, row world.Row, h *handle, i int, value lua.LValue) {
	op, f := wr.opFor(L, h, i, value), &h.Class.def().Fields[i]
	if op.Kind == world.SetWord {
		row.SetWord(f, op.Word)
	} else if err := world.PutString(row, f, op.Text); err != nil {
		L.RaiseError("%s.%s", h.Class.def().Name, err.Error())
	}
}

func (wr *writer) fillDefault(row world.Row, h *handle, s *shape, base int) {
	f := &h.Class.def().Fields[base+s.At]
	switch {
	case s.Item != nil:
		row.SetWord(f, 0)
	case s.Parts != nil:
		for _, name := range ident.Keys(s.Parts) {
			wr.fillDefault(row, h, s.Parts[name], base)
		}
	default:
		copy(row.Words(f), f.Default)
	}
}

// emit carries out the changes that give a field of an object what the row has
// there.
func (wr *writer) emit(L call, row world.Row, h *handle, s *shape, base int) {
	f := &h.Class.def().Fields[base+s.At]
	switch {
	case s.Item != nil:
		p := part{Of: h, Shape: s, Base: base}
		wr.scene.do(L, &world.Op{Target: h.ID, Kind: world.ClearItems, Field: base + s.At})
		for i := 1; i <= f.Len(row); i++ {
			wr.doItem(L, &p, world.InsertItem, 0, row, i)
		}
	case s.Parts != nil:
		for _, name := range ident.Keys(s.Parts) {
			wr.emit(L, row, h, s.Parts[name], base)
		}
	case f.Kind == world.String:
		wr.scene.do(L, &world.Op{
			Target: h.ID,
			Kind:   world.SetText,
			Field:  base + s.At,
			Text:   world.StringField(row, f),
		})
	default:
		wr.scene.do(L, &world.Op{Target: h.ID, Kind: world.SetWord, Field: base + s.At, Word: row.Word(f)})
	}
}
