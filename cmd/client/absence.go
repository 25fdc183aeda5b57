package main

import (
	"fmt"
	"time"

	"github.com/hindcast/hindcast/runtime/bundle"
)

// waits is for how long players wait for a host that has stopped, as -wait says.
type waits struct {
	longest time.Duration
	asked   bool // without, for the game's grace time
}

// absence is the time from the loss of a player's connection to the moment when the player is back. A host
// keeps the objects of absent players for its game's grace time.
type absence struct {
	waits
	since time.Time // 0: the player is not absent
	why   error
	vain  bool // it has lasted too long
}

// begin begins the absence, and reports false if it lasts already. game is the one that was being played; nil:
// the client never learned it.
func (a *absence) begin(now time.Time, why error, game *bundle.Bundle) bool {
	if a.lasts() {
		return false
	}
	a.since, a.why = now, why
	if !a.asked {
		setup := bundle.DefaultSetup()
		if game != nil {
			setup = game.Setup
		}
		a.longest = time.Duration(setup.GraceTicks) * time.Second / time.Duration(setup.TickRate)
	}
	return true
}

// over ends the absence, and reports whether there was one.
func (a *absence) over() bool {
	was := a.lasts()
	a.since = time.Time{}
	return was
}

func (a *absence) lasts() bool { return !a.since.IsZero() }

// mayLast reports whether the player goes on waiting.
func (a *absence) mayLast(now time.Time) bool {
	a.vain = now.Sub(a.since) >= a.longest
	return !a.vain
}

// left returns for how much longer the player waits.
func (a *absence) left(now time.Time) time.Duration { return max(0, a.longest-now.Sub(a.since)) }

// err says why the player is absent.
func (a *absence) err() error {
	if !a.vain || a.longest == 0 {
		return a.why
	}
	return fmt.Errorf("%w; the host was not back within %v", a.why, a.longest)
}
