package simtest_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/host"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/world"
)

// beacons is a game of predicted objects whose cues depend on a replicated one.
const beacons = `
Lamp = object "Lamp" { lod = "interpolate", state = { n = 0 } }
function Lamp:tick() if tickNumber() % 7 == 0 then self.n = math.floor(random() * 1000) end end
Beacon = object "Beacon" { state = { age = 0 }, body = { type = "kinematic", shape = { circle = 0.3 } } }
function Beacon:tick()
  self.age = self.age + 1
  local n = objects("Lamp")[1].n
  cue("now", { n = n })
  cue("sure", { n = n, when = "confirmed" })
  if n % 3 == 0 then cue("some", { n = n, when = "confirmed" }) end
end
function onStart() spawn("Lamp") end
function onJoin(player) spawn("Beacon", { owner = player }) end
`

// TestCuesOfTicksThatCompleteAtOnce tests a client of a mixed room that is not updated for a quarter of a second now and
// then: many ticks complete in one update. Each cue of the shared set is shown once, with the tick and the fields that the
// host has.
func TestCuesOfTicksThatCompleteAtOnce(t *testing.T) {
	onLines(t, "average", func(t *testing.T, line memlink.Profile) {
		m := &flashMatch{spectator: -1, host: &flashes{t: t, who: "the host", cues: map[world.CueKey]*flash{}}}
		m.Sim = simtest.New(t, simtest.Options{Seed: 21, Clients: 2, Profile: line, Bundle: shooterBundle(beacons), Compile: compile,
			Host: func(c *host.Config) {
				c.On.Cue = func(e room.CueEvent) { m.host.take(e, m.Now, 0) }
			},
			Client: func(i int, c *client.Config) {
				f := &flashes{t: t, who: fmt.Sprint("client ", i), cues: map[world.CueKey]*flash{}}
				m.clients = append(m.clients, f)
				c.Cues = func(e room.CueEvent) { f.take(e, m.Now, 0) }
			}})
		m.allIn()
		m.Run(2 * time.Second)
		first := m.Host.Now()
		most, at := world.Tick(0), m.Clients[0].Confirmed()
		for end := m.Now + 4*time.Second; m.Now < end; {
			if (end-m.Now)%(time.Second/2) < simtest.PollEvery {
				m.SleepClient(0, 250*time.Millisecond)
			}
			m.Run(simtest.PollEvery)
			most, at = max(most, m.Clients[0].Confirmed()-at), m.Clients[0].Confirmed()
		}
		last := m.Host.Now() - 60
		m.Drain()
		m.agree()
		if most < 10 {
			t.Errorf("at most %d ticks completed at once", most)
		}
		n := map[string]int{}
		for key, h := range m.host.cues { // order: each is judged by itself
			if key.Tick < first || key.Tick > last {
				continue
			}
			n[key.Name]++
			for i, f := range m.clients {
				if c := f.cues[key]; c == nil || !c.cue.Same(&h.cue) {
					t.Errorf("client %d has %v of %s, the host %+v", i, c, key, h.cue)
				}
			}
		}
		for i, f := range m.clients {
			for key := range f.cues { // order: each is judged by itself
				if m.host.cues[key] == nil && key.Tick >= first && key.Tick <= last {
					t.Errorf("client %d has %s, which never happened", i, key)
				}
			}
		}
		if n["now"] < 300 || n["sure"] != n["now"] || n["some"] < 30 || n["some"] > 200 {
			t.Errorf("cues of the host: %v", n)
		}
	})
}
