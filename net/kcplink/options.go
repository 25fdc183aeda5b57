package kcplink

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/hindcast/hindcast/net/internal/linkbase"
	"github.com/hindcast/hindcast/net/link"
)

// Options configures a Link. A zero, other than that of Protocol, has the default of the end.
type Options struct {
	// Protocol is the version of the protocol above the link, such as wire.Version. It must be set. A host refuses a
	// client that has another, with a reason that names both.
	Protocol uint32
	// MaxPeers is the largest number of clients of a host; 0 means 320: more than players, so that newcomers can
	// ask for a place.
	MaxPeers int
	// MaxBulk is the largest message, in bytes, that this end accepts on Bulk: 0 means
	// link.MaxBulk for a client and 4 MB for a host, since every client can make it
	// allocate so much. A peer that sends more is closed.
	MaxBulk int

	// Timeout is how long a peer may be silent before it is closed; 0 means 10 s.
	Timeout time.Duration
	// KeepAlive is the time between two pings; 0 means 1 s.
	KeepAlive time.Duration
	// DialTimeout is how long a client waits for the host; 0 means 5 s.
	DialTimeout time.Duration

	// Secret is the key of a host's cookies. Without one, the host uses random keys that
	// change. Processes that share an address need the same one.
	Secret []byte
	// Up and Down, if not nil, simulate the network of a client: Up what it sends, Down
	// what it receives. A host must not have them.
	Up, Down Impair
	// Check makes every Poll check the invariants of the Link, and panic if one is
	// violated. It is for tests.
	Check bool
	// Logger logs peers that open, move, close and are refused; nil logs nothing.
	Logger *slog.Logger

	window int // KCP segments that this end keeps ahead of their turn
}

// Impair simulates one direction of a bad network: it takes packets and returns them
// late, twice, in another order, or never. memlink.Shaper is one. Push must copy b. Pop
// returns the next packet that is due at now; the Link does not use it after the next
// call. Next returns when the next packet is due, if there is one. Packets come out when
// the Link is polled: Link.Due says when the next one does.
type Impair interface {
	Push(now time.Duration, b []byte)
	Pop(now time.Duration) (b []byte, ok bool)
	Next() (due time.Duration, ok bool)
}

const (
	minDuration   = 10 * time.Millisecond
	smallestLimit = 1 << 10
)

// speaks returns an error if the options name no protocol: programs of other versions would not refuse each other.
func (o *Options) speaks() error {
	if o.Protocol == 0 {
		return errors.New("kcplink: Protocol is 0, must name what the two ends speak, such as wire.Version")
	}
	return nil
}

// filled returns the options with the defaults in place of zeros, or an error.
func (o Options) filled(host bool) (Options, error) {
	o.MaxPeers = cmp.Or(o.MaxPeers, linkbase.MaxPeers)
	o.MaxBulk = cmp.Or(o.MaxBulk, linkbase.MaxBulk(host))
	o.Timeout = cmp.Or(o.Timeout, linkbase.Timeout)
	o.KeepAlive = cmp.Or(o.KeepAlive, linkbase.KeepAlive)
	o.DialTimeout = cmp.Or(o.DialTimeout, linkbase.DialTimeout)
	o.window = recvWindow
	if host {
		o.window = hostRecvWindow
	}
	o.Logger = cmp.Or(o.Logger, slog.New(slog.DiscardHandler))
	switch {
	case o.MaxPeers < 0:
		return o, fmt.Errorf("kcplink: MaxPeers is %d, must be at least 1", o.MaxPeers)
	case o.MaxBulk < smallestLimit || o.MaxBulk > link.MaxBulk:
		return o, fmt.Errorf("kcplink: MaxBulk is %d, must be %d to %d bytes", o.MaxBulk, smallestLimit, link.MaxBulk)
	case o.KeepAlive < minDuration || o.DialTimeout < minDuration:
		return o, fmt.Errorf("kcplink: KeepAlive is %v and DialTimeout %v, must be at least %v", o.KeepAlive,
			o.DialTimeout, minDuration)
	case o.Timeout < 2*o.KeepAlive:
		return o, fmt.Errorf("kcplink: Timeout is %v, must be at least twice KeepAlive, %v", o.Timeout, o.KeepAlive)
	case host && (o.Up != nil || o.Down != nil):
		return o, fmt.Errorf("kcplink: Up and Down are for clients; give them to Dial")
	}
	return o, nil
}

// Stats counts what a Link has done since it was made.
type Stats struct {
	Peers           int    // open now
	PacketsIn       uint64 // packets that were read from the socket
	BytesIn         uint64 // their payload
	PacketsOut      uint64 // packets that were written to the socket
	BytesOut        uint64 // their payload
	Dropped         Drops
	CookiesSent     uint64 // answers to clients that had not proved their address
	Refused         uint64 // clients refused: another version, or the host is full
	PathsChallenged uint64 // packets of a peer from another address, which was challenged
	Migrations      uint64 // peers that proved to be at another address
	SendErrors      uint64 // packets that the system did not send
	Stuck           uint64 // peers that were let go because they acknowledged nothing
}

// Drops counts the packets that were received and dropped, by reason. All but
// Overrun are in Stats.PacketsIn, too.
type Drops struct {
	Malformed      uint64 // they do not parse
	UnknownConn    uint64 // no peer has the connection id, or they are not from the host
	Duplicates     uint64 // they were received before
	Stale          uint64 // so old that they may be duplicates
	Overrun        uint64 // too many between two polls
	CookiesRefused uint64 // a CONNECT whose cookie is wrong or too old
	HalfOpen       uint64 // a CONNECT beyond the bounds of half-open connections
}

// Dropped implements link.Counted.
func (l *Link) Dropped(count func(reason string, n uint64)) {
	s := l.Stats()
	d := s.Dropped
	count("malformed", d.Malformed)
	count("unknown_connection", d.UnknownConn)
	count("duplicate", d.Duplicates)
	count("stale", d.Stale)
	count("overrun", d.Overrun)
	count("cookie", d.CookiesRefused)
	count("half_open", d.HalfOpen)
	count("refused", s.Refused)
	count("stuck", s.Stuck)
	count("not_sent", s.SendErrors)
}

var _ link.Counted = (*Link)(nil)
