package luabind

import (
	"slices"
	"sort"
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// entry is a function that scripts can call.
type entry struct {
	name string
	fn   func(*VM, *lua.LState) int
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

// otherGlobals are the names in a script's world that are no functions.
var otherGlobals = []string{"game", "arena"}

// library knows all names that belong to the language, for checks while
// compiling.
type library struct {
	globals map[string]bool
	members map[string]map[string]bool
	methods map[string]bool // of objects

	reserved []string // names that no field and no method of a script may take
}

func newLibrary() *library {
	l := &library{globals: map[string]bool{}, members: map[string]map[string]bool{}, methods: map[string]bool{}}
	l.reserved = append(l.reserved, "class", "id", "objProps", "owner")
	for _, m := range methodEntries() {
		l.methods[m.name] = true
		l.reserved = append(l.reserved, m.name)
	}
	slices.Sort(l.reserved)
	for _, list := range [][]entry{baseEntries(), worldEntries(), declareEntries()} {
		for _, e := range list {
			l.globals[e.name] = true
		}
	}
	for _, n := range otherGlobals {
		l.globals[n] = true
	}
	for _, s := range shelves() {
		l.globals[s.name] = true
		l.members[s.name] = map[string]bool{}
		for _, e := range s.entries {
			l.members[s.name][e.name] = true
		}
		// order: they go into another map
		for n := range s.numbers {
			l.members[s.name][n] = true
		}
	}
	return l
}

func (l *library) has(name string) bool { return l.globals[name] }

// member tells whether base.key is in a library. full is its whole name or,
// when there is no such member, why.
func (l *library) member(base, key string) (known bool, full string) {
	m, ok := l.members[base]
	switch {
	case !ok:
		return false, ""
	case m[key]:
		return true, base + "." + key
	}
	return false, base + "." + key + " does not exist" + missing(base+"."+key, sortedKeys(m), base+".")
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	// order: sorted next
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// instead says what to use in the place of well-known names that are left out.
var instead = map[string]string{
	"math.random":     "use random(), random(n) or random(a, b): the same again when a tick is run again",
	"math.randomseed": "random() is seeded by the room",
	"pcall":           "an error ends the hook and is reported; check before you call",
	"xpcall":          "an error ends the hook and is reported; check before you call",
	"require":         "all files of the game are loaded, in name order; share through globals",
	"dofile":          "all files of the game are loaded, in name order; share through globals",
	"loadstring":      "scripts are loaded once",
	"load":            "scripts are loaded once",
	"setmetatable":    "declare a class with object \"Name\" { ... }",
	"coroutine":       "keep a step number in state instead",
	"os":              "now() is the time of the world in seconds",
	"io":              "scripts reach the world only; print goes to the log",
	"_G":              "globals are frozen after loading; keep what changes in state",
}

// missing says what is there instead of a name: a hint, or the names nearest
// to it first.
func missing(name string, known []string, prefix string) string {
	if hint, ok := instead[name]; ok {
		return ": " + hint
	}
	near := nearest(strings.TrimPrefix(name, prefix), known)
	if len(near) == 0 {
		return ""
	}
	return "; did you mean " + prefix + near[0] + "?"
}

// nearest gives the known names that are like name, the nearest first.
func nearest(name string, known []string) []string {
	type candidate struct {
		name string
		d    int
	}
	var list []candidate
	for _, k := range known {
		if d := distance(strings.ToLower(name), strings.ToLower(k)); d <= max(1, len(name)/3) {
			list = append(list, candidate{k, d})
		}
	}
	sort.SliceStable(list, func(i, j int) bool { return list[i].d < list[j].d })
	out := make([]string, len(list))
	for i := range list {
		out[i] = list[i].name
	}
	return out
}

// nearestFirst is known with the names that are like name in front.
func nearestFirst(name string, known []string) []string {
	out := nearest(name, known)
	for _, k := range known {
		if !slices.Contains(out, k) {
			out = append(out, k)
		}
	}
	return out
}

// distance is the number of letters to insert, drop, replace or swap with the
// next one to make a into b (Damerau's, adjacent swaps only).
func distance(a, b string) int {
	if len(a) > 64 || len(b) > 64 {
		return 64
	}
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			differ := 1
			if a[i-1] == b[j-1] {
				differ = 0
			}
			d := min(rows[i-1][j]+1, rows[i][j-1]+1, rows[i-1][j-1]+differ)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d = min(d, rows[i-2][j-2]+1)
			}
			rows[i][j] = d
		}
	}
	return rows[len(a)][len(b)]
}
