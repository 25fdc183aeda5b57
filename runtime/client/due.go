package client

import (
	"time"

	"github.com/hindcast/hindcast/net/link"
)

// Due returns when the client needs the next Poll and Update if no packet arrives before: a tick,
// a ping or a frame of its Controls is due, or the link is. It is at or before now if something is
// due already, and link.Never if nothing is planned. Every call of another method may change it.
func (c *Client) Due(now time.Duration) time.Duration {
	due := min(c.end.out.Due(now), c.pingAt())
	if c.end.session.Playing() {
		due = min(due, c.role.wakeAt(&c.end, now))
	}
	return due
}

// pingAt returns when the host is to be asked for its time; never if it is not.
func (c *Client) pingAt() time.Duration {
	if c.end.session.Over() {
		return link.Never
	}
	return c.end.pings.due(&c.end.clock)
}

// Ready receives when a packet waits for a Poll.
func (c *Client) Ready() <-chan struct{} { return c.end.out.Ready() }

// Wake does nothing: a client leaves out no ticks. A Driver calls it.
func (c *Client) Wake(time.Duration) {}

// End leaves the room for a Driver: at first it is Leave, and as soon as Done, or atOnce, it closes the connection.
func (c *Client) End(now time.Duration, _ error, atOnce bool) (ended bool) {
	c.Leave(now)
	if ended = c.Done() || atOnce; ended {
		c.disconnect(now, "left")
	}
	return ended
}

// Abandon frees the link, if it is not closed.
func (c *Client) Abandon() { _ = c.end.out.Shutdown("the client failed") }
