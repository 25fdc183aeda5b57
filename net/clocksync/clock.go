package clocksync

import "time"

// Clock estimates the host's time, and the time that the client should simulate.
// Make it with New. It isn't safe for use by several goroutines.
//
// The client's times handed to it (sent, received, now) are all of one clock
// that never runs backward; the host's are of the host's. Neither needs to start
// at a particular moment.
type Clock struct {
	opts   Options
	window window
	rtt    rttStats
	count  counters

	running bool          // the first time after being synced has been shown
	now     time.Duration // of the last call
	host    time.Duration // shown host time at that moment
	holding bool          // the host's clock was put back: ours stands still
	lead    time.Duration // shown host time to present, slewed
	extra   time.Duration // lead asked for

	arrivals arrivals
	reported bool          // the host has said when inputs came: base replaces the trip and the margin
	base     time.Duration // lead that makes inputs come when they should

	present time.Duration
}

// counters are of everything since New.
type counters struct {
	taken, refused, outliers, steps, jumps, holds, grown uint64
}

// New returns a clock without samples.
func New(opts Options) *Clock {
	opts = opts.withDefaults()
	return &Clock{opts: opts, window: newWindow(opts.Window), rtt: newRTTStats(opts.Window)}
}

// Sample adds the result of one ping: when it was sent (client's clock), the
// host's time in the answer, and when the answer was received (client's clock).
// It returns ErrTime or ErrDuplicate if the sample can't be used; the estimate is
// then as before. Samples are added in the order in which they were received.
func (c *Clock) Sample(sent, hostTime, received time.Duration) error {
	if err := c.check(sent, hostTime, received); err != nil {
		c.count.refused++
		return err
	}
	odd, step := c.window.add(newSample(sent, hostTime, received), c.opts.MaxAge, c.opts.MinSamples, c.opts.Tick)
	c.rtt.update(&c.window)
	c.count.taken++
	if odd {
		c.count.outliers++
	}
	if step {
		c.count.steps++
	}
	return nil
}

func (c *Clock) check(sent, hostTime, received time.Duration) error {
	for _, t := range [...]time.Duration{sent, hostTime, received} {
		if t < 0 || t > maxTime {
			return ErrTime
		}
	}
	if received < sent || received-sent > maxRTT {
		return ErrTime
	}
	if received < c.window.newest() {
		return ErrTime
	}
	if c.window.has(sent) {
		return ErrDuplicate
	}
	return nil
}

// Synced tells whether there have been enough samples to show a time.
func (c *Clock) Synced() bool { return c.count.taken >= uint64(c.opts.MinSamples) }

// HostTime returns the host's time at the client's time now: 0 until Synced, and
// from then on never less than before. A now before the last one gives the last answer.
func (c *Clock) HostTime(now time.Duration) time.Duration {
	c.advance(now)
	return c.host
}

// Present returns the time that the client should be simulating at its time now:
// HostTime and the lead. It is 0 until Synced, and never decreases.
func (c *Clock) Present(now time.Duration) time.Duration {
	c.advance(now)
	return c.present
}

// Trip returns the median one-way trip: half the median round trip of the window.
func (c *Clock) Trip() time.Duration { return c.rtt.median() / 2 }

// advance moves all shown times on to now.
func (c *Clock) advance(now time.Duration) {
	if !c.Synced() {
		return
	}
	estimated := now + c.window.offsetAt(now)
	if !c.running {
		c.running, c.now = true, now
		c.host, c.lead = max(estimated, 0), c.leadTarget()
		c.present = c.host + c.lead
		return
	}
	passed := now - c.now
	if passed <= 0 {
		return
	}
	c.now = now
	c.advanceHost(estimated, passed)
	c.lead += slew(c.leadTarget()-c.lead, passed)
	c.present = max(c.present, c.host+c.lead)
}

// leadTarget is what the lead should be. A trip measured by pings is a first
// guess; it follows a line that changes late.
func (c *Clock) leadTarget() time.Duration {
	if c.reported {
		return c.base + c.extra
	}
	return c.Trip() + c.opts.Margin + c.extra
}

// advanceHost lets the shown host time run on, a little faster or slower to meet
// the estimate; if that is too far off, it jumps or stands still.
func (c *Clock) advanceHost(estimated, passed time.Duration) {
	if c.holding {
		if estimated < c.host {
			return
		}
		c.holding = false
		passed = min(passed, estimated-c.host) // the rest was spent waiting
	}
	wrong := estimated - (c.host + passed)
	switch {
	case wrong > c.opts.JumpLimit:
		c.count.jumps++
		c.host = estimated
	case wrong < -c.opts.JumpLimit:
		c.count.holds++
		c.holding = true
	default:
		c.host += passed + slew(wrong, passed)
	}
}

// slew returns the part of a correction that may be made in the time that passed.
func slew(wrong, passed time.Duration) time.Duration {
	most := passed / slewDivisor
	return min(max(wrong, -most), most)
}
