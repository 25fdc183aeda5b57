package host

import (
	"time"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/world"
)

// clock has the times of a host: that of the last call, and when ticks began and are due. The first tick
// is due at once, each later one a tick length after the previous one.
type clock struct {
	length  time.Duration // of a tick
	now     time.Duration // the time of the last call
	next    time.Duration // when the next tick is due, once the first one has run
	started time.Duration // when the first tick began
	began   time.Duration // when the present tick began
	ticking bool          // a tick has run
	paused  bool
	over    wire.EndCause // why the host is shut down; 0: it is not
}

// Set notes the time of a call.
func (c *clock) Set(now time.Duration) { c.now = now }

// Now returns the time of the last call.
func (c *clock) Now() time.Duration { return c.now }

// Length returns how long a tick lasts.
func (c *clock) Length() time.Duration { return c.length }

// Due returns when the next tick is due; ok is false after Stop.
func (c *clock) Due(now time.Duration) (at time.Duration, ok bool) {
	if !c.ticking {
		return now, c.over == 0
	}
	return c.next, c.over == 0
}

// Tick notes that a tick is run, or skipped because of a pause.
func (c *clock) Tick(now time.Duration) {
	c.now = now
	if !c.ticking {
		c.ticking, c.next = true, now
	}
	c.next += c.length
}

// Ticking reports whether Tick has been called.
func (c *clock) Ticking() bool { return c.ticking }

// GiveUp skips the time by which the next tick is late, if that is more than limit, and returns it.
func (c *clock) GiveUp(now, limit time.Duration) (late time.Duration) {
	if late = now - c.next; !c.ticking || late <= limit {
		return 0
	}
	c.next = now
	return late
}

// paceShare is the divisor of the difference that each tick removes.
const paceShare = 16

// Begin notes when tick t should have begun, which begins now: one tick length after the previous one.
// So small delays of the driver hardly affect the clock that clients follow. A lasting difference, as after
// a pause, is removed within a second; otherwise inputs would be late by that time from then on.
func (c *clock) Begin(t world.Tick, now time.Duration) {
	due := c.began + c.length
	off := now - due
	switch {
	case t == 1:
		c.started, c.began = now, now
	case off < -c.length || off > c.length:
		c.began = now
	default:
		c.began = due + off/paceShare
	}
}

// Simulated returns the time of the simulation: completed ticks, of which t is the last one, and the elapsed
// part of the present one.
func (c *clock) Simulated(t world.Tick, now time.Duration) time.Duration {
	part := min(now-c.began, c.length)
	if t == 0 || c.paused {
		part = 0
	}
	return time.Duration(t)*c.length + part
}

// Running returns the time since the first tick.
func (c *clock) Running(now time.Duration) time.Duration { return now - c.started }

// Idle returns how long ago the last tick began; 0 while paused.
func (c *clock) Idle(now time.Duration) time.Duration {
	if c.paused {
		return 0
	}
	return now - c.began
}

// Pause stops the ticks, or continues them.
func (c *clock) Pause(on bool) { c.paused = on }

// Paused reports whether ticks are stopped.
func (c *clock) Paused() bool { return c.paused }

// Stop ends the ticks for good.
func (c *clock) Stop(cause wire.EndCause) { c.over = cause }

// Stopped returns why the host is shut down, 0 if it is not.
func (c *clock) Stopped() wire.EndCause { return c.over }
