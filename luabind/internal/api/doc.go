// Package api holds the tables of everything that scripts can declare and call:
// functions, methods, hooks, library tables, and the keys of declarations.
//
// One table serves five readers: package luabind binds what it names and takes
// the reserved names from it, the compiler of scripts resolves library names
// with it (Library), the linter checks names against it, and package reference
// makes the reference page and the editors' definitions of it.
//
// To add a function, describe it in the section that it belongs to: game.go for objects
// and the world, language.go for the libraries, joint.go, view.go, bot.go and tests.go
// for theirs. Then bind it in package luabind; a test there names functions that are
// described and not bound, and the reverse.
package api
