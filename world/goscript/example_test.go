package goscript_test

import (
	"fmt"
	"time"

	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/host"
	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/goscript"
	"github.com/hindcast/hindcast/world/physics"
)

// ships returns the rules of a room: ships that fly, and count their bumps.
func ships() *goscript.Game {
	g := goscript.NewGame("ships", "1")
	body := goscript.Dynamic(physics.CircleShape(0.5))
	body.Def.LinearDamping, body.Def.AngularDamping = 2, 6
	ship := g.Class(world.Class{Name: "Ship", Body: body})
	left, right, accel := ship.Button("Turnleft", "ArrowLeft"), ship.Button("Turnright", "ArrowRight"), ship.Button("Accel", "ArrowUp")
	bumps := ship.Number("bumps", 0)

	ship.ApplyInput = func(_ goscript.Actor, self goscript.Object, in *world.Input) {
		body := self.Body()
		body.SetTorque(2.4 * (left.Value(in) - right.Value(in)))
		body.SetDirectionalForce(body.Pose().Angle, 16*accel.Value(in))
	}
	ship.OnContact = func(_ goscript.Actor, self, _ goscript.Object, _ *world.Contact) { bumps.Add(self, 1) }
	g.OnJoin = func(a goscript.Actor, player world.PlayerID) { a.Spawn(ship, goscript.OwnedBy(player)) }
	return g
}

// ahead holds the button of number 0: of Accel, Turnleft and Turnright the first.
type ahead struct{}

func (ahead) Input(world.Reader, int) world.Input { return world.Input{Buttons: 1} }

// A room whose rules are in Go, and a client on a line of 30 to 60 ms.
func Example() {
	rules := ships()
	compile := goscript.Compile(rules)
	room := bundle.New("ships", rules.Source())
	network := memlink.New(1)
	host, err := host.New(host.Config{Bundle: room, Compile: compile, Link: network.Host()})
	if err != nil {
		fmt.Println(err)
		return
	}
	client := client.New(client.Config{Link: network.Dial(memlink.Average(), memlink.Average()), Compile: compile, Controls: ahead{}})
	next := time.Duration(0)
	for now := time.Duration(0); now < 5*time.Second; now += 4 * time.Millisecond {
		host.Poll(now)
		for ; next <= now; next += host.TickLength() {
			if err := host.Tick(now); err != nil {
				fmt.Println(err)
				return
			}
		}
		client.Poll(now)
		client.Update(now)
	}
	for _, slot := range host.State().Run {
		if o := &host.State().Objects[slot]; o.Owner != 0 {
			fmt.Printf("the ship of player %d is at x = %.0f m\n", o.Owner, host.State().Body(int(slot)).X)
		}
	}
	fmt.Println("confirmed:", client.Confirmed() > 200, "differs:", client.Desync() != nil)
	// Output:
	// the ship of player 1 is at x = 42 m
	// confirmed: true differs: false
}

// A client whose rules differ does not join the room.
func ExampleCompile() {
	room := ships().Source() // what the room's bundle has
	other := goscript.NewGame("ships", "0")
	_, err := goscript.Compile(other)([]world.Source{room}, bundle.DefaultSetup())
	fmt.Println(err)
	// Output:
	// another game, or another version of it: the room has ships 1, this program has ships 0
}
