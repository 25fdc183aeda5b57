package runtime

import (
	"time"

	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/world"
)

// stage is how far a client has come.
type stage uint8

const (
	stageOpened   stage = iota // the line is there
	stageAdmitted              // told what to fetch
	stagePlaying               // a player of the room
)

// peer is the host's side of one client: its identity, and the parts that follow what it sends and
// receives. Each part owns its state.
type peer struct {
	ID     link.Peer
	Stage  stage
	Name   string
	Player world.PlayerID
	Joined world.Tick // from when on the player is present; 0: it is not

	Requests requests
	Inbox    inbox
	Feed     logFeed
	Replica  replicaFeed
	Owned    ownerships
	Ledger   ledger
	Claim    claimed
	Notices  notices
}

func newPeer(id link.Peer, now time.Duration, check bool) *peer {
	return &peer{ID: id, Requests: newRequests(), Feed: logFeed{progress: now}, Replica: replicaFeed{check: check}}
}

// requests bounds what a client may ask for.
type requests struct {
	bulky  quota // states and scripts
	chatty quota // lines that it may say
}

func newRequests() requests {
	return requests{bulky: quota{most: 16, every: time.Second}, chatty: quota{most: 20, every: 500 * time.Millisecond}}
}

// Allow reports whether one more request is within bounds.
func (r *requests) Allow(now time.Duration, chat bool) bool {
	if chat {
		return r.chatty.take(now)
	}
	return r.bulky.take(now)
}

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
