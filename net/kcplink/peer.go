package kcplink

import (
	"encoding/binary"
	"fmt"
	"net/netip"
	"time"

	"github.com/hindcast/hindcast/net/link"
)

const (
	fastPing  = 100 * time.Millisecond // between pings while bulk is under way, or nothing was heard yet
	flushTime = 500 * time.Millisecond // for messages sent before Close
	byeCount  = 3                      // goodbyes are not acknowledged, so some are sent
	byeGap    = 50 * time.Millisecond  // between them
)

type peerState uint8

const (
	peerHalf    peerState = iota // host: accepted, nothing of the connection came yet
	peerOpen                     // Opened was delivered
	peerLeaving                  // closed by us: the last messages are under way
	peerBye                      // the goodbyes are being sent
	peerGone                     // to be forgotten at the end of the poll
)

// nonceKey finds the peer of a CONNECT that is repeated.
type nonceKey struct {
	addr  netip.AddrPort
	nonce uint64
}

// peer is one connection.
type peer struct {
	name  link.Peer
	id    uint64   // on the wire; who does not see our packets cannot know it
	key   nonceKey // of a host's peer
	addr  netip.AddrPort
	state peerState

	seq      uint32 // of the next packet
	received seqWindow
	bornAt   time.Duration
	heardAt  time.Duration
	heard    bool
	pingAt   time.Duration // when the next ping is due

	streams [link.Streams]*stream
	rtt     rttMeter
	pace    pacer

	reason string        // of the goodbye
	byes   int           // sent
	nextAt time.Duration // leaving: when to stop waiting; bye: when to send the next
}

// addPeer makes a peer of this link, half open.
func (l *Link) addPeer(id uint64, addr netip.AddrPort) *peer {
	l.lastName++
	p := &peer{name: l.lastName, id: id, addr: addr, bornAt: l.now, heardAt: l.now, pace: newPacer()}
	limits := [link.Streams]int{link.Control: link.MaxControl, link.Bulk: l.opts.MaxBulk}
	for i := range p.streams {
		p.streams[i] = newStream(link.Stream(i), limits[i], func(b []byte, n int) {
			l.sendSession(p, kindSegments, b[:n])
		})
	}
	l.peers = append(l.peers, p)
	l.byID[id] = p
	return p
}

// openPeer makes p known to the caller.
func (l *Link) openPeer(p *peer) {
	p.state = peerOpen
	l.byName[p.name] = p
	l.stats.Peers++
	l.opts.Logger.Info("peer opened", "peer", uint64(p.name), "addr", p.addr)
	l.deliver(link.Event{Kind: link.Opened, Peer: p.name})
}

// hidePeer takes p from the caller's sight. Its connection may live on a little
// to say goodbye.
func (l *Link) hidePeer(p *peer, reason string) {
	delete(l.byName, p.name)
	l.stats.Peers--
	l.opts.Logger.Info("peer closed", "peer", uint64(p.name), "addr", p.addr, "reason", reason)
}

// losePeer ends a connection that the caller did not end, and tells it why.
// Every path but the peer's own goodbye also tells the peer.
func (l *Link) losePeer(p *peer, reason string, tell bool) {
	wasOpen := p.state == peerOpen
	p.state = peerGone
	if tell {
		p.state, p.reason, p.nextAt = peerBye, reason, l.now
	}
	if wasOpen {
		l.hidePeer(p, reason)
		l.deliver(link.Event{Kind: link.Closed, Peer: p.name, Reason: reason})
	}
}

// sendSession sends a packet of p's connection to its proved address.
func (l *Link) sendSession(p *peer, k kind, body []byte) {
	b := appendHeader(l.out[:0], k, p.id, p.seq)
	p.seq++
	l.transmit(p.addr, append(b, body...))
}

func (l *Link) sendClock(p *peer, k kind, clock uint64) {
	var body [8]byte
	binary.LittleEndian.PutUint64(body[:], clock)
	l.sendSession(p, k, body[:])
}

// drivePeer does what time asks for.
func (l *Link) drivePeer(p *peer) {
	switch p.state {
	case peerHalf:
		if l.now-p.bornAt > l.opts.DialTimeout {
			p.state = peerGone
		}
	case peerOpen:
		l.driveOpen(p)
	case peerLeaving:
		l.driveStreams(p)
		if p.drained() || l.now >= p.nextAt {
			p.state, p.nextAt = peerBye, l.now
			l.driveBye(p)
		}
	case peerBye:
		l.driveBye(p)
	}
}

func (l *Link) driveOpen(p *peer) {
	if l.now-p.heardAt > l.opts.Timeout {
		l.losePeer(p, fmt.Sprintf("no packet for %v", l.opts.Timeout), true)
		return
	}
	l.driveStreams(p)
	if l.now < p.pingAt {
		return
	}
	l.sendClock(p, kindPing, uint64(l.now))
	p.pingAt = l.now + l.opts.KeepAlive
	if !p.heard || !p.streams[link.Bulk].drained() {
		p.pingAt = l.now + min(fastPing, l.opts.KeepAlive)
	}
}

func (l *Link) driveStreams(p *peer) {
	for _, s := range p.streams {
		if s.queued > 0 {
			s.pump(l.now, p.paceOf(s.name), l.scratch[:])
		}
		s.drive(l.now)
	}
}

// paceOf is nil for a stream that is not paced.
func (p *peer) paceOf(s link.Stream) *pacer {
	if s == link.Bulk {
		return &p.pace
	}
	return nil
}

func (p *peer) drained() bool {
	for _, s := range p.streams {
		if !s.drained() {
			return false
		}
	}
	return true
}

func (l *Link) driveBye(p *peer) {
	if l.now < p.nextAt {
		return
	}
	l.sendSession(p, kindBye, []byte(cleanReason(p.reason)))
	p.nextAt = l.now + byeGap
	if p.byes++; p.byes >= byeCount {
		p.state = peerGone
	}
}

// takeSession handles a packet that carries p's connection id.
func (l *Link) takeSession(p *peer, s session, from netip.AddrPort, size int) {
	v := p.received.take(s.seq)
	switch v {
	case duplicate:
		l.stats.Duplicates++
		return
	case stale:
		l.stats.Stale++
		return
	}
	p.heardAt, p.heard = l.now, true
	if p.state == peerHalf {
		l.openPeer(p)
	}
	if from != p.addr && v == fresh {
		l.challengePath(p, s, from, size)
	}
	if p.state == peerOpen {
		l.takeOpen(p, s)
		return
	}
	l.takeLeaving(p, s)
}

// takeOpen handles a packet of an open peer. The caller's deliver may close it.
func (l *Link) takeOpen(p *peer, s session) {
	switch s.kind {
	case kindDatagram:
		l.deliver(link.Event{Kind: link.Datagram, Peer: p.name, Data: s.body})
	case kindSegments:
		l.takeSegments(p, s)
	case kindPing:
		l.sendSession(p, kindPong, s.body)
	case kindPong:
		p.rtt.add(l.now - time.Duration(binary.LittleEndian.Uint64(s.body)))
		p.pace.adapt(l.now, &p.rtt)
	case kindPath:
		if l.dial != nil {
			l.sendSession(p, kindPathOK, s.body)
		}
	case kindBye:
		l.losePeer(p, cleanReason(string(s.body)), false)
	}
}

// takeSegments lets KCP have them and delivers the messages they complete.
func (l *Link) takeSegments(p *peer, s session) {
	st := p.streams[s.stream]
	st.input(l.now, s.body)
	err := st.receive(l.scratch[:], func(m []byte) bool {
		l.deliver(link.Event{Kind: link.Message, Peer: p.name, Stream: s.stream, Data: m})
		return p.state == peerOpen
	})
	if err != nil && p.state == peerOpen {
		l.losePeer(p, "protocol violation: "+err.Error(), true)
	}
}

// takeLeaving handles a packet of a peer that the caller has done with: only the
// acknowledgements of its last messages matter.
func (l *Link) takeLeaving(p *peer, s session) {
	switch s.kind {
	case kindBye:
		p.state = peerGone
	case kindSegments:
		if p.state == peerLeaving {
			st := p.streams[s.stream]
			st.input(l.now, s.body)
			st.discard(l.scratch[:])
		}
	}
}
