// Package stub has games in Go for tests that are not about Lua: Ships, in which
// little happens, and Wild, in which hooks spawn, remove, tie and carry what they
// can. It also generates histories whose events come late (Match).
package stub
