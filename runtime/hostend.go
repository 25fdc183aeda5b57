package runtime

import (
	"time"

	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/net/wire"
)

// hostStopped is the reason of a host that ends its room without another one.
const hostStopped = "the host has stopped"

// Shutdown ends the room and its replay. Clients end with ErrStopped and the reason. If check mode
// has found a difference, the host has failed, and they end with ErrClosed. Due and Poll
// go on until last messages have left; then call Close.
func (h *Host) Shutdown(now time.Duration, reason string) {
	h.schedule.stop()
	h.endRecord(h.cfg.Recorder, h.failed != nil)
	for _, p := range h.roster.All() {
		h.dismiss(now, p.ID(), reason)
	}
	h.roster.Clear()
}

// dismiss sends a client the end of the room, and closes its connection.
func (h *Host) dismiss(now time.Duration, to link.Peer, reason string) {
	m := wire.End{Cause: wire.EndOver, Reason: reason}
	if h.failed != nil {
		m.Cause = wire.EndFailed
	}
	_ = h.out.Control(now, to, wire.AppendEnd(nil, &m))
	h.out.Close(now, to, reason)
}

// Close frees the link at once, with its socket and goroutines. If Shutdown was not called
// before, Close does that first; messages that have not left by then may be lost.
// The error is that of the link's Shutdown.
func (h *Host) Close(now time.Duration, reason string) error {
	if _, open := h.schedule.due(now); open {
		h.Shutdown(now, reason)
	}
	return h.out.Shutdown(reason)
}

// release frees the link, if it is not closed.
func (h *Host) release() { _ = h.out.Shutdown("the host failed") }
