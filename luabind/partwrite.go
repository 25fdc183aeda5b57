package luabind

import (
	"github.com/hindcast/hindcast/luabind/internal/ident"
	"github.com/hindcast/hindcast/world"
	lua "github.com/yuin/gopher-lua"
)

// setPart writes under a key of a list or a record.
func (vm *VM) setPart(L *lua.LState, p *part, key, value lua.LValue) {
	if p.shape.item == nil {
		name, _ := key.(lua.LString)
		s := p.shape.parts[string(name)]
		if s == nil {
			vm.raiseNoPart(L, p.path(), p.shape, key)
		}
		vm.assign(L, p.of, s, p.base, value)
		return
	}
	i, n := vm.itemNumber(L, p, key), vm.listLen(L, p)
	switch {
	case i < 1 || i > n+1:
		L.RaiseError("%s[%s]: the list has %d items, so the next one is number %d", p.path(), toText(key), n, n+1)
	case value == lua.LNil && i == n:
		vm.do(L, &world.Op{Target: p.of.id, Kind: world.RemoveItem, Field: p.base + p.shape.at, Item: int32(i)})
	case value == lua.LNil && i < n:
		L.RaiseError("%s[%d] = nil would leave a hole: table.remove(list, %d) closes it", p.path(), i, i)
	case value == lua.LNil:
	case i <= n:
		vm.assign(L, p.of, p.shape.item, p.itemBase(i), value)
	default:
		vm.putItem(L, p, world.SetItem, i, value)
	}
}

// putItem carries out SetItem or InsertItem with a value for a whole item.
func (vm *VM) putItem(L *lua.LState, p *part, kind world.OpKind, i int, value lua.LValue) {
	n, f := vm.listLen(L, p), p.count()
	if n >= f.Cap && (kind == world.InsertItem || i > n) {
		L.RaiseError("%s is full: it holds at most %d items", p.path(), f.Cap)
	}
	at := i
	if at == 0 {
		at = n + 1
	}
	row := vm.scratchRow(L, p.of)
	vm.fill(L, row, p.of, p.shape.item, p.itemBase(at), value)
	vm.doItem(L, p, kind, i, row, at)
}

// doItem carries out SetItem or InsertItem with item from of a row.
func (vm *VM) doItem(L *lua.LState, p *part, kind world.OpKind, i int, row []uint64, from int) {
	words := p.words(row, from)
	op := world.Op{Target: p.of.id, Kind: kind, Field: p.base + p.shape.at, Item: int32(i), Word: words[0]}
	if len(words) > 1 {
		op.Text = world.PackWords(words)
	}
	vm.budget.charge(L, 2+len(words))
	vm.do(L, &op)
}

// words are the words of an item in a row.
func (p *part) words(row []uint64, item int) []uint64 {
	fields, first := p.of.class.def.Fields, p.itemBase(item)
	last := &fields[first+p.count().Leaves-1]
	return row[fields[first].Offset : last.Offset+last.Words()]
}

// scratchRow is a copy of an object's fields to try changes on.
func (vm *VM) scratchRow(L *lua.LState, h *handle) []uint64 {
	vm.scratch = append(vm.scratch[:0], vm.row(L, h)...)
	vm.budget.charge(L, len(vm.scratch)/8)
	return vm.scratch
}

// assign writes a value into a field or a part of one. A list or a record is
// checked whole before any of it is written.
func (vm *VM) assign(L *lua.LState, h *handle, s *shape, base int, value lua.LValue) {
	if s.plain() {
		i := base + s.at
		if h.class.def.Fields[i].List != 0 {
			vm.present(L, h, vm.row(L, h), i)
		}
		op := vm.opFor(L, h, i, value)
		vm.do(L, &op)
		return
	}
	row := vm.scratchRow(L, h)
	vm.fill(L, row, h, s, base, value)
	vm.emit(L, row, h, s, base)
}

// fill puts a value into a row, in the place of a field or a part of one.
func (vm *VM) fill(L *lua.LState, row []uint64, h *handle, s *shape, base int, value lua.LValue) {
	vm.budget.charge(L, 1)
	if s.plain() {
		vm.fillLeaf(L, row, h, base+s.at, value)
		return
	}
	if _, isTable := value.(*lua.LTable); !isTable && asPart(value) == nil {
		L.RaiseError("%s.%s is a %s: %s does not fit, but a table does", h.class.def.Name, s.name, s.what(), aTypeName(value))
	}
	if s.item != nil {
		vm.fillList(L, row, h, s, base, value)
		return
	}
	for _, k := range vm.keysIn(L, value) {
		if name, ok := k.(lua.LString); !ok || s.parts[string(name)] == nil {
			vm.raiseNoPart(L, h.class.def.Name+"."+s.name, s, k)
		}
	}
	for _, name := range ident.Keys(s.parts) {
		if v := vm.at(L, value, lua.LString(name)); v != lua.LNil || s.parts[name].ref(h, base) {
			vm.fill(L, row, h, s.parts[name], base, v)
		} else {
			vm.fillDefault(row, h, s.parts[name], base)
		}
	}
}

// ref reports whether the shape is a ref, which nil fits.
func (s *shape) ref(h *handle, base int) bool {
	return s.plain() && h.class.def.Fields[base+s.at].Kind == world.Ref
}

func (vm *VM) fillList(L *lua.LState, row []uint64, h *handle, s *shape, base int, value lua.LValue) {
	p := part{of: h, shape: s, base: base}
	n, f := vm.length(L, value), p.count()
	if n > f.Cap {
		L.RaiseError("%s holds at most %d items, not %d", p.path(), f.Cap, n)
	}
	for i := 1; i <= n; i++ {
		vm.fill(L, row, h, s.item, p.itemBase(i), vm.at(L, value, vm.num(float64(i))))
	}
	row[f.Offset] = uint64(n)
}

func (vm *VM) fillLeaf(L *lua.LState, row []uint64, h *handle, i int, value lua.LValue) {
	op, f := vm.opFor(L, h, i, value), &h.class.def.Fields[i]
	if op.Kind == world.SetWord {
		row[f.Offset] = op.Word
	} else if err := world.PutString(row, f, op.Text); err != nil {
		L.RaiseError("%s.%s", h.class.def.Name, err.Error())
	}
}

func (vm *VM) fillDefault(row []uint64, h *handle, s *shape, base int) {
	f := &h.class.def.Fields[base+s.at]
	switch {
	case s.item != nil:
		row[f.Offset] = 0
	case s.parts != nil:
		for _, name := range ident.Keys(s.parts) {
			vm.fillDefault(row, h, s.parts[name], base)
		}
	default:
		copy(row[f.Offset:], f.Default)
	}
}

// emit carries out the changes that give an object's field what a row has there.
func (vm *VM) emit(L *lua.LState, row []uint64, h *handle, s *shape, base int) {
	f := &h.class.def.Fields[base+s.at]
	switch {
	case s.item != nil:
		p := part{of: h, shape: s, base: base}
		vm.do(L, &world.Op{Target: h.id, Kind: world.ClearItems, Field: base + s.at})
		for i := 1; i <= f.Len(row); i++ {
			vm.doItem(L, &p, world.InsertItem, 0, row, i)
		}
	case s.parts != nil:
		for _, name := range ident.Keys(s.parts) {
			vm.emit(L, row, h, s.parts[name], base)
		}
	case f.Kind == world.String:
		vm.do(L, &world.Op{Target: h.id, Kind: world.SetText, Field: base + s.at, Text: world.StringField(row, f)})
	default:
		vm.do(L, &world.Op{Target: h.id, Kind: world.SetWord, Field: base + s.at, Word: row[f.Offset]})
	}
}
