package room

import "github.com/hindcast/hindcast/net/wire"

// Problems is what is wrong with the scripts of a room: why saved scripts are not in force, and which functions
// have failed under the present ones.
type Problems = wire.Problems
