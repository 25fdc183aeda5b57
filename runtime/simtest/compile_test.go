package simtest_test

import "github.com/hindcast/hindcast/luabind/programs"

// compiled has the programs of the games of all tests: the host, the clients and the replay of a match compile the
// same files, as do many matches.
var compiled programs.Cache

// compile is the world.Compile of the tests.
var compile = compiled.Compile
