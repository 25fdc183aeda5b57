package luabind

import (
	"github.com/hindcast/hindcast/world"
	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/ast"
)

// changes are the operators of "self.n = self.n + 1" that (change) knows.
const changes = "+-*/"

// change rewrites an assignment like self.hp = self.hp - 1 or self.hits[i] =
// self.hits[i] + by into one call of (change), which makes no value on its way.
// It has to be the same whether the field is read before the right operand or
// after it: so that is a number, a variable, or made of these.
func (r *rewriter) change(s *ast.AssignStmt) (ast.Stmt, bool) {
	to, isField := s.Lhs[0].(*ast.AttrGetExpr)
	sum, isSum := s.Rhs[0].(*ast.ArithmeticOpExpr)
	if !isField || !isSum || !r.isStored(to) || !samePlace(to, sum.Lhs) || !r.isQuiet(sum.Rhs) {
		return nil, false
	}
	for i := range changes {
		if sum.Operator != changes[i:i+1] {
			continue
		}
		t := r.target(to, nil)
		return statement(r.helper(fnChange, t.line, t.object, t.key, r.count(i, t.line), r.expr(sum.Rhs))), true
	}
	return nil, false
}

// isStored reports whether a place may be in the state of an object: a
// variable's field with a name that some class declares, or an item of that.
func (r *rewriter) isStored(e *ast.AttrGetExpr) bool {
	key, isName := e.Key.(*ast.StringExpr)
	switch o := e.Object.(type) {
	case *ast.IdentExpr:
		return isName && r.fields[key.Value] && !r.fn.isGlobal(o.Value)
	case *ast.AttrGetExpr:
		return r.isStored(o) && (isName && r.fields[key.Value] || !isName && r.isQuiet(e.Key))
	}
	return false
}

// isQuiet reports whether an expression only looks at variables.
func (r *rewriter) isQuiet(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.NumberExpr:
		return true
	case *ast.IdentExpr:
		return !r.fn.isGlobal(e.Value)
	case *ast.UnaryMinusOpExpr:
		return r.isQuiet(e.Expr)
	case *ast.ArithmeticOpExpr:
		return e.Operator != "^" && r.isQuiet(e.Lhs) && r.isQuiet(e.Rhs)
	}
	return false
}

// samePlace reports whether two expressions are written the same.
func samePlace(a, b ast.Expr) bool {
	switch a := a.(type) {
	case *ast.IdentExpr:
		b, ok := b.(*ast.IdentExpr)
		return ok && a.Value == b.Value
	case *ast.StringExpr:
		b, ok := b.(*ast.StringExpr)
		return ok && a.Value == b.Value
	case *ast.NumberExpr:
		b, ok := b.(*ast.NumberExpr)
		return ok && a.Value == b.Value
	case *ast.AttrGetExpr:
		b, ok := b.(*ast.AttrGetExpr)
		return ok && samePlace(a.Object, b.Object) && samePlace(a.Key, b.Key)
	}
	return false
}

// changedOperand is where luaChange has the value of the field before.
const changedOperand = 5

// luaChange is (change)(object, key, operator, by): object[key] = object[key] + by.
func (vm *VM) luaChange(L *lua.LState) int {
	key, op := L.Get(2), int(L.Get(3).(lua.LNumber)) // rewritten code passes nothing else
	by, isNumber := L.Get(4).(lua.LNumber)
	if h, i, ok := vm.numberField(L, L.Get(1), key); ok && isNumber {
		f := &h.class.def.Fields[i]
		old := numberOf(vm.row(L, h)[f.Offset])
		vm.do(L, &world.Op{Target: h.id, Kind: world.SetWord, Field: i, Word: world.NumberBits(f.Hold(compute(op, old, float64(by))))})
		return 0
	}
	L.SetTop(4)
	vm.get(L, L.Get(1), key)
	L.Push(vm.num(compute(op, vm.operand(L, changedOperand), vm.operand(L, 4))))
	vm.set(L, L.Get(1), key, L.Get(6))
	return 0
}

// compute is a op b, op an index in changes.
func compute(op int, a, b float64) float64 {
	switch changes[op] {
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
