// Package lint finds mistakes in the scripts of a game without running a hook: what the
// compiler of scripts refuses, and code that it accepts but that is likely to be wrong,
// such as names that no class declares, inputs that no hook reads, and functions whose
// name is almost that of a hook.
//
//	for _, f := range lint.Check(files, setup) {
//		fmt.Println(f) // FILE:LINE:COL: message; hint
//	}
//
// CheckTests and CheckBot do the same for files that see a game from outside.
//
// A check reads the declarations of all files first (type game), with the help
// of the compiled program where the scripts compile. It then walks the syntax
// trees (walker), follows what values are as far as the text tells (scope), once for each expression (inferred), and
// compares the names that it meets with what is declared (checks), the number and
// the types of arguments with the signatures of the API (arguments, literals), and what
// is written into fields, records and lists with their declarations (parts). What the game's
// own functions demand of their parameters and return is found in their text (demands, ownresults), and so is what tables
// that are written out hold, alone and in lists (owntables, itemtables), and the type of variables that count (steady).
// Timers are followed to the functions that they call and to those that start them, which may have no self (helperTimers, timerOnly).
// A test of the class of an object narrows what follows (narrowed). Where objects of several classes meet, in a variable or
// in a list that a function fills, what is said holds for all of them (joined, reassigned, objecttables).
// The files are walked several times: the first walks report nothing, and find what all callers give a function and what
// fields are given (learned). Findings about one thing become one (topic).
// Messages of the loader are said in the words of the line that they are about (explain). What a text
// does not tell is of no type, and nothing is said about it. A file that
// does not parse hides declarations, so the checks for names that are missing or
// unused are lenient then.
//
// The names and signatures of functions, methods and hooks come from luabind/internal/api. A
// new API function needs no change here.
//
// # Concurrency
//
// The functions have no state and may be called from any goroutine. They do not change
// their arguments.
package lint
