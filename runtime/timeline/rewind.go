package timeline

import (
	"time"

	"github.com/hindcast/hindcast/world"
)

// Rewound is the result of a Rewind.
type Rewound struct {
	From    world.Tick    // the first tick simulated again; 0: nothing was dirty
	Ticks   int           // the number of ticks from there to the present, or to the last one that it came to
	Events  int           // late events that changed something
	Objects int           // object-ticks simulated again
	Full    int           // object-ticks of simulating everything again
	Hooks   int           // of Objects: object-ticks whose hooks ran again
	Ran     int           // ticks of which anything was simulated again
	Whole   WholeTicks    // of Ran: ticks that were simulated again as a whole, by reason
	GivenUp bool          // it was more work than RewindWith allowed, or one of its ticks than RewindPredicted
	Work    time.Duration // that RewindPredicted has counted
	Left    bool          // RewindPredicted has left it before the present
}

// WholeTicks counts ticks that a rewind could not simulate in part.
type WholeTicks struct {
	// an event other than an input happened, or a correction was applied; or the room was full
	Events int `json:"events"`
	// only the physics step was run as a whole: more than three quarters of the bodies were connected
	Pile int `json:"pile"`
}

// Sum returns the total.
func (w WholeTicks) Sum() int { return w.Events + w.Pile }

// Add adds the counts of another rewind.
func (w *WholeTicks) Add(o WholeTicks) {
	w.Events, w.Pile = w.Events+o.Events, w.Pile+o.Pile
}

// Rewind simulates again everything that can come out differently, from the oldest
// dirty tick to the present. If RewindPredicted has left a rewind, it goes on with that one.
func (tl *Timeline) Rewind() Rewound {
	r, _ := tl.rewind(func(world.Tick) bool { return true })
	return r
}

// RewindPredicted is Rewind for a client, in slices. A rewind that has been more work than most is left, Left is set,
// and the next call goes on with it. Until it has come to the present, the ticks that it has yet to simulate are as
// they were, and Step goes on from the present. A slice simulates at least one tick, and the last two ticks are of one
// slice: what is drawn is between them. What becomes dirty meanwhile in ticks that the rewind has passed waits for the
// next one. most 0: any work.
//
// A tick after complete that is more work than a is given up: the tick before it is the present then, and GivenUp is
// set. The log still has what it had for later ticks.
func (tl *Timeline) RewindPredicted(complete world.Tick, a Allowance, most time.Duration) Rewound {
	work, spent := &tl.runner.hooks.work, time.Duration(0)
	work.forget()
	r, gaveUp := tl.rewind(func(t world.Tick) bool {
		spent += tl.Spent()
		work.forget()
		if most > 0 && spent > 0 && tl.isEnough(t, spent, a.Work, most) {
			return false
		}
		if t > complete {
			work.beginRewind(a)
		} else {
			work.beginRewind(Allowance{})
		}
		return true
	})
	r.Work = spent + tl.Spent()
	if gaveUp != 0 {
		r.GivenUp, r.Ticks = true, int(gaveUp-r.From)
		tl.reruns.cut(gaveUp)
		tl.history.cut(gaveUp - 1)
		tl.enterPresent()
	}
	return r
}

// isEnough reports whether a slice that has been so much work ends before tick t; each is what a tick may be.
func (tl *Timeline) isEnough(t world.Tick, spent, each, most time.Duration) bool {
	switch tl.Now() - t {
	case 0:
		return false
	case 1:
		return spent+each > most
	}
	return spent > most
}

// RewoundTo returns the last tick that is simulated again of a rewind that RewindPredicted has left; 0: there is none.
func (tl *Timeline) RewoundTo() world.Tick { return tl.left }

// Late is an input or an owner's pose for a tick that has been simulated.
type Late struct {
	Event world.Event
	From  Origin
	Taken bool // the log has it, see RewindWith
}

// RewindWith inserts late inputs and poses, and rewinds. Taken is set for each that is in the log then. If the rewind
// is more work than limit, at Options.Prices, they are taken back: the log and all states are as before, none is Taken,
// and GivenUp is set. Then twice that work has been done, and that of one hook and one tick. Work returns the work up
// to there. Nothing may be dirty before. limit 0: any work.
func (tl *Timeline) RewindWith(late []Late, limit time.Duration) Rewound {
	if tl.check {
		assert(tl.Dirty() == 0, "tick %d is dirty before a rewind with late events", tl.Dirty())
	}
	replaced := tl.replaced[:0]
	for i := range late {
		l := &late[i]
		was := tl.log.lookUp(&l.Event)
		duplicate, err := tl.Insert(l.Event, l.From)
		if l.Taken = err == nil && !duplicate; l.Taken {
			replaced = append(replaced, was)
		}
	}
	work := &tl.runner.hooks.work
	work.beginRewind(Allowance{Work: limit})
	r, gaveUp := tl.rewind(func(world.Tick) bool { return true })
	if gaveUp != 0 {
		r.GivenUp = true
		for i := len(replaced) - 1; i >= 0; i-- {
			tl.log.putBack(&replaced[i])
		}
		for i := range late {
			late[i].Taken = false
		}
		tl.undo(r.From, gaveUp)
	}
	clear(replaced)
	tl.replaced = replaced[:0]
	return r
}

// rewind is Rewind. It calls begin before each tick, which reports whether to go on: otherwise the rewind is left
// there. gaveUp is the tick that was more work than it may be, 0: none. Its state is good for nothing, and later ones
// are as before.
func (tl *Timeline) rewind(begin func(t world.Tick) bool) (r Rewound, gaveUp world.Tick) {
	if tl.check {
		tl.checkParts()
	}
	work, now := &tl.runner.hooks.work, tl.Now()
	defer work.end()
	if tl.Dirty() == 0 {
		return Rewound{}, 0
	}
	begun := tl.left == 0
	r.From, r.Events = tl.dirty.begin()
	if begun {
		tl.part.Clear()
	} else {
		r.From = tl.left + 1
	}
	tl.left = 0
	tl.reruns.clear()
	tl.world.Rerun = true
	to := now
	for t := r.From; t <= now; t++ {
		if !begin(t) {
			r.Left, to, tl.left = true, t-1, t-1
			break
		}
		r.Full += tl.At(t).Len()
		tl.rerun(t, &r)
		if work.exceeded && work.on {
			gaveUp = t
			break
		}
	}
	r.Ticks = int(to + 1 - r.From)
	tl.dirty.simulated(r.From, to, begun)
	tl.enterPresent()
	if tl.check {
		tl.checkParts()
		assert(r.Left || tl.dirty.firstTick() < r.From, "tick %d is dirty after a rewind", tl.Dirty())
	}
	return r, gaveUp
}

// undo simulates the ticks from one to one that was given up again, without the events that have been taken back. Then
// they are as before the last rewind, as later ticks still are.
func (tl *Timeline) undo(from, gaveUp world.Tick) {
	tl.dirty.again()
	tl.dirty.begin()
	tl.world.Rerun = true
	tl.part.Clear()
	var r Rewound
	for t := from; t < gaveUp; t++ {
		tl.rerun(t, &r)
	}
	before, tick := tl.history.entry(gaveUp-1), tl.history.entry(gaveUp)
	tick.State.CopyFrom(&before.State)
	tl.world.Enter(&tick.State, &tick.Trace, tl.scripts.SchemaOf(&before.State))
	tl.run(tl.world)
	tl.noteTick()
	tl.dirty.simulated(from, tl.Now(), true)
	tl.enterPresent()
	if tl.check {
		tl.checkParts()
	}
}

// RewindWhole is Rewind without partial ticks: it simulates all ticks from the oldest dirty
// one on as a whole. It is for measurements.
func (tl *Timeline) RewindWhole() Rewound {
	tl.dirty.whole()
	return tl.Rewind()
}

// rerun simulates as little as possible of one tick again.
func (tl *Timeline) rerun(t world.Tick, r *Rewound) {
	if tl.check {
		assert(t > tl.Oldest(), "tick %d is simulated again, and the oldest is %d", t, tl.Oldest())
	}
	before, tick := tl.history.entry(t-1), tl.history.entry(t)
	whole, some, end := tl.dirty.at(t)
	some = some && (whole || !tl.anchor.onlyCulled(&tl.dirty, &before.State))
	if !whole && !some && tl.part.Clean() && !tl.part.ReadsChangedPast(tick) {
		if end {
			tl.part.Reopen(tick, tl.scripts.SchemaOf(&tick.State))
			tl.replacePartly(t)
			r.Ran++
			r.Objects += tl.part.Dirty().Len()
			tl.noteRerun(t, tl.part.Ran().Slots())
		}
		return
	}
	r.Ran++
	if whole || !tl.part.CanRun(before, tick) || !tl.rerunPartly(before, tick, t) {
		tl.rerunWhole(before, tick, t)
		r.Objects += tick.State.Len()
		r.Hooks += tick.State.Len()
		r.Whole.Events++
		return
	}
	r.Hooks += tl.part.Ran().Len()
	r.Objects += max(tl.part.Ran().Len(), tl.part.Solved)
	if tl.part.Whole {
		r.Whole.Pile++
	}
}

// rerunPartly simulates the part of tick t that can come out differently. It returns
// false if that is not possible; then the tick must be simulated as a whole.
func (tl *Timeline) rerunPartly(before, tick *world.HistoryEntry, t world.Tick) (ok bool) {
	tl.part.Begin(before, tick, tl.scripts.SchemaOf(&before.State))
	tl.runner.rerun(tl.world, tl.part, t, &tl.dirty)
	if tl.part.Failed() {
		return false
	}
	tl.replacePartly(t)
	tl.noteTick()
	tl.noteRerun(t, tl.part.Ran().Slots())
	return true
}

// rerunWhole simulates tick t again as a whole. It first marks the objects whose input may
// have changed, for their provenance.
func (tl *Timeline) rerunWhole(before, tick *world.HistoryEntry, t world.Tick) {
	tl.dirty.inputs(t, func(id world.ObjectID) {
		if slot, ok := tl.world.Find(id); ok {
			tl.part.Provenance().DoubtInput(slot)
		}
	})
	tl.part.BeginWhole(before, tick, tl.scripts.SchemaOf(&before.State))
	tl.run(tl.world)
	tl.part.EndWhole()
	tl.noteTick()
	tl.noteRerun(t, nil)
}

// run simulates the next tick of a world, and applies corrections, the shared set and
// proxy updates at its end.
func (tl *Timeline) run(w *world.World) {
	tl.runner.run(w)
	tl.corrections.apply(w)
	tl.fault.apply(w)
	if w.Client != 0 {
		tl.proxies.apply(w)
		tl.anchor.apply(w)
	}
}

// replacePartly applies the shared set and proxy updates at the end of tick t, which
// was simulated in part. Ticks with corrections are never simulated in part.
func (tl *Timeline) replacePartly(t world.Tick) {
	if tl.world.Client != 0 {
		tl.proxies.applyPartly(tl.part, t)
		tl.anchor.applyPartly(tl.part, t)
	}
}
