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
	l.io.Advance(now)
	q.way().send(&l.io, kindDatagram, b)
	l.flush()
	return nil
}

// SendMessage implements link.Link.
func (l *Link) SendMessage(now time.Duration, p link.Peer, s link.Stream, b []byte) error {
	q, err := l.sendable(p, len(b), s.MaxMessage())
	if err == nil {
		l.io.Advance(now)
		err = q.sendMessage(&l.io, s, b)
	}
	if err != nil {
		return fmt.Errorf("message to peer %d on %v: %w", p, s, err)
	}
	return nil
}

// Queued implements link.Link.
func (l *Link) Queued(p link.Peer, s link.Stream) int {
	if q := l.peers.open(p); q != nil && s < link.Streams {
		return q.streams.of(s).queued
	}
	return 0
}

// sendable returns an open peer if n bytes may be sent to it.
func (l *Link) sendable(p link.Peer, n, most int) (*peer, error) {
	q := l.peers.open(p)
	return q, l.io.Sendable(q != nil, n, most)
}

// Close implements link.Link. On a client whose handshake is not over, it ends the
// handshake.
func (l *Link) Close(now time.Duration, p link.Peer, reason string) {
	if l.io.Down() {
		return
	}
	l.io.Advance(now)
	if l.dial != nil && p == link.HostPeer {
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
	if !l.io.ShutDown() {
		return nil
	}
	l.io.bypass()
	l.peers.each(func(p *peer) bool {
		p.shutDown(&l.io, reason)
		return true
	})
	l.peers.clear()
	l.io.stats().Peers = 0
	err := l.io.close()
	l.inbox.wait()
	if err != nil {
		return fmt.Errorf("UDP: closing the socket: %w", err)
	}
	return nil
}
