package runtime

import (
	"time"

	"github.com/hindcast/hindcast/net/wire"
)

// send sends each client the new records of the log, and the notices that are due.
func (h *Host) send(now time.Duration) {
	for _, p := range h.roster.All() {
		if p.Log().Open() {
			p.Log().Packets(now, h.tl.Now(), p.Inbox().Ack(), func(b []byte) { h.out.Datagram(now, p.ID(), b) })
			h.stats.rtt.Add(float64(p.Log().RTT()) / float64(time.Millisecond))
		}
		p.Notices().Flush(now, func(n *wire.Notice) {
			_ = h.out.Control(now, p.ID(), wire.AppendNotice(nil, n))
			h.cfg.Recorder.Notice(p.Player(), int(n.Count), n.Tick, n.Reason)
			h.log.Warn("inputs not applied", "player", p.Player(), "count", n.Count, "tick", uint32(n.Tick), "reason", n.Reason)
		})
	}
}

// sendSnapshots sends the snapshots that are due.
func (h *Host) sendSnapshots(now time.Duration) {
	s, schema, listed := h.State(), h.Schema(), false
	room := h.Reader()
	h.relevancy.NextTick()
	every := max(h.inForce().Bundle.Ticks(time.Second/time.Duration(h.rules.Snapshots.Rate)), 1)
	for _, p := range h.roster.All() {
		sender := p.Replica().Sender(schema, s.Bundle, p.Playing())
		if sender == nil || !p.Log().Open() || !sender.Due(s.Tick, every) {
			continue
		}
		if !listed {
			listed = true
			h.candidates.Update(s, schema)
			h.relevancy.Configure(h.tl.Script(s.Bundle), &h.inForce().Bundle.Rules.Snapshots)
		}
		slots := p.Replica().Select(h.relevancy, room, p.Player(), &h.candidates)
		b := sender.Snapshot(s, schema, slots, p.Player(), h.rules.Snapshots.Bytes)
		h.out.Snapshot(len(b))
		h.out.Datagram(now, p.ID(), b)
	}
}

// InterestCounts counts the calls of the relevancy hook.
type InterestCounts struct {
	Asked   int `json:"asked"`   // calls of relevant
	Failed  int `json:"failed"`  // calls that failed
	Skipped int `json:"skipped"` // calls skipped, because a tick has a limit
}

// interestCounts returns nil in a game without that hook.
func (h *Host) interestCounts() *InterestCounts {
	n, ok := h.relevancy.Counts()
	if !ok {
		return nil
	}
	counts := InterestCounts(n)
	return &counts
}
