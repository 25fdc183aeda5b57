package host

import (
	"time"
)

const (
	// catchUpTicks is how many ticks a host that is late runs in one Update, before it looks at
	// the network again.
	catchUpTicks = 4
	// restTime is how much time a host to which nobody is connected leaves between two groups of
	// ticks. Most of what a tick of an empty room costs is waking up and fetching the room's memory.
	restTime = 500 * time.Millisecond
)

// Due returns when the host needs the next Poll and Update if no packet arrives before: a tick is
// due, or the link is. It is at or before now if something is due already. While nobody is
// connected, ticks wait for up to 500 ms, and then run together. A program without a Driver
// calls Wake before Poll, so that a client that connects finds the room at the present.
// After Shutdown, only the link is due, until it has sent everything; then Due returns link.Never.
func (h *Host) Due(now time.Duration) time.Duration {
	due := h.out.Due(now)
	if tick, ok := h.clock.Due(now); ok {
		if h.rests() {
			tick += restTime
		}
		due = min(due, tick)
	}
	return due
}

// rests reports whether nobody is connected, and a tick has run.
func (h *Host) rests() bool { return h.clock.Ticking() && len(h.roster.All()) == 0 }

// Ready receives when a packet waits for a Poll.
func (h *Host) Ready() <-chan struct{} { return h.out.Ready() }

// Update runs the ticks that are due: at most four if somebody is connected. A host that is late by
// more than Rules.CatchUp after that skips that time: the room runs slower than real time, which the
// report counts (SkippedMS). The error is that of Tick.
func (h *Host) Update(now time.Duration) error {
	if h.rests() {
		return h.catchUp(now)
	}
	for range catchUpTicks {
		due, ok := h.clock.Due(now)
		if !ok || due > now {
			break
		}
		h.noteLate(now - due)
		if err := h.Tick(now); err != nil {
			return err
		}
	}
	h.skip(now)
	return nil
}

// catchUp runs the ticks for which a host that rests has waited, each as if at its own time.
func (h *Host) catchUp(now time.Duration) error {
	h.skip(now - restTime)
	for {
		due, ok := h.clock.Due(now)
		if !ok || due > now {
			return nil
		}
		at := due
		if now-due < h.clock.Length() {
			at = now
		}
		if err := h.Tick(at); err != nil {
			return err
		}
	}
}

// Wake runs the ticks for which a host that rests has waited. What check mode finds in them is the
// error of the next tick, too. A Driver calls Wake before each Poll.
func (h *Host) Wake(now time.Duration) {
	if h.rests() {
		_ = h.catchUp(now)
	}
}

// skip skips the time by which the host is late, if that is too much.
func (h *Host) skip(now time.Duration) {
	if late := h.clock.GiveUp(now, h.match.Rules().CatchUpLimit()); late > 0 {
		h.noteSkipped(late)
	}
}
