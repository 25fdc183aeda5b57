package timeline

import "github.com/hindcast/hindcast/world"

// keepEvery is the distance in ticks between the states that are kept of ticks that
// cannot change any more.
const keepEvery = 4

// history holds the states of the last ticks. Of the ticks that can be simulated again it
// has all states, with their traces. Of older ones it has the state of every keepEvery-th
// tick, for questions about the past.
type history struct {
	ring   []*world.HistoryEntry // the entry of tick t is at t % len; nil: not kept
	spare  []*world.HistoryEntry
	traces []world.Trace // memory of traces that are not needed

	first  world.Tick // the first tick that may be kept
	oldest world.Tick // the first tick from which ticks can be simulated again
	now    world.Tick // the last tick
	fresh  world.Tick // the last tick that has been simulated at least once
}

func newHistory(ticks int) history { return history{ring: make([]*world.HistoryEntry, ticks)} }

// start makes s the only state, the oldest and the present.
func (h *history) start(s *world.State) {
	for i, e := range h.ring {
		if e != nil {
			h.spare = append(h.spare, e)
		}
		h.ring[i] = nil
	}
	h.first, h.oldest, h.now, h.fresh = s.Tick, s.Tick, s.Tick, s.Tick
	e := h.prepare(s.Tick)
	e.State.CopyFrom(s)
	e.Trace = world.Trace{}
}

// bounds returns the first tick from which ticks can be simulated again, and the present.
func (h *history) bounds() (oldest, now world.Tick) { return h.oldest, h.now }

// ticks returns how many ticks the history can keep.
func (h *history) ticks() int { return len(h.ring) }

func (h *history) place(t world.Tick) **world.HistoryEntry { return &h.ring[int(t)%len(h.ring)] }

// entry returns the entry of tick t, nil if it is not kept.
func (h *history) entry(t world.Tick) *world.HistoryEntry {
	if t < h.first || t > h.now {
		return nil
	}
	return *h.place(t)
}

// at returns the state after tick t, nil if it is not kept.
func (h *history) at(t world.Tick) *world.State {
	if e := h.entry(t); e != nil {
		return &e.State
	}
	return nil
}

// atOrAfter returns the state after the first tick from t on that is kept.
func (h *history) atOrAfter(t world.Tick) *world.State {
	for t = max(t, h.first); t < h.now; t++ {
		if s := h.at(t); s != nil {
			return s
		}
	}
	return h.at(h.now)
}

// atOrBefore returns the state after the last tick up to t that is kept; nil: none is.
func (h *history) atOrBefore(t world.Tick) *world.State {
	for t = min(t, h.now); t > h.first; t-- {
		if s := h.at(t); s != nil {
			return s
		}
	}
	return h.at(h.first)
}

// oldestKept returns the first state that is kept.
func (h *history) oldestKept() *world.State { return h.atOrAfter(h.first) }

// live yields the entries of all ticks that can be simulated again, and of the tick
// before them.
func (h *history) live(yield func(*world.HistoryEntry) bool) {
	for t := h.oldest; t <= h.now; t++ {
		if !yield(h.entry(t)) {
			return
		}
	}
}

// leaving returns the state that the next step drops while ticks can still be simulated from it;
// nil if there is none.
func (h *history) leaving() *world.State {
	if int(h.now+1-h.first) < len(h.ring) || h.first < h.oldest {
		return nil
	}
	return h.at(h.first)
}

// step makes room for the next tick. It returns the entry of the present and that of the
// next tick, whose content is left over from any tick. again reports that the tick has been
// simulated before.
func (h *history) step() (before, next *world.HistoryEntry, again bool) {
	before = h.entry(h.now)
	h.now++
	if ticks := len(h.ring); int(h.now-h.first) >= ticks {
		h.first = h.now - world.Tick(ticks) + 1
		h.oldest = max(h.oldest, h.first)
	}
	again = h.now <= h.fresh
	h.fresh = max(h.fresh, h.now)
	return before, h.prepare(h.now), again
}

// giveUp takes a step back whose tick was not simulated to its end; again is what step returned.
func (h *history) giveUp(again bool) {
	h.now--
	if !again {
		h.fresh--
	}
}

// cut makes an earlier tick the present.
func (h *history) cut(t world.Tick) { h.now = t }

// prepare returns an entry for tick t, in the place of one that is len(ring) ticks
// older.
func (h *history) prepare(t world.Tick) *world.HistoryEntry {
	at := h.place(t)
	if n := len(h.spare); *at == nil && n > 0 {
		*at, h.spare = h.spare[n-1], h.spare[:n-1]
	}
	if *at == nil {
		*at = new(world.HistoryEntry)
	}
	if n := len(h.traces); n > 0 && (*at).Trace.Empty() {
		(*at).Trace, h.traces = h.traces[n-1], h.traces[:n-1]
	}
	return *at
}

// release notes that no tick will be simulated again from the oldest state.
func (h *history) release() {
	at := h.place(h.oldest)
	e := *at
	switch {
	case e == nil:
	case h.oldest%keepEvery != 0:
		h.spare, *at = append(h.spare, e), nil
	case !e.Trace.Empty():
		h.traces = append(h.traces, e.Trace)
		e.Trace = world.Trace{}
	}
	h.oldest++
}

// bytes returns the memory of the history, in bytes.
func (h *history) bytes() int {
	var m world.Memory
	for _, list := range [...][]*world.HistoryEntry{h.ring, h.spare} {
		for _, e := range list {
			if e != nil {
				m.AddState(&e.State)
				m.AddTrace(&e.Trace)
			}
		}
	}
	for i := range h.traces {
		m.AddTrace(&h.traces[i])
	}
	return m.Bytes()
}

// check asserts that the state of each tick is kept that can be simulated again, and
// that of the tick before them.
func (h *history) check() {
	assert(h.first <= h.oldest && h.oldest <= h.now && h.now <= h.fresh && int(h.now-h.first) < len(h.ring),
		"ticks %d, %d, %d and %d of a history of %d", h.first, h.oldest, h.now, h.fresh, len(h.ring))
	for t := h.oldest; t <= h.now; t++ {
		switch s := h.at(t); {
		case s == nil:
			violated("the state after tick %d is not kept, and the oldest is %d", t, h.oldest)
		case s.Tick != t:
			violated("the state after tick %d is of tick %d", t, s.Tick)
		}
	}
}
