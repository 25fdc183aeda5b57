package timeline

import (
	"cmp"
	"slices"

	"github.com/hindcast/hindcast/world"
)

// Rewound tells what a Rewind did.
type Rewound struct {
	From    world.Tick // the first tick run again; 0: nothing was dirty
	Ticks   int        // from there to the present
	Events  int        // that came late and changed something
	Objects int        // object-ticks run again
	Full    int        // object-ticks that running everything again takes
	Hooks   int        // object-ticks whose hooks were run again, of Objects
	Ran     int        // ticks of which anything was run again
	Whole   WholeTicks // ticks of them run again as a whole, and why
}

// WholeTicks counts ticks that a rewind could not run in part.
type WholeTicks struct {
	Events int `json:"events"` // something else than an input happened in them, or a correction; or the room was full
	Pile   int `json:"pile"`   // only the physics step was run whole: more than three quarters of the bodies hung together
}

// Sum is all of them.
func (w WholeTicks) Sum() int { return w.Events + w.Pile }

// Add adds those of another rewind.
func (w *WholeTicks) Add(o WholeTicks) {
	w.Events, w.Pile = w.Events+o.Events, w.Pile+o.Pile
}

// Rewind runs again, from the oldest dirty tick to the present, what can come
// out otherwise.
func (tl *Timeline) Rewind() Rewound {
	if tl.dirty == 0 {
		return Rewound{}
	}
	r := Rewound{From: tl.dirty, Ticks: int(tl.now - tl.dirty + 1), Events: tl.causes}
	tl.ran = tl.ran[:0]
	slices.SortFunc(tl.stale, func(a, b stale) int { return cmp.Compare(a.from, b.from) })
	tl.world.Rerun = true
	tl.part.Clear()
	for t := tl.dirty; t <= tl.now; t++ {
		r.Full += tl.At(t).Len()
		tl.runAgain(t, &r)
	}
	tl.dirty, tl.causes = 0, 0
	tl.reason, tl.stale = tl.stale, tl.reason[:0]
	tl.enterPresent()
	return r
}

// RewindWhole is Rewind without its wits: all ticks from the oldest dirty one
// on are run again as a whole. It is what Rewind is measured against.
func (tl *Timeline) RewindWhole() Rewound {
	if tl.dirty != 0 {
		tl.stale = append(tl.stale, stale{from: tl.dirty, to: tl.now})
	}
	return tl.Rewind()
}

// runAgain runs one tick again, as little of it as will do.
func (tl *Timeline) runAgain(t world.Tick, r *Rewound) {
	whole, some, end := tl.staleAt(t)
	before, tick := tl.frame(t-1), tl.frame(t)
	if !whole && !some && tl.part.Clean() && !tl.part.ReadsChangedPast(tick) {
		if end {
			tl.part.Reopen(tick, tl.scripts[tick.State.Bundle].Schema())
			tl.putAgain(t)
			r.Ran++
			r.Objects += tl.part.Dirty()
			tl.noteRan(t, tl.part.RanSlots())
		}
		return
	}
	r.Ran++
	if whole || !tl.part.CanRun(before, tick) {
		tl.doubt(t)
		tl.runWhole(before, tick, r)
		tl.noteRan(t, nil)
		r.Whole.Events++
		return
	}
	tl.part.Begin(before, tick, tl.scripts[before.State.Bundle].Schema())
	tl.runner.again(tl.part, t)
	if tl.part.Failed() {
		tl.doubt(t)
		tl.runWhole(before, tick, r)
		tl.noteRan(t, nil)
		r.Whole.Events++
		return
	}
	tl.putAgain(t)
	tl.ranTick()
	tl.noteRan(t, tl.part.RanSlots())
	r.Hooks += tl.part.Ran()
	r.Objects += max(tl.part.Ran(), tl.part.Solved)
	if tl.part.Whole {
		r.Whole.Pile++
	}
}

// doubt tells, before a tick is run as a whole, whose input may be another in it.
func (tl *Timeline) doubt(t world.Tick) {
	tl.staleInputs(t, func(id world.ObjectID) {
		if slot, ok := tl.world.Find(id); ok {
			tl.part.DoubtInput(slot)
		}
	})
}

func (tl *Timeline) runWhole(before, tick *world.HistoryEntry, r *Rewound) {
	tl.part.Rerun(before, tick, tl.scripts[before.State.Bundle].Schema())
	tl.runner.run(tl.world)
	tl.part.Compare()
	tl.ranTick()
	r.Objects += tick.State.Len()
	r.Hooks += tick.State.Len()
}

// putAgain puts in, after a tick was run again in part, what a client was told
// of its end.
func (tl *Timeline) putAgain(t world.Tick) {
	if tl.world.Client == 0 {
		return
	}
	tl.placed = tl.placed[:0]
	tl.places.at(t, func(p *world.ProxyUpdate) { tl.placed = append(tl.placed, *p) })
	tl.part.ApplyProxies(tl.placed)
	if x := tl.exact; x != nil && x.state.Tick == t {
		tl.part.ApplyCommitted(&x.state, &x.before)
	}
}

// staleAt reports what is stale in tick t: all of it, some inputs, what is put in
// at its end.
func (tl *Timeline) staleAt(t world.Tick) (whole, some, end bool) {
	for i := range tl.stale {
		s := &tl.stale[i]
		if s.from > t {
			break
		}
		switch {
		case s.to < t:
		case s.end:
			end = true
		default:
			some, whole = true, whole || s.object == 0
		}
	}
	return whole, some, end
}

// staleInputs calls f for every object whose input may be another in tick t.
func (tl *Timeline) staleInputs(t world.Tick, f func(object world.ObjectID)) {
	for i := range tl.stale {
		if s := &tl.stale[i]; s.from <= t && s.to >= t && s.object != 0 {
			f(s.object)
		}
	}
}
