package linkbase

import (
	"fmt"
	"time"

	"github.com/hindcast/hindcast/net/link"
)

// A stream is stuck when more than stuckBytes wait on it and the other end has acknowledged nothing for stuckAfter.
const (
	stuckBytes = 64 << 10
	stuckAfter = 5 * time.Second
)

// Progress finds out whether a stream is stuck, so that what waits for a peer that never reads does not wait for as
// long as the peer says that it is alive. The zero value is ready.
type Progress struct {
	waits bool          // more than stuckBytes
	since time.Duration // of the last acknowledgement, or since when so much waits
}

// Acknowledged notes that the other end has acknowledged something that it had not acknowledged before. An
// acknowledgement of a later part counts while an earlier one is missing: on a line that loses half of the packets, one
// part can take seconds.
func (p *Progress) Acknowledged(now time.Duration) { p.since = now }

// Stuck returns why the connection has to end, if the stream is stuck. waiting is how many of its bytes have not been
// acknowledged, those that have not been sent included.
func (p *Progress) Stuck(now time.Duration, s link.Stream, waiting int) (reason string, stuck bool) {
	if waiting <= stuckBytes {
		p.waits = false
		return "", false
	}
	if !p.waits {
		p.waits, p.since = true, now
	}
	if now-p.since <= stuckAfter {
		return "", false
	}
	return fmt.Sprintf("nothing was acknowledged for %v while %d KB wait on %v", stuckAfter, waiting>>10, s), true
}

// Due returns when the stream may be stuck, unless something is acknowledged.
func (p *Progress) Due() time.Duration {
	if !p.waits {
		return link.Never
	}
	return p.since + stuckAfter + 1
}
