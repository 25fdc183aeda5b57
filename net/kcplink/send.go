package kcplink

import (
	"fmt"
	"time"

	"github.com/hindcast/hindcast/net/link"
)

// SendDatagram implements link.Link. That the system refuses the packet is not an
// error, but a lost datagram, counted in Stats.SendErrors.
func (l *Link) SendDatagram(now time.Duration, p link.Peer, b []byte) error {
	q, err := l.sendable(p, len(b), link.MaxDatagram)
	if err != nil {
		return fmt.Errorf("datagram to peer %d: %w", p, err)
	}
	l.setNow(now)
	l.sendSession(q, kindDatagram, b)
	l.flushUp()
	return nil
}

// SendMessage implements link.Link.
func (l *Link) SendMessage(now time.Duration, p link.Peer, s link.Stream, b []byte) error {
	q, err := l.sendable(p, len(b), s.MaxMessage())
	if err == nil {
		l.setNow(now)
		err = q.streams[s].push(b)
	}
	if err != nil {
		return fmt.Errorf("message to peer %d on %v: %w", p, s, err)
	}
	if s == link.Bulk {
		q.pingAt = min(q.pingAt, l.now+fastPing)
	}
	return nil
}

// sendable finds the peer and checks the length.
func (l *Link) sendable(p link.Peer, n, most int) (*peer, error) {
	if l.down {
		return nil, link.ErrShutdown
	}
	q := l.byName[p]
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

// Close implements link.Link. On a client that has no answer yet it stops asking.
func (l *Link) Close(now time.Duration, p link.Peer, reason string) {
	if l.down {
		return
	}
	l.setNow(now)
	if l.dial != nil && p == clientPeer {
		l.dial.state = dialDone
	}
	q := l.byName[p]
	if q == nil {
		return
	}
	l.hidePeer(q, reason)
	q.state, q.reason, q.nextAt = peerLeaving, reason, l.now+flushTime
	if q.drained() {
		q.state, q.nextAt = peerBye, l.now
		l.driveBye(q)
		l.flushUp()
	}
}

// Shutdown implements link.Link. It waits for nobody: messages that have not left
// get one last chance to leave, and goodbyes pass by Options.Up. For a gentler
// end Close the peers, and poll for half a second.
func (l *Link) Shutdown(reason string) error {
	if l.down {
		return nil
	}
	l.down = true
	for _, p := range l.peers {
		if p.state == peerHalf || p.state == peerGone {
			continue
		}
		if p.state == peerOpen {
			p.reason = reason
		}
		for _, s := range p.streams {
			s.pump(l.now, nil, l.scratch[:])
			s.drive(l.now)
		}
		for ; p.byes < byeCount; p.byes++ {
			l.sendSession(p, kindBye, []byte(cleanReason(p.reason)))
		}
		p.state = peerGone
	}
	l.peers, l.stats.Peers = nil, 0
	clear(l.byName)
	clear(l.byID)
	err := l.sock.Close()
	<-l.inbox.done
	if err != nil {
		return fmt.Errorf("UDP: closing the socket: %w", err)
	}
	return nil
}
