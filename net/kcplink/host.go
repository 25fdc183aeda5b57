package kcplink

import (
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"net/netip"
)

// host is what only a host's Link has.
type host struct {
	jar     *jar
	byNonce map[nonceKey]*peer
}

func newHost(secret []byte) *host {
	return &host{jar: newJar(secret), byNonce: make(map[nonceKey]*peer)}
}

// onHello answers with a cookie and remembers nothing. The answer is shorter than
// the question whatever it is, so that a forged address gains nothing.
func (l *Link) onHello(b []byte, from netip.AddrPort) error {
	h, err := parseHello(b)
	if err != nil {
		return err
	}
	if h.version != linkVersion || h.protocol != l.opts.Protocol {
		l.refuse(from, h.nonce, versionsDiffer(h, l.opts.Protocol))
		return nil
	}
	l.stats.CookiesSent++
	c := l.host.jar.cookie(l.now, from, h.nonce)
	l.transmit(from, appendCookie(l.out[:0], kindCookie, h.nonce, c))
	return nil
}

func versionsDiffer(h hello, protocol uint32) string {
	if h.version != linkVersion {
		return fmt.Sprintf("the host's link version is %d, the client's is %d: run the same release on both sides", linkVersion, h.version)
	}
	return fmt.Sprintf("the host's protocol version is %d, the client's is %d: run the same release on both sides", protocol, h.protocol)
}

func (l *Link) refuse(to netip.AddrPort, nonce uint64, reason string) {
	l.stats.Refused++
	l.opts.Logger.Debug("client refused", "addr", to, "reason", reason)
	l.transmit(to, appendRefuse(l.out[:0], nonce, reason))
}

// onConnect makes a peer of a client whose address the cookie proves. The peer is
// delivered only when the first packet of its connection comes: until then a
// delayed copy of an old CONNECT would look just the same.
func (l *Link) onConnect(b []byte, from netip.AddrPort) error {
	nonce, c, err := parseCookie(b, kindConnect)
	if err != nil {
		return err
	}
	if !l.host.jar.checkCookie(l.now, from, nonce, c) {
		l.stats.CookiesRefused++
		return nil
	}
	key := nonceKey{from, nonce}
	p := l.host.byNonce[key]
	if p == nil && l.occupied() >= l.opts.MaxPeers {
		l.refuse(from, nonce, fmt.Sprintf("the host is full, %d of %d places are taken", l.occupied(), l.opts.MaxPeers))
		return nil
	}
	if p == nil {
		p = l.addPeer(l.newID(), from)
		p.key = key
		l.host.byNonce[key] = p
	}
	if p.state == peerHalf || p.state == peerOpen {
		l.transmit(from, appendAccept(l.out[:0], nonce, p.id))
	}
	return nil
}

// occupied counts the places taken. Who is leaving holds none.
func (l *Link) occupied() int {
	n := 0
	for _, p := range l.peers {
		if p.state == peerHalf || p.state == peerOpen {
			n++
		}
	}
	return n
}

// newID draws a connection id that cannot be guessed and is not in use.
func (l *Link) newID() uint64 {
	for {
		var b [8]byte
		rand.Read(b[:]) // never fails, says its documentation
		id := binary.LittleEndian.Uint64(b[:])
		if id != 0 && l.byID[id] == nil {
			return id
		}
	}
}

// challengePath deals with a packet of p that came from another address. It knew
// the connection id, so its content counts; but before anything more is sent
// there, the address must prove that it receives: a peer could name a victim's
// address and have us flood it. The challenge is never longer than the packet it
// answers.
func (l *Link) challengePath(p *peer, s session, from netip.AddrPort, size int) {
	if l.host == nil {
		return
	}
	if s.kind == kindPathOK && l.host.jar.checkPath(l.now, from, p.id, s.body) {
		l.stats.Migrations++
		l.opts.Logger.Info("peer moved", "peer", uint64(p.name), "from", p.addr, "to", from)
		p.addr = from
		return
	}
	if size < pathSize {
		return
	}
	l.stats.PathsChallenged++
	token := l.host.jar.pathToken(l.now, from, p.id)
	b := appendHeader(l.out[:0], kindPath, p.id, p.seq)
	p.seq++
	l.transmit(from, append(b, token[:]...))
}
