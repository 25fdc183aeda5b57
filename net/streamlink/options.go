package streamlink

import (
	"cmp"
	"log/slog"
	"time"

	"github.com/hindcast/hindcast/net/internal/linkbase"
	"github.com/hindcast/hindcast/net/link"
)

// Options configures a Link. The zero value has the defaults of both ends; a value below
// 0 counts as 0.
type Options struct {
	// Protocol is the version of the protocol above the link. Ends with different versions
	// do not connect, and both get Closed with a reason that names the versions.
	Protocol uint32
	// MaxPeers is the largest number of connections of a host; 0 means 320.
	MaxPeers int
	// MaxBulk is the largest message, in bytes, that this end accepts on Bulk: 0 means
	// link.MaxBulk for a client and 4 MB for a host, since every client can make it
	// allocate so much. More than link.MaxBulk counts as that. A peer that sends more is
	// closed.
	MaxBulk int

	// Timeout is how long a peer may be silent before it is closed; 0 means 10 s.
	Timeout time.Duration
	// KeepAlive is the time between two pings; 0 means 1 s.
	KeepAlive time.Duration
	// DialTimeout is how long a connection may take to open, on both ends; 0 means 5 s.
	DialTimeout time.Duration
	// Logger logs peers that open and close; nil logs nothing.
	Logger *slog.Logger
}

// filled returns the options with the defaults in place of zeros.
func (o Options) filled(host bool) Options {
	o.MaxPeers = cmp.Or(max(o.MaxPeers, 0), linkbase.MaxPeers)
	o.MaxBulk = min(cmp.Or(max(o.MaxBulk, 0), linkbase.MaxBulk(host)), link.MaxBulk)
	o.Timeout = cmp.Or(max(o.Timeout, 0), linkbase.Timeout)
	o.KeepAlive = cmp.Or(max(o.KeepAlive, 0), linkbase.KeepAlive)
	o.DialTimeout = cmp.Or(max(o.DialTimeout, 0), linkbase.DialTimeout)
	o.Logger = cmp.Or(o.Logger, slog.New(slog.DiscardHandler))
	return o
}

// Stats counts what a Link has done since it was made.
type Stats struct {
	Peers   int    // open now
	Refused uint64 // connections that a host refused, since it was full
	Dropped uint64 // datagrams that came and were dropped: too many between two polls
	Unsent  uint64 // how often datagrams that waited to be sent were dropped
	Stuck   uint64 // peers that were let go because they took nothing
}

// add adds what a connection has counted.
func (s *Stats) add(c *conn) {
	dropped, unsent := c.drops()
	s.Dropped += dropped
	s.Unsent += unsent
	if c.stuck {
		s.Stuck++
	}
}

// Dropped implements link.Counted.
func (l *Link) Dropped(count func(reason string, n uint64)) {
	s := l.Stats()
	count("refused", s.Refused)
	count("overrun", s.Dropped)
	count("not_sent", s.Unsent)
	count("stuck", s.Stuck)
}

var _ link.Counted = (*Link)(nil)
