package host

import (
	"errors"
	"fmt"
	"time"

	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/timeline"
)

// What drives a Host: a Driver or the program calls these methods. Poll, Update and Due in turns make the room run;
// Shutdown and Close end it.

// hostStopped is the reason of a host that ends its room without another one.
const hostStopped = "the host has stopped"

const (
	// catchUpTicks is how many ticks a host that is late runs in one Update, before it looks at
	// the network again.
	catchUpTicks = 4
	// restTime is how much time a host to which nobody is connected leaves between two groups of
	// ticks. Most of what a tick of an empty room costs is waking up and fetching the room's memory.
	restTime = 500 * time.Millisecond
)

// Poll receives: it keeps the newest InputPacket of each client for the next Tick,
// answers joins and pings, and notes which clients left. A host that is shut down
// closes every new connection.
func (h *Host) Poll(now time.Duration) {
	defer h.notify.Flush()
	h.noteStop(now)
	h.clock.Set(now)
	h.mail.Poll(now)
}

// Update runs the ticks that are due: at most four if somebody is connected. A host that is late by
// more than Rules.CatchUp after that skips that time: the room runs slower than real time, which the
// report counts (SkippedMS). The error is that of Tick.
func (h *Host) Update(now time.Duration) error {
	if h.rests() {
		return h.catchUp(now)
	}
	for range catchUpTicks {
		due, ok := h.clock.Due(now)
		if !ok || due > now {
			break
		}
		h.noteLate(now - due)
		if err := h.Tick(now); err != nil {
			return err
		}
	}
	h.skip(now)
	return nil
}

// Tick runs one frame of the host: it queues the inputs that arrived, rewinds once to
// the oldest dirty tick and simulates forward again, steps the new tick, and sends
// packets to all clients. The error is timeline.ErrDesync in check mode, and
// timeline.ErrInterrupted if Config.Stop has given up the tick; then the host can only be shut down. Update calls
// it when a tick is due; a program with a schedule of its own calls it instead of
// Update.
func (h *Host) Tick(now time.Duration) (err error) {
	defer h.notify.Flush()
	if h.match.Interrupted() {
		return timeline.ErrInterrupted
	}
	defer h.interrupted(&err)
	h.clock.Tick(now)
	h.lines.Flush(now, false)
	for _, p := range h.roster.All() {
		h.readInputs(now, p)
		for _, data := range p.inbox.Motions() {
			h.readMotion(p, data)
		}
	}
	h.expelIdle(now)
	h.answerWaiting(now)
	if h.clock.Paused() {
		h.send(now)
		h.sendAssets(now)
		h.sendProblems(now)
		return nil
	}
	watch := h.stopwatch()
	h.rewindLate()
	h.updateLedgers(now)
	h.insertOwnerPoses()
	stepped := h.step()
	h.events.Simulated(h.match.Now())
	h.recordTick()
	h.clock.Begin(h.match.Now(), now)
	h.stats.Stepped(stepped)
	if stepped.FaultMissed {
		h.log.Error("fault: there is no such object",
			"object", h.cfg.Fault.Object, "tick", uint32(h.cfg.Fault.Tick), "objects", h.State().Len())
	}
	h.commit()
	h.judgeClaims(now)
	h.send(now)
	h.sendSnapshots(now)
	h.relayCues(now)
	h.sendPings(now)
	h.judgeProblems()
	h.sendProblems(now)
	h.sendAssets(now)
	h.notify.Present(h.State(), h.Schema())
	h.stats.Took(watch())
	if failed := h.match.Failed(); failed != nil {
		return fmt.Errorf("%w: %w", timeline.ErrDesync, failed)
	}
	return nil
}

// interrupted, deferred, ends a tick that Config.Stop has given up with timeline.ErrInterrupted.
func (h *Host) interrupted(err *error) {
	if h.match.Interrupted() {
		_ = recover() // the panic of the hook that was not called
		*err = timeline.ErrInterrupted
		h.log.Warn("a tick was given up, because the program ends and the scripts take too long",
			"tick", uint32(h.match.Now())+1)
	}
}

// Due returns when the host needs the next Poll and Update if no packet arrives before: a tick is
// due, or the link is. It is at or before now if something is due already. While nobody is
// connected, ticks wait for up to 500 ms, and then run together. A program without a Driver
// calls Wake before Poll, so that a client that connects finds the room at the present. A Poll that comes much later
// than what Due returned last shows that the process was stopped.
// After Shutdown, only the link is due, until it has sent everything; then Due returns link.Never.
func (h *Host) Due(now time.Duration) time.Duration {
	due := h.mail.Due(now)
	if tick, ok := h.clock.Due(now); ok {
		if h.rests() {
			tick += restTime
		}
		due = min(due, tick)
	}
	h.clock.Sleep(now, due)
	return due
}

// Ready receives when a packet waits for a Poll.
func (h *Host) Ready() <-chan struct{} { return h.mail.Ready() }

// Wake runs the ticks for which a host that rests has waited. What check mode finds in them is the
// error of the next tick, too. A Driver calls Wake before each Poll.
func (h *Host) Wake(now time.Duration) {
	h.noteStop(now)
	if h.rests() {
		_ = h.catchUp(now)
	}
}

// Pause stops the ticks, or continues them. The connections stay open.
func (h *Host) Pause(on bool) { h.clock.Pause(on) }

// Replace keeps the player numbers, tickets and places of a host that has ended for the grace time, so that its
// players return to this one, also if it takes fewer. Call it before the first Poll.
func (h *Host) Replace(ended *Host) {
	h.roster.Reserve(&ended.roster, h.Schema().Setup.GraceTicks)
}

// Shutdown ends the room and its replay. Clients end with ErrStopped and the reason. If check mode
// has found a difference, the host has failed, and they end with ErrClosed. Due and Poll
// go on until last messages have left; then call Close.
func (h *Host) Shutdown(now time.Duration, reason string) { h.end(now, wire.EndOver, reason) }

// Close frees the link at once, with its socket and goroutines. If Shutdown was not called
// before, Close does that first; messages that have not left by then may be lost.
// The error is that of the link's Shutdown.
func (h *Host) Close(now time.Duration, reason string) error {
	if _, open := h.clock.Due(now); open {
		h.Shutdown(now, reason)
	}
	return h.mail.Shutdown(reason)
}

// End shuts the room down for a Driver: for a restart, if cause is ErrRestarting, and otherwise for good. It has
// ended at once.
func (h *Host) End(now time.Duration, cause error, _ bool) (ended bool) {
	if _, open := h.clock.Due(now); !open {
		return true
	}
	var restarts *room.RestartError
	switch {
	case h.match.Failed() == nil && errors.As(cause, &restarts):
		h.restart(now, restarts.Reason)
	case h.match.Failed() == nil && errors.Is(cause, room.ErrRestarting):
		h.restart(now, "")
	case h.match.Failed() != nil:
		h.Shutdown(now, cause.Error())
	default:
		h.Shutdown(now, hostStopped)
	}
	return true
}

// Abandon frees the link, if it is not closed, and tells nobody.
func (h *Host) Abandon() { _ = h.mail.Shutdown("the host failed") }

// rests reports whether nobody is connected, and a tick has run.
func (h *Host) rests() bool { return h.clock.Ticking() && len(h.roster.All()) == 0 }

// catchUp runs the ticks for which a host that rests has waited, each as if at its own time.
func (h *Host) catchUp(now time.Duration) error {
	h.skip(now - restTime)
	for {
		due, ok := h.clock.Due(now)
		if !ok || due > now {
			return nil
		}
		at := due
		if now-due < h.clock.Length() {
			at = now
		}
		if err := h.Tick(at); err != nil {
			return err
		}
	}
}

// skip skips the time by which the host is late, if that is too much.
func (h *Host) skip(now time.Duration) {
	if late := h.clock.GiveUp(now, h.match.Rules().CatchUpLimit()); late > 0 {
		h.noteSkipped(late)
	}
}

// restart is Shutdown for a host that will be back at its address: clients end with ErrRestarting, wait
// for it and return.
func (h *Host) restart(now time.Duration, reason string) { h.end(now, wire.EndRestarts, reason) }

// end ends the room for a cause. If the host has failed, that is the cause.
func (h *Host) end(now time.Duration, cause wire.EndCause, reason string) {
	if h.match.Failed() != nil {
		cause = wire.EndFailed
	}
	h.stats.Present(len(h.roster.List()), h.Players())
	h.clock.Stop(cause)
	h.endRecord(h.cfg.Recorder, h.match.Failed() != nil)
	for _, p := range h.roster.All() {
		h.dismiss(now, p.id, cause, reason)
	}
	h.roster.Clear()
	h.lines.Flush(now, true)
	if h.errors.Any() || h.problems.AnyFailed() {
		h.log.Info("the failures and pauses of the hooks of this room are over with it")
	}
}

// dismiss sends a client why its stay ends, and closes its connection.
func (h *Host) dismiss(now time.Duration, to link.Peer, cause wire.EndCause, reason string) {
	m := wire.End{Cause: cause, Reason: reason}
	_ = h.mail.Control(now, to, wire.AppendEnd(nil, &m))
	h.mail.Close(now, to, reason)
}
