package host

import (
	"crypto/subtle"
	"fmt"
	"io"
	"math"
	"slices"
	"time"

	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/world"
)

// roster has the clients that are connected to a host, and the players of the room.
type roster struct {
	peers   []*peer // in the order in which they connected
	players world.PlayerID
	tickets []ticket
	giving  []world.PlayerID // who are about to be removed, because they left and others need room
	random  io.Reader        // the source of tickets; nil: there are none
	// returned are the numbers of players of rooms before that this room has given out of turn.
	returned map[world.PlayerID]bool
}

// ticket is a player of the room, and the secret that proves their identity. A client that presents
// it within the grace time is that player again: after a lost connection, on a new connection while
// the old one has not timed out, or from another run of the program.
type ticket struct {
	player world.PlayerID
	secret room.Ticket
	left   world.Tick // the tick of the player's last LeaveEvent, 0: none
	kept   world.Tick // the ticket is valid until this tick although the player has not joined
	placed bool       // the player was connected when the room before ended, and has not been back: a place is kept
}

// Reserve keeps the player numbers and tickets of another room until a tick, and the places of those who were
// connected.
func (r *roster) Reserve(of *roster, until world.Tick) {
	r.players = of.players
	for _, t := range of.tickets {
		r.tickets = append(r.tickets, ticket{player: t.player, secret: t.secret, kept: until, placed: t.placed})
	}
}

// All returns all peers. The slice is the roster's own.
func (r *roster) All() []*peer { return r.peers }

// Add adds a peer.
func (r *roster) Add(p *peer) { r.peers = append(r.peers, p) }

// Remove removes a peer and returns it; nil: there is none.
func (r *roster) Remove(id link.Peer) *peer {
	p := r.Find(id)
	if p != nil {
		r.peers = slices.DeleteFunc(r.peers, func(q *peer) bool { return q == p })
	}
	return p
}

// Clear removes all peers at the end of the room. Those who had a place keep it in the room that replaces this one.
func (r *roster) Clear() {
	for _, p := range r.peers {
		if t := r.ticketFor(p.Player()); t != nil && p.Admitted() {
			t.placed = true
		}
	}
	r.peers = nil
}

// Find returns the peer of a connection; nil: there is none.
func (r *roster) Find(id link.Peer) *peer {
	for _, p := range r.peers {
		if p.id == id {
			return p
		}
	}
	return nil
}

// ByPlayer returns the peer of a player who is admitted; nil: there is none.
func (r *roster) ByPlayer(id world.PlayerID) *peer {
	for _, p := range r.peers {
		if p.Player() == id && p.Admitted() {
			return p
		}
	}
	return nil
}

// Playing calls f for all peers that play.
func (r *roster) Playing(f func(*peer)) {
	for _, p := range r.peers {
		if p.Playing() {
			f(p)
		}
	}
}

// Present calls f for all peers whose players are present: not for onlookers.
func (r *roster) Present(f func(*peer)) {
	r.Playing(func(p *peer) {
		if p.Present() != 0 {
			f(p)
		}
	})
}

// List lists the players who are present, for clients.
func (r *roster) List() (list []wire.RosterEntry) {
	r.Present(func(p *peer) {
		list = append(list, wire.RosterEntry{
			Player: p.Player(),
			Name:   p.Name(),
			Ping:   uint16(min(p.feed.RTT().Milliseconds(), math.MaxUint16)),
		})
	})
	return list
}

// Admitted returns the number of players, those that are admitted and not ready included.
func (r *roster) Admitted() (n int) {
	for _, p := range r.peers {
		if p.Admitted() {
			n++
		}
	}
	return n
}

// Full reports whether a room for most players has no place for one more. back is the ticket of a
// player who returns and may still have a place; nil for a new player.
func (r *roster) Full(back *ticket, most int) bool {
	if back != nil && back.placed {
		return false
	}
	taken := r.Admitted() + r.expected()
	if back != nil && r.ByPlayer(back.player) != nil {
		taken--
	}
	return taken >= most
}

// expected counts the players of the room before whose places are kept.
func (r *roster) expected() (n int) {
	for i := range r.tickets {
		if r.tickets[i].placed {
			n++
		}
	}
	return n
}

// Occupied says in words who has the places of the room.
func (r *roster) Occupied() string {
	looking := 0
	r.Playing(func(p *peer) {
		if p.Present() == 0 {
			looking++
		}
	})
	text := "1 player"
	if n := r.Admitted() - looking; n != 1 {
		text = fmt.Sprintf("%d players", n)
	}
	if looking > 0 {
		text += fmt.Sprintf(", %d looking on", looking)
	}
	if n := r.expected(); n > 0 {
		text += fmt.Sprintf(", %d expected back", n)
	}
	return text
}

// Return notes that the player of a ticket is back, or there for the first time.
func (r *roster) Return(t *ticket) { t.placed = false }

// GaveWay notes that a player who had left is about to be removed, and cannot return.
func (r *roster) GaveWay(p world.PlayerID) {
	r.giving = append(r.giving, p)
	r.VoidTicket(p)
}

// Gone reports whether a player is about to be removed.
func (r *roster) Gone(p world.PlayerID) bool { return slices.Contains(r.giving, p) }

// GivingWay returns how many players are about to be removed from the room in state s.
func (r *roster) GivingWay(s *world.State) int {
	r.giving = slices.DeleteFunc(r.giving, func(p world.PlayerID) bool {
		_, here := s.PlayerByID(p)
		return !here
	})
	return len(r.giving)
}

// mostReturned is the highest number that a ticket of a room before may ask for: games compute with numbers of players.
const mostReturned = 8 * world.MaxPlayers

// NewTicket returns a ticket for a player number that neither a player nor an object of
// the room has. It is that of shown, the ticket of a room before, if this room has not given the number to anybody.
// The error is that of the source of secrets; then the ticket has none.
func (r *roster) NewTicket(s *world.State, shown room.Ticket) (*ticket, error) {
	t := ticket{player: shown.Number()}
	if t.player > r.players && t.player <= mostReturned && !r.returned[t.player] && r.free(s, t.player) {
		r.returned[t.player] = true
	} else {
		t.player = r.newPlayer(s)
	}
	var err error
	if r.random != nil {
		t.secret.SetNumber(t.player)
		if _, err = io.ReadFull(r.random, t.secret.Secret()); err != nil {
			t.secret = room.Ticket{}
		}
	}
	r.tickets = append(r.tickets, t)
	return &r.tickets[len(r.tickets)-1], err
}

func (r *roster) newPlayer(s *world.State) world.PlayerID {
	for {
		if r.players++; r.players == 0 { // all have been given out
			clear(r.returned)
		} else if !r.returned[r.players] && r.free(s, r.players) {
			return r.players
		}
	}
}

// free reports whether no player, and nobody who may return, has a number.
func (r *roster) free(s *world.State, id world.PlayerID) bool {
	_, here := s.PlayerByID(id)
	return !here && r.ticketFor(id) == nil
}

// TicketOf returns the ticket with a secret; nil: there is none. Its running time does
// not depend on the secrets.
func (r *roster) TicketOf(secret room.Ticket) (found *ticket) {
	number := secret.Number()
	if secret.SetNumber(0); secret == (room.Ticket{}) {
		return nil
	}
	for i := range r.tickets {
		t := &r.tickets[i]
		if subtle.ConstantTimeCompare(t.secret.Secret(), secret.Secret()) == 1 && (number == 0 || number == t.player) {
			found = &r.tickets[i]
		}
	}
	return found
}

func (r *roster) ticketFor(p world.PlayerID) *ticket {
	i := slices.IndexFunc(r.tickets, func(t ticket) bool { return t.player == p })
	if i < 0 {
		return nil
	}
	return &r.tickets[i]
}

// VoidTicket makes the ticket of a player invalid.
func (r *roster) VoidTicket(p world.PlayerID) {
	if t := r.ticketFor(p); t != nil {
		t.secret = room.Ticket{}
	}
}

// VoidTickets drops the tickets of players who cannot return any more, at tick now with
// state s.
func (r *roster) VoidTickets(s *world.State, now world.Tick) {
	r.tickets = slices.DeleteFunc(r.tickets, func(t ticket) bool {
		_, known := s.PlayerByID(t.player)
		return !known && max(t.left, t.kept) <= now && r.ByPlayer(t.player) == nil
	})
}

// Enter lets a peer play. Its player is present from tick next on, or from a later tick, which Enter
// returns: it is after the tick in which the player left, because joins come before leaves in a tick.
func (r *roster) Enter(p *peer, next world.Tick) world.Tick {
	t := max(p.Present(), next)
	if k := r.ticketFor(p.Player()); k.left >= t {
		t = k.left + 1
	}
	p.Enter(t)
	return t
}

// Leaving returns the tick in which a peer's player becomes absent, which is not before it was
// present.
func (r *roster) Leaving(p *peer, next world.Tick) world.Tick {
	k := r.ticketFor(p.Player())
	k.left = max(next, p.Present())
	return k.left
}

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
