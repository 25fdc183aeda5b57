package memlink

import (
	"fmt"
	"time"

	"github.com/hindcast/hindcast/net/link"
)

const (
	dialEvery   = 200 * time.Millisecond // between two hellos
	dialTimeout = 5 * time.Second
	timeout     = 10 * time.Second // without a packet
	pingEvery   = time.Second
	flushTime   = 2 * time.Second // for messages sent before Close
	byeCount    = 3               // goodbyes are not acknowledged, so some are sent
)

type connState uint8

const (
	stateWaiting connState = iota // host: no hello yet
	stateDialing                  // client: no welcome yet
	stateOpen
	stateLeaving // closed by us: the last messages are under way
	stateClosed  // all that is still said is bye
)

// conn is one end of one connection.
type conn struct {
	end     *End
	peer    link.Peer // 0 until open
	state   connState
	out, in *Shaper

	started bool          // the first poll has been
	since   time.Duration // dialing, leaving: when that began
	dialAt  time.Duration // of the next hello
	heardAt time.Duration
	pingAt  time.Duration // of the next ping
	reason  string
	byeOwed bool // something came after the end

	number    uint64 // of the last datagram sent
	received  dedupe
	senders   [link.Streams]sender
	receivers [link.Streams]receiver
	rtt       rttMeter
	pace      pacer
}

func newConn(end *End, state connState, out, in *Shaper) *conn {
	c := &conn{end: end, state: state, out: out, in: in, pace: newPacer()}
	for s := range c.senders {
		c.senders[s].stream = link.Stream(s)
	}
	return c
}

// poll takes in what is due, then does what time asks for.
func (c *conn) poll(now time.Duration) {
	for !c.end.down {
		b, ok := c.in.Pop(now)
		if !ok {
			break
		}
		c.take(now, b)
	}
	if c.end.down {
		return
	}
	switch c.state {
	case stateDialing:
		c.driveDial(now)
	case stateOpen:
		c.driveOpen(now)
	case stateLeaving:
		c.driveLeaving(now)
	case stateClosed:
		if c.byeOwed {
			c.bye(now, 1)
		}
	}
}

func (c *conn) driveDial(now time.Duration) {
	if !c.started {
		c.started, c.since, c.dialAt = true, now, now
	}
	if now-c.since > dialTimeout {
		c.lose(now, fmt.Sprintf("no answer from the host in %v", dialTimeout), false)
		return
	}
	if now >= c.dialAt {
		c.dialAt = now + dialEvery
		c.transmit(now, kindHello, appendClock(c.packet(kindHello), now))
	}
}

func (c *conn) driveOpen(now time.Duration) {
	if now-c.heardAt > timeout {
		c.lose(now, fmt.Sprintf("no packet for %v", timeout), true)
		return
	}
	c.flush(now)
	if now >= c.pingAt {
		c.pingAt = now + pingEvery
		c.transmit(now, kindPing, appendClock(c.packet(kindPing), now))
	}
}

func (c *conn) driveLeaving(now time.Duration) {
	c.flush(now)
	if now-c.since >= flushTime || c.drained() {
		c.state = stateClosed
		c.bye(now, byeCount)
	}
}

func (c *conn) drained() bool {
	return c.senders[link.Control].drained() && c.senders[link.Bulk].drained()
}

// open makes the peer known to the caller.
func (c *conn) open(now time.Duration) {
	c.state, c.heardAt, c.pingAt = stateOpen, now, now
	c.end.lastPeer++
	c.peer = c.end.lastPeer
	c.end.open[c.peer] = c
	c.end.emit(link.Event{Kind: link.Opened, Peer: c.peer})
}

// leave ends the connection for the caller: it says no more, and hears no more.
func (c *conn) leave(now time.Duration, reason string) {
	delete(c.end.open, c.peer)
	c.reason, c.since = clip(reason), now
	if c.state == stateOpen && !c.drained() {
		c.state = stateLeaving
		return
	}
	wasOpen := c.state == stateOpen
	c.state = stateClosed
	if wasOpen {
		c.bye(now, byeCount)
	}
}

// lose ends a connection that the caller didn't end, and tells it why.
func (c *conn) lose(now time.Duration, reason string, tell bool) {
	delete(c.end.open, c.peer)
	c.state, c.reason = stateClosed, clip(reason)
	if tell {
		c.bye(now, byeCount)
	}
	peer := c.peer
	if peer == 0 {
		peer = hostPeer // a client that never got through
	}
	c.end.emit(link.Event{Kind: link.Closed, Peer: peer, Reason: c.reason})
}

func (c *conn) bye(now time.Duration, times int) {
	c.byeOwed = false
	for range times {
		c.transmit(now, kindBye, append(c.packet(kindBye), c.reason...))
	}
}

// take handles one packet.
func (c *conn) take(now time.Duration, b []byte) {
	k := kind(b[0])
	c.end.stats.In.add(k, b)
	c.heardAt = now
	switch c.state {
	case stateWaiting:
		if k != kindHello {
			return
		}
		c.open(now)
	case stateDialing:
		if k == kindBye {
			c.lose(now, string(b[1:]), false)
			return
		}
		c.open(now)
	case stateClosed:
		c.byeOwed = c.byeOwed || k != kindBye
		return
	}
	switch {
	case c.state == stateOpen:
		c.takeOpen(now, k, b)
	case c.state == stateLeaving && k == kindAck:
		c.takeAck(now, b)
	case c.state == stateLeaving && k == kindBye:
		c.state = stateClosed
	}
}

// takeOpen handles a packet of an open connection. The caller may close it at any event.
func (c *conn) takeOpen(now time.Duration, k kind, b []byte) {
	switch k {
	case kindHello:
		c.transmit(now, kindWelcome, appendClock(c.packet(kindWelcome), parseClock(b[1:])))
	case kindPing:
		c.transmit(now, kindPong, appendClock(c.packet(kindPong), parseClock(b[1:])))
	case kindWelcome, kindPong:
		c.rtt.add(now, now-parseClock(b[1:]))
	case kindBye:
		c.lose(now, string(b[1:]), false)
	case kindDatagram:
		number, data := parseDatagram(b)
		if !c.received.first(number) {
			c.end.stats.Repeated++
			return
		}
		c.end.emit(link.Event{Kind: link.Datagram, Peer: c.peer, Data: data})
	case kindSegment:
		h, data := parseSegment(b)
		c.receivers[h.stream].take(h, data, func(message []byte) bool {
			c.end.emit(link.Event{Kind: link.Message, Peer: c.peer, Stream: h.stream, Data: message})
			return c.state == stateOpen && !c.end.down
		})
	case kindAck:
		c.takeAck(now, b)
	}
}

func (c *conn) takeAck(now time.Duration, b []byte) {
	a := parseAck(b)
	c.rtt.add(now, now-a.clock)
	news := c.senders[a.stream].acknowledge(&a, c.rtt.reordering())
	if a.stream == link.Bulk {
		c.pace.judge(now, now-a.clock, news, &c.rtt)
	}
}

// flush sends the acknowledgements owed and the segments due.
func (c *conn) flush(now time.Duration) {
	for s := range c.receivers {
		r := &c.receivers[s]
		if !r.owes {
			continue
		}
		r.owes = false
		a := ack{stream: link.Stream(s)}
		r.fill(&a)
		c.transmit(now, kindAck, appendAck(c.end.buf[:0], &a))
	}
	send := func(h segmentHeader, data []byte) {
		c.transmit(now, kindSegment, appendSegment(c.end.buf[:0], h, data))
	}
	for s := range c.senders {
		var pace *pacer
		if link.Stream(s) == link.Bulk {
			pace = &c.pace
		}
		c.end.stats.Resent += c.senders[s].flush(now, &c.rtt, pace, send)
	}
}

func (c *conn) datagram(now time.Duration, data []byte) {
	c.number++
	c.transmit(now, kindDatagram, appendDatagram(c.end.buf[:0], c.number, data))
}

// packet begins a packet in the end's buffer.
func (c *conn) packet(k kind) []byte { return append(c.end.buf[:0], byte(k)) }

func (c *conn) transmit(now time.Duration, k kind, b []byte) {
	c.end.stats.Out.add(k, b)
	c.out.Push(now, b)
}

// clip keeps a reason to one packet's worth.
func clip(reason string) string { return reason[:min(len(reason), maxReason)] }
