package host_test

import (
	"net/netip"
	"slices"
	"testing"
	"time"

	"github.com/hindcast/hindcast/world"
)

// of48 returns addresses in one /48, each in another /64.
func of48(i int) netip.Addr {
	return netip.AddrFrom16([16]byte{0x20, 0x01, 0x0d, 0xb8, 0, 1, byte(i >> 8), byte(i), 15: 1})
}

// honest is the address of somebody else.
var honest = netip.MustParseAddr("203.0.113.7")

// getsIn adds an honest client and returns how long it takes to play, two seconds if it does not.
func (c *crowd) getsIn(at netip.Addr) (after time.Duration) {
	b, from := c.dial(at), c.now
	for !b.plays && c.now-from < 2*time.Second {
		c.step(c.host.TickLength())
	}
	return c.now - from
}

// TestAnHonestPlayerGetsIn tests what one network may do to the places of a room, each time with somebody from another
// network who comes afterwards.
func TestAnHonestPlayerGetsIn(t *testing.T) {
	for name, attack := range map[string]func(c *crowd){
		"players of one /48 fill the room": func(c *crowd) {
			for i := range world.MaxPlayers {
				c.dial(of48(i))
			}
		},
		"connections of one /48 say nothing": func(c *crowd) {
			for i := range 2 * world.MaxPlayers {
				c.dial(of48(i)).silent = true
			}
		},
		"both": func(c *crowd) {
			for i := range 3 * world.MaxPlayers {
				c.dial(of48(i)).silent = i%2 == 0
			}
		},
		"128 joins and leaves in 6 s": func(c *crowd) {
			for i := range world.MaxPlayers {
				b := c.dial(of48(i))
				for range 3 {
					c.step(6 * time.Second / world.MaxPlayers / 3)
				}
				b.link.Close(c.now, b.peer, "left")
			}
			if n := len(c.host.State().Players); n < world.MaxPlayers-8 {
				t.Errorf("the attack left %d absent players", n)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := newCrowd(t, world.MaxPlayers)
			attack(c)
			for range 30 {
				c.step(c.host.TickLength())
			}
			if name == "players of one /48 fill the room" && c.host.Players() != world.MaxPlayers {
				t.Fatalf("%d players", c.host.Players())
			}
			for i := range 3 { // of other networks
				at := netip.AddrFrom4([4]byte{198, 51, byte(i), 9})
				if took := c.getsIn(at); took >= 2*time.Second {
					t.Errorf("honest player %d is not in after %v: %q", i, took, c.refusals())
				}
			}
			if n := len(c.host.State().Players); n > world.MaxPlayers {
				t.Errorf("%d players", n)
			}
		})
	}
}

// TestPlayersBehindOneAddress tests 32 players behind one address, as of a classroom, who come together: all get in, also
// where they fill the room, and nobody gives way to one more of them.
func TestPlayersBehindOneAddress(t *testing.T) {
	for _, places := range []int{32, 40, world.MaxPlayers} {
		c := newCrowd(t, places)
		for range 32 {
			c.dial(honest)
		}
		for range 30 {
			c.step(c.host.TickLength())
		}
		if n := c.host.Players(); n != 32 || len(c.refusals()) > 0 {
			t.Errorf("%d places: %d players, refused %q", places, n, c.refusals())
		}
		for c.host.Players() < places && len(c.refusals()) == 0 {
			c.getsIn(honest)
		}
		c.getsIn(honest)
		if list := c.refusals(); c.host.Players() != places || len(list) != 1 {
			t.Errorf("%d places: after one more, %d players, refused %q", places, c.host.Players(), list)
		}
	}
}

// TestPlacesAreEarned tests that who has played for a minute does not give way, and that those of smaller networks never
// do.
func TestPlacesAreEarned(t *testing.T) {
	c := newCrowd(t, 8)
	first := c.dial(netip.MustParseAddr("203.0.113.1"))
	for i := range 3 {
		c.dial(of48(i))
	}
	for range 70 {
		c.step(time.Second)
	}
	for i := range 4 {
		c.dial(of48(10 + i))
	}
	for range 30 {
		c.step(c.host.TickLength())
	}
	if c.host.Players() != 8 {
		t.Fatalf("%d players", c.host.Players())
	}
	for i := range 6 { // each from another network; four find somebody who has not played a minute
		took := c.getsIn(netip.AddrFrom4([4]byte{198, 51, byte(i), 9}))
		if in := took < 2*time.Second; in != (i < 4) {
			t.Errorf("newcomer %d: after %v", i, took)
		}
	}
	gone := slices.Collect(func(yield func(int) bool) {
		for i, b := range c.clients {
			if b.refused != "" && !yield(i) {
				return
			}
		}
	})
	if first.refused != "" || slices.ContainsFunc(gone, func(i int) bool { return i < 4 }) {
		t.Errorf("gave way: %v", gone)
	}
}
