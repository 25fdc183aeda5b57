// Package rules checks the whole repository against its own rules. It has no
// code of its own, only tests, so that "go test ./..." reports what
// endangers bits, users or layers. Style is left to linters and readers.
//
//	imports_test.go       which package may import which: the layers of the library
//	layout_test.go        the folders at the top; no assembly
//	published_test.go     names that others rely on: flags, settings, words, versions
//	publishedjson_test.go the same for JSON
//	exports_test.go       exported names of internal packages are used
//	examples_test.go      every public package has an Example, and says what is safe for concurrent use
//	outside_test.go       the Examples work in a module of their own (tag external)
//	pages_test.go         links, files, names, errors and tests in the pages exist
//	quotes_test.go        code that pages quote is that of its file
//	commands_test.go      commands in the pages are right
//	limits_test.go        the limits of scripts in the pages are those of the code
//	attacks_test.go       each row of the table of attacks names tests that are there
//	fuzzed_test.go        what parses bytes of strangers is fuzzed, with a corpus
//	draws_test.go         tests draw from fixed seeds
//	raced_test.go         what starts goroutines runs under the race detector
//	source_test.go        loads the simulation's code with its types, and checks it:
//	floats_test.go          no product may fuse with a sum (same bits on every CPU)
//	exact_test.go           only functions of math that are exact everywhere
//	order_test.go           no iteration over a map without a reason
//	machine_test.go         no clock, goroutine or written global
//
// Every finding is FILE:LINE and what to do about it. Each rule on code has a
// package in testdata, with "// want:" on the lines that break it, to show that
// the rule can fail.
//
// No rule finds a product that is kept in a variable and added later, perhaps in
// another function, and that may still fuse. .ci/fma finds these in the machine
// code.
package rules
