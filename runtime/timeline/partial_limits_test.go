package timeline_test

import (
	"time"

	"github.com/hindcast/hindcast/runtime/internal/stub"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
)

// luck is a number that depends on a tick of the match. rapid need not draw it.
func (tr *trial) luck(tl *timeline.Timeline, salt world.Tick) uint64 {
	return uint64(tl.Now()+7*tr.ticks+salt) * 0x9e3779b97f4a7c15 >> 32
}

// tryLate rewinds a host with the late inputs and poses that arrive before a tick, or with an input that replaces another
// one, within a limit. If that is too much work, nothing has changed.
func (tr *trial) tryLate(tick world.Tick) {
	if tr.client {
		return
	}
	luck := tr.luck(tr.part, 1)
	var late []timeline.Late
	for _, e := range tr.coming[tick] {
		if (e.Kind == world.InputEvent || e.Kind == world.OwnerPoseEvent) && e.Tick < tick {
			late = append(late, timeline.Late{Event: e})
		}
	}
	if e, ok := tr.someInput(); ok && luck%3 == 0 {
		e.Input.Buttons ^= 1 + uint32(luck>>8%3)
		late = append(late, timeline.Late{Event: e, From: timeline.Origin{Record: uint32(tick)}})
	}
	if len(late) == 0 || luck%4 == 0 {
		return
	}
	before := map[world.Tick]uint64{}
	for t := tr.part.Oldest(); t <= tr.part.Now(); t++ {
		before[t] = tr.part.At(t).Hash()
	}
	r := tr.part.RewindWith(late, time.Duration(1+luck>>16%60))
	if r.GivenUp {
		tr.rolls.did.takenBack++
		for t, was := range before { // order: each is compared by itself
			if tr.part.At(t).Hash() != was {
				tr.t.Fatalf("a rewind from tick %d that was given up changed tick %d", r.From, t)
			}
		}
		return
	}
	for i := range late {
		if late[i].Taken {
			for _, tl := range []*timeline.Timeline{tr.whole, tr.prompt} {
				if _, err := tl.Insert(late[i].Event, late[i].From); err != nil {
					tr.t.Fatal(err)
				}
			}
		}
	}
	tr.prompt.Rewind()
	if w := tr.whole.RewindWhole(); w.From != r.From {
		tr.t.Fatalf("rewound from tick %d in part, from %d as a whole", r.From, w.From)
	}
	for t := tr.part.Oldest(); t <= tr.part.Now(); t++ {
		tr.same(tr.part, tr.whole, t, "a rewind with late events against one as a whole")
	}
}

// someInput returns an input of the log for a tick that can be simulated again.
func (tr *trial) someInput() (e world.Event, ok bool) {
	tr.part.Log().EachInput(func(had world.Event, _ bool) {
		if had.Tick > tr.part.Oldest()+1 && had.Tick <= tr.part.Now() && had.Tick+tr.window > tr.part.Now() && !ok {
			e, ok = had, true
		}
	})
	return e, ok
}

// rewindPart rewinds part. A client does some of that in slices, and leaves some of these for later ticks: then done is
// false. It gives up some ticks, and simulates them again.
func (tr *trial) rewindPart() (r timeline.Rewound, done bool) {
	luck, now := tr.luck(tr.part, 2), tr.part.Now()
	if !tr.client || luck%3 != 0 && tr.part.RewoundTo() == 0 {
		return tr.part.Rewind(), true
	}
	complete := now - min(now, world.Tick(luck>>8%6))
	most := time.Duration(luck >> 5 % 3 * (1 + luck>>11%32)) // 0 in a third of them
	for first := true; first || tr.part.Dirty() != 0; first = false {
		before := tr.hashes(tr.part.RewoundTo())
		s := tr.part.RewindPredicted(complete, timeline.Allowance{Work: time.Duration(1 + luck>>16%8), Mostly: luck>>24%2 == 0}, most)
		if first {
			r = s
		}
		switch {
		case s.GivenUp:
			if tr.part.Now() < complete || tr.part.Now() >= now {
				tr.t.Fatalf("a rewind that was given up, of ticks complete up to %d, ends at tick %d of %d", complete, tr.part.Now(), now)
			}
			tr.rolls.did.cut++
			for tr.part.Now() < now {
				tr.step(tr.part)
			}
		case s.Left:
			tr.rolls.did.slices++
			tr.leaves(&s, before, now)
			if tr.part.Dirty() > now+2-min(now+2, tr.window) && now < tr.ticks+tr.window-1 && luck>>30%4 > 0 {
				tr.rolls.did.left++
				return s, false
			}
		}
	}
	r.Ticks = int(now + 1 - r.From)
	return r, true
}

// hashes returns the hashes of the states of part after a tick.
func (tr *trial) hashes(t world.Tick) map[world.Tick]uint64 {
	out := map[world.Tick]uint64{}
	for t = max(t, tr.part.Oldest()); t <= tr.part.Now(); t++ {
		out[t] = tr.part.At(t).Hash()
	}
	return out
}

// leaves tests that a slice that was left has changed only its ticks, and not the last two.
func (tr *trial) leaves(r *timeline.Rewound, before map[world.Tick]uint64, now world.Tick) {
	to := tr.part.RewoundTo()
	if r.Ticks == 0 || to != r.From+world.Tick(r.Ticks)-1 || to > now-2 || tr.part.Now() != now {
		tr.t.Fatalf("a rewind was left at tick %d of %d, now %d: %+v", to, now, tr.part.Now(), *r)
	}
	for t, was := range before { // order: each is compared by itself
		if (t < r.From || t > to) && tr.part.At(t).Hash() != was {
			tr.t.Fatalf("a slice of ticks %d to %d changed tick %d", r.From, to, t)
		}
	}
}

// insertAll inserts an event into the late Timelines.
func (tr *trial) insertAll(e world.Event) {
	stub.Insert(tr.part, e)
	stub.Insert(tr.whole, e)
}
