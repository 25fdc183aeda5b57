package kcplink

import (
	"net/netip"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/internal/linkbase"
	"github.com/hindcast/hindcast/net/link"
)

// at returns an address with nothing but a mailbox.
func (w *wire) at(addr netip.AddrPort) *wireSock {
	s := &wireSock{w: w, addr: addr}
	w.socks[addr] = s
	return s
}

// TestOnePortTakesOnePlace tests one port that connects with ever new nonces, and opens the connections or does not. An
// honest client gets in at once.
func TestOnePortTakesOnePlace(t *testing.T) {
	for _, opens := range []bool{false, true} {
		w := newWire(t)
		host := w.listen(1, Options{MaxPeers: 8})
		s := w.bare(2)
		for nonce := range uint64(128) {
			_, id := connectByHand(w, host, s, nonce)
			if opens {
				w.send(s.addr, host.sock.addr, packetOf(kindPing, id, 1, make([]byte, 8)))
				host.poll(w.now)
			}
		}
		left := len(host.Link.peers.all) // those that say goodbye do not count
		for _, e := range host.Link.peers.all {
			if !e.peer.takesPlace() {
				left--
			}
		}
		if left != 1 {
			t.Errorf("opens %v: one port holds %d places", opens, left)
		}
		client := w.dialTo(3, host, Options{})
		w.run(200*time.Millisecond, host, client)
		if len(client.of(link.Opened)) != 1 {
			t.Errorf("opens %v: the honest client saw %+v", opens, client.events)
		}
	}
}

// halfOpen connects an address that says nothing more.
func (w *wire) halfOpen(host *node, from netip.AddrPort, nonce uint64) {
	w.t.Helper()
	s := w.at(from)
	w.send(s.addr, host.sock.addr, appendHello(nil, hello{linkVersion, 0, nonce}))
	host.poll(w.now)
	_, c, err := parseCookie(s.got[len(s.got)-1], kindCookie)
	if err != nil {
		w.t.Fatal(err)
	}
	w.send(s.addr, host.sock.addr, appendCookie(nil, kindConnect, nonce, c))
	host.poll(w.now)
}

// TestOneNetworkLeavesPlaces tests one /48 that connects from ports of each of its /56, again and again, and says nothing.
// It also opens as many connections as a host lets wait, and there are 64 players. An honest client gets in.
func TestOneNetworkLeavesPlaces(t *testing.T) {
	w := newWire(t)
	host := w.listen(1, Options{})
	at := func(net, sub byte, port uint16) netip.AddrPort {
		return netip.AddrPortFrom(netip.AddrFrom16([16]byte{0x20, 0x01, 0x0d, 0xb8, 0, net, sub, 15: 1}), 1000+port)
	}
	for i := range uint64(64 + 128) {
		s := w.at(at(byte(max(64, i)), byte(i), 0))
		if i >= 64 {
			s = w.at(at(1, byte(i), 100))
		}
		_, id := connectByHand(w, host, s, i)
		w.send(s.addr, host.sock.addr, packetOf(kindPing, id, 1, make([]byte, 8)))
		host.poll(w.now)
	}
	nonce := uint64(1000)
	attack := func() {
		for port := range uint16(4) {
			for sub := range 70 {
				nonce++
				w.halfOpen(host, at(1, byte(sub), port), nonce)
			}
		}
	}
	attack()
	if n := host.Stats().Dropped.HalfOpen; n < 100 {
		t.Errorf("%d of 280 connections found no room", n)
	}
	client := w.dialTo(3, host, Options{})
	for range 4 {
		w.run(250*time.Millisecond, host, client)
		attack()
	}
	if len(client.of(link.Opened)) != 1 {
		t.Errorf("the honest client saw %+v", client.events)
	}
}

// TestHalfOpenConnectionsAreDivided tests one machine that connects from ever new ports and says nothing: others can
// still connect, and 32 players behind one address, too.
func TestHalfOpenConnectionsAreDivided(t *testing.T) {
	w := newWire(t)
	host := w.listen(1, Options{})
	for port := range uint16(400) {
		w.halfOpen(host, netip.AddrPortFrom(netip.AddrFrom4([4]byte{192, 0, 2, 1}), 1000+port), uint64(port))
	}
	if n := len(host.Link.peers.all); n != linkbase.MostNewcomers/2 || host.Stats().Dropped.HalfOpen != 400-linkbase.MostNewcomers/2 {
		t.Errorf("%d half-open connections of one machine; %+v", n, host.Stats().Dropped)
	}
	var clients []*node
	all := []*node{host}
	for i := range 32 {
		s := w.at(netip.AddrPortFrom(netip.AddrFrom4([4]byte{198, 51, 100, 1}), 2000+uint16(i)))
		o, err := Options{Check: true}.filled(false)
		if err != nil {
			t.Fatal(err)
		}
		s.l = newLink(s, o)
		close(s.l.inbox.done)
		c := &node{Link: s.l, sock: s}
		c.dial = newDialer(host.sock.addr)
		clients, all = append(clients, c), append(all, c)
	}
	w.run(2*time.Second, all...)
	for i, c := range clients {
		if len(c.of(link.Opened)) != 1 {
			t.Errorf("client %d saw %+v", i, c.events)
		}
	}
}
