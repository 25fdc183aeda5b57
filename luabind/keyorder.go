package luabind

import (
	"slices"
	"strings"

	"github.com/hindcast/hindcast/luabind/internal/syntax"
	lua "github.com/yuin/gopher-lua"
)

// keyOrder remembers in which order tables, functions and coroutines became keys, because nothing else about them
// is the same on every machine. It begins each hook as it was after loading.
type keyOrder struct {
	loaded, made map[keyIn]int // ranks: of keys in tables of files, and of those since the hook began
	first, next  int           // ranks to give: when a hook begins, and next
}

// keyIn is a key of a table.
type keyIn struct {
	table *lua.LTable
	key   lua.LValue
}

// keyCost is the memory of a rank, in bytes.
const keyCost = 64

// begin forgets the keys of the hook before.
func (o *keyOrder) begin() {
	if o.made != nil {
		o.made = nil // a map that has grown takes long to clear
	}
	o.next = o.first
}

// keep makes the ranks given so far those of the files.
func (o *keyOrder) keep() { o.loaded, o.made, o.first = o.made, nil, o.next }

// add gives a new key of a table the next rank.
func (o *keyOrder) add(t *lua.LTable, key lua.LValue) {
	if o.made == nil {
		o.made = map[keyIn]int{}
	}
	o.next++
	o.made[keyIn{t, key}] = o.next
}

// rank returns the rank that a key has, or had until it was removed; 0 if it never was one. Inserted again, it is the
// last.
func (o *keyOrder) rank(t *lua.LTable, key lua.LValue) int {
	if n, ok := o.made[keyIn{t, key}]; ok {
		return n
	}
	return o.loaded[keyIn{t, key}]
}

// hasRank reports whether a key is ordered by its rank.
func hasRank(key lua.LValue) bool {
	switch key.(type) {
	case *lua.LTable, *lua.LFunction, *lua.LState:
		return true
	}
	return false
}

// rankedKey is a key of a table with its rank, 0 if it has none.
type rankedKey struct {
	key  lua.LValue
	rank int
}

// ranked returns a key with its rank.
func (o *keyOrder) ranked(t *lua.LTable, key lua.LValue) rankedKey {
	if hasRank(key) {
		return rankedKey{key, o.rank(t, key)}
	}
	return rankedKey{key, 0}
}

// compareRanked orders the keys of a table as pairs visits them.
func compareRanked(a, b rankedKey) int {
	if hasRank(a.key) && hasRank(b.key) {
		return a.rank - b.rank
	}
	return compareKeys(a.key, b.key)
}

// sortRanked sorts keys as pairs visits them.
func sortRanked(keys []rankedKey) {
	var of [5][]rankedKey
	for _, k := range keys {
		kind := keyRank(k.key)
		of[kind] = append(of[kind], k)
	}
	if numbers := of[keyRank(lua.LNumber(0))]; !slices.IsSortedFunc(numbers, compareNumbers) { // those of a list are
		slices.SortFunc(numbers, compareNumbers)
	}
	slices.SortFunc(of[keyRank(lua.LString(""))], func(a, b rankedKey) int {
		return strings.Compare(string(a.key.(lua.LString)), string(b.key.(lua.LString)))
	})
	for kind := keyRank(lua.LTrue); kind < len(of)-1; kind++ {
		slices.SortFunc(of[kind], compareRanked)
	}
	slices.SortFunc(of[len(of)-1], func(a, b rankedKey) int { return a.rank - b.rank })
	n := 0
	for _, list := range of {
		n += copy(keys[n:], list)
	}
}

func compareNumbers(a, b rankedKey) int { return compare(a.key.(lua.LNumber), b.key.(lua.LNumber)) }

// keys returns the keys of a table as pairs visits them.
func (o *keyOrder) keys(t *lua.LTable) []lua.LValue {
	var ranked []rankedKey
	t.ForEach(func(k, _ lua.LValue) { ranked = append(ranked, o.ranked(t, k)) })
	sortRanked(ranked)
	keys := make([]lua.LValue, len(ranked))
	for i, k := range ranked {
		keys[i] = k.key
	}
	return keys
}

// setByIdentity writes under a key that is a table, a function, a coroutine or an object.
func (L call) setByIdentity(t *lua.LTable, key, value lua.LValue) {
	if u, ok := key.(*lua.LUserData); ok {
		if _, isHandle := u.Value.(*handle); !isHandle {
			L.RaiseError("%s cannot be a table key, because it stands for a place in an object's state: use the object",
				syntax.AValue(typeName(key)))
		}
	}
	absent := t.RawGetH(key) == lua.LNil
	switch {
	case absent && value == lua.LNil:
		return
	case absent:
		L.entry()
		L.alloc(keyCost)
		if hasRank(key) {
			L.lang.order.add(t, key)
		}
		L.adds(t, key)
	case value == lua.LNil:
		L.leaves(value)
	}
	t.RawSetH(key, value)
}
