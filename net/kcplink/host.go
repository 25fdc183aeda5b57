package kcplink

import (
	"fmt"
	"log/slog"
	"maps"
	"net/netip"
)

// host is the part that only a host's Link has: its side of the handshake and of
// the proof of a moved peer's address.
type host struct {
	jar     *jar
	byNonce map[nonceKey]*peer // the peers, for a CONNECT that is repeated
}

// nonceKey identifies a handshake.
type nonceKey struct {
	addr  netip.AddrPort
	nonce uint64
}

func newHost(secret []byte) *host {
	return &host{jar: newJar(secret), byNonce: make(map[nonceKey]*peer)}
}

// onHello answers a HELLO with a cookie and keeps nothing. Every answer is shorter
// than a HELLO, so a forged address gains nothing.
func (h *host) onHello(io *conduit, b []byte, from netip.AddrPort) error {
	m, err := parseHello(b)
	if err != nil {
		return err
	}
	if m.Version != linkVersion || m.Protocol != io.opts().Protocol {
		refuse(io, from, m.Nonce, versionsDiffer(m, io.opts().Protocol))
		return nil
	}
	io.stats().CookiesSent++
	c := h.jar.cookie(io.Now(), from, m.Nonce)
	io.send(from, appendCookie(io.begin(), kindCookie, m.Nonce, c))
	return nil
}

func versionsDiffer(m hello, protocol uint32) string {
	if m.Version != linkVersion {
		return fmt.Sprintf("the host's link version is %d, the client's is %d: run the same release on both sides",
			linkVersion, m.Version)
	}
	return fmt.Sprintf("the host's protocol version is %d, the client's is %d: run the same release on both sides",
		protocol, m.Protocol)
}

// fullReason says that there is no place.
func fullReason(io *conduit) string {
	return fmt.Sprintf("the host is full, %d of %d places are taken", io.stats().Peers, io.opts().MaxPeers)
}

func refuse(io *conduit, to netip.AddrPort, nonce uint64, reason string) {
	io.stats().Refused++
	io.log(slog.LevelDebug, to, "client refused", "addr", to, "reason", reason)
	io.send(to, appendRefuse(io.begin(), nonce, reason))
}

// onConnect makes a peer of a client whose cookie proves its address. The peer is
// half open until the first packet of its connection: a delayed copy of an old
// CONNECT looks the same as a new one.
func (h *host) onConnect(io *conduit, peers *roster, b []byte, from netip.AddrPort) error {
	nonce, c, err := parseCookie(b, kindConnect)
	if err != nil {
		return err
	}
	if !h.jar.checkCookie(io.Now(), from, nonce, c) {
		io.stats().Dropped.CookiesRefused++
		return nil
	}
	key := nonceKey{from, nonce}
	p := h.byNonce[key]
	if p == nil && io.full() {
		refuse(io, from, nonce, fullReason(io))
		return nil
	}
	if p == nil && !peers.admitsHalf(from) {
		io.stats().Dropped.HalfOpen++ // without an answer: the client asks again
		return nil
	}
	if p == nil {
		p = peers.add(io, peers.newID(), from)
		h.byNonce[key] = p
	}
	if p.takesPlace() {
		io.send(from, appendAccept(io.begin(), nonce, p.way().connection()))
	}
	return nil
}

// forget drops the data of a removed peer.
func (h *host) forget(p *peer) {
	maps.DeleteFunc(h.byNonce, func(_ nonceKey, q *peer) bool { return q == p })
}

// challengePath handles a packet on a path that came from another address, and reports
// whether it proves that the peer has moved there. The packet has the right connection
// id, so it counts. But the host sends nothing more to that address until it has proved
// to receive there: otherwise a peer could name a victim's address and have the host flood
// it. The challenge is never longer than the packet that it answers.
func (h *host) challengePath(io *conduit, w *path, s session, from netip.AddrPort, size int) (moved bool) {
	if s.Kind == kindPathOK && h.jar.checkPath(io.Now(), from, w.connection(), s.Body) {
		io.stats().Migrations++
		return true
	}
	if size < pathSize {
		return false
	}
	io.stats().PathsChallenged++
	token := h.jar.pathToken(io.Now(), from, w.connection())
	w.sendTo(io, from, kindPath, token[:])
	return false
}
