package client

import (
	"math"
	"time"

	"github.com/hindcast/hindcast/net/clocksync"
	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/internal/side"
	"github.com/hindcast/hindcast/runtime/stats"
	"github.com/hindcast/hindcast/world"
)

// clock keeps the host's time on a client, and says when which tick is due.
type clock struct {
	sync      *clocksync.Clock // nil before the first bundle
	early     []earlySample    // that came before
	tickRate  int              // 0 before the first bundle
	lag       lag
	stopped   bool // the client leaves
	ticksFrom int  // the tick rate from which on frames show the newest tick as it is; 0: none
	check     bool
}

// newClientClock returns a clock that is not synchronised yet; check is check mode.
func newClientClock(cfg *Config) clock {
	return clock{check: cfg.Verify, ticksFrom: cfg.DrawTicksFrom}
}

// use takes the tick rate from a bundle. With the first one, the clock takes what was measured before.
func (c *clock) use(b *bundle.Bundle) {
	c.tickRate = b.Setup.TickRate
	if c.sync == nil {
		c.sync = clocksync.New(clocksync.Options{Tick: b.TickLength(), Margin: b.Rules.Lead})
		for _, s := range c.early {
			c.sample(s.sent, s.host, s.received)
		}
		c.early = nil
	}
}

// earlySample is a measurement of the host's time that came before the first bundle.
type earlySample struct{ sent, host, received time.Duration }

// mostEarly is how many of them are kept, the newest ones: more than a clock needs.
const mostEarly = 64

// running reports whether a bundle has come, so that the clock can show a time.
func (c *clock) running() bool { return c.sync != nil }

// synced reports whether the clock knows the time.
func (c *clock) synced() bool { return c.sync.Synced() }

func (c *clock) tickLength() time.Duration { return time.Second / time.Duration(c.tickRate) }

// ticks returns how many ticks last as long as d, or a little longer.
func (c *clock) ticks(d time.Duration) world.Tick {
	return world.Tick(math.Ceil(d.Seconds() * float64(c.tickRate)))
}

// stop ends the ticks, since the client leaves. It reports whether that is new.
func (c *clock) stop() (first bool) {
	first = !c.stopped
	c.stopped = true
	return first
}

// ticking reports whether the client makes ticks: it does not leave.
func (c *clock) ticking() bool { return !c.stopped }

// due returns the tick that the client should be at by now; 0: none.
func (c *clock) due(now time.Duration) world.Tick {
	if c.stopped || !c.sync.Synced() {
		return 0
	}
	return world.Tick(c.present(now) / c.tickLength())
}

// present returns the time that the client should be at.
func (c *clock) present(now time.Duration) time.Duration {
	return max(c.sync.Present(now)-c.lag.at(now), 0)
}

// late returns up to which tick a client that has waited should have sampled its inputs, which do not
// wait; 0: it is not behind.
func (c *clock) late(now time.Duration) world.Tick {
	if c.stopped || c.lag.at(now) == 0 {
		return 0
	}
	return world.Tick(c.sync.Present(now) / c.tickLength())
}

// behind reports whether a client that has waited is not yet where it should be.
func (c *clock) behind(now time.Duration) bool { return c.lag.at(now) > 0 }

// wait notes that the client, which is at tick t, waits although the next tick is due.
func (c *clock) wait(now time.Duration, t world.Tick) {
	c.lag.set(now, c.sync.Present(now)-time.Duration(t+1)*c.tickLength())
}

// tickAt returns when tick t is due; never while the client leaves, or before the clock is synced.
func (c *clock) tickAt(t world.Tick, now time.Duration) time.Duration {
	due := time.Duration(t) * c.tickLength()
	at, ok := c.sync.When(due, now)
	switch {
	case !ok || c.stopped:
		return link.Never
	case c.lag.at(now) > 0:
		return now + c.lag.passes(due-c.present(now))
	}
	return at
}

// frame returns the time now, with the present at a tick.
func (c *clock) frame(now time.Duration, tick world.Tick) frameTime {
	t := frameTime{now: now, host: c.sync.HostTime(now), synced: c.sync.Synced(), alpha: 1}
	if t.synced && (c.ticksFrom == 0 || c.tickRate < c.ticksFrom) {
		past := c.present(now) - c.tickLength()*time.Duration(tick)
		t.alpha = min(max(float64(past)/float64(c.tickLength()), 0), 1)
	}
	if c.check {
		side.Assert(t.alpha >= 0 && t.alpha <= 1, "a frame is %v of the way from one tick to the next", t.alpha)
	}
	return t
}

// age returns how long ago it was at the host that a time of the simulation passed; below 0 if the clock
// is not synced.
func (c *clock) age(now, at time.Duration) time.Duration {
	if !c.sync.Synced() {
		return -1
	}
	return max(c.sync.HostTime(now)-at, 0)
}

// smoothedRTT returns the smoothed round trip; 0 before it is known.
func (c *clock) smoothedRTT() time.Duration {
	if c.sync == nil {
		return 0
	}
	return c.sync.RTT().Smoothed
}

// leadTicks returns how many ticks the client is ahead of the host.
func (c *clock) leadTicks() float64 { return c.sync.Stats().Lead.Seconds() * float64(c.tickRate) }

// inputArrived takes the host's report of how early the inputs of a tick came.
func (c *clock) inputArrived(a wire.InputAck) {
	c.sync.InputArrived(time.Duration(a.Newest)*c.tickLength(), time.Duration(a.Early)*time.Millisecond)
}

// setInputDelay says how many ticks after the next one the sampled inputs are for.
func (c *clock) setInputDelay(ticks world.Tick) {
	c.sync.SetInputDelay(time.Duration(ticks) * c.tickLength())
}

// setExtraLead makes the client run further ahead than by itself.
func (c *clock) setExtraLead(extra time.Duration) { c.sync.SetExtraLead(extra) }

// sample takes a measurement of the host's time, and reports whether it can be used.
func (c *clock) sample(sent, host, received time.Duration) bool {
	if c.sync == nil {
		c.early = append(c.early[max(len(c.early)+1-mostEarly, 0):], earlySample{sent, host, received})
		return true
	}
	return c.sync.Sample(sent, host, received) == nil
}

// lag is how far a client is behind the tick that it should be at, since it waited for the host. It
// shrinks steadily, so that nothing that is drawn jumps.
type lag struct {
	behind time.Duration // at the time since
	since  time.Duration
}

// set notes how far the client is behind.
func (l *lag) set(now, behind time.Duration) { *l = lag{max(behind, 0), now} }

// at returns how far the client is behind.
func (l *lag) at(now time.Duration) time.Duration {
	if l.behind == 0 {
		return 0
	}
	return max(l.behind-time.Duration(float64(now-l.since)*l.rate()), 0)
}

// rate returns by how much the lag shrinks as time passes: the client runs at twice its pace, or so fast
// that it is back within a second.
func (l *lag) rate() float64 { return max(l.behind.Seconds(), 1) }

// passes returns how long a time of the simulation takes while the client is behind.
func (l *lag) passes(d time.Duration) time.Duration {
	return time.Duration(float64(max(d, 0)) / (1 + l.rate()))
}

// pinger asks the host for its time.
type pinger struct {
	last time.Duration
	sent int
	rtt  stats.Series // milliseconds
}

// pingEvery and pingFirst are the times between two pings. The first pings are sent at
// shorter intervals, so that the clock is soon synced.
const (
	pingEvery  = 100 * time.Millisecond
	pingFirst  = 25 * time.Millisecond
	firstPings = 12
)

// newPinger returns a pinger whose first ping is due at once.
func newPinger() pinger { return pinger{last: -time.Hour} }

// due returns when the next ping is due.
func (p *pinger) due() time.Duration {
	if p.sent < firstPings {
		return p.last + pingFirst
	}
	return p.last + pingEvery
}

// ping sends a ping.
func (p *pinger) ping(now time.Duration, out *side.Mailbox) {
	p.last = now
	p.sent++
	out.Ping(now, &wire.Ping{Sent: now})
}

// pong takes the answer to a ping.
func (p *pinger) pong(now time.Duration, m wire.Pong, c *clock) {
	if c.sample(m.Sent, m.Host, now) {
		p.rtt.Add(float64(now-m.Sent) / float64(time.Millisecond))
	}
}

// roundTrips returns the percentiles of the round trips, in milliseconds.
func (p *pinger) roundTrips() stats.Percentiles { return p.rtt.Percentiles() }
