package streamlink

import (
	"context"
	"fmt"
	"io"
	"net/netip"
	"slices"
	"time"

	"github.com/hindcast/hindcast/net/internal/linkbase"
	"github.com/hindcast/hindcast/net/link"
)

// Link is a link.Link over connections that carry a sequence of bytes, such as TCP or
// WebSocket. NewHost and Listen make a host's, Dial a client's. It belongs to one
// goroutine; only Ready and Add may be called from others.
type Link struct {
	io    conduit
	gate  *gate
	conns []*conn
	ends  []*wire   // of connections that are over and whose goroutines may still run
	dial  *dialer   // nil for a host
	ln    *listener // nil without one
	stats Stats
}

var _ link.Link = (*Link)(nil)

func newLink(o Options, client bool) *Link {
	return &Link{io: newConduit(o, client), gate: newGate(o.MaxPeers)}
}

// NewHost returns the link of a host without connections. Add gives it some.
func NewHost(o Options) *Link { return newLink(o.filled(true), false) }

// Dial returns the link of a client. dial makes the connection; it is called once, on a
// goroutine of its own that the first Poll starts, and returns soon after ctx is done. The
// first event is Opened with peer 1, or Closed with the reason.
//
// The Close method of the connection must end the reads and writes that wait.
func Dial(dial func(ctx context.Context) (io.ReadWriteCloser, error), o Options) *Link {
	if dial == nil {
		panic("streamlink: Dial needs a function that makes the connection")
	}
	l := newLink(o.filled(false), true)
	l.dial = &dialer{dial: dial}
	return l
}

// attach gives a host its listener.
func (l *Link) attach(ln *listener) {
	l.ln = ln
	ln.start(l.Add)
}

// Add gives a connection to a host, which closes it at the end. No event of the
// connection is delivered until both ends have sent their hello. Add is safe for
// concurrent use, and does not wait. Its Close must end the reads and writes that wait,
// as with Dial.
func (l *Link) Add(rw io.ReadWriteCloser) { l.gate.enter(rw) }

// Ready implements link.Link.
func (l *Link) Ready() <-chan struct{} { return l.gate.signalled() }

// Stats returns the counters up to the last call.
func (l *Link) Stats() Stats {
	s := l.stats
	s.Peers = l.io.count()
	for _, c := range l.conns {
		s.add(c)
	}
	return s
}

// Poll implements link.Link.
func (l *Link) Poll(now time.Duration, deliver func(ev link.Event)) {
	if !l.io.Begin(now, deliver) {
		return
	}
	defer l.io.End()
	l.admit()
	for i := 0; i < len(l.conns) && !l.io.Down(); i++ {
		l.conns[i].poll(&l.io)
	}
	if !l.io.Down() {
		l.conns = slices.DeleteFunc(l.conns, l.isGone)
		l.ends = slices.DeleteFunc(l.ends, (*wire).hasEnded)
	}
}

// isGone reports whether a connection is over, and keeps what is left of it.
func (l *Link) isGone(c *conn) bool {
	w := c.over()
	if w == nil {
		return false
	}
	l.ends = append(l.ends, w)
	l.stats.add(c)
	return true
}

// admit takes the connections that have come, or dials.
func (l *Link) admit() {
	fresh, err := l.gate.take()
	if l.dial != nil {
		l.driveDial(err)
	}
	for _, rw := range fresh {
		// with those that are being told why they were refused
		if len(l.conns) >= l.io.opts().MaxPeers+2*linkbase.MostNewcomers {
			l.stats.Refused++
			_ = rw.Close() // nobody uses it
			continue
		}
		c := newConn(rw, l.gate.signal, l.io.Now(), l.io.opts())
		l.conns = append(l.conns, c)
		switch {
		case l.dial != nil && !l.dial.dials():
			c.leave(&l.io, "dialing was given up")
			continue
		case l.dial != nil:
			l.dial.stop()
		case l.io.count() >= l.io.opts().MaxPeers:
			l.stats.Refused++
			c.leave(&l.io, fmt.Sprintf("the host is full: it takes %d connections", l.io.opts().MaxPeers))
			continue
		case !l.admitsGreeting(c):
			l.stats.Refused++
			c.leave(&l.io, "too many connections that have not said hello")
			continue
		}
		c.greet(l.io.opts().Protocol)
	}
}

// admitsGreeting reports whether there is room for one more connection, the newest, that has not said hello.
func (l *Link) admitsGreeting(newest *conn) bool {
	var greeting linkbase.Newcomers
	at, _ := newest.wire.address()
	for _, c := range l.conns {
		if c != newest && c.greeting() {
			from, _ := c.wire.address()
			greeting.Count(at, from)
		}
	}
	return greeting.Admits()
}

// driveDial begins to dial, and ends it when it has failed or takes too long.
func (l *Link) driveDial(err error) {
	d, most := l.dial, l.io.opts().DialTimeout
	reason := ""
	switch {
	case !d.dials():
		return
	case !d.isStarted():
		d.start(l.io.Now(), func(rw io.ReadWriteCloser, err error) {
			if err != nil {
				l.gate.fail(err)
				return
			}
			l.gate.enter(rw)
		})
		return
	case err != nil:
		reason = "dialing failed: " + err.Error()
	case d.expired(l.io.Now(), most):
		reason = fmt.Sprintf("no connection in %v", most)
	default:
		return
	}
	d.stop()
	l.io.Deliver(link.Event{Kind: link.Closed, Peer: link.HostPeer, Reason: link.CleanReason(reason)})
}

// Due implements link.Link.
func (l *Link) Due(now time.Duration) time.Duration {
	due := link.Never
	if l.io.Down() {
		return due
	}
	if l.dial != nil {
		if at, dials := l.dial.due(now, l.io.opts().DialTimeout); dials {
			due = at
		}
	}
	for _, c := range l.conns {
		due = min(due, c.due(l.io.opts()))
	}
	return due
}

// Address implements link.Located, for connections that have a RemoteAddr, such as a net.Conn.
func (l *Link) Address(p link.Peer) (addr netip.Addr, ok bool) {
	c := l.io.find(p)
	if c == nil {
		return netip.Addr{}, false
	}
	return c.wire.address()
}

var _ link.Located = (*Link)(nil)
