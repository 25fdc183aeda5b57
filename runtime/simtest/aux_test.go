package simtest_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/runtime/simtest/draws"
	"github.com/hindcast/hindcast/runtime/simtest/figures"
	"github.com/hindcast/hindcast/world"
)

// auxes are what 80 fields of each object are: in which part they are declared, and how often one of them changes.
var auxes = []struct {
	name   string
	part   string // empty: the objects do not have the fields
	period int    // each object changes a field every so many ticks; 0: never
}{
	{name: "none"},
	{name: "80 aux fields, none changes", part: "aux"},
	{name: "80 aux fields, one changes every 2 s", part: "aux", period: 120},
	{name: "80 aux fields, one changes in every tick", part: "aux", period: 1},
	{name: "80 state fields, none changes", part: "state"},
	{name: "80 state fields, one changes every 2 s", part: "state", period: 120},
	{name: "80 state fields, one changes in every tick", part: "state", period: 1},
}

// auxRoom is a game with 60 objects that move and count, each with 80 fields besides if it names a part for them.
func auxRoom(level, part string, period int) *bundle.Bundle {
	spawn, change := "", ""
	fields := map[string]string{}
	if part != "" {
		spawn = "self.a1 = random()" // no two objects have the same values
		fields[part] = strings.Join(each(80, func(i int) string { return fmt.Sprintf("a%d = %d", i, i) }), ", ")
	}
	if period > 0 {
		change = fmt.Sprintf("if (tickNumber() + self.phase) %% %d == 0 then self.a2 = self.a2 + 1 end", period)
	}
	b := &bundle.Bundle{Game: "auxes", Setup: bundle.DefaultSetup(), Rules: bundle.DefaultRules(), Files: []world.Source{{Name: "game.lua", Text: `
function onStart()
  for i = 1, 60 do spawn("Thing", { x = i % 10 * 5 - 25, y = math.floor(i / 10) * 4 - 12, phase = 2 * i }) end
end
function onJoin(player) spawn("Pilot", { y = 14, x = player * 3, owner = player }) end
`}, {Name: "thing.lua", Text: fmt.Sprintf(`
Thing = object "Thing" {
  lod = %q,
  state = { n = 0, heat = 0, phase = 0, %s },
  aux = { %s },
  body = { shape = { circle = 0.3 } },
}
function Thing:onSpawn() %s end
function Thing:tick()
  self.n = self.n + 1
  %s
  if self.n %% 20 == 0 then self.heat = random() self:setVelocity(random() * 4 - 2, random() * 4 - 2) end
end
Pilot = object "Pilot" { lod = %q, input = { Left = "bool", Right = "bool" }, state = { n = 0 }, body = { shape = { circle = 0.3 } } }
function Pilot:applyInput(input) self:setForce((input.Right and 4 or 0) - (input.Left and 4 or 0), 0) end
`, level, fields["state"], fields["aux"], spawn, change, level)}}}
	b.Setup.Walls = []world.Wall{{Y: -18, W: 62, H: 1}, {Y: 18, W: 62, H: 1}, {X: -30.5, W: 1, H: 36}, {X: 30.5, W: 1, H: 36}}
	return b
}

// auxCost is what a match takes, in bytes: the histories of the host and of a client, and snapshots after the
// first seconds.
type auxCost [3]int

var auxCosts = [len(auxCost{})]string{"the host's history", "a client's history", "the snapshots"}

func measureAux(t *testing.T, level, part string, period int) auxCost {
	sim := simtest.New(t, simtest.Options{Seed: 5, Clients: 2, Profile: memlink.Average(), Bundle: auxRoom(level, part, period), Compile: compile,
		Controls: func(i int) client.Controls { return &driver{uint64(i) + 3} }})
	sim.Run(4 * time.Second)
	before := sim.Host.Report(sim.Now)
	sim.Run(draws.Pick(3*time.Second, 10*time.Second))
	after, client := sim.Host.Report(sim.Now), sim.Report(0)
	if after.ScriptErrors > 0 {
		t.Errorf("%d script errors", after.ScriptErrors)
	}
	return auxCost{after.HistoryBytes, client.HistoryBytes, int(after.Bytes["snapshots"] - before.Bytes["snapshots"])}
}

// TestAuxCost: aux fields that seldom change take next to nothing of the histories and of snapshots, and those
// that change in every tick no more than state fields.
func TestAuxCost(t *testing.T) {
	t.Parallel()
	for _, level := range []string{"predict", "interpolate"} {
		t.Run(level, func(t *testing.T) {
			t.Parallel()
			costs := map[string]auxCost{}
			for _, a := range auxes {
				if draws.Full() || a.period != 1 && a.part != "state" {
					costs[a.name] = measureAux(t, level, a.part, a.period)
				}
			}
			for _, a := range auxes {
				cost, measured := costs[a.name]
				if a.part == "" || !measured {
					continue
				}
				t.Logf("%s: %v", a.name, cost)
				if level == "interpolate" && draws.Full() { // which has snapshots
					figures.Row(t, "benchmarks.md", a.name, cost.timesAsMuch(costs["none"])...)
				}
				if a.part == "aux" && a.period != 1 {
					cost.atMost(t, a.name, 1.2, costs["none"])
				}
				if state, measured := costs[strings.Replace(a.name, "aux", "state", 1)]; measured {
					cost.atMost(t, a.name, 1, state)
				}
			}
		})
	}
}

// atMost checks that each part of the cost is at most so many times as much as that of another one.
func (c auxCost) atMost(t *testing.T, name string, most float64, than auxCost) {
	t.Helper()
	for i, bytes := range c {
		if float64(bytes) > most*float64(than[i]) {
			t.Errorf("%s: %d bytes of %s, more than %.1f times %d", name, bytes, auxCosts[i], most, than[i])
		}
	}
}

// timesAsMuch returns how many times as much each part is as that of another cost.
func (c auxCost) timesAsMuch(than auxCost) (cells []string) {
	for i, bytes := range c {
		cells = append(cells, fmt.Sprintf("%.2f", float64(bytes)/float64(than[i])))
	}
	return cells
}
