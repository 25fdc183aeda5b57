package memlink

import (
	"fmt"
	"time"

	"github.com/hindcast/hindcast/net/link"
)

// hostPeer is the host, as its clients name it.
const hostPeer link.Peer = 1

// End is one end of a Network: the host's, with all its clients, or a client's.
// It implements link.Link on virtual time: whoever polls it decides what time it
// is. All ends of a network belong to the same goroutine.
type End struct {
	conns    []*conn // the host's in the order of Dial; a client's only one
	open     map[link.Peer]*conn
	lastPeer link.Peer

	now     time.Duration
	deliver func(link.Event) // of the poll under way
	down    bool
	stats   Stats
	buf     [maxPacket]byte // the packet being built
}

var _ link.Link = (*End)(nil)

func newEnd() *End { return &End{open: make(map[link.Peer]*conn)} }

// Poll implements link.Link. A client's first Poll begins to dial; its first
// event is Opened with peer 1, or Closed with the reason.
func (e *End) Poll(now time.Duration, deliver func(ev link.Event)) {
	if e.down || e.deliver != nil {
		return
	}
	e.setNow(now)
	e.deliver = deliver
	for i := 0; i < len(e.conns) && !e.down; i++ {
		e.conns[i].poll(e.now)
	}
	e.deliver = nil
}

func (e *End) emit(ev link.Event) { e.deliver(ev) }

func (e *End) setNow(now time.Duration) { e.now = max(e.now, now) }

// SendDatagram implements link.Link.
func (e *End) SendDatagram(now time.Duration, p link.Peer, b []byte) error {
	c, err := e.sendable(p, len(b), link.MaxDatagram)
	if err != nil {
		return fmt.Errorf("datagram to peer %d: %w", p, err)
	}
	e.setNow(now)
	c.datagram(e.now, b)
	return nil
}

// SendMessage implements link.Link.
func (e *End) SendMessage(now time.Duration, p link.Peer, s link.Stream, b []byte) error {
	c, err := e.sendable(p, len(b), s.MaxMessage())
	if err == nil {
		e.setNow(now)
		err = c.senders[s].push(b)
	}
	if err != nil {
		return fmt.Errorf("message to peer %d on %v: %w", p, s, err)
	}
	return nil
}

// sendable finds the peer and checks the length.
func (e *End) sendable(p link.Peer, n, most int) (*conn, error) {
	if e.down {
		return nil, link.ErrShutdown
	}
	c := e.open[p]
	switch {
	case c == nil:
		return nil, link.ErrNoPeer
	case n == 0:
		return nil, link.ErrEmpty
	case n > most:
		return nil, fmt.Errorf("%w: %d bytes, at most %d", link.ErrTooLarge, n, most)
	}
	return c, nil
}

// Close implements link.Link. On a client that has no answer yet it stops asking.
// Messages sent before get two seconds of polls.
func (e *End) Close(now time.Duration, p link.Peer, reason string) {
	if e.down {
		return
	}
	e.setNow(now)
	if c := e.open[p]; c != nil {
		c.leave(e.now, reason)
		return
	}
	for _, c := range e.conns {
		if c.state == stateDialing && p == hostPeer {
			c.leave(e.now, reason)
		}
	}
}

// Ready implements link.Link. It returns nil, from which a receive waits for
// ever: on virtual time nothing arrives between two polls.
func (e *End) Ready() <-chan struct{} { return nil }

// Shutdown implements link.Link. The goodbyes leave at the time of the last call
// that named one. It never fails.
func (e *End) Shutdown(reason string) error {
	if e.down {
		return nil
	}
	e.down = true
	for _, c := range e.conns {
		switch c.state {
		case stateOpen:
			c.reason = clip(reason)
			c.bye(e.now, byeCount)
		case stateLeaving:
			c.bye(e.now, byeCount)
		}
		c.state = stateClosed
	}
	clear(e.open)
	return nil
}

// RTT returns the smoothed round trip to an open peer, the waiting for polls on
// both ends included; not ok before the first ping has come back.
func (e *End) RTT(p link.Peer) (rtt time.Duration, ok bool) {
	if c := e.open[p]; c != nil && c.rtt.known {
		return c.rtt.smooth, true
	}
	return 0, false
}

// Stats returns the counters since the start.
func (e *End) Stats() Stats {
	stats := e.stats
	stats.Peers = len(e.open)
	return stats
}
