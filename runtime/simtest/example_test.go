package simtest_test

import (
	"fmt"
	"log"
	"time"

	"github.com/hindcast/hindcast/luabind"
	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/scripts"
)

// Two clients play the built-in arena for three seconds over bad lines. In a Go test, pass t
// in the place of Failures.
func Example() {
	folder, _ := scripts.Builtin("arena")
	game, err := scripts.Load(folder, "arena")
	if err != nil {
		log.Fatal(err)
	}
	var failures simtest.Failures
	err = failures.Catch(func() {
		sim := simtest.New(&failures, simtest.Options{Seed: 1, Clients: 2, Profile: memlink.Bad(), Bundle: game.Bundle, Compile: luabind.Compile})
		sim.Run(3 * time.Second)
		sim.Drain()
		sim.AgreeOnHashes()
		for i, c := range sim.Clients {
			fmt.Printf("client %d confirmed more than 100 ticks: %v\n", i+1, c.Confirmed() > 100)
		}
	})
	fmt.Println(err)
	// Output:
	// client 1 confirmed more than 100 ticks: true
	// client 2 confirmed more than 100 ticks: true
	// <nil>
}
