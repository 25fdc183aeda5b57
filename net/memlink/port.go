package memlink

import (
	"time"

	"github.com/hindcast/hindcast/net/link"
)

// port is what an End shares with its connections: the open ones by their names,
// the counters, and the events of the poll in progress.
type port struct {
	Stats   Stats
	Deliver func(link.Event) // of the poll in progress; nil outside of one
	Down    bool             // Shutdown was called

	open map[link.Peer]*conn
	last link.Peer       // the newest name
	buf  [maxPacket]byte // the packet being built
}

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

// count returns the number of open connections.
func (p *port) count() int { return len(p.open) }

// begin returns the empty buffer in which a packet is built.
func (p *port) begin() []byte { return p.buf[:0] }

// beginKind begins a packet of a kind.
func (p *port) beginKind(k kind) []byte { return append(p.buf[:0], byte(k)) }

// withClock builds a packet that has nothing but a clock.
func (p *port) withClock(k kind, t time.Duration) []byte { return appendClock(p.beginKind(k), t) }
