// Package luabind runs the Lua scripts of a game on a world.
//
// Compile makes a script from the files of a bundle. It is a world.Compile, which a
// host.Config and a client.Config take as it is:
//
//	script, err := luabind.Compile(files, setup) // every problem, FILE:LINE: message
//	...
//	err = script.Call(w.Actor(), world.ApplyInput, slot, &world.Args{Input: in})
//
// The script is a VM. A VM serves one goroutine. NewProgram compiles without
// making a VM; several VMs may share its result.
//
// Other files of a game are loaded by other functions: NewView loads view.lua; NewBot loads a
// player written in Lua; NewTests loads a test file, which runs on a Stage. View and Bot read a
// world and change nothing in it.
//
// # What is declared
//
// Besides classes (declaration), the files declare the state of the match and of each player, the
// timers that hooks start (timers), teams (teams), the functions that the host program and
// players call (hostCalls), and what a player is asked before joining (lobby, entryform.go).
//
// A View turns cues into effects. It also describes what is shown over the game: hud and camera
// run on a Frame, some 20 times a second, and give a HUD (hud, scoreboard, camera); tileMaps are
// decoration. What it remembers between calls is the table of keep (memory), which is not rewound.
//
// # Guests
//
// Scripts are guests. They can use the API and nothing else. A hook has a budget of
// instructions and memory that is the same on every machine. When a hook exceeds its
// budget, or anything else goes wrong in it, Call returns a *world.ScriptError, and the
// VM can go on. A script has no memory except the fields that it declares: after
// loading, globals, tables and captured variables are frozen, so a rewind has nothing
// to restore in a VM.
//
// # Concurrency
//
// A VM serves one goroutine at a time, and so do a Bot, Tests and a View. A Program never
// changes: goroutines may share it, and each makes VMs of its own. Functions of the package
// may be called from any goroutine.
//
// # How a call runs
//
// Package syntax compiles the files. Every write to a table, every ".." and "^",
// every constructor and every closure becomes a call of a function of this
// package, which checks it and charges the budget.
//
// A VM is composed of parts, listed at its type. VM.Call sets the budget and hands
// the hook to the runner. The runner makes the object the acting one (scene),
// pushes the arguments (hookArgs) and calls the function (interpreters). The
// functions that scripts call are methods of parts, grouped by what they do:
// lists, bodies, queries, spawner, joints, cues. Each takes a call: the stack of
// the interpreter, and methods to read arguments, to make results, and to charge
// for work.
//
// The fields of an object are read by fields and written by writer. The lists and
// records among them lie flat in the object's row (shape, part). An object sees
// others as they were when the order began, and what it writes to them takes
// effect when the order ends; package world does that.
//
// # What a hook may have for itself
//
// Tables, metatables and the order of their keys live as long as a hook: what language keeps about
// them (keyOrder, metas) begins each hook as loading left it, so that no hook costs more or less
// because of another. A metatable of a script is never that of the interpreter, which gets shadows of it
// (meta), because the field also marks tables as read-only. pcall runs its function in an interpreter of
// its own (protector). Files that others require run once, while loading (modules).
//
// # How to add a function
//
//  1. Describe it in a section of luabind/internal/api. That makes it known to
//     the compiler, to package lint, to the reference page and to the editors'
//     definitions (package reference).
//  2. Write it as a method of the part that it belongs to, func(L call) int, and
//     put it into that part's entries, or methods for a method of objects.
//  3. Refuse it where it may not be called (rights), charge the budget, and give it to
//     rules in Go (package goscript). CONTRIBUTING.md has the whole list.
//  4. Write the page again: go test ./luabind/reference -run ReferencePage -update,
//     and the list of published names: go test ./luabind/internal/api -update.
//
// TestBoundFunctionsAreDescribed names functions that are described and not bound, and
// the reverse.
//
// # What differs from Lua 5.1
//
// docs/scripting.md lists the differences. The programs in testdata/lua51, and
// programs made at random, behave as in PUC Lua 5.1 (differential_test.go).
package luabind
