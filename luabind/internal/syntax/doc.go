// Package syntax parses and compiles the Lua text of scripts. It knows the
// limits of sources, the syntax tree and the byte code, but no world and no
// object: package luabind runs what it compiles.
//
// Parse reads a file, after CheckSources has bounded its size. Compile turns the
// tree into a Chunk in three steps:
//
//  1. The rewriter changes what gopher-lua compiles wrong into what it compiles
//     right, and every operation that a script may do only under control into a
//     call of one of the functions that Get, Set and the other names here stand
//     for. Package luabind implements them: they check, and charge the budget.
//  2. gopher-lua compiles the rewritten tree.
//  3. The verifier reads the byte code. No function may set a global, because such memory would survive a
//     rewind. A local variable of its file it may set if that keeps nothing for another hook, see Locals.
//
// Scripts cannot spell the names of the functions and temporaries that the
// rewriter inserts: they contain parentheses.
package syntax
