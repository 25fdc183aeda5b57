package host_test

import (
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/host"
	"github.com/hindcast/hindcast/runtime/internal/roomtest"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/world"
)

// TestOnlookerJoinsWhenItEnters tests that an onlooker of each kind receives the match while its player has not
// joined, and that the player joins with Enter, once.
func TestOnlookerJoinsWhenItEnters(t *testing.T) {
	t.Parallel()
	for _, kind := range []client.Kind{client.Predictor, client.Spectator} {
		t.Run(kind.String(), func(t *testing.T) {
			joined := 0
			o := roomtest.Options(1, 1, memlink.Average())
			o.Host = func(c *host.Config) { c.On.Joined = func(_ world.PlayerID, _ string) { joined++ } }
			o.Client = func(i int, c *client.Config) {
				if i == 1 {
					c.Kind, c.Onlooker, c.Verify = kind, true, kind == client.Predictor
				}
			}
			sim := simtest.New(t, o)
			sim.Run(time.Second)
			late := sim.Join()
			sim.Run(2 * time.Second)
			var v room.View
			late.View(&v)
			if _, here := sim.Host.State().PlayerByID(late.Player()); here || joined != 1 || !late.Playing() || len(v.Bodies) == 0 || len(v.Players) != 1 {
				t.Fatalf("an onlooker is in the world: %v, %d joined, it plays: %v, and shows %d bodies and %d players", here, joined, late.Playing(), len(v.Bodies), len(v.Players))
			}
			late.Say(sim.Now, "/anything")
			late.Enter(sim.Now)
			late.Enter(sim.Now)
			sim.Run(2 * time.Second)
			late.View(&v)
			if _, here := sim.Host.State().PlayerByID(late.Player()); !here || joined != 2 || len(v.Players) != 2 || late.Err() != nil {
				t.Errorf("after Enter it is in the world: %v, %d joined, it shows %d players, %v", here, joined, len(v.Players), late.Err())
			}
		})
	}
}

// TestOnlookerEntersWhileItJoins tests that a player who enters before the keyframe has arrived joins.
func TestOnlookerEntersWhileItJoins(t *testing.T) {
	t.Parallel()
	for _, after := range []time.Duration{0, 100 * time.Millisecond, 250 * time.Millisecond, 400 * time.Millisecond} {
		o := roomtest.Options(1, 1, memlink.Average())
		o.Client = func(i int, c *client.Config) { c.Onlooker = i == 1 }
		sim := simtest.New(t, o)
		sim.Run(time.Second)
		late := sim.Join()
		sim.Run(after)
		late.Enter(sim.Now)
		sim.Run(3 * time.Second)
		if _, here := sim.Host.State().PlayerByID(late.Player()); !here {
			t.Errorf("a player who enters after %v is not in the world: %s", after, late.Status())
		}
	}
}

// TestOnlookerIsNoPlayer tests that an onlooker does not count as a player, that its chat reaches neither the players nor
// the host program, and that its arrival sends the players nothing. When it has joined, it may chat.
func TestOnlookerIsNoPlayer(t *testing.T) {
	t.Parallel()
	o := roomtest.Options(1, 1, memlink.LAN())
	var got rosters
	line := roomtest.Tampered(&o)
	line.Heard = got.hear
	asked, heard, refused := 0, 0, 0
	o.Host = func(c *host.Config) {
		c.On.Chat = func(world.PlayerID, string) bool { asked++; return true }
	}
	player := o.Client
	o.Client = func(i int, c *client.Config) {
		c.Chat = func(from world.PlayerID, _ string) {
			switch {
			case i == 0:
				heard++
			case from == 0:
				refused++
			}
		}
		c.Onlooker = i == 1
		player(i, c)
	}
	sim := simtest.New(t, o)
	sim.Run(time.Second)
	before := got.count
	late := sim.Join()
	sim.Run(time.Second)
	var v room.View
	late.View(&v)
	if got.count != before || len(v.Players) != 1 || v.Players[0].Name != "client 0" {
		t.Errorf("the player got %d lists more; the onlooker knows %+v", got.count-before, v.Players)
	}
	for _, c := range sim.Clients {
		if r := c.Report(sim.Now); r.Players != 1 || r.Onlookers != nil {
			t.Errorf("a client reports %d players and %v onlookers, want 1, and none that it does not know of", r.Players, r.Onlookers)
		}
	}
	if r := sim.Host.Report(sim.Now); r.Players != 1 || *r.Onlookers != 1 || sim.Host.Players() != 2 {
		t.Errorf("the report has %d players and %d onlookers of %d clients, want 1 and 1 of 2", r.Players, *r.Onlookers, sim.Host.Players())
	}
	late.Say(sim.Now, "hello")
	sim.Run(time.Second)
	if asked != 0 || heard != 0 || refused != 1 {
		t.Errorf("chat of an onlooker: the program was asked %d times, the player read %d lines, the onlooker %d", asked, heard, refused)
	}
	late.Enter(sim.Now)
	sim.Run(time.Second)
	late.Say(sim.Now, "hello")
	sim.Run(time.Second)
	if r := sim.Host.Report(sim.Now); r.Players != 2 || *r.Onlookers != 0 || asked != 1 || heard != 1 {
		t.Errorf("after Enter: %d players, the program was asked %d times, the player read %d lines", r.Players, asked, heard)
	}
}
