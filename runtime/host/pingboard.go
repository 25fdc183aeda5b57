package host

import (
	"time"

	"github.com/hindcast/hindcast/net/wire"
)

// pingBoard says when the pings and names that clients know of the players are out of date.
type pingBoard struct {
	next time.Duration
	sent []wire.RosterEntry

	renamed bool          // a player has another name than in the list that was sent
	names   time.Duration // when a list may be sent because of names again
}

// pingsEvery is the least time between two lists of pings that have changed.
const pingsEvery = 3 * time.Second

// namesEvery is the least time between two lists in which only names have changed. Players choose when they change.
const namesEvery = time.Second

// leastPingChange is by how many milliseconds a ping has to change, and by a quarter.
const leastPingChange = 5

// Due reports whether it is time to look at the pings.
func (b *pingBoard) Due(now time.Duration) bool {
	due := now >= b.next
	if due {
		b.next = now + pingsEvery
	}
	return due
}

// Changed reports whether the list of players has to be sent again, because a ping is another one than in the list
// before.
func (b *pingBoard) Changed(players []wire.RosterEntry) bool {
	if len(players) != len(b.sent) {
		return true
	}
	for i := range players {
		was, is := int(b.sent[i].Ping), int(players[i].Ping)
		if off := max(was-is, is-was); off >= leastPingChange && 4*off > was {
			return true
		}
	}
	return false
}

// Renamed notes that a player has another name.
func (b *pingBoard) Renamed() { b.renamed = true }

// NamesDue reports whether the list has to be sent again because of names.
func (b *pingBoard) NamesDue(now time.Duration) bool {
	due := b.renamed && now >= b.names
	if due {
		b.names = now + namesEvery
	}
	return due
}

// Sent notes the list that was sent.
func (b *pingBoard) Sent(players []wire.RosterEntry) { b.sent, b.renamed = players, false }
