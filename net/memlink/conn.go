package memlink

import (
	"fmt"
	"net/netip"
	"time"

	"github.com/hindcast/hindcast/net/internal/linkbase"
	"github.com/hindcast/hindcast/net/link"
)

const (
	dialEvery   = 200 * time.Millisecond // between two hellos
	dialTimeout = linkbase.DialTimeout
	timeout     = linkbase.Timeout // without a packet
	pingEvery   = linkbase.KeepAlive
	flushTime   = 5 * time.Second // for messages sent before Close: a few round trips of an awful line
	byeCount    = 3               // goodbyes: they are not acknowledged
)

type connState uint8

const (
	stateWaiting connState = iota // host: no hello has come yet
	stateDialing                  // client: no welcome has come yet
	stateOpen
	stateLeaving // closed by the caller: the last messages are in transit
	stateClosed  // only goodbyes are sent
)

// conn is one end of one connection.
type conn struct {
	peer    link.Peer // its name; 0 until it is open
	state   connState
	out, in *Shaper
	addr    netip.Addr // of the other end, if it was placed

	started bool          // it was polled before
	since   time.Duration // when dialing or leaving began
	dialAt  time.Duration // when the next hello is due
	heardAt time.Duration
	pingAt  time.Duration // when the next ping is due
	reason  string        // of the goodbyes
	byeOwed bool          // a packet came after the end

	number   uint64 // of the last datagram sent
	received dedupe
	streams  streamSet
}

func newConn(state connState, out, in *Shaper) *conn {
	return &conn{state: state, out: out, in: in, streams: newStreamSet()}
}

// is reports whether the connection has come this far, and no further.
func (c *conn) is(s connState) bool { return c.state == s }

// name returns the name of the connection; 0 if it was never open.
func (c *conn) name() link.Peer { return c.peer }

// poll handles the packets that are due, then does what is due at this time.
func (c *conn) poll(io *port, now time.Duration) {
	for !io.Down() {
		b, ok := c.in.Pop(now)
		if !ok {
			break
		}
		c.take(io, now, b)
	}
	if io.Down() {
		return
	}
	switch c.state {
	case stateDialing:
		c.driveDial(io, now)
	case stateOpen:
		c.driveOpen(io, now)
	case stateLeaving:
		c.driveLeaving(io, now)
	case stateClosed:
		if c.byeOwed {
			c.bye(io, now, 1)
		}
	}
}

// due returns when poll has something to do.
func (c *conn) due(now time.Duration) time.Duration {
	due, ok := c.in.Next()
	if !ok {
		due = link.Never
	}
	switch c.state {
	case stateDialing:
		if !c.started {
			return now
		}
		due = min(due, c.dialAt, justAfter(c.since+dialTimeout))
	case stateOpen:
		due = min(due, c.pingAt, justAfter(c.heardAt+timeout), c.streams.due(now))
	case stateLeaving:
		due = min(due, c.since+flushTime, c.streams.due(now))
	}
	return due
}

// justAfter returns the first time later than t.
func justAfter(t time.Duration) time.Duration { return t + 1 }

func (c *conn) driveDial(io *port, now time.Duration) {
	if !c.started {
		c.started, c.since, c.dialAt = true, now, now
	}
	if now-c.since > dialTimeout {
		c.lose(io, now, fmt.Sprintf("no answer from the host in %v", dialTimeout), false)
		return
	}
	if now >= c.dialAt {
		c.dialAt = now + dialEvery
		c.transmit(io, now, kindHello, io.withClock(kindHello, now))
	}
}

func (c *conn) driveOpen(io *port, now time.Duration) {
	if now-c.heardAt > timeout {
		c.lose(io, now, fmt.Sprintf("no packet for %v", timeout), true)
		return
	}
	if why, stuck := c.streams.stuck(now); stuck {
		io.stuck()
		c.lose(io, now, why, true)
		return
	}
	c.flush(io, now)
	if now >= c.pingAt {
		c.pingAt = now + pingEvery
		c.transmit(io, now, kindPing, io.withClock(kindPing, now))
	}
}

func (c *conn) driveLeaving(io *port, now time.Duration) {
	c.flush(io, now)
	if now-c.since >= flushTime || c.streams.drained() {
		c.state = stateClosed
		c.bye(io, now, byeCount)
	}
}

// flush sends what the streams have to send.
func (c *conn) flush(io *port, now time.Duration) {
	io.resent(c.streams.flush(now, io.begin(), func(k kind, b []byte) { c.transmit(io, now, k, b) }))
}

// open tells the caller of the peer.
func (c *conn) open(io *port, now time.Duration) {
	c.state, c.heardAt, c.pingAt = stateOpen, now, now
	c.peer = io.opened(c)
	io.Deliver(link.Event{Kind: link.Opened, Peer: c.peer})
}

// leave ends the connection for the caller, who can send nothing and gets no events any
// more.
func (c *conn) leave(io *port, now time.Duration, reason string) {
	io.closed(c.peer)
	c.reason, c.since = link.CleanReason(reason), now
	if c.state == stateOpen && !c.streams.drained() {
		c.state = stateLeaving
		return
	}
	wasOpen := c.state == stateOpen
	c.state = stateClosed
	if wasOpen {
		c.bye(io, now, byeCount)
	}
}

// lose ends a connection that the caller did not end, and tells the caller why.
// With tell it tells the other end, too.
func (c *conn) lose(io *port, now time.Duration, reason string, tell bool) {
	io.closed(c.peer)
	c.state, c.reason = stateClosed, link.CleanReason(reason)
	if tell {
		c.bye(io, now, byeCount)
	}
	peer := c.peer
	if peer == 0 {
		peer = link.HostPeer // a client that never opened
	}
	io.Deliver(link.Event{Kind: link.Closed, Peer: peer, Reason: c.reason})
}

// shutDown ends the connection at once.
func (c *conn) shutDown(io *port, now time.Duration, reason string) {
	switch c.state {
	case stateOpen:
		c.reason = link.CleanReason(reason)
		c.bye(io, now, byeCount)
	case stateLeaving:
		c.bye(io, now, byeCount)
	}
	c.state = stateClosed
}

func (c *conn) bye(io *port, now time.Duration, times int) {
	c.byeOwed = false
	for range times {
		c.transmit(io, now, kindBye, append(io.beginKind(kindBye), c.reason...))
	}
}

// take handles one packet.
func (c *conn) take(io *port, now time.Duration, b []byte) {
	k := kind(b[0])
	io.received(k, b)
	c.heardAt = now
	switch c.state {
	case stateWaiting:
		if k != kindHello {
			return
		}
		c.open(io, now)
	case stateDialing:
		if k == kindBye {
			c.lose(io, now, string(b[1:]), false)
			return
		}
		c.open(io, now)
	case stateClosed:
		c.byeOwed = c.byeOwed || k != kindBye
		return
	}
	switch {
	case c.state == stateOpen:
		c.takeOpen(io, now, k, b)
	case c.state == stateLeaving && k == kindAck:
		c.streams.takeAck(now, b)
	case c.state == stateLeaving && k == kindBye:
		c.state = stateClosed
	}
}

// takeOpen handles a packet of an open connection. The caller may close it in any
// event.
func (c *conn) takeOpen(io *port, now time.Duration, k kind, b []byte) {
	switch k {
	case kindHello:
		c.transmit(io, now, kindWelcome, io.withClock(kindWelcome, parseClock(b[1:])))
	case kindPing:
		c.transmit(io, now, kindPong, io.withClock(kindPong, parseClock(b[1:])))
	case kindWelcome, kindPong:
		c.streams.measure(now, now-parseClock(b[1:]))
	case kindBye:
		c.lose(io, now, string(b[1:]), false)
	case kindDatagram:
		number, data := parseDatagram(b)
		if !c.received.first(number) {
			io.repeated()
			return
		}
		io.Deliver(link.Event{Kind: link.Datagram, Peer: c.peer, Data: data})
	case kindSegment:
		c.streams.takeSegment(b, func(stream link.Stream, message []byte) bool {
			io.Deliver(link.Event{Kind: link.Message, Peer: c.peer, Stream: stream, Data: message})
			return c.state == stateOpen && !io.Down()
		})
	case kindAck:
		c.streams.takeAck(now, b)
	}
}

// datagram sends a datagram at once.
func (c *conn) datagram(io *port, now time.Duration, data []byte) {
	c.number++
	c.transmit(io, now, kindDatagram, appendDatagram(io.begin(), c.number, data))
}

// message queues a message for the next poll.
func (c *conn) message(s link.Stream, b []byte) error { return c.streams.push(s, b) }

// roundTrip returns the smoothed round-trip time, if one has been measured.
func (c *conn) roundTrip() (rtt time.Duration, ok bool) { return c.streams.roundTrip() }

func (c *conn) transmit(io *port, now time.Duration, k kind, b []byte) {
	io.sent(k, b)
	c.out.Push(now, b)
}
