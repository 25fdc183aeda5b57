package memlink

// Network is a host's end and any number of clients' ends, each joined to the
// host by a line of its own. All of it belongs to one goroutine.
type Network struct {
	seed  uint64
	host  *End
	lines []line // by client number
}

// line joins one client to the host.
type line struct {
	client   *End
	up, down *Shaper // to the host, to the client
}

// New returns a network with a host and no clients. Everything that chance
// decides in it follows from the seed.
func New(seed uint64) *Network {
	return &Network{seed: seed, host: newEnd()}
}

// Host returns the host's end.
func (n *Network) Host() *End { return n.host }

// Dial adds a client with a line of its own: up is the way to the host, down the
// way back. The client begins to dial with its first Poll. Clients are numbered
// from 0 in the order of Dial; the luck of each line follows from the network's
// seed and this number alone. An End dials once: who comes back dials a new one.
func (n *Network) Dial(up, down Profile) *End {
	i := uint64(len(n.lines))
	l := line{
		client: newEnd(),
		up:     NewShaper(up, draw(n.seed, 2*i)),
		down:   NewShaper(down, draw(n.seed, 2*i+1)),
	}
	l.client.attach(newConn(stateDialing, l.up, l.down))
	n.host.attach(newConn(stateWaiting, l.down, l.up))
	n.lines = append(n.lines, l)
	return l.client
}

// Clients returns how many clients have dialed.
func (n *Network) Clients() int { return len(n.lines) }

// Client returns the end of a client.
func (n *Network) Client(client int) *End { return n.lines[client].client }

// SetProfile changes both ways of a client's line for what is sent from now on.
func (n *Network) SetProfile(client int, up, down Profile) {
	n.lines[client].up.SetProfile(up)
	n.lines[client].down.SetProfile(down)
}

// Cut cuts a client's line both ways, or mends it. What was under way arrives.
func (n *Network) Cut(client int, cut bool) {
	n.lines[client].up.Cut(cut)
	n.lines[client].down.Cut(cut)
}

// LineStats returns what became of the packets on a client's line.
func (n *Network) LineStats(client int) (up, down ShaperStats) {
	return n.lines[client].up.Stats(), n.lines[client].down.Stats()
}
