package kcplink

import (
	"log/slog"
	"net/netip"
	"time"

	"github.com/hindcast/hindcast/net/internal/linkbase"
	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/net/loglimit"
)

// conduit is what the parts of a Link share: the call in progress, with the way of events to
// the caller, the way of packets to the socket, the options, and the counters.
type conduit struct {
	linkbase.Calls
	options Options
	counts  Stats
	lines   *loglimit.Log[netip.Prefix] // by network
	sock    socket
	up      Impair          // the simulated network to the host; nil: none
	packet  [maxPacket]byte // the packet being built
	cut     [maxPacket]byte // the KCP segment being cut
	receive [maxPacket]byte // the KCP segment being received; events point into it
}

func newConduit(sock socket, o Options) conduit {
	return conduit{options: o, lines: loglimit.New[netip.Prefix](o.Logger), sock: sock, up: o.Up}
}

// opts returns the options, which do not change.
func (c *conduit) opts() *Options { return &c.options }

// stats returns the counters, in which all parts count.
func (c *conduit) stats() *Stats { return &c.counts }

// full reports whether a host has as many open peers as it takes.
func (c *conduit) full() bool { return c.counts.Peers >= c.options.MaxPeers }

// log logs what the other end causes.
func (c *conduit) log(level slog.Level, from netip.AddrPort, text string, args ...any) {
	c.lines.Line(c.Now(), level, network(from.Addr()), text, args...)
}

// network returns the addresses that one machine can choose from: the address itself, or the 2^64 that it gets with
// IPv6.
func network(addr netip.Addr) netip.Prefix {
	bits := 32
	if addr.Is6() {
		bits = 64
	}
	p, _ := addr.WithZone("").Prefix(bits)
	return p
}

// begin returns the empty buffer in which a packet is built, and which send
// takes.
func (c *conduit) begin() []byte { return c.packet[:0] }

// send sends one packet, or hands it to the simulated network.
func (c *conduit) send(to netip.AddrPort, b []byte) {
	if c.up == nil {
		c.write(to, b)
		return
	}
	c.up.Push(c.Now(), b)
}

// flush sends the packets that the simulated network gives back by now.
func (c *conduit) flush(to netip.AddrPort) {
	if c.up == nil {
		return
	}
	for b, ok := c.up.Pop(c.Now()); ok; b, ok = c.up.Pop(c.Now()) {
		c.write(to, b)
	}
}

// impairedDue returns when the simulated network gives back the next packet.
func (c *conduit) impairedDue() time.Duration {
	due := link.Never
	for _, m := range [...]Impair{c.up, c.options.Down} {
		if m == nil {
			continue
		}
		if next, ok := m.Next(); ok {
			due = min(due, next)
		}
	}
	return due
}

// bypass ends the simulated network: from now on packets are sent at once.
func (c *conduit) bypass() { c.up = nil }

func (c *conduit) write(to netip.AddrPort, b []byte) {
	if _, err := c.sock.WriteToUDPAddrPort(b, to); err != nil {
		c.counts.SendErrors++
		return
	}
	c.counts.PacketsOut++
	c.counts.BytesOut += uint64(len(b))
}

// cutSpace returns memory for one segment that is sent, valid until the next call.
func (c *conduit) cutSpace() []byte { return c.cut[:] }

// receiveSpace returns memory for one segment that is received, valid until the next call.
func (c *conduit) receiveSpace() []byte { return c.receive[:] }

// close closes the socket.
func (c *conduit) close() error { return c.sock.Close() }
