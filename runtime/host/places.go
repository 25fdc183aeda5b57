package host

import (
	"log/slog"
	"net/netip"
	"slices"
	"time"

	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/world"
)

// Places are earned: in a full room, a newcomer from a network with fewer players takes the place of the player with
// the least time played in the network with the most, unless that one has played for long enough. So one machine with
// many addresses cannot keep others out for longer than it has played. Where players of one network only come, nobody
// gives way: a classroom behind one address has all the places.
const (
	// earned is how long a player has played who does not give way any more.
	earned = 60 * time.Second
	// mostWaiting is how many connections there are at most that have not asked to join, or were not let in.
	mostWaiting = world.MaxPlayers
	// helloLimit is how long a connection may take to ask.
	helloLimit = 20 * time.Second
)

// The networks that are compared, from the widest: bits of an IPv4 and of an IPv6 address.
var networks = [...]struct{ v4, v6 int }{{24, 48}, {32, 56}, {32, 64}}

// networkOf returns the network of an address at a level of networks. An address that is not known has none.
func networkOf(addr netip.Addr, level int) netip.Prefix {
	bits := networks[level].v6
	if addr.Is4() {
		bits = networks[level].v4
	}
	p, _ := addr.Prefix(bits)
	return p
}

// crowd returns the peers of the networks that have the most of them. newcomer is the address of one more; there is no
// crowd unless that one comes from a network with fewer, itself included.
func crowd(all []*peer, newcomer netip.Addr) []*peer {
	for level := range networks {
		own := networkOf(newcomer, level)
		largest, most, mine := largestNetworks(all, level, own)
		if most > mine+1 {
			return narrow(largest, level+1)
		}
		all = slices.DeleteFunc(slices.Clone(all), func(p *peer) bool { return networkOf(p.addr, level) != own })
	}
	return nil
}

// narrow returns, of some peers, those of the largest networks at each level from one on.
func narrow(all []*peer, level int) []*peer {
	for ; level < len(networks); level++ {
		all, _, _ = largestNetworks(all, level, netip.Prefix{})
	}
	return all
}

// largestNetworks returns the peers of those networks at a level that have the most, in their order, how many one such
// network has, and how many the network own has.
func largestNetworks(all []*peer, level int, own netip.Prefix) (largest []*peer, most, mine int) {
	counts := make(map[netip.Prefix]int)
	for _, p := range all {
		n := networkOf(p.addr, level)
		counts[n]++
		most = max(most, counts[n])
	}
	for _, p := range all {
		if counts[networkOf(p.addr, level)] == most {
			largest = append(largest, p)
		}
	}
	return largest, most, counts[own]
}

// locate notes where a new peer is, if the link knows that.
func (h *Host) locate(p *peer) {
	if located, ok := h.cfg.Link.(link.Located); ok {
		if addr, known := located.Address(p.id); known {
			p.addr = addr.Unmap()
		}
	}
}

// makePlace disconnects the player who gives way to a newcomer in a full room, if there is one. Where Config.Admit
// decides who may join, nobody gives way.
func (h *Host) makePlace(now time.Duration, newcomer *peer) (made bool) {
	if h.cfg.Admit != nil || !newcomer.addr.IsValid() {
		return false
	}
	var all []*peer
	for _, p := range h.roster.All() {
		if p.Admitted() && p.addr.IsValid() {
			all = append(all, p)
		}
	}
	var victim *peer
	for _, p := range crowd(all, newcomer.addr) {
		if now-p.Since() < earned && (victim == nil || p.Since() > victim.Since()) {
			victim = p
		}
	}
	if victim != nil {
		h.expel(now, victim, gaveWay, "the room is full, and your place is needed for a player of another network")
	}
	return victim != nil
}

// thin disconnects one of the connections that have not joined, if they are too many: the oldest one of the largest
// network.
func (h *Host) thin(now time.Duration) {
	var waiting []*peer
	for _, p := range h.roster.All() {
		if !p.Admitted() {
			waiting = append(waiting, p)
		}
	}
	if len(waiting) > mostWaiting {
		h.expel(now, narrow(waiting, 0)[0], tooManyWaiting, "too many connections wait to join")
	}
}

// makeRoom makes one of the players who have left, and may return, give way: the one who has played least. It is an
// event like a leave. It reports false if there is none.
func (h *Host) makeRoom() bool {
	s := h.State()
	best := -1
	for i := range s.Players {
		p := &s.Players[i]
		if p.Left == 0 || h.roster.ByPlayer(p.ID) != nil || h.roster.Gone(p.ID) {
			continue
		}
		if best < 0 || p.Left-p.Joined < s.Players[best].Left-s.Players[best].Joined {
			best = i
		}
	}
	if best < 0 {
		return false
	}
	id := s.Players[best].ID
	if _, err := h.insert(world.Event{Tick: h.match.Now() + 1, Kind: world.LeaveEvent, Player: id}); err != nil {
		return false
	}
	h.roster.GaveWay(id)
	h.lines.Line(h.clock.Now(), slog.LevelInfo, source{}, "a player who left gives way to a newcomer", "player", id)
	return true
}
