package host

import (
	"time"

	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/internal/relay"
	"github.com/hindcast/hindcast/world"
)

// peer is the host's side of one connection: the admission of the client, and parts for what it
// sends and receives. Each part owns its state. The host calls the part that a step concerns;
// a step that concerns several parts at once is a method of the peer.
type peer struct {
	id link.Peer
	admission

	inbox   inbox
	owned   ownerships
	ledger  ledger
	notices notices

	log     logFeed
	replica replicaFeed
	claim   pendingClaim
}

func newPeer(id link.Peer, now time.Duration, check bool) *peer {
	return &peer{id: id, admission: newAdmission(), log: logFeed{progress: now}, replica: replicaFeed{check: check}}
}

// Inputs returns the newest InputPacket since the last call, nil if there is none, and handles its
// acknowledgements. The packet is valid until the next call.
func (p *peer) Inputs(now time.Duration, applied *relay.Log) (*wire.InputPacket, error) {
	m, err := p.inbox.Inputs()
	if m != nil {
		p.log.Acknowledge(now, applied, m.Seq, m.Ack)
		p.replica.Acknowledge(m.Snapshot, m.Row, m.Cues)
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
	p.admit(player, was)
	p.log.Begin(now)
}

// Restart begins anew with a client that is ready for a keyframe. The log continues with the
// record from, after the tick keyframe.
func (p *peer) Restart(now time.Duration, from uint32, keyframe world.Tick, m *wire.Ready) {
	p.log.Restart(now, from, m.LastInputSeq)
	p.claim.Drop()
	p.replica.Begin(keyframe, m.Snapshots)
}
