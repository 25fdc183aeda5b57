package streamlink

import (
	"time"

	"github.com/hindcast/hindcast/net/link"
)

// hostPeer is the name that a client has for its host.
const hostPeer link.Peer = 1

// conduit is what a Link shares with its connections: the options, the time, the names,
// and the events of the poll in progress.
type conduit struct {
	Opts    Options
	Client  bool
	Now     time.Duration
	Down    bool             // Shutdown was called
	Deliver func(link.Event) // of the poll in progress; nil outside of one

	open map[link.Peer]*conn
	last link.Peer
}

// advance moves Now on. It never goes back.
func (c *conduit) advance(now time.Duration) { c.Now = max(c.Now, now) }

// name gives a connection its name.
func (c *conduit) name(of *conn) link.Peer {
	c.last++
	c.open[c.last] = of
	return c.last
}

// find returns the open connection with a name, or nil.
func (c *conduit) find(p link.Peer) *conn { return c.open[p] }

// forget removes the name of a connection.
func (c *conduit) forget(of *conn) {
	if of.Name != 0 {
		delete(c.open, of.Name)
	}
}

// forgetAll removes all names.
func (c *conduit) forgetAll() { clear(c.open) }

// count returns the number of open connections.
func (c *conduit) count() int { return len(c.open) }
