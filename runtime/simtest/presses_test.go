package simtest_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/runtime/simtest/draws"
	"github.com/hindcast/hindcast/world"
)

// shooters shoot once for each press, and count how often Fire went up. They dash in each tick
// in which Dash is down, and drift as far as they aim. Rollers do so in independent frames.
const shooters = `
local inputs = { Fire = "bool", aim = { "number", decay = 0.1 }, Dash = { "bool", repeats = false } }
local counts = { shots = 0, releases = 0, dashes = 0, drift = 0 }
local function shoot(self, input)
  for i = 1, input:presses("Fire") do
    self.shots = self.shots + 1
    cue("shot", { n = self.shots })
  end
  if input:released("Fire") then self.releases = self.releases + 1 end
  if input.Dash then self.dashes = self.dashes + 1 end
  self.drift = self.drift + input.aim
end
Shooter = object "Shooter" { input = inputs, state = counts }
function Shooter:applyInput(input) shoot(self, input) end
Roller = object "Roller" { input = inputs, state = counts, ticking = "independent" }
function Roller:simulate(input) shoot(self, input) end
function onJoin(player)
  spawn("Shooter", { owner = player })
  spawn("Roller", { owner = player })
end
`

// taps presses Fire and Dash for one tick in every 23, ten times, and aims in the ten ticks after
// that.
type taps struct {
	since world.Tick // the tick of the first press; 0: not yet
	begin bool
}

func (p *taps) Input(r world.Reader, slot int) (in world.Input) {
	if !p.begin {
		return in
	}
	next := r.Tick() + 1
	if p.since == 0 {
		p.since = next
	}
	n := next - p.since
	for _, f := range r.Class(slot).Inputs {
		switch {
		case n >= 230:
		case !f.Axis && f.Name != "Boost" && f.Name != "Evade" && n%23 == 0:
			in.Press(f.Index, 1)
		case f.Axis && n%23 < 10:
			in.Axes[f.Index] = 1
		}
	}
	return in
}

// again begins ten more presses.
func (p *taps) again() { *p = taps{begin: true} }

// tapMatch is a match of players who tap.
type tapMatch struct {
	*simtest.Sim
	players          []*taps
	fired, cancelled []int // cues, by client
}

func shooterBundle(text string) *bundle.Bundle {
	return &bundle.Bundle{Game: "shooters", Setup: bundle.DefaultSetup(), Rules: bundle.DefaultRules(),
		Files: []world.Source{{Name: "game.lua", Text: text}}}
}

func newTapMatch(t *testing.T, clients int, profile memlink.Profile, redundancy int) *tapMatch {
	t.Helper()
	b := shooterBundle(shooters)
	b.Rules.Redundancy = redundancy
	m := &tapMatch{fired: make([]int, clients), cancelled: make([]int, clients)}
	for range clients {
		m.players = append(m.players, &taps{})
	}
	m.Sim = simtest.New(t, simtest.Options{Seed: 7, Clients: clients, Profile: profile, Bundle: b, Compile: compile,
		Controls: func(i int) client.Controls { return m.players[i] },
		Client: func(i int, c *client.Config) {
			c.Cues = func(e room.CueEvent) {
				m.fired[i] += one(e.Kind == room.CueFired)
				m.cancelled[i] += one(e.Kind == room.CueCancelled)
			}
		}})
	m.allPlay()
	return m
}

func (m *tapMatch) allPlay() {
	m.RunUntil(time.Minute, "all play", func() bool {
		for _, c := range m.Clients {
			if !c.Playing() {
				return false
			}
		}
		return true
	})
	m.Run(2 * time.Second)
}

// tap lets all players press Fire ten times.
func (m *tapMatch) tap() {
	for _, p := range m.players {
		p.again()
	}
	m.Run(5 * time.Second) // 230 ticks, and what is late
}

// end waits until everything is confirmed.
func (m *tapMatch) end() {
	m.Drain()
	m.AgreeOnHashes()
}

// check fails unless every object has so many presses and releases. It returns how often all of
// them dashed, and how many drifted by a part of an aim that was repeated.
func (m *tapMatch) check(t *testing.T, want float64) (dashes float64, faded int) {
	t.Helper()
	s, r := m.Host.State(), m.Host.Reader()
	for _, slot := range s.Run {
		o := &s.Objects[slot]
		if o.ID == world.MatchID {
			continue
		}
		shots, err := r.Number(o.ID, "shots")
		if err != nil {
			t.Fatal(err)
		}
		if releases, _ := r.Number(o.ID, "releases"); shots != want || releases != want {
			t.Errorf("%s of player %d: %v shots and %v releases of %v presses", r.Class(int(slot)).Name, o.Owner, shots, releases, want)
		}
		own, _ := r.Number(o.ID, "dashes")
		if own > want {
			t.Errorf("%s of player %d dashed in %v ticks, for %v presses", r.Class(int(slot)).Name, o.Owner, own, want)
		}
		dashes += own
		drift, _ := r.Number(o.ID, "drift")
		faded += one(drift != math.Round(drift))
	}
	return dashes, faded
}

// TestTenPressesAreTenShots: each press of a player is one shot for the host and for every
// client, whatever is lost on the way: an input that is repeated presses nothing, and a press
// whose tick is lost comes with the next input.
func TestTenPressesAreTenShots(t *testing.T) {
	lossy := memlink.Average()
	lossy.Loss = 0.4
	for name, c := range map[string]struct {
		profile    memlink.Profile
		redundancy int
	}{
		"off": {memlink.Profile{}, bundle.MaxRedundancy}, "average": {memlink.Average(), bundle.MaxRedundancy},
		"bad": {memlink.Bad(), bundle.MaxRedundancy}, "awful": {memlink.Awful(), bundle.MaxRedundancy},
		"lost inputs": {lossy, 1}, // nothing repeats an input that is lost
	} {
		if !draws.Full() && name != "average" && name != "lost inputs" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			clients := draws.Pick(2, 4)
			m := newTapMatch(t, clients, c.profile, c.redundancy)
			m.tap()
			m.end()
			dashes, faded := m.check(t, 10)
			shots := 2 * 10 * clients
			for i := range m.fired {
				if m.fired[i]-m.cancelled[i] != shots || c.redundancy > 1 && m.cancelled[i]*100 > shots {
					t.Errorf("client %d: %d cues fired and %d were cancelled, of %d shots", i, m.fired[i], m.cancelled[i], shots)
				}
			}
			in := m.Host.Report(m.Now).Inputs
			if name == "lost inputs" && in.Substituted < 100*clients {
				t.Errorf("only %d inputs were lost", in.Substituted)
			}
			if lost := dashes < float64(shots); lost != (c.redundancy == 1) || lost != (faded > 0) {
				t.Errorf("%v dashes of %d, and %d objects with a part of an aim", dashes, shots, faded)
			}
			t.Logf("%v dashes, %d faded, cues %v, cancelled %v; inputs %+v", dashes, faded, m.fired, m.cancelled, in)
		})
	}
}

// TestPressesGoOn: presses are counted on when scripts change, when a player comes back with
// another client, and when an object gets another owner.
func TestPressesGoOn(t *testing.T) {
	t.Parallel()
	m := newTapMatch(t, 2, memlink.Average(), bundle.MaxRedundancy)
	m.tap()
	text := strings.Replace(shooters, `{ Fire = "bool",`, `{ Boost = "bool", Evade = "bool", Fire = "bool",`, 1)
	edited := shooterBundle(text)
	script, err := compile(edited.Files, edited.Setup)
	must(t, err)
	_, _, err = m.Host.Switch(edited, script)
	must(t, err)
	m.Run(3 * time.Second)
	m.tap()
	m.check(t, 20)
	m.Leave(0)
	m.Run(time.Second)
	m.Return(0)
	m.allPlay()
	m.tap()
	m.check(t, 30)
	for _, slot := range m.Host.State().Run {
		if o := &m.Host.State().Objects[slot]; o.Owner != 0 {
			must(t, m.Host.SetOwner(o.ID, 3-o.Owner))
		}
	}
	m.Run(time.Second)
	m.tap()
	m.check(t, 40)
	m.end()
}
