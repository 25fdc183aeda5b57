package linkmux

import (
	"fmt"
	"net/netip"
	"time"

	"github.com/hindcast/hindcast/net/link"
)

// Room is the part of a shared link that one room has. It implements link.Link for the
// host of the room. Its peers have names that no peer of another room has.
type Room struct {
	name    string
	trunk   *trunk
	box     *inbox
	batch   batch // of the poll in progress
	polling bool
	down    bool
	open    map[link.Peer]bool // Opened was delivered, and no end
}

var _ link.Link = (*Room)(nil)

// openRoom opens a room, unless another one has the name.
func openRoom(t *trunk, name string) (*Room, error) {
	r := &Room{name: name, trunk: t, box: newInbox(), open: make(map[link.Peer]bool)}
	if err := t.openRoom(name, r.box); err != nil {
		return nil, err
	}
	return r, nil
}

// Name returns the name of the room. It is safe for concurrent use.
func (r *Room) Name() string { return r.name }

// Poll implements link.Link. It delivers what polls of the Mux have handed to the room.
func (r *Room) Poll(_ time.Duration, deliver func(ev link.Event)) {
	if r.down || r.polling {
		return
	}
	r.polling = true
	defer func() { r.polling = false }()
	r.batch = r.box.take(r.batch)
	for i := 0; i < r.batch.len() && !r.down; i++ {
		ev := r.batch.at(i)
		switch {
		case ev.Kind == link.Opened:
			r.open[ev.Peer] = true
		case !r.open[ev.Peer]:
			continue // closed in the meantime
		case ev.Kind == link.Closed:
			delete(r.open, ev.Peer)
		}
		deliver(ev)
	}
}

// SendDatagram implements link.Link.
func (r *Room) SendDatagram(_ time.Duration, p link.Peer, b []byte) error {
	if err := r.sendable(p); err != nil {
		return fmt.Errorf("datagram to peer %d: %w", p, err)
	}
	return r.trunk.datagram(p, b)
}

// SendMessage implements link.Link. The message leaves with the next poll of the Mux.
func (r *Room) SendMessage(_ time.Duration, p link.Peer, s link.Stream, b []byte) error {
	if err := r.sendable(p); err != nil {
		return fmt.Errorf("message to peer %d on %v: %w", p, s, err)
	}
	return r.trunk.message(p, s, b)
}

func (r *Room) sendable(p link.Peer) error {
	switch {
	case r.down:
		return link.ErrShutdown
	case !r.open[p]:
		return link.ErrNoPeer
	}
	return nil
}

// Queued implements link.Link.
func (r *Room) Queued(p link.Peer, s link.Stream) (n int) {
	if !r.down && r.open[p] {
		r.trunk.do(func(l link.Link) { n = l.Queued(p, s) })
	}
	return n
}

// Close implements link.Link.
func (r *Room) Close(_ time.Duration, p link.Peer, reason string) {
	if !r.down && r.open[p] {
		delete(r.open, p)
		r.trunk.close(p, reason)
	}
}

// Address implements link.Located, if the shared link does.
func (r *Room) Address(p link.Peer) (addr netip.Addr, ok bool) {
	if r.down || !r.open[p] {
		return netip.Addr{}, false
	}
	r.trunk.do(func(l link.Link) {
		if located, knows := l.(link.Located); knows {
			addr, ok = located.Address(p)
		}
	})
	return addr, ok
}

var _ link.Located = (*Room)(nil)

// Due implements link.Link.
func (r *Room) Due(now time.Duration) time.Duration {
	if r.down || r.box.empty() {
		return link.Never
	}
	return now
}

// Ready implements link.Link.
func (r *Room) Ready() <-chan struct{} { return r.box.signalled() }

// Shutdown implements link.Link. It closes the peers of this room and frees its name; the
// shared link and the other rooms go on. It always returns nil.
func (r *Room) Shutdown(reason string) error {
	if r.down {
		return nil
	}
	r.down = true
	clear(r.open)
	r.trunk.closeRoom(r.name, r.box, reason)
	return nil
}
