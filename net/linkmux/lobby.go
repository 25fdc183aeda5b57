package linkmux

import (
	"time"

	"github.com/hindcast/hindcast/net/link"
)

// lobby is the peers without a room, the longest waiting first.
type lobby struct {
	waiting []waiter
}

type waiter struct {
	peer  link.Peer
	until time.Duration
}

func (l *lobby) enter(p link.Peer, until time.Duration) {
	l.waiting = append(l.waiting, waiter{p, until})
}

// leave removes a peer, and reports whether it was there.
func (l *lobby) leave(p link.Peer) bool {
	for i := range l.waiting {
		if l.waiting[i].peer == p {
			l.waiting = append(l.waiting[:i], l.waiting[i+1:]...)
			return true
		}
	}
	return false
}

func (l *lobby) len() int { return len(l.waiting) }

// expired reports whether the first peer has waited too long.
func (l *lobby) expired(now time.Duration) bool { return now >= l.due() }

// first removes and returns the peer that has waited longest.
func (l *lobby) first() link.Peer {
	p := l.waiting[0].peer
	l.waiting = append(l.waiting[:0], l.waiting[1:]...)
	return p
}

// due returns when the next peer expires.
func (l *lobby) due() time.Duration {
	if len(l.waiting) == 0 {
		return link.Never
	}
	return l.waiting[0].until
}
