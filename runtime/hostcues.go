package runtime

import (
	"slices"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/internal/view"
)

// A spectator runs no ticks, so it finds no cues itself. The host keeps a cue book of all
// cues and sends their changes to spectators on the reliable stream. A spectator shows
// each cue when it shows its tick.

// relayCues sends the changes of cues since the last tick.
func (h *Host) relayCues() {
	watched := h.notify.WantsCues() || slices.ContainsFunc(h.roster.All(), func(p *peer) bool { return p.Replica().Spectates() })
	if watched && h.cues == nil {
		h.keepCues()
	} else if !watched && h.cues != nil {
		h.cues = nil
		h.tl.KeepCues(false)
	}
	if h.cues == nil {
		return
	}
	updates := h.cues.Flush(h.commits.Tick())
	for _, u := range updates {
		h.notify.Cue(cueEvent(u))
	}
	for _, p := range h.roster.All() {
		if p.Replica().Spectates() && len(updates) > 0 {
			h.sendCues(p, updates)
		}
	}
}

// keepCues starts to keep the cues of ticks.
func (h *Host) keepCues() {
	h.cues = view.NewCueBookForAll()
	h.tl.KeepCues(true)
	h.cues.Open(h.tl.Now())
}

// sendCues sends one client the updates of the cues for its player.
func (h *Host) sendCues(p *peer, updates []view.CueUpdate) {
	var m wire.Cues
	send := func() {
		if len(m.Updates) > 0 {
			_ = h.out.Control(h.now, p.ID(), wire.AppendCues(nil, &m))
		}
		m.Updates = m.Updates[:0]
	}
	for i := range updates {
		if e, ok := h.cueFor(p, &updates[i]); ok {
			m.Updates = append(m.Updates, e)
		}
		if len(m.Updates) == wire.MaxCues {
			send()
		}
	}
	send()
}

// cueFor returns the update for one client: a cue that moves to its player fires, and a cue that
// moves away from its player is cancelled.
func (h *Host) cueFor(p *peer, e *view.CueUpdate) (wire.CueUpdate, bool) {
	now := e.Cue.For(p.Player()) && p.Replica().Sees(h.relevancy, h.State, e.Cue.Object)
	if e.Change != view.CueMoved {
		return wire.CueUpdate{Change: byte(e.Change), Cue: e.Cue}, now
	}
	switch was := e.Was.For(p.Player()); {
	case was && now:
		return wire.CueUpdate{Change: wire.CueMoved, Cue: e.Cue, Was: e.Was.CueKey}, true
	case was:
		return wire.CueUpdate{Change: wire.CueCancelled, Cue: e.Was}, true
	}
	return wire.CueUpdate{Change: wire.CueFired, Cue: e.Cue}, now
}
