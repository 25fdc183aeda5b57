package streamlink

import (
	"net"
	"net/netip"
	"strings"
	"testing"
	"time"
)

// addressed is a connection in memory from an address.
type addressed struct {
	net.Conn
	from string
}

func (a addressed) RemoteAddr() net.Addr {
	return net.TCPAddrFromAddrPort(netip.MustParseAddrPort(a.from))
}

// TestGreetingConnectionsAreDivided tests one machine that opens many connections and says nothing: it takes half of the
// places for such connections, and others get in.
func TestGreetingConnectionsAreDivided(t *testing.T) {
	host := &watched{Link: NewHost(Options{MaxPeers: 1000})}
	defer end(t, host)
	add := func(from string) net.Conn {
		inner, outer := net.Pipe()
		host.Add(addressed{inner, from})
		t.Cleanup(func() { _ = outer.Close() }) // the host may have closed it
		return outer
	}
	for range 400 {
		add("192.0.2.1:1000")
	}
	host.poll(0)
	if n := int(host.Stats().Refused); n != 400-mostGreeting/2 {
		t.Errorf("%d of 400 connections were refused, want all but %d", n, mostGreeting/2)
	}
	now := time.Duration(0)
	for i := range 3 {
		conn := add("198.51.100.7:2000")
		go func() { _, _ = conn.Write(appendHello(nil, 0)) }() // the host reads it
		until(t, func() time.Duration { return now }, host, i+1)
	}
	if got := strings.Join(host.events, " "); got != "opened opened opened" {
		t.Errorf("the host saw %s", got)
	}
	if at, ok := host.Address(1); !ok || at != netip.MustParseAddr("198.51.100.7") {
		t.Errorf("the peer is at %v, %v", at, ok)
	}
}
