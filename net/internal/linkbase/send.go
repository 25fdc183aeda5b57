package linkbase

import (
	"fmt"

	"github.com/hindcast/hindcast/net/link"
)

// Sendable says why n bytes, of which there may be most, cannot be sent to a peer that is open
// or not; nil if they can. The error wraps one of package link.
func (c *Calls) Sendable(open bool, n, most int) error {
	switch {
	case c.down:
		return link.ErrShutdown
	case !open:
		return link.ErrNoPeer
	case n == 0:
		return link.ErrEmpty
	case n > most:
		return fmt.Errorf("%w: %d bytes, at most %d", link.ErrTooLarge, n, most)
	}
	return nil
}

// Queueable says why n more bytes cannot be queued on a stream on which queued bytes wait; nil
// if they can. The error wraps link.ErrBacklog. Of each stream, a few of its largest messages
// may wait.
func Queueable(s link.Stream, queued, n int) error {
	most := 2 * link.MaxBulk
	if s == link.Control {
		most = 4 * link.MaxControl
	}
	if queued+n > most {
		return fmt.Errorf("%w: %d of %d bytes wait on %v", link.ErrBacklog, queued, most, s)
	}
	return nil
}
