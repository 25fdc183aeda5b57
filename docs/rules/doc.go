// Package rules holds the whole repository to its own rules. It has no code of
// its own, only tests, so that "go test ./..." says what a reviewer would:
//
//	imports_test.go   who may import whom: the layers of the library
//	layout_test.go    what may lie at the top; other modules; no addresses of one machine
//	published_test.go names that others rely on: JSON keys, flags, settings, words, versions
//	parts_test.go     structs are small, and nothing reaches into their fields
//	exports_test.go   exported names are used, and documented
//	docstrings_test.go every exported name has a comment
//	examples_test.go  every public package has an Example, and says what is safe for concurrent use
//	journey_test.go   the table of the journey of an input follows the code
//	pages_test.go     links, names, commands and diagrams of the pages are right
//	glossary_test.go  the identifiers of the glossary are in the code
//	numbers_test.go   numbers in the pages are those of the code; tests that they name exist
//	terms_test.go     names and prose keep to the glossary
//	draws_test.go     tests draw from fixed seeds
//	source_test.go    reads the simulation's code with its types, and runs on it:
//	floats_test.go      no product may fuse with a sum (same bits on every CPU)
//	exact_test.go       only functions of math that are exact everywhere
//	order_test.go       no iteration over a map without a reason
//	machine_test.go     no clock, goroutine or written global
//
// Every finding is FILE:LINE and what to do about it. To see that a rule can
// fail, each has a package in testdata with "// want:" on the bad lines.
//
// Some rules are younger than the code: testdata/remaining lists what does not
// keep them yet. These lists only shrink:
//
//	go test ./docs/rules -shrink
//
// What it leaves out: a product that is kept in a variable and added later may
// still fuse, across functions too. That is read off the machine code, by
// .ci/fma.
package rules
