package bundle_test

import (
	"errors"
	"fmt"

	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/world"
)

// A host announces the hash of a bundle; a client that gets the bytes checks both.
func Example() {
	rocket := bundle.New("rocket", world.Source{Name: "game.lua", Text: `Rocket = object "Rocket" {}`})
	data := rocket.Encode()
	announced := bundle.HashOf(data)

	got, err := bundle.Parse(data)
	fmt.Println(got.Game, err, bundle.HashOf(data) == announced)
	fmt.Println("a tick takes", got.TickLength(), "and a rewind goes back", got.Ticks(got.Rules.MaxRewind), "ticks")

	next := *rocket
	next.Setup.TickRate = 30
	var fixed *bundle.FixedError
	if errors.As(error(bundle.FixedChange(rocket, &next)), &fixed) {
		fmt.Println(fixed)
	}
	next.Rules.MaxPlayers = 0
	_, err = bundle.Parse(next.Encode())
	fmt.Println(err)
	// Output:
	// rocket <nil> true
	// a tick takes 16.666666ms and a rewind goes back 24 ticks
	// tick_rate cannot change while the room runs: restart the host
	// bad bundle: max_players = 0: must be 1 to 128
}
