package memlink

import (
	"time"

	"github.com/hindcast/hindcast/net/internal/linkbase"
	"github.com/hindcast/hindcast/net/link"
)

// port is what an End shares with its connections: the call in progress, the open ones by
// their names, and the counters.
type port struct {
	linkbase.Calls
	counts Stats
	open   map[link.Peer]*conn
	last   link.Peer       // the newest name
	buf    [maxPacket]byte // the packet being built
}

// stats returns the counters.
func (p *port) stats() Stats {
	s := p.counts
	s.Peers = len(p.open)
	return s
}

// resent counts segments that were sent again.
func (p *port) resent(n uint64) { p.counts.Resent += n }

// repeated counts a datagram that came twice.
func (p *port) repeated() { p.counts.Repeated++ }

// stuck counts a peer that acknowledges nothing.
func (p *port) stuck() { p.counts.Stuck++ }

// received counts a packet that came.
func (p *port) received(k kind, b []byte) { p.counts.In.add(k, b) }

// sent counts a packet that is sent.
func (p *port) sent(k kind, b []byte) { p.counts.Out.add(k, b) }

// opened gives an open connection its name.
func (p *port) opened(c *conn) link.Peer {
	p.last++
	p.open[p.last] = c
	return p.last
}

// closed forgets a name.
func (p *port) closed(name link.Peer) { delete(p.open, name) }

// closeAll forgets all names.
func (p *port) closeAll() { clear(p.open) }

// find returns the open connection with a name, or nil.
func (p *port) find(name link.Peer) *conn { return p.open[name] }

// begin returns the empty buffer in which a packet is built.
func (p *port) begin() []byte { return p.buf[:0] }

// beginKind begins a packet of a kind.
func (p *port) beginKind(k kind) []byte { return append(p.buf[:0], byte(k)) }

// withClock builds a packet that has nothing but a clock.
func (p *port) withClock(k kind, t time.Duration) []byte { return appendClock(p.beginKind(k), t) }
