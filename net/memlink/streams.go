package memlink

import (
	"time"

	"github.com/hindcast/hindcast/net/link"
)

// streamSet is both directions of the streams of one connection, and what they
// measure of the line.
type streamSet struct {
	senders   [link.Streams]sender
	receivers [link.Streams]receiver
	rtt       rttMeter
	pace      pacer // of Bulk
}

func newStreamSet() streamSet {
	s := streamSet{pace: newPacer()}
	for i := range s.senders {
		s.senders[i] = newSender(link.Stream(i))
	}
	return s
}

// push queues a message.
func (s *streamSet) push(stream link.Stream, b []byte) error { return s.senders[stream].push(b) }

// drained reports whether all messages have been acknowledged.
func (s *streamSet) drained() bool {
	return s.senders[link.Control].drained() && s.senders[link.Bulk].drained()
}

// stuck returns why the connection has to end, if the other end acknowledges nothing on a stream.
func (s *streamSet) stuck(now time.Duration) (reason string, stuck bool) {
	for i := range s.senders {
		if reason, stuck = s.senders[i].stuck(now); stuck {
			return reason, true
		}
	}
	return "", false
}

// measure takes in one round trip of a ping.
func (s *streamSet) measure(now, rtt time.Duration) { s.rtt.add(now, rtt) }

// roundTrip returns the smoothed round-trip time, if one has been measured.
func (s *streamSet) roundTrip() (rtt time.Duration, ok bool) { return s.rtt.smoothed() }

// takeSegment handles a segment, and calls deliver for each message that it
// completes, until that returns false.
func (s *streamSet) takeSegment(b []byte, deliver func(stream link.Stream, message []byte) bool) {
	h, data := parseSegment(b)
	s.receivers[h.Stream].take(h, data, func(message []byte) bool { return deliver(h.Stream, message) })
}

// takeAck handles an acknowledgement.
func (s *streamSet) takeAck(now time.Duration, b []byte) {
	a := parseAck(b)
	s.rtt.add(now, now-a.Clock)
	news := s.senders[a.Stream].acknowledge(now, &a, s.rtt.reordering())
	if a.Stream == link.Bulk {
		s.pace.judge(now, now-a.Clock, news, &s.rtt)
	}
}

// flush sends the acknowledgements that are owed and the segments that are due,
// each built in buf. It returns how many segments were sent again.
func (s *streamSet) flush(now time.Duration, buf []byte, send func(k kind, b []byte)) (again uint64) {
	for i := range s.receivers {
		if a, owed := s.receivers[i].acknowledgement(link.Stream(i)); owed {
			send(kindAck, appendAck(buf, &a))
		}
	}
	sendSegment := func(h segmentHeader, data []byte) { send(kindSegment, appendSegment(buf, h, data)) }
	for i := range s.senders {
		again += s.senders[i].flush(now, &s.rtt, s.paceOf(i), sendSegment)
	}
	return again
}

// due returns when flush has a segment to send.
func (s *streamSet) due(now time.Duration) time.Duration {
	due := link.Never
	for i := range s.senders {
		due = min(due, s.senders[i].due(now, &s.rtt, s.paceOf(i)))
	}
	return due
}

// paceOf returns the pacer of a stream; nil: it is not paced.
func (s *streamSet) paceOf(i int) *pacer {
	if link.Stream(i) == link.Bulk {
		return &s.pace
	}
	return nil
}
