package host

import (
	"errors"
	"time"

	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/room"
)

// hostStopped is the reason of a host that ends its room without another one.
const hostStopped = "the host has stopped"

// Shutdown ends the room and its replay. Clients end with ErrStopped and the reason. If check mode
// has found a difference, the host has failed, and they end with ErrClosed. Due and Poll
// go on until last messages have left; then call Close.
func (h *Host) Shutdown(now time.Duration, reason string) { h.end(now, wire.EndOver, reason) }

// Restart is Shutdown for a host that will be back at its address: clients end with ErrRestarting, wait
// for it and return.
func (h *Host) Restart(now time.Duration, reason string) { h.end(now, wire.EndRestarts, reason) }

// Replace keeps the player numbers and tickets of a host that has ended for the grace time, so that its
// players return to this one. Call it before the first Poll.
func (h *Host) Replace(ended *Host) {
	h.roster.Reserve(&ended.roster, h.Schema().Setup.GraceTicks)
}

// end ends the room for a cause. If the host has failed, that is the cause.
func (h *Host) end(now time.Duration, cause wire.EndCause, reason string) {
	if h.match.Failed() != nil {
		cause = wire.EndFailed
	}
	h.clock.Stop(cause)
	h.endRecord(h.cfg.Recorder, h.match.Failed() != nil)
	for _, p := range h.roster.All() {
		h.dismiss(now, p.id, reason)
	}
	h.roster.Clear()
}

// dismiss sends a client how the room has ended, and closes its connection.
func (h *Host) dismiss(now time.Duration, to link.Peer, reason string) {
	m := wire.End{Cause: h.clock.Stopped(), Reason: reason}
	_ = h.out.Control(now, to, wire.AppendEnd(nil, &m))
	h.out.Close(now, to, reason)
}

// Close frees the link at once, with its socket and goroutines. If Shutdown was not called
// before, Close does that first; messages that have not left by then may be lost.
// The error is that of the link's Shutdown.
func (h *Host) Close(now time.Duration, reason string) error {
	if _, open := h.clock.Due(now); open {
		h.Shutdown(now, reason)
	}
	return h.out.Shutdown(reason)
}

// End shuts the room down for a Driver: for a restart, if cause is ErrRestarting, and otherwise for good. It has ended at
// once.
func (h *Host) End(now time.Duration, cause error, _ bool) (ended bool) {
	if _, open := h.clock.Due(now); !open {
		return true
	}
	var restarts *room.RestartError
	switch {
	case h.match.Failed() == nil && errors.As(cause, &restarts):
		h.Restart(now, restarts.Reason)
	case h.match.Failed() == nil && errors.Is(cause, room.ErrRestarting):
		h.Restart(now, "")
	case h.match.Failed() != nil:
		h.Shutdown(now, cause.Error())
	default:
		h.Shutdown(now, hostStopped)
	}
	return true
}

// Abandon frees the link, if it is not closed, and tells nobody.
func (h *Host) Abandon() { _ = h.out.Shutdown("the host failed") }
