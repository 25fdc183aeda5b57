package simtest_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/runtime/simtest/draws"
	"github.com/hindcast/hindcast/runtime/stats"
	"github.com/hindcast/hindcast/world"
)

// drifters wander among ships, which push them. LEVEL is their level of detail.
const drifters = `
Ship = object "Ship" {
  input = { Left = "bool", Right = "bool", Up = "bool", Down = "bool" },
  state = { bumps = 0 },
  body = { shape = { circle = 0.5 }, density = 1, linear_damping = 1, restitution = 0.3 },
}
function Ship:applyInput(input)
  self:setForce(((input.Right and 1 or 0) - (input.Left and 1 or 0)) * 12, ((input.Up and 1 or 0) - (input.Down and 1 or 0)) * 12)
end
function Ship:onContact() self.bumps = self.bumps + 1 end

Drifter = object "Drifter" {
  lod = "LEVEL",
  state = { mood = 0, age = 0 },
  body = { shape = { circle = 0.6 }, density = 2, restitution = 0.5 },
}
function Drifter:tick()
  self.age = self.age + 1
  if self.age % 80 == 1 then self.mood = random() * 6.28 end
  local vx, vy = self:getVelocity()
  self:setForce(8 * (3 * math.cos(self.mood) - vx), 8 * (3 * math.sin(self.mood) - vy))
end
`

const driftersGame = `
function onStart()
  for i = 0, 9 do spawn("Drifter", { x = i * 3.5 - 16, y = 6 - (i % 3) * 6 }) end
end
function onJoin(player) spawn("Ship", { x = player * 6 - 12, y = -9, owner = player }) end
`

// drifting returns that game with drifters of a level.
func drifting(level world.LOD) *bundle.Bundle {
	b := ownersRoom("game.lua", driftersGame, "drifters.lua", "")
	b.Files[1].Text = strings.Replace(drifters, "LEVEL", level.String(), 1)
	return b
}

// A drawing measures how far each of the ten drifters moves from one view to the next,
// and how often one is missing.
type drawing struct {
	view    room.View
	last    map[world.ObjectID]room.ViewBody
	steps   stats.Series // movement from one view to the next, m
	missing int
}

func (p *drawing) look(c *client.Client) {
	c.View(&p.view)
	next := map[world.ObjectID]room.ViewBody{}
	for _, b := range p.view.Bodies {
		if b.Class != "Drifter" {
			continue
		}
		if was, seen := p.last[b.ID]; seen {
			p.steps.Add(math.Hypot(b.X-was.X, b.Y-was.Y))
		}
		next[b.ID] = b
	}
	p.missing += 10 - len(next)
	p.last = next
}

// TestReloadChangesLevelsOfDetail tests three reloads, which make a class interpolated,
// extrapolated, and predicted again. All sides agree, and nothing jumps in the views.
func TestReloadChangesLevelsOfDetail(t *testing.T) {
	t.Parallel()
	sim := simtest.New(t, simtest.Options{Seed: 14, Clients: 3, Profile: memlink.Bad(), Bundle: drifting(world.Predict), Compile: compile,
		Controls: func(i int) client.Controls { return &driver{uint64(i) + 3} }})
	sim.RunUntil(20*time.Second, "all play", func() bool {
		for _, c := range sim.Clients {
			if !c.Playing() {
				return false
			}
		}
		return true
	})
	var p drawing
	each := draws.Pick(3*time.Second, 5*time.Second)
	played := time.Duration(0)
	play := func(level world.LOD) {
		played += each
		p.steps, p.missing = stats.Series{}, 0
		for end := sim.Now + each; sim.Now < end; {
			sim.Run(4 * simtest.PollEvery)
			p.look(sim.Clients[0])
		}
		t.Logf("%s: drifters move by %+v m per frame", level, p.steps.Spread())
		ci, _ := sim.Host.Schema().ClassByName("Drifter")
		if in := sim.Host.Schema().Classes[ci].LOD; in != level || (p.view.Moment != 0) != (level != world.Predict) {
			t.Errorf("the level is %s, not %s; the moment shown is %v", in, level, p.view.Moment)
		}
		// At 3 m/s a step is 0.05 m. The blend from another place, 1.2 m away here, takes half a
		// second.
		if p.missing > 0 || p.steps.Quantile(1) > 0.2 || p.steps.Count() < 500*int(each.Seconds()) {
			t.Errorf("%s: missing %d times, %d steps of %+v m", level, p.missing, p.steps.Count(), p.steps.Spread())
		}
	}
	play(world.Predict)
	levels := []world.LOD{world.Interpolate, world.Extrapolate, world.Predict, world.Extrapolate, world.Interpolate, world.Predict}
	for _, level := range levels[:draws.Pick(3, len(levels))] {
		if _, err := swap(t, sim, drifting(level)); err != nil {
			t.Fatal(err)
		}
		play(level)
	}
	sim.Drain()
	h := sim.Host.Report(sim.Now)
	if n := sim.AgreeOnHashes(); n < 172*int(played.Seconds()) || h.Bytes["given"] < 1000 || h.Bytes["snapshots"] < draws.Pick[int64](20_000, 50_000) || h.ScriptErrors > 0 || sim.Failed() != nil {
		t.Errorf("%d compared, bytes %v, %d script errors, %v", n, h.Bytes, h.ScriptErrors, sim.Failed())
	}
}

// flying returns that game with ships of a level, which players steer.
func flying(level world.LOD) *bundle.Bundle {
	b := drifting(world.Predict)
	b.Files[1].Text = strings.Replace(b.Files[1].Text, "Ship\" {", "Ship\" {\n  lod = \""+level.String()+"\",", 1)
	return b
}

// TestReloadChangesTheLevelOfSteeredObjects tests that clients that simulated an object before a
// switch receive late inputs for ticks before the switch, even if they arrive after it.
func TestReloadChangesTheLevelOfSteeredObjects(t *testing.T) {
	t.Parallel()
	sim := simtest.New(t, simtest.Options{Seed: 15, Clients: 3, Profile: memlink.Bad(), Bundle: flying(world.Predict), Compile: compile,
		Controls: func(i int) client.Controls { return twitchy(i) }})
	sim.Run(6 * time.Second)
	for range draws.Pick(1, 3) {
		for _, level := range []world.LOD{world.Interpolate, world.Predict, world.Extrapolate, world.Predict} {
			if _, err := swap(t, sim, flying(level)); err != nil {
				t.Fatal(err)
			}
			sim.Run(3 * time.Second)
		}
	}
	sim.Drain()
	h := sim.Host.Report(sim.Now)
	if n := sim.AgreeOnHashes(); n < draws.Pick(2400, 6000) || h.Inputs.LateRewound < draws.Pick(400, 1000) || sim.Failed() != nil {
		t.Errorf("%d compared, %+v, %v", n, h.Inputs, sim.Failed())
	}
}

// twitchy presses other keys in each tick.
type twitchy int

func (r twitchy) Input(room world.Reader, _ int) world.Input {
	return world.Input{Buttons: uint32(room.Tick())*2654435761>>28 ^ uint32(r)}
}

// mute is a link that takes the inputs out of what a client sends.
type mute struct {
	link.Link
	on *bool
}

func (m mute) SendDatagram(now time.Duration, p link.Peer, b []byte) error {
	var f wire.InputPacket
	if *m.on && wire.ParseInputPacket(b, &f) == nil {
		f.Runs, f.Claim = nil, nil
		b = wire.AppendInputPacket(nil, &f)
	}
	return m.Link.SendDatagram(now, p, b)
}

// TestRepeatedInputsAreRelayedAfterARelevel tests that clients know an input that is repeated for
// seconds, even if it was not relayed at first and clients simulate the ship only since a reload.
func TestRepeatedInputsAreRelayedAfterARelevel(t *testing.T) {
	t.Parallel()
	bundle := func(level world.LOD) *bundle.Bundle {
		b := flying(level)
		b.Setup.RepeatInputTicks = 5 * world.Tick(b.Setup.TickRate)
		return b
	}
	silent := false
	sim := simtest.New(t, simtest.Options{Seed: 15, Clients: 3, Profile: memlink.Average(), Bundle: bundle(world.Interpolate), Compile: compile,
		Client: func(i int, c *client.Config) {
			if i == 0 {
				c.Link = mute{c.Link, &silent}
			}
		},
		Controls: func(i int) client.Controls { return &driver{uint64(i) + 3} }})
	sim.Run(4 * time.Second)
	silent = true
	sim.Run(500 * time.Millisecond)
	from, err := swap(t, sim, bundle(world.Predict))
	if err != nil {
		t.Fatal(err)
	}
	sim.Run(8 * time.Second)
	silent = false
	sim.Run(time.Second)
	sim.Drain()
	if n := sim.AgreeOnHashes(); n < 1500 || sim.Host.Committed() < from || sim.Failed() != nil {
		t.Errorf("%d compared, switched in tick %d of %d, %v", n, from, sim.Host.Committed(), sim.Failed())
	}
}

// toAndFro flies up and down.
type toAndFro struct{}

func (toAndFro) Input(r world.Reader, _ int) world.Input {
	return world.Input{Buttons: []uint32{1, 8}[r.Tick()/15%2]}
}

// TestOwnInputsOfBeforeEnd tests a player whose inputs are lost while the level of the
// ship changes to predicted. The client does not repeat inputs that only it has.
func TestOwnInputsOfBeforeEnd(t *testing.T) {
	t.Parallel()
	silent := false
	sim := simtest.New(t, simtest.Options{Seed: 15, Clients: 2, Profile: memlink.Average(), Bundle: flying(world.Interpolate), Compile: compile,
		Client: func(i int, c *client.Config) {
			if i == 0 {
				c.Link = mute{c.Link, &silent}
			}
		},
		Controls: func(int) client.Controls { return toAndFro{} }})
	sim.Run(4 * time.Second)
	from, err := swap(t, sim, flying(world.Predict))
	if err != nil {
		t.Fatal(err)
	}
	sim.RunUntil(3*time.Second, "it is soon", func() bool { return sim.Host.Now()+50 > from })
	silent = true
	sim.Run(6 * time.Second) // until the scripts from before the switch are removed
	sim.Drain()
	if n := sim.AgreeOnHashes(); n < 800 || sim.Host.Committed() < from+200 || sim.Failed() != nil {
		t.Errorf("%d compared, switched in tick %d of %d, %v", n, from, sim.Host.Committed(), sim.Failed())
	}
}
