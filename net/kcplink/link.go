package kcplink

import (
	"net/netip"
	"time"

	"github.com/hindcast/hindcast/net/link"
)

// Link is one UDP socket and the connections on it. Listen makes a host's Link,
// Dial a client's. It belongs to one goroutine; only Ready and LocalAddr may be
// called from others.
type Link struct {
	io    conduit
	local netip.AddrPort
	inbox *inbox
	batch []packet // the packets of this poll
	peers roster

	host *host   // nil for a client
	dial *dialer // nil for a host
}

var _ link.Link = (*Link)(nil)

func newLink(sock socket, o Options) *Link {
	return &Link{io: newConduit(sock, o), inbox: newInbox(), peers: newRoster()}
}

// LocalAddr returns the address of the socket, with the port that the system
// chose.
func (l *Link) LocalAddr() netip.AddrPort { return l.local }

// Ready implements link.Link.
func (l *Link) Ready() <-chan struct{} { return l.inbox.signalled() }

// Stats returns the counters up to the last call.
func (l *Link) Stats() Stats { return *l.io.stats() }

// PeerAddr returns the address at which an open peer last proved to be.
func (l *Link) PeerAddr(p link.Peer) (addr netip.AddrPort, ok bool) {
	if q := l.peers.open(p); q != nil {
		return q.way().address(), true
	}
	return netip.AddrPort{}, false
}

// Address implements link.Located.
func (l *Link) Address(p link.Peer) (addr netip.Addr, ok bool) {
	at, ok := l.PeerAddr(p)
	return at.Addr().WithZone(""), ok
}

var _ link.Located = (*Link)(nil)

// RTT returns the smoothed round-trip time to an open peer, which includes the
// time that packets wait for a poll at both ends. ok is false until the first ping
// has been answered.
func (l *Link) RTT(p link.Peer) (rtt time.Duration, ok bool) {
	if q := l.peers.open(p); q != nil {
		return q.roundTrip()
	}
	return 0, false
}

// Due implements link.Link.
func (l *Link) Due(now time.Duration) time.Duration {
	if l.io.Down() {
		return link.Never
	}
	due := l.peers.due(now, l.io.opts())
	if l.dial != nil {
		due = min(due, l.dial.due(now, l.io.opts().DialTimeout), l.io.impairedDue())
	}
	return due
}

// Poll implements link.Link. What SendMessage queued and what KCP must send again leaves
// only in Poll.
func (l *Link) Poll(now time.Duration, deliver func(ev link.Event)) {
	if !l.io.Begin(now, deliver) {
		return
	}
	defer l.io.End()
	l.receive()
	if l.dial != nil && !l.io.Down() {
		l.dial.drive(&l.io)
	}
	l.peers.each(func(p *peer) bool {
		if !l.io.Down() {
			p.drive(&l.io)
		}
		return !l.io.Down()
	})
	l.flush()
	l.peers.forgetGone(func(p *peer) {
		if l.host != nil {
			l.host.forget(p)
		}
	})
	if l.io.opts().Check {
		l.peers.check(l.io.stats().Peers)
	}
}

// flush sends what the simulated network of a client gives back.
func (l *Link) flush() {
	if l.dial != nil {
		l.io.flush(l.dial.remote())
	}
}

// receive handles the packets that arrived since the last poll.
func (l *Link) receive() {
	var err error
	l.batch, l.io.stats().Dropped.Overrun, err = l.inbox.swap(l.batch)
	for i := range l.batch {
		p := &l.batch[i]
		l.io.stats().PacketsIn++
		l.io.stats().BytesIn += uint64(p.N)
		l.take(p.Buf[:p.N], p.From)
	}
	if down := l.io.opts().Down; down != nil {
		for b, ok := down.Pop(l.io.Now()); ok && !l.io.Down(); b, ok = down.Pop(l.io.Now()) {
			l.handle(b, l.dial.remote())
		}
	}
	if err != nil {
		l.socketFailed(err)
	}
}

// take takes a packet from the socket. A client listens to its host only, and its
// packets may have to pass a simulated network first.
func (l *Link) take(b []byte, from netip.AddrPort) {
	if l.io.Down() {
		return
	}
	if l.dial != nil && from != l.dial.remote() {
		l.io.stats().Dropped.UnknownConn++
		return
	}
	if down := l.io.opts().Down; down != nil {
		down.Push(l.io.Now(), b)
		return
	}
	l.handle(b, from)
}

// handle parses a packet and gives it to the part that it is for, or drops and
// counts it.
func (l *Link) handle(b []byte, from netip.AddrPort) {
	if len(b) == 0 || len(b) > maxPacket {
		l.io.stats().Dropped.Malformed++
		return
	}
	if !kind(b[0]).isSession() {
		if err := l.handleHandshake(b, from); err != nil {
			l.io.stats().Dropped.Malformed++
		}
		return
	}
	s, err := parseSession(b)
	if err != nil {
		l.io.stats().Dropped.Malformed++
		return
	}
	p := l.peers.alive(s.ID)
	if p == nil {
		l.io.stats().Dropped.UnknownConn++
		return
	}
	opens := p.is(peerHalf)
	p.take(&l.io, l.host, s, from, len(b))
	if l.host != nil && opens && p.is(peerOpen) {
		if old := l.peers.openAt(p.way().address(), p); old != nil {
			old.lose(&l.io, "a new connection came from the same port", true)
		}
	}
}

func (l *Link) handleHandshake(b []byte, from netip.AddrPort) error {
	switch k := kind(b[0]); {
	case l.host != nil && k == kindHello:
		return l.host.onHello(&l.io, b, from)
	case l.host != nil && k == kindConnect:
		return l.host.onConnect(&l.io, &l.peers, b, from)
	case l.dial != nil && k == kindCookie:
		return l.dial.onCookie(&l.io, b)
	case l.dial != nil && k == kindAccept:
		return l.dial.onAccept(&l.io, &l.peers, b)
	case l.dial != nil && k == kindRefuse:
		return l.dial.onRefuse(&l.io, b)
	}
	return errMalformed
}

// socketFailed closes all peers, since nothing more will arrive.
func (l *Link) socketFailed(err error) {
	reason := "socket failed: " + err.Error()
	if l.dial != nil {
		l.dial.fail(&l.io, reason)
	}
	l.peers.each(func(p *peer) bool {
		if !l.io.Down() {
			p.lose(&l.io, reason, false)
		}
		return !l.io.Down()
	})
}
