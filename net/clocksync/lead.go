package clocksync

import "time"

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
	last     recent        // shortAfter reports
	long     recent        // slackAfter reports
	since    time.Duration // inputs for earlier times were sent with another lead
	shrunkAt time.Duration // inputs for later times are sent when a lead that was too long has shrunk
}

func newArrivals() arrivals {
	return arrivals{last: newRecent(shortAfter), long: newRecent(slackAfter)}
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
	c.arrivals.restart(c.newest() + max(more, 0))
	c.arrivals.shrunkAt = c.newest() - min(more, 0)*slewDivisor
}

// SetInputDelay says how long after Present the times are for which the client samples inputs; values
// below 0 count as 0. Inputs should arrive as early as before, so Present is so much earlier: at once if
// the delay becomes shorter, and otherwise by 2 % of the time that passes.
func (c *Clock) SetInputDelay(delay time.Duration) {
	before := c.delay
	c.delay = max(delay, 0)
	more := c.delay - before
	if !c.running || more == 0 {
		return
	}
	c.lead -= min(more, 0)
	c.arrivals.restart(c.present + max(before, c.delay))
	c.arrivals.shrunkAt = c.newest() + max(more, 0)*slewDivisor
}

// newest returns the time of the newest input.
func (c *Clock) newest() time.Duration { return c.present + c.delay }

// InputArrived takes in a report of the host about an input: the time that the input is
// for, which is Present when it was sampled and the input delay, and by how much it arrived before the host reached
// that time (negative: after). From the first report on, the lead follows reports: if inputs come late it grows at
// once, so that Present jumps; if they come early it shrinks by at most 2 % of the time that passes. Reports must be
// in the order of their inputs.
func (c *Clock) InputArrived(input, early time.Duration) {
	a := &c.arrivals
	if !c.running || input <= a.since {
		return
	}
	if !c.reported {
		c.reported, c.base = true, c.lead-c.extra+c.delay
	}
	early = min(max(early, -maxLead), maxLead)
	a.last.add(early)
	a.long.add(early)
	target := c.opts.Margin + c.extra
	if a.last.full() {
		if short := target - a.last.median(); short > c.opts.Tick/4 && short > c.opts.Tick/4+a.last.spread()*3/2 {
			c.lengthen(short)
			return
		}
	}
	if a.long.full() && input > a.shrunkAt {
		if over := a.long.median() - target; over > c.opts.Tick/4 && over > c.opts.Tick/4+a.long.spread()/2 {
			c.shorten(over)
		}
	}
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
	c.arrivals.restart(c.newest() + by)
}

// shorten makes the lead shorter: as slewing allows, or at once if that would take too long, so that Present stands
// still.
func (c *Clock) shorten(by time.Duration) {
	by = min(by, c.base-c.opts.Margin)
	c.arrivals.restart(c.newest())
	if by <= 0 {
		return
	}
	c.base -= by
	if by > c.opts.JumpLimit {
		c.lead -= by
		c.count.holds++
		return
	}
	c.arrivals.shrunkAt = c.newest() + by*slewDivisor
}

// restart forgets the reports about inputs before a time.
func (a *arrivals) restart(since time.Duration) {
	a.last.clear()
	a.long.clear()
	a.since = since
}
