package luabind

import (
	"strings"

	"github.com/hindcast/hindcast/luabind/internal/syntax"
	lua "github.com/yuin/gopher-lua"
)

// baseEntries returns the functions of the language that need nothing else.
func baseEntries() []entry {
	return []entry{
		{"type", luaType}, {"select", luaSelect}, {"error", luaError}, {"assert", luaAssert},
		{"tostring", luaTostring}, {"tonumber", luaTonumber},
	}
}

// baseHelpers returns the functions of the language that rewritten code calls.
func baseHelpers() []entry {
	return []entry{
		{syntax.Concat, luaConcat}, {syntax.Text, luaText}, {syntax.Order, luaOrder},
		{syntax.Pow, luaPow}, {syntax.Mod, luaMod},
		{syntax.Table, luaTable}, {syntax.List, luaList}, {syntax.Put, luaPut},
		{syntax.Closure, call.closure}, {syntax.Varargs, luaVarargs},
	}
}

// maxResults is how many values one call can return.
const maxResults = 250

func luaType(L call) int {
	if L.GetTop() == 0 {
		L.RaiseError("type: a value is missing")
	}
	if asPart(L.Get(1)) != nil {
		L.Push(lua.LString("table"))
		return 1
	}
	L.Push(lua.LString(L.Get(1).Type().String()))
	return 1
}

// luaSelect implements select(n, ...) and select("#", ...).
func luaSelect(L call) int {
	top := L.GetTop()
	L.charge(top)
	if L.Get(1) == lua.LString("#") {
		L.Push(L.num(float64(top - 1)))
		return 1
	}
	n := L.integer(1, "select: the first argument")
	switch {
	case n < 0:
		n += top
		if n < 1 {
			L.RaiseError("select: there are fewer values than that")
		}
	case n == 0:
		L.RaiseError("select: values are counted from 1")
	}
	return max(top-n, 0)
}

// luaError implements error(message, level). It ends the hook, or the pcall around it.
func luaError(L call) int {
	level := L.integerOr(2, "error: level", 1)
	if !isText(L.Get(1)) || level <= 0 {
		L.throw(L.Get(1))
	}
	msg := toText(L.Get(1))
	if where := L.placeOf(level); where != "" && where[0] != '[' {
		L.payText(len(where) + 1 + len(msg))
		msg = where + " " + msg
	}
	L.throw(lua.LString(msg))
	return 0
}

// placeOf returns where the function at a level is: the one that called error at 1, the one that called that at 2. Our
// functions that run in place of an operator, a field or a method are no levels: Lua has none there.
func (L call) placeOf(level int) string {
	for i := 1; ; i++ {
		dbg, ok := L.GetStack(i)
		if !ok {
			return ""
		}
		if i > 1 {
			L.charge(1 + i/placeUnit) // GetStack walks there
		}
		fn, err := L.GetInfo("f", dbg, lua.LNil)
		if f, isFunction := fn.(*lua.LFunction); err == nil && isFunction && L.lang.inPlace[f] {
			continue
		}
		if level--; level == 0 {
			return L.Where(i)
		}
	}
}

// placeUnit is how many calls GetStack walks in the time of an instruction.
const placeUnit = 16

// throw raises an error of a script.
func (L call) throw(v lua.LValue) {
	if text := errorText(v); isGoError(text) {
		L.lang.thrown = text
	}
	L.Error(v, 0)
}

// luaAssert implements assert(v, message).
func luaAssert(L call) int {
	if L.GetTop() == 0 {
		L.RaiseError("assert: a value is missing")
	}
	if lua.LVAsBool(L.Get(1)) {
		return L.GetTop()
	}
	msg := L.Get(2)
	if msg == lua.LNil {
		msg = lua.LString("assertion failed!")
	}
	L.throw(msg)
	return 0
}

func luaTostring(L call) int {
	if L.GetTop() == 0 {
		L.RaiseError("tostring: a value is missing")
	}
	L.charge(numberTextCost)
	v := L.display(L.Get(1))
	if s, isText := v.(lua.LString); isText {
		return L.pushText(string(s))
	}
	L.Push(v)
	return 1
}

// luaTonumber implements tonumber(v) and tonumber(text, base). With a base other than 10, a
// number counts as its text.
func luaTonumber(L call) int {
	if L.GetTop() == 0 {
		L.RaiseError("tonumber: a value is missing")
	}
	base := L.integerOr(2, "tonumber: base", 10)
	v := L.Get(1)
	if _, isNumber := v.(lua.LNumber); isNumber && base == 10 {
		L.Push(v)
		return 1
	}
	if _, isText := v.(lua.LString); isText || base != 10 {
		s := L.text(1, "tonumber: with a base, the value")
		L.charge(len(s) / 4)
		if n, ok := textToNumber(L, s, base); ok {
			L.Push(L.num(n))
			return 1
		}
	}
	L.Push(lua.LNil)
	return 1
}

func textToNumber(L call, s string, base int) (float64, bool) {
	if base == 10 {
		return L.parse(s)
	}
	if base < 2 || base > 36 {
		L.RaiseError("tonumber: the base is %d: it must be 2 to 36", base)
	}
	s = strings.ToLower(strings.Trim(s, " \t\n\v\f\r"))
	if base == 16 {
		s = strings.TrimPrefix(s, "0x")
	}
	v := 0.0
	for _, c := range []byte(s) {
		d := 99
		switch {
		case c >= '0' && c <= '9':
			d = int(c - '0')
		case c >= 'a' && c <= 'z':
			d = int(c-'a') + 10
		}
		if d >= base {
			return 0, false
		}
		v = float64(v*float64(base)) + float64(d)
	}
	return v, s != ""
}

// luaText implements syntax.Text(s).
func luaText(L call) int { return L.pushText(string(L.Get(1).(lua.LString))) } // rewritten code passes nothing else

// orderUnit is how many bytes of two strings the interpreter compares in the time of an instruction or less.
const orderUnit = 16

// luaOrder implements syntax.Order(a).
func luaOrder(L call) int {
	if s, ok := L.Get(1).(lua.LString); ok {
		L.charge(max(len(s)-syntax.MostOrdered, 0) / orderUnit)
	}
	return 1
}

// luaConcat implements syntax.Concat(a, b, ...), the .. operator.
func luaConcat(L call) int {
	n := L.GetTop()
	size := 0
	var buf [8]string
	parts := buf[:0]
	for i := 1; i <= n; i++ {
		switch v := L.Get(i).(type) {
		case lua.LString:
			parts = append(parts, string(v))
		case lua.LNumber:
			parts = append(parts, L.numberText(v))
		default:
			if L.hasConcat(n) {
				L.Push(L.concatSlowly(n))
				return 1
			}
			L.blame(i)
			L.RaiseError(syntax.CannotConcat+"%s", aTypeName(v))
		}
		size += len(parts[i-1])
	}
	L.payText(size)
	L.Push(lua.LString(strings.Join(parts, "")))
	return 1
}
