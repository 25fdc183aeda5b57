package luabind

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	lua "github.com/yuin/gopher-lua"
)

// toText implements tostring. It shows no addresses, and numbers as Lua 5.1 does.
func toText(v lua.LValue) string {
	switch v := v.(type) {
	case lua.LString:
		return string(v)
	case lua.LNumber:
		return formatNumber(float64(v))
	case lua.LBool:
		if v {
			return "true"
		}
		return "false"
	case *lua.LUserData:
		if h, ok := v.Value.(*handle); ok {
			return h.Class.def().Name + " " + h.ID.String()
		}
		if p, ok := v.Value.(*part); ok {
			return p.Shape.what() + " " + p.path()
		}
	}
	return typeName(v)
}

// typeName returns the type of a value as scripts know it.
func typeName(v lua.LValue) string {
	if u, ok := v.(*lua.LUserData); ok {
		switch v := u.Value.(type) {
		case *handle:
			return "object"
		case *part:
			return v.Shape.what()
		}
	}
	return v.Type().String()
}

// formatNumber returns %.14g of C, with one form for each value that is not a
// number.
func formatNumber(v float64) string {
	switch {
	case v != v:
		return "nan"
	case math.IsInf(v, 1):
		return "inf"
	case math.IsInf(v, -1):
		return "-inf"
	}
	return strconv.FormatFloat(v, 'g', 14, 64)
}

// numberOf returns the number that a word of state stores.
func numberOf(word uint64) float64 { return math.Float64frombits(word) }

// clampInt returns the whole part of a number, clamped to 31 bits and a sign.
// The conversion of larger numbers differs between CPUs.
func clampInt(v float64) int {
	const limit = math.MaxInt32
	switch {
	case v != v:
		return 0
	case v >= limit:
		return limit
	case v <= -limit:
		return -limit
	}
	return int(v)
}

// sortedTableKeys returns the keys of a table in the order in which scripts see
// them: numbers ascending, then strings by their bytes, then false and true, then objects by id. Tables and
// functions among them are in any order: see keyOrder.
func sortedTableKeys(t *lua.LTable) []lua.LValue {
	var keys []lua.LValue
	t.ForEach(func(k, _ lua.LValue) { keys = append(keys, k) })
	slices.SortFunc(keys, compareKeys)
	return keys
}

func keyRank(v lua.LValue) int {
	switch v.(type) {
	case lua.LNumber:
		return 0
	case lua.LString:
		return 1
	case lua.LBool:
		return 2
	case *lua.LUserData:
		return 3
	}
	return 4 // tables, functions and coroutines
}

func compareKeys(a, b lua.LValue) int {
	if ra, rb := keyRank(a), keyRank(b); ra != rb {
		return ra - rb
	}
	switch a := a.(type) {
	case lua.LNumber:
		return compare(a, b.(lua.LNumber))
	case lua.LString:
		return compare(a, b.(lua.LString))
	case *lua.LUserData:
		if a, ok := a.Value.(*handle); ok {
			if b, ok := b.(*lua.LUserData).Value.(*handle); ok {
				return cmp.Compare(a.ID, b.ID)
			}
		}
	}
	return compare(toText(a), toText(b))
}

func compare[T lua.LNumber | lua.LString | string](a, b T) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

func aTypeName(v lua.LValue) string {
	if v == lua.LNil {
		return "nil"
	}
	if n := typeName(v); n != "object" {
		return "a " + n
	}
	return "an object"
}
