package runtime

import (
	"fmt"
	"slices"
	"time"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/internal/relay"
	"github.com/hindcast/hindcast/world"
)

// receive queues what the newest InputPacket of each client brings.
func (h *Host) receive(now time.Duration) {
	for _, p := range h.peers {
		if len(p.pending) > 0 {
			h.readInputs(now, p)
			p.pending = p.pending[:0]
		}
		for _, data := range p.motions {
			h.readMotion(p, data)
		}
		p.motions = p.motions[:0]
	}
}

// readInputs queues what a client's newest InputPacket brings: inputs for
// coming ticks are held, those for past ones mark them dirty.
func (h *Host) readInputs(now time.Duration, p *peer) {
	m := &p.frame
	if err := wire.ParseInputPacket(p.pending, m); err != nil {
		h.stats.datagrams.Malformed++
		return
	}
	if p.relay == nil && m.Seq > p.asked { // so the client has the world
		p.relay = relay.NewSender(h.applied, p.from, p.frames)
	}
	if p.relay != nil {
		p.relay.Acknowledge(now, m.Ack)
	}
	if p.snapshots != nil {
		p.viewBounds.Acknowledge(p.snapshots.Acknowledge(m.Snapshot))
	}
	before := p.ack
	p.revised = 0
	var oldest world.Tick // of those that come for the first time
	for i := range m.Runs {
		run := &m.Runs[i]
		for j := range run.Inputs {
			t := run.First + world.Tick(j)
			p.acknowledge(t)
			again := came(before, t)
			if !again && (oldest == 0 || t < oldest) {
				oldest = t
			}
			h.queue(p, world.Event{Tick: t, Kind: world.InputEvent, Player: p.player,
				Object: run.Object, Bundle: run.Bundle, Input: run.Inputs[j]}, again)
		}
	}
	if p.ack.Newest > before.Newest {
		p.ack.Early = earliness(oldest, p.ack.Newest, h.tickLen, p.came)
	}
	if m.Claim != nil && m.Claim.Tick <= h.tl.Now() {
		p.claim, p.claimed = *m.Claim, true
	}
}

// earliness is by how many ms inputs of these ticks came before they were due, on
// average.
func earliness(oldest, newest world.Tick, tickLen, came time.Duration) int32 {
	due := (time.Duration(oldest) + time.Duration(newest)) * tickLen / 2
	return int32(min(max((due-came).Milliseconds(), -wire.MaxEarly), wire.MaxEarly))
}

// acknowledge notes that the inputs of tick t have come.
func (p *peer) acknowledge(t world.Tick) {
	a := &p.ack
	switch {
	case t > a.Newest:
		d := t - a.Newest
		a.Mask <<= d
		if a.Newest != 0 && d <= 16 {
			a.Mask |= 1 << (d - 1)
		}
		a.Newest = t
	case t < a.Newest && a.Newest-t <= 16:
		a.Mask |= 1 << (a.Newest - t - 1)
	}
}

// came reports whether an ack names tick t.
func came(a wire.InputAck, t world.Tick) bool {
	return t == a.Newest || t < a.Newest && a.Newest-t <= 16 && a.Mask&(1<<(a.Newest-t-1)) != 0
}

// queue decides about one input: held, applied on time, applied by a rewind,
// or not at all; then the player is told why. An input that came before, and is
// repeated because that was not known yet, is not counted as refused again.
func (h *Host) queue(p *peer, e world.Event, again bool) {
	c := &h.stats.inputs
	c.Received++
	revised := false
	if had := h.inputFor(&e); had != nil {
		if !h.rules.Newest || sameInput(had, &e) {
			c.Duplicate++
			return
		}
		revised = true
	}
	kind, why := h.unwanted(p, &e)
	if kind == 0 && revised {
		if p.revised++; p.revised > mostRevised {
			kind, why = wire.NoticeRefused, fmt.Sprintf("more than %d inputs said otherwise in a tick", mostRevised)
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
	h.apply(p, e)
}

// apply takes an input into the room's history: by a rewind, if its tick has been simulated.
func (h *Host) apply(p *peer, e world.Event) {
	c, late := &h.stats.inputs, int(h.tl.Now())-int(e.Tick)
	h.stats.lead.Add(float64(-late))
	switch {
	case late >= 0:
		c.LateRewound++
		h.await(p, e)
		return
	case late == -1:
		c.OnTime++
	default:
		c.EarlyHeld++
	}
	_, _ = h.insert(e, 0)
}

// mostRevised is how many inputs of a player may take the place of others in one tick: all
// are told of each.
const mostRevised = 2 * wire.MaxInputs

// unwanted says why an input is not applied; 0: it is.
func (h *Host) unwanted(p *peer, e *world.Event) (wire.NoticeKind, string) {
	if e.Tick <= h.final {
		return wire.NoticeDropped, fmt.Sprintf("older than max_rewind (%v)", h.rules.MaxRewind)
	}
	if window := p.ledger.window(h.rewind); e.Tick+window < h.tl.Now() {
		return wire.NoticeDropped, fmt.Sprintf("more than %d ticks late: your inputs cost the room too much by coming late", window)
	}
	if err := h.refuse(p, e); err != nil {
		return wire.NoticeRefused, err.Error()
	}
	return 0, ""
}

// turnDown counts an input that is not applied, and tells the player.
func (h *Host) turnDown(p *peer, e *world.Event, kind wire.NoticeKind, why string) {
	switch {
	case kind == wire.NoticeRefused:
		h.stats.inputs.Refused++
	case e.Tick > h.final:
		h.late.counts.TooLate++
		fallthrough
	default:
		h.stats.inputs.DroppedOld++
	}
	p.tell(kind, e.Tick, why)
}

// refuse says why an input is not taken, or nil.
func (h *Host) refuse(p *peer, e *world.Event) error {
	if e.Tick > h.tl.Now()+h.ahead {
		return fmt.Errorf("tick %d is more than %v ahead of the host's %d", e.Tick, h.rules.MaxAhead, h.tl.Now())
	}
	s := h.State()
	slot, ok := s.Find(e.Object)
	if !ok {
		return fmt.Errorf("object %s: %w", e.Object, world.ErrRemoved)
	}
	o := &s.Objects[slot]
	if o.Owner != p.player {
		return fmt.Errorf("object %s is not yours", e.Object)
	}
	script := h.tl.Script(e.Bundle)
	if script == nil || e.Bundle < h.tl.At(h.final).Bundle {
		return fmt.Errorf("made under bundle %d, which is not in force", e.Bundle)
	}
	name := h.Schema().Classes[o.Class].Name
	class, ok := script.Schema().ClassByName(name)
	if !ok {
		return fmt.Errorf("bundle %d has no class %s", e.Bundle, name)
	}
	return world.CheckInput(script.Schema().Classes[class].Inputs, e.Input)
}

// inputFor is what a player said before for the tick and object of an input; nil:
// nothing.
func (h *Host) inputFor(e *world.Event) *world.Event {
	if i := h.late.find(e); i >= 0 {
		return &h.late.waiting[i].event
	}
	if had, _, ok := h.tl.InputAt(e.Object, e.Player, e.Tick); ok {
		return &had
	}
	return nil
}

// sameInput reports whether two events say the same. What the screen showed does not
// count: the host may have taken it away.
func sameInput(a, b *world.Event) bool {
	p, q := a.Input, b.Input
	p.ViewTime, q.ViewTime = world.ViewTime{}, world.ViewTime{}
	return p == q && a.Bundle == b.Bundle
}

// tell gathers what a player must know until it is sent: of each kind how
// often, the newest tick, and the last reason.
func (p *peer) tell(kind wire.NoticeKind, t world.Tick, reason string) {
	n := &p.notices[kind-1]
	n.Kind, n.Reason = kind, reason
	n.Count++
	n.Tick = max(n.Tick, t)
}

// judgeClaims compares where clients believed their objects were with where
// they have turned out to be, and corrects those who were wrong although they
// knew all that had been decided by then.
func (h *Host) judgeClaims(now time.Duration) {
	for _, p := range h.peers {
		if p.claimed && p.relay != nil {
			h.judge(now, p, &p.claim)
		}
		p.claimed = false
	}
}

func (h *Host) judge(now time.Duration, p *peer, c *wire.Claim) {
	count := &h.stats.claims
	s := h.tl.At(c.Tick)
	if s == nil {
		count.Old++
		return
	}
	slot, ok := s.Find(c.Object)
	if !ok || s.Objects[slot].Owner != p.player || s.Body(slot).Key == 0 {
		return
	}
	count.Checked++
	distance, wrong := exceeds(&h.rules.Correct, c, s.Body(slot))
	switch {
	case wrong == 0:
		count.Agreed++
	case h.applied.HasNews(c.KnownSeq, c.Tick):
		count.Explained++
	case now < p.corrected:
		count.Wrong++
		count.LockedOut++
	default:
		count.Wrong++
		p.corrected = now + max(p.relay.RTT(), h.tickLen)
		h.stats.jumps.Add(distance)
		h.cfg.Recorder.correction(p, s.Tick, c.Object, distance)
		h.correct(now, p, s, slot, wrong)
	}
}

// correct sends the bits of an object and its island.
func (h *Host) correct(now time.Duration, p *peer, s *world.State, slot int, wrong wire.Mismatch) {
	schema := h.tl.SchemaOf(s)
	slots := slices.DeleteFunc(s.Touching(slot, nil), func(slot int32) bool {
		return s.Objects[slot].Owner != p.player && !s.Shared(schema, int(slot))
	})
	part := world.AppendObjects(nil, s, schema, slots)
	id := s.Objects[slot].ID
	m := wire.Correction{Tick: s.Tick, Object: id, Mismatch: wrong, Cause: h.rewoundFor(id, s.Tick), State: part}
	b := wire.AppendCorrection(nil, &m)
	h.stats.bytes.states += int64(len(part))
	h.log.Debug("correction", "player", p.player, "tick", uint32(s.Tick), "object", id.String(), "wrong", wrong.Words())
	if len(b) > wire.MaxDatagram { // a pile: it goes in pieces, later but whole
		_ = h.bulk(now, p, b)
		return
	}
	h.datagramTo(now, p, b)
}
