package luabind

import (
	"math"
	"slices"

	lua "github.com/yuin/gopher-lua"
)

// visits are what next knows of the tables that it has visited in the present hook. Each hook begins without any, so
// results and prices follow from what the hook itself has done.
type visits struct {
	of     map[*lua.LTable]*visit
	walks  []*walk // of pairs
	raised bool    // the low of some visit is greater than 1
}

// visit is what next knows of a table. The keys of the array part are in order by themselves. Those of the hash part
// are sorted once, and keys that are inserted later are put among them by the next call of next. Keys that are removed
// stay until a call has passed by many of them.
type visit struct {
	low    int                     // no value of the array part is before
	high   int                     // the most values that the array part has had
	sorted bool                    // the following are valid; the first look at a table does not sort, it may be the only one
	keys   []rankedKey             // of the hash part, in order, and some without a value
	start  int                     // the keys before have no value
	gone   map[lua.LValue]struct{} // keys that were among them
	added  []lua.LValue            // keys of the hash part that are not yet among them
	last   rankedKey               // the key that next returned last, which may be removed since
	hint   int                     // the index of what followed it
}

const (
	// nextCost is the price of a call of next, in instructions.
	nextCost = 4
	// visitBytes is the memory of a visit without keys, and visitedBytes that of a key of it.
	visitBytes, visitedBytes = 192, 24
	// movePrice is how many keys move up for one instruction, when others are put among them.
	movePrice = 8
	// searchCost is the price of a key's place among the sorted keys.
	searchCost = 8
	// fewScanned is how many keys without a value stay in any case.
	fewScanned = 16
)

// begin forgets the visits of the hook before.
func (vs *visits) begin() { *vs = visits{} }

// adds notes a key of the hash part that has had no value before.
func (L call) adds(t *lua.LTable, key lua.LValue) {
	if v := L.lang.visits.of[t]; v != nil && v.sorted {
		L.alloc(16)
		v.added = append(v.added, key)
	}
}

// shifts notes that the array part has other values from index n on.
func (L call) shifts(t *lua.LTable, n int) {
	if !L.lang.visits.raised {
		return
	}
	if v := L.lang.visits.of[t]; v != nil {
		v.low = min(v.low, n)
	}
}

// visit returns what is known of a table, and whether that is nothing yet.
func (L call) visit(t *lua.LTable) (v *visit, isNew bool) {
	vs := &L.lang.visits
	if v = vs.of[t]; v != nil {
		return v, false
	}
	if vs.of == nil {
		vs.of = map[*lua.LTable]*visit{}
	}
	L.alloc(visitBytes)
	v = &visit{low: 1, last: rankedKey{key: lua.LNil}}
	vs.of[t] = v
	return v, true
}

// luaNext implements next(t, key): the key that follows in the order of pairs, and its value.
func luaNext(L call) int {
	t, after := L.table(1, "next: the first argument"), L.Get(2)
	L.charge(nextCost + textWork(after))
	v, isNew := L.visit(t)
	v.high = max(v.high, t.MaxN())
	if after != lua.LNil && valueAt(t, after) == lua.LNil && !v.had(L, t, after) {
		L.RaiseError("next: the table has no key %s", toText(after))
	}
	if isNew {
		L.empty(t, t.MaxN())
		v.sorted = !hasHash(t)
	}
	if after == lua.LNil && !v.sorted && isNew {
		v.last = v.first(L, t)
	} else {
		v.arrange(L, t)
		v.step(L, t, after)
	}
	L.Push(v.last.key)
	if v.last.key == lua.LNil {
		return 1
	}
	L.charge(textWork(v.last.key))
	L.Push(valueAt(t, v.last.key))
	return 2
}

// had reports whether a table had a key that it does not have now, when next or pairs passed by it.
func (v *visit) had(L call, t *lua.LTable, key lua.LValue) bool {
	if v.last.key == key {
		return true
	}
	if hasRank(key) {
		return L.lang.order.rank(t, key) > 0
	}
	if n, isNumber := key.(lua.LNumber); isNumber && n >= 1 && n <= lua.LNumber(v.high) && n == lua.LNumber(math.Floor(float64(n))) {
		return true
	}
	L.charge(searchCost + 16*textWork(key))
	if _, found := slices.BinarySearchFunc(v.keys, rankedKey{key: key}, compareRanked); found {
		return true
	}
	if _, found := v.gone[key]; found {
		return true
	}
	for _, w := range L.lang.visits.walks {
		L.charge(1)
		if w.table == lua.LValue(t) {
			L.charge(searchCost + 16*textWork(key))
			if _, found := slices.BinarySearchFunc(w.keys, key, compareKeys); found {
				return true
			}
		}
	}
	return false
}

// leave notes a key that is no longer among the sorted ones.
func (v *visit) leave(L call, key lua.LValue) {
	L.alloc(visitedBytes)
	if v.gone == nil {
		v.gone = map[lua.LValue]struct{}{}
	}
	v.gone[key] = struct{}{}
}

// hasHash reports whether a table has keys besides those of its array part.
func hasHash(t *lua.LTable) bool {
	var from lua.LValue = lua.LNil
	if n := t.MaxN(); n > 0 {
		from = lua.LNumber(n)
	}
	key, _ := t.Next(from)
	return key != lua.LNil
}

// first returns the first key of a table without sorting its keys.
func (v *visit) first(L call, t *lua.LTable) rankedKey {
	o, best, cost := &L.lang.order, rankedKey{key: lua.LNil}, t.MaxN()
	eachHash(t, func(k lua.LValue) {
		cost += sortCost(k) / 4
		if e := o.ranked(t, k); best.key == lua.LNil || compareRanked(e, best) < 0 {
			best = e
		}
	})
	L.charge(cost)
	if i := v.inArray(L, t, v.low); i > 0 && !(numberOrder(best.key) < float64(i)) {
		return rankedKey{key: L.num(float64(i))}
	}
	return best
}

// numberOrder returns a key that is a number, and for others what is greater than all numbers of the array part.
func numberOrder(key lua.LValue) float64 {
	if n, ok := key.(lua.LNumber); ok {
		return float64(n)
	}
	return math.Inf(1)
}

// eachHash calls f for the keys of the hash part.
func eachHash(t *lua.LTable, f func(key lua.LValue)) {
	n := lua.LNumber(t.MaxN())
	t.ForEach(func(k, _ lua.LValue) {
		if i, isNumber := k.(lua.LNumber); isNumber && i >= 1 && i <= n && i == lua.LNumber(math.Floor(float64(i))) {
			return
		}
		f(k)
	})
}

// inArray returns the first index from i on under which the array part has a value, 0 if there is none.
func (v *visit) inArray(L call, t *lua.LTable, i int) int {
	n, from := t.MaxN(), i
	for i <= n && t.RawGetInt(i) == lua.LNil {
		i++
	}
	L.charge((i - from) / placesPrice)
	if i > n {
		return 0
	}
	return i
}

// arrange makes the sorted keys those of the table.
func (v *visit) arrange(L call, t *lua.LTable) {
	o := &L.lang.order
	if !v.sorted {
		n, cost := 0, t.MaxN()
		eachHash(t, func(k lua.LValue) { n, cost = n+1, cost+sortCost(k) })
		L.alloc(visitedBytes * n)
		L.charge(cost)
		L.empty(t, t.MaxN())
		v.keys = make([]rankedKey, 0, n)
		eachHash(t, func(k lua.LValue) { v.keys = append(v.keys, o.ranked(t, k)) })
		sortRanked(v.keys)
		v.sorted = true
		if v.last.key != lua.LNil && t.RawGetH(v.last.key) == lua.LNil {
			v.leave(L, v.last.key)
		}
		return
	}
	if len(v.added) > 0 {
		v.include(L, t)
	}
}

// include puts the keys that were inserted among the others.
func (v *visit) include(L call, t *lua.LTable) {
	o, cost := &L.lang.order, 0
	var fresh []rankedKey
	for _, k := range v.added {
		cost += 2 + sortCost(k)/2
		if t.RawGetH(k) != lua.LNil {
			fresh = append(fresh, o.ranked(t, k))
		}
	}
	L.charge(cost + searchCost*len(fresh))
	v.added = v.added[:0]
	sortRanked(fresh)
	fresh = slices.CompactFunc(fresh, func(a, b rankedKey) bool { return compareRanked(a, b) == 0 })
	fresh = slices.DeleteFunc(fresh, func(e rankedKey) bool { // removed, and inserted again
		at, found := slices.BinarySearchFunc(v.keys, e, compareRanked)
		v.start = min(v.start, at)
		return found
	})
	if len(fresh) == 0 {
		return
	}
	least, _ := slices.BinarySearchFunc(v.keys, fresh[0], compareRanked)
	L.charge((len(v.keys) - least) / movePrice)
	L.alloc(visitedBytes * len(fresh))
	end := len(v.keys)
	v.keys = append(v.keys, fresh...)
	for i := len(fresh) - 1; i >= 0; i-- {
		at, _ := slices.BinarySearchFunc(v.keys[:end], fresh[i], compareRanked)
		copy(v.keys[at+i+1:], v.keys[at:end])
		v.keys[at+i], end = fresh[i], at
	}
}

// step makes last the key that follows a key.
func (v *visit) step(L call, t *lua.LTable, after lua.LValue) {
	at, i := v.start, 0
	switch n := after.(type) {
	case *lua.LNilType:
		if i = v.inArray(L, t, v.low); i > 0 {
			v.low = i
		} else {
			v.low = t.MaxN() + 1
		}
		L.lang.visits.raised = L.lang.visits.raised || v.low > 1
	case lua.LNumber:
		at = v.behind(L, t, after)
		if n < maxArray {
			i = v.inArray(L, t, max(clampInt(math.Floor(float64(n))), 0)+1)
		}
	default:
		at = v.behind(L, t, after)
	}
	if i > 0 && (at == len(v.keys) || numberOrder(v.keys[at].key) > float64(i)) {
		v.last, v.hint = rankedKey{key: L.num(float64(i))}, at
		return
	}
	from := at
	for at < len(v.keys) && !v.lives(L, t, at) {
		at++
	}
	L.charge(1 + at - from)
	if i > 0 && (at == len(v.keys) || numberOrder(v.keys[at].key) > float64(i)) {
		v.last, v.hint = rankedKey{key: L.num(float64(i))}, at
		return
	}
	if at == len(v.keys) {
		v.last, v.hint = rankedKey{key: lua.LNil}, 0
	} else {
		v.last, v.hint = v.keys[at], at+1
	}
	switch {
	case after == lua.LNil:
		v.start = at
	case at-from > fewScanned && 2*(at-from) > len(v.keys)-v.start:
		v.tidy(L, t)
	}
}

// lives reports whether the table has a sorted key, in this place.
func (v *visit) lives(L call, t *lua.LTable, at int) bool {
	e := &v.keys[at]
	return t.RawGetH(e.key) != lua.LNil && (!hasRank(e.key) || L.lang.order.rank(t, e.key) == e.rank)
}

// tidy drops the sorted keys that have no value.
func (v *visit) tidy(L call, t *lua.LTable) {
	L.charge(len(v.keys))
	kept := v.keys[:0]
	for at, e := range v.keys {
		if v.lives(L, t, at) {
			kept = append(kept, e)
		} else if !hasRank(e.key) {
			v.leave(L, e.key)
		}
	}
	v.keys, v.start = kept, 0
}

// behind returns the index of the first sorted key that follows a key.
func (v *visit) behind(L call, t *lua.LTable, key lua.LValue) int {
	e := L.lang.order.ranked(t, key) // a removed one is where it was last
	if v.hint > 0 && v.hint <= len(v.keys) && v.keys[v.hint-1] == e {
		return v.hint
	}
	if len(v.keys) == 0 || compareRanked(v.keys[0], e) > 0 {
		return 0
	}
	L.charge(searchCost + 16*textWork(key))
	at, found := slices.BinarySearchFunc(v.keys, e, compareRanked)
	if found {
		at++
	}
	return at
}
