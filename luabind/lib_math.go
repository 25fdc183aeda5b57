package luabind

import (
	"math"

	"github.com/hindcast/hindcast/luabind/internal/ident"
	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/hindcast/hindcast/world/detmath"
	lua "github.com/yuin/gopher-lua"
)

// mathShelf is Lua's math with the same bits on every CPU. It has no random
// of its own: see random.
func mathShelf() shelf {
	s := shelf{name: "math", numbers: map[string]float64{"pi": math.Pi, "huge": math.Inf(1)}}
	one := map[string]func(float64) float64{
		"abs": math.Abs, "floor": math.Floor, "ceil": math.Ceil, "sqrt": detmath.Sqrt,
		"sin": detmath.Sin, "cos": detmath.Cos, "tan": detmath.Tan,
		"asin": detmath.Asin, "acos": detmath.Acos, "atan": detmath.Atan,
		"exp": detmath.Exp, "log": detmath.Log, "log10": detmath.Log10,
		"deg": func(x float64) float64 { return x / (math.Pi / 180) },
		"rad": func(x float64) float64 { return x * (math.Pi / 180) },
	}
	two := map[string]func(a, b float64) float64{"atan2": detmath.Atan2, "pow": detmath.Pow, "fmod": math.Mod}
	for _, n := range ident.Keys(one) {
		s.entries = append(s.entries, entry{n, mathOne("math."+n, one[n])})
	}
	for _, n := range ident.Keys(two) {
		s.entries = append(s.entries, entry{n, mathTwo("math."+n, two[n])})
	}
	return shelf{name: s.name, numbers: s.numbers, entries: append(s.entries,
		entry{"max", (*VM).mathMax}, entry{"min", (*VM).mathMin}, entry{"modf", (*VM).mathModf})}
}

func mathOne(name string, f func(float64) float64) func(*VM, *lua.LState) int {
	what := name + ": the argument"
	return func(vm *VM, L *lua.LState) int {
		L.Push(vm.num(f(vm.number(L, 1, what))))
		return 1
	}
}

func mathTwo(name string, f func(a, b float64) float64) func(*VM, *lua.LState) int {
	whatA, whatB := name+": argument 1", name+": argument 2"
	return func(vm *VM, L *lua.LState) int {
		L.Push(vm.num(f(vm.number(L, 1, whatA), vm.number(L, 2, whatB))))
		return 1
	}
}

func (vm *VM) mathMax(L *lua.LState) int {
	return vm.extreme(L, "math.max: every argument", func(a, b float64) bool { return a > b })
}

func (vm *VM) mathMin(L *lua.LState) int {
	return vm.extreme(L, "math.min: every argument", func(a, b float64) bool { return a < b })
}

// extreme is the first argument that no other beats.
func (vm *VM) extreme(L *lua.LState, what string, beats func(a, b float64) bool) int {
	top := L.GetTop()
	best := vm.number(L, 1, what)
	for i := 2; i <= top; i++ {
		if v := vm.number(L, i, what); beats(v, best) {
			best = v
		}
	}
	vm.budget.charge(L, top/4)
	L.Push(vm.num(best))
	return 1
}

// mathModf gives the whole part, towards zero, and the rest.
func (vm *VM) mathModf(L *lua.LState) int {
	v := vm.number(L, 1, "math.modf: the argument")
	whole := math.Trunc(v)
	rest := v - whole
	if math.IsInf(v, 0) {
		rest = 0
	}
	L.Push(vm.num(whole))
	L.Push(vm.num(math.Copysign(rest, v)))
	return 2
}

// luaPow is (pow)(a, b), the ^ operator.
func (vm *VM) luaPow(L *lua.LState) int {
	a, b := vm.operand(L, 1), vm.operand(L, 2)
	L.Push(vm.num(detmath.Pow(a, b)))
	return 1
}

// operand is an operand of arithmetic: a number, or a string that reads as one.
func (vm *VM) operand(L *lua.LState, i int) float64 {
	switch v := L.Get(i).(type) {
	case lua.LNumber:
		return float64(v)
	case lua.LString:
		vm.budget.charge(L, 4+len(v)/4)
		if n, ok := syntax.ParseNumber(string(v)); ok {
			return n
		}
	}
	vm.operandAt = i
	L.RaiseError("attempt to perform arithmetic on %s", syntax.AValue(typeName(L.Get(i))))
	return 0
}

// vecShelf holds helpers for pairs of numbers.
func vecShelf() shelf {
	return shelf{name: "vec", entries: []entry{
		{"length", (*VM).vecLength}, {"normalize", (*VM).vecNormalize}, {"dot", (*VM).vecDot},
		{"rotate", (*VM).vecRotate}, {"angle", (*VM).vecAngle}, {"fromAngle", (*VM).vecFromAngle},
		{"distance", (*VM).vecDistance},
	}}
}

func (vm *VM) push2(L *lua.LState, x, y float64) int {
	L.Push(vm.num(x))
	L.Push(vm.num(y))
	return 2
}

func (vm *VM) vecLength(L *lua.LState) int {
	L.Push(vm.num(detmath.Hypot(vm.number(L, 1, "vec.length: x"), vm.number(L, 2, "vec.length: y"))))
	return 1
}

// vecNormalize gives a vector of length 1, or 0, 0 for one without a direction.
func (vm *VM) vecNormalize(L *lua.LState) int {
	x, y := vm.number(L, 1, "vec.normalize: x"), vm.number(L, 2, "vec.normalize: y")
	l := detmath.Hypot(x, y)
	if !(l > 0) || math.IsInf(l, 0) {
		return vm.push2(L, 0, 0)
	}
	return vm.push2(L, x/l, y/l)
}

func (vm *VM) vecDot(L *lua.LState) int {
	x1, y1 := vm.number(L, 1, "vec.dot: x1"), vm.number(L, 2, "vec.dot: y1")
	x2, y2 := vm.number(L, 3, "vec.dot: x2"), vm.number(L, 4, "vec.dot: y2")
	L.Push(vm.num(float64(x1*x2) + float64(y1*y2)))
	return 1
}

// vecRotate turns a vector counter-clockwise by an angle in radians.
func (vm *VM) vecRotate(L *lua.LState) int {
	x, y := vm.number(L, 1, "vec.rotate: x"), vm.number(L, 2, "vec.rotate: y")
	s, c := detmath.Sincos(vm.number(L, 3, "vec.rotate: angle"))
	return vm.push2(L, float64(x*c)-float64(y*s), float64(x*s)+float64(y*c))
}

// vecAngle is the direction of a vector in radians.
func (vm *VM) vecAngle(L *lua.LState) int {
	L.Push(vm.num(detmath.Atan2(vm.number(L, 2, "vec.angle: y"), vm.number(L, 1, "vec.angle: x"))))
	return 1
}

// vecFromAngle is a vector of a length (1) in a direction in radians.
func (vm *VM) vecFromAngle(L *lua.LState) int {
	s, c := detmath.Sincos(vm.number(L, 1, "vec.fromAngle: angle"))
	l := vm.numberOr(L, 2, "vec.fromAngle: length", 1)
	return vm.push2(L, float64(l*c), float64(l*s))
}

func (vm *VM) vecDistance(L *lua.LState) int {
	x1, y1 := vm.number(L, 1, "vec.distance: x1"), vm.number(L, 2, "vec.distance: y1")
	x2, y2 := vm.number(L, 3, "vec.distance: x2"), vm.number(L, 4, "vec.distance: y2")
	L.Push(vm.num(detmath.Hypot(x2-x1, y2-y1)))
	return 1
}
