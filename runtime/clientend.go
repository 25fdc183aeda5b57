package runtime

import (
	"fmt"
	"time"
)

// Leave stops stepping. The client stays until its ticks are confirmed. Continue to
// call Poll and Update; when Done reports true, call Close.
func (c *Client) Leave(now time.Duration) {
	if !c.end.Session.Leaving {
		c.end.Session.Leaving, c.end.Stats.Pace.Left = true, now
	}
}

// Done reports whether all ticks of a client that leaves have been confirmed, or will
// not be.
func (c *Client) Done() bool {
	return c.end.Session.Stage != StagePlaying || c.role.status().World == nil || c.role.status().Done
}

// Close closes the connection to the host, with a reason, and frees the link at once, with its
// socket and goroutines. Messages that have not left by then may be lost.
func (c *Client) Close(now time.Duration, reason string) error {
	c.disconnect(now, reason)
	return c.end.Out.Shutdown(reason)
}

// disconnect closes the connection to the host. Due and Poll go on until last messages have left.
func (c *Client) disconnect(now time.Duration, reason string) {
	c.end.Now = now
	if c.end.Session.Stage != StageOver && c.end.Session.Peer != 0 {
		c.end.Out.Close(now, c.end.Session.Peer, reason)
	}
	c.end.over(ErrLeft)
}

// closed handles the end of the connection.
func (c *Client) closed(reason string) {
	if reason == StoppedByHost {
		c.end.over(ErrStopped)
		return
	}
	c.end.over(fmt.Errorf("%w: %s", ErrClosed, reason))
}

// over ends the client with an error.
func (c *endpoint) over(err error) {
	if c.Session.Stage == StageOver {
		return
	}
	if c.Session.Peer != 0 {
		c.Out.Close(c.Now, c.Session.Peer, err.Error()) // does nothing if the host has closed the connection
	}
	c.Session.Stage, c.Session.Err = StageOver, err
	c.Log.Info("left the room", "reason", err)
}
