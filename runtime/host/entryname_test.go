package host_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/hindcast/hindcast/luabind"
	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/host"
	"github.com/hindcast/hindcast/runtime/internal/roomtest"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/world"
)

// asking returns the options of a match of a game that asks for names.
func asking(clients int) simtest.Options {
	return simtest.Options{Seed: 1, Clients: clients, Profile: memlink.LAN(), Compile: luabind.Compile,
		Bundle: bundle.New("asking", world.Source{Name: "game.lua", Text: "entry { name = true }\n"})}
}

// rosters counts the Rosters that client 0 gets, and notes the newest one.
type rosters struct {
	count int
	last  wire.Roster
}

func (r *rosters) hear(b []byte) {
	if m, err := wire.ParseRoster(b); wire.KindOf(b) == wire.KindRoster && err == nil {
		r.last = m
		r.count++
	}
}

// name returns the name that the newest list has for a player.
func (r *rosters) name(p world.PlayerID) string {
	for _, e := range r.last.Players {
		if e.Player == p {
			return e.Name
		}
	}
	return ""
}

// TestEntryNameIsTakenOnce tests that a player's first answers name the player, and that no later ones do. Names that a
// host has admitted stay.
func TestEntryNameIsTakenOnce(t *testing.T) {
	t.Parallel()
	for _, admits := range []bool{false, true} {
		o := asking(1)
		var got rosters
		roomtest.Tampered(&o).Heard = got.hear
		if admits {
			o.Host = func(c *host.Config) { c.Admit = func(string, []byte) error { return nil } }
		}
		sim := simtest.New(t, o)
		sim.Run(time.Second)
		me, want := sim.Clients[0], "Ada"
		if admits {
			want = "client 0"
		}
		me.Say(sim.Now, "/enter name=Ada")
		me.Say(sim.Now, "/enter name=Bob")
		sim.Run(2 * time.Second)
		me.Say(sim.Now, "/enter name=Eve")
		sim.Run(2 * time.Second)
		var v room.View
		if me.View(&v); v.Entry != nil || got.name(me.Player()) != want {
			t.Errorf("with Admit: %v: it is asked %v, and its name is %q, want %q", admits, v.Entry, got.name(me.Player()), want)
		}
	}
}

// TestEntryNamesShareRosters tests that the names of many players who answer at once are in few lists.
func TestEntryNamesShareRosters(t *testing.T) {
	t.Parallel()
	o := asking(8)
	var got rosters
	roomtest.Tampered(&o).Heard = got.hear
	sim := simtest.New(t, o)
	sim.Run(2 * time.Second)
	before := got.count
	for i, c := range sim.Clients {
		c.Say(sim.Now, fmt.Sprintf("/enter name=P%d", i))
		sim.Run(50 * time.Millisecond)
	}
	sim.Run(1500 * time.Millisecond)
	for i, c := range sim.Clients {
		if name := got.name(c.Player()); name != fmt.Sprintf("P%d", i) {
			t.Errorf("player %d is called %q", c.Player(), name)
		}
	}
	if n := got.count - before; n > 4 { // two because of names, and one or two because of pings
		t.Errorf("the names were in %d lists", n)
	}
}
