package luabind

import (
	"math"
	"strings"

	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/hindcast/hindcast/world"
	lua "github.com/yuin/gopher-lua"
)

// call is a call of a Go function by a script. Its arguments and results are on the
// stack of the interpreter, and its work is charged to the budget.
type call struct {
	*lua.LState
	lang *language
}

// charge takes n instructions for work that the function is about to do.
func (L call) charge(n int) { L.lang.limits().charge(L.LState, n) }

// alloc takes n bytes, and an instruction for each 32 of them.
func (L call) alloc(n int) { L.lang.limits().alloc(L.LState, n) }

// The prices of small works, in instructions.
const (
	numberTextCost = 8 // a number is written as text
	entryCost      = 3 // a new key of a table, besides its memory
	entryBytes     = 96
	explainCost    = 2000
	changeCost     = 2 // a change of an object's body, or a look at it
	// resultsPrice is how many results a call around returns for one instruction, if there are more than freeResults.
	resultsPrice, freeResults = 48, 16
)

// passOn charges for n results, which the calls around this one may return in turn, each of which copies them.
func (L call) passOn(n int) {
	if n <= freeResults {
		return
	}
	around := max(callsOf(L.LState)-freeResults, 0)
	L.charge(around/2 + around*n/resultsPrice)
}

// explains takes instructions for an error that names what is similar. The hook may have too few left: it is over, if no
// pcall catches the error.
func (L call) explains() { L.lang.limits().left -= explainCost }

// entry charges for a new key of a table.
func (L call) entry() {
	L.alloc(entryBytes)
	L.charge(entryCost)
}

// numberText returns a number as text, and charges for that.
func (L call) numberText(v lua.LNumber) string {
	L.charge(numberTextCost)
	return formatNumber(float64(v))
}

// num returns a number for a script.
func (L call) num(v float64) lua.LValue { return L.lang.number(v) }

// push2 pushes two numbers and returns how many values that is.
func (L call) push2(x, y float64) int {
	L.Push(L.num(x))
	L.Push(L.num(y))
	return 2
}

// pushText pushes a string that was made, and charges for it.
func (L call) pushText(s string) int {
	L.payText(len(s))
	L.Push(lua.LString(s))
	return 1
}

// payText charges for a string of n bytes before it is made.
func (L call) payText(n int) {
	if n > syntax.MaxStringBytes {
		L.RaiseError("a string of %d bytes: at most %d", n, syntax.MaxStringBytes)
	}
	L.alloc(16 + n)
	L.lang.limits().long(n)
}

// textWork is the price of looking a value up in a table once, or of comparing it, besides that of a short one.
func textWork(v lua.LValue) int {
	s, _ := v.(lua.LString)
	return len(s) / stringUnit
}

// parse reads a number, and charges for what takes longer than its length says: a number between two floats, and one that
// is smaller than floats of full precision, of which the library works out all digits.
func (L call) parse(s string) (float64, bool) {
	if len(s) > exactDigits {
		L.charge(betweenCost)
	}
	v, ok := syntax.ParseNumber(s)
	if ok && math.Abs(v) <= smallestNormal && strings.ContainsAny(s, "eE") {
		L.charge(subnormalCost)
	}
	return v, ok
}

// The prices of texts that are hard to read as numbers, in instructions.
const (
	exactDigits    = 15 // no number of so many digits is between two floats
	betweenCost    = 24
	smallestNormal = 0x1p-1022
	subnormalCost  = 800
)

// number returns argument i, a number, or a string that reads as one. what names
// the argument in errors, here and below.
func (L call) number(i int, what string) float64 {
	switch v := L.Get(i).(type) {
	case lua.LNumber:
		return float64(v)
	case lua.LString:
		L.charge(len(v) / 4)
		if n, ok := L.parse(string(v)); ok {
			return n
		}
	}
	L.RaiseError("%s must be a number, not %s", what, aTypeName(L.Get(i)))
	return 0
}

// numberOr is number with a default for an argument that is absent or nil.
func (L call) numberOr(i int, what string, or float64) float64 {
	if L.Get(i) == lua.LNil {
		return or
	}
	return L.number(i, what)
}

// finite returns argument i, a finite number.
func (L call) finite(i int, what string) float64 {
	v := L.number(i, what)
	if v-v != 0 {
		L.RaiseError("%s is %s: it must be finite", what, formatNumber(v))
	}
	return v
}

// integer returns argument i, cut to a whole number and clamped.
func (L call) integer(i int, what string) int { return clampInt(L.number(i, what)) }

// integerOr is integer with a default for an argument that is absent or nil.
func (L call) integerOr(i int, what string, or int) int {
	if L.Get(i) == lua.LNil {
		return or
	}
	return L.integer(i, what)
}

// text returns argument i, a string. A number counts as its text. The parts of what name the argument
// in an error; they are joined only then, because that costs time.
func (L call) text(i int, what ...string) string {
	switch v := L.Get(i).(type) {
	case lua.LString:
		return string(v)
	case lua.LNumber:
		return L.numberText(v)
	}
	L.RaiseError("%s must be a string, not %s", strings.Join(what, ""), aTypeName(L.Get(i)))
	return ""
}

// table returns argument i, a table.
func (L call) table(i int, what string) *lua.LTable {
	t, ok := L.Get(i).(*lua.LTable)
	if !ok {
		L.RaiseError("%s must be a table, not %s", what, aTypeName(L.Get(i)))
	}
	L.whole(t)
	return t
}

// operand returns argument i, an operand of arithmetic: a number, or a string
// that reads as one.
func (L call) operand(i int) float64 {
	switch v := L.Get(i).(type) {
	case lua.LNumber:
		return float64(v)
	case lua.LString:
		L.charge(4 + len(v)/4)
		if n, ok := L.parse(string(v)); ok {
			return n
		}
	}
	L.blame(i)
	L.RaiseError("attempt to perform arithmetic on %s", syntax.AValue(typeName(L.Get(i))))
	return 0
}

// blame notes which operand the error that follows is about.
func (L call) blame(operand int) { L.lang.blame(operand) }

// playerOf returns a number as a PlayerID.
func playerOf(L call, n float64) world.PlayerID {
	p := clampInt(n)
	if float64(p) != n || p < 0 || p > math.MaxUint16 {
		L.RaiseError("%s is not a player: players are numbers, and 0 stands for none", formatNumber(n))
	}
	return world.PlayerID(p)
}

// atoms returns a pattern as read.
func (L call) atoms(pattern string) []atom { return L.lang.atoms(pattern) }

// run numbers the hook, or the loading, that runs.
func (L call) run() uint64 { return L.lang.run() }

// function makes a Lua function that lives as long as the hook.
func (L call) function(fn func(call) int) *lua.LFunction {
	lang := L.lang
	return L.NewFunction(func(L *lua.LState) int { return fn(lang.call(L)) })
}
