package runtime

import (
	"cmp"
	"math"
	"slices"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/world"
)

// A client that does not simulate has no ticks to ask for cues. The host keeps a
// cue book of all of them, and tells such clients of what it says, on the stream
// that loses nothing; the client shows each cue when it shows its tick.

// relayCues sends what has become of cues since the last tick.
func (h *Host) relayCues() {
	watched := slices.ContainsFunc(h.peers, func(p *peer) bool { return p.watches })
	if watched && h.cues == nil {
		h.cues = &cueBook{everybody: true, tell: func(e CueEvent) { h.cueEvents = append(h.cueEvents, e) }, after: math.MaxUint32}
		h.tl.KeepCues(true)
		h.cues.open(h.tl.Now())
	} else if !watched && h.cues != nil {
		h.cues = nil
		h.tl.KeepCues(false)
	}
	h.cueEvents = h.cueEvents[:0]
	h.cues.flush(h.final)
	for _, p := range h.peers {
		if p.watches && len(h.cueEvents) > 0 {
			h.sendCues(p)
		}
	}
}

// sendCues tells one client of the cues that are for him.
func (h *Host) sendCues(p *peer) {
	var m wire.Cues
	send := func() {
		if len(m.Updates) > 0 {
			_ = h.control(h.now, p, wire.AppendCues(nil, &m))
		}
		m.Updates = m.Updates[:0]
	}
	for i := range h.cueEvents {
		if e, ok := h.cueFor(p, &h.cueEvents[i]); ok {
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
func (h *Host) cueFor(p *peer, e *CueEvent) (wire.CueUpdate, bool) {
	now := e.Cue.For(p.player) && h.sees(p, e.Cue.Object)
	if e.Kind != CueMoved {
		return wire.CueUpdate{Change: byte(e.Kind), Cue: e.Cue}, now
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
	if h.interest.all() {
		return true
	}
	if i := slices.IndexFunc(p.outlook.known, func(v verdict) bool { return v.id == id }); i >= 0 {
		return p.outlook.known[i].told
	}
	s := h.State()
	slot, ok := s.Find(id)
	return ok && s.Body(slot).Key == 0
}

// dueCues are the cues that a watching client has been told of and has not
// shown yet, by tick.
type dueCues struct {
	list []world.Cue
}

// watchedCues takes in what the host tells of cues.
func (c *Client) watchedCues(m wire.Cues) error {
	if c.cfg.Cues == nil || !c.cfg.Watch {
		return nil
	}
	d := &c.watch.due
	for i := range m.Updates {
		e := &m.Updates[i]
		switch e.Change {
		case wire.CueFired:
			d.add(e.Cue)
		case wire.CueMoved:
			if d.drop(e.Was) {
				d.add(e.Cue)
			} else {
				c.cfg.Cues(CueEvent{CueMoved, e.Cue, world.Cue{CueKey: e.Was}})
			}
		case wire.CueCancelled:
			if !d.drop(e.Cue.CueKey) {
				c.cfg.Cues(CueEvent{Kind: CueCancelled, Cue: e.Cue})
			}
		}
	}
	return nil
}

func (d *dueCues) add(c world.Cue) {
	i, _ := slices.BinarySearchFunc(d.list, c.Tick+1, func(o world.Cue, t world.Tick) int { return cmp.Compare(o.Tick, t) })
	d.list = slices.Insert(d.list, i, c)
}

// drop takes a cue back, and reports whether it was there.
func (d *dueCues) drop(key world.CueKey) bool {
	i := slices.IndexFunc(d.list, func(c world.Cue) bool { return c.CueKey == key })
	if i >= 0 {
		d.list = slices.Delete(d.list, i, i+1)
	}
	return i >= 0
}

// showDueCues fires the cues of the ticks that are shown by now.
func (c *Client) showDueCues() {
	w := &c.watch
	if w.play == nil || len(w.due.list) == 0 {
		return
	}
	w.play.show(c.now, c.clock.HostTime(c.now), c.clock.Synced())
	c.fireDueCues()
}

func (c *Client) fireDueCues() {
	w, n := &c.watch, 0
	for ; n < len(w.due.list) && float64(w.due.list[n].Tick) <= w.play.moment; n++ {
		c.cfg.Cues(CueEvent{Kind: CueFired, Cue: w.due.list[n]})
	}
	w.due.list = slices.Delete(w.due.list, 0, n)
}
