package memlink

import (
	"time"

	"github.com/hindcast/hindcast/net/internal/linkbase"
	"github.com/hindcast/hindcast/net/link"
)

// sender is the sending side of one stream: messages wait in a queue and are cut into
// segments, which are sent until they are acknowledged.
type sender struct {
	stream   link.Stream
	queue    [][]byte // messages that are not cut yet; of the first, the bytes from offset on
	offset   int
	queued   int       // bytes in queue
	transit  int       // bytes in flight that are not acknowledged
	flight   []segment // segments in transit, by number, from base on
	base     uint32
	probes   linkbase.Probes
	progress linkbase.Progress
}

// segment is a part of a message in transit.
type segment struct {
	data         []byte // points into the message
	last         bool
	acknowledged bool // acknowledged
	lost         bool // a segment that was sent much later has arrived
	copies       int  // how often it is sent again before the timeout
	tries        int
	sentAt       time.Duration
}

func newSender(stream link.Stream) sender { return sender{stream: stream} }

// push queues b.
func (s *sender) push(b []byte) error {
	if err := linkbase.Queueable(s.stream, s.queued, len(b)); err != nil {
		return err
	}
	s.queue = append(s.queue, b)
	s.queued += len(b)
	return nil
}

// drained reports whether all messages have been acknowledged.
func (s *sender) drained() bool { return s.queued == 0 && len(s.flight) == 0 }

// stuck returns why the connection has to end, if the other end acknowledges nothing.
func (s *sender) stuck(now time.Duration) (reason string, stuck bool) {
	return s.progress.Stuck(now, s.stream, s.queued+s.transit)
}

// cut cuts the next segment from the queue.
func (s *sender) cut() segment {
	rest := s.queue[0][s.offset:]
	n := min(len(rest), segmentData)
	s.offset += n
	s.queued -= n
	seg := segment{data: rest[:n], last: n == len(rest)}
	if seg.last {
		s.queue[0] = nil
		s.queue, s.offset = s.queue[1:], 0
	}
	return seg
}

// flush sends what is due: segments that are lost or were not acknowledged in time, then
// new ones, as far as the window and the pace allow (nil: no pace). It returns how many
// were sent again.
func (s *sender) flush(
	now time.Duration,
	m *rttMeter,
	pace *pacer,
	send func(h segmentHeader, data []byte),
) (again uint64) {
	transmit := func(i int) bool {
		if pace != nil {
			if !pace.allows(now) {
				return false
			}
			pace.sent(now)
		}
		seg := &s.flight[i]
		if s.copies(i, now, m) {
			seg.copies--
		} else {
			seg.tries++
			seg.copies = 0
			if s.probes.Take(now) {
				seg.copies = linkbase.Copies
			}
		}
		seg.lost, seg.sentAt = false, now
		send(segmentHeader{Stream: s.stream, Last: seg.last, Seq: s.base + uint32(i), Clock: now}, seg.data)
		return true
	}
	resend := func(copies bool) (allowed bool) {
		for i := range s.flight {
			if s.segmentDue(i, now, m) > now || s.copies(i, now, m) != copies {
				continue
			}
			if !transmit(i) {
				return false
			}
			again++
		}
		return true
	}
	if !resend(false) {
		return again
	}
	for len(s.flight) < windowSize && len(s.queue) > 0 && (pace == nil || pace.allows(now)) {
		s.flight = append(s.flight, s.cut())
		s.transit += len(s.flight[len(s.flight)-1].data)
		transmit(len(s.flight) - 1)
	}
	resend(true) // after what is new
	return again
}

// due returns when flush has a segment to send.
func (s *sender) due(now time.Duration, m *rttMeter, pace *pacer) time.Duration {
	due := link.Never
	if len(s.flight) < windowSize && len(s.queue) > 0 {
		due = now
	}
	for i := range s.flight {
		due = min(due, s.segmentDue(i, now, m))
	}
	if pace != nil {
		due = max(due, pace.next())
	}
	return min(due, s.progress.Due())
}

// segmentDue returns when a segment in transit is to be sent again.
func (s *sender) segmentDue(i int, now time.Duration, m *rttMeter) time.Duration {
	seg := &s.flight[i]
	switch {
	case seg.acknowledged:
		return link.Never
	case seg.lost:
		return now
	case seg.copies > 0:
		return seg.sentAt + min(linkbase.CopyAfter(seg.copies), m.timeout(seg.tries))
	}
	return seg.sentAt + m.timeout(seg.tries)
}

// copies reports whether a segment would be sent again before it is overdue.
func (s *sender) copies(i int, now time.Duration, m *rttMeter) bool {
	seg := &s.flight[i]
	return seg.copies > 0 && !seg.lost && now < seg.sentAt+m.timeout(seg.tries)
}

// acknowledge takes in an acknowledgement and finds segments that must be lost. It
// returns how many segments it acknowledges for the first time.
func (s *sender) acknowledge(now time.Duration, a *ack, reordering time.Duration) (news int) {
	for i := range s.flight {
		seg := &s.flight[i]
		if seg.acknowledged {
			continue
		}
		switch at := int64(s.base) + int64(i) - int64(a.Next); {
		case at < 0 || at > 0 && at <= windowSize && a.Received[at-1]:
			seg.acknowledged = true
			s.transit -= len(seg.data)
			s.progress.Acknowledged(now)
			news++
		case seg.sentAt+reordering < a.Clock:
			seg.lost = true
		}
	}
	n := 0
	for n < len(s.flight) && s.flight[n].acknowledged {
		n++
	}
	left := copy(s.flight, s.flight[n:])
	clear(s.flight[left:])
	s.flight = s.flight[:left]
	s.base += uint32(n)
	return news
}
