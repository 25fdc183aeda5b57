package memlink

import (
	"fmt"
	"net/netip"
	"time"

	"github.com/hindcast/hindcast/net/link"
)

// End is one end of a Network: the host's, with all clients, or a client's, with
// the host. It implements link.Link on virtual time: the caller of Poll decides
// what time it is. All ends of a network belong to one goroutine.
type End struct {
	io      port
	conns   []*conn // of the host: in the order of Dial; of a client: one
	checked bool    // Network.Check
}

var _ link.Link = (*End)(nil)

func newEnd(checked bool) *End {
	return &End{io: port{open: make(map[link.Peer]*conn)}, checked: checked}
}

// attach adds a connection.
func (e *End) attach(c *conn) { e.conns = append(e.conns, c) }

// Poll implements link.Link. The first Poll of a client begins to dial. The
// client's first event is Opened with peer 1, or Closed with the reason.
func (e *End) Poll(now time.Duration, deliver func(ev link.Event)) {
	if !e.io.Begin(now, deliver) {
		return
	}
	defer e.io.End()
	for i := 0; i < len(e.conns) && !e.io.Down(); i++ {
		e.conns[i].poll(&e.io, e.io.Now())
	}
	if e.checked {
		e.check()
	}
}

// SendDatagram implements link.Link.
func (e *End) SendDatagram(now time.Duration, p link.Peer, b []byte) error {
	c, err := e.sendable(p, len(b), link.MaxDatagram)
	if err != nil {
		return fmt.Errorf("datagram to peer %d: %w", p, err)
	}
	e.io.Advance(now)
	c.datagram(&e.io, e.io.Now(), b)
	return nil
}

// SendMessage implements link.Link.
func (e *End) SendMessage(now time.Duration, p link.Peer, s link.Stream, b []byte) error {
	c, err := e.sendable(p, len(b), s.MaxMessage())
	if err == nil {
		e.io.Advance(now)
		err = c.message(s, b)
	}
	if err != nil {
		return fmt.Errorf("message to peer %d on %v: %w", p, s, err)
	}
	return nil
}

// sendable returns the open connection of a peer if n bytes may be sent to it.
func (e *End) sendable(p link.Peer, n, most int) (*conn, error) {
	c := e.io.find(p)
	return c, e.io.Sendable(c != nil, n, most)
}

// Close implements link.Link. On a client that is still dialing, it stops that.
// Messages sent before have two seconds of polls to arrive.
func (e *End) Close(now time.Duration, p link.Peer, reason string) {
	if e.io.Down() {
		return
	}
	e.io.Advance(now)
	if c := e.io.find(p); c != nil {
		c.leave(&e.io, e.io.Now(), reason)
		return
	}
	for _, c := range e.conns {
		if c.is(stateDialing) && p == link.HostPeer {
			c.leave(&e.io, e.io.Now(), reason)
		}
	}
}

// Due implements link.Link. It shows the packets that are on their way, too.
func (e *End) Due(now time.Duration) time.Duration {
	due := link.Never
	if e.io.Down() {
		return due
	}
	for _, c := range e.conns {
		due = min(due, c.due(now))
	}
	return due
}

// Ready implements link.Link. It returns nil, from which a receive waits for ever: Due
// shows when the next packet arrives.
func (e *End) Ready() <-chan struct{} { return nil }

// Shutdown implements link.Link. The goodbyes are sent at the time of the last
// call that named one. It always returns nil.
func (e *End) Shutdown(reason string) error {
	if !e.io.ShutDown() {
		return nil
	}
	for _, c := range e.conns {
		c.shutDown(&e.io, e.io.Now(), reason)
	}
	e.io.closeAll()
	return nil
}

// Queued implements link.Link.
func (e *End) Queued(p link.Peer, s link.Stream) int {
	if c := e.io.find(p); c != nil && s < link.Streams {
		return c.streams.senders[s].queued
	}
	return 0
}

// RTT returns the smoothed round-trip time to an open peer, which includes the
// time that packets wait for a poll at both ends. ok is false until the first ping
// has been answered.
func (e *End) RTT(p link.Peer) (rtt time.Duration, ok bool) {
	if c := e.io.find(p); c != nil {
		return c.roundTrip()
	}
	return 0, false
}

// Stats returns the counters since the End was made.
func (e *End) Stats() Stats { return e.io.stats() }

// Address implements link.Located, for clients that were placed.
func (e *End) Address(p link.Peer) (addr netip.Addr, ok bool) {
	c := e.io.find(p)
	if c == nil {
		return netip.Addr{}, false
	}
	return c.addr, c.addr.IsValid()
}

var _ link.Located = (*End)(nil)
