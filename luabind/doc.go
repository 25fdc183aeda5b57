// Package luabind runs a game's Lua scripts on a world.
//
// Compile takes the files of a bundle through limits, parser, a rewriting of
// the syntax tree, gopher-lua's compiler and a verifier, and loads them once.
// What comes out is a Program; each thread that simulates makes a VM of it:
//
//	prog, err := luabind.Compile(files, setup) // every problem, FILE:LINE: message
//	vm := prog.NewVM()
//	w.Load(nil, vm.Schema())
//	...
//	err = vm.Call(w, world.ApplyInput, slot, &world.Args{Input: in})
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
// before each instruction. Nested onSpawn hooks run on interpreters of their
// own (VM.states).
//
// The state fields of an object are read and written through (get) and (set),
// handle.go; methods are looked up in a table of the class, class.go. An
// object reads others as they were when the present order began, and writes to
// them take effect when it ends: package world does that.
//
// # What differs from Lua 5.1
//
// pairs and next go through numbers ascending, then strings by their bytes,
// then booleans; other values cannot be keys. Tail calls take up stack: calls
// nest at most 160 deep. Strings have at most 1024 bytes, lists 65535 values.
// Computed keys of a constructor are put in after all other fields. Reading a
// global that no file sets is an error when loading. table.sort is stable. Left
// out: io, os, debug, load, require, coroutine, pcall, metatables, patterns,
// math.random, goto.
//
// # Left out of this version
//
// Lists and records as fields, joints, moveAndSlide, attach, asSeen, cues,
// input:held, levels of detail other than "predict", authority "owner",
// independent ticking.
package luabind
