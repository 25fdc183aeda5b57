package linkbase

import (
	"time"

	"github.com/hindcast/hindcast/net/link"
)

// Calls is what a link keeps of the calls of its owner: the time, whether the link was shut
// down, and where the events of the poll in progress go. The zero value is ready.
type Calls struct {
	now     time.Duration
	down    bool
	deliver func(link.Event) // nil outside of a poll
}

// Now returns the time of the newest call that named one.
func (c *Calls) Now() time.Duration { return c.now }

// Advance begins a call at a time. Time never goes back.
func (c *Calls) Advance(now time.Duration) { c.now = max(c.now, now) }

// Begin begins a poll, which End ends. It reports false if there is nothing to poll: the link
// is down, or the call comes from deliver.
func (c *Calls) Begin(now time.Duration, deliver func(link.Event)) bool {
	if c.down || c.deliver != nil {
		return false
	}
	c.Advance(now)
	c.deliver = deliver
	return true
}

// End ends the poll in progress. Defer it: deliver may panic, and a caller recover.
func (c *Calls) End() { c.deliver = nil }

// Deliver hands an event to the caller of the poll in progress.
func (c *Calls) Deliver(ev link.Event) { c.deliver(ev) }

// ShutDown notes that the link is shut down, and reports whether it was not before.
func (c *Calls) ShutDown() (first bool) {
	first = !c.down
	c.down = true
	return first
}

// Down reports whether the link was shut down.
func (c *Calls) Down() bool { return c.down }
