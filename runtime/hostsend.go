package runtime

import (
	"time"

	"github.com/hindcast/hindcast/net/wire"
)

// send brings everybody the news: one HostPacket each, or two when they do not fit
// into one. What is given of a busy tick, with what a bad line has lost, does not.
func (h *Host) send(now time.Duration) {
	for _, p := range h.peers {
		if p.relay != nil {
			h.datagramTo(now, p, p.relay.Packet(now, h.tl.Now(), p.ack))
			if p.relay.Behind() {
				h.datagramTo(now, p, p.relay.Packet(now, h.tl.Now(), p.ack))
			}
			h.stats.rtt.Add(float64(p.relay.RTT()) / float64(time.Millisecond))
		}
		if now-p.told >= noticeEvery {
			h.notify(now, p)
		}
	}
}

// noticeEvery is how often a player is told of inputs that were not applied.
const noticeEvery = 250 * time.Millisecond

func (h *Host) notify(now time.Duration, p *peer) {
	for i := range p.notices {
		n := &p.notices[i]
		if n.Count == 0 {
			continue
		}
		_ = h.control(now, p, wire.AppendNotice(nil, n))
		h.cfg.Recorder.notice(p, int(n.Count), n.Tick, n.Reason)
		h.log.Warn("inputs not applied", "player", p.player, "count", n.Count, "tick", uint32(n.Tick), "reason", n.Reason)
		*n, p.told = wire.Notice{}, now
	}
}
