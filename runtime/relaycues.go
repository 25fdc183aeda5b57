package runtime

import (
	"slices"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/internal/view"
	"github.com/hindcast/hindcast/world"
)

// A client that does not simulate has no ticks to ask for cues. The host keeps a
// cue book of all of them, and tells such clients of what it says, on the stream
// that loses nothing; the client shows each cue when it shows its tick.

// relayCues sends what has become of cues since the last tick.
func (h *Host) relayCues() {
	watched := slices.ContainsFunc(h.peers, func(p *peer) bool { return p.watches })
	if watched && h.cues == nil {
		h.cues = view.NewCueBookForAll()
		h.tl.KeepCues(true)
		h.cues.Open(h.tl.Now())
	} else if !watched && h.cues != nil {
		h.cues = nil
		h.tl.KeepCues(false)
	}
	if h.cues == nil {
		return
	}
	updates := h.cues.Flush(h.final)
	for _, p := range h.peers {
		if p.watches && len(updates) > 0 {
			h.sendCues(p, updates)
		}
	}
}

// sendCues tells one client of the cues that are for him.
func (h *Host) sendCues(p *peer, updates []view.CueUpdate) {
	var m wire.Cues
	send := func() {
		if len(m.Updates) > 0 {
			_ = h.control(h.now, p, wire.AppendCues(nil, &m))
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

// cueFor is what an event is to one client: a cue that was somebody else's and
// is his now fires, one that was his is cancelled.
func (h *Host) cueFor(p *peer, e *view.CueUpdate) (wire.CueUpdate, bool) {
	now := e.Cue.For(p.player) && h.sees(p, e.Cue.Object)
	if e.Change != view.CueMoved {
		return wire.CueUpdate{Change: byte(e.Change), Cue: e.Cue}, now
	}
	switch was := e.Was.For(p.player); {
	case was && now:
		return wire.CueUpdate{Change: wire.CueMoved, Cue: e.Cue, Was: e.Was.CueKey}, true
	case was:
		return wire.CueUpdate{Change: wire.CueCancelled, Cue: e.Was}, true
	}
	return wire.CueUpdate{Change: wire.CueFired, Cue: e.Cue}, now
}

// sees reports whether a client is told of an object: if not, its cues are none
// of his business. Objects without a body have no place that could be hidden.
func (h *Host) sees(p *peer, id world.ObjectID) bool {
	if h.relevancy.All() {
		return true
	}
	if replicated, known := p.relevant.Has(id); known {
		return replicated
	}
	s := h.State()
	slot, ok := s.Find(id)
	return ok && s.Body(slot).Key == 0
}

// watchedCues takes in what the host tells of cues.
func (c *Client) watchedCues(m wire.Cues) error {
	if c.cfg.Cues == nil || !c.cfg.Watch {
		return nil
	}
	q := &c.dueCues
	for i := range m.Updates {
		e := &m.Updates[i]
		switch e.Change {
		case wire.CueFired:
			q.Add(e.Cue)
		case wire.CueMoved:
			if q.Drop(e.Was) {
				q.Add(e.Cue)
			} else {
				c.cfg.Cues(CueEvent{CueMoved, e.Cue, world.Cue{CueKey: e.Was}})
			}
		case wire.CueCancelled:
			if !q.Drop(e.Cue.CueKey) {
				c.cfg.Cues(CueEvent{Kind: CueCancelled, Cue: e.Cue})
			}
		}
	}
	return nil
}

// showDueCues fires the cues of the ticks that are shown by now.
func (c *Client) showDueCues() {
	if !c.replica.begun() || c.dueCues.Len() == 0 {
		return
	}
	c.replica.show(c.frameTime())
	c.fireDueCues(c.replica.moment())
}

func (c *Client) fireDueCues(moment float64) {
	for _, cue := range c.dueCues.Due(moment) {
		c.cfg.Cues(CueEvent{Kind: CueFired, Cue: cue})
	}
}
