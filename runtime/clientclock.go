package runtime

import (
	"math"
	"time"

	"github.com/hindcast/hindcast/net/clocksync"
	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/stats"
	"github.com/hindcast/hindcast/world"
)

// clientClock keeps the host's time on a client, and says when which tick is due.
type clientClock struct {
	sync     *clocksync.Clock // nil before the first bundle
	tickRate int              // 0 before the first bundle
	pings    pinger
	rtt      stats.Series // milliseconds
	stopped  bool         // the client leaves
	check    bool
}

// newClientClock returns a clock that is not synchronised yet; check is check mode.
func newClientClock(check bool) clientClock {
	return clientClock{pings: pinger{last: -time.Hour}, check: check}
}

// use takes the tick rate from a bundle. With the first one, the clock begins to ask for the time.
func (c *clientClock) use(b *bundle.Bundle) {
	c.tickRate = b.Setup.TickRate
	if c.sync == nil {
		c.sync = clocksync.New(clocksync.Options{Tick: b.TickLength(), Margin: b.Rules.Lead})
	}
}

// running reports whether a bundle has come, so that the clock asks for the time.
func (c *clientClock) running() bool { return c.sync != nil }

// synced reports whether the clock knows the time.
func (c *clientClock) synced() bool { return c.sync.Synced() }

func (c *clientClock) rate() int                 { return c.tickRate }
func (c *clientClock) tickLength() time.Duration { return time.Second / time.Duration(c.tickRate) }

// ticks returns how many ticks last as long as d, or a little longer.
func (c *clientClock) ticks(d time.Duration) world.Tick {
	return world.Tick(math.Ceil(d.Seconds() * float64(c.tickRate)))
}

// stop ends the ticks, since the client leaves. It reports whether that is new.
func (c *clientClock) stop() (first bool) {
	first = !c.stopped
	c.stopped = true
	return first
}

// ticking reports whether the client makes ticks: it does not leave.
func (c *clientClock) ticking() bool { return !c.stopped }

// due returns the tick that the client should be at by now; 0: none.
func (c *clientClock) due(now time.Duration) world.Tick {
	if c.stopped || !c.sync.Synced() {
		return 0
	}
	return world.Tick(c.sync.Present(now) / c.tickLength())
}

// tickAt returns when tick t is due; never while the client leaves, or before the clock is synced.
func (c *clientClock) tickAt(t world.Tick, now time.Duration) time.Duration {
	at, ok := c.sync.When(time.Duration(t)*c.tickLength(), now)
	if !ok || c.stopped {
		return link.Never
	}
	return at
}

// frame returns the time now, with the present at a tick.
func (c *clientClock) frame(now time.Duration, tick world.Tick) frameTime {
	t := frameTime{now: now, host: c.sync.HostTime(now), synced: c.sync.Synced(), alpha: 1}
	if t.synced {
		past := c.sync.Present(now) - c.tickLength()*time.Duration(tick)
		t.alpha = min(max(float64(past)/float64(c.tickLength()), 0), 1)
	}
	if c.check {
		assert(t.alpha >= 0 && t.alpha <= 1, "a frame is %v of the way from one tick to the next", t.alpha)
	}
	return t
}

// age returns how long ago it was at the host that a time of the simulation passed; below 0 if the clock
// is not synced.
func (c *clientClock) age(now, at time.Duration) time.Duration {
	if !c.sync.Synced() {
		return -1
	}
	return max(c.sync.HostTime(now)-at, 0)
}

// smoothedRTT returns the smoothed round trip; 0 before it is known.
func (c *clientClock) smoothedRTT() time.Duration {
	if c.sync == nil {
		return 0
	}
	return c.sync.RTT().Smoothed
}

// leadTicks returns how many ticks the client is ahead of the host.
func (c *clientClock) leadTicks() float64 { return c.sync.Stats().Lead.Seconds() * float64(c.tickRate) }

// roundTrips returns the percentiles of the round trips, in milliseconds.
func (c *clientClock) roundTrips() stats.Percentiles { return c.rtt.Percentiles() }

// inputArrived takes the host's report of how early the inputs of a tick came.
func (c *clientClock) inputArrived(a wire.InputAck) {
	c.sync.InputArrived(time.Duration(a.Newest)*c.tickLength(), time.Duration(a.Early)*time.Millisecond)
}

// setExtraLead makes the client run further ahead than by itself.
func (c *clientClock) setExtraLead(extra time.Duration) { c.sync.SetExtraLead(extra) }

// pong takes the answer to a ping.
func (c *clientClock) pong(now time.Duration, m wire.Pong) {
	if c.sync != nil && c.sync.Sample(m.Sent, m.Host, now) == nil {
		c.rtt.Add(float64(now-m.Sent) / float64(time.Millisecond))
	}
}

// pingAt returns when the next ping is due; link.Never if none is.
func (c *clientClock) pingAt() time.Duration {
	if c.sync == nil {
		return link.Never
	}
	return c.pings.next()
}

// ping sends a ping if one is due.
func (c *clientClock) ping(now time.Duration, out *outbox) {
	c.pings.note(now)
	out.Datagram(now, link.HostPeer, wire.AppendPing(nil, &wire.Ping{Sent: now}))
}

// pinger decides when to ping the host for its time.
type pinger struct {
	last time.Duration
	sent int
}

// pingEvery and pingFirst are the times between two pings. The first pings are sent at
// shorter intervals, so that the clock is soon synced.
const (
	pingEvery  = 100 * time.Millisecond
	pingFirst  = 25 * time.Millisecond
	firstPings = 12
)

// note notes that a ping is sent.
func (p *pinger) note(now time.Duration) {
	p.last = now
	p.sent++
}

// next returns when the next ping is due.
func (p *pinger) next() time.Duration { return p.last + p.every() }

func (p *pinger) every() time.Duration {
	if p.sent < firstPings {
		return pingFirst
	}
	return pingEvery
}
