package kcplink

import (
	"net/netip"
	"time"

	"github.com/hindcast/hindcast/net/link"
)

// conduit is what the parts of a Link share: the options, the time of the present
// call, the counters, and the two ways out: packets to the socket and events to
// the caller.
type conduit struct {
	Opts    Options
	Now     time.Duration
	Stats   Stats
	Deliver func(link.Event) // of the poll in progress; nil outside of one

	sock    socket
	up      Impair          // the simulated network to the host; nil: none
	packet  [maxPacket]byte // the packet being built
	cut     [maxPacket]byte // the KCP segment being cut
	receive [maxPacket]byte // the KCP segment being received; events point into it
}

// advance moves Now on. It never goes back.
func (c *conduit) advance(now time.Duration) { c.Now = max(c.Now, now) }

// begin returns the empty buffer in which a packet is built, and which send
// takes.
func (c *conduit) begin() []byte { return c.packet[:0] }

// send sends one packet, or hands it to the simulated network.
func (c *conduit) send(to netip.AddrPort, b []byte) {
	if c.up == nil {
		c.write(to, b)
		return
	}
	c.up.Push(c.Now, b)
}

// flush sends the packets that the simulated network gives back by now.
func (c *conduit) flush(to netip.AddrPort) {
	if c.up == nil {
		return
	}
	for b, ok := c.up.Pop(c.Now); ok; b, ok = c.up.Pop(c.Now) {
		c.write(to, b)
	}
}

// impairedDue returns when the simulated network gives back the next packet.
func (c *conduit) impairedDue() time.Duration {
	due := link.Never
	for _, m := range [...]Impair{c.up, c.Opts.Down} {
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
		c.Stats.SendErrors++
		return
	}
	c.Stats.PacketsOut++
	c.Stats.BytesOut += uint64(len(b))
}

// cutSpace returns memory for one segment that is sent, valid until the next call.
func (c *conduit) cutSpace() []byte { return c.cut[:] }

// receiveSpace returns memory for one segment that is received, valid until the next call.
func (c *conduit) receiveSpace() []byte { return c.receive[:] }

// close closes the socket.
func (c *conduit) close() error { return c.sock.Close() }
