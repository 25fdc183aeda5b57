package kcplink

import "time"

// fastPing is the time between two pings while bulk is in transit, or while
// nothing has been heard yet.
const fastPing = 100 * time.Millisecond

// liveness keeps when a peer was last heard and when to ping it.
type liveness struct {
	bornAt  time.Duration
	heardAt time.Duration
	heard   bool
	pingAt  time.Duration // when the next ping is due
}

func newLiveness(now time.Duration) liveness { return liveness{bornAt: now, heardAt: now} }

func (v *liveness) hear(now time.Duration) { v.heardAt, v.heard = now, true }

// age returns the time since the peer was made.
func (v *liveness) age(now time.Duration) time.Duration { return now - v.bornAt }

// silence returns the time since a packet last came.
func (v *liveness) silence(now time.Duration) time.Duration { return now - v.heardAt }

// halfEnds returns when a half-open peer is too old.
func (v *liveness) halfEnds(dialTimeout time.Duration) time.Duration {
	return justAfter(v.bornAt + dialTimeout)
}

// due returns when the next ping is due or, if that is earlier, when the silence is longer
// than the timeout.
func (v *liveness) due(timeout time.Duration) time.Duration {
	return min(v.pingAt, justAfter(v.heardAt+timeout))
}

// justAfter returns the first time later than t.
func justAfter(t time.Duration) time.Duration { return t + 1 }

// pingDue reports whether to send a ping now, and if so schedules the next one.
func (v *liveness) pingDue(now, keepAlive time.Duration, bulk bool) bool {
	if now < v.pingAt {
		return false
	}
	v.pingAt = now + keepAlive
	if !v.heard || bulk {
		v.pingAt = now + min(fastPing, keepAlive)
	}
	return true
}

// hurryPing schedules the next ping as while bulk is in transit.
func (v *liveness) hurryPing(now time.Duration) { v.pingAt = min(v.pingAt, now+fastPing) }
