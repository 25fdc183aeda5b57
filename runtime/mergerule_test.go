package runtime_test

import (
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/world"
)

// TestTheFirstInputOfATickStands: a client that says something else of a tick when it
// repeats its inputs changes nothing by that, for itself and for all others: a tick has one
// input, the first that came, and what else comes counts as a duplicate.
func TestTheFirstInputOfATickStands(t *testing.T) {
	o := room(3, 2, memlink.Profile{Delay: 60 * time.Millisecond})
	line := tampered(&o)
	sent := map[world.Tick]world.Input{}
	changed := 0
	line.change = func(m *wire.InputFrame) {
		for i := range m.Runs {
			run := &m.Runs[i]
			for j := range run.Inputs {
				tick := run.First + world.Tick(j)
				if _, before := sent[tick]; before {
					run.Inputs[j].Buttons ^= 7
					changed++
					continue
				}
				sent[tick] = run.Inputs[j]
			}
		}
	}
	sim := simtest.New(t, o)
	sim.Run(6 * time.Second)
	line.change = nil
	sim.Drain()
	sim.AgreeOnHashes()
	host := sim.Host.Report(sim.Now)
	if changed < 500 || host.Inputs.Duplicate < changed || host.Corrections.Count > 0 || host.Inputs.Refused+host.Inputs.DroppedOld > 0 {
		t.Errorf("%d inputs were changed; %+v, %d corrections", changed, host.Inputs, host.Corrections.Count)
	}
}
