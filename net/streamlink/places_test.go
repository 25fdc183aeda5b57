package streamlink

import (
	"fmt"
	"net"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/internal/linkbase"
)

// addressed is a connection in memory from an address.
type addressed struct {
	net.Conn
	from string
}

func (a addressed) RemoteAddr() net.Addr {
	return net.TCPAddrFromAddrPort(netip.MustParseAddrPort(a.from))
}

// TestGreetingConnectionsAreDivided tests one machine that opens many connections and says nothing, from one address of
// IPv4 or from ever new ones of its /64: it takes half of the places for such connections, and others get in.
func TestGreetingConnectionsAreDivided(t *testing.T) {
	for _, attack := range []func(i int) string{
		func(int) string { return "192.0.2.1:1000" },
		func(i int) string { return fmt.Sprintf("[2001:db8::%x]:1000", i) },
	} {
		othersGetIn(t, attack)
	}
}

func othersGetIn(t *testing.T, attack func(i int) string) {
	host := &watched{Link: NewHost(Options{MaxPeers: 1000})}
	defer end(t, host)
	add := func(from string) net.Conn {
		inner, outer := net.Pipe()
		host.Add(addressed{inner, from})
		t.Cleanup(func() { _ = outer.Close() }) // the host may have closed it
		return outer
	}
	for i := range 400 {
		add(attack(i))
	}
	host.poll(0)
	if n := int(host.Stats().Refused); n != 400-linkbase.MostNewcomers/2 {
		t.Errorf("%d of 400 connections were refused, want all but %d", n, linkbase.MostNewcomers/2)
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
