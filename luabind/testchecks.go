package luabind

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// testChecks are the methods of the t of a test, except t:world.
type testChecks struct {
	out    *testLog
	fields *fields
}

// entries returns all checks.
func (k *testChecks) entries() []entry {
	return []entry{{"eq", k.eq}, {"near", k.near}, {"ok", k.ok}, {"fail", k.fail}, {"log", k.log}}
}

// eq implements t:eq(got, want, message). The test goes on.
func (k *testChecks) eq(L call) int {
	got, want := k.plain(L, L.Get(2), 0), k.plain(L, L.Get(3), 0)
	if !equalValues(got, want, 0) {
		a, b, hint := showBoth(got, want)
		k.out.sayHere(L, true, "%sgot %s, want %s%s", prefix(L, 4), a, b, hint)
	}
	return 0
}

// near implements t:near(got, want, within, message).
func (k *testChecks) near(L call) int {
	got, want := L.number(2, "near: the first argument"), L.number(3, "near: the second argument")
	within := L.number(4, "near: within")
	if d := math.Abs(got - want); !(d <= within) {
		a, b, _ := showBoth(lua.LNumber(got), lua.LNumber(want))
		k.out.sayHere(L, true, "%sgot %s, want %s within %s", prefix(L, 5), a, b, formatNumber(within))
	}
	return 0
}

// showBoth shows two values that are not equal, with as many digits as tell their numbers apart, and what to do if these
// are as close as that.
func showBoth(got, want lua.LValue) (a, b, hint string) {
	if a, b = showValue(got, 0), showValue(want, 0); a != b {
		return a, b, ""
	}
	if n, isNumber := got.(lua.LNumber); isNumber && n != n {
		return a, b, "; nan is equal to nothing, not even to itself"
	}
	exact := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
	if a, b = showWith(exact, got, 0), showWith(exact, want, 0); a != b {
		hint = "; numbers that were computed are seldom equal: t:near(got, want, 1e-9)"
	}
	return a, b, hint
}

// ok implements t:ok(v, message).
func (k *testChecks) ok(L call) int {
	if !lua.LVAsBool(L.Get(2)) {
		k.out.sayHere(L, true, "%sgot %s", prefix(L, 3), showValue(k.plain(L, L.Get(2), 0), 0))
	}
	return 0
}

// prefix returns the optional message of a check.
func prefix(L call, i int) string {
	if L.Get(i) == lua.LNil {
		return ""
	}
	return toText(L.Get(i)) + ": "
}

// fail implements t:fail(message). It ends the test.
func (k *testChecks) fail(L call) int {
	L.RaiseError("%s", k.joined(L))
	return 0
}

// log implements t:log(...). Its line is shown with -v and when the test fails.
func (k *testChecks) log(L call) int {
	k.out.sayHere(L, false, "%s", k.joined(L))
	return 0
}

func (k *testChecks) joined(L call) string {
	var parts []string
	for i := 2; i <= L.GetTop(); i++ {
		parts = append(parts, showPlain(k.plain(L, L.Get(i), 0)))
	}
	return strings.Join(parts, " ")
}

// maxShown is how deep nested tables are compared and shown.
const maxShown = 8

// plain returns a value with the lists and records of state in it as tables.
func (k *testChecks) plain(L call, v lua.LValue, depth int) lua.LValue {
	t, isTable := v.(*lua.LTable)
	if depth > maxShown || !isTable && asPart(v) == nil {
		return v
	}
	var keys []lua.LValue
	if isTable {
		keys = sortedTableKeys(t)
	} else {
		keys = k.fields.keysIn(L, v)
	}
	out, same := L.CreateTable(0, len(keys)), isTable
	for _, key := range keys {
		value := k.fields.at(L, v, key)
		inside := k.plain(L, value, depth+1)
		same = same && inside == value
		out.RawSet(key, inside)
	}
	if same {
		return v
	}
	return out
}

// equalValues compares two values, tables by their contents.
func equalValues(a, b lua.LValue, depth int) bool {
	s, isTable := a.(*lua.LTable)
	t, areTables := b.(*lua.LTable)
	if !isTable || !areTables || s == t || depth > maxShown {
		return a == b
	}
	keys := sortedTableKeys(s)
	if len(keys) != len(sortedTableKeys(t)) {
		return false
	}
	return !slices.ContainsFunc(keys,
		func(k lua.LValue) bool { return !equalValues(valueAt(s, k), valueAt(t, k), depth+1) })
}

// showValue returns a value as a script would write it.
func showValue(v lua.LValue, depth int) string { return showWith(formatNumber, v, depth) }

// showWith is showValue with another form of numbers.
func showWith(number func(float64) string, v lua.LValue, depth int) string {
	switch v := v.(type) {
	case lua.LNumber:
		return number(float64(v))
	case lua.LString:
		return fmt.Sprintf("%q", string(v))
	case *lua.LTable:
		if depth >= maxShown {
			return "{...}"
		}
		var parts []string
		n := v.Len()
		for _, k := range sortedTableKeys(v) {
			text := showWith(number, valueAt(v, k), depth+1)
			if i, isNumber := k.(lua.LNumber); !isNumber || float64(i) < 1 || float64(i) > float64(n) {
				text = toText(k) + " = " + text
			}
			parts = append(parts, text)
		}
		return "{" + strings.Join(parts, ", ") + "}"
	}
	return toText(v)
}

func showPlain(v lua.LValue) string {
	if s, ok := v.(lua.LString); ok {
		return string(s)
	}
	return showValue(v, 0)
}

// testLog has the output of a test.
type testLog struct {
	lines []TestLine
}

// say notes a line.
func (l *testLog) say(file string, line int, text string, failed bool) {
	l.lines = append(l.lines, TestLine{file, line, text, failed})
}

// sayHere notes a line at the place of the script that runs.
func (l *testLog) sayHere(L call, failed bool, format string, args ...any) {
	file, line := placeOf(L.LState)
	l.say(file, line, fmt.Sprintf(format, args...), failed)
}

// all returns the lines.
func (l *testLog) all() []TestLine { return l.lines }
