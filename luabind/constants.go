package luabind

import (
	"fmt"
	"slices"

	"github.com/hindcast/hindcast/luabind/internal/ident"
	lua "github.com/yuin/gopher-lua"
)

// leaves collects the values in a table by their paths. over are the tables
// around it.
func leaves(path string, t *lua.LTable, out map[string]string, over map[*lua.LTable]bool) {
	over[t] = true
	defer delete(over, t)
	for _, k := range sortedTableKeys(t) {
		if hasRank(k) {
			continue // it has no name
		}
		at := path + "." + toText(k)
		if _, isNumber := k.(lua.LNumber); isNumber {
			at = path + "[" + toText(k) + "]"
		}
		v := valueAt(t, k)
		if inner, ok := v.(*lua.LTable); ok && !over[inner] {
			leaves(at, inner, out, over)
		} else if s, ok := v.(lua.LString); ok {
			out[at] = fmt.Sprintf("%q", string(s))
		} else {
			out[at] = toText(v)
		}
	}
}

// ConstantChanges lists the constants in objProps that differ between two
// programs, a line each, sorted by name.
func ConstantChanges(from, to *VM) (lines []string) {
	before, now := from.constants(), to.constants()
	for _, n := range slices.Compact(slices.Sorted(slices.Values(append(ident.Keys(before), ident.Keys(now)...)))) {
		a, had := before[n]
		b, has := now[n]
		switch {
		case !had:
			lines = append(lines, fmt.Sprintf("%s added (%s)", n, b))
		case !has:
			lines = append(lines, fmt.Sprintf("%s removed (it was %s)", n, a))
		case a != b:
			lines = append(lines, fmt.Sprintf("%s was %s, is %s", n, a, b))
		}
	}
	return lines
}
