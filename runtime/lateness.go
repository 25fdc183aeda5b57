package runtime

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
)

// A late input costs the host the objects that it runs again, and so everybody
// the host's time. What that may come to is bounded: in one tick by
// Rules.RewindWork, for one player by an allowance, its share of that. A player
// over its allowance is asked to send earlier. If it does not, its inputs
// may be less late than others'.

// overdraft is for how long a player may cost more than its share, and heed how long, after a
// round trip and max_rewind, a client may take to follow.
const (
	overdraft = time.Second
	heed      = 500 * time.Millisecond
)

// lateBudget is the host's account of late inputs.
type lateBudget struct {
	waiting  []latecomer
	admitted []latecomer // into the present tick's rewind
	perTick  float64     // object-ticks that a tick of lateness costs, smoothed
	counts   LatenessCounts
}

// latecomer is a late input, or owner's pose, that has come and is not applied yet.
type latecomer struct {
	peer  *peer
	event world.Event
	ticks world.Tick // to be run again for it
}

// LatenessCounts tells what was done to keep the cost of late inputs bounded.
type LatenessCounts struct {
	Waited      int `json:"waited"`       // input-ticks that late inputs waited, since there was no time for them
	Overdue     int `json:"overdue"`      // late inputs run although there was no time: they could wait no longer
	LeadAsked   int `json:"lead_asked"`   // how often a player was asked for more lead
	Narrowed    int `json:"narrowed"`     // how often one who did not follow lost half of his window
	TooLate     int `json:"too_late"`     // of dropped_old: later than such a window
	MostObjects int `json:"most_objects"` // object-ticks run again in one tick, at most
}

// Counts is what was done so far.
func (l *lateBudget) Counts() *LatenessCounts { return &l.counts }

// Await takes a late input or pose in, at tick now.
func (l *lateBudget) Await(p *peer, e world.Event, now world.Tick) {
	if i := l.find(&e); i >= 0 {
		l.waiting[i].event = e
		return
	}
	l.waiting = append(l.waiting, latecomer{p, e, now - e.Tick + 1})
}

// Waiting is what waits for the same tick and object as an event; nil: nothing.
func (l *lateBudget) Waiting(e *world.Event) *world.Event {
	if i := l.find(e); i >= 0 {
		return &l.waiting[i].event
	}
	return nil
}

func (l *lateBudget) find(e *world.Event) int {
	return slices.IndexFunc(l.waiting, func(l latecomer) bool {
		return l.event.Kind == e.Kind && l.event.Tick == e.Tick && l.event.Object == e.Object && l.event.Player == e.Player
	})
}

// Admit calls apply for late inputs, the oldest first, with how many ticks late they are, for as
// long as the work suffices that the rewind at tick now may take. Who can wait no longer, since
// it would be later than rewind, is admitted whatever it costs.
func (l *lateBudget) Admit(now, rewind world.Tick, work float64, apply func(e world.Event, late int)) {
	slices.SortStableFunc(l.waiting, func(a, b latecomer) int {
		return cmp.Or(cmp.Compare(a.event.Tick, b.event.Tick), cmp.Compare(a.event.Player, b.event.Player), cmp.Compare(a.event.Object, b.event.Object))
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

// Charge shares the cost of a rewind among those who were late.
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
		c.peer.Ledger.charge(now, float64(each*float64(c.ticks)), c.ticks)
	}
}

// work is how many object-ticks may be run again in one tick.
func (h *Host) work() float64 { return float64(h.rules.RewindWork * max(h.State().Len(), 16)) }

// settleLedgers forgives every player its share and talks to those who owe too
// much.
func (h *Host) settleLedgers(now time.Duration) {
	share := h.work() / float64(max(len(h.roster.All()), 1))
	limit := share * float64(overdraft/h.tickLen)
	for _, p := range h.roster.All() {
		switch l := &p.Ledger; l.settle(now, share, limit) {
		case overdrawn:
			h.press(now, p)
		case calm:
			if l.trust(h.rewind) {
				h.askLead(now, p)
			}
		}
	}
}

// press asks a player who costs too much for more lead and, if it has been
// asked before, halves the lateness that its inputs may have.
func (h *Host) press(now time.Duration, p *peer) {
	l, counts := &p.Ledger, h.late.Counts()
	again := l.press(now+heed+time.Duration(h.rewind)*h.tickLen+p.Feed.RTT(), now, min(h.ahead, h.rewind))
	counts.LeadAsked++
	h.askLead(now, p)
	if again {
		window := l.narrow(h.rewind)
		counts.Narrowed++
		h.log.Warn("a player's inputs come late, at the others' cost, and it does not send them earlier", "player", p.Player, "window_ticks", window)
	}
}

func (h *Host) askLead(now time.Duration, p *peer) {
	ms := uint32((time.Duration(p.Ledger.asked()) * h.tickLen).Milliseconds())
	why := fmt.Sprintf("your inputs cost the room too much by coming late: send them %d ms earlier", ms)
	if ms == 0 {
		why = "send inputs as usual"
	}
	_ = h.out.Control(now, p.ID, wire.AppendNotice(nil, &wire.Notice{Kind: wire.NoticeLead, Tick: h.tl.Now(), Count: ms, Reason: why}))
	h.log.Info("lead asked for", "player", p.Player, "ms", ms)
}
