// Package stub has games in Go for tests that are not about Lua: ships (Compile), in which little
// happens, and the wild game (CompileWild), in which hooks spawn, remove, join and carry all kinds of
// objects. The wild game is a world.Script of its own, because it lays out classes, fields and buttons
// in orders that package goscript does not have, and fails as an interpreter does. The package also
// generates histories whose events come late (Match).
package stub
