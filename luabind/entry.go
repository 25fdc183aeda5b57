package luabind

// entry is a function that scripts can call, with its name.
type entry struct {
	Name string
	Fn   func(call) int
}

// extra is a function for files of a special kind: tests and view.lua.
type extra struct {
	entry
	LoadingOnly bool // it is called while the files are loaded
}

func entryNames(list []extra) (names []string) {
	for _, e := range list {
		names = append(names, e.Name)
	}
	return names
}

// shelf is a table of functions and constants under one global name.
type shelf struct {
	Name    string
	Entries []entry
	Numbers map[string]float64
}

// shelves returns the library's tables that need nothing but the language.
func shelves() []shelf { return []shelf{mathShelf(), stringShelf(), vecShelf()} }
