package memlink

import "net/netip"

// Network is the End of a host and those of any number of clients, each connected to the
// host by a line of its own. A Network and its Ends belong to one goroutine.
type Network struct {
	seed    uint64
	host    *End
	lines   []line // by client number
	checked bool
}

// line connects one client to the host.
type line struct {
	client   *End
	up, down *Shaper // to the host, to the client
}

// New returns a network with a host and no clients. All chance in it follows from the
// seed.
func New(seed uint64) *Network {
	return &Network{seed: seed, host: newEnd(false)}
}

// Host returns the host's end.
func (n *Network) Host() *End { return n.host }

// Dial adds a client with a line of its own: up is the direction to the host, down the one
// from it. The client begins to dial with its first Poll. Clients are numbered from 0 in
// the order of Dial; the chance of each line depends only on the seed of the network and
// this number. An End dials once: a client that returns needs another Dial.
func (n *Network) Dial(up, down Profile) *End {
	i := uint64(len(n.lines))
	l := line{
		client: newEnd(n.checked),
		up:     NewShaper(up, draw(n.seed, 2*i)),
		down:   NewShaper(down, draw(n.seed, 2*i+1)),
	}
	l.client.attach(newConn(stateDialing, l.up, l.down))
	n.host.attach(newConn(stateWaiting, l.down, l.up))
	n.lines = append(n.lines, l)
	return l.client
}

// Clients returns the number of clients that were added.
func (n *Network) Clients() int { return len(n.lines) }

// Client returns the End of a client, by its number.
func (n *Network) Client(client int) *End { return n.lines[client].client }

// Place puts a client at an address, which the host's end then says of it. Other clients have none.
func (n *Network) Place(client int, addr netip.Addr) { n.host.conns[client].addr = addr }

// SetProfile changes both directions of a client's line for packets that are sent from
// now on.
func (n *Network) SetProfile(client int, up, down Profile) {
	n.lines[client].up.SetProfile(up)
	n.lines[client].down.SetProfile(down)
}

// Cut cuts both directions of a client's line, or restores them. Packets in transit
// arrive.
func (n *Network) Cut(client int, cut bool) {
	n.lines[client].up.Cut(cut)
	n.lines[client].down.Cut(cut)
}

// LineStats returns the counters of both directions of a client's line.
func (n *Network) LineStats(client int) (up, down ShaperStats) {
	return n.lines[client].up.Stats(), n.lines[client].down.Stats()
}
