// Package gametest runs the tests of a game, its *_test.lua files, and shows the
// results as go test does:
//
//	result, err := gametest.Run(game, gametest.Options{Out: os.Stdout})
//
// Each test has a world of its own: a Timeline by itself, or, if the test declares a
// network, a host, clients and the connections between them on virtual time
// (runtime/simtest). Package luabind loads the files and passes t and w to the
// tests; this package is its Stage.
package gametest
