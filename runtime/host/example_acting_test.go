package host_test

import (
	"fmt"
	"time"

	"github.com/hindcast/hindcast/luabind"
	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/host"
	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
)

// referee is a game whose rounds the host program starts.
const referee = `
game { state = { round = 0, map = str(16) }, calls = { begin = { "number", "string", "ref" } } }
Coin = object "Coin" { state = { worth = 5 }, body = { shape = { circle = 0.5 } } }
function begin(round, map, coin)
  game.round, game.map = round, map
  coin.worth = coin.worth * 2
end
`

// A program runs a match: it spawns an object, calls a function of game.lua, and follows the state
// of the match.
func ExampleHost_Call() {
	b := bundle.New("referee", world.Source{Name: "game.lua", Text: referee})
	h, err := host.New(host.Config{Bundle: b, Compile: luabind.Compile, Link: memlink.New(1).Host(),
		On: host.Callbacks{
			Match: func(t world.Tick, state world.FieldReader) {
				round, _ := state.Number("round")
				where, _ := state.Text("map")
				fmt.Printf("tick %d: round %v on %q\n", t, round, where)
			},
			MatchCommitted: func(t world.Tick, state world.FieldReader) { fmt.Printf("tick %d is committed\n", t) },
		}})
	if err != nil {
		fmt.Println(err)
		return
	}
	tick := func(n int) {
		for range n {
			now := time.Duration(h.Now()) * h.TickLength()
			h.Poll(now)
			if err := h.Tick(now); err != nil {
				fmt.Println(err)
			}
		}
	}
	tick(10)
	coin, err := h.Spawn("Coin", world.Placement{Pose: physics.Pose{X: 3}}, host.Fields{"worth": 7})
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := h.Call("begin", 1, "desert", coin); err != nil { // the coin is there in the coming tick
		fmt.Println(err)
	}
	fmt.Println(h.Call("begin", "one"))
	tick(30)
	worth, _ := h.Reader().Number(coin, "worth")
	fmt.Println("the coin is worth", worth)
	// Output:
	// tick 1: round 0 on ""
	// call: bad value: begin(number, string, ref) takes 3 arguments, not 1
	// tick 11: round 1 on "desert"
	// tick 1 is committed
	// tick 11 is committed
	// the coin is worth 14
}
