package host

import (
	"slices"
	"time"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/stats"
	"github.com/hindcast/hindcast/world"
)

// readInputs queues the inputs of a client's newest InputPacket: inputs for coming
// ticks are held, inputs for past ticks mark these dirty.
func (h *Host) readInputs(now time.Duration, p *peer) {
	m, err := p.Inputs(now, h.applied)
	if err != nil {
		h.malformed(err)
	}
	if m == nil {
		return
	}
	if p.feed.Unsent(m.Ack) || m.Snapshot >= p.replica.NextNumber() {
		h.refused.Add(unsent)
	}
	for i := range m.Runs {
		run := &m.Runs[i]
		for j := range run.Inputs {
			t := run.First + world.Tick(j)
			again := p.inbox.Arrived(t)
			h.queue(p, world.Event{Tick: t, Kind: world.InputEvent, Player: p.Player(),
				Object: run.Object, Bundle: run.Bundle, Input: run.Inputs[j], Sight: m.SightOf(i, j)}, again)
		}
	}
	p.inbox.Measure(h.clock.Length())
	if m.Claim != nil && m.Claim.Tick <= h.match.Now() {
		p.claim.Put(*m.Claim)
	}
}

// queue decides about one input: held, applied on time, applied by a rewind,
// dropped or refused. The player is notified of the last two. A repeated input that was refused
// before is not counted again.
func (h *Host) queue(p *peer, e world.Event, again bool) {
	c := h.intake.Inputs()
	c.Received++
	revised := false
	if had, ok := h.inputFor(&e); ok {
		if !h.match.Rules().Newest || sameInput(&had, &e) {
			c.Duplicate++
			return
		}
		revised = true
	}
	kind, why := h.unwanted(p, &e)
	if kind == 0 && revised {
		if !p.inbox.Revise() {
			kind, why = wire.NoticeRefused, because(contradicts,
				"more than %d inputs contradicted an earlier one in a tick",
				mostRevised)
		}
	}
	switch {
	case kind != 0 && again && !revised:
		c.Duplicate++
		return
	case kind != 0:
		h.turnDown(p, &e, kind, why)
		return
	case revised:
		c.Revised++
	}
	h.checkSeen(p, &e)
	h.judgeSight(p, &e)
	h.apply(p, e)
}

// apply inserts an input into the Timeline. If its tick has been simulated, the next rewind
// applies it.
func (h *Host) apply(p *peer, e world.Event) {
	c, late := h.intake.Inputs(), int(h.match.Now())-int(e.Tick)
	h.intake.Lead(-late)
	switch {
	case late >= 0:
		c.LateRewound++
		h.late.Await(&p.ledger, e, h.match.Now())
		return
	case late == -1:
		c.OnTime++
	default:
		c.EarlyHeld++
	}
	_, _ = h.insert(e)
}

// unwanted says why an input is not applied; 0: it is.
func (h *Host) unwanted(p *peer, e *world.Event) (wire.NoticeKind, error) {
	if e.Tick <= h.match.Commits().Tick() {
		if err := h.stopped(); err != nil {
			return wire.NoticeDropped, err
		}
		return wire.NoticeDropped, because(tooOld, "older than max_rewind (%v)", h.match.Rules().MaxRewind)
	}
	if err := h.refuseLate(p, e.Tick); err != nil {
		return wire.NoticeDropped, err
	}
	if err := h.refuse(p, e); err != nil {
		return wire.NoticeRefused, err
	}
	return 0, nil
}

// refuseLate returns why nothing of a player is taken that is as late as a tick, nil if it is.
func (h *Host) refuseLate(p *peer, t world.Tick) error {
	if window := p.ledger.window(h.match.Window().rewind); t+window < h.match.Now() {
		return because(tooLate, "more than %d ticks late: your late inputs cost the room too much", window)
	}
	if t <= h.match.Now() && p.ledger.shut(h.clock.Now()) {
		return errTooMuchWork
	}
	return nil
}

// errTooMuchWork is why the late inputs of a player are not taken for a while.
var errTooMuchWork = because(tooMuchWork, "late, and to simulate again what your late inputs change is too much work "+
	"for the room")

// turnDown counts an input that is not applied, and notifies the player.
func (h *Host) turnDown(p *peer, e *world.Event, kind wire.NoticeKind, why error) {
	switch {
	case kind == wire.NoticeRefused:
		h.intake.Inputs().Refused++
	case e.Tick > h.match.Commits().Tick():
		h.late.Counts().TooLate++
		fallthrough
	default:
		h.intake.Inputs().DroppedOld++
	}
	h.refused.Add(ofInput + reasonOf(why))
	p.notices.Add(kind, e.Tick, why.Error())
}

// refuse returns why an input is refused, or nil.
func (h *Host) refuse(p *peer, e *world.Event) error {
	if err := h.tooFarAhead(e.Tick, "tick"); err != nil {
		return err
	}
	s := h.State()
	slot, ok := s.Find(e.Object)
	if !ok {
		return because(objectGone, "object %s: %w", e.Object, world.ErrRemoved)
	}
	o := &s.Objects[slot]
	if o.Owner != p.Player() {
		return because(notOwner, "object %s is not yours", e.Object)
	}
	script := h.match.Scripts().Of(e.Bundle)
	if script == nil || e.Bundle < h.match.At(h.match.Commits().Tick()).Bundle {
		return because(wrongBundle, "made under bundle %d, which is not in force", e.Bundle)
	}
	name := h.Schema().Classes[o.Class].Name
	class, ok := script.Schema().ClassByName(name)
	if !ok {
		return because(wrongBundle, "bundle %d has no class %s", e.Bundle, name)
	}
	return world.CheckInput(script.Schema().Classes[class].Inputs, e.Input)
}

// tooFarAhead returns why something for a tick comes too early, nil if it does not. what names it. If the host's
// process was stopped, its clients are ahead of it, and not to blame.
func (h *Host) tooFarAhead(t world.Tick, what string) error {
	if t <= h.match.Now()+h.match.Window().ahead {
		return nil
	}
	if err := h.stopped(); err != nil {
		return err
	}
	return because(tooFarAhead, "%s %d is more than %v ahead of the host's %d", what, t, h.match.Rules().MaxAhead,
		h.match.Now())
}

// stopped returns why an input comes at the wrong time if the host's process was stopped a moment ago; nil: it was not.
// It says for how long if the log has a line for it, see noteStop.
func (h *Host) stopped() error {
	switch stopped := h.clock.StoppedFor(h.clock.Now()); {
	case stopped == 0:
		return nil
	case stopped < longStop:
		return because(stoppedHost, "the host's process did not run for a moment")
	default:
		return because(stoppedHost, "the host's process did not run for %v", stopped.Round(100*time.Millisecond))
	}
}

// inputFor returns the earlier input of the player for the tick and object of e.
func (h *Host) inputFor(e *world.Event) (had world.Event, ok bool) {
	if w := h.late.Waiting(e); w != nil {
		return *w, true
	}
	had, _, ok = h.match.Log().InputAt(e.Object, e.Player, e.Tick)
	return had, ok
}

// sameInput reports whether two events have the same input. View times do not count:
// the host may have removed one.
func sameInput(a, b *world.Event) bool {
	p, q := a.Input, b.Input
	p.ViewTime, q.ViewTime = world.ViewTime{}, world.ViewTime{}
	return p == q && a.Bundle == b.Bundle
}

// checkSeen removes a view time outside the view bounds from an input. asSeen then shows
// the input's own tick.
func (h *Host) checkSeen(p *peer, e *world.Event) {
	seen := e.Input.ViewTime
	if seen == (world.ViewTime{}) {
		return
	}
	limit := h.inForce().bundle.Ticks(h.match.Rules().MaxSeen)
	if !h.Schema().HasSeen() || !p.replica.AllowView(e.Tick, seen, limit) {
		e.Input.ViewTime = world.ViewTime{}
		h.intake.Inputs().SeenRefused++
	}
}

// intake keeps the owner poses that arrive before their ticks, and counts what players send.
type intake struct {
	held   []world.Event // owner poses whose ticks are to come
	inputs room.InputCounts
	owners room.OwnerCounts
	cut    int // the time by which frames were shortened, in FrameParts of a second
	lead   stats.Series
}

// Inputs returns the counts of inputs.
func (i *intake) Inputs() *room.InputCounts { return &i.inputs }

// Owners returns the counts of owner poses and independent frames.
func (i *intake) Owners() *room.OwnerCounts { return &i.owners }

// Cut counts a frame that was shortened, by a number of FrameParts.
func (i *intake) Cut(parts int) {
	i.owners.Cut++
	i.cut += parts
	i.owners.CutMS = i.cut * 1000 / world.FrameParts
}

// Lead counts by how many ticks an input that is applied was early.
func (i *intake) Lead(ticks int) { i.lead.Add(float64(ticks)) }

// Leads returns the percentiles of what Lead counted.
func (i *intake) Leads() stats.Percentiles { return i.lead.Percentiles() }

// Hold keeps an owner pose until its tick.
func (i *intake) Hold(e world.Event) { i.held = append(i.held, e) }

// Drain removes the owner poses up to tick t that are held, and calls insert with each.
func (i *intake) Drain(t world.Tick, insert func(e *world.Event)) {
	i.held = slices.DeleteFunc(i.held, func(e world.Event) bool {
		if e.Tick > t {
			return false
		}
		insert(&e)
		return true
	})
}
