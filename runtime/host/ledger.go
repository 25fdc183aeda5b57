package host

import (
	"math"
	"time"

	"github.com/hindcast/hindcast/world"
)

const (
	// calmTime is how long a player must owe nothing before a restriction is relaxed.
	calmTime = 10 * time.Second
	// leastWindow is the smallest reduced window, in ticks.
	leastWindow = 2
)

// ledger is the account of the costs of one player's late inputs.
type ledger struct {
	owed     float64       // object-ticks, less the player's share for every tick
	depth    float64       // by how many ticks its late inputs are late, smoothed
	lead     world.Tick    // the lead that the host has asked for, on top of the client's own
	reduced  world.Tick    // the reduced window; 0: the window of all players
	patience time.Duration // until when the client may take to increase its lead
	calm     time.Duration // since when the player has owed nothing
	closed   closure
}

// closure is a time in which none of a player's late inputs are taken.
type closure struct {
	until time.Duration
	last  time.Duration // how long it is
}

// How long a closure is: it doubles, and begins anew after calmMinute.
const (
	firstClosure   = 2 * time.Second
	longestClosure = 2 * time.Minute
	calmMinute     = time.Minute
)

// close takes no late inputs of the player for a while, because the last ones were too much work. The while doubles,
// if the player is to blame for that.
func (l *ledger) close(now time.Duration, guilty bool) (until time.Duration) {
	c := &l.closed
	switch {
	case c.last == 0 || now-c.until > calmMinute:
		c.last = firstClosure
	case guilty:
		c.last = min(2*c.last, longestClosure)
	}
	c.until = now + c.last
	return c.until
}

// shut reports whether no late inputs of the player are taken.
func (l *ledger) shut(now time.Duration) bool { return now < l.closed.until }

// debt is the state of a player's ledger.
type debt uint8

const (
	sound     debt = iota
	overdrawn      // the player owes too much
	calm           // the player has owed nothing for calmTime
)

// window returns the player's window: how many ticks late inputs may be. all is the window of all
// players.
func (l *ledger) window(all world.Tick) world.Tick {
	if l.reduced != 0 {
		return min(l.reduced, all)
	}
	return all
}

// asked returns how much more lead the player has been asked for.
func (l *ledger) asked() world.Tick { return l.lead }

// charge adds the cost of an input that was ticks late.
func (l *ledger) charge(now time.Duration, cost float64, ticks world.Tick) {
	if now >= l.patience { // not while the client may still increase its lead
		l.owed += cost
	}
	l.depth += float64((float64(ticks) - l.depth) / 8)
}

// repay credits the player with its share of a tick.
func (l *ledger) repay(now time.Duration, share, limit float64) debt {
	l.owed = max(l.owed-share, 0)
	switch {
	case l.owed > limit && now >= l.patience:
		return overdrawn
	case l.owed > 0:
		l.calm = now
	case now-l.calm > calmTime:
		l.calm = now
		return calm
	}
	return sound
}

// press asks for more lead, at most most ticks in total. The player has until patience to
// increase it. again reports whether it was asked before.
func (l *ledger) press(patience, now time.Duration, most world.Tick) (again bool) {
	again = l.lead > 0
	l.calm, l.patience, l.owed = now, patience, 0
	l.lead = min(l.lead+world.Tick(math.Ceil(l.depth)), most)
	return again
}

// reduce halves the window. all is the window of other players.
func (l *ledger) reduce(all world.Tick) world.Tick {
	l.reduced = max(l.window(all)/2, leastWindow)
	return l.reduced
}

// trust restores a part of the window or, once that is whole, reduces the lead that was asked for.
// It reports whether the lead has changed.
func (l *ledger) trust(all world.Tick) bool {
	switch {
	case l.reduced >= all:
		l.reduced = 0
	case l.reduced != 0:
		l.reduced *= 2
	case l.lead > 0:
		l.lead--
		return true
	}
	return false
}
