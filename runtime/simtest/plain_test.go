package simtest

import (
	"github.com/hindcast/hindcast/runtime/simtest/draws"
	"github.com/hindcast/hindcast/world"
)

// A plain run does one of eight rewinds of a client again, a full run each of them. A rewind that goes wrong and is not
// done again is still found, unless a later one mends it: by the host's hash, as soon as its ticks are confirmed.
// It verifies the first 5 s of the replays of matches.
func init() { verifyEvery, verifyTicks = draws.Pick(8, 0), draws.Pick[world.Tick](150, 0) }
