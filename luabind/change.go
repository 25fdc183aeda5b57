package luabind

import (
	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/hindcast/hindcast/world"
	lua "github.com/yuin/gopher-lua"
)

// luaChange is (change)(object, key, operator, by): object[key] = object[key] + by.
func (vm *VM) luaChange(L *lua.LState) int {
	key, op := L.Get(2), int(L.Get(3).(lua.LNumber)) // rewritten code passes nothing else
	by, isNumber := L.Get(4).(lua.LNumber)
	if h, i, ok := vm.numberField(L, L.Get(1), key); ok && isNumber {
		f := &h.class.def.Fields[i]
		old := numberOf(vm.row(L, h)[f.Offset])
		vm.do(L, &world.Op{Target: h.id, Kind: world.SetWord, Field: i, Word: world.NumberBits(f.Quantize(compute(op, old, float64(by))))})
		return 0
	}
	L.SetTop(4)
	vm.get(L, L.Get(1), key)
	L.Push(vm.num(compute(op, vm.operand(L, syntax.ChangedOperand), vm.operand(L, 4))))
	vm.set(L, L.Get(1), key, L.Get(6))
	return 0
}

// compute is a op b, op an index in changes.
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

// numberField finds the field that a key of an object, a list or a record
// stands for, if it is a number and is there.
func (vm *VM) numberField(L *lua.LState, object, key lua.LValue) (h *handle, i int, ok bool) {
	u, isUserData := object.(*lua.LUserData)
	if !isUserData {
		return nil, 0, false
	}
	var s *shape
	base := 0
	switch o := u.Value.(type) {
	case *handle:
		name, _ := key.(lua.LString)
		h, s = o, o.class.fields[string(name)]
	case *part:
		h, base = o.of, o.base
		if s = o.shape.item; s == nil {
			name, _ := key.(lua.LString)
			s = o.shape.parts[string(name)]
		} else if n := vm.itemNumber(L, o, key); n >= 1 && n <= vm.listLen(L, o) {
			base = o.itemBase(n)
		} else {
			return nil, 0, false
		}
	}
	if s == nil || !s.plain() || h.class.def.Fields[base+s.at].Kind != world.Number {
		return nil, 0, false
	}
	vm.present(L, h, vm.row(L, h), base+s.at)
	return h, base + s.at, true
}
