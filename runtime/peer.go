package runtime

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/internal/relay"
	"github.com/hindcast/hindcast/runtime/internal/replicate"
	"github.com/hindcast/hindcast/world"
)

// stage is how far a client has come.
type stage uint8

const (
	stageOpened   stage = iota // the line is there
	stageAdmitted              // told what to fetch
	stagePlaying               // a player of the room
)

// peer is the host's side of one client.
type peer struct {
	id     link.Peer
	stage  stage
	name   string
	player world.PlayerID

	relay      *relay.Sender        // from the first InputPacket after a keyframe on
	snapshots  *replicate.Sender    // nil for a client that simulates all objects
	watches    bool                 // he does not simulate at all, and is told of cues
	relevant   replicate.Set        // of the objects that it does not simulate
	viewBounds replicate.ViewBounds // of the same client
	acked      uint32               // relay.acked() when it was looked at last
	due        uint32               // the end of the log when he last caught up ...
	caught     time.Duration        // ... which was then: he had all that was due before
	from       uint32               // the first record of the relay to come
	frames     uint32               // HostPackets that earlier relays sent
	asked      uint32               // the newest InputPacket sent before he asked for the world
	pending    []byte               // the newest InputPacket since the last tick
	came       time.Duration        // when it came, in time of the simulation
	newest     uint32               // Seq of the newest InputPacket read
	frame      wire.InputPacket
	ack        wire.InputAck
	revised    int // inputs that took the place of others, in this tick
	claim      wire.Claim
	claimed    bool // claim waits to be judged

	motions     [][]byte    // that came since the last tick
	owned       []ownership // what he says of objects
	denied      world.Tick  // the newest move that came of an object that he does not move
	deniedFrame uint32      // likewise
	ledger      ledger
	bulky       quota          // states and scripts that he may ask for
	chatty      quota          // lines that he may say
	corrected   time.Duration  // no other correction before
	notices     [2]wire.Notice // what the player is to be told, by kind
	told        time.Duration  // when he was told last
	moved       time.Duration  // when he last came further, or took in all there was
	joined      world.Tick     // from when on his player is present; 0: it is not
}

// Poll receives: it keeps the newest InputPacket of each client for the next
// Tick, answers joins and pings, notes who left.
func (h *Host) Poll(now time.Duration) {
	h.now = now
	h.link.Poll(now, func(ev link.Event) {
		switch ev.Kind {
		case link.Opened:
			h.peers = append(h.peers, &peer{id: ev.Peer, moved: now, bulky: quota{most: 16, every: time.Second},
				chatty: quota{most: 20, every: 500 * time.Millisecond}})
		case link.Closed:
			h.gone(ev.Peer, ev.Reason)
		case link.Datagram:
			h.stats.bytes.datagramsIn += int64(len(ev.Data))
			if p := h.peer(ev.Peer); p != nil {
				h.datagram(now, p, ev.Data)
			}
		case link.Message:
			h.stats.bytes.messagesIn += int64(len(ev.Data))
			if p := h.peer(ev.Peer); p != nil {
				h.message(now, p, ev.Data)
			}
		}
	})
}

// expelIdle sends those away who hold a seat and don't play: who does not get
// ready, or acknowledges nothing while the log waits for him, or less than there is new.
func (h *Host) expelIdle(now time.Duration) {
	for _, p := range slices.Clone(h.peers) {
		if p.relay != nil && (p.relay.Acked() != p.acked || p.relay.Acked() == h.applied.End()) {
			p.acked, p.moved = p.relay.Acked(), now
		}
		if p.relay == nil || p.relay.Acked() >= p.due {
			p.due, p.caught = h.applied.End(), now
		}
		limit := joinLimit
		if p.relay != nil {
			limit = ackLimit
		}
		switch {
		case now-p.moved > limit:
			h.expel(now, p, fmt.Sprintf("nothing from you for %v", limit))
		case now-p.caught > behindLimit:
			h.expel(now, p, fmt.Sprintf("more than %v behind", behindLimit))
		}
	}
}

// How long a client may take for the steps of joining, each of which can be a
// large download, for acknowledging anything of what waits for it, and for all of that:
// the host keeps the log for as long.
const (
	joinLimit   = 2 * time.Minute
	ackLimit    = 15 * time.Second
	behindLimit = time.Minute
)

func (h *Host) peer(id link.Peer) *peer {
	for _, p := range h.peers {
		if p.id == id {
			return p
		}
	}
	return nil
}

// gone ends a client's stay; his objects remain for the grace time.
func (h *Host) gone(id link.Peer, reason string) {
	for i, p := range h.peers {
		if p.id != id {
			continue
		}
		h.peers = append(h.peers[:i], h.peers[i+1:]...)
		if p.joined != 0 {
			h.log.Info("left", "player", p.player, "name", p.name, "reason", reason)
			h.leave(p)
			h.sendRoster()
		}
		return
	}
}

// expel turns a client away.
func (h *Host) expel(now time.Duration, p *peer, reason string) {
	h.log.Warn("turned away", "name", p.name, "reason", reason)
	h.control(now, p, wire.AppendRefuse(nil, &wire.Refuse{Reason: reason}))
	h.link.Close(now, p.id, reason)
	h.gone(p.id, reason)
}

func (h *Host) datagram(now time.Duration, p *peer, data []byte) {
	switch wire.KindOf(data) {
	case wire.KindPing:
		ping, err := wire.ParsePing(data)
		if err != nil {
			h.stats.datagrams.Malformed++
			return
		}
		h.datagramTo(now, p, wire.AppendPong(nil, &wire.Pong{Sent: ping.Sent, Host: h.simTime(now)}))
	case wire.KindInputPacket:
		if p.stage != stagePlaying {
			h.stats.datagrams.Stale++
			return
		}
		seq, err := wire.InputPacketSeq(data)
		switch {
		case err != nil:
			h.stats.datagrams.Malformed++
		case seq <= p.newest:
			h.stats.datagrams.Stale++
		default:
			if len(p.pending) > 0 {
				h.stats.datagrams.Collapsed++
			}
			p.newest = seq
			p.pending, p.came = append(p.pending[:0], data...), h.simTime(now)
		}
	case wire.KindMotion:
		switch {
		case p.stage != stagePlaying:
			h.stats.datagrams.Stale++
		case len(p.motions) == mostMotions:
			h.stats.datagrams.Collapsed++
		default:
			p.motions = append(p.motions, slices.Clone(data))
		}
	default:
		h.stats.datagrams.Malformed++
	}
}

// simTime is how far the simulation has got, as a time.
func (h *Host) simTime(now time.Duration) time.Duration {
	part := min(now-h.began, h.tickLen)
	if h.tl.Now() == 0 || h.paused {
		part = 0
	}
	return time.Duration(h.tl.Now())*h.tickLen + part
}

func (h *Host) message(now time.Duration, p *peer, data []byte) {
	var err error
	switch kind := wire.KindOf(data); {
	case kind == wire.KindChat && !p.chatty.take(now), kind != wire.KindChat && !p.bulky.take(now):
		err = errTooMuch
	case kind == wire.KindHello && p.stage == stageOpened:
		err = h.hello(now, p, data)
	case kind == wire.KindBundleWant && p.stage >= stageAdmitted:
		err = h.bundleWant(now, p, data)
	case kind == wire.KindReady && p.stage >= stageAdmitted:
		err = h.ready(now, p, data)
	case kind == wire.KindChat && p.stage == stagePlaying:
		err = h.chat(now, p, data)
	case kind == wire.KindStateWant && p.stage == stagePlaying:
		err = h.stateWant(now, p, data)
	default:
		err = fmt.Errorf("%w: kind %d at stage %d", wire.ErrMalformed, kind, p.stage)
	}
	if err != nil {
		h.expel(now, p, "protocol error: "+err.Error())
	}
}

// errTooMuch ends the stay of a client that asks without end.
var errTooMuch = errors.New("too many requests")

// quota is how often something may be asked for: most times at once, and once
// more each time every has passed.
type quota struct {
	most  int
	every time.Duration
	used  int
	at    time.Duration
}

func (q *quota) take(now time.Duration) bool {
	back := int((now - q.at) / q.every)
	q.used = max(q.used-back, 0)
	q.at += time.Duration(back) * q.every
	if q.used == q.most {
		return false
	}
	q.used++
	return true
}

func (h *Host) chat(now time.Duration, p *peer, data []byte) error {
	m, err := wire.ParseChat(data)
	if err != nil {
		return err
	}
	m.Player = p.player
	h.log.Info("chat", "player", p.player, "name", p.name, "text", m.Text)
	for _, q := range h.peers {
		if q.stage == stagePlaying {
			_ = h.control(now, q, wire.AppendChat(nil, &m))
		}
	}
	return nil
}

// stateBytes is the byte form of a state of the timeline.
func (h *Host) stateBytes(s *world.State) []byte {
	return world.AppendState(nil, s, h.tl.SchemaOf(s))
}

// stateWant answers a client that found another hash than the host's.
func (h *Host) stateWant(now time.Duration, p *peer, data []byte) error {
	m, err := wire.ParseStateWant(data)
	if err != nil {
		return err
	}
	h.log.Error("desync", "player", p.player, "tick", uint32(m.Tick), "hash", hashText(m.Hash))
	if m.Tick > h.final {
		return fmt.Errorf("%w: state of tick %d, which is not final", wire.ErrMalformed, m.Tick)
	}
	s := h.tl.AtOrAfter(m.Tick)
	reply := wire.StateReply{Tick: s.Tick, State: h.stateBytes(h.tl.SharedPart(s))}
	h.stats.bytes.states += int64(len(reply.State))
	h.cfg.Recorder.state(h, s)
	return h.bulk(now, p, wire.AppendStateReply(nil, &reply))
}

func (h *Host) sendRoster() {
	var r wire.Roster
	for _, p := range h.peers {
		if p.stage == stagePlaying {
			r.Players = append(r.Players, wire.RosterEntry{Player: p.player, Name: p.name})
		}
	}
	for _, p := range h.peers {
		if p.stage == stagePlaying {
			_ = h.control(h.now, p, wire.AppendRoster(nil, &r))
		}
	}
}

// control, bulk and datagramTo send; a client whose line does not take more
// is dealt with by the line's time-out.
func (h *Host) control(now time.Duration, p *peer, b []byte) error {
	h.stats.bytes.messagesOut += int64(len(b))
	return h.link.SendMessage(now, p.id, link.Control, b)
}

func (h *Host) bulk(now time.Duration, p *peer, b []byte) error {
	h.stats.bytes.messagesOut += int64(len(b))
	return h.link.SendMessage(now, p.id, link.Bulk, b)
}

func (h *Host) datagramTo(now time.Duration, p *peer, b []byte) {
	h.stats.bytes.datagramsOut += int64(len(b))
	_ = h.link.SendDatagram(now, p.id, b) // a datagram may be lost
}
