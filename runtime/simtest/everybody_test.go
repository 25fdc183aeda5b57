package simtest_test

import (
	"slices"
	"time"

	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/simtest"
)

// everybodyPlays plays until all clients have joined.
func everybodyPlays(sim *simtest.Sim) {
	sim.RunUntil(time.Minute, "everybody plays", func() bool {
		return !slices.ContainsFunc(sim.Clients, func(c *client.Client) bool { return !c.Playing() })
	})
}
