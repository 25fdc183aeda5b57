package host_test

import (
	"fmt"
	"math"
	"time"

	"github.com/hindcast/hindcast/luabind"
	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/host"
	"github.com/hindcast/hindcast/world"
)

const lift = `
Cabin = object "Cabin" { state = { floor = 0 }, body = { type = "kinematic", shape = { box = { 2, 2 } } } }
function Cabin:onSpawn() self:setVelocity(0, 3) end
function Cabin:tick() local _, y = self:getPosition(); self.floor = math.floor(y / 3) end
function onStart() spawn("Cabin", {}) end
`

// A host looks at its room half a tick ago, and two seconds ago, when it no longer keeps the state
// after each tick.
func ExampleHost_At() {
	game := bundle.New("lift", world.Source{Name: "game.lua", Text: lift})
	host, err := host.New(host.Config{Bundle: game, Compile: luabind.Compile, Link: memlink.New(1).Host()})
	if err != nil {
		fmt.Println(err)
		return
	}
	for now := time.Duration(0); host.Now() < 300; now += host.TickLength() {
		if err := host.Tick(now); err != nil {
			fmt.Println(err)
			return
		}
	}
	look := func(r world.Reader) {
		hit, ok := r.Queries().Raycast(0, -50, 0, 50, math.MaxUint64)
		floor, err := r.Number(hit.Object, "floor")
		fmt.Printf("tick %d: a ray from below hits %v at %.3f m; floor %v, %v\n", r.Tick(), ok, hit.Y, floor, err)
	}
	fmt.Println(host.At(300, 0.5, look))
	fmt.Println(host.At(177, 1, look), host.StateAt(177) == nil)
	fmt.Println(host.At(2, 1, look))
	// Output:
	// tick 300: a ray from below hits true at 13.975 m; floor 4, <nil>
	// <nil>
	// tick 177: a ray from below hits true at 7.850 m; floor 2, <nil>
	// <nil> true
	// tick 2: older than the history kept (from 156)
}
