package runtime

import (
	"math"
	"time"

	"github.com/hindcast/hindcast/world"
)

const (
	// calmTime is how long a player must owe nothing before it is trusted more.
	calmTime = 10 * time.Second
	// leastWindow is how many ticks late the inputs of anybody may be.
	leastWindow = 2
)

// ledger is what one player's lateness costs the others.
type ledger struct {
	owed     float64       // object-ticks, less the player's share for every tick
	depth    float64       // by how many ticks its late inputs are late, smoothed
	lead     world.Tick    // that it has been asked for, on top of its own
	narrowed world.Tick    // ticks that its inputs may be late, 0: as all
	patience time.Duration // until when it may take to follow
	calm     time.Duration // since when it has owed nothing
}

// standing is what a ledger says of a player.
type standing uint8

const (
	sound     standing = iota
	overdrawn          // it owes too much
	calm               // it has owed nothing for long
)

// window is how many ticks late an input may be, where all inputs may be so many.
func (l *ledger) window(all world.Tick) world.Tick {
	if l.narrowed != 0 {
		return min(l.narrowed, all)
	}
	return all
}

// asked is how much more lead the player has been asked for.
func (l *ledger) asked() world.Tick { return l.lead }

// charge adds what an input that was so many ticks late has cost.
func (l *ledger) charge(now time.Duration, cost float64, ticks world.Tick) {
	if now >= l.patience { // not while the client is about to follow
		l.owed += cost
	}
	l.depth += float64((float64(ticks) - l.depth) / 8)
}

// settle forgives the player its share of a tick.
func (l *ledger) settle(now time.Duration, share, limit float64) standing {
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

// press asks for more lead, at most so much in all, which the player may take until patience to
// follow. again reports whether it was asked before.
func (l *ledger) press(patience, now time.Duration, most world.Tick) (again bool) {
	again = l.lead > 0
	l.calm, l.patience, l.owed = now, patience, 0
	l.lead = min(l.lead+world.Tick(math.Ceil(l.depth)), most)
	return again
}

// narrow halves the window, which is all for others.
func (l *ledger) narrow(all world.Tick) world.Tick {
	l.narrowed = max(l.window(all)/2, leastWindow)
	return l.narrowed
}

// trust gives back some of what was taken. It reports whether the lead that is asked for is another.
func (l *ledger) trust(all world.Tick) bool {
	switch {
	case l.narrowed >= all:
		l.narrowed = 0
	case l.narrowed != 0:
		l.narrowed *= 2
	case l.lead > 0:
		l.lead--
		return true
	}
	return false
}
