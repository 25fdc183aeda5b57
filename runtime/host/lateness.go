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
	admitted []lateInput // memory of Admit
	apart    world.Tick  // up to this tick, each player's late inputs have a rewind of their own
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

// Admit returns the late inputs that the rewind at tick now applies, the oldest first. It stops when that would cost
// more than work. An input that would be more than rewind ticks late in the next tick is admitted at any cost.
func (l *lateBudget) Admit(now, rewind world.Tick, work float64) (admitted []lateInput) {
	slices.SortStableFunc(l.waiting, func(a, b lateInput) int {
		return cmp.Or(cmp.Compare(a.event.Tick, b.event.Tick), cmp.Compare(a.event.Player, b.event.Player),
			cmp.Compare(a.event.Object, b.event.Object))
	})
	left, kept := work, l.waiting[:0]
	admitted = l.admitted[:0]
	for _, c := range l.waiting {
		c.ticks = now - c.event.Tick + 1
		cost := float64(l.perTick * float64(c.ticks))
		overdue := c.overdue(now, rewind)
		if cost > left && !overdue {
			l.counts.Waited++
			kept = append(kept, c)
			continue
		}
		if cost > left {
			l.counts.Overdue++
		}
		left -= cost
		admitted = append(admitted, c)
	}
	l.waiting, l.admitted = kept, admitted
	return admitted
}

// overdue reports whether the input would be more than rewind ticks late in the tick after now.
func (c *lateInput) overdue(now, rewind world.Tick) bool { return c.event.Tick+rewind <= now+1 }

// Return lets a late input wait again that was admitted.
func (l *lateBudget) Return(c lateInput) { l.waiting = append(l.waiting, c) }

// blame returns the player whose late inputs made a rewind too much work: the only player, or the one whose objects did
// most of it; 0: that is not clear. most is whose objects did most of it, 0: nobody's.
func blame(late []lateInput, by []timeline.Spent) (guilty, most world.PlayerID) {
	all, of := time.Duration(0), map[world.PlayerID]time.Duration{}
	for i := range by {
		all += by[i].Work
		of[by[i].Owner] += by[i].Work
	}
	// order: only one of them has more than half
	for p, work := range of {
		if 2*work > all {
			most = p
		}
	}
	first := late[0].event.Player
	if !slices.ContainsFunc(late, func(c lateInput) bool { return c.event.Player != first }) {
		return first, most
	}
	if most != 0 && slices.ContainsFunc(late, func(c lateInput) bool { return c.event.Player == most }) {
		return most, most
	}
	return 0, most
}

// split returns the late inputs without those of a player, or for player 0 those of each player by themselves.
func split(late []lateInput, without world.PlayerID) (parts [][]lateInput) {
	of := map[world.PlayerID]int{}
	for _, c := range late {
		p := c.event.Player
		if without != 0 {
			if p == without {
				continue
			}
			p = 0
		}
		i, ok := of[p]
		if !ok {
			i, of[p] = len(parts), len(parts)
			parts = append(parts, nil)
		}
		parts[i] = append(parts[i], c)
	}
	return parts
}

// Charge divides the cost of a rewind among the players whose late inputs it applied.
func (l *lateBudget) Charge(now time.Duration, late []lateInput, r timeline.Rewound) {
	ticks := 0.0
	for i := range late {
		ticks += float64(late[i].ticks)
	}
	l.counts.MostObjects = max(l.counts.MostObjects, r.Objects)
	each := float64(r.Objects) / ticks
	l.perTick += float64((each - l.perTick) / 8)
	for i := range late {
		c := &late[i]
		c.ledger.charge(now, float64(each*float64(c.ticks)), c.ticks)
	}
}

// rewindLate applies the late inputs that are admitted, by a rewind. If that is too much work it is taken back, and
// done again without the player who is to blame, or for each player alone if that is not clear. It ends when all that
// has been as much work as a tick may be: then the others wait. If it was not clear, each player is alone for a second.
func (h *Host) rewindLate() {
	now, window := h.match.Now(), h.match.Window().rewind
	parts := [][]lateInput{h.late.Admit(now, window, h.work())}
	if now < h.late.apart {
		parts = split(parts[0], 0)
	}
	for len(parts) > 0 {
		part := parts[0]
		parts = parts[1:]
		switch {
		case len(part) == 0:
		case h.watch.dog.MayRewind():
			if !h.rewindWith(part) {
				guilty, most := blame(part, h.watch.work.By)
				if guilty != 0 {
					h.closeLate(guilty, most, part)
				} else {
					h.late.apart = now + world.Tick(h.frameRate())
				}
				parts = append(split(part, guilty), parts...)
			}
		default:
			for i := range part {
				if part[i].overdue(now, window) {
					h.dropLate(&part[i].event)
				} else {
					h.late.Return(part[i])
				}
			}
		}
	}
}

// rewindWith rewinds with late inputs. done is false if that is too much work: then nothing has changed.
func (h *Host) rewindWith(part []lateInput) (done bool) {
	watch := h.stopwatch()
	late := make([]timeline.Late, 0, len(part))
	for i := range part {
		e := &part[i].event
		late = append(late, h.match.Late(*e, int(part[i].ticks), h.toRelay(e)))
	}
	r := h.match.RewindWith(late, h.watch.dog.MostRewind())
	for i := range late {
		if l := &late[i]; l.Taken {
			h.relay(&l.Event, !l.From.Unrelayed)
		}
	}
	if r.From == 0 {
		return true
	}
	h.match.Work(&h.watch.work)
	h.watch.rewound(r.GivenUp, h.State().Bundle)
	if !r.GivenUp {
		h.late.Charge(h.clock.Now(), part, r)
		h.stats.Rewound(r, watch())
		h.rewindings.Note(h.match.Causes(), h.State(), h.Schema(), h.tellRewinding)
		if h.cfg.Rewound != nil {
			h.cfg.Rewound(r)
		}
	}
	h.stats.Verified(h.match.Verify(r))
	return !r.GivenUp
}

// closeLate drops the late inputs of a player whose rewind was too much work, and takes no more for a while. most is
// whose objects did most of it, 0: nobody's. If they are another player's, the while does not get longer.
func (h *Host) closeLate(guilty, most world.PlayerID, part []lateInput) {
	for i := range part {
		if part[i].event.Player == guilty {
			h.dropLate(&part[i].event)
		}
	}
	p := h.roster.ByPlayer(guilty)
	if p == nil {
		return
	}
	now := h.clock.Now()
	until := p.ledger.close(now, most == 0 || most == guilty)
	h.press(now, p)
	attrs := []any{"player", guilty, "ms", ms(h.watch.work.Sum()), "allowed_ms", ms(h.watch.dog.MostRewind()),
		"seconds", (until - now).Seconds()}
	if most != 0 && most != guilty {
		attrs = append(attrs, "objects_of", most)
	}
	h.lines.Line(now, slog.LevelWarn, p.source(),
		"to simulate again what a player's late inputs change is too much work: they are not taken for a while",
		attrs...)
}

// dropLate drops a late input or pose that was to be applied.
func (h *Host) dropLate(e *world.Event) {
	p := h.roster.ByPlayer(e.Player)
	switch {
	case p == nil:
	case e.Kind == world.InputEvent:
		h.turnDown(p, e, wire.NoticeDropped, errTooMuchWork)
	default:
		h.intake.Owners().TooOld++
		h.refused.Add(ofPose + tooMuchWork)
		p.notices.Add(wire.NoticeDropped, e.Tick, errTooMuchWork.Error())
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
