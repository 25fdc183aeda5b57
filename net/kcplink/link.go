package kcplink

import (
	"net/netip"
	"time"

	"github.com/hindcast/hindcast/net/link"
)

// Link is one UDP socket and the connections on it. Listen makes a host's, Dial a
// client's. It belongs to one goroutine, except Ready and LocalAddr.
type Link struct {
	opts  Options
	sock  socket
	local netip.AddrPort
	inbox *inbox
	batch []packet // the packets of this poll

	now      time.Duration
	deliver  func(link.Event) // of the poll under way
	down     bool
	stats    Stats
	out      [maxPacket]byte // the packet being built
	scratch  [maxPacket]byte // the KCP segment being cut or joined
	lastName link.Peer

	peers  []*peer // all, in the order they came: what is driven
	byName map[link.Peer]*peer
	byID   map[uint64]*peer

	host *host   // of a host
	dial *dialer // of a client
}

var _ link.Link = (*Link)(nil)

func newLink(sock socket, o Options) *Link {
	return &Link{
		opts:   o,
		sock:   sock,
		inbox:  newInbox(),
		byName: make(map[link.Peer]*peer),
		byID:   make(map[uint64]*peer),
	}
}

// LocalAddr is the address of the socket, with the port that the system chose.
func (l *Link) LocalAddr() netip.AddrPort { return l.local }

// Ready implements link.Link.
func (l *Link) Ready() <-chan struct{} { return l.inbox.ready }

// Stats gives the counters up to the last poll.
func (l *Link) Stats() Stats { return l.stats }

// PeerAddr is the address an open peer was last proved to be at.
func (l *Link) PeerAddr(p link.Peer) (addr netip.AddrPort, ok bool) {
	if q := l.byName[p]; q != nil {
		return q.addr, true
	}
	return netip.AddrPort{}, false
}

// RTT is the smoothed round trip time to an open peer; not ok before the first
// ping has come back. It includes the waiting for polls on both ends.
func (l *Link) RTT(p link.Peer) (rtt time.Duration, ok bool) {
	if q := l.byName[p]; q != nil && q.rtt.smooth > 0 {
		return q.rtt.smooth, true
	}
	return 0, false
}

// Poll implements link.Link. Poll at least 100 times a second: what SendMessage
// queued and what KCP must repeat leaves only here.
func (l *Link) Poll(now time.Duration, deliver func(ev link.Event)) {
	if l.down || l.deliver != nil {
		return
	}
	l.setNow(now)
	l.deliver = deliver
	defer func() { l.deliver = nil }() // also when deliver panics and somebody above recovers
	l.receive()
	if l.dial != nil && !l.down {
		l.driveDial()
	}
	for i := 0; i < len(l.peers) && !l.down; i++ {
		l.drivePeer(l.peers[i])
	}
	l.flushUp()
	l.forgetGone()
}

func (l *Link) setNow(now time.Duration) { l.now = max(l.now, now) }

// receive handles the packets that came since the last poll.
func (l *Link) receive() {
	var err error
	l.batch, l.stats.Overrun, err = l.inbox.swap(l.batch)
	for i := range l.batch {
		p := &l.batch[i]
		l.stats.PacketsIn++
		l.stats.BytesIn += uint64(p.n)
		l.take(p.buf[:p.n], p.from)
	}
	if l.opts.Down != nil {
		for b, ok := l.opts.Down.Pop(l.now); ok && !l.down; b, ok = l.opts.Down.Pop(l.now) {
			l.handle(b, l.dial.remote)
		}
	}
	if err != nil {
		l.socketDied(err)
	}
}

// take is the way of a packet from the socket: a client listens to its host only,
// and may have to pretend that the network is bad.
func (l *Link) take(b []byte, from netip.AddrPort) {
	if l.down {
		return
	}
	if l.dial != nil && from != l.dial.remote {
		l.stats.UnknownConn++
		return
	}
	if l.opts.Down != nil {
		l.opts.Down.Push(l.now, b)
		return
	}
	l.handle(b, from)
}

// handle is where every packet is judged.
func (l *Link) handle(b []byte, from netip.AddrPort) {
	if len(b) == 0 || len(b) > maxPacket {
		l.stats.Malformed++
		return
	}
	if !kind(b[0]).isSession() {
		l.handleHandshake(b, from)
		return
	}
	s, err := parseSession(b)
	if err != nil {
		l.stats.Malformed++
		return
	}
	p := l.byID[s.id]
	if p == nil || p.state == peerGone {
		l.stats.UnknownConn++
		return
	}
	l.takeSession(p, s, from, len(b))
}

func (l *Link) handleHandshake(b []byte, from netip.AddrPort) {
	var err error
	switch k := kind(b[0]); {
	case l.host != nil && k == kindHello:
		err = l.onHello(b, from)
	case l.host != nil && k == kindConnect:
		err = l.onConnect(b, from)
	case l.dial != nil && k == kindCookie:
		err = l.onCookie(b)
	case l.dial != nil && k == kindAccept:
		err = l.onAccept(b)
	case l.dial != nil && k == kindRefuse:
		err = l.onRefuse(b)
	default:
		err = errMalformed
	}
	if err != nil {
		l.stats.Malformed++
	}
}

// transmit sends one packet, or hands it to the pretended network.
func (l *Link) transmit(to netip.AddrPort, b []byte) {
	if l.opts.Up == nil || l.down {
		l.write(to, b)
		return
	}
	l.opts.Up.Push(l.now, b)
}

// flushUp sends what has come through the pretended network.
func (l *Link) flushUp() {
	if l.opts.Up == nil || l.down {
		return
	}
	for b, ok := l.opts.Up.Pop(l.now); ok; b, ok = l.opts.Up.Pop(l.now) {
		l.write(l.dial.remote, b)
	}
}

func (l *Link) write(to netip.AddrPort, b []byte) {
	if _, err := l.sock.WriteToUDPAddrPort(b, to); err != nil {
		l.stats.SendErrors++
		return
	}
	l.stats.PacketsOut++
	l.stats.BytesOut += uint64(len(b))
}

// socketDied closes all peers: nothing more will come.
func (l *Link) socketDied(err error) {
	reason := "socket failed: " + err.Error()
	if l.dial != nil && l.dial.state != dialDone {
		l.failDial(reason)
	}
	for i := 0; i < len(l.peers) && !l.down; i++ {
		l.losePeer(l.peers[i], reason, false)
	}
}

// forgetGone drops the peers that are done with.
func (l *Link) forgetGone() {
	kept := l.peers[:0]
	for _, p := range l.peers {
		if p.state != peerGone {
			kept = append(kept, p)
			continue
		}
		delete(l.byID, p.id)
		if l.host != nil {
			delete(l.host.byNonce, p.key)
		}
	}
	clear(l.peers[len(kept):])
	l.peers = kept
}
