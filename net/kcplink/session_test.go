package kcplink

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/link"
)

func TestDatagramsGoBothWays(t *testing.T) {
	w, host, client := opened(t, Options{}, Options{})
	p := host.events[0].Peer
	for _, err := range []error{
		client.SendDatagram(w.now, 1, []byte("input")),
		host.SendDatagram(w.now, p, []byte("snapshot")),
		host.SendDatagram(w.now, p, make([]byte, link.MaxDatagram)),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	w.run(10*time.Millisecond, host, client)
	if got := host.datagrams(); len(got) != 1 || got[0] != "input" {
		t.Errorf("host got %q", got)
	}
	if got := client.datagrams(); len(got) != 2 || got[0] != "snapshot" || len(got[1]) != link.MaxDatagram {
		t.Errorf("client got %d", len(got))
	}
}

func TestSendsThatAreRefused(t *testing.T) {
	w, _, client := opened(t, Options{}, Options{})
	for _, c := range []struct {
		name string
		err  error
		want error
	}{
		{"no peer", client.SendDatagram(w.now, 2, []byte("x")), link.ErrNoPeer},
		{"peer zero", client.SendMessage(w.now, 0, link.Control, []byte("x")), link.ErrNoPeer},
		{"empty datagram", client.SendDatagram(w.now, 1, nil), link.ErrEmpty},
		{"empty message", client.SendMessage(w.now, 1, link.Bulk, nil), link.ErrEmpty},
		{"large datagram", client.SendDatagram(w.now, 1, make([]byte, link.MaxDatagram+1)), link.ErrTooLarge},
		{"large message", client.SendMessage(w.now, 1, link.Control, make([]byte, link.MaxControl+1)), link.ErrTooLarge},
		{"no stream", client.SendMessage(w.now, 1, 2, []byte("x")), link.ErrTooLarge},
	} {
		if !errors.Is(c.err, c.want) {
			t.Errorf("%s: %v, want %v", c.name, c.err, c.want)
		}
	}
	m := make([]byte, link.MaxControl)
	var err error
	for range 4 { // lengths too need their place, so the fourth is too much
		err = client.SendMessage(w.now, 1, link.Control, m)
	}
	if !errors.Is(err, link.ErrBacklog) {
		t.Errorf("a full queue says %v", err)
	}
	if err := client.SendMessage(w.now, 1, link.Bulk, make([]byte, link.MaxBulk)); err != nil {
		t.Errorf("the largest message: %v", err)
	}
	if err := client.Shutdown("done"); err != nil {
		t.Error(err)
	}
	if err := client.SendDatagram(w.now, 1, []byte("x")); !errors.Is(err, link.ErrShutdown) {
		t.Errorf("after Shutdown: %v", err)
	}
}

func TestDuplicatesAndOldPacketsAreDropped(t *testing.T) {
	w := newWire(t)
	host := w.listen(1, Options{})
	s := w.bare(2)
	_, id := connectByHand(w, host, s, 5)
	for _, seq := range []uint32{2000, 2001, 2001, 1999, 2000, 1999, 900, 978} {
		w.send(s.addr, host.sock.addr, packetOf(kindDatagram, id, seq, []byte{byte(seq)}))
	}
	host.poll(w.now)
	want := []string{string([]byte{2000 & 255}), string([]byte{2001 & 255}), string([]byte{1999 & 255}), string([]byte{978 & 255})}
	if got := host.datagrams(); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if st := host.Stats(); st.Dropped.Duplicates != 3 || st.Dropped.Stale != 1 {
		t.Errorf("%d duplicates, %d stale; want 3, 1", st.Dropped.Duplicates, st.Dropped.Stale)
	}
}

func TestGoodbye(t *testing.T) {
	w, host, client := opened(t, Options{}, Options{})
	client.Close(w.now, 1, "player\nleft")
	if err := client.SendDatagram(w.now, 1, []byte("x")); !errors.Is(err, link.ErrNoPeer) {
		t.Errorf("sending to a closed peer: %v", err)
	}
	client.Close(w.now, 1, "again")
	w.run(500*time.Millisecond, host, client)
	if got := host.of(link.Closed); len(got) != 1 || got[0].Reason != "player left" {
		t.Errorf("host saw %+v", got)
	}
	if len(client.of(link.Closed)) != 0 {
		t.Error("who closes hears Closed")
	}
	if len(host.Link.peers.byID)+len(host.Link.peers.byName)+len(host.host.byNonce)+len(client.Link.peers.byID) != 0 || host.Stats().Peers != 0 {
		t.Error("something is kept of the peer")
	}
}

func TestGoodbyeSurvivesLoss(t *testing.T) {
	w, host, client := opened(t, Options{}, Options{})
	byes := 0
	w.drop = func(_, _ ipPort, b []byte) bool {
		if kind(b[0]) == kindBye {
			byes++
		}
		return kind(b[0]) == kindBye && byes < byeCount
	}
	host.Close(w.now, host.events[0].Peer, "kicked")
	w.run(500*time.Millisecond, host, client)
	if got := client.of(link.Closed); len(got) != 1 || got[0].Reason != "kicked" {
		t.Errorf("client saw %+v after %d goodbyes", got, byes)
	}
}

func TestTimeout(t *testing.T) {
	w, host, client := opened(t, Options{}, Options{})
	w.run(30*time.Second, host, client)
	if len(host.of(link.Closed))+len(client.of(link.Closed)) != 0 {
		t.Fatal("an idle connection is not kept alive")
	}
	w.drop = func(_, _ ipPort, _ []byte) bool { return true }
	w.run(8*time.Second, host, client)
	if len(host.of(link.Closed))+len(client.of(link.Closed)) != 0 {
		t.Fatal("closed too early")
	}
	w.run(4*time.Second, host, client)
	for _, d := range []*node{host, client} {
		if got := d.of(link.Closed); len(got) != 1 || got[0].Reason != "no packet for 10s" {
			t.Errorf("saw %+v", got)
		}
		if len(d.Link.peers.byID) != 0 {
			t.Error("the peer is kept")
		}
	}
}

func TestOwnPauseIsNotATimeout(t *testing.T) {
	w, host, client := opened(t, Options{}, Options{})
	for range 40 { // the host is not polled
		w.run(500*time.Millisecond, client)
		client.heardAt() // its own clock must not run out in this test
	}
	host.poll(w.now)
	if got := host.of(link.Closed); len(got) != 0 {
		t.Errorf("the client's pings were waiting, and the host saw %+v", got)
	}
}

// heardAt makes the client believe that a packet of its host arrived now.
func (d *node) heardAt() {
	for _, p := range d.Link.peers.all {
		p.peer.alive.heardAt = d.Link.io.Now()
	}
}

// TestForgedPacketsDoNotAffectASession: without the connection id nothing happens,
// whatever address is forged.
func TestForgedPacketsDoNotAffectASession(t *testing.T) {
	w, host, client := opened(t, Options{}, Options{})
	ha, ca := host.sock.addr, client.sock.addr
	id := client.Link.peers.all[0].id
	for i := range uint64(64) {
		for _, k := range []kind{kindBye, kindDatagram, kindPath, kindPathOK, kindPing} {
			w.send(ca, ha, packetOf(k, id^1<<i, 1<<20, make([]byte, 8)))
			w.send(ha, ca, packetOf(k, id^1<<i, 1<<20, make([]byte, 8)))
		}
	}
	w.send(ha, ca, appendRefuse(nil, client.dial.nonce+1, "forged"))
	w.send(ha, ca, appendAccept(nil, client.dial.nonce+1, 7))
	w.send(addrN(66), ca, packetOf(kindBye, id, 1<<20, nil)) // the id, but not from the host
	w.run(20*time.Millisecond, host, client)
	if len(host.events) != 1 || len(client.events) != 1 {
		t.Errorf("host saw %+v, client saw %+v", host.events, client.events)
	}
	if got := host.Stats().Dropped.UnknownConn; got != 5*64 {
		t.Errorf("host counted %d of unknown connections, want %d", got, 5*64)
	}
	if got := client.Stats().Dropped.UnknownConn; got != 5*64+3 {
		t.Errorf("client counted %d, want %d", got, 5*64+3)
	}
}

// moveClient gives the client another address, as a NAT or a new network does.
func (w *wire) moveClient(d *node, n int) {
	delete(w.socks, d.sock.addr)
	d.sock.addr = addrN(n)
	w.socks[d.sock.addr] = d.sock
}

func TestPeerMayChangeItsAddress(t *testing.T) {
	w, host, client := opened(t, Options{}, Options{})
	p := host.events[0].Peer
	w.moveClient(client, 50)
	client.SendDatagram(w.now, 1, []byte("from the new address"))
	w.run(20*time.Millisecond, host, client)
	if a, _ := host.PeerAddr(p); a != addrN(50) {
		t.Fatalf("the host has it at %v", a)
	}
	if st := host.Stats(); st.Migrations != 1 {
		t.Errorf("%d migrations", st.Migrations)
	}
	host.SendDatagram(w.now, p, []byte("to it"))
	w.run(12*time.Second, host, client)
	if len(host.datagrams()) != 1 || len(client.datagrams()) != 1 || len(host.of(link.Closed))+len(client.of(link.Closed)) != 0 {
		t.Errorf("host saw %+v, client saw %+v", host.events, client.events)
	}
}

// TestPeerCannotClaimAForeignAddress: a client names an address that is not its own, to
// have the host flood it.
func TestPeerCannotClaimAForeignAddress(t *testing.T) {
	w, host, client := opened(t, Options{}, Options{})
	p := host.events[0].Peer
	victim := w.bare(60)
	sent := 0
	q := client.Link.peers.all[0].peer.way()
	for i := range 50 { // the first 25 are too short for an answer
		b := packetOf(kindDatagram, q.id, q.seq+uint32(i), make([]byte, 1+i/25*7))
		sent += len(b)
		w.send(victim.addr, host.sock.addr, b)
	}
	host.poll(w.now)
	for i := range 20 { // and guesses the token: each guess is answered with another challenge
		b := packetOf(kindPathOK, q.id, q.seq+100+uint32(i), make([]byte, 8))
		sent += len(b)
		w.send(victim.addr, host.sock.addr, b)
	}
	host.poll(w.now)
	for range 100 {
		host.SendDatagram(w.now, p, make([]byte, link.MaxDatagram))
	}
	got := 0
	for _, b := range victim.got {
		got += len(b)
	}
	if got > sent || got != (25+20)*pathSize {
		t.Errorf("%d bytes sent in its name, %d came to the victim, want 45 challenges", sent, got)
	}
	if a, _ := host.PeerAddr(p); a != client.sock.addr {
		t.Errorf("the peer is now at %v", a)
	}
}

func TestPeerThatViolatesTheProtocolIsClosed(t *testing.T) {
	for _, c := range []struct {
		name string
		conv uint32
		data []byte
		want string
	}{
		{"control too long", 1, []byte{1, 0, 4, 0}, "control: a message of 262145 bytes where 1 to 262144 are taken"},
		{"bulk too long", 2, []byte{1, 0, 0x40, 0}, "bulk: a message of 4194305 bytes where 1 to 4194304 are taken"},
		{"empty", 1, []byte{0, 0, 0, 0}, "control: a message of 0 bytes"},
	} {
		w := newWire(t)
		host := w.listen(1, Options{})
		s := w.bare(2)
		_, id := connectByHand(w, host, s, 5)
		b := segment(c.conv, 81, 0, 0, uint32(len(c.data)), c.data)
		w.send(s.addr, host.sock.addr, packetOf(kindSegments, id, 0, b))
		w.run(500*time.Millisecond, host)
		got := host.of(link.Closed)
		if len(got) != 1 || !strings.Contains(got[0].Reason, c.want) {
			t.Errorf("%s: host saw %+v", c.name, host.events)
		}
		last := s.got[len(s.got)-1]
		if bye, err := parseSession(last); err != nil || bye.Kind != kindBye || !strings.Contains(string(bye.Body), c.want) {
			t.Errorf("%s: the peer was told %q, %v", c.name, last, err)
		}
	}
}

func TestDeliverMayCloseAndShutDown(t *testing.T) {
	for _, end := range []string{"close", "shutdown"} {
		w := newWire(t)
		host := w.listen(1, Options{})
		s := w.bare(2)
		_, id := connectByHand(w, host, s, 5)
		two := []byte{1, 0, 0, 0, 'a', 1, 0, 0, 0, 'b'}
		w.send(s.addr, host.sock.addr, packetOf(kindSegments, id, 0, segment(1, 81, 0, 0, 10, two)))
		w.send(s.addr, host.sock.addr, packetOf(kindDatagram, id, 1, []byte("c")))
		var got []string
		host.Poll(w.now, func(ev link.Event) {
			got = append(got, ev.Kind.String()+string(ev.Data))
			if ev.Kind != link.Message {
				return
			}
			host.Poll(w.now, func(link.Event) { t.Error("polled within a poll") })
			if end == "close" {
				host.Close(w.now, ev.Peer, "enough")
				return
			}
			if err := host.Shutdown("enough"); err != nil {
				t.Error(err)
			}
		})
		if want := []string{"opened", "messagea"}; !slices.Equal(got, want) {
			t.Errorf("%s: delivered %q, want %q", end, got, want)
		}
		w.run(time.Second, host)
		byes := 0
		for _, b := range s.got {
			if kind(b[0]) == kindBye {
				byes++
			}
		}
		if byes != byeCount {
			t.Errorf("%s: %d goodbyes, want %d", end, byes, byeCount)
		}
	}
}

func TestRTT(t *testing.T) {
	w, host, client := opened(t, Options{}, Options{})
	w.run(3*time.Second, host, client)
	if rtt, ok := client.RTT(1); !ok || rtt > 20*time.Millisecond {
		t.Errorf("round trip %v, %v", rtt, ok)
	}
	if _, ok := client.RTT(2); ok {
		t.Error("a peer that is not there has a round trip time")
	}
}

// FuzzHost throws packets at a host with one live peer, under its connection id
// and its address, as a hostile client would.
func FuzzHost(f *testing.F) {
	f.Add([]byte("\x10datagram"), uint32(1))
	f.Add(append([]byte{byte(kindSegments)}, segment(1, 81, 0, 0, 5, []byte{1, 0, 0, 0, 'x'})...), uint32(1))
	f.Add(append([]byte{byte(kindSegments)}, segment(2, 81, 0, 1, 1163, make([]byte, 1163))...), uint32(9))
	f.Add(append([]byte{byte(kindSegments)}, append(segment(1, 82, 0, 7, 0, nil), segment(1, 83, 0, 0, 0, nil)...)...), uint32(1<<31))
	f.Add([]byte("\x1412345678"), uint32(1))
	f.Add([]byte("\x1612345678"), uint32(1))
	f.Fuzz(func(t *testing.T, b []byte, seq uint32) {
		if len(b) == 0 || len(b) > maxPacket-headerSize {
			return
		}
		w := newWire(t)
		host := w.listen(1, Options{Secret: []byte("fuzz")})
		s := w.bare(2)
		_, id := connectByHand(w, host, s, 5)
		p := host.Link.peers.all[0]
		w.send(s.addr, host.sock.addr, packetOf(kindPing, id, 0, make([]byte, 8)))
		host.poll(w.now)
		host.SendMessage(w.now, p.name, link.Control, make([]byte, 5000))
		host.poll(w.now)
		for i := range uint32(3) {
			w.send(s.addr, host.sock.addr, packetOf(kind(b[0]), id, seq+i, b[1:]))
			w.send(addrN(3), host.sock.addr, packetOf(kind(b[0]), id, seq+i+10, b[1:]))
			w.send(s.addr, host.sock.addr, b)
			w.run(10*time.Millisecond, host)
		}
		if len(host.Link.peers.byID) > 1 || len(host.of(link.Opened)) != 1 || len(host.of(link.Closed)) > 1 {
			t.Errorf("host saw %+v", host.events)
		}
		host.Shutdown("done")
	})
}
