package memlink

import (
	"time"

	"github.com/hindcast/hindcast/net/link"
)

// keepAssembly is how large a buffer is kept after the message that needed it.
const keepAssembly = 64 << 10

// receiver is the receiving side of one stream: it puts segments in order and
// messages together.
type receiver struct {
	next    uint32 // the segment waited for
	early   []slot // those after it, by seq modulo windowSize; nil until one comes
	message []byte // the parts so far of the message under way
	owes    bool   // an acknowledgement
	clock   time.Duration
}

// slot holds a segment that came before its turn.
type slot struct {
	filled, last bool
	data         []byte
}

// take handles a segment, and calls deliver for each message that it completes,
// until that returns false.
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

// keep copies a segment that came early; one that came before is dropped.
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

// join adds the segment waited for to its message. It returns whether to go on.
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
