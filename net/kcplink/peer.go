package kcplink

import (
	"encoding/binary"
	"fmt"
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

// identity is what a peer is found by, where it is, and how far it has got.
type identity struct {
	Name  link.Peer
	ID    uint64         // on the wire: only those who see the packets know it
	Key   nonceKey       // of a host's peer
	Addr  netip.AddrPort // where it proved to be
	State peerState
}

// peer is one connection.
type peer struct {
	identity
	seq      uint32 // of the next packet
	received seqWindow
	alive    liveness
	streams  streamSet
	rtt      rttMeter
	farewell farewell
}

// newPeer returns a half-open peer.
func newPeer(io *conduit, id uint64, addr netip.AddrPort) *peer {
	p := &peer{identity: identity{ID: id, Addr: addr}, alive: newLiveness(io.Now)}
	p.streams = newStreamSet(io.Opts.MaxBulk, func(b []byte, n int) { p.send(io, kindSegments, b[:n]) })
	return p
}

// takesPlace reports whether a peer counts against Options.MaxPeers: one that is
// leaving does not.
func (s peerState) takesPlace() bool { return s == peerHalf || s == peerOpen }

// roundTrip returns the smoothed round-trip time, if one has been measured.
func (p *peer) roundTrip() (rtt time.Duration, ok bool) { return p.rtt.smoothed() }

// open tells the caller of the peer.
func (p *peer) open(io *conduit) {
	p.State = peerOpen
	io.Stats.Peers++
	io.Opts.Logger.Info("peer opened", "peer", uint64(p.Name), "addr", p.Addr)
	io.Deliver(link.Event{Kind: link.Opened, Peer: p.Name})
}

// noteClosed counts and logs an open peer that is closed.
func (p *peer) noteClosed(io *conduit, reason string) {
	io.Stats.Peers--
	io.Opts.Logger.Info("peer closed", "peer", uint64(p.Name), "addr", p.Addr, "reason", reason)
}

// lose ends a connection that the caller did not end, and tells the caller why.
// With tell it tells the peer, too.
func (p *peer) lose(io *conduit, reason string, tell bool) {
	wasOpen := p.State == peerOpen
	p.State = peerGone
	if tell {
		p.State = peerBye
		p.farewell = farewell{reason: reason, nextAt: io.Now}
	}
	if wasOpen {
		p.noteClosed(io, reason)
		io.Deliver(link.Event{Kind: link.Closed, Peer: p.Name, Reason: reason})
	}
}

// send sends a packet of the connection to the proved address.
func (p *peer) send(io *conduit, k kind, body []byte) { p.sendTo(io, p.Addr, k, body) }

// sendTo sends a packet of the connection to any address.
func (p *peer) sendTo(io *conduit, to netip.AddrPort, k kind, body []byte) {
	b := appendHeader(io.begin(), k, p.ID, p.seq)
	p.seq++
	io.send(to, append(b, body...))
}

// take handles a packet with the connection id of the peer. h is nil on a client.
func (p *peer) take(io *conduit, h *host, s session, from netip.AddrPort, size int) {
	v := p.received.take(s.Seq)
	switch v {
	case duplicate:
		io.Stats.Dropped.Duplicates++
		return
	case stale:
		io.Stats.Dropped.Stale++
		return
	}
	p.alive.hear(io.Now)
	if p.State == peerHalf {
		p.open(io)
	}
	if from != p.Addr && v == fresh && h != nil {
		h.challengePath(io, p, s, from, size)
	}
	if p.State == peerOpen {
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
		io.Deliver(link.Event{Kind: link.Datagram, Peer: p.Name, Data: s.Body})
	case kindSegments:
		p.takeSegments(io, s)
	case kindPing:
		p.send(io, kindPong, s.Body)
	case kindPong:
		p.rtt.add(io.Now - time.Duration(binary.LittleEndian.Uint64(s.Body)))
		p.streams.adapt(io.Now, &p.rtt)
	case kindPath:
		if isClient {
			p.send(io, kindPathOK, s.Body)
		}
	case kindBye:
		p.lose(io, link.CleanReason(string(s.Body)), false)
	}
}

// takeSegments gives segments to KCP and delivers the messages that they complete.
func (p *peer) takeSegments(io *conduit, s session) {
	st := p.streams.of(s.Stream)
	st.input(io.Now, s.Body)
	err := st.receive(io.receiveSpace(), func(m []byte) bool {
		io.Deliver(link.Event{Kind: link.Message, Peer: p.Name, Stream: s.Stream, Data: m})
		return p.State == peerOpen
	})
	if err != nil && p.State == peerOpen {
		p.lose(io, "protocol violation: "+err.Error(), true)
	}
}

// takeLeaving handles a packet of a peer that the caller has closed: only the
// acknowledgements of its last messages count.
func (p *peer) takeLeaving(io *conduit, s session) {
	switch s.Kind {
	case kindBye:
		p.State = peerGone
	case kindSegments:
		if p.State == peerLeaving {
			st := p.streams.of(s.Stream)
			st.input(io.Now, s.Body)
			st.discard(io.receiveSpace())
		}
	}
}

// drive does what is due at this time.
func (p *peer) drive(io *conduit) {
	switch p.State {
	case peerHalf:
		if p.alive.age(io.Now) > io.Opts.DialTimeout {
			p.State = peerGone
		}
	case peerOpen:
		p.driveOpen(io)
	case peerLeaving:
		p.streams.drive(io)
		if p.streams.drained() || p.farewell.due(io.Now) {
			p.sayBye(io)
		}
	case peerBye:
		p.driveBye(io)
	}
}

// due returns when drive has something to do.
func (p *peer) due(now time.Duration, o *Options) time.Duration {
	switch p.State {
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
	if p.alive.silence(io.Now) > io.Opts.Timeout {
		p.lose(io, fmt.Sprintf("no packet for %v", io.Opts.Timeout), true)
		return
	}
	p.streams.drive(io)
	if p.alive.pingDue(io.Now, io.Opts.KeepAlive, !p.streams.of(link.Bulk).drained()) {
		var clock [8]byte
		binary.LittleEndian.PutUint64(clock[:], uint64(io.Now))
		p.send(io, kindPing, clock[:])
	}
}
