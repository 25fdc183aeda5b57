// Package numbers hands out Lua numbers without work for the garbage collector.
//
// A lua.LValue that is a number points to eight bytes. Go makes new ones for each
// that a library function returns, and gopher-lua blocks of 32 for the results of
// arithmetic. Hooks run thousands of times a tick, and nothing of Lua's outlives a
// hook: the same memory does for the next one.
//
//	n := numbers.New()
//	n.Watch(L)                // its arithmetic as well
//	L.Push(n.Value(0.5))
//	n.Keep()                  // what was made so far stays: constants of a file
//	n.Reuse()                 // what was made since then is dead
//
// That needs a look behind Go's types, twice: a number in memory of one's own has no
// other way into an interface, and gopher-lua's allocator is a field that it does not
// export. Where gopher-lua is not built as this package knows it, Watch does nothing,
// and Arithmetic says so.
package numbers
