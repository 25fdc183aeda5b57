package runtime

import (
	"fmt"
	"time"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/world"
)

func (h *Host) hello(now time.Duration, p *peer, data []byte) error {
	m, err := wire.ParseHello(data)
	if err != nil {
		return err
	}
	p.name = m.Name
	back := h.ticketOf(m.Ticket)
	switch {
	case m.Version != wire.Version:
		h.expel(now, p, fmt.Sprintf("this host speaks protocol %d, you speak %d", wire.Version, m.Version))
		return nil
	case h.full(back):
		h.expel(now, p, fmt.Sprintf("the room is full: %d players", h.seats()))
		return nil
	}
	if h.cfg.Admit != nil {
		if err := h.cfg.Admit(m.Name, m.Token); err != nil {
			h.expel(now, p, err.Error())
			return nil
		}
	}
	if back == nil {
		back = h.newTicket()
	}
	h.replace(now, p, back.player)
	p.stage, p.player, p.moved = stageAdmitted, back.player, now
	w := wire.Welcome{Player: p.player, Ticket: back.secret}
	for _, a := range h.bundles {
		if h.tl.Script(a.number) != nil {
			w.Bundles = append(w.Bundles, a.wire())
		}
	}
	return h.control(now, p, wire.AppendWelcome(nil, &w))
}

func (a *announced) wire() wire.Announce {
	return wire.Announce{Number: a.number, Tick: a.tick, Hash: a.hash, Bytes: uint32(len(a.bytes))}
}

// seats is how many players there are, and would be if all who were admitted
// got ready.
func (h *Host) seats() (n int) {
	for _, p := range h.peers {
		if p.stage >= stageAdmitted {
			n++
		}
	}
	return n
}

func (h *Host) byPlayer(id world.PlayerID) *peer {
	for _, p := range h.peers {
		if p.player == id && p.stage >= stageAdmitted {
			return p
		}
	}
	return nil
}

func (p *peer) announceBundle(h *Host, a *announced) {
	w := a.wire()
	_ = h.control(h.now, p, wire.AppendAnnounce(nil, &w))
}

func (h *Host) bundleWant(now time.Duration, p *peer, data []byte) error {
	m, err := wire.ParseBundleWant(data)
	if err != nil {
		return err
	}
	for _, a := range h.bundles {
		if a.hash == m.Hash && a.bytes != nil {
			return h.bulk(now, p, wire.AppendBundle(nil, &wire.Bundle{Data: a.bytes}))
		}
	}
	return fmt.Errorf("no bundle %s here", bundle.Hash(m.Hash))
}

// ready lets an admitted client in: he joins in the coming tick, and gets the
// newest state that cannot change any more and all that happened since. From
// one who plays already it asks for that state anew.
func (h *Host) ready(now time.Duration, p *peer, data []byte) error {
	m, err := wire.ParseReady(data)
	if err != nil {
		return err
	}
	if p.stage == stageAdmitted {
		p.stage = stagePlaying
		if err := h.join(p); err != nil {
			return err
		}
		h.cfg.Recorder.name(p)
		h.log.Info("joined", "player", p.player, "name", p.name, "tick", uint32(p.joined))
		h.sendRoster()
	}
	if p.relay != nil {
		p.frames = p.relay.LastSeq()
	}
	p.relay, p.from, p.asked, p.claimed, p.moved = nil, h.applied.Since(h.final), m.LastInputSeq, false, now
	key := h.tl.Keyframe(h.final, true)
	frame := wire.Keyframe{FirstSeq: p.from, LastInputs: key.Held}
	p.watches = m.Snapshots
	switch s := key.State; {
	case s == nil:
	case p.watches:
		s = h.openTo(p.player, s)
		frame.State, frame.Snapshot = h.stateBytes(s), h.startSnapshots(p, s)
	default:
		frame.State = h.stateBytes(h.knownOf(s))
		if !h.tl.Partial(s) {
			frame.PoseHistory = key.Poses
		}
	}
	h.stats.bytes.states += int64(len(frame.State) + len(frame.PoseHistory))
	return h.bulk(now, p, wire.AppendKeyframe(nil, &frame))
}
