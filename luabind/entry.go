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

// libraryTable is a table of functions and constants under one global name.
type libraryTable struct {
	Name    string
	Entries []entry
	Numbers map[string]float64
}

// libraryTables returns the library's tables that need nothing but the language.
func libraryTables() []libraryTable { return []libraryTable{mathTable(), stringTable(), vecTable()} }
