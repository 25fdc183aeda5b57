package memlink

import "time"

const (
	firstRTO    = 500 * time.Millisecond // before a round trip is measured
	minRTO      = 50 * time.Millisecond
	maxRTO      = 2 * time.Second
	baseSpan    = 5 * time.Second // the shortest round trip is that of the last one or two of these
	slackOnRTT  = 5 * time.Millisecond
	paceStart   = 120 // bulk segments a second: 1 Mbit/s
	paceFastest = 600
	paceSlowest = 16
	paceBurst   = 20 * time.Millisecond // of bulk that may be sent at once
	paceSamples = 16                    // round trips for one decision on the pace
	paceQueue   = 30 * time.Millisecond // round trips that exceed the shortest by this show a queue
)

// rttMeter measures the round trip of a connection, as RFC 6298 does.
type rttMeter struct {
	known     bool
	smooth    time.Duration
	deviation time.Duration
	shortest  [2]time.Duration // of this span and the last
	since     time.Duration    // start of this span
}

// add takes in a round trip.
func (m *rttMeter) add(now, rtt time.Duration) {
	if !m.known {
		*m = rttMeter{known: true, smooth: rtt, deviation: rtt / 2, shortest: [2]time.Duration{rtt, rtt}, since: now}
		return
	}
	m.deviation += ((rtt - m.smooth).Abs() - m.deviation) / 4
	m.smooth += (rtt - m.smooth) / 8
	if now-m.since > baseSpan {
		m.shortest, m.since = [2]time.Duration{rtt, m.shortest[0]}, now
	}
	m.shortest[0] = min(m.shortest[0], rtt)
}

// smoothed returns the smoothed round-trip time, if one has been measured.
func (m *rttMeter) smoothed() (rtt time.Duration, ok bool) { return m.smooth, m.known }

// base returns the shortest recent round trip: that of the line without a queue.
func (m *rttMeter) base() time.Duration { return min(m.shortest[0], m.shortest[1]) }

// timeout returns how long to wait for the acknowledgement of a segment that was sent so
// many times. It grows by half each time, as KCP's does.
func (m *rttMeter) timeout(tries int) time.Duration {
	rto := firstRTO
	if m.known {
		rto = max(m.smooth+max(4*m.deviation, 2*slackOnRTT), minRTO)
	}
	return min(rto+rto/2*time.Duration(tries-1), maxRTO)
}

// reordering returns the largest time between two segments of which the later one may
// overtake the other without a loss.
func (m *rttMeter) reordering() time.Duration {
	return max(m.smooth/4, 2*m.deviation) + slackOnRTT
}

// pacer spreads the segments of Bulk over time, so that they do not fill the queue of a
// slow line, in which everything else would wait. If even the shortest recent round trips
// show a queue, it sends less than the line delivers until the queue is gone. Loss alone
// does not slow it down.
type pacer struct {
	gap       time.Duration // between two segments
	due       time.Duration // of the next
	since     time.Duration // of the last decision; since then:
	samples   int           // round trips
	shortest  time.Duration // of them
	delivered int           // segments acknowledged
}

func newPacer() pacer { return pacer{gap: time.Second / paceStart} }

// allows reports whether a segment may be sent now.
func (p *pacer) allows(now time.Duration) bool { return now >= p.due }

// next returns when allows reports true.
func (p *pacer) next() time.Duration { return p.due }

// sent counts a segment.
func (p *pacer) sent(now time.Duration) { p.due = max(p.due, now-paceBurst) + p.gap }

// judge takes in a round trip and the number of segments acknowledged with it. After
// enough of them it sets the pace.
func (p *pacer) judge(now, rtt time.Duration, delivered int, m *rttMeter) {
	if p.samples == 0 {
		p.since, p.shortest, p.delivered = now, rtt, 0
	}
	p.samples++
	p.shortest = min(p.shortest, rtt)
	p.delivered += delivered
	passed := now - p.since
	if p.samples < paceSamples || passed < m.smooth {
		return
	}
	p.samples = 0
	if p.shortest <= m.base()+paceQueue+m.deviation {
		p.gap = max(p.gap*7/8, time.Second/paceFastest)
		return
	}
	slower := passed * 5 / 4 / time.Duration(max(p.delivered, 1)) // four fifths of what was delivered
	p.gap = min(max(p.gap, slower), time.Second/paceSlowest)
}
