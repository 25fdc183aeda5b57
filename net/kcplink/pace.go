package kcplink

import "time"

const (
	paceGap  = 16 * time.Millisecond / 6 // six segments in 16 ms, about 430 KB/s
	paceMost = 6                         // segments at once, after a pause

	windowFirst = 8 // segments under way: what a line of 1 Mbit/s carries in 80 ms
	windowLeast = 4

	maxRTT = time.Minute
)

// pacer holds bulk back, so that datagrams and control messages find room beside
// it, here and in the queues of thin lines: it spreads segments over time, and
// limits how many are under way.
type pacer struct {
	next   time.Duration // when the next segment may leave
	window int           // segments under way at most
	held   time.Duration // no change of window before this
}

func newPacer() pacer { return pacer{window: windowFirst} }

// limit returns how many segments may be in transit.
func (p *pacer) limit() int { return p.window }

// take says whether a segment may leave now, and counts it.
func (p *pacer) take(now time.Duration) bool {
	p.next = max(p.next, now-(paceMost-1)*paceGap)
	if p.next > now {
		return false
	}
	p.next += paceGap
	return true
}

// adapt narrows the window when the round trip says that a queue is filling on
// the way, and widens it when not. It looks at delay alone. KCP's own congestion
// control, which is off, takes every lost packet for a full queue, and collapses
// on wireless lines.
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
	base   time.Duration // of an empty path: the least, rising slowly so that a new path is learnt
}

// smoothed returns the round-trip time, if one has been measured.
func (m *rttMeter) smoothed() (rtt time.Duration, ok bool) { return m.smooth, m.smooth > 0 }

func (m *rttMeter) add(sample time.Duration) {
	if sample < 0 || sample > maxRTT {
		return // the other end sent back another clock than ours
	}
	sample = max(sample, time.Microsecond)
	if m.smooth == 0 {
		m.smooth, m.base = sample, sample
		return
	}
	m.smooth += (sample - m.smooth) / 4
	m.base = min(m.base+(m.smooth-m.base)/256, sample)
}
