package streamlink

import (
	"fmt"
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

// flushTime is how long messages sent before Close have to arrive.
const flushTime = time.Second

// conn is one connection, as the goroutine of the Link sees it.
type conn struct {
	Name  link.Peer // 0 until it is open
	State connState
	Wire  *wire

	batch    batch                // of the poll in progress
	limit    int                  // the largest message on Bulk
	messages [link.Streams][]byte // the segments so far of the present message
	since    time.Duration        // of the present state
	heardAt  time.Duration
	pingAt   time.Duration
}

func newConn(w *wire, now time.Duration, o *Options) *conn {
	return &conn{Wire: w, limit: o.MaxBulk, since: now, heardAt: now, pingAt: now + o.KeepAlive}
}

// greet says hello.
func (c *conn) greet(protocol uint32) { c.Wire.Out.frame(appendHello(nil, protocol)) }

// poll handles what has come, then does what is due.
func (c *conn) poll(io *conduit) {
	c.batch = c.Wire.In.take(c.batch)
	if c.batch.Heard {
		c.heardAt = io.Now
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
	if c.batch.Ended {
		c.end(io, c.batch.Why)
	}
	c.drive(io)
}

// credit lets the other end send as many bytes as were taken.
func (c *conn) credit(taken [link.Streams]int) {
	for s, n := range taken {
		if n > 0 {
			c.Wire.In.allow(link.Stream(s), n)
			c.Wire.Out.frame(appendCredit(nil, link.Stream(s), n))
		}
	}
}

// take handles one frame. The caller may close the connection in any event.
func (c *conn) take(io *conduit, f frame) {
	if c.State == connHello {
		c.hello(io, f)
		return
	}
	if c.State != connOpen || io.Down {
		return
	}
	switch f.Kind {
	case kindDatagram:
		io.Deliver(link.Event{Kind: link.Datagram, Peer: c.Name, Data: f.Data})
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
	case f.Protocol != io.Opts.Protocol:
		c.lose(io, fmt.Sprintf("the protocol version is %d here and %d at the other end: run the same release on both sides", io.Opts.Protocol, f.Protocol))
	default:
		c.Name, c.State, c.since = io.name(c), connOpen, io.Now
		io.Opts.Logger.Info("peer opened", "peer", uint64(c.Name))
		io.Deliver(link.Event{Kind: link.Opened, Peer: c.Name})
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
		io.Deliver(link.Event{Kind: link.Message, Peer: c.Name, Stream: f.Stream, Data: f.Data})
		return
	}
	*m = append(*m, f.Data...)
	if !f.Last {
		return
	}
	whole := *m
	*m = nil
	io.Deliver(link.Event{Kind: link.Message, Peer: c.Name, Stream: f.Stream, Data: whole})
	if cap(whole) <= keepBuffer {
		*m = whole[:0]
	}
}

// drive does what is due at this time.
func (c *conn) drive(io *conduit) {
	switch {
	case io.Down:
	case c.State == connHello && io.Now-c.since > io.Opts.DialTimeout:
		c.lose(io, fmt.Sprintf("no answer in %v", io.Opts.DialTimeout))
	case c.State == connOpen && io.Now-c.heardAt > io.Opts.Timeout:
		c.lose(io, fmt.Sprintf("nothing came for %v", io.Opts.Timeout))
	case c.State == connOpen && io.Now >= c.pingAt:
		c.pingAt = io.Now + io.Opts.KeepAlive
		c.Wire.Out.frame([]byte{byte(kindPing)})
	case c.State == connLeaving && io.Now-c.since >= flushTime:
		c.Wire.close()
		c.State = connGone
	}
}

// due returns when drive has something to do.
func (c *conn) due(o *Options) time.Duration {
	const justAfter = 1
	switch c.State {
	case connHello:
		return c.since + o.DialTimeout + justAfter
	case connOpen:
		return min(c.pingAt, c.heardAt+o.Timeout+justAfter)
	case connLeaving:
		return c.since + flushTime
	}
	return link.Never
}

// leave ends the connection for the caller, who is told nothing more.
func (c *conn) leave(io *conduit, reason string) {
	io.forget(c)
	c.State, c.since = connLeaving, io.Now
	c.Wire.Out.leave(reason)
}

// lose ends a connection that the caller did not end, and tells both ends why.
func (c *conn) lose(io *conduit, reason string) {
	was := c.State
	c.leave(io, reason)
	c.tell(io, was, reason)
}

// end notes that the other end has closed the connection, or that it was lost.
func (c *conn) end(io *conduit, reason string) {
	was := c.State
	c.State = connGone
	c.Wire.close()
	io.forget(c)
	c.tell(io, was, reason)
}

// tell delivers Closed, if the caller knows of the connection and has not ended it.
func (c *conn) tell(io *conduit, was connState, reason string) {
	reason = link.CleanReason(reason)
	switch {
	case io.Down:
	case was == connOpen:
		io.Opts.Logger.Info("peer closed", "peer", uint64(c.Name), "reason", reason)
		io.Deliver(link.Event{Kind: link.Closed, Peer: c.Name, Reason: reason})
	case was == connHello && io.Client:
		io.Deliver(link.Event{Kind: link.Closed, Peer: hostPeer, Reason: reason})
	}
}
