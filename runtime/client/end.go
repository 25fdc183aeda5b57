package client

import (
	"fmt"
	"time"

	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/internal/side"
	"github.com/hindcast/hindcast/runtime/room"
)

// Leave stops stepping. The client stays until its ticks are confirmed. Continue to
// call Poll and Update; when Done reports true, call Close.
func (c *Client) Leave(now time.Duration) {
	if c.end.clock.stop() {
		c.end.times.leave(now)
	}
}

// Done reports whether all ticks of a client that leaves have been confirmed, or will
// not be.
func (c *Client) Done() bool {
	status := c.role.status()
	return !c.end.session.Playing() || status.world == nil || status.done
}

// Close closes the connection to the host, with a reason, and frees the link at once, with its
// socket and goroutines. Messages that have not left by then may be lost.
// The error is that of the link's Shutdown.
func (c *Client) Close(now time.Duration, reason string) error {
	c.disconnect(now, reason)
	return c.end.out.Shutdown(reason)
}

// disconnect closes the connection to the host. Due and Poll go on until last messages have left.
func (c *Client) disconnect(now time.Duration, reason string) {
	c.now = now
	c.over(room.ErrLeft, reason)
}

// ended handles the host's message that it stops.
func (c *Client) ended(m wire.End) error {
	switch m.Cause {
	case wire.EndOver:
		c.over(side.WithReason(ErrStopped, m.Reason), "")
	case wire.EndFailed:
		c.over(side.WithReason(ErrClosed, "the host has failed: "+m.Reason), "")
	case wire.EndRestarts:
		c.over(fmt.Errorf("%w: %w", ErrClosed, side.WithReason(room.ErrRestarting, m.Reason)), "")
	}
	return nil
}

// closed handles the end of the connection.
func (c *Client) closed(reason string) { c.over(side.WithReason(ErrClosed, reason), "") }

// over ends the client with an error. The reason is sent to the host, if the connection is open.
func (c *Client) over(err error, reason string) {
	s := &c.end.session
	if s.Over() {
		return
	}
	if s.Connected() {
		c.end.out.Close(c.now, link.HostPeer, reason)
	}
	s.End(err)
	c.cfg.Log.Info("left the room", "reason", err)
}
