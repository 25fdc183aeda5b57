package runtime

import (
	"crypto/subtle"
	"io"
	"slices"
	"time"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/world"
)

// Ticket is the secret with which a player comes back.
type Ticket = wire.Ticket

// ticket is a player of whom the room knows, and the secret that proves to be him.
// Who shows it while his grace time lasts is that player again: after a line
// that was cut, on another line while the old one seems to be there still, or
// from another run of his program.
type ticket struct {
	player world.PlayerID
	secret Ticket
	left   world.Tick // of his last LeaveEvent, 0: none
}

// newTicket makes a player.
func (h *Host) newTicket() *ticket {
	t := ticket{player: h.newPlayer()}
	if h.cfg.Random != nil {
		if _, err := io.ReadFull(h.cfg.Random, t.secret[:]); err != nil {
			h.log.Error("no ticket: this player cannot come back", "player", t.player, "error", err)
			t.secret = Ticket{}
		}
	}
	h.tickets = append(h.tickets, t)
	return &h.tickets[len(h.tickets)-1]
}

// newPlayer gives an id that no one in the room's memory has.
func (h *Host) newPlayer() world.PlayerID {
	for {
		h.players++
		if _, here := h.State().PlayerByID(h.players); h.players != 0 && !here && h.ticketFor(h.players) == nil {
			return h.players
		}
	}
}

// ticketOf is the ticket with that secret, nil: there is none. How long it
// takes says nothing about secrets.
func (h *Host) ticketOf(secret Ticket) (found *ticket) {
	if secret == (Ticket{}) {
		return nil
	}
	for i := range h.tickets {
		if subtle.ConstantTimeCompare(h.tickets[i].secret[:], secret[:]) == 1 {
			found = &h.tickets[i]
		}
	}
	return found
}

func (h *Host) ticketFor(p world.PlayerID) *ticket {
	i := slices.IndexFunc(h.tickets, func(t ticket) bool { return t.player == p })
	if i < 0 {
		return nil
	}
	return &h.tickets[i]
}

// voidTickets forgets those who are gone for good.
func (h *Host) voidTickets() {
	h.tickets = slices.DeleteFunc(h.tickets, func(t ticket) bool {
		_, known := h.State().PlayerByID(t.player)
		return !known && t.left <= h.tl.Now() && h.byPlayer(t.player) == nil
	})
}

// full reports whether there is no place for a player: a new one (nil), or one
// who comes back and may have a place still.
func (h *Host) full(back *ticket) bool {
	seats, known := h.seats(), len(h.State().Players)
	if back != nil {
		if h.byPlayer(back.player) != nil {
			seats--
		}
		if _, ok := h.State().PlayerByID(back.player); ok {
			known--
		}
	}
	return seats >= h.rules.MaxPlayers || known >= world.MaxPlayers
}

// replace ends the connection that a player has still, if any, for the one that p
// is: to the world he has not left.
func (h *Host) replace(now time.Duration, p *peer, player world.PlayerID) {
	old := h.byPlayer(player)
	if old == nil {
		return
	}
	p.joined, old.joined = old.joined, 0
	h.expel(now, old, "you have joined from elsewhere")
}

// join makes a player present in the coming tick; in the next, if it is in the
// coming one that he leaves, since joins come first.
func (h *Host) join(p *peer) error {
	p.joined = max(p.joined, h.tl.Now()+1)
	if t := h.ticketFor(p.player); t.left >= p.joined {
		p.joined = t.left + 1
	}
	_, err := h.insert(world.Event{Tick: p.joined, Kind: world.JoinEvent, Player: p.player}, 0)
	return err
}

// leave makes a player absent, after he has been present.
func (h *Host) leave(p *peer) {
	t := h.ticketFor(p.player)
	t.left = max(h.tl.Now()+1, p.joined)
	_, _ = h.insert(world.Event{Tick: t.left, Kind: world.LeaveEvent, Player: p.player}, 0)
}
