package streamlink

import (
	"fmt"
	"sync"
	"time"

	"github.com/hindcast/hindcast/net/internal/linkbase"
	"github.com/hindcast/hindcast/net/link"
)

const (
	maxUnsent = 64 << 10 // bytes of datagrams that may wait to be sent
	maxFrames = 16 << 10 // bytes of pings and credits that may wait; a line that carries nothing gathers them
	writeSize = 16 << 10 // bytes of one write, about
)

// outbox holds what is to be written: frames without a queue first, then datagrams, then
// the streams, of which Control goes first.
type outbox struct {
	mu        sync.Mutex
	some      *sync.Cond // something is to be written, or the end has come
	frames    []byte     // a hello, pings, credits
	datagrams []byte
	streams   [link.Streams]queue
	leaving   bool   // a goodbye follows when the streams are empty
	reason    string // of the goodbye
	over      bool   // nothing more is to be written
	dropped   uint64 // datagrams
}

// queue is the messages of one stream.
type queue struct {
	messages [][]byte // of the first, the bytes from offset on
	offset   int
	size     int  // bytes in messages
	credit   int  // bytes that the other end takes
	granted  bool // it has taken some since the last look
	progress linkbase.Progress
}

func newOutbox() *outbox {
	o := &outbox{}
	o.some = sync.NewCond(&o.mu)
	for s := range o.streams {
		o.streams[s].credit = windowOf(link.Stream(s))
	}
	return o
}

// frame adds an encoded frame.
func (o *outbox) frame(b []byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.frames = append(o.frames, b...)
	o.some.Signal()
}

// datagram adds a datagram. If many wait, the line does not carry them, and newer ones are
// worth more: those that wait are dropped.
func (o *outbox) datagram(b []byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.datagrams)+len(b) > maxUnsent {
		o.dropped++
		o.datagrams = o.datagrams[:0]
	}
	o.datagrams = appendDatagram(o.datagrams, b)
	o.some.Signal()
}

// message queues b.
func (o *outbox) message(s link.Stream, b []byte) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	q := &o.streams[s]
	if err := linkbase.Queueable(s, q.size, len(b)); err != nil {
		return err
	}
	q.messages = append(q.messages, b)
	q.size += len(b)
	o.some.Signal()
	return nil
}

// queued returns how many bytes of the messages of a stream wait.
func (o *outbox) queued(s link.Stream) int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.streams[s].size
}

// grant lets n more bytes of a stream be sent. It reports a violation.
func (o *outbox) grant(s link.Stream, n int) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	q := &o.streams[s]
	if q.credit += n; q.credit > windowOf(s) {
		return violation(fmt.Sprintf("protocol violation: more credit for %v than was used", s))
	}
	q.granted = q.granted || n > 0
	o.some.Signal()
	return nil
}

// stuck returns why the connection has to end, if the other end takes nothing.
func (o *outbox) stuck(now time.Duration) (reason string, stuck bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.frames) > maxFrames {
		return fmt.Sprintf("%d KB of answers were not read", len(o.frames)>>10), true
	}
	for s := range o.streams {
		if reason, stuck = o.streams[s].stuck(now, link.Stream(s)); stuck {
			return reason, true
		}
	}
	return "", false
}

// stuckDue returns when stuck may have something to say.
func (o *outbox) stuckDue() time.Duration {
	o.mu.Lock()
	defer o.mu.Unlock()
	due := link.Never
	for s := range o.streams {
		due = min(due, o.streams[s].progress.Due())
	}
	return due
}

// leave ends the queues: a goodbye follows the messages that wait, and nothing more.
func (o *outbox) leave(reason string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.leaving {
		o.leaving, o.reason = true, reason
	}
	o.some.Signal()
}

// stop ends the writing at once.
func (o *outbox) stop() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.over = true
	o.some.Signal()
}

// next waits for something to write and appends it to b; nothing if there is no more.
func (o *outbox) next(b []byte) []byte {
	o.mu.Lock()
	defer o.mu.Unlock()
	for {
		if o.over {
			return b[:0]
		}
		if b = o.collect(b); len(b) > 0 {
			return b
		}
		o.some.Wait()
	}
}

func (o *outbox) collect(b []byte) []byte {
	b = append(b, o.frames...)
	b = append(b, o.datagrams...)
	o.frames, o.datagrams = o.frames[:0], o.datagrams[:0]
	waits := false
	for s := range o.streams {
		q := &o.streams[s]
		b = q.cut(b, link.Stream(s))
		waits = waits || q.size > 0
	}
	if o.leaving && !waits {
		o.over = true
		b = appendBye(b, o.reason)
	}
	return b
}

// cut appends segments, as far as the credit and the size of a write allow.
func (q *queue) cut(b []byte, s link.Stream) []byte {
	for q.size > 0 && q.credit > 0 && len(b) < writeSize {
		rest := q.messages[0][q.offset:]
		n := min(len(rest), maxSegment, q.credit)
		last := n == len(rest)
		b = appendSegment(b, s, last, rest[:n])
		q.offset += n
		q.size -= n
		q.credit -= n
		if last {
			q.messages[0] = nil
			q.messages, q.offset = q.messages[1:], 0
		}
	}
	if len(q.messages) == 0 {
		q.messages = nil
	}
	return b
}

func (q *queue) stuck(now time.Duration, s link.Stream) (reason string, stuck bool) {
	if q.granted {
		q.granted = false
		q.progress.Acknowledged(now)
	}
	return q.progress.Stuck(now, s, q.size+windowOf(s)-q.credit)
}

// drops returns how often datagrams were dropped.
func (o *outbox) drops() uint64 {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.dropped
}
