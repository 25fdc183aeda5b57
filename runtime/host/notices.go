package host

import (
	"time"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/world"
)

// notices gathers the notices for a player until they are sent: for each kind the count,
// the newest tick, and the last reason.
type notices struct {
	waiting [2]wire.Notice // by kind
	sent    time.Duration  // when the last notice was sent
}

// noticeEvery is how often a player is notified of inputs that were not applied.
const noticeEvery = 250 * time.Millisecond

// Add notes that an input, pose or frame for tick t was not applied.
func (n *notices) Add(kind wire.NoticeKind, t world.Tick, reason string) {
	w := &n.waiting[kind-1]
	w.Kind, w.Reason = kind, reason
	w.Count++
	w.Tick = max(w.Tick, t)
}

// Flush calls send for the notices that are due.
func (n *notices) Flush(now time.Duration, send func(*wire.Notice)) {
	if now-n.sent < noticeEvery {
		return
	}
	for i := range n.waiting {
		if w := &n.waiting[i]; w.Count > 0 {
			send(w)
			*w, n.sent = wire.Notice{}, now
		}
	}
}
