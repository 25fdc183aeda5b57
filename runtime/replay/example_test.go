package replay_test

import (
	"bytes"
	"fmt"
	"log"
	"strings"

	"github.com/hindcast/hindcast/luabind"
	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/host"
	"github.com/hindcast/hindcast/runtime/replay"
	"github.com/hindcast/hindcast/world"
)

const clockGame = `
Clock = object "Clock" { state = { ticks = 0 } }
function Clock:tick() self.ticks = self.ticks + 1 end
function onStart() spawn("Clock", {}) end
`

// A match of one second is recorded, verified, and played again with another script, which
// makes a difference at once.
func Example() {
	game := bundle.New("clock", world.Source{Name: "game.lua", Text: clockGame})
	var recorded bytes.Buffer
	recorder := replay.NewRecorder(&recorded, nil)
	host, err := host.New(host.Config{Bundle: game, Compile: luabind.Compile, Link: memlink.New(1).Host(), Recorder: recorder})
	check(err)
	now := host.TickLength()
	for range 60 {
		check(host.Tick(now))
		now += host.TickLength()
	}
	host.Shutdown(now, "the match is over")
	check(recorder.Err())

	file, err := replay.Open(bytes.NewReader(recorded.Bytes()), int64(recorded.Len()), nil)
	check(err)
	player, err := replay.NewPlayer(file, luabind.Compile)
	check(err)
	done, err := player.Verify(player.Last())
	fmt.Println("verified", done.Ticks, "ticks:", err)

	edited, err := luabind.Compile([]world.Source{{Name: "game.lua", Text: strings.Replace(clockGame, "+ 1", "+ 2", 1)}}, game.Setup)
	check(err)
	difference, _, err := player.Against(edited, player.Last())
	check(err)
	fmt.Printf("tick %d: %s.%s was %s, is %s\n", difference.Tick, difference.Class, difference.Field, difference.Was, difference.Is)
	// Output:
	// verified 60 ticks: <nil>
	// tick 1: Clock.ticks was 1, is 2
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
