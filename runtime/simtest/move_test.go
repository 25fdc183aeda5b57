package simtest_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
)

// pushing is a game in which the acts of one player affect others by contact, by reads
// of their scripts, and by writes to their objects. The lines that the tests look for
// are marked.
const pushing = `
Ship = object "Ship" {
  input = { Accel = "bool" },
  body = { shape = { circle = 0.5 }, linear_damping = 0.5 },
}
function Ship:applyInput(input)
  self:setTorque(0)
  self:setDirectionalForce(0, input.Accel and 60 or 0) -- steers
end

Crate = object "Crate" { body = { shape = { box = { 0.9, 0.9 } }, linear_damping = 0.5 } }

Shadow = object "Shadow" { input = { Accel = "bool" }, body = { shape = { circle = 0.2 }, sensor = true } }
function Shadow:tick()
  for _, o in ipairs(objects("Ship")) do
    if o.owner == 3 then
      local x = o:getPosition() -- looks
      self:setPosition(x * 2, 6)
    end
  end
end

Toy = object "Toy" { input = { Accel = "bool" }, body = { shape = { circle = 0.2 }, sensor = true } }
Hand = object "Hand" { state = { toy = ref() }, body = { shape = { circle = 0.2 }, sensor = true } }
function Hand:tick()
  local ship = nearest("Ship", -1, 0)
  if ship and self.toy then
    self.toy:setPosition(ship:getPosition(), -6) -- does
  end
end
`

const pushingGame = `
function onStart() spawn("Crate", { x = 1 }) end
function onJoin(player)
  if player == 1 then spawn("Ship", { owner = player, x = 2 })
  elseif player == 2 then spawn("Shadow", { owner = player, y = 6 })
  elseif player == 3 then spawn("Ship", { owner = player, x = 0 })
  else
    local toy = spawn("Toy", { owner = player, y = -6 })
    spawn("Hand", { y = -8, toy = toy })
  end
end
`

// lineOf returns the number of the line of pushing that has a mark.
func lineOf(mark string) int {
	before, _, _ := strings.Cut(pushing, "-- "+mark)
	return 1 + strings.Count(before, "\n")
}

func pushingBundle() *bundle.Bundle {
	b := bundle.New("pushing")
	b.Files = []world.Source{{Name: "ship.lua", Text: pushing}, {Name: "game.lua", Text: pushingGame}}
	return b
}

// stuck is a link that sends nothing for a while.
type stuck struct {
	link.Link
	on bool
}

func (l *stuck) SendDatagram(now time.Duration, p link.Peer, b []byte) error {
	if l.on {
		return nil
	}
	return l.Link.SendDatagram(now, p, b)
}

// A presser presses Accel while on is set, and notes the first tick in which it did.
type presser struct {
	on    bool
	first world.Tick
}

func (c *presser) Input(r world.Reader, _ int) world.Input {
	if !c.on {
		return world.Input{}
	}
	if c.first == 0 {
		c.first = r.Tick() + 1
	}
	return world.Input{Buttons: 1}
}

// TestDisplacementsNameTheCause tests the displacements after a late input of player 3,
// whose object pushes a crate. The crate pushes player 1's object, a hook of player 2's
// object reads player 3's, and another object writes to player 4's. Each displacement names
// the input and the path to the object.
func TestDisplacementsNameTheCause(t *testing.T) {
	t.Parallel()
	var moves [4][]room.Displacement
	third, line := &presser{}, &stuck{}
	sim := simtest.New(t, simtest.Options{Seed: 8, Clients: 4, Profile: memlink.Profile{Delay: 30 * time.Millisecond}, Bundle: pushingBundle(), Compile: compile,
		Controls: func(i int) client.Controls {
			if i == 2 {
				return third
			}
			return &presser{}
		},
		Client: func(i int, c *client.Config) {
			c.Displaced = func(m room.Displacement) { moves[i] = append(moves[i], m) }
			if i == 2 {
				line.Link, c.Link = c.Link, line
			}
		}})
	sim.Run(3 * time.Second)
	for i := range moves {
		moves[i] = nil
	}
	third.on, line.on = true, true
	sim.Run(150 * time.Millisecond)
	line.on = false
	before := sim.Host.Report(sim.Now).Inputs.LateRewound
	sim.RunUntil(time.Second, "a late input", func() bool { return sim.Host.Report(sim.Now).Inputs.LateRewound > before })
	late := int(sim.Host.Now() - third.first)
	sim.Run(300 * time.Millisecond)
	if late < 5 {
		t.Fatalf("the input came %d ticks late", late)
	}
	for i, want := range map[int]struct {
		file    string
		way     []world.ProvenanceKind
		classes []string
		lines   []int
		text    string
	}{
		0: {way: []world.ProvenanceKind{world.FromTouch, world.FromTouch}, classes: []string{"Crate", "Ship"}, lines: []int{0, 0},
			text: "reached you through contact with Crate "},
		1: {way: []world.ProvenanceKind{world.FromRead}, classes: []string{"Ship"}, lines: []int{lineOf("looks")},
			text: "reached you through what its script saw of player 3's Ship (ship.lua:"},
		3: {way: []world.ProvenanceKind{world.FromWrite, world.FromRead}, classes: []string{"Hand", "Ship"}, lines: []int{lineOf("does"), lineOf("does")},
			text: "reached you through what Hand "},
	} {
		if len(moves[i]) == 0 {
			t.Errorf("client %d got no displacement", i)
			continue
		}
		m := moves[i][0]
		t.Logf("client %d: %s", i, m.String())
		if m.Kind != room.Reprediction || m.Provenance.Cause != timeline.CauseInput || m.Provenance.Player != 3 || m.Provenance.InputTick != third.first || m.Provenance.LateBy != late || m.Provenance.KnownBy <= late || m.Provenance.Packet == 0 {
			t.Errorf("client %d: want player 3's input for tick %d, %d ticks late: %+v", i, third.first, late, m)
		}
		if m.Provenance.File != "ship.lua" || m.Provenance.Line != lineOf("steers") || !strings.HasPrefix(m.Provenance.Text, "setDirectionalForce(0, 60)") {
			t.Errorf("client %d: want line %d: %s:%d %s", i, lineOf("steers"), m.Provenance.File, m.Provenance.Line, m.Provenance.Text)
		}
		var way []world.ProvenanceKind
		var classes []string
		var lines []int
		for _, step := range m.Provenance.Through {
			way, classes, lines = append(way, step.Kind), append(classes, step.Class), append(lines, step.Line)
		}
		if !slices.Equal(way, want.way) || !slices.Equal(classes, want.classes) || !slices.Equal(lines, want.lines) || !strings.Contains(m.String(), want.text) {
			t.Errorf("client %d: %v through %v at lines %v, want %v %v %v\n%s", i, way, classes, lines, want.way, want.classes, want.lines, m.String())
		}
		if c := sim.Report(i).Repredictions.Causes; len(c) == 0 || !strings.HasPrefix(c[0].Cause, "input through ") {
			t.Errorf("client %d reports %+v", i, c)
		}
	}
	sim.Drain()
	sim.AgreeOnHashes()
}

// TestUnusedInputIsTheCause tests that the displacement of a player whose inputs never
// arrive says so.
func TestUnusedInputIsTheCause(t *testing.T) {
	t.Parallel()
	var moves []room.Displacement
	keys, line := &presser{}, &stuck{}
	sim := simtest.New(t, simtest.Options{Seed: 9, Clients: 1, Profile: memlink.Profile{Delay: 20 * time.Millisecond}, Bundle: pushingBundle(), Compile: compile,
		Controls: func(int) client.Controls { return keys },
		Client: func(_ int, c *client.Config) {
			c.Displaced = func(m room.Displacement) { moves = append(moves, m) }
			line.Link, c.Link = c.Link, line
		}})
	sim.Run(2 * time.Second)
	keys.on, line.on = true, true
	sim.Run(600 * time.Millisecond)
	keys.on = false
	sim.Run(600 * time.Millisecond)
	line.on = false
	sim.Run(2 * time.Second)
	if len(moves) == 0 {
		t.Fatal("nothing was reported")
	}
	m := moves[0]
	t.Log(m.String())
	if m.Provenance.Cause != timeline.CauseUnused || m.Provenance.InputTick != m.Provenance.Tick || m.Provenance.Line != lineOf("steers") || len(m.Provenance.Through) != 0 {
		t.Errorf("%+v", m)
	}
}

// TestWrongClientIsCorrectedOncePerRoundTrip tests a client whose scripts differ from the host's. It
// is corrected at most once per round trip, and the correction says that the client is wrong.
func TestWrongClientIsCorrectedOncePerRoundTrip(t *testing.T) {
	t.Parallel()
	var moves []room.Displacement
	const trip = 80 * time.Millisecond
	keys := &presser{on: true}
	sim := simtest.New(t, simtest.Options{Seed: 10, Clients: 1, Profile: memlink.Profile{Delay: trip / 2}, Bundle: pushingBundle(), Compile: compile,
		Controls: func(int) client.Controls { return keys },
		Client: func(_ int, c *client.Config) {
			c.Verify = false
			c.Displaced = func(m room.Displacement) { moves = append(moves, m) }
			c.Compile = func(files []world.Source, setup world.Setup) (world.Script, error) {
				files = slices.Clone(files)
				files[0].Text = strings.Replace(files[0].Text, "and 60", "and 90", 1)
				return compile(files, setup)
			}
		}})
	sim.Run(2 * time.Second)
	host, mine := sim.Host.Report(sim.Now), sim.Report(0)
	if most := int(2*time.Second/trip) + 1; len(moves) < 3 || len(moves) > most || host.Claims.LockedOut == 0 {
		t.Errorf("reported %d times, in 2 s with round trips of %v; %+v", len(moves), trip, host.Claims)
	}
	m := moves[0]
	t.Log(m.String())
	if m.Kind != room.Correction || m.Provenance.Cause != timeline.CauseComputed || m.Class != "Ship" || len(m.Wrong) == 0 ||
		!strings.Contains(m.String(), "this client computed another result than the host") {
		t.Errorf("%+v", m)
	}
	if c := mine.Corrections.Causes; len(c) != 1 || c[0] != (room.CauseCount{Cause: "different result", Count: mine.Corrections.Count}) {
		t.Errorf("reported: %+v of %d", c, mine.Corrections.Count)
	}
}
