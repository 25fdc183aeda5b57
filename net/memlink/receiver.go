package memlink

import (
	"time"

	"github.com/hindcast/hindcast/net/link"
)

// keepAssembly is the size of the largest buffer that is kept after its message.
const keepAssembly = 64 << 10

// receiver is the receiving side of one stream: it orders segments and joins them to
// messages.
type receiver struct {
	next    uint32 // the next segment
	early   []slot // segments after the next, by number modulo windowSize; nil until there is one
	message []byte // the parts so far of the present message
	owes    bool   // an acknowledgement is owed
	clock   time.Duration
}

// slot holds a segment that arrived early.
type slot struct {
	filled, last bool
	data         []byte
}

// take handles a segment, and calls deliver for each message that it completes until
// deliver returns false.
func (r *receiver) take(h segmentHeader, data []byte, deliver func(message []byte) bool) {
	r.owes, r.clock = true, h.Clock
	if h.Seq != r.next {
		r.keep(h, data)
		return
	}
	going := r.join(data, h.Last, deliver)
	for going && r.early != nil {
		s := &r.early[r.next%windowSize]
		if !s.filled {
			return
		}
		data, last := s.data, s.last
		*s = slot{}
		going = r.join(data, last, deliver)
	}
}

// keep copies a segment that arrived early. It drops one that was received before.
func (r *receiver) keep(h segmentHeader, data []byte) {
	if h.Seq < r.next || h.Seq-r.next >= windowSize {
		return
	}
	if r.early == nil {
		r.early = make([]slot, windowSize)
	}
	if s := &r.early[h.Seq%windowSize]; !s.filled {
		*s = slot{filled: true, last: h.Last, data: append([]byte(nil), data...)}
	}
}

// join adds the next segment to its message. It reports whether to go on.
func (r *receiver) join(data []byte, last bool, deliver func([]byte) bool) bool {
	r.next++
	if last && len(r.message) == 0 {
		return deliver(data)
	}
	r.message = append(r.message, data...)
	if !last {
		return true
	}
	whole := r.message
	r.message = whole[:0]
	if cap(whole) > keepAssembly {
		r.message = nil
	}
	return deliver(whole)
}

// acknowledgement returns what has been received, if an acknowledgement is owed.
func (r *receiver) acknowledgement(stream link.Stream) (a ack, owed bool) {
	if !r.owes {
		return a, false
	}
	r.owes = false
	a.Stream, a.Next, a.Clock = stream, r.next, r.clock
	for i := range r.early {
		// Segment next has not been received, and next+windowSize cannot have been.
		a.Received[i] = i < windowSize-1 && r.early[(r.next+1+uint32(i))%windowSize].filled
	}
	return a, true
}
