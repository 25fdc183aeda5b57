// Package rules checks the whole repository against its own rules. It has no
// code of its own, only tests, so that "go test ./..." reports what a reviewer
// would:
//
//	imports_test.go       which package may import which: the layers of the library
//	layout_test.go        the files at the top; other modules; lengths of files; no addresses of one machine
//	published_test.go     names that others rely on: flags, settings, words, versions
//	publishedjson_test.go the same for JSON
//	parts_test.go         structs are small, and nothing reaches into their fields
//	exports_test.go       exported names are used, and documented
//	docstrings_test.go    every exported name has a comment
//	examples_test.go      every public package has an Example, and says what is safe for concurrent use
//	journey_test.go       the table of the journey of an input follows the code
//	pages_test.go         links, files and names in the pages exist
//	commands_test.go      commands in the pages are right
//	diagrams_test.go      diagrams in the pages can be drawn
//	glossary_test.go      the identifiers of the glossary are in the code
//	numbers_test.go       numbers in the pages are those of the code; tests that they name exist
//	terms_test.go         names and prose keep to the glossary
//	draws_test.go         tests draw from fixed seeds
//	zeroargs_test.go      exported functions do not panic for zero arguments
//	source_test.go        loads the simulation's code with its types, and checks it:
//	floats_test.go          no product may fuse with a sum (same bits on every CPU)
//	exact_test.go           only functions of math that are exact everywhere
//	order_test.go           no iteration over a map without a reason
//	machine_test.go         no clock, goroutine or written global
//	kinds_test.go           one place tells kinds of clients apart
//
// Every finding is FILE:LINE and what to do about it. Each rule on code has a
// package in testdata, with "// want:" on the lines that break it, to show that
// the rule can fail.
//
// A rule may be younger than the code. Then testdata/remaining lists the violations
// from before; at present there are none. These lists only shrink:
//
//	go test ./docs/rules -shrink
//
// No rule finds a product that is kept in a variable and added later, perhaps in
// another function, and that may still fuse. .ci/fma finds these in the machine
// code.
package rules
