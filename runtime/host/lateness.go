package host

import (
	"cmp"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
)

// The host simulates objects again for each late input. That cost is bounded: per tick by
// Rules.RewindWork, and per player by an equal share of it. The host asks a player who
// exceeds that share for more lead. If that does not help, it reduces the player's window:
// how late their inputs may be.

// overdraft is how much a player may owe, as the time in which the player's share pays for it. heed is
// how long a client may take to increase its lead, after a round trip and max_rewind.
const (
	overdraft = time.Second
	heed      = 500 * time.Millisecond
)

// lateBudget holds the late inputs that wait, and the costs of late inputs.
type lateBudget struct {
	waiting  []lateInput
	admitted []lateInput // applied by the rewind of the present tick
	perTick  float64     // object-ticks that a tick of lateness costs, smoothed
	counts   room.LatenessCounts
}

// lateInput is a late input or owner pose that is not applied yet.
type lateInput struct {
	ledger *ledger // the ledger of its player
	event  world.Event
	ticks  world.Tick // ticks to be simulated again because of it
}

// Counts returns the counts since the start.
func (l *lateBudget) Counts() *room.LatenessCounts { return &l.counts }

// Await adds a late input or pose, which arrived at tick now. of is its player's ledger.
func (l *lateBudget) Await(of *ledger, e world.Event, now world.Tick) {
	if i := l.find(&e); i >= 0 {
		l.waiting[i].event = e
		return
	}
	l.waiting = append(l.waiting, lateInput{of, e, now - e.Tick + 1})
}

// Waiting returns the input or pose that waits for the tick and object of an event, nil if
// there is none.
func (l *lateBudget) Waiting(e *world.Event) *world.Event {
	if i := l.find(e); i >= 0 {
		return &l.waiting[i].event
	}
	return nil
}

// AppliedTo returns up to which tick the inputs of the player with a ledger have been applied, if those up to newest
// have arrived.
func (l *lateBudget) AppliedTo(of *ledger, newest world.Tick) world.Tick {
	for i := range l.waiting {
		if w := &l.waiting[i]; w.ledger == of {
			newest = min(newest, w.event.Tick-1)
		}
	}
	return newest
}

func (l *lateBudget) find(e *world.Event) int {
	return slices.IndexFunc(l.waiting, func(l lateInput) bool {
		return l.event.Kind == e.Kind && l.event.Tick == e.Tick && l.event.Object == e.Object &&
			l.event.Player == e.Player
	})
}

// Admit calls apply for late inputs, the oldest first, with the number of ticks that they are late.
// It stops when the rewind at tick now would cost more than work. An input that would be more than
// rewind ticks late in the next tick is admitted at any cost.
func (l *lateBudget) Admit(now, rewind world.Tick, work float64, apply func(e world.Event, late int)) {
	slices.SortStableFunc(l.waiting, func(a, b lateInput) int {
		return cmp.Or(cmp.Compare(a.event.Tick, b.event.Tick), cmp.Compare(a.event.Player, b.event.Player),
			cmp.Compare(a.event.Object, b.event.Object))
	})
	left, kept := work, l.waiting[:0]
	l.admitted = l.admitted[:0]
	for _, c := range l.waiting {
		c.ticks = now - c.event.Tick + 1
		cost := float64(l.perTick * float64(c.ticks))
		overdue := c.event.Tick+rewind <= now+1
		if cost > left && !overdue {
			l.counts.Waited++
			kept = append(kept, c)
			continue
		}
		if cost > left {
			l.counts.Overdue++
		}
		left -= cost
		apply(c.event, int(c.ticks))
		l.admitted = append(l.admitted, c)
	}
	l.waiting = kept
}

// Charge divides the cost of a rewind among the players whose late inputs it applied.
func (l *lateBudget) Charge(now time.Duration, r timeline.Rewound) {
	ticks := 0.0
	for i := range l.admitted {
		ticks += float64(l.admitted[i].ticks)
	}
	if ticks == 0 {
		return
	}
	l.counts.MostObjects = max(l.counts.MostObjects, r.Objects)
	each := float64(r.Objects) / ticks
	l.perTick += float64((each - l.perTick) / 8)
	for i := range l.admitted {
		c := &l.admitted[i]
		c.ledger.charge(now, float64(each*float64(c.ticks)), c.ticks)
	}
}

// work returns how many object-ticks may be run again in one tick.
func (h *Host) work() float64 { return float64(h.match.Rules().RewindWork * max(h.State().Len(), 16)) }

// updateLedgers credits each player with its share of a tick, and asks players who owe too much to
// increase their lead.
func (h *Host) updateLedgers(now time.Duration) {
	share := h.work() / float64(max(len(h.roster.All()), 1))
	limit := share * float64(overdraft/h.clock.Length())
	for _, p := range h.roster.All() {
		switch l := &p.ledger; l.repay(now, share, limit) {
		case overdrawn:
			h.press(now, p)
		case calm:
			if l.trust(h.match.Window().rewind) {
				h.askLead(now, p)
			}
		}
	}
}

// press asks a client whose late inputs cost too much to increase its lead. If that was
// asked before, it halves the player's window.
func (h *Host) press(now time.Duration, p *peer) {
	l, counts := &p.ledger, h.late.Counts()
	again := l.press(now+heed+time.Duration(h.match.Window().rewind)*h.clock.Length()+p.feed.RTT(), now,
		min(h.match.Window().ahead, h.match.Window().rewind))
	counts.LeadAsked++
	h.askLead(now, p)
	if again {
		window := l.reduce(h.match.Window().rewind)
		counts.Reduced++
		h.lines.Line(now, slog.LevelWarn, p.source(),
			"a player's late inputs cost the room too much, and its client does not send them earlier",
			"player", p.Player(), "window_ticks", window)
	}
}

func (h *Host) askLead(now time.Duration, p *peer) {
	ms := uint32((time.Duration(p.ledger.asked()) * h.clock.Length()).Milliseconds())
	why := fmt.Sprintf("your late inputs cost the room too much: send them %d ms earlier", ms)
	if ms == 0 {
		why = "send inputs as usual"
	}
	_ = h.mail.Control(now, p.id, wire.AppendNotice(nil, &wire.Notice{
		Kind:   wire.NoticeLead,
		Tick:   h.match.Now(),
		Count:  ms,
		Reason: why,
	}))
	h.lines.Line(now, slog.LevelInfo, p.source(), "lead asked for", "player", p.Player(), "ms", ms)
}
