package luabind

import (
	"strconv"

	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/hindcast/hindcast/world"
	lua "github.com/yuin/gopher-lua"
)

// writer writes the fields of objects for scripts. Every write to a table ends
// here, too.
type writer struct {
	rights  *rights
	scene   *scene
	objects *objects
	fields  *fields
	scratch []uint64 // a row, for writing lists and records
}

// helpers returns the functions that rewritten code calls to read and write.
func (wr *writer) helpers() []entry {
	return []entry{{syntax.Get, wr.fields.luaGet}, {syntax.Set, wr.luaSet}, {syntax.Change, wr.luaChange},
		{syntax.Sum, wr.luaSum}, {syntax.Old, wr.luaOld}, {syntax.Revise, wr.luaRevise}}
}

// luaSet implements syntax.Set(object, key, value). Every write of a script ends here.
func (wr *writer) luaSet(L call) int {
	wr.set(L, L.Get(1), L.Get(2), L.Get(3))
	return 0
}

func (wr *writer) set(L call, object, key, value lua.LValue) {
	switch o := object.(type) {
	case *lua.LTable:
		if o.Metatable != lua.LNil {
			L.setIndex(o, key, value, wr.set)
			return
		}
		setTable(L, o, key, value)
	case *lua.LUserData:
		if p, isPart := o.Value.(*part); isPart {
			wr.setPart(L, p, key, value)
			return
		}
		h, isHandle := o.Value.(*handle)
		name, isName := key.(lua.LString)
		if !isHandle || !isName {
			L.RaiseError("a handle's fields are set by name")
		}
		wr.setField(L, h, string(name), value)
	default:
		L.RaiseError("attempt to index %s with key '%s'", syntax.AValue(typeName(o)), toText(key))
	}
}

// setField writes a field of an object.
func (wr *writer) setField(L call, h *handle, name string, value lua.LValue) {
	wr.rights.inWorld(L)
	s, ok := h.Class.field(name)
	if !ok {
		wr.raiseNoField(L, h, name)
	}
	if h.isJoint() {
		L.RaiseError("the objects of a joint cannot be changed: remove the joint and make another")
	}
	wr.assign(L, h, s, 0, value)
}

// opFor returns the change that writes a value into the field at index i.
func (wr *writer) opFor(L call, h *handle, i int, value lua.LValue) world.Op {
	f := &h.Class.def().Fields[i]
	op := world.Op{Target: h.ID, Kind: world.SetWord, Field: i}
	fits := false
	switch v := value.(type) {
	case lua.LNumber:
		fits = f.Kind == world.Number
		op.Word = world.NumberBits(f.Quantize(float64(v)))
	case lua.LBool:
		fits = f.Kind == world.Bool
		if v {
			op.Word = 1
		}
	case lua.LString:
		fits = f.Kind == world.String
		op.Kind, op.Text = world.SetText, string(v)
	case *lua.LNilType:
		fits = f.Kind == world.Ref
	case *lua.LUserData:
		other, isHandle := v.Value.(*handle)
		fits = isHandle && f.Kind == world.Ref
		if fits {
			op.Word = uint64(other.ID)
		}
	}
	if !fits {
		L.RaiseError("%s.%s is a %s and cannot hold a %s", h.Class.def().Name, f.Name, kindName(f), typeName(value))
	}
	return op
}

func (wr *writer) raiseNoField(L call, h *handle, name string) {
	if h.Class == wr.objects.removed() {
		wr.scene.look(L, h) // raises
	}
	switch name {
	case "owner":
		L.RaiseError("owner is set with setOwner(player)")
	case "id", "class", "objProps":
		L.RaiseError("%s cannot be changed", name)
	}
	L.explains()
	L.RaiseError("%s", wr.objects.unknown(h.Class.def(), "field", name))
}

func kindName(f *world.Field) string {
	switch f.Kind {
	case world.Bool:
		return "boolean"
	case world.Ref:
		return "ref (an object, or nil)"
	case world.String:
		return "string of at most " + strconv.Itoa(f.Cap) + " bytes"
	}
	return "number"
}

// setPart writes under a key of a list or a record.
func (wr *writer) setPart(L call, p *part, key, value lua.LValue) {
	if p.Shape.Item == nil {
		name, _ := key.(lua.LString)
		s := p.Shape.Parts[string(name)]
		if s == nil {
			wr.fields.raiseNoPart(L, p.path(), p.Shape, key)
		}
		wr.assign(L, p.Of, s, p.Base, value)
		return
	}
	i, n := wr.fields.itemNumber(L, p, key), wr.fields.listLen(L, p)
	switch {
	case i < 1 || i > n+1:
		L.RaiseError("%s[%s]: the list has %d items, so the next one is number %d", p.path(), toText(key), n, n+1)
	case value == lua.LNil && i == n:
		wr.scene.do(L, &world.Op{Target: p.Of.ID, Kind: world.RemoveItem, Field: p.Base + p.Shape.At, Item: int32(i)})
	case value == lua.LNil && i < n:
		L.RaiseError("%s[%d] = nil would leave a hole in the list: use table.remove(list, %d)", p.path(), i, i)
	case value == lua.LNil:
	case i <= n:
		wr.assign(L, p.Of, p.Shape.Item, p.itemBase(i), value)
	default:
		wr.putItem(L, p, world.SetItem, i, value)
	}
}

// putItem carries out SetItem or InsertItem with a value for a whole item.
func (wr *writer) putItem(L call, p *part, kind world.OpKind, i int, value lua.LValue) {
	n, f := wr.fields.listLen(L, p), p.count()
	if n >= f.Cap && (kind == world.InsertItem || i > n) {
		L.RaiseError("%s is full: it holds at most %d items", p.path(), f.Cap)
	}
	at := i
	if at == 0 {
		at = n + 1
	}
	row := wr.scratchRow(L, p.Of)
	wr.fill(L, row, p.Of, p.Shape.Item, p.itemBase(at), value)
	wr.doItem(L, p, kind, i, row, at)
}

// doItem carries out SetItem or InsertItem with item from of a row.
func (wr *writer) doItem(L call, p *part, kind world.OpKind, i int, row world.Row, from int) {
	words := p.words(row, from)
	op := world.Op{Target: p.Of.ID, Kind: kind, Field: p.Base + p.Shape.At, Item: int32(i), Word: words[0]}
	if len(words) > 1 {
		op.Text = world.PackWords(words)
	}
	L.charge(2 + len(words))
	wr.scene.do(L, &op)
}

// scratchRow returns a copy of the fields of an object, to try changes on.
func (wr *writer) scratchRow(L call, h *handle) world.Row {
	c := h.Class.def()
	wr.scratch = wr.fields.row(L, h).AppendWords(wr.scratch[:0], c)
	L.charge(len(wr.scratch) / 8)
	return world.NewRow(c, wr.scratch)
}

// assign writes a value into a field or a part of one. A list or a record is
// checked completely before any of it is written.
func (wr *writer) assign(L call, h *handle, s *shape, base int, value lua.LValue) {
	if s.plain() {
		i := base + s.At
		if h.Class.def().Fields[i].List != 0 {
			wr.fields.present(L, h, wr.fields.row(L, h), i)
		}
		op := wr.opFor(L, h, i, value)
		wr.scene.do(L, &op)
		return
	}
	row := wr.scratchRow(L, h)
	wr.fill(L, row, h, s, base, value)
	wr.emit(L, row, h, s, base)
}

// luaChange implements syntax.Change(object, key, operator, by): object[key] =
// object[key] + by, and the like.
func (wr *writer) luaChange(L call) int {
	key, op := L.Get(2), int(L.Get(3).(lua.LNumber)) // rewritten code passes nothing else
	if h, i, ok := wr.numberField(L, L.Get(1), key); ok && wr.compute(L, h, i, op, L.Get(4)) {
		return 0
	}
	L.SetTop(4)
	wr.fields.get(L, L.Get(1), key)
	return wr.changed(L, key, op)
}

// luaOld implements syntax.Old(object, key): Get of a field that Sum is about to change. Whether the field has been
// changed before does not matter to a sum.
func (wr *writer) luaOld(L call) int {
	if h, i, ok := wr.numberField(L, L.Get(1), L.Get(2)); ok {
		L.Push(L.num(numberOf(wr.fields.row(L, h).Word(&h.Class.def().Fields[i]))))
		return 1
	}
	return wr.fields.luaGet(L)
}

// luaRevise implements syntax.Revise(object, key, value, n): Set of a value that was computed from the field.
func (wr *writer) luaRevise(L call) int {
	if wr.scene.pending.watches() {
		if h, i, ok := wr.plainField(L, L.Get(1), L.Get(2)); ok {
			wr.scene.pending.revise(L, h, i, L.Get(3), L.Get(4) == lua.LNumber(syntax.RevisedOnce))
		}
	}
	return wr.luaSet(L)
}

// luaSum implements syntax.Sum(object, key, operator, old, by): object[key] = old + by, and the like, where old is
// the field, read before by was computed.
func (wr *writer) luaSum(L call) int {
	key, op, old, by := L.Get(2), int(L.Get(3).(lua.LNumber)), L.Get(4), L.Get(5)
	L.SetTop(3)
	L.Push(by)
	L.Push(old)
	if h, i, ok := wr.numberField(L, L.Get(1), key); ok && !wr.scene.w.AtOnce(h.ID) && wr.compute(L, h, i, op, by) {
		return 0
	}
	return wr.changed(L, key, op)
}

// compute carries out AddWord, MultiplyWord or DivideWord with the field at index i, if the operand is a number or the
// text of one. The operation is one of addition, not of writing the sum, so that what several objects add to
// a number adds up.
func (wr *writer) compute(L call, h *handle, i, op int, operand lua.LValue) bool {
	switch operand.(type) {
	case lua.LNumber, lua.LString:
	default:
		return false
	}
	by, kind := L.operand(4), world.AddWord
	switch syntax.Operators[op] {
	case '-':
		by = -by
	case '*':
		kind = world.MultiplyWord
	case '/':
		kind = world.DivideWord
	}
	wr.scene.do(L, &world.Op{Target: h.ID, Kind: kind, Field: i, Word: world.NumberBits(by)})
	return true
}

// changed writes what operand 4 and syntax.ChangedOperand, the value of the field, give.
func (wr *writer) changed(L call, key lua.LValue, op int) int {
	if v, ok := L.arithmetic(changeEvents[op], L.Get(syntax.ChangedOperand), L.Get(4)); ok {
		L.Push(v)
	} else {
		L.Push(L.num(compute(op, L.operand(syntax.ChangedOperand), L.operand(4))))
	}
	wr.set(L, L.Get(1), key, L.Get(6))
	return 0
}

// changeEvents are the events of syntax.Operators.
var changeEvents = [...]string{"__add", "__sub", "__mul", "__div"}

// compute returns a op b. op is an index in syntax.Operators.
func compute(op int, a, b float64) float64 {
	switch syntax.Operators[op] {
	case '+':
		return a + b
	case '-':
		return a - b
	case '*':
		return float64(a * b)
	}
	return a / b
}

// numberField is plainField for a number.
func (wr *writer) numberField(L call, object, key lua.LValue) (h *handle, i int, ok bool) {
	h, i, ok = wr.plainField(L, object, key)
	return h, i, ok && h.Class.def().Fields[i].Kind == world.Number
}

// plainField returns the field that a key of an object, a list or a record
// stands for, if it is one value and exists.
func (wr *writer) plainField(L call, object, key lua.LValue) (h *handle, i int, ok bool) {
	u, isUserData := object.(*lua.LUserData)
	if !isUserData {
		return nil, 0, false
	}
	var s *shape
	base := 0
	switch o := u.Value.(type) {
	case *handle:
		name, _ := key.(lua.LString)
		h = o
		s, _ = o.Class.field(string(name))
	case *part:
		h, base = o.Of, o.Base
		if s = o.Shape.Item; s == nil {
			name, _ := key.(lua.LString)
			s = o.Shape.Parts[string(name)]
		} else if n := wr.fields.itemNumber(L, o, key); n >= 1 && n <= wr.fields.listLen(L, o) {
			base = o.itemBase(n)
		} else {
			return nil, 0, false
		}
	}
	if s == nil || !s.plain() {
		return nil, 0, false
	}
	wr.fields.present(L, h, wr.fields.row(L, h), base+s.At)
	return h, base + s.At, true
}
