package host

import (
	"time"

	"github.com/hindcast/hindcast/runtime/internal/side"
	"github.com/hindcast/hindcast/runtime/internal/watchdog"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
)

// The room is protected from its scripts: a tick that is more work than it may be is given up, events that suspend the
// hooks to blame enter the log, and the tick is simulated anew. Only the host does that, and only for the tick that it
// simulates for the first time. All others have the events.

// watch keeps the work of ticks within bounds.
type watch struct {
	dog    watchdog.Dog
	work   timeline.Work   // memory
	counts room.WorkCounts // without times
	most   time.Duration   // the most work of a tick, with all attempts

	backlog backlog
}

// Report returns the counts.
func (w *watch) Report() *room.WorkCounts {
	out := w.counts
	out.AllowanceMS = ms(w.dog.Allowance())
	out.MostMS = ms(w.most)
	return &out
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// rewound notes the work of a rewind with late inputs, under the present bundle. If it was given up, it has been
// undone, too.
func (w *watch) rewound(gaveUp bool, bundle uint32) {
	spent := w.work.Sum()
	w.backlog.Add(&w.work, bundle)
	if gaveUp {
		w.counts.TakenBack++
		spent = 2*spent + w.dog.Last().Sum()
	}
	w.dog.Rewound(spent)
}

// step simulates the coming tick. It suspends the hooks to blame if that is too much work.
func (h *Host) step() timeline.Stepped {
	h.match.Allow(h.watch.dog.Begin())
	var events []world.Event
	for {
		stepped := h.match.Step()
		h.match.Work(&h.watch.work)
		h.watch.backlog.Add(&h.watch.work, h.State().Bundle)
		if !stepped.GivenUp {
			h.watch.backlog.Ticked()
			h.stepped(events)
			return stepped
		}
		h.watch.counts.GivenUp++
		suspects, next := h.watch.dog.Exceeded(&h.watch.work)
		for _, s := range suspects {
			e := h.hostEvent(world.SuspendEvent)
			e.Class, e.Player, e.Hooks = s.Class, s.Owner, s.Hooks
			_, _ = h.insert(e) // it is for the coming tick, and smaller than a packet
			events = append(events, e)
		}
		h.match.Allow(next)
	}
}

// stepped notes the work of the tick that has been simulated, and says which hooks it has suspended.
func (h *Host) stepped(events []world.Event) {
	w, now := &h.watch, h.match.Now()
	last := w.work.Sum()
	w.most = max(w.most, w.dog.Done(&w.work))
	if len(events) == 0 && last > w.dog.Allowance() {
		w.counts.Physics++
		h.errors.Once("physics", func() {
			h.log.Warn("a tick is too much work, and most of that is physics: many bodies touch each other",
				"tick", uint32(now), "ms", ms(last), "allowed_ms", ms(w.dog.Allowance()),
				"physics_ms", ms(w.work.Physics))
		})
	}
	for i := range events {
		by, ok := h.State().SuspendedBy(&events[i], h.Schema())
		if !ok {
			continue
		}
		w.counts.Suspended++
		f := side.SuspensionOf(&events[i], by.Until)
		side.LogSuspension(h.log, &f, h.frameRate())
		h.problems.Failed(f)
	}
}
