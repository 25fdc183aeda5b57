package kcplink

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/runtime/simtest/draws"
	"pgregory.net/rapid"
)

func TestBothEndsOpen(t *testing.T) {
	_, host, client := opened(t, Options{Protocol: 3}, Options{Protocol: 3})
	if got := client.events[0]; got.Peer != 1 {
		t.Errorf("the host is peer %d to its client, want 1", got.Peer)
	}
	if a, ok := host.PeerAddr(host.events[0].Peer); !ok || a != client.sock.addr {
		t.Errorf("the host has its peer at %v, %v", a, ok)
	}
	if s := host.Stats(); s.Peers != 1 || s.CookiesSent != 1 || s.Dropped.Malformed != 0 {
		t.Errorf("%+v", s)
	}
}

func TestVersionsMustAgree(t *testing.T) {
	w := newWire(t)
	host := w.listen(1, Options{Protocol: 3})
	client := w.dialTo(2, host, Options{Protocol: 4})
	w.run(50*time.Millisecond, host, client)
	const want = "refused by 10.0.0.1:7777: the host's protocol version is 3, the client's is 4: run the same release on both sides"
	if len(client.events) != 1 || client.events[0].Kind != link.Closed || client.events[0].Reason != want {
		t.Errorf("client saw %+v", client.events)
	}
	if len(host.events) != 0 || len(host.Link.peers.all) != 0 || host.Stats().Refused != 1 {
		t.Errorf("host saw %+v and has %d peers", host.events, len(host.Link.peers.all))
	}
	if err := client.SendDatagram(w.now, 1, []byte("x")); err == nil {
		t.Error("a refused client may send")
	}

	old := w.bare(3)
	w.send(old.addr, host.sock.addr, appendHello(nil, hello{linkVersion + 1, 3, 9}))
	host.poll(w.now)
	if _, reason, err := parseRefuse(old.got[0]); err != nil || !strings.Contains(reason, "link version is 1, the client's is 2") {
		t.Errorf("another link version is answered with %q, %v", reason, err)
	}
}

func TestFullHostRefusesUntilAPeerLeaves(t *testing.T) {
	w := newWire(t)
	host := w.listen(1, Options{MaxPeers: 2})
	nodes := []*node{host}
	for i := range 3 {
		nodes = append(nodes, w.dialTo(2+i, host, Options{}))
		w.run(30*time.Millisecond, nodes...)
	}
	third := nodes[3]
	if len(third.events) != 1 || !strings.Contains(third.events[0].Reason, "the host is full, 2 of 2 places are taken") {
		t.Fatalf("the third client saw %+v", third.events)
	}
	host.Close(w.now, host.events[0].Peer, "make room")
	nodes = append(nodes, w.dialTo(9, host, Options{}))
	w.run(30*time.Millisecond, nodes...)
	if fourth := nodes[4]; len(fourth.of(link.Opened)) != 1 {
		t.Errorf("a place is free, and the next client saw %+v", fourth.events)
	}
}

func TestNoAnswer(t *testing.T) {
	w := newWire(t)
	gone := w.listen(1, Options{})
	client := w.dialTo(2, gone, Options{})
	w.run(5*time.Second, client) // the host is never polled
	if len(client.events) != 0 {
		t.Fatalf("gave up early: %+v", client.events)
	}
	w.run(50*time.Millisecond, client)
	if len(client.events) != 1 || client.events[0].Reason != "no answer from 10.0.0.1:7777 in 5s" || client.events[0].Peer != 1 {
		t.Errorf("client saw %+v", client.events)
	}
	n := client.Stats().PacketsOut
	w.run(5*time.Second, client)
	if client.Stats().PacketsOut != n || len(client.events) != 1 {
		t.Error("it goes on after giving up")
	}
}

// TestEveryHandshakePacketMayBeLost loses each packet in turn.
func TestEveryHandshakePacketMayBeLost(t *testing.T) {
	for lost := range 6 {
		w := newWire(t)
		host := w.listen(1, Options{})
		client := w.dialTo(2, host, Options{})
		n := 0
		w.drop = func(_, _ ipPort, _ []byte) bool {
			n++
			return n-1 == lost
		}
		w.run(600*time.Millisecond, host, client)
		if len(host.of(link.Opened)) != 1 || len(client.of(link.Opened)) != 1 {
			t.Errorf("without packet %d: host saw %v, client saw %v", lost, host.events, client.events)
		}
	}
}

func TestAnOldCookieIsReplaced(t *testing.T) {
	w := newWire(t)
	host := w.listen(1, Options{})
	client := w.dialTo(2, host, Options{DialTimeout: time.Minute})
	w.drop = func(_, _ ipPort, b []byte) bool { return kind(b[0]) == kindConnect && w.now < 30*time.Second }
	w.run(32*time.Second, host, client)
	if len(host.of(link.Opened)) != 1 {
		t.Errorf("host saw %v, refused %d cookies", host.events, host.Stats().Dropped.CookiesRefused)
	}
	if host.Stats().CookiesSent < 2 {
		t.Error("the cookie was never replaced")
	}
}

// connectByHand does a handshake as a client of its own would, and returns the
// CONNECT and the connection id.
func connectByHand(w *wire, host *node, s *wireSock, nonce uint64) (connect []byte, id uint64) {
	w.t.Helper()
	return connectByPoll(w, host, s, nonce, host.poll)
}

func TestRepeatedConnectIsTheSamePeer(t *testing.T) {
	w := newWire(t)
	host := w.listen(1, Options{})
	s := w.bare(2)
	connect, _ := connectByHand(w, host, s, 5)
	for range 3 {
		w.send(s.addr, host.sock.addr, connect)
		host.poll(w.now)
	}
	for _, b := range s.got[2:] {
		if !bytes.Equal(b, s.got[1]) {
			t.Errorf("the answer changed from %x to %x", s.got[1], b)
		}
	}
	if len(s.got) != 5 || len(host.Link.peers.all) != 1 {
		t.Errorf("%d answers, %d peers", len(s.got), len(host.Link.peers.all))
	}
}

func TestLateCopyOfConnectOpensNoPeer(t *testing.T) {
	w := newWire(t)
	host := w.listen(1, Options{})
	s := w.bare(2)
	connect, id := connectByHand(w, host, s, 5)
	w.send(s.addr, host.sock.addr, packetOf(kindPing, id, 0, make([]byte, 8)))
	w.send(s.addr, host.sock.addr, packetOf(kindBye, id, 1, nil))
	host.poll(w.now)
	w.send(s.addr, host.sock.addr, connect)
	host.poll(w.now)
	if got := len(host.of(link.Opened)); got != 1 {
		t.Errorf("opened %d times", got)
	}
	w.run(6*time.Second, host)
	if len(host.Link.peers.all) != 0 || len(host.host.byNonce) != 0 || len(host.Link.peers.byID) != 0 {
		t.Errorf("half open for ever: %d peers", len(host.Link.peers.all))
	}
	if len(host.events) != 2 {
		t.Errorf("events of a peer that never was: %+v", host.events)
	}
}

// TestUnprovedAddressesAreNotAmplified throws all kinds of packets
// from unproved addresses at a host.
func TestUnprovedAddressesAreNotAmplified(t *testing.T) {
	draws.Check(t, func(rt *rapid.T) {
		w := newWire(t)
		host := w.listen(1, Options{Protocol: 1})
		strangers := []*wireSock{w.bare(2), w.bare(3), w.bare(4)}
		in := make(map[*wireSock]int)
		for range rapid.IntRange(1, 40).Draw(rt, "packets") {
			s := rapid.SampledFrom(strangers).Draw(rt, "from")
			b := arbitraryPacket(rt)
			in[s] += len(b)
			w.send(s.addr, host.sock.addr, b)
			if rapid.Bool().Draw(rt, "poll") {
				w.run(time.Duration(rapid.IntRange(0, 3000).Draw(rt, "ms"))*time.Millisecond, host)
			}
		}
		host.poll(w.now)
		for i, s := range strangers {
			out := 0
			for _, b := range s.got {
				out += len(b)
			}
			if out > in[s] {
				rt.Fatalf("stranger %d sent %d bytes and got %d", i, in[s], out)
			}
		}
		if len(host.Link.peers.all)+len(host.Link.peers.byID)+len(host.Link.peers.byName)+len(host.host.byNonce)+len(host.events) != 0 {
			rt.Fatalf("the host keeps something: %d peers, events %v", len(host.Link.peers.all), host.events)
		}
	})
}

func arbitraryPacket(t *rapid.T) []byte {
	nonce := rapid.Uint64Range(0, 3).Draw(t, "nonce")
	switch rapid.IntRange(0, 5).Draw(t, "kind") {
	case 0:
		return appendHello(nil, hello{linkVersion, 1, nonce})
	case 1:
		return appendHello(nil, hello{rapid.Uint8().Draw(t, "version"), rapid.Uint32().Draw(t, "protocol"), nonce})
	case 2:
		return appendHello(nil, hello{linkVersion, 1, nonce})[:rapid.IntRange(0, helloSize).Draw(t, "size")]
	case 3:
		var c cookie
		c[0] = rapid.Byte().Draw(t, "cookie")
		return appendCookie(nil, kindConnect, nonce, c)
	case 4:
		k := rapid.SampledFrom([]kind{kindDatagram, kindPing, kindBye, kindPath, kindPathOK, kindAccept, kindRefuse, kindCookie}).Draw(t, "session")
		return packetOf(k, rapid.Uint64().Draw(t, "id"), 1, make([]byte, 8))
	}
	return rapid.SliceOfN(rapid.Byte(), 0, maxPacket+1).Draw(t, "garbage")
}

// TestHelloFloodLeavesRoomForPeers: the inbox keeps places that strangers
// cannot take.
func TestHelloFloodLeavesRoomForPeers(t *testing.T) {
	w, host, client := opened(t, Options{}, Options{})
	forged := appendHello(nil, hello{linkVersion, 0, 1})
	for i := range 2 * inboxStrangers {
		w.send(addrN(100+i), host.sock.addr, forged)
	}
	if err := client.SendDatagram(w.now, 1, []byte("through")); err != nil {
		t.Fatal(err)
	}
	host.poll(w.now)
	if got := host.datagrams(); len(got) != 1 || got[0] != "through" {
		t.Errorf("the host got %q", got)
	}
	if got := host.Stats().Dropped.Overrun; got != inboxStrangers {
		t.Errorf("%d packets counted as too many, want %d", got, inboxStrangers)
	}
	if len(host.Link.peers.all) != 1 {
		t.Errorf("%d peers", len(host.Link.peers.all))
	}
}
