package host_test

import (
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/host"
	"github.com/hindcast/hindcast/runtime/internal/stub"
	"github.com/hindcast/hindcast/world"
)

// crowd is a host with many clients that simulate nothing. They acknowledge what they get.
type crowd struct {
	host    *host.Host
	net     *memlink.Network
	now     time.Duration
	clients []*crowdClient
}

// crowdClient is a client of a crowd.
type crowdClient struct {
	link     link.Link
	peer     link.Peer
	onlooker bool
	seq      uint32
	refused  string
	silent   bool // says no Hello
	plays    bool // a keyframe has come
}

func newCrowd(t *testing.T, places int) *crowd {
	t.Helper()
	b := stub.Game()
	b.Rules.MaxPlayers = places
	net := memlink.New(1)
	host, err := host.New(host.Config{Bundle: b, Compile: stub.Compile, Link: net.Host()})
	if err != nil {
		t.Fatal(err)
	}
	return &crowd{host: host, net: net}
}

// join adds clients.
func (c *crowd) join(n int, onlookers bool) {
	for range n {
		c.dial(netip.Addr{}).onlooker = onlookers
	}
	for range 12 {
		c.step(c.host.TickLength())
	}
}

// dial adds a client at an address, which does not need to be valid.
func (c *crowd) dial(at netip.Addr) *crowdClient {
	b := &crowdClient{link: c.net.Dial(memlink.Off(), memlink.Off())}
	c.net.Place(len(c.clients), at)
	c.clients = append(c.clients, b)
	return b
}

// step runs a tick after a time.
func (c *crowd) step(after time.Duration) {
	c.now += after
	for _, b := range c.clients {
		b.poll(c.now)
	}
	c.host.Poll(c.now)
	_ = c.host.Tick(c.now) // check mode is off
	for _, b := range c.clients {
		b.poll(c.now)
	}
}

// refusals returns the reasons for which clients had to go, in the order of the clients.
func (c *crowd) refusals() (list []string) {
	for _, b := range c.clients {
		if b.refused != "" {
			list = append(list, b.refused)
		}
	}
	return list
}

func (b *crowdClient) send(now time.Duration, m []byte) {
	_ = b.link.SendMessage(now, b.peer, link.Control, m) // in memory, it fails only after the end
}

func (b *crowdClient) poll(now time.Duration) {
	b.link.Poll(now, func(ev link.Event) {
		switch b.peer = ev.Peer; {
		case ev.Kind == link.Opened && b.silent:
		case ev.Kind == link.Opened:
			b.send(now, wire.AppendHello(nil, &wire.Hello{Version: wire.Version}))
		case ev.Kind == link.Closed:
		case wire.KindOf(ev.Data) == wire.KindWelcome:
			b.send(now, wire.AppendReady(nil, &wire.Ready{Onlooker: b.onlooker}))
		case wire.KindOf(ev.Data) == wire.KindRefuse:
			m, _ := wire.ParseRefuse(ev.Data)
			b.refused = m.Reason
		case wire.KindOf(ev.Data) == wire.KindKeyframe:
			b.plays = true
			b.acknowledge(now, 0)
		case wire.KindOf(ev.Data) == wire.KindHostPacket:
			var f wire.HostPacket
			if wire.ParseHostPacket(ev.Data, &f) == nil {
				b.acknowledge(now, f.Seq)
			}
		}
	})
}

func (b *crowdClient) acknowledge(now time.Duration, packet uint32) {
	b.seq++
	_ = b.link.SendDatagram(now, b.peer, wire.AppendInputPacket(nil, &wire.InputPacket{Seq: b.seq, Ack: wire.Ack{Newest: packet}}))
}

// TestOnlookerOfAFullWorldEnters tests an onlooker who was admitted when the world had room for its player. When it
// enters, the world has the most players, with one who left and may return: that one gives way.
func TestOnlookerOfAFullWorldEnters(t *testing.T) {
	t.Parallel()
	c := newCrowd(t, world.MaxPlayers)
	c.join(1, true)
	c.join(world.MaxPlayers-1, false)
	leaver := c.clients[1]
	leaver.link.Close(c.now, leaver.peer, "left")
	c.step(c.host.TickLength())
	c.join(1, false)
	if n := len(c.host.State().Players); n != world.MaxPlayers || len(c.refusals()) != 0 {
		t.Fatalf("%d players, refused: %q", n, c.refusals())
	}
	onlooker := c.clients[0]
	onlooker.send(c.now, wire.AppendEnter(nil, &wire.Enter{}))
	for range 4 {
		c.step(c.host.TickLength())
		if n := len(c.host.State().Players); n > world.MaxPlayers {
			t.Errorf("%d players", n)
		}
	}
	absent := 0
	for _, p := range c.host.State().Players {
		if p.Left != 0 {
			absent++
		}
	}
	if n := len(c.host.State().Players); n != world.MaxPlayers || absent != 0 || len(c.refusals()) != 0 {
		t.Errorf("%d players, of whom %d have left; refused: %q", n, absent, c.refusals())
	}
}

// TestAFullRoomSaysWhoIsInIt tests that who is turned away is told how many play, and how many look on.
func TestAFullRoomSaysWhoIsInIt(t *testing.T) {
	t.Parallel()
	c := newCrowd(t, 3)
	c.join(2, false)
	c.join(1, true)
	c.join(1, false)
	if list := c.refusals(); len(list) != 1 || list[0] != "the room is full: 2 players, 1 looking on" {
		t.Errorf("refused: %q", list)
	}
}

// TestIdleOnlookerLeavesItsPlace tests that an onlooker may look on for ten minutes and longer while there are places, and
// that one has to go when they become few. Players stay.
func TestIdleOnlookerLeavesItsPlace(t *testing.T) {
	t.Parallel()
	c := newCrowd(t, 8)
	c.join(3, false)
	c.join(3, true)
	for range 11 * 60 {
		c.step(time.Second)
	}
	if n := c.host.Players(); n != 6 || len(c.refusals()) != 0 {
		t.Fatalf("with a quarter of the places free: %d clients, refused %q", n, c.refusals())
	}
	c.join(1, true)
	if list := c.refusals(); c.host.Players() != 6 || len(list) != 1 || !strings.Contains(list[0], "10 minutes") || c.clients[3].refused == "" {
		t.Errorf("with fewer places free: %d clients, refused %q", c.host.Players(), list)
	}
}
