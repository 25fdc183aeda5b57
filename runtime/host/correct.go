package host

import (
	"slices"
	"time"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/world"
)

// judgeClaims compares the claims of clients with the host's states. It corrects clients whose
// claims were wrong although they had every record of the log up to then.
func (h *Host) judgeClaims(now time.Duration) {
	for _, p := range h.roster.All() {
		if c, ok := p.claim.Take(); ok && p.log.Open() {
			h.judge(now, p, c)
		}
	}
}

func (h *Host) judge(now time.Duration, p *peer, c *wire.Claim) {
	s := h.match.At(c.Tick)
	if s == nil {
		h.corrector.Old()
		return
	}
	slot, ok := s.Find(c.Object)
	if !ok || s.Objects[slot].Owner != p.Player() || s.Body(slot).Key == 0 {
		return
	}
	limits := h.match.Rules().CorrectOf(&h.match.Scripts().SchemaOf(s).Classes[s.Objects[slot].Class])
	explained := func() bool { return h.applied.HasNews(c.KnownSeq, c.Tick) }
	allowed := func() bool { return p.claim.Correct(now, max(p.log.RTT(), h.clock.Length())) }
	distance, wrong, send := h.corrector.Judge(&limits, c, s.Body(slot), explained, allowed)
	if send {
		h.cfg.Recorder.Correction(p.Player(), s.Tick, c.Object, distance)
		h.correct(now, p, s, slot, wrong)
	}
}

// correct sends the exact state of an object and its island.
func (h *Host) correct(now time.Duration, p *peer, s *world.State, slot int, wrong wire.Mismatch) {
	schema := h.match.Scripts().SchemaOf(s)
	slots := slices.DeleteFunc(s.Touching(slot, nil), func(slot int32) bool {
		return s.Objects[slot].Owner != p.Player() && !s.Shared(schema, int(slot))
	})
	part := world.AppendObjects(nil, s, schema, slots)
	id := s.Objects[slot].ID
	m := wire.Correction{Tick: s.Tick, Object: id, Mismatch: wrong, Cause: h.rewindings.For(id, s.Tick), State: part}
	b := wire.AppendCorrection(nil, &m)
	h.out.State(len(part), false)
	h.log.Debug("correction", "player", p.Player(), "tick", uint32(s.Tick), "object", id.String(), "wrong", wrong.Words())
	if len(b) > wire.MaxDatagram { // a pile: it needs a stream, which is slower
		_ = h.out.Bulk(now, p.id, b)
		return
	}
	h.out.Datagram(now, p.id, b)
}

// tellRewinding reports that a rewind moved a player's object.
func (h *Host) tellRewinding(owner world.PlayerID, m room.Displacement) {
	if h.cfg.Displaced != nil {
		h.cfg.Displaced(m)
	}
	h.log.Debug("a rewind moved a player's object", "tick", uint32(m.Provenance.Tick), "object", m.Object.String(), "player", owner, "why", m.String())
}
