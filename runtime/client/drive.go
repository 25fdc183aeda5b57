package client

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/internal/side"
	"github.com/hindcast/hindcast/runtime/internal/view"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/world/physics"
)

// What drives a Client: a Driver or the program calls these methods. Poll, Update and Due in turns make it play; Leave
// and Close end it.

// Poll receives packets. Records from the host change the log of the Timeline; the next
// Update simulates accordingly.
func (c *Client) Poll(now time.Duration) {
	c.now = now
	c.end.times.create(now)
	c.end.mail.Poll(now)
	if c.end.library.isReading() && !c.end.session.Over() {
		if err := c.fetched(); err != nil {
			c.unusable(err)
		}
	}
	if c.end.session.Playing() {
		c.end.assets.next(now, &c.end.mail)
	}
	if now >= c.pingAt() {
		c.end.pings.ping(now, &c.end.mail)
	}
}

// Update reconciles with what Poll took in, samples the controls for each tick that is due, simulates
// it, and sends. The error is Err: why the client is over.
func (c *Client) Update(now time.Duration) error {
	c.now = now
	if c.end.session.Samples() {
		c.endOverlay(now)
		if err := c.role.frame(&c.end, now); err != nil {
			c.over(err, err.Error())
		}
		c.judgeProblems()
	}
	c.logBegun(false)
	return c.Err()
}

// logBegun logs once that the client is in the room, with what it sees there: the first keyframe may be from before the
// first tick. atOnce does not wait for that.
func (c *Client) logBegun(atOnce bool) {
	if s := &c.end.session; s.Said() || !s.Begun() {
		return
	}
	status := c.role.status()
	tick, objects, sees := status.now, 0, status.arrived && c.scope != allObjects
	switch {
	case c.scope == allObjects && c.end.replica.buffer != nil:
		tick = c.end.replica.buffer.Newest()
		c.end.replica.buffer.EachNewest(func(*view.Object, physics.Pose) { objects++ })
		sees = tick > 0
	case status.world != nil:
		objects = status.world.Now.Len()
	}
	var attrs []any
	if tick > 0 {
		attrs = []any{"tick", uint32(tick), "objects", objects}
	}
	if sees || atOnce {
		c.end.session.LogBegun(c.cfg.Log, attrs...)
	}
}

// Frame is Update for a program that displays a frame now: it also makes one independent frame of this
// player's objects, whose length is the time since the last one. There are at most 8 per tick. From then on
// there is no other frame, until the program has displayed none for a quarter of a second.
func (c *Client) Frame(now time.Duration) error {
	c.end.sampler.display()
	return c.Update(now)
}

// readingEvery is how often a client looks whether a bundle has been read in the background.
const readingEvery = 5 * time.Millisecond

// Due returns when the client needs the next Poll and Update if no packet arrives before: a tick,
// a ping or a frame of its Controls is due, or the link is. It is at or before now if something is
// due already, and link.Never if nothing is planned. Every call of another method may change it.
func (c *Client) Due(now time.Duration) time.Duration {
	due := min(c.end.mail.Due(now), c.pingAt())
	if c.end.library.isReading() {
		due = min(due, now+readingEvery)
	}
	if c.end.session.Samples() {
		due = min(due, c.role.wakeAt(&c.end, now))
	}
	return due
}

// Ready receives when a packet waits for a Poll.
func (c *Client) Ready() <-chan struct{} { return c.end.mail.Ready() }

// Wake does nothing: a client leaves out no ticks. A Driver calls it.
func (c *Client) Wake(time.Duration) {}

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
	return c.end.mail.Shutdown(reason)
}

// End leaves the room for a Driver: at first it is Leave, and as soon as Done, or atOnce, it closes the connection. The
// log of a client that did not get into the room names the cause.
func (c *Client) End(now time.Duration, cause error, atOnce bool) (ended bool) {
	c.Leave(now)
	if c.stopped == nil {
		c.stopped = cause
	}
	if ended = c.Done() || atOnce; ended {
		c.disconnect(now, "left")
	}
	return ended
}

// Abandon frees the link, if it is not closed.
func (c *Client) Abandon() { _ = c.end.mail.Shutdown("the client failed") }

// pingAt returns when the host is to be asked for its time; never if it is not. The client asks from the beginning of
// the connection on: by the time that it has a keyframe, it knows which tick is due.
func (c *Client) pingAt() time.Duration {
	if !c.end.session.Connected() {
		return link.Never
	}
	return c.end.pings.due()
}

// disconnect closes the connection to the host. Due and Poll go on until last messages have left.
func (c *Client) disconnect(now time.Duration, reason string) {
	c.now = now
	c.over(room.ErrLeft, reason)
}

// ended handles the host's message that it stops, or that it has kicked the player.
func (c *Client) ended(m wire.End) error {
	switch m.Cause {
	case wire.EndOver:
		c.over(side.WithReason(ErrStopped, m.Reason), "")
	case wire.EndKicked:
		c.over(side.WithReason(ErrKicked, m.Reason), "")
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
		c.end.mail.Close(c.now, link.HostPeer, reason)
	}
	c.logBegun(true)
	got := s.Begun()
	s.End(err)
	switch {
	case errors.Is(err, room.ErrRestarting):
		c.cfg.Log.Info("the room has ended for now", "reason", err)
	case got && errors.Is(err, ErrClosed):
		c.cfg.Log.Info("lost the room", "reason", err)
	case !got && errors.Is(err, room.ErrLeft):
		c.cfg.Log.Info("did not get into the room", "reason", c.whyStopped())
	case !got:
		c.cfg.Log.Info("did not get into the room", "reason", err)
	default:
		c.cfg.Log.Info("left the room", "reason", err)
	}
	if errors.Is(err, ErrClosed) && (c.errors.Any() || len(c.told.Refused) > 0) {
		c.cfg.Log.Info("what was wrong with the scripts may be over: the host says anew what is, to a client that " +
			"is back")
	}
}

// whyStopped says in words why this client was ended before it got into the room.
func (c *Client) whyStopped() string {
	if c.stopped == nil || errors.Is(c.stopped, context.Canceled) {
		return "the client was stopped before"
	}
	return c.stopped.Error()
}
