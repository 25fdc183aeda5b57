package runtime

import (
	"time"

	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/internal/relay"
	"github.com/hindcast/hindcast/world"
)

// peer is the host's side of one client: its seat, and the parts that follow what it sends and
// receives. Each part owns its state. A step of the host asks the part that it is about; what
// concerns several parts at once is a method of the peer.
type peer struct {
	id link.Peer
	seat

	inbox   inbox
	owned   ownerships
	ledger  ledger
	notices notices

	log     logFeed
	replica replicaFeed
	claim   claimed
}

func newPeer(id link.Peer, now time.Duration, check bool) *peer {
	return &peer{id: id, seat: newSeat(), log: logFeed{progress: now}, replica: replicaFeed{check: check}}
}

// ID returns the connection.
func (p *peer) ID() link.Peer { return p.id }

// Inbox holds what the client has sent since the last tick.
func (p *peer) Inbox() *inbox { return &p.inbox }

// Owned follows the owner poses and independent frames of the client's objects.
func (p *peer) Owned() *ownerships { return &p.owned }

// Ledger returns what the lateness of the client costs the others.
func (p *peer) Ledger() *ledger { return &p.ledger }

// Notices gathers what the client must know of its inputs.
func (p *peer) Notices() *notices { return &p.notices }

// Log brings the client the applied-input log.
func (p *peer) Log() *logFeed { return &p.log }

// Replica brings the client snapshots of what it does not simulate.
func (p *peer) Replica() *replicaFeed { return &p.replica }

// Claim returns where the client believes its object to be.
func (p *peer) Claim() *claimed { return &p.claim }

// Inputs returns the newest InputPacket since the last call, nil if there is none, and handles its
// acknowledgements. The packet is valid until the next call.
func (p *peer) Inputs(now time.Duration, applied *relay.Log) (*wire.InputPacket, error) {
	m, err := p.inbox.Inputs()
	if m != nil {
		p.log.Acknowledge(now, applied, m.Seq, m.Ack)
		p.replica.Acknowledge(m.Snapshot)
	}
	return m, err
}

// Admit makes the client a player. old is the peer by which that player is in the room already, and
// which it leaves for this one; nil: there is none.
func (p *peer) Admit(now time.Duration, player world.PlayerID, old *peer) {
	var was *seat
	if old != nil {
		was = &old.seat
	}
	p.admit(player, was)
	p.log.Progress(now)
}

// Restart begins anew with a client that is ready for a keyframe: the record from of the log
// follows that.
func (p *peer) Restart(now time.Duration, from uint32, m *wire.Ready) {
	p.log.Restart(now, from, m.LastInputSeq)
	p.claim.Drop()
	p.replica.Spectate(m.Snapshots)
}
