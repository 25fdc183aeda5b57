package streamlink

import (
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/hindcast/hindcast/net/link"
)

const (
	maxWaiting = 256 << 10 // bytes of datagrams that may wait for a poll; more are dropped
	keepBuffer = 64 << 10  // larger buffers are freed after use
)

// item is a hello, a datagram or a segment that waits for a poll. Its data is data[from:to]
// of the batch.
type item struct {
	frame    frame // without data
	from, to int
}

// batch is what the reading goroutine hands to a poll.
type batch struct {
	any   bool   // something came, a ping too
	ended bool   // the connection has ended after the frames
	why   string // why it has ended
	items []item
	data  []byte
}

// heard reports whether anything came.
func (b *batch) heard() bool { return b.any }

// end reports whether the connection has ended after the frames, and why.
func (b *batch) end() (why string, ended bool) { return b.why, b.ended }

func (b *batch) len() int { return len(b.items) }

// frame returns a frame. Its data is valid until the next clear.
func (b *batch) frame(i int) frame {
	it := &b.items[i]
	f := it.frame
	f.Data = b.data[it.from:it.to:it.to]
	return f
}

func (b *batch) clear() {
	b.items, b.data = b.items[:0], b.data[:0]
	if cap(b.data) > keepBuffer {
		b.data = nil
	}
	b.any, b.ended, b.why = false, false, ""
}

// inbox holds what has come since the last poll.
type inbox struct {
	mu        sync.Mutex
	waiting   batch
	datagrams int               // bytes of them that wait
	credit    [link.Streams]int // bytes that the other end may send
	dropped   uint64            // datagrams
}

func newInbox() *inbox {
	in := &inbox{}
	for s := range in.credit {
		in.credit[s] = windowOf(link.Stream(s))
	}
	return in
}

// put files a frame. It reports whether a poll is needed, or a violation.
func (in *inbox) put(f frame) (wake bool, err error) {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.waiting.any = true
	switch f.Kind {
	case kindPing:
		return false, nil
	case kindDatagram:
		if in.datagrams+len(f.Data) > maxWaiting {
			in.dropped++
			return false, nil
		}
		in.datagrams += len(f.Data)
	case kindSegment:
		if in.credit[f.Stream] -= len(f.Data); in.credit[f.Stream] < 0 {
			return false, violation(fmt.Sprintf("protocol violation: more on %v than there was credit for", f.Stream))
		}
	}
	from := len(in.waiting.data)
	in.waiting.data = append(in.waiting.data, f.Data...)
	f.Data = nil
	in.waiting.items = append(in.waiting.items, item{f, from, len(in.waiting.data)})
	return true, nil
}

// end notes why nothing more will come.
func (in *inbox) end(why string) {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.waiting.ended, in.waiting.why = true, why
}

// take returns what waits, and keeps old for what is to come.
func (in *inbox) take(old batch) batch {
	old.clear()
	in.mu.Lock()
	defer in.mu.Unlock()
	taken := in.waiting
	in.waiting, in.datagrams = old, 0
	in.waiting.ended, in.waiting.why = taken.ended, taken.why
	return taken
}

// allow lets the other end send n more bytes.
func (in *inbox) allow(s link.Stream, n int) {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.credit[s] += n
}

// drops returns how many datagrams were dropped.
func (in *inbox) drops() uint64 {
	in.mu.Lock()
	defer in.mu.Unlock()
	return in.dropped
}

// lost says why a connection ended, for people.
func lost(err error) string {
	var v violation
	switch {
	case errors.As(err, &v):
		return v.Error()
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return "the other end has closed the connection"
	}
	return "connection lost: " + err.Error()
}
