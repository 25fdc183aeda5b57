package runtime

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
)

// A late input costs the host the objects that it runs again, and so everybody
// the host's time. What that may come to is bounded: in one tick by
// Rules.RewindWork, for one player by an allowance, his share of that. Who is
// over his allowance is asked to send earlier, and if he doesn't, his inputs
// may be less late than others'.

const (
	// overdraft is for how long a player may cost more than his share.
	overdraft = time.Second
	// heed is how long, after a round trip and max_rewind, a client may take to
	// follow.
	heed = 500 * time.Millisecond
	// calmTime is how long a player must owe nothing before he is trusted more.
	calmTime = 10 * time.Second
	// leastWindow is how many ticks late the inputs of anybody may be.
	leastWindow = 2
)

// latecomer is a late input that has come and is not applied yet.
type latecomer struct {
	peer  *peer
	event world.Event
	ticks world.Tick // to be run again for it
}

// lateness is the host's account of late inputs.
type lateness struct {
	waiting  []latecomer
	admitted []latecomer // into the present tick's rewind
	perTick  float64     // object-ticks that a tick of lateness costs, smoothed
	counts   LatenessCounts
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

// ledger is what one player's lateness costs the others.
type ledger struct {
	owed     float64       // object-ticks, less his share for every tick
	depth    float64       // by how many ticks his late inputs are late, smoothed
	lead     world.Tick    // that he has been asked for, on top of his own
	narrowed world.Tick    // ticks that his inputs may be late, 0: as all
	patience time.Duration // until when he may take to follow
	calm     time.Duration // since when he has owed nothing
}

// window is how many ticks late an input may be.
func (l *ledger) window(all world.Tick) world.Tick {
	if l.narrowed != 0 {
		return min(l.narrowed, all)
	}
	return all
}

// await takes a late input in.
func (h *Host) await(p *peer, e world.Event) {
	if i := h.late.find(&e); i >= 0 {
		h.late.waiting[i].event = e
		return
	}
	h.late.waiting = append(h.late.waiting, latecomer{p, e, h.tl.Now() - e.Tick + 1})
}

// find is where an input, or a move, for the same tick and object waits; -1: there is none.
func (l *lateness) find(e *world.Event) int {
	return slices.IndexFunc(l.waiting, func(l latecomer) bool {
		return l.event.Kind == e.Kind && l.event.Tick == e.Tick && l.event.Object == e.Object && l.event.Player == e.Player
	})
}

// work is how many object-ticks may be run again in one tick.
func (h *Host) work() float64 { return float64(h.rules.RewindWork * max(h.State().Len(), 16)) }

// admitLate puts late inputs into the Timeline, the oldest first, for as long
// as the time suffices that rewinds may take. Who can wait no longer is
// admitted whatever it costs.
func (h *Host) admitLate() {
	l := &h.late
	slices.SortStableFunc(l.waiting, func(a, b latecomer) int {
		return cmp.Or(cmp.Compare(a.event.Tick, b.event.Tick), cmp.Compare(a.event.Player, b.event.Player), cmp.Compare(a.event.Object, b.event.Object))
	})
	left, kept := h.work(), l.waiting[:0]
	l.admitted = l.admitted[:0]
	for _, c := range l.waiting {
		c.ticks = h.tl.Now() - c.event.Tick + 1
		cost := float64(l.perTick * float64(c.ticks))
		overdue := c.event.Tick+h.rewind <= h.tl.Now()+1
		if cost > left && !overdue {
			l.counts.Waited++
			kept = append(kept, c)
			continue
		}
		if cost > left {
			l.counts.Overdue++
		}
		left -= cost
		_, _ = h.insert(c.event, int(c.ticks))
		l.admitted = append(l.admitted, c)
	}
	l.waiting = kept
}

// charge shares the cost of a rewind among those who were late.
func (h *Host) charge(r timeline.Rewound) {
	l := &h.late
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
		if h.now >= c.peer.ledger.patience { // not while he is about to follow
			c.peer.ledger.owed += float64(each * float64(c.ticks))
		}
		c.peer.ledger.depth += float64((float64(c.ticks) - c.peer.ledger.depth) / 8)
	}
}

// settleLedgers forgives every player his share and talks to those who owe too
// much.
func (h *Host) settleLedgers(now time.Duration) {
	share := h.work() / float64(max(len(h.peers), 1))
	limit := share * float64(overdraft/h.tickLen)
	for _, p := range h.peers {
		l := &p.ledger
		l.owed = max(l.owed-share, 0)
		switch {
		case l.owed > limit && now >= l.patience:
			h.press(now, p)
			l.owed = 0
		case l.owed > 0:
			l.calm = now
		case now-l.calm > calmTime:
			l.calm = now
			h.trust(now, p)
		}
	}
}

// press asks a player who costs too much for more lead and, if he has been
// asked before, halves the lateness that his inputs may have.
func (h *Host) press(now time.Duration, p *peer) {
	l := &p.ledger
	l.calm, l.patience = now, now+heed+time.Duration(h.rewind)*h.tickLen
	if p.relay != nil {
		l.patience += p.relay.RTT()
	}
	asked := l.lead > 0
	l.lead = min(l.lead+world.Tick(math.Ceil(l.depth)), h.ahead, h.rewind)
	h.late.counts.LeadAsked++
	h.askLead(now, p)
	if !asked {
		return
	}
	l.narrowed = max(l.window(h.rewind)/2, leastWindow)
	h.late.counts.Narrowed++
	h.log.Warn("a player's inputs come late, at the others' cost, and he does not send them earlier", "player", p.player, "window_ticks", l.narrowed)
}

// trust gives a player who has owed nothing for long some of what was taken.
func (h *Host) trust(now time.Duration, p *peer) {
	l := &p.ledger
	switch {
	case l.narrowed >= h.rewind:
		l.narrowed = 0
	case l.narrowed != 0:
		l.narrowed *= 2
	case l.lead > 0:
		l.lead--
		h.askLead(now, p)
	}
}

func (h *Host) askLead(now time.Duration, p *peer) {
	ms := uint32((time.Duration(p.ledger.lead) * h.tickLen).Milliseconds())
	why := fmt.Sprintf("your inputs cost the room too much by coming late: send them %d ms earlier", ms)
	if ms == 0 {
		why = "send inputs as usual"
	}
	_ = h.control(now, p, wire.AppendNotice(nil, &wire.Notice{Kind: wire.NoticeLead, Tick: h.tl.Now(), Count: ms, Reason: why}))
	h.log.Info("lead asked for", "player", p.player, "ms", ms)
}
