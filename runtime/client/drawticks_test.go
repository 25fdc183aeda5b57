package client_test

import (
	"math"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/internal/roomtest"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/simtest"
)

// TestDrawTicks tests that View shows moments between two ticks, and with DrawTicksFrom the newest tick as it is.
func TestDrawTicks(t *testing.T) {
	t.Parallel()
	for from, whole := range map[int]bool{0: false, 50: true, 100: false} {
		o := roomtest.Options(1, 1, memlink.LAN())
		o.Client = func(_ int, c *client.Config) { c.DrawTicksFrom = from }
		sim := simtest.New(t, o)
		sim.Run(2 * time.Second)
		c := sim.Clients[0]
		var v room.View
		between, far := false, 0.0
		for range 40 {
			sim.Run(3 * time.Millisecond)
			c.View(&v)
			between = between || v.Alpha < 1
			for _, b := range v.Bodies {
				slot, ok := c.State().Find(b.ID)
				if !ok {
					t.Fatalf("no object %s", b.ID)
				}
				at := c.State().Body(slot)
				far = max(far, math.Hypot(at.X-b.X, at.Y-b.Y))
			}
		}
		if between == whole || (far < 0.01) != whole {
			t.Errorf("from %d ticks a second: moments between ticks: %v; bodies are drawn %.3f m from the newest tick", from, between, far)
		}
	}
}
