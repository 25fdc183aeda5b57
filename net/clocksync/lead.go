package clocksync

import (
	"slices"
	"time"
)

// The lead follows the host's reports of when inputs arrived. They should arrive Margin
// before they are due; the median of many counts.
const (
	// shortAfter is how many reports show that inputs come late.
	shortAfter = 12
	// slackAfter is how many reports, those of a second at 60 Hz, show that they come early.
	slackAfter = 64
	// maxLead bounds the lead that reports can cause.
	maxLead = 5 * time.Second
)

// arrivals holds the reports about inputs that were sent with the present lead.
type arrivals struct {
	early    [slackAfter]time.Duration // report n is at n % slackAfter
	count    int
	sorted   []time.Duration // scratch
	since    time.Duration   // in Present: earlier inputs were sent with another lead
	shrunkAt time.Duration   // in Present: when a lead that was too long will have shrunk
}

// SetExtraLead sets a lead that the caller wants on top of the Clock's own; values
// below 0 count as 0. An increase takes effect at once, so that Present jumps; a
// decrease at 2 % of the time that passes.
func (c *Clock) SetExtraLead(extra time.Duration) {
	extra = max(extra, 0)
	more := extra - c.extra
	c.extra = extra
	if !c.running {
		return
	}
	if more > 0 {
		c.lead += more
	}
	c.arrivals.restart(c.present + max(more, 0))
	c.arrivals.shrunkAt = c.present - min(more, 0)*slewDivisor
}

// InputArrived takes in a report of the host about an input: the time that the input is
// for, as Present returned it, and by how much it arrived before the host reached that
// time (negative: after). From the first report on, the lead follows reports: if inputs
// come late it grows at once, so that Present jumps; if they come early it shrinks by at
// most 2 % of the time that passes. Reports must be in the order of their inputs.
func (c *Clock) InputArrived(input, early time.Duration) {
	a := &c.arrivals
	if !c.running || input <= a.since {
		return
	}
	if !c.reported {
		c.reported, c.base = true, c.lead-c.extra
	}
	early = min(max(early, -maxLead), maxLead)
	a.early[a.count%slackAfter] = early
	a.count++
	target := c.opts.Margin + c.extra
	if a.count >= shortAfter {
		middle, spread := a.middle(shortAfter)
		if short := target - middle; short > c.opts.Tick/4+spread*3/2 {
			c.lengthen(short)
			return
		}
	}
	if a.count >= slackAfter && input > a.shrunkAt {
		middle, spread := a.middle(slackAfter)
		if over := middle - target; over > c.opts.Tick/4+spread/2 {
			c.shorten(over)
		}
	}
}

// middle returns the median of the last n reports, and their mean distance from it.
func (a *arrivals) middle(n int) (median, spread time.Duration) {
	a.sorted = a.sorted[:0]
	for i := a.count - n; i < a.count; i++ {
		a.sorted = append(a.sorted, a.early[i%slackAfter])
	}
	slices.Sort(a.sorted)
	median = a.sorted[n/2]
	for _, early := range a.sorted {
		spread += (early - median).Abs()
	}
	return median, spread / time.Duration(n)
}

// lengthen makes the lead longer at once.
func (c *Clock) lengthen(by time.Duration) {
	by = min(by, c.opts.Margin+maxLead-c.base)
	if by <= 0 {
		return
	}
	c.base += by
	c.lead += by
	c.count.grown++
	c.arrivals.restart(c.present + by)
}

// shorten makes the lead shorter, as slewing allows.
func (c *Clock) shorten(by time.Duration) {
	by = min(by, c.base-c.opts.Margin)
	c.arrivals.restart(c.present)
	if by <= 0 {
		return
	}
	c.base -= by
	c.arrivals.shrunkAt = c.present + by*slewDivisor
}

// restart forgets the reports about inputs before a time.
func (a *arrivals) restart(since time.Duration) { a.count, a.since = 0, since }
