package simtest_test

import (
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/world"
)

// TestLooksFromFields tests that the look of an object has the values of its fields, for players and for
// spectators, with predicted and with interpolated objects.
func TestLooksFromFields(t *testing.T) {
	t.Parallel()
	b := bundle.New("teams", world.Source{Name: "game.lua", Text: `
Red = object "Red" { state = { paint = str(8), form = str(8) }, look = { color = "{paint}", shape = "{form}" }, body = { shape = { circle = 0.4 } } }
Blue = object "Blue" { lod = "interpolate", aux = { paint = str(8) }, look = { color = "{paint}", shape = "star" }, body = { shape = { circle = 0.4 } } }
function onStart()
  spawn("Red", { paint = "#f00", form = "ship" })
  spawn("Blue", { x = 5, paint = "#00f" })
end
function tick()
  if tickNumber() == 150 then objects("Red")[1].paint = "orange" objects("Blue")[1].paint = "navy" end
end`})
	sim := simtest.New(t, simtest.Options{Seed: 5, Clients: 2, Profile: memlink.Average(), Bundle: b, Compile: compile,
		Client: func(i int, cfg *client.Config) {
			if i == 1 {
				cfg.Kind = client.Spectator
			}
		}})
	var v room.View
	expect := func(red, blue string) {
		t.Helper()
		for who, view := range map[string]func(*room.View){"host": sim.Host.View, "player": sim.Clients[0].View, "spectator": sim.Clients[1].View} {
			view(&v)
			want := map[string]world.Look{"Red": {Color: red, Shape: "ship"}, "Blue": {Color: blue, Shape: "star"}}
			for i := range v.Bodies {
				if o := &v.Bodies[i]; o.Look != want[o.Class] {
					t.Errorf("%s: %s looks like %+v", who, o.Class, o.Look)
				}
			}
			if len(v.Bodies) != 2 {
				t.Errorf("%s sees %d objects", who, len(v.Bodies))
			}
		}
	}
	sim.RunUntil(2*time.Second, "everybody sees the game", func() bool { sim.Clients[1].View(&v); return len(v.Bodies) == 2 && sim.Host.Now() > 60 })
	expect("#f00", "#00f")
	sim.Run(2 * time.Second)
	expect("orange", "navy")
}
