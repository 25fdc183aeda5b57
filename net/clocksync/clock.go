package clocksync

import "time"

// Clock estimates the host's time, and the time that the client should simulate. Use New
// to make one. It is not safe for use by several goroutines.
//
// The client's times (sent, received, now) are of one clock that never goes back; the
// host's times are of the host's clock. Both count from any moment.
type Clock struct {
	opts   Options
	window window
	rtt    rttStats
	count  counters

	running bool          // a time was shown after Synced
	now     time.Duration // the time of the last call
	host    time.Duration // the shown host time at now
	holding bool          // the host's clock was set back: host stands still
	lead    time.Duration // present less host, slewed
	extra   time.Duration // SetExtraLead
	delay   time.Duration // SetInputDelay

	arrivals arrivals
	reported bool          // the host has reported arrivals: base replaces the trip and the margin
	base     time.Duration // the lead with which inputs arrive Margin before they are due

	present time.Duration
}

// counters count since New.
type counters struct {
	taken, refused, outliers, steps, jumps, holds, grown uint64
}

// New returns a Clock without samples.
func New(opts Options) *Clock {
	opts = opts.withDefaults()
	return &Clock{opts: opts, window: newWindow(opts.Window), rtt: newRTTStats(opts.Window), arrivals: newArrivals()}
}

// Sample adds the result of one ping: when it was sent and when the answer was received,
// both by the client's clock, and the host's time in the answer. Samples must be added in
// the order in which they were received. If a sample cannot be used, Sample returns
// ErrTime or ErrDuplicate and changes nothing but a counter.
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

// Synced reports whether there have been Options.MinSamples samples, so that the clock
// shows a time.
func (c *Clock) Synced() bool { return c.count.taken >= uint64(c.opts.MinSamples) }

// HostTime returns the host's time at the client's time now. It is 0 until Synced, and then
// never decreases. For a now before that of the last call it returns the last result.
func (c *Clock) HostTime(now time.Duration) time.Duration {
	c.advance(now)
	return c.host
}

// Present returns the time that the client should simulate at its time now: HostTime plus
// the lead, which is below 0 if the input delay is longer than the inputs travel. It is 0
// until Synced, and then never decreases.
func (c *Clock) Present(now time.Duration) time.Duration {
	c.advance(now)
	return c.present
}

// When returns the client's time at which Present will have reached a time of the host, if
// no sample, report or extra lead comes before. It is now if Present has reached it, and
// ok is false before Synced. It changes nothing.
func (c *Clock) When(present, now time.Duration) (at time.Duration, ok bool) {
	switch {
	case !c.Synced():
		return 0, false
	case !c.running || c.present >= present:
		return now, true
	}
	needed := present - (c.host + c.lead)
	passed := needed
	for range whenRounds {
		gained := c.now + passed + c.window.offsetAt(c.now+passed) - (c.host + passed)
		switch {
		case gained > c.opts.JumpLimit: // it jumps
		case gained < -c.opts.JumpLimit || c.holding:
			gained = min(gained, 0) // it stands still for so long
		default:
			gained = slew(gained, passed)
		}
		next := max(needed-gained-slew(c.leadTarget()-c.lead, passed), 0)
		if next == passed {
			break
		}
		passed = next
	}
	return max(c.now+passed+whenSlack, now), true
}

// When solves its equation in rounds, each of which leaves a twentieth of the error of the
// one before; there are at most whenRounds. The slack is for what is rounded down.
const (
	whenRounds = 6
	whenSlack  = time.Microsecond
)

// Trip returns the median one-way trip: half of the median round trip in the window.
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
		c.present = max(c.host+c.lead, 0)
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

// leadTarget returns what the lead should be. The trip that pings measure is a first guess:
// it follows slowly when the line changes.
func (c *Clock) leadTarget() time.Duration {
	if c.reported {
		return c.base + c.extra - c.delay
	}
	return c.Trip() + c.opts.Margin + c.extra - c.delay
}

// advanceHost moves the shown host time on, a little faster or slower to meet the
// estimate. If the error is too large, it jumps or stands still.
func (c *Clock) advanceHost(estimated, passed time.Duration) {
	if c.holding {
		if estimated < c.host {
			return
		}
		c.holding = false
		passed = min(passed, estimated-c.host) // it stood still for the rest
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

// slew returns the part of a correction that may be made in the time that has passed.
func slew(wrong, passed time.Duration) time.Duration {
	most := passed / slewDivisor
	return min(max(wrong, -most), most)
}
