package luabind

import (
	"math"

	"github.com/hindcast/hindcast/luabind/internal/ident"
	"github.com/hindcast/hindcast/world/detmath"
	lua "github.com/yuin/gopher-lua"
)

// mathTable returns the table math of Lua with the same bits on every CPU. It has no random;
// random is a function of the world.
func mathTable() libraryTable {
	s := libraryTable{Name: "math", Numbers: map[string]float64{"pi": math.Pi, "huge": math.Inf(1)}}
	one := map[string]func(float64) float64{
		"abs": math.Abs, "floor": math.Floor, "ceil": math.Ceil, "sqrt": detmath.Sqrt,
		"sin": detmath.Sin, "cos": detmath.Cos, "tan": detmath.Tan,
		"asin": detmath.Asin, "acos": detmath.Acos, "atan": detmath.Atan,
		"exp": detmath.Exp, "log": detmath.Log, "log10": detmath.Log10,
		"deg": func(x float64) float64 { return x / (math.Pi / 180) },
		"rad": func(x float64) float64 { return x * (math.Pi / 180) },
	}
	two := map[string]func(a, b float64) float64{"atan2": detmath.Atan2, "pow": detmath.Pow}
	for _, n := range ident.Keys(one) {
		fn := mathOne("math."+n, one[n])
		if n == "log" {
			fn = mathLog
		}
		s.Entries = append(s.Entries, entry{n, fn})
	}
	for _, n := range ident.Keys(two) {
		s.Entries = append(s.Entries, entry{n, mathTwo("math."+n, two[n])})
	}
	return libraryTable{Name: s.Name, Numbers: s.Numbers, Entries: append(s.Entries,
		entry{"fmod", mathFmod}, entry{"max", mathMax}, entry{"min", mathMin}, entry{"modf", mathModf})}
}

// mathLog implements math.log(x, base). The base is e by default.
func mathLog(L call) int {
	x := L.number(1, "math.log: the argument")
	switch base := L.numberOr(2, "math.log: the base", math.E); base {
	case math.E:
		L.Push(L.num(detmath.Log(x)))
	case 10:
		L.Push(L.num(detmath.Log10(x)))
	default:
		L.Push(L.num(detmath.Log(x) / detmath.Log(base)))
	}
	return 1
}

func mathOne(name string, f func(float64) float64) func(call) int {
	what := name + ": the argument"
	return func(L call) int {
		L.Push(L.num(f(L.number(1, what))))
		return 1
	}
}

func mathTwo(name string, f func(a, b float64) float64) func(call) int {
	whatA, whatB := name+": argument 1", name+": argument 2"
	return func(L call) int {
		L.Push(L.num(f(L.number(1, whatA), L.number(2, whatB))))
		return 1
	}
}

func mathMax(L call) int {
	return extreme(L, "math.max: every argument", func(a, b float64) bool { return a > b })
}

func mathMin(L call) int {
	return extreme(L, "math.min: every argument", func(a, b float64) bool { return a < b })
}

// extreme pushes the first argument that no other beats.
func extreme(L call, what string, beats func(a, b float64) bool) int {
	top := L.GetTop()
	best := L.number(1, what)
	for i := 2; i <= top; i++ {
		if v := L.number(i, what); beats(v, best) {
			best = v
		}
	}
	L.charge(top / 4)
	L.Push(L.num(best))
	return 1
}

// mathModf pushes the whole part, rounded towards zero, and the rest.
func mathModf(L call) int {
	v := L.number(1, "math.modf: the argument")
	whole := math.Trunc(v)
	rest := v - whole
	if math.IsInf(v, 0) {
		rest = 0
	}
	L.Push(L.num(whole))
	L.Push(L.num(math.Copysign(rest, v)))
	return 2
}

// luaPow implements syntax.Pow(a, b), the ^ operator.
func luaPow(L call) int {
	if v, ok := L.arithmetic("__pow", L.Get(1), L.Get(2)); ok {
		L.Push(v)
		return 1
	}
	a, b := L.operand(1), L.operand(2)
	L.Push(L.num(detmath.Pow(a, b)))
	return 1
}

// chargeMod charges the remainder of a division: a step for each bit by which a is longer than b.
func (L call) chargeMod(a, b float64) {
	L.charge(max(exponentOf(a)-exponentOf(b), 0) / 2)
}

// exponentOf returns the binary exponent of a number, about the logarithm of its size.
func exponentOf(v float64) int { return int(math.Float64bits(v)>>52&0x7ff) - 1023 }

// mathFmod implements math.fmod(a, b).
func mathFmod(L call) int {
	a, b := L.number(1, "math.fmod: argument 1"), L.number(2, "math.fmod: argument 2")
	L.chargeMod(a, b)
	L.Push(L.num(math.Mod(a, b)))
	return 1
}

// luaMod implements syntax.Mod(a, b), the % operator.
func luaMod(L call) int {
	a, isNumber := L.Get(1).(lua.LNumber)
	b, areNumbers := L.Get(2).(lua.LNumber)
	if !isNumber || !areNumbers {
		if v, ok := L.arithmetic("__mod", L.Get(1), L.Get(2)); ok {
			L.Push(v)
			return 1
		}
		a, b = lua.LNumber(L.operand(1)), lua.LNumber(L.operand(2))
	}
	L.chargeMod(float64(a), float64(b))
	L.Push(L.num(modulo(float64(a), float64(b))))
	return 1
}

// vecTable returns the table vec: functions for pairs of numbers.
func vecTable() libraryTable {
	return libraryTable{Name: "vec", Entries: []entry{
		{"length", vecLength}, {"normalize", vecNormalize}, {"dot", vecDot},
		{"rotate", vecRotate}, {"angle", vecAngle}, {"fromAngle", vecFromAngle},
		{"distance", vecDistance},
	}}
}

func vecLength(L call) int {
	L.Push(L.num(detmath.Hypot(L.number(1, "vec.length: x"), L.number(2, "vec.length: y"))))
	return 1
}

// vecNormalize pushes a vector of length 1, or 0, 0 for one without a
// direction.
func vecNormalize(L call) int {
	x, y := L.number(1, "vec.normalize: x"), L.number(2, "vec.normalize: y")
	l := detmath.Hypot(x, y)
	if !(l > 0) || math.IsInf(l, 0) {
		return L.push2(0, 0)
	}
	return L.push2(x/l, y/l)
}

func vecDot(L call) int {
	x1, y1 := L.number(1, "vec.dot: x1"), L.number(2, "vec.dot: y1")
	x2, y2 := L.number(3, "vec.dot: x2"), L.number(4, "vec.dot: y2")
	L.Push(L.num(float64(x1*x2) + float64(y1*y2)))
	return 1
}

// vecRotate turns a vector counter-clockwise by an angle in radians.
func vecRotate(L call) int {
	x, y := L.number(1, "vec.rotate: x"), L.number(2, "vec.rotate: y")
	s, c := detmath.Sincos(L.number(3, "vec.rotate: angle"))
	return L.push2(float64(x*c)-float64(y*s), float64(x*s)+float64(y*c))
}

// vecAngle pushes the direction of a vector in radians.
func vecAngle(L call) int {
	L.Push(L.num(detmath.Atan2(L.number(2, "vec.angle: y"), L.number(1, "vec.angle: x"))))
	return 1
}

// vecFromAngle pushes a vector with a direction in radians and a length, 1 by
// default.
func vecFromAngle(L call) int {
	s, c := detmath.Sincos(L.number(1, "vec.fromAngle: angle"))
	l := L.numberOr(2, "vec.fromAngle: length", 1)
	return L.push2(float64(l*c), float64(l*s))
}

func vecDistance(L call) int {
	x1, y1 := L.number(1, "vec.distance: x1"), L.number(2, "vec.distance: y1")
	x2, y2 := L.number(3, "vec.distance: x2"), L.number(4, "vec.distance: y2")
	L.Push(L.num(detmath.Hypot(x2-x1, y2-y1)))
	return 1
}
