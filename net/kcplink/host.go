package kcplink

import (
	"fmt"
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
	if m.Version != linkVersion || m.Protocol != io.Opts.Protocol {
		refuse(io, from, m.Nonce, versionsDiffer(m, io.Opts.Protocol))
		return nil
	}
	io.Stats.CookiesSent++
	c := h.jar.cookie(io.Now, from, m.Nonce)
	io.send(from, appendCookie(io.begin(), kindCookie, m.Nonce, c))
	return nil
}

func versionsDiffer(m hello, protocol uint32) string {
	if m.Version != linkVersion {
		return fmt.Sprintf("the host's link version is %d, the client's is %d: run the same release on both sides", linkVersion, m.Version)
	}
	return fmt.Sprintf("the host's protocol version is %d, the client's is %d: run the same release on both sides", protocol, m.Protocol)
}

func refuse(io *conduit, to netip.AddrPort, nonce uint64, reason string) {
	io.Stats.Refused++
	io.Opts.Logger.Debug("client refused", "addr", to, "reason", reason)
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
	if !h.jar.checkCookie(io.Now, from, nonce, c) {
		io.Stats.Dropped.CookiesRefused++
		return nil
	}
	key := nonceKey{from, nonce}
	p := h.byNonce[key]
	if taken := peers.occupied(); p == nil && taken >= io.Opts.MaxPeers {
		refuse(io, from, nonce, fmt.Sprintf("the host is full, %d of %d places are taken", taken, io.Opts.MaxPeers))
		return nil
	}
	if p == nil {
		p = newPeer(io, peers.newID(), from)
		p.Key = key
		peers.add(p)
		h.byNonce[key] = p
	}
	if p.State.takesPlace() {
		io.send(from, appendAccept(io.begin(), nonce, p.ID))
	}
	return nil
}

// forget drops what is kept for a peer that is gone.
func (h *host) forget(p *peer) { delete(h.byNonce, p.Key) }

// challengePath handles a packet of p that came from another address. The packet
// has the right connection id, so it counts. But the host sends nothing more to
// that address until it has proved to receive there: else a peer could name a
// victim's address and have the host flood it. The challenge is never longer than
// the packet that it answers.
func (h *host) challengePath(io *conduit, p *peer, s session, from netip.AddrPort, size int) {
	if s.Kind == kindPathOK && h.jar.checkPath(io.Now, from, p.ID, s.Body) {
		io.Stats.Migrations++
		io.Opts.Logger.Info("peer moved", "peer", uint64(p.Name), "from", p.Addr, "to", from)
		p.Addr = from
		return
	}
	if size < pathSize {
		return
	}
	io.Stats.PathsChallenged++
	token := h.jar.pathToken(io.Now, from, p.ID)
	p.sendTo(io, from, kindPath, token[:])
}
