package runtime

import (
	"time"

	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/world"
)

// Due returns when the client needs the next Poll and Update if no packet arrives before: a tick,
// a ping or a frame of its Controls is due, or the link is. It is at or before now if something is
// due already, and link.Never if nothing is planned. Every call of another method may change it.
func (c *Client) Due(now time.Duration) time.Duration {
	e := &c.end
	due := min(e.Out.Due(now), e.pingAt())
	if e.Session.Stage == StagePlaying {
		due = min(due, c.role.wakeAt(e, now))
	}
	return due
}

// packets receives when a packet waits for a Poll.
func (c *Client) packets() <-chan struct{} { return c.end.Out.Ready() }

// release frees the link, if it is not closed.
func (c *Client) release() { _ = c.end.Out.Shutdown("the client failed") }

// tickAt returns when tick t is due; never while the client leaves, or before its clock is synced.
func tickAt(c *endpoint, t world.Tick, now time.Duration) time.Duration {
	at, ok := c.Clock.When(time.Duration(t)*c.tickLength(), now)
	if !ok || c.Session.Leaving {
		return link.Never
	}
	return at
}

// resendAt returns when an InputPacket is to be sent without a new tick. It returns link.Never if
// the next tick, whose packet is sent at the time tick, comes before that or soon after.
func resendAt(c *endpoint, tick time.Duration) time.Duration {
	at := c.Inputs.nextAt(c.tickLength())
	if tick < at+c.tickLength()/2 {
		return link.Never
	}
	return at
}
