package runtime

import (
	"fmt"
	"time"

	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/net/wire"
)

// Poll receives: it keeps the newest InputPacket of each client for the next Tick,
// answers joins and pings, and notes which clients left. A host that is shut down
// closes every new connection.
func (h *Host) Poll(now time.Duration) {
	defer h.notify.Flush()
	h.now = now
	h.out.Poll(now)
}

// received handles what a Poll receives.
func (h *Host) received(ev link.Event) {
	switch ev.Kind {
	case link.Opened:
		if _, open := h.schedule.due(h.now); !open {
			h.dismiss(h.now, ev.Peer, hostStopped)
			return
		}
		h.roster.Add(newPeer(ev.Peer, h.now, h.cfg.Verify))
	case link.Closed:
		h.gone(ev.Peer, ev.Reason)
	case link.Datagram:
		if p := h.roster.Find(ev.Peer); p != nil {
			h.datagram(h.now, p, ev.Data)
		}
	case link.Message:
		if p := h.roster.Find(ev.Peer); p != nil {
			h.message(h.now, p, ev.Data)
		}
	}
}

func (h *Host) datagram(now time.Duration, p *peer, data []byte) {
	count := &h.stats.datagrams
	switch kind := wire.KindOf(data); {
	case kind == wire.KindPing:
		ping, err := wire.ParsePing(data)
		if err != nil {
			count.Malformed++
			return
		}
		h.out.Datagram(now, p.ID(), wire.AppendPong(nil, &wire.Pong{Sent: ping.Sent, Host: h.simTime(now)}))
	case kind != wire.KindInputPacket && kind != wire.KindMotion:
		count.Malformed++
	case !p.Playing():
		count.Stale++
	case kind == wire.KindInputPacket:
		fresh, collapsed, err := p.Inbox().PutInputs(data, h.simTime(now))
		switch {
		case err != nil:
			count.Malformed++
		case !fresh:
			count.Stale++
		case collapsed:
			count.Collapsed++
		}
	case !p.Inbox().PutMotion(data):
		count.Collapsed++
	}
}

// simTime returns the time of the simulation: completed ticks, and the elapsed part of
// the present one.
func (h *Host) simTime(now time.Duration) time.Duration {
	part := min(now-h.began, h.tickLen)
	if h.tl.Now() == 0 || h.paused {
		part = 0
	}
	return time.Duration(h.tl.Now())*h.tickLen + part
}

func (h *Host) message(now time.Duration, p *peer, data []byte) {
	kind := wire.KindOf(data)
	err := p.Accept(now, kind)
	if err == nil {
		err = h.answer(now, p, kind, data)
	}
	if err != nil {
		h.expel(now, p, "protocol error: "+err.Error())
	}
}

// answer handles an accepted message.
func (h *Host) answer(now time.Duration, p *peer, kind wire.Kind, data []byte) error {
	switch kind {
	case wire.KindHello:
		return h.hello(now, p, data)
	case wire.KindBundleWant:
		return h.bundleWant(now, p, data)
	case wire.KindReady:
		return h.ready(now, p, data)
	case wire.KindChat:
		return h.chat(now, p, data)
	default:
		return h.stateWant(now, p, data)
	}
}

func (h *Host) chat(now time.Duration, p *peer, data []byte) error {
	m, err := wire.ParseChat(data)
	if err != nil {
		return err
	}
	m.Player = p.Player()
	if !h.notify.AllowChat(m.Player, m.Text) {
		h.log.Info("chat refused", "player", p.Player(), "name", p.Name(), "text", m.Text)
		return nil
	}
	h.log.Info("chat", "player", p.Player(), "name", p.Name(), "text", m.Text)
	h.relayChat(&m)
	return nil
}

// relayChat sends a line of chat to all players.
func (h *Host) relayChat(m *wire.Chat) {
	h.cfg.Recorder.Chat(m.Player, m.Text)
	h.roster.Playing(func(q *peer) { _ = h.out.Control(h.now, q.ID(), wire.AppendChat(nil, m)) })
}

// stateWant answers a client whose hash differs from the host's.
func (h *Host) stateWant(now time.Duration, p *peer, data []byte) error {
	m, err := wire.ParseStateWant(data)
	if err != nil {
		return err
	}
	h.log.Error("desync", "player", p.Player(), "tick", uint32(m.Tick), "hash", hashText(m.Hash))
	if m.Tick > h.commits.Tick() {
		return fmt.Errorf("%w: state of tick %d, which is not committed", wire.ErrMalformed, m.Tick)
	}
	s := h.tl.Past().AtOrAfter(m.Tick)
	reply := wire.StateReply{Tick: s.Tick, State: h.stateBytes(h.tl.Scripts().SharedPart(s))}
	h.out.State(len(reply.State), false)
	h.cfg.Recorder.State(s.Tick, h.stateBytes(s))
	return h.out.Bulk(now, p.ID(), wire.AppendStateReply(nil, &reply))
}
