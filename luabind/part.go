package luabind

import (
	"slices"
	"strings"

	"github.com/hindcast/hindcast/world"
	lua "github.com/yuin/gopher-lua"
)

// part is what a script holds of a list or a record in an object's state, or
// of a record in a list: a place, not a value. There is one for each place, so
// that parts compare equal for the same place.
type part struct {
	of    *handle
	shape *shape
	base  int              // what is added to the shape's field indexes
	item  int              // of a record in a list: which item
	views []*lua.LUserData // of parts of this part
}

// openParts makes the metatable of lists and records. Most of their uses are
// rewritten into calls of (get) and (set) and do not come by here.
func (vm *VM) openParts(L *lua.LState) {
	vm.parts = withIndex(L, L.NewFunction(func(L *lua.LState) int {
		return vm.getPart(L, L.Get(1).(*lua.LUserData).Value.(*part), L.Get(2))
	}))
	vm.parts.RawSetString("__len", L.NewFunction(func(L *lua.LState) int {
		L.Push(vm.num(float64(vm.listLen(L, vm.listArg(L, 1, "#")))))
		return 1
	}))
}

// view is the part with a number among views.
func (vm *VM) view(views *[]*lua.LUserData, n int, p part) *lua.LUserData {
	for len(*views) <= n {
		*views = append(*views, nil)
	}
	if (*views)[n] == nil {
		(*views)[n] = &lua.LUserData{Value: &p, Metatable: vm.parts}
	}
	return (*views)[n]
}

// asPart is v as a part, nil if it is none.
func asPart(v lua.LValue) *part {
	if u, ok := v.(*lua.LUserData); ok {
		p, _ := u.Value.(*part)
		return p
	}
	return nil
}

// asList is v as a list of state, nil if it is none.
func asList(v lua.LValue) *part {
	if p := asPart(v); p != nil && p.shape.item != nil {
		return p
	}
	return nil
}

// listArg is argument i, which is known to be a list or a record.
func (vm *VM) listArg(L *lua.LState, i int, what string) *part {
	p := asList(L.Get(i))
	if p == nil {
		L.RaiseError("%s: %s", what, "this is a record, not a list; its parts have names")
	}
	return p
}

// row is the fields of a handle's object, as the acting object sees it.
func (vm *VM) row(L *lua.LState, h *handle) []uint64 {
	s, slot := vm.look(L, h)
	return s.Words[slot*s.Stride : (slot+1)*s.Stride]
}

// count is the Count of a list.
func (p *part) count() *world.Field { return &p.of.class.def.Fields[p.base+p.shape.at] }

func (vm *VM) listLen(L *lua.LState, p *part) int { return p.count().Len(vm.row(L, p.of)) }

// itemBase is the index in the class's Fields of the first field of an item.
func (p *part) itemBase(item int) int {
	return p.base + p.shape.at + 1 + (item-1)*p.count().Leaves
}

// itemNumber is a key of a list as a whole number, -1 for what is out of range.
func (vm *VM) itemNumber(L *lua.LState, p *part, key lua.LValue) int {
	n, ok := key.(lua.LNumber)
	if !ok {
		L.RaiseError("%s is a list: its items have numbers, as in %s[1]; table.insert, remove and sort change it, # is how many there are",
			p.path(), p.path())
	}
	i := clampInt(float64(n))
	if float64(i) != float64(n) {
		return -1
	}
	return i
}

// path names a part for messages: Ship.slots[2].
func (p *part) path() string {
	name := p.of.class.def.Name + "." + p.shape.name
	if p.item > 0 {
		name = strings.Replace(name, "[]", "["+itoa(p.item)+"]", 1)
	}
	return name
}

// getPart pushes what a key of a list or a record holds.
func (vm *VM) getPart(L *lua.LState, p *part, key lua.LValue) int {
	if p.shape.item == nil {
		return vm.getNamed(L, p, key)
	}
	vm.pushItem(L, p, vm.itemNumber(L, p, key))
	return 1
}

// pushItem pushes an item of a list, nil if it has none of that number.
func (vm *VM) pushItem(L *lua.LState, p *part, i int) {
	switch {
	case i < 1 || i > vm.listLen(L, p):
		L.Push(lua.LNil)
	case p.shape.item.plain():
		vm.pushLeaf(L, p.of, p.itemBase(i))
	default:
		L.Push(vm.view(&p.views, i-1, part{of: p.of, shape: p.shape.item, base: p.itemBase(i), item: i}))
	}
}

func (vm *VM) getNamed(L *lua.LState, p *part, key lua.LValue) int {
	name, _ := key.(lua.LString)
	s := p.shape.parts[string(name)]
	if s == nil {
		vm.raiseNoPart(L, p.path(), p.shape, key)
	}
	if s.plain() {
		vm.pushLeaf(L, p.of, p.base+s.at)
	} else {
		L.Push(vm.view(&p.views, s.index, part{of: p.of, shape: s, base: p.base, item: p.item}))
	}
	return 1
}

func (vm *VM) raiseNoPart(L *lua.LState, path string, s *shape, key lua.LValue) {
	L.RaiseError("%s has no part %s; there are %s", path, toText(key), strings.Join(nearestFirst(toText(key), sortedKeys(s.parts)), ", "))
}

// pushLeaf pushes the value of a field. One of an item that has gone is an error.
func (vm *VM) pushLeaf(L *lua.LState, h *handle, i int) {
	row := vm.row(L, h)
	vm.present(L, h, row, i)
	vm.pushField(L, row, &h.class.def.Fields[i])
}

// pushField pushes what a row of state holds in a field.
func (vm *VM) pushField(L *lua.LState, row []uint64, f *world.Field) {
	switch f.Kind {
	case world.Number:
		L.Push(vm.num(numberOf(row[f.Offset])))
	case world.Bool:
		L.Push(lua.LBool(row[f.Offset] != 0))
	case world.Ref:
		L.Push(vm.handleOf(world.ObjectID(row[f.Offset])))
	case world.String:
		L.Push(lua.LString(world.StringField(row, f)))
	}
}

// present raises an error for a field of an item that a list does not have.
func (vm *VM) present(L *lua.LState, h *handle, row []uint64, i int) {
	if f := &h.class.def.Fields[i]; f.List != 0 && !h.class.def.Has(row, i) {
		L.RaiseError("%s.%s: the list has %d items now", h.class.def.Name, f.Name, h.class.def.Fields[i-f.List].Len(row))
	}
}

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
	for _, name := range sortedKeys(s.parts) {
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
		for _, name := range sortedKeys(s.parts) {
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
		for _, name := range sortedKeys(s.parts) {
			vm.emit(L, row, h, s.parts[name], base)
		}
	case f.Kind == world.String:
		vm.do(L, &world.Op{Target: h.id, Kind: world.SetText, Field: base + s.at, Text: world.StringField(row, f)})
	default:
		vm.do(L, &world.Op{Target: h.id, Kind: world.SetWord, Field: base + s.at, Word: row[f.Offset]})
	}
}

// keysIn are the keys of a table or of a record of state.
func (vm *VM) keysIn(L *lua.LState, v lua.LValue) (keys []lua.LValue) {
	p := asPart(v)
	switch {
	case p == nil:
		return vm.keysOf(L, v.(*lua.LTable))
	case p.shape.item != nil:
		for i := range vm.listLen(L, p) {
			keys = append(keys, vm.num(float64(i+1)))
		}
	default:
		for _, name := range sortedKeys(p.shape.parts) {
			keys = append(keys, lua.LString(name))
		}
	}
	vm.budget.alloc(L, 128+16*len(keys))
	return keys
}

// length is # of a table or of a list of state.
func (vm *VM) length(L *lua.LState, v lua.LValue) int {
	if t, ok := v.(*lua.LTable); ok {
		return t.Len()
	}
	if p := asList(v); p != nil {
		return vm.listLen(L, p)
	}
	L.RaiseError("%s is not a list", aTypeName(v))
	return 0
}

// at is what a key of a table, or of a list or a record of state, holds.
func (vm *VM) at(L *lua.LState, v, key lua.LValue) lua.LValue {
	if t, ok := v.(*lua.LTable); ok {
		return t.RawGet(key)
	}
	vm.getPart(L, asPart(v), key)
	got := L.Get(-1)
	L.Pop(1)
	return got
}

// copyOf is an item of a list as a value of its own: a record as a table.
func (vm *VM) copyOf(L *lua.LState, v lua.LValue) lua.LValue {
	p := asPart(v)
	if p == nil {
		return v
	}
	t := L.CreateTable(0, len(p.shape.parts))
	vm.budget.alloc(L, 128+96*len(p.shape.parts))
	for _, name := range sortedKeys(p.shape.parts) {
		t.RawSetString(name, vm.copyOf(L, vm.at(L, v, lua.LString(name))))
	}
	return t
}

// sequence is argument i, a table or a list of state.
func (vm *VM) sequence(L *lua.LState, i int, what string) lua.LValue {
	v := L.Get(i)
	if asList(v) == nil {
		return vm.tableArg(L, i, what)
	}
	return v
}

// listInsert is table.insert on a list of state.
func (vm *VM) listInsert(L *lua.LState, p *part) int {
	switch L.GetTop() {
	case 2:
		vm.putItem(L, p, world.InsertItem, 0, vm.copyOf(L, L.Get(2)))
	case 3:
		at, n := vm.integer(L, 2, "table.insert: the position"), vm.listLen(L, p)
		if at < 1 || at > n+1 {
			L.RaiseError("table.insert at %d: %s has %d items", at, p.path(), n)
		}
		vm.putItem(L, p, world.InsertItem, at, vm.copyOf(L, L.Get(3)))
	default:
		L.RaiseError("table.insert takes a list, maybe a position, and a value")
	}
	return 0
}

// listRemove is table.remove on a list of state. A record comes back as a table.
func (vm *VM) listRemove(L *lua.LState, p *part) int {
	n := vm.listLen(L, p)
	at := vm.integerOr(L, 2, "table.remove: the position", n)
	if at < 1 || at > n {
		return 0
	}
	last := at
	if L.Get(2) == lua.LNil {
		last = 0 // of another object: whichever is the last one then
	}
	vm.budget.charge(L, 2+len(p.words(vm.row(L, p.of), 1))*(n-at)/8)
	got := vm.copyOf(L, vm.at(L, L.Get(1), vm.num(float64(at))))
	vm.do(L, &world.Op{Target: p.of.id, Kind: world.RemoveItem, Field: p.base + p.shape.at, Item: int32(last)})
	L.Push(got)
	return 1
}

// listSort is table.sort on a list of state.
func (vm *VM) listSort(L *lua.LState, p *part, s *sorter) int {
	n := vm.listLen(L, p)
	vm.budget.alloc(L, 40*n)
	values := make([]lua.LValue, n)
	for i := range values {
		values[i] = vm.at(L, L.Get(1), vm.num(float64(i+1)))
	}
	s.sort(values, make([]lua.LValue, n))
	row := slices.Clone(vm.row(L, p.of))
	for i, v := range values {
		from := i + 1
		if item := asPart(v); item != nil {
			from = item.item
		} else {
			vm.fillLeaf(L, row, p.of, p.itemBase(from), v)
		}
		if i < vm.listLen(L, p) { // less may have taken items away
			vm.doItem(L, p, world.SetItem, i+1, row, from)
		}
	}
	return 0
}
