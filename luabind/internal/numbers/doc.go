// Package numbers makes Lua numbers without garbage.
//
// A lua.LValue that is a number points to eight bytes. Go allocates new ones for
// each number that a library function returns, and gopher-lua allocates blocks of
// 32 for the results of arithmetic. Hooks run thousands of times in a tick, and no
// value of Lua outlives a hook, so the next hook can use the same memory.
//
//	n := numbers.New()
//	n.Watch(L)                // includes the results of its arithmetic
//	L.Push(n.Value(0.5))
//	n.Keep()                  // what was made so far stays: the constants of a file
//	n.Reuse()                 // what was made since then must not be used any more
//
// This depends on the representation of Go's types in two places: there is no
// other way to put a number in memory of one's own into an interface, and the
// allocator of gopher-lua is an unexported field. If gopher-lua has another layout
// than this package expects, Watch does nothing, and a test fails.
package numbers
