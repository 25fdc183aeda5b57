package simtest_test

import (
	"bytes"
	"slices"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/host"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
)

// TestHostEventsOnReplicatedObjects tests that clients receive the effects of host events on replicated objects
// in snapshots. The log does not contain these acts, and so does not reveal hidden objects.
func TestHostEventsOnReplicatedObjects(t *testing.T) {
	b := stageBundle(`
Mine = object "Mine" { lod = "interpolate", hidden = true, state = { armed = false, code = str(20) }, body = { type = "kinematic", shape = { circle = 1 } } }
Drone = object "Drone" { lod = "interpolate", state = { armed = 0 }, body = { type = "kinematic", shape = { circle = 1 } } }
function relevant(viewer, object) return object.class ~= "Mine" end
`)
	spy := &eavesdropper{}
	sim := openStage(t, simtest.Options{Seed: 12, Clients: 2, Profile: memlink.Average(), Bundle: b, Client: func(i int, cfg *client.Config) {
		if i == 0 {
			spy.Link = cfg.Link
			cfg.Link = spy
		}
	}})
	h := sim.Host
	mine, err := h.Spawn("Mine", world.Placement{}, host.Fields{"code": "secret plan"})
	must(t, err)
	drone, err := h.Spawn("Drone", world.Placement{Pose: physics.Pose{X: 8}}, host.Fields{"armed": 1})
	must(t, err)
	must(t, h.Set(mine, host.Fields{"armed": true}))
	must(t, h.Set(drone, host.Fields{"armed": 2}))
	sim.Run(2 * time.Second)
	for i, c := range sim.Clients {
		if got := text(t, c.State(), h.Schema(), drone, "armed"); got != "2" {
			t.Errorf("client %d has the drone armed %s", i, got)
		}
		if _, here := c.State().Find(mine); here {
			t.Errorf("client %d knows the mine", i)
		}
	}
	must(t, h.Remove(drone))
	must(t, h.Remove(mine))
	crate, err := h.Spawn("Crate", world.Placement{}, nil)
	must(t, err)
	sim.Run(2 * time.Second)
	for i, c := range sim.Clients {
		if _, here := c.State().Find(drone); here {
			t.Errorf("client %d still has the drone", i)
		}
		if _, here := c.State().Find(crate); !here {
			t.Errorf("client %d has no crate", i)
		}
	}
	if spy.heard("secret plan") || spy.heard("Mine") || spy.heard("Drone") {
		t.Error("the log has a host event on an object that clients do not simulate")
	}
	if !spy.heard("Crate") {
		t.Error("the log has no crate: the test hears nothing")
	}
	endStage(t, sim)
}

// eavesdropper keeps the datagrams that a client receives.
type eavesdropper struct {
	link.Link
	came [][]byte
}

func (e *eavesdropper) Poll(now time.Duration, f func(link.Event)) {
	e.Link.Poll(now, func(ev link.Event) {
		if ev.Kind == link.Datagram {
			e.came = append(e.came, bytes.Clone(ev.Data))
		}
		f(ev)
	})
}

func (e *eavesdropper) heard(text string) bool {
	return slices.ContainsFunc(e.came, func(b []byte) bool { return bytes.Contains(b, []byte(text)) })
}
