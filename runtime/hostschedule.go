package runtime

import "time"

const (
	// catchUpTicks is how many ticks a host that is late runs in one Update, before it looks at
	// the network again.
	catchUpTicks = 4
	// slowDown is how late a host may be before it skips that time. From then on it runs
	// slower than real time, and logs it.
	slowDown = 250 * time.Millisecond
)

// schedule computes when the ticks of a host are due: the first at once, each later one a tick
// length after the previous one.
type schedule struct {
	next  time.Duration
	begun bool
	over  bool // the host is shut down
}

// due returns when the next tick is due; ok is false after stop.
func (s *schedule) due(now time.Duration) (at time.Duration, ok bool) {
	if !s.begun {
		return now, !s.over
	}
	return s.next, !s.over
}

// ticked notes that a tick was run.
func (s *schedule) ticked(now, length time.Duration) {
	if !s.begun {
		s.begun, s.next = true, now
	}
	s.next += length
}

// giveUp skips the time by which the next tick is late, if that is too much, and returns it.
func (s *schedule) giveUp(now time.Duration) (late time.Duration) {
	if late = now - s.next; !s.begun || late <= slowDown {
		return 0
	}
	s.next = now
	return late
}

// stop ends the schedule.
func (s *schedule) stop() { s.over = true }

// Due returns when the host needs the next Poll and Update if no packet arrives before: a tick is
// due, or the link is. It is at or before now if something is due already. After Shutdown, only
// the link is due, until it has sent everything; then Due returns link.Never.
func (h *Host) Due(now time.Duration) time.Duration {
	due := h.out.Due(now)
	if tick, ok := h.schedule.due(now); ok {
		due = min(due, tick)
	}
	return due
}

// packets receives when a packet waits for a Poll.
func (h *Host) packets() <-chan struct{} { return h.out.Ready() }

// Update runs the ticks that are due, at most four. A host that is late by more than 250 ms after
// that skips that time: the room runs slower than real time, which the report counts. The error
// is that of Tick.
func (h *Host) Update(now time.Duration) error {
	for range catchUpTicks {
		due, ok := h.schedule.due(now)
		if !ok || due > now {
			break
		}
		h.noteLate(now - due)
		if err := h.Tick(now); err != nil {
			return err
		}
	}
	if late := h.schedule.giveUp(now); late > 0 {
		h.noteSkipped(late)
	}
	return nil
}
