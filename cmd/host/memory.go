package main

import (
	"os"
	"runtime/debug"
	"sync/atomic"
	"time"
)

const (
	// collectAt is the GOGC of a room, unless the environment has one: a room makes little garbage, so it takes half as
	// much memory beyond what is in use as with Go's default, for hardly more work.
	collectAt = 50
	// giveBackAfter is how long after a player has left the memory is given back. Others may leave, too.
	giveBackAfter = 5 * time.Second
)

// memory keeps the memory of the program near what the room needs. Several goroutines may use it.
type memory struct {
	waits atomic.Bool // to give back
}

// newMemory makes the program collect garbage at collectAt.
func newMemory() *memory {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(collectAt)
	}
	return new(memory)
}

// Left notes that a player has left. What was held for the player is given back to the system soon: a room without
// players makes so little garbage that Go would wait for minutes.
func (m *memory) Left() {
	if m.waits.CompareAndSwap(false, true) {
		time.AfterFunc(giveBackAfter, func() {
			m.waits.Store(false)
			debug.FreeOSMemory()
		})
	}
}
