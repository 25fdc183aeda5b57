package timeline

import "github.com/hindcast/hindcast/world"

// keepEvery is how many ticks lie between the states that are kept of ticks
// that can't change any more.
const keepEvery = 4

// history holds the frames of the last ticks: all those that may be run again,
// with their traces, and of older ones the state of every keepEvery-th tick,
// for questions about the past.
type history struct {
	ring   []*world.HistoryEntry // of tick t at t % len; nil: not kept
	spare  []*world.HistoryEntry
	traces []world.Trace // memory of traces that nobody needs
}

func newHistory(ticks int) history { return history{ring: make([]*world.HistoryEntry, ticks)} }

func (h *history) place(t world.Tick) **world.HistoryEntry { return &h.ring[int(t)%len(h.ring)] }

// frame is that of tick t, nil if it is not kept.
func (h *history) frame(t world.Tick) *world.HistoryEntry { return *h.place(t) }

// next makes room for the frame of tick t in the place of one that is
// len(ring) ticks older. What is in it is of any tick.
func (h *history) next(t world.Tick) *world.HistoryEntry {
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

// thin tells that tick t will not be run again.
func (h *history) thin(t world.Tick) {
	at := h.place(t)
	f := *at
	switch {
	case f == nil:
	case t%keepEvery != 0:
		h.spare, *at = append(h.spare, f), nil
	case !f.Trace.Empty():
		h.traces = append(h.traces, f.Trace)
		f.Trace = world.Trace{}
	}
}

// clear forgets all frames.
func (h *history) clear() {
	for i, f := range h.ring {
		if f != nil {
			h.spare = append(h.spare, f)
		}
		h.ring[i] = nil
	}
}

// bytes is the memory that all of it holds.
func (h *history) bytes() (n int) {
	for _, list := range [...][]*world.HistoryEntry{h.ring, h.spare} {
		for _, f := range list {
			if f != nil {
				n += f.State.Bytes() + f.Trace.Bytes()
			}
		}
	}
	for i := range h.traces {
		n += h.traces[i].Bytes()
	}
	return n
}
