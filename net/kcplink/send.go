package kcplink

import (
	"fmt"
	"time"

	"github.com/hindcast/hindcast/net/link"
)

// SendDatagram implements link.Link. If the system refuses the packet, that is not
// an error but a lost datagram, counted in Stats.SendErrors.
func (l *Link) SendDatagram(now time.Duration, p link.Peer, b []byte) error {
	q, err := l.sendable(p, len(b), link.MaxDatagram)
	if err != nil {
		return fmt.Errorf("datagram to peer %d: %w", p, err)
	}
	l.io.advance(now)
	q.send(&l.io, kindDatagram, b)
	l.flush()
	return nil
}

// SendMessage implements link.Link.
func (l *Link) SendMessage(now time.Duration, p link.Peer, s link.Stream, b []byte) error {
	q, err := l.sendable(p, len(b), s.MaxMessage())
	if err == nil {
		l.io.advance(now)
		err = q.sendMessage(&l.io, s, b)
	}
	if err != nil {
		return fmt.Errorf("message to peer %d on %v: %w", p, s, err)
	}
	return nil
}

// sendable returns an open peer if n bytes may be sent to it.
func (l *Link) sendable(p link.Peer, n, most int) (*peer, error) {
	if l.down {
		return nil, link.ErrShutdown
	}
	q := l.peers.open(p)
	switch {
	case q == nil:
		return nil, link.ErrNoPeer
	case n == 0:
		return nil, link.ErrEmpty
	case n > most:
		return nil, fmt.Errorf("%w: %d bytes, at most %d", link.ErrTooLarge, n, most)
	}
	return q, nil
}

// Close implements link.Link. On a client whose handshake is not over, it ends the
// handshake.
func (l *Link) Close(now time.Duration, p link.Peer, reason string) {
	if l.down {
		return
	}
	l.io.advance(now)
	if l.dial != nil && p == hostPeer {
		l.dial.stop()
	}
	if q := l.peers.open(p); q != nil && q.leave(&l.io, reason) {
		l.flush()
	}
}

// Shutdown implements link.Link. It does not wait: messages that are queued are
// sent once more, and goodbyes do not pass the simulated network. For a gentler
// end, close the peers and poll for half a second first.
func (l *Link) Shutdown(reason string) error {
	if l.down {
		return nil
	}
	l.down = true
	l.io.bypass()
	l.peers.each(func(p *peer) bool {
		p.shutDown(&l.io, reason)
		return true
	})
	l.peers.clear()
	l.io.Stats.Peers = 0
	err := l.io.close()
	l.inbox.wait()
	if err != nil {
		return fmt.Errorf("UDP: closing the socket: %w", err)
	}
	return nil
}
