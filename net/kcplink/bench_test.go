package kcplink

import (
	"fmt"
	"net"
	"net/netip"
	"testing"

	"github.com/hindcast/hindcast/net/link"
)

// A round is what a tick costs the network: every client sends 60 bytes, the host
// answers each with 200. raw is the same on bare sockets, for comparison in the
// same run.
const (
	benchIn  = 60
	benchOut = 200
)

var benchPeers = [...]int{1, 16, 64}

func BenchmarkRoundTrip(b *testing.B) {
	for _, n := range benchPeers {
		b.Run(fmt.Sprintf("raw/peers=%d", n), func(b *testing.B) { benchRaw(b, n) })
		b.Run(fmt.Sprintf("link/peers=%d", n), func(b *testing.B) { benchLink(b, n) })
	}
}

func benchSocket(b *testing.B) (*net.UDPConn, netip.AddrPort) {
	c, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { c.Close() })
	return c, c.LocalAddr().(*net.UDPAddr).AddrPort()
}

func benchRaw(b *testing.B, n int) {
	host, at := benchSocket(b)
	clients := make([]*net.UDPConn, n)
	for i := range clients {
		clients[i], _ = benchSocket(b)
	}
	buf := make([]byte, 1500)
	check := func(err error) {
		if err != nil {
			b.Fatal(err)
		}
	}
	b.ReportAllocs()
	cpu := newCPU(b)
	for b.Loop() {
		for _, c := range clients {
			_, err := c.WriteToUDPAddrPort(buf[:benchIn], at)
			check(err)
		}
		for range clients {
			_, from, err := host.ReadFromUDPAddrPort(buf)
			check(err)
			_, err = host.WriteToUDPAddrPort(buf[:benchOut], from)
			check(err)
		}
		for _, c := range clients {
			_, _, err := c.ReadFromUDPAddrPort(buf)
			check(err)
		}
	}
	cpu.report(b, n)
}

func benchLink(b *testing.B, n int) {
	r := newReal(b)
	host := r.listen(Options{})
	clients := make([]*end, n)
	for i := range clients {
		clients[i] = r.dialTo(host, Options{})
	}
	r.until("all to open", func() bool {
		open := 0
		for _, c := range clients {
			open += int(c.peer)
		}
		return open == n && host.Stats().Peers == n
	})
	payload := make([]byte, benchOut)
	came, back := 0, 0
	answer := func(ev link.Event) {
		if ev.Kind == link.Datagram {
			came++
			host.SendDatagram(r.now(), ev.Peer, payload)
		}
	}
	arrived := func(ev link.Event) {
		if ev.Kind == link.Datagram {
			back++
		}
	}
	b.ReportAllocs()
	cpu := newCPU(b)
	for b.Loop() {
		for _, c := range clients {
			if err := c.SendDatagram(r.now(), 1, payload[:benchIn]); err != nil {
				b.Fatal(err)
			}
		}
		for came = 0; came < n; {
			<-host.Ready()
			host.Poll(r.now(), answer)
		}
		for i := back; back < i+n; {
			c := clients[back-i]
			<-c.Ready()
			c.Poll(r.now(), arrived)
		}
	}
	cpu.report(b, n)
}

// BenchmarkIdlePoll measures a poll of a host whose peers send nothing.
func BenchmarkIdlePoll(b *testing.B) {
	w := newWire(b)
	host := w.listen(1, Options{})
	nodes := []*node{host}
	for i := range 100 {
		nodes = append(nodes, w.dialTo(2+i, host, Options{}))
	}
	for host.Stats().Peers < 100 {
		w.run(w.now+5e6, nodes...)
	}
	b.ReportAllocs()
	for b.Loop() {
		host.Poll(w.now, nil)
	}
}

// BenchmarkHello measures the cost of a hello from an unknown address at a host.
func BenchmarkHello(b *testing.B) {
	w := newWire(b)
	host := w.listen(1, Options{})
	packet := appendHello(nil, hello{linkVersion, 0, 1})
	b.ReportAllocs()
	for b.Loop() {
		host.handle(packet, addrN(9))
	}
}
