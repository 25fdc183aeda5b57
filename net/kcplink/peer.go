package kcplink

import (
	"encoding/binary"
	"fmt"
	"log/slog"
	"net/netip"
	"time"

	"github.com/hindcast/hindcast/net/link"
)

type peerState uint8

const (
	peerHalf    peerState = iota // host: accepted, but no packet of the connection has come yet
	peerOpen                     // Opened was delivered
	peerLeaving                  // closed by the caller: the last messages are being sent
	peerBye                      // the goodbyes are being sent
	peerGone                     // to be forgotten at the end of the poll
)

// peer is one connection.
type peer struct {
	name     link.Peer
	state    peerState
	path     path
	alive    liveness
	streams  streamSet
	rtt      rttMeter
	farewell farewell
}

// newPeer returns a half-open peer.
func newPeer(io *conduit, name link.Peer, id uint64, addr netip.AddrPort) *peer {
	p := &peer{name: name, path: path{id: id, addr: addr}, alive: newLiveness(io.Now())}
	p.streams = newStreamSet(io.opts().MaxBulk, io.opts().window, func(b []byte, n int) {
		p.path.send(io, kindSegments, b[:n])
	})
	return p
}

// is reports whether the peer has come this far, and no further.
func (p *peer) is(s peerState) bool { return p.state == s }

// vanish ends a half-open peer, which nobody knows of.
func (p *peer) vanish() { p.state = peerGone }

// takesPlace reports whether the peer is open or about to be.
func (p *peer) takesPlace() bool { return p.state == peerHalf || p.state == peerOpen }

// way returns the path of the packets.
func (p *peer) way() *path { return &p.path }

// roundTrip returns the smoothed round-trip time, if one has been measured.
func (p *peer) roundTrip() (rtt time.Duration, ok bool) { return p.rtt.smoothed() }

// open tells the caller of the peer.
func (p *peer) open(io *conduit) {
	p.state = peerOpen
	io.stats().Peers++
	io.log(slog.LevelInfo, p.path.address(), "peer opened", "peer", uint64(p.name), "addr", p.path.address())
	io.Deliver(link.Event{Kind: link.Opened, Peer: p.name})
}

// noteClosed counts and logs an open peer that is closed.
func (p *peer) noteClosed(io *conduit, reason string) {
	io.stats().Peers--
	io.log(slog.LevelInfo, p.path.address(), "peer closed",
		"peer", uint64(p.name), "addr", p.path.address(), "reason", reason)
}

// lose ends a connection that the caller did not end, and tells the caller why.
// With tell it tells the peer, too.
func (p *peer) lose(io *conduit, reason string, tell bool) {
	wasOpen := p.state == peerOpen
	p.state = peerGone
	if tell {
		p.state = peerBye
		p.farewell = farewell{reason: reason, nextAt: io.Now()}
	}
	if wasOpen {
		p.noteClosed(io, reason)
		io.Deliver(link.Event{Kind: link.Closed, Peer: p.name, Reason: reason})
	}
}

// take handles a packet with the connection id of the peer. h is nil on a client.
func (p *peer) take(io *conduit, h *host, s session, from netip.AddrPort, size int) {
	v := p.path.accept(s.Seq)
	switch v {
	case duplicate:
		io.stats().Dropped.Duplicates++
		return
	case stale:
		io.stats().Dropped.Stale++
		return
	}
	p.alive.hear(io.Now())
	if p.state == peerHalf {
		if h != nil && io.full() {
			p.lose(io, fullReason(io), true)
			return
		}
		p.open(io)
	}
	if from != p.path.address() && v == fresh && h != nil && h.challengePath(io, &p.path, s, from, size) {
		io.log(slog.LevelInfo, from, "peer moved",
			"peer", uint64(p.name), "from", p.path.address(), "to", from)
		p.path.move(from)
	}
	if p.state == peerOpen {
		p.takeOpen(io, h == nil, s)
		return
	}
	p.takeLeaving(io, s)
}

// takeOpen handles a packet of an open peer. The caller may close the peer in any
// event.
func (p *peer) takeOpen(io *conduit, isClient bool, s session) {
	switch s.Kind {
	case kindDatagram:
		io.Deliver(link.Event{Kind: link.Datagram, Peer: p.name, Data: s.Body})
	case kindSegments:
		p.takeSegments(io, s)
	case kindPing:
		p.path.send(io, kindPong, s.Body)
	case kindPong:
		p.rtt.add(io.Now() - time.Duration(binary.LittleEndian.Uint64(s.Body)))
		p.streams.adapt(io.Now(), &p.rtt)
	case kindPath:
		if isClient {
			p.path.send(io, kindPathOK, s.Body)
		}
	case kindBye:
		p.lose(io, link.CleanReason(string(s.Body)), false)
	}
}

// takeSegments gives segments to KCP and delivers the messages that they complete.
func (p *peer) takeSegments(io *conduit, s session) {
	st := p.streams.of(s.Stream)
	st.input(io.Now(), s.Body)
	err := st.receive(io.receiveSpace(), func(m []byte) bool {
		io.Deliver(link.Event{Kind: link.Message, Peer: p.name, Stream: s.Stream, Data: m})
		return p.state == peerOpen
	})
	if err != nil && p.state == peerOpen {
		p.lose(io, "protocol violation: "+err.Error(), true)
	}
}

// takeLeaving handles a packet of a peer that the caller has closed: only the
// acknowledgements of its last messages count.
func (p *peer) takeLeaving(io *conduit, s session) {
	switch s.Kind {
	case kindBye:
		p.state = peerGone
	case kindSegments:
		if p.state == peerLeaving {
			st := p.streams.of(s.Stream)
			st.input(io.Now(), s.Body)
			st.discard(io.receiveSpace())
		}
	}
}

// drive does what is due at this time.
func (p *peer) drive(io *conduit) {
	switch p.state {
	case peerHalf:
		if p.alive.age(io.Now()) > io.opts().DialTimeout {
			p.state = peerGone
		}
	case peerOpen:
		p.driveOpen(io)
	case peerLeaving:
		p.streams.drive(io)
		if p.streams.drained() || p.farewell.due(io.Now()) {
			p.sayBye(io)
		}
	case peerBye:
		p.driveBye(io)
	}
}

// due returns when drive has something to do.
func (p *peer) due(now time.Duration, o *Options) time.Duration {
	switch p.state {
	case peerHalf:
		return p.alive.halfEnds(o.DialTimeout)
	case peerOpen:
		return min(p.alive.due(o.Timeout), p.streams.due(now))
	case peerLeaving:
		if p.streams.drained() {
			return now
		}
		return min(p.farewell.next(), p.streams.due(now))
	case peerBye:
		return p.farewell.next()
	}
	return now // to be forgotten
}

func (p *peer) driveOpen(io *conduit) {
	if p.alive.silence(io.Now()) > io.opts().Timeout {
		p.lose(io, fmt.Sprintf("no packet for %v", io.opts().Timeout), true)
		return
	}
	if why, stuck := p.streams.stuck(io.Now()); stuck {
		io.stats().Stuck++
		p.lose(io, why, true)
		return
	}
	p.streams.drive(io)
	if p.alive.pingDue(io.Now(), io.opts().KeepAlive, !p.streams.of(link.Bulk).drained()) {
		var clock [8]byte
		binary.LittleEndian.PutUint64(clock[:], uint64(io.Now()))
		p.path.send(io, kindPing, clock[:])
	}
}
