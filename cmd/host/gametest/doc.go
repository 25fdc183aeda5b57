// Package gametest runs the tests of a game, its *_test.lua files, and shows
// what happened as go test does:
//
//	result, err := gametest.Run(game, gametest.Options{Out: os.Stdout})
//
// Each test has a world of its own: a runtime.Timeline when there is nothing
// between the player and the host (alone.go), else a host, clients and the
// lines between them on virtual time (match.go, on runtime/simtest). Package
// luabind loads the files and gives tests their t and w; this package is its
// Stage.
package gametest
