package host

import (
	"net/netip"
	"time"

	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/internal/relay"
	"github.com/hindcast/hindcast/runtime/internal/replicate"
	"github.com/hindcast/hindcast/world"
)

// peer is the host's side of one connection: the admission of the client, and parts for what it
// sends and receives. Each part owns its state. The host calls the part that a step concerns;
// a step that concerns several parts at once is a method of the peer.
type peer struct {
	id   link.Peer
	addr netip.Addr // not valid: not known
	admission

	inbox   inbox
	owned   ownerships
	ledger  ledger
	notices notices

	feed    logFeed
	replica replicaFeed
	claim   pendingClaim
}

// source is who causes a line of the log: a player, or a connection that is no player yet.
type source struct {
	player world.PlayerID
	peer   link.Peer
}

// source returns who the peer is to the log.
func (p *peer) source() source {
	if p.Player() != 0 {
		return source{player: p.Player()}
	}
	return source{peer: p.id}
}

func newPeer(id link.Peer, now time.Duration, desk *replicate.Workspace, check bool) *peer {
	return &peer{
		id:        id,
		admission: newAdmission(now),
		feed:      logFeed{progress: now},
		replica:   replicaFeed{desk: desk, check: check},
	}
}

// Inputs returns the newest InputPacket since the last call, nil if there is none, and handles its
// acknowledgements. The packet is valid until the next call.
func (p *peer) Inputs(now time.Duration, applied *relay.Log) (*wire.InputPacket, error) {
	m, err := p.inbox.Inputs()
	if m != nil {
		p.feed.Acknowledge(now, applied, m.Seq, m.Ack)
		p.replica.Acknowledge(p.Player(), m.Snapshot, m.Row, m.Cues)
	}
	return m, err
}

// Admit makes the client a player. old is the player's previous peer, which this one replaces; nil:
// there is none.
func (p *peer) Admit(now time.Duration, player world.PlayerID, old *peer) {
	var was *admission
	if old != nil {
		was = &old.admission
	}
	p.admit(now, player, was)
	p.feed.Begin(now)
}

// Restart begins anew with a client that is ready for a keyframe. The log continues with the
// record from, after the tick keyframe.
func (p *peer) Restart(now time.Duration, from uint32, keyframe world.Tick, m *wire.Ready) {
	p.feed.Restart(now, from, m.LastInputSeq)
	p.claim.Drop()
	p.replica.Begin(keyframe, m.Snapshots)
}

// notices gathers the notices for a player until they are sent: for each kind the count,
// the newest tick, and the last reason.
type notices struct {
	waiting [2]wire.Notice // by kind
	sent    time.Duration  // when the last notice was sent
	total   int            // in the notices that were sent
}

// noticeEvery is how often a player is notified of inputs that were not applied.
const noticeEvery = 250 * time.Millisecond

// Add notes that an input, pose or frame for tick t was not applied.
func (n *notices) Add(kind wire.NoticeKind, t world.Tick, reason string) {
	w := &n.waiting[kind-1]
	w.Kind, w.Reason = kind, reason
	w.Count++
	w.Tick = max(w.Tick, t)
}

// Total returns how many inputs, poses and frames were not applied by the notices that were sent.
func (n *notices) Total() int { return n.total }

// Flush calls send for the notices that are due.
func (n *notices) Flush(now time.Duration, send func(*wire.Notice)) {
	if now-n.sent < noticeEvery {
		return
	}
	for i := range n.waiting {
		if w := &n.waiting[i]; w.Count > 0 {
			n.total += int(w.Count)
			send(w)
			*w, n.sent = wire.Notice{}, now
		}
	}
}
