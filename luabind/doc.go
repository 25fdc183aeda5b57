// Package luabind runs a game's Lua scripts on a world.
//
// Compile takes the files of a bundle through limits, parser, a rewriting of
// the syntax tree, gopher-lua's compiler and a verifier, and loads them once.
// What comes out is a Program; each thread that simulates makes a VM of it:
//
//	prog, err := luabind.NewProgram(files, setup) // every problem, FILE:LINE: message
//	vm := prog.NewVM()
//	w.Load(nil, vm.Schema())
//	...
//	err = vm.Call(w, world.ApplyInput, slot, &world.Args{Input: in})
//
// Besides running games: NewBot and NewTests load files of their own kind, which
// look at a world and change nothing (testfile.go: a Stage does it for them);
// NewView loads a game's view.lua, which makes effects of cues (view.go);
// Check finds likely mistakes by walking the syntax trees (lint.go); API
// describes all that scripts can use, and Reference and Definitions are made of
// it (api.go). To add a function: write it, put it into its list of entries, and
// describe it in api_game.go or api_library.go; a test says what is missing.
//
// Scripts are guests. They reach what the API hands them and nothing else. A
// hook has a budget of instructions and memory, the same on every machine;
// when it is spent, or anything else goes wrong, Call gives a
// *world.ScriptError and the VM goes on. A script has no memory but the fields
// that it declares: after loading, globals, tables and captured variables are
// frozen, so a rewind has nothing to restore here.
//
// # How that is done
//
// gopher-lua compiles some programs wrong, can be made to panic, and has no
// limit of memory. The rewriter (rewrite.go) turns what it compiles wrong into
// what it compiles right, and every write to a table, "..", "^", constructor
// and closure into a call of ours, which checks and charges. The verifier
// (verify.go) reads the byte code: no function sets a global or a variable of
// its file. The budget (budget.go) is the context that the interpreter asks
// before each instruction; patterns pay for each step (match.go). Nested
// onSpawn hooks run on interpreters of their own (VM.states). As nothing outlives a
// hook, the numbers that one was given and computed are the memory of the next
// one's (package numbers).
//
// The state fields of an object are read and written through (get) and (set),
// handle.go, and so are the lists and records among them, which lie flat in the
// object's row (shape.go, part.go). Methods are looked up in a table of the
// class, class.go. An object reads others as they were when the present order began, and writes to
// them take effect when it ends: package world does that.
//
// # What differs from Lua 5.1
//
// docs/scripting.md lists it. Programs that are written (testdata/lua51) or made
// at random give what PUC Lua 5.1 gives: see differential_test.go.
package luabind
