package client

import (
	"time"

	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/internal/side"
	"github.com/hindcast/hindcast/runtime/stats"
)

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

// due returns when the next ping is due; link.Never before the clock asks for the time.
func (p *pinger) due(c *clock) time.Duration {
	switch {
	case !c.running():
		return link.Never
	case p.sent < firstPings:
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
