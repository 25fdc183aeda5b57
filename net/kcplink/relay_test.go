package kcplink

import (
	"net"
	"net/netip"
	"sync"
	"testing"

	"github.com/hindcast/hindcast/net/link"
)

// router stands between one client and a host, as a home's does: the host sees the
// router's address, and after move another one. What comes to the old one is lost.
type router struct {
	t      testing.TB
	inside *net.UDPConn
	host   netip.AddrPort

	mu      sync.Mutex
	client  netip.AddrPort
	outside *net.UDPConn
	wait    sync.WaitGroup
}

func socketOf(t testing.TB) *net.UDPConn {
	t.Helper()
	s, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func newRouter(t testing.TB, host netip.AddrPort) *router {
	r := &router{t: t, inside: socketOf(t), host: host}
	r.move()
	r.wait.Add(1)
	go r.fromClient()
	t.Cleanup(func() {
		r.inside.Close()
		r.outside.Close()
		r.wait.Wait()
	})
	return r
}

// addr returns what the client dials.
func (r *router) addr() string { return r.inside.LocalAddr().String() }

// seen returns what the host sees.
func (r *router) seen() netip.AddrPort { return r.outside.LocalAddr().(*net.UDPAddr).AddrPort() }

// move takes another address towards the host.
func (r *router) move() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.outside != nil {
		r.outside.Close()
	}
	r.outside = socketOf(r.t)
	r.wait.Add(1)
	go r.fromHost(r.outside)
}

// fromClient and fromHost pass packets on until their socket is closed.
func (r *router) fromClient() {
	defer r.wait.Done()
	buf := make([]byte, 2048)
	for {
		n, from, err := r.inside.ReadFromUDPAddrPort(buf)
		if err != nil {
			return
		}
		r.mu.Lock()
		r.client = from
		_, _ = r.outside.WriteToUDPAddrPort(buf[:n], r.host) // it may be lost
		r.mu.Unlock()
	}
}

func (r *router) fromHost(outside *net.UDPConn) {
	defer r.wait.Done()
	buf := make([]byte, 2048)
	for {
		n, _, err := outside.ReadFromUDPAddrPort(buf)
		if err != nil {
			return
		}
		r.mu.Lock()
		_, _ = r.inside.WriteToUDPAddrPort(buf[:n], r.client)
		r.mu.Unlock()
	}
}

// TestClientAddressChanges tests, on real sockets and during a transfer of datagrams and
// messages, that the address of a client may change twice. The connection goes on: the
// client answers the challenge by itself, no message is lost, and neither end reports an
// end or a new peer.
func TestClientAddressChanges(t *testing.T) {
	r := newReal(t)
	host := r.listen(Options{})
	box := newRouter(t, host.LocalAddr())
	client := r.add(Dial(box.addr(), Options{Protocol: 1}))
	r.until("both to open", func() bool { return host.peer != 0 && client.peer != 0 })
	first := host.peer
	up, down, messages := 0, 0, 0
	host.on = func(ev link.Event) {
		switch ev.Kind {
		case link.Datagram:
			up++
		case link.Message:
			messages++
		}
	}
	client.on = func(ev link.Event) {
		if ev.Kind == link.Datagram {
			down++
		}
	}
	sent := 0
	play := func(what string, more int) {
		goalUp, goalDown, goal := up+more, down+more, sent+3
		for ; sent < goal; sent++ {
			if err := client.SendMessage(r.now(), client.peer, link.Control, []byte("said on the way")); err != nil {
				t.Fatal(err)
			}
		}
		r.until(what, func() bool {
			_ = client.SendDatagram(r.now(), client.peer, make([]byte, 60))
			_ = host.SendDatagram(r.now(), first, make([]byte, 200))
			return up >= goalUp && down >= goalDown && messages == sent
		})
	}
	play("play at the first address", 50)
	for move := uint64(1); move <= 2; move++ {
		box.move()
		play("play at another address", 50)
		if at, _ := host.PeerAddr(first); at != box.seen() {
			t.Errorf("the host has it at %v; the router is at %v", at, box.seen())
		}
		if st := host.Stats(); st.Migrations != move || st.Peers != 1 {
			t.Errorf("after move %d: %+v", move, st)
		}
	}
	if host.peer != first || host.closed != "" || client.closed != "" {
		t.Errorf("peer %d became %d; closed: %q, %q", first, host.peer, host.closed, client.closed)
	}
}
