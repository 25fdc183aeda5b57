package client_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/internal/roomtest"
	"github.com/hindcast/hindcast/runtime/simtest"
)

func TestOldScriptsAreForgotten(t *testing.T) {
	t.Parallel()
	sim := simtest.New(t, roomtest.Options(1, 1, memlink.LAN()))
	sim.Run(time.Second)
	for i := range 10 {
		roomtest.SwitchTo(t, sim, fmt.Sprint("version ", i))
		sim.Run(1500 * time.Millisecond)
	}
	// The history has 256 ticks, and there is a switch every 90 ticks: with the next one,
	// there are at most five bundles.
	if n := sim.Clients[0].Bundles(); n > 5 {
		t.Errorf("the client keeps %d of 11 bundles", n)
	}
	sim.Drain()
	sim.AgreeOnHashes()
}
