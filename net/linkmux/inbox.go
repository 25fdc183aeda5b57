package linkmux

import (
	"sync"

	"github.com/hindcast/hindcast/net/link"
)

const (
	maxMessages  = 8 << 20   // bytes of messages of one peer that may wait for a poll of its room
	maxDatagrams = 256 << 10 // the same of datagrams
	keepBytes    = 1 << 20   // a batch frees larger buffers
)

// batch holds events with copies of their data.
type batch struct {
	events []stored
	data   []byte
}

// stored is an event whose data is data[from:to] of its batch.
type stored struct {
	event    link.Event
	from, to int
}

func (b *batch) add(ev link.Event) {
	from := len(b.data)
	b.data = append(b.data, ev.Data...)
	ev.Data = nil
	b.events = append(b.events, stored{ev, from, len(b.data)})
}

// at returns an event. Its data is valid until the next clear.
func (b *batch) at(i int) link.Event {
	s := &b.events[i]
	ev := s.event
	ev.Data = b.data[s.from:s.to:s.to]
	return ev
}

func (b *batch) len() int { return len(b.events) }

func (b *batch) clear() {
	clear(b.events)
	b.events = b.events[:0]
	b.data = b.data[:0]
	if cap(b.data) > keepBytes {
		b.data = nil
	}
}

// member is a peer that is in a room.
type member struct {
	box                 *inbox
	round               uint64 // of box: the sizes below are of events since then
	messages, datagrams int    // bytes that wait
}

// in reports whether the member is in the room of an inbox.
func (m *member) in(box *inbox) bool { return m.box == box }

// file hands an event of the peer to its room. It reports false if too much of the peer
// waits already.
func (m *member) file(ev link.Event) bool { return m.box.put(m, ev) }

// inbox holds the events of a room between the poll of the Mux and that of the room.
type inbox struct {
	ready chan struct{}

	mu      sync.Mutex
	waiting batch
	round   uint64 // counts the calls of take
}

func newInbox() *inbox { return &inbox{ready: make(chan struct{}, 1)} }

// signalled receives after an event was filed.
func (in *inbox) signalled() <-chan struct{} { return in.ready }

// put files an event of a peer. It reports false if too much of the peer waits already.
func (in *inbox) put(m *member, ev link.Event) bool {
	in.mu.Lock()
	defer in.mu.Unlock()
	if m.round != in.round {
		m.round, m.messages, m.datagrams = in.round, 0, 0
	}
	switch ev.Kind {
	case link.Datagram:
		if m.datagrams += len(ev.Data); m.datagrams > maxDatagrams {
			return false
		}
	case link.Message:
		if m.messages > 0 && m.messages+len(ev.Data) > maxMessages {
			return false
		}
		m.messages += len(ev.Data)
	}
	in.waiting.add(ev)
	select {
	case in.ready <- struct{}{}:
	default:
	}
	return true
}

// take returns all events, and keeps old for those to come.
func (in *inbox) take(old batch) batch {
	old.clear()
	in.mu.Lock()
	defer in.mu.Unlock()
	in.round++
	taken := in.waiting
	in.waiting = old
	return taken
}

// empty reports whether nothing waits.
func (in *inbox) empty() bool {
	in.mu.Lock()
	defer in.mu.Unlock()
	return in.waiting.len() == 0
}
