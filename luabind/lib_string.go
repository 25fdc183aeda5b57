package luabind

import (
	"math"
	"strings"

	"github.com/hindcast/hindcast/luabind/internal/ident"
	"github.com/hindcast/hindcast/luabind/internal/syntax"
	lua "github.com/yuin/gopher-lua"
)

func stringShelf() shelf {
	return shelf{name: "string", entries: []entry{
		{"len", (*VM).stringLen}, {"sub", (*VM).stringSub}, {"upper", (*VM).stringUpper},
		{"lower", (*VM).stringLower}, {"rep", (*VM).stringRep}, {"byte", (*VM).stringByte},
		{"char", (*VM).stringChar}, {"format", (*VM).stringFormat}, {"find", (*VM).stringFind},
		{"reverse", (*VM).stringReverse}, {"match", (*VM).stringMatch}, {"gmatch", (*VM).stringGmatch},
		{"gsub", (*VM).stringGsub},
	}}
}

// openStrings gives strings their methods, s:upper(), and an arithmetic that
// reads them as Lua does: gopher-lua's own takes "010" for 8.
func (vm *VM) openStrings(L *lua.LState) {
	meta := L.CreateTable(0, 8)
	meta.RawSetString("__index", vm.provided("string"))
	ops := map[string]func(a, b float64) float64{
		"__add": func(a, b float64) float64 { return a + b },
		"__sub": func(a, b float64) float64 { return a - b },
		"__mul": func(a, b float64) float64 { return a * b },
		"__div": func(a, b float64) float64 { return a / b },
		"__mod": modulo,
	}
	for _, n := range ident.Keys(ops) {
		op := ops[n]
		meta.RawSetString(n, L.NewFunction(func(L *lua.LState) int {
			L.Push(vm.num(op(vm.operand(L, 1), vm.operand(L, 2))))
			return 1
		}))
	}
	meta.RawSetString("__unm", L.NewFunction(func(L *lua.LState) int {
		L.Push(vm.num(-vm.operand(L, 1)))
		return 1
	}))
	L.SetMetatable(lua.LString(""), meta)
}

// modulo is Lua's %: the result has the sign of b.
func modulo(a, b float64) float64 {
	v := math.Mod(a, b)
	if b > 0 && v < 0 || b < 0 && v > 0 {
		v += b
	}
	return v
}

func (vm *VM) stringLen(L *lua.LState) int {
	L.Push(vm.num(float64(len(vm.stringArg(L, 1, "string.len: the argument")))))
	return 1
}

// span turns Lua's positions, from 1 or from the end below 0, into s[i:j].
func span(n, from, to int) (i, j int) {
	if from < 0 {
		from = max(n+from+1, 1)
	}
	if to < 0 {
		to = n + to + 1
	}
	i, j = max(from, 1)-1, min(to, n)
	return i, max(i, j)
}

func (vm *VM) stringSub(L *lua.LState) int {
	s := vm.stringArg(L, 1, "string.sub: the string")
	i, j := span(len(s), vm.integer(L, 2, "string.sub: from"), vm.integerOr(L, 3, "string.sub: to", -1))
	if i >= len(s) {
		i, j = 0, 0
	}
	return vm.pushText(L, s[i:j])
}

// mapBytes changes each byte of argument 1.
func (vm *VM) mapBytes(L *lua.LState, what string, f func(b []byte)) int {
	b := []byte(vm.stringArg(L, 1, what))
	f(b)
	return vm.pushText(L, string(b))
}

func (vm *VM) stringUpper(L *lua.LState) int {
	return vm.mapBytes(L, "string.upper: the argument", func(b []byte) {
		for i, c := range b {
			if c >= 'a' && c <= 'z' {
				b[i] = c - 'a' + 'A'
			}
		}
	})
}

func (vm *VM) stringLower(L *lua.LState) int {
	return vm.mapBytes(L, "string.lower: the argument", func(b []byte) {
		for i, c := range b {
			if c >= 'A' && c <= 'Z' {
				b[i] = c - 'A' + 'a'
			}
		}
	})
}

func (vm *VM) stringReverse(L *lua.LState) int {
	return vm.mapBytes(L, "string.reverse: the argument", func(b []byte) {
		for i, j := 0, len(b)-1; i < j; i, j = i+1, j-1 {
			b[i], b[j] = b[j], b[i]
		}
	})
}

func (vm *VM) stringRep(L *lua.LState) int {
	s := vm.stringArg(L, 1, "string.rep: the string")
	n := max(vm.integer(L, 2, "string.rep: the count"), 0)
	if len(s) > 0 && n > syntax.MaxStringBytes/len(s) {
		L.RaiseError("string.rep of %d bytes %d times: a string has at most %d bytes", len(s), n, syntax.MaxStringBytes)
	}
	if len(s) == 0 {
		n = 0
	}
	vm.payText(L, n*len(s))
	L.Push(lua.LString(strings.Repeat(s, n)))
	return 1
}

// stringByte gives the codes of s[i..j].
func (vm *VM) stringByte(L *lua.LState) int {
	s := vm.stringArg(L, 1, "string.byte: the string")
	from := vm.integerOr(L, 2, "string.byte: from", 1)
	i, j := span(len(s), from, vm.integerOr(L, 3, "string.byte: to", from))
	if i >= len(s) {
		return 0
	}
	if j-i > maxResults {
		L.RaiseError("string.byte of %d bytes: at most %d at once", j-i, maxResults)
	}
	vm.budget.charge(L, j-i)
	for _, c := range []byte(s[i:j]) {
		L.Push(vm.num(float64(c)))
	}
	return j - i
}

func (vm *VM) stringChar(L *lua.LState) int {
	b := make([]byte, L.GetTop())
	for i := range b {
		c := vm.integer(L, i+1, "string.char: every argument")
		if c < 0 || c > 255 {
			L.RaiseError("string.char(%d): a byte is 0 to 255", c)
		}
		b[i] = byte(c)
	}
	return vm.pushText(L, string(b))
}
