package streamlink

import (
	"fmt"
	"io"
	"time"

	"github.com/hindcast/hindcast/net/link"
)

type connState uint8

const (
	connHello   connState = iota // the hello of the other end has not come
	connOpen                     // Opened was delivered
	connLeaving                  // the last messages and the goodbye are being sent
	connGone                     // to be forgotten
)

// flushTime is how long messages sent before Close have to arrive: a few round trips of an awful line.
const flushTime = 5 * time.Second

// conn is one connection, as the goroutine of the Link sees it.
type conn struct {
	name  link.Peer // 0 until it is open
	state connState
	in    *inbox
	out   *outbox
	wire  *wire // between these and the other end

	batch    batch                // of the poll in progress
	limit    int                  // the largest message on Bulk
	messages [link.Streams][]byte // the segments so far of the present message
	since    time.Duration        // of the present state
	heardAt  time.Duration
	pingAt   time.Duration
	stuck    bool // let go because the other end took nothing
}

// newConn starts a connection over rw. wake is called on other goroutines.
func newConn(rw io.ReadWriteCloser, wake func(), now time.Duration, o *Options) *conn {
	c := &conn{in: newInbox(), out: newOutbox(), limit: o.MaxBulk, since: now, heardAt: now, pingAt: now + o.KeepAlive}
	c.wire = startWire(rw, c.in, c.out, wake)
	return c
}

// greeting reports whether the hello of the other end has not come.
func (c *conn) greeting() bool { return c.state == connHello }

// over returns the wire of a connection that is over, whose goroutines may still run; otherwise nil.
func (c *conn) over() *wire {
	if c.state != connGone {
		return nil
	}
	return c.wire
}

// drops returns how many datagrams were dropped that came, and how often some that were to be
// sent.
func (c *conn) drops() (came, unsent uint64) { return c.in.drops(), c.out.drops() }

// datagram sends a datagram.
func (c *conn) datagram(b []byte) { c.out.datagram(b) }

// message queues a message.
func (c *conn) message(s link.Stream, b []byte) error { return c.out.message(s, b) }

// greet says hello.
func (c *conn) greet(protocol uint32) { c.out.frame(appendHello(nil, protocol)) }

// poll handles what has come, then does what is due.
func (c *conn) poll(io *conduit) {
	c.batch = c.in.take(c.batch)
	if c.batch.heard() {
		c.heardAt = io.Now()
	}
	var taken [link.Streams]int
	for i := range c.batch.len() {
		f := c.batch.frame(i)
		if f.Kind == kindSegment {
			taken[f.Stream] += len(f.Data)
		}
		c.take(io, f)
	}
	c.credit(taken)
	if why, ended := c.batch.end(); ended {
		c.end(io, why)
	}
	c.drive(io)
}

// credit lets the other end send as many bytes as were taken.
func (c *conn) credit(taken [link.Streams]int) {
	for s, n := range taken {
		if n > 0 {
			c.in.allow(link.Stream(s), n)
			c.out.frame(appendCredit(nil, link.Stream(s), n))
		}
	}
}

// take handles one frame. The caller may close the connection in any event.
func (c *conn) take(io *conduit, f frame) {
	if c.state == connHello {
		c.hello(io, f)
		return
	}
	if c.state != connOpen || io.Down() {
		return
	}
	switch f.Kind {
	case kindDatagram:
		io.Deliver(link.Event{Kind: link.Datagram, Peer: c.name, Data: f.Data})
	case kindSegment:
		c.segment(io, f)
	default:
		c.lose(io, errMalformed.Error())
	}
}

// hello opens the connection.
func (c *conn) hello(io *conduit, f frame) {
	switch {
	case f.Kind != kindHello:
		c.lose(io, errMalformed.Error())
	case f.Protocol != io.opts().Protocol:
		c.lose(
			io,
			fmt.Sprintf(
				"the protocol version is %d here and %d at the other end: run the same release on both sides",
				io.opts().Protocol, f.Protocol),
		)
	default:
		c.name, c.state, c.since = io.name(c), connOpen, io.Now()
		io.log(c.name, "peer opened")
		io.Deliver(link.Event{Kind: link.Opened, Peer: c.name})
	}
}

// segment adds a segment to its message, and delivers the message if it is whole. The
// memory grows with the bytes that came.
func (c *conn) segment(io *conduit, f frame) {
	m := &c.messages[f.Stream]
	most := f.Stream.MaxMessage()
	if f.Stream == link.Bulk {
		most = c.limit
	}
	if len(*m)+len(f.Data) > most {
		c.lose(io, fmt.Sprintf("a message of more than %d bytes on %v", most, f.Stream))
		return
	}
	if f.Last && len(*m) == 0 {
		io.Deliver(link.Event{Kind: link.Message, Peer: c.name, Stream: f.Stream, Data: f.Data})
		return
	}
	*m = append(*m, f.Data...)
	if !f.Last {
		return
	}
	whole := *m
	*m = nil
	io.Deliver(link.Event{Kind: link.Message, Peer: c.name, Stream: f.Stream, Data: whole})
	if cap(whole) <= keepBuffer {
		*m = whole[:0]
	}
}

// drive does what is due at this time.
func (c *conn) drive(io *conduit) {
	why, stuck := c.out.stuck(io.Now())
	switch {
	case io.Down():
	case c.state == connOpen && stuck:
		c.stuck = true
		c.lose(io, why)
	case c.state == connHello && io.Now()-c.since > io.opts().DialTimeout:
		c.lose(io, fmt.Sprintf("no answer in %v", io.opts().DialTimeout))
	case c.state == connOpen && io.Now()-c.heardAt > io.opts().Timeout:
		c.lose(io, fmt.Sprintf("nothing came for %v", io.opts().Timeout))
	case c.state == connOpen && io.Now() >= c.pingAt:
		c.pingAt = io.Now() + io.opts().KeepAlive
		c.out.frame([]byte{byte(kindPing)})
	case c.state == connLeaving && io.Now()-c.since >= flushTime:
		c.shut()
	}
}

// due returns when drive has something to do.
func (c *conn) due(o *Options) time.Duration {
	const justAfter = 1
	switch c.state {
	case connHello:
		return c.since + o.DialTimeout + justAfter
	case connOpen:
		return min(c.pingAt, c.heardAt+o.Timeout+justAfter, c.out.stuckDue())
	case connLeaving:
		return c.since + flushTime
	}
	return link.Never
}

// leave ends the connection for the caller, who is told nothing more.
func (c *conn) leave(io *conduit, reason string) {
	io.forget(c.name)
	c.state, c.since = connLeaving, io.Now()
	c.out.leave(reason)
}

// goodbye begins to end the connection: a goodbye follows the messages that wait. The result is
// closed when the other end has read it.
func (c *conn) goodbye(reason string) (read <-chan struct{}) {
	c.out.leave(reason)
	return c.wire.silent()
}

// shut closes the connection at once.
func (c *conn) shut() {
	c.wire.close()
	c.state = connGone
}

// lose ends a connection that the caller did not end, and tells both ends why.
func (c *conn) lose(io *conduit, reason string) {
	was := c.state
	c.leave(io, reason)
	c.tell(io, was, reason)
}

// end notes that the other end has closed the connection, or that it was lost.
func (c *conn) end(io *conduit, reason string) {
	was := c.state
	c.shut()
	io.forget(c.name)
	c.tell(io, was, reason)
}

// tell delivers Closed, if the caller knows of the connection and has not ended it.
func (c *conn) tell(io *conduit, was connState, reason string) {
	reason = link.CleanReason(reason)
	switch {
	case io.Down():
	case was == connOpen:
		io.log(c.name, "peer closed", "reason", reason)
		io.Deliver(link.Event{Kind: link.Closed, Peer: c.name, Reason: reason})
	case was == connHello && io.isClient():
		io.Deliver(link.Event{Kind: link.Closed, Peer: link.HostPeer, Reason: reason})
	}
}
