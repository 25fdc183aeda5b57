package luabind

import lua "github.com/yuin/gopher-lua"

// entry is a function that scripts can call.
type entry struct {
	name string
	fn   func(*VM, *lua.LState) int
}

func entryNames(list []entry) (names []string) {
	for _, e := range list {
		names = append(names, e.name)
	}
	return names
}

// shelf is a table of functions and constants under one global name.
type shelf struct {
	name    string
	entries []entry
	numbers map[string]float64
}

// shelves are the library's tables.
func shelves() []shelf {
	return []shelf{mathShelf(), stringShelf(), tableShelf(), vecShelf()}
}
