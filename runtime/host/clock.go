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
	sleep   sleep
	speed   speed
}

// speed finds out how fast a room runs: what share of real time it simulates, over the last seconds.
type speed struct {
	now, before span
}

// span is a time in which time was given up.
type span struct {
	from, to, lost time.Duration
	times          int // how often time was given up
}

// speedSpan is how long a span is, at least.
const speedSpan = 2 * time.Second

// Lost notes time that is given up, which has passed before now.
func (s *speed) Lost(now, t time.Duration) {
	s.roll(now - t)
	s.now.lost += t
	if t > 0 {
		s.now.times++
	}
}

// Share returns the share of real time, from 1/64 to 1. Time that was given up once is no rate: a stall is over.
func (s *speed) Share(now time.Duration) float64 {
	s.roll(now)
	if s.now.times+s.before.times < 2 {
		return 1
	}
	took := max(now-s.now.from+s.before.to-s.before.from, speedSpan)
	return min(max(1-float64(s.now.lost+s.before.lost)/float64(took), 1./64), 1)
}

// roll begins a new span if the present one is long enough. One that is over for long says nothing any more.
func (s *speed) roll(now time.Duration) {
	switch past := now - s.now.from; {
	case past >= 2*speedSpan:
		s.before, s.now = span{}, span{from: now}
	case past >= speedSpan:
		s.now.to = now
		s.before, s.now = s.now, span{from: now}
	}
}

// sleep finds out whether the process was stopped while its driver slept: it wakes up much later than it asked for. A
// tick that takes long is no such thing, because the driver asks when the next one is due after it.
type sleep struct {
	asked   bool
	until   time.Duration // when it was to wake up
	stopped time.Duration // for how long it was stopped last
	woke    time.Duration // when it went on then
}

const (
	// stopLeast is by how much a wake-up is late that no scheduler explains.
	stopLeast = 250 * time.Millisecond
	// stopMemory is how long after a stop, and as long as it again, clients may not have learnt of it.
	stopMemory = 3 * time.Second
)

// Sleep notes that the driver sleeps until a time, unless a packet wakes it, or not at all if that time has come.
func (s *sleep) Sleep(now, until time.Duration) { s.asked, s.until = true, max(now, until) }

// Wake notes that the driver goes on, and returns for how long the process was stopped; 0: it was not.
func (s *sleep) Wake(now time.Duration) (stopped time.Duration) {
	if s.asked && now-s.until >= stopLeast {
		s.stopped, s.woke = now-s.until, now
		stopped = s.stopped
	}
	s.asked = false
	return stopped
}

// Stopped returns for how long the process was stopped, if that is so recent that clients may not know of it.
func (s *sleep) Stopped(now time.Duration) time.Duration {
	if s.stopped == 0 || now-s.woke > s.stopped+stopMemory {
		return 0
	}
	return s.stopped
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

// Sleep, Wake and Stopped are those of sleep.
func (c *clock) Sleep(now, until time.Duration)             { c.sleep.Sleep(now, until) }
func (c *clock) Wake(now time.Duration) time.Duration       { return c.sleep.Wake(now) }
func (c *clock) StoppedFor(now time.Duration) time.Duration { return c.sleep.Stopped(now) }

// Stop ends the ticks for good.
func (c *clock) Stop(cause wire.EndCause) { c.over = cause }

// Stopped returns why the host is shut down, 0 if it is not.
func (c *clock) Stopped() wire.EndCause { return c.over }
