package streamlink

import (
	"log/slog"

	"github.com/hindcast/hindcast/net/internal/linkbase"
	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/net/loglimit"
)

// conduit is what a Link shares with its connections: the call in progress, the options, and
// the names.
type conduit struct {
	linkbase.Calls
	options Options
	lines   *loglimit.Log[link.Peer]
	client  bool
	open    map[link.Peer]*conn
	last    link.Peer
}

func newConduit(o Options, client bool) conduit {
	return conduit{options: o, lines: loglimit.New[link.Peer](o.Logger), client: client,
		open: make(map[link.Peer]*conn)}
}

// opts returns the options, which do not change.
func (c *conduit) opts() *Options { return &c.options }

// isClient reports whether the link is that of a client.
func (c *conduit) isClient() bool { return c.client }

// log logs what a peer causes.
func (c *conduit) log(of link.Peer, text string, args ...any) {
	c.lines.Line(c.Now(), slog.LevelInfo, of, text, append(args, "peer", uint64(of))...)
}

// name gives a connection its name.
func (c *conduit) name(of *conn) link.Peer {
	c.last++
	c.open[c.last] = of
	return c.last
}

// find returns the open connection with a name, or nil.
func (c *conduit) find(p link.Peer) *conn { return c.open[p] }

// forget removes the name of a connection; 0: it has none.
func (c *conduit) forget(name link.Peer) { delete(c.open, name) }

// forgetAll removes all names.
func (c *conduit) forgetAll() { clear(c.open) }

// count returns the number of open connections.
func (c *conduit) count() int { return len(c.open) }
