package kcplink

import "time"

const (
	paceGap  = 16 * time.Millisecond / 6 // six segments in 16 ms: about 430 KB/s
	paceMost = 6                         // segments at once, after a pause

	windowFirst = 8 // segments in transit: what a line of 1 Mbit/s carries in 80 ms
	windowLeast = 4

	maxRTT = time.Minute
)

// pacer delays bulk, so that datagrams and control messages find room beside it, here
// and in the queues of slow lines. It spreads segments over time and limits how many are
// in transit.
type pacer struct {
	next   time.Duration // when the next segment may be sent
	window int           // the largest number of segments in transit
	held   time.Duration // the window does not change before this
}

func newPacer() pacer { return pacer{window: windowFirst} }

// limit returns how many segments may be in transit.
func (p *pacer) limit() int { return p.window }

// take reports whether a segment may be sent now, and counts it.
func (p *pacer) take(now time.Duration) bool {
	p.next = max(p.next, now-(paceMost-1)*paceGap)
	if p.next > now {
		return false
	}
	p.next += paceGap
	return true
}

// due returns when take reports true.
func (p *pacer) due() time.Duration { return p.next }

// adapt shrinks the window if the round trip shows that a queue is filling on the way,
// and otherwise grows it. It looks at delay only. KCP's own congestion control, which is off,
// takes every lost packet for a full queue, and collapses on wireless lines.
func (p *pacer) adapt(now time.Duration, m *rttMeter) {
	if now < p.held {
		return
	}
	p.held = now + m.smooth/2
	if m.smooth > m.base+m.base/2+50*time.Millisecond {
		p.window = max(p.window*3/4, windowLeast)
		return
	}
	p.window = min(p.window+p.window/8+1, sendWindow)
}

// rttMeter keeps the round trip time of one peer.
type rttMeter struct {
	smooth time.Duration // 0: none measured yet
	base   time.Duration // that of a path without queues: the least, rising slowly so that a new path is learnt
}

// smoothed returns the round-trip time, if one has been measured.
func (m *rttMeter) smoothed() (rtt time.Duration, ok bool) { return m.smooth, m.smooth > 0 }

func (m *rttMeter) add(sample time.Duration) {
	if sample < 0 || sample > maxRTT {
		return // the other end returned another clock than this end's
	}
	sample = max(sample, time.Microsecond)
	if m.smooth == 0 {
		m.smooth, m.base = sample, sample
		return
	}
	m.smooth += (sample - m.smooth) / 4
	m.base = min(m.base+(m.smooth-m.base)/256, sample)
}
