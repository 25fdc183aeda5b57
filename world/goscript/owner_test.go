package goscript_test

import (
	"strings"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/goscript"
	"github.com/hindcast/hindcast/world/physics"
)

// owner is a player who sometimes puts its racer a little to the right.
type owner struct{ whims }

func (owner) Move(r world.Reader, _ int, p world.Placement) world.Placement {
	if r.Tick()%20 == 0 {
		p.X += 0.1
	}
	return p
}

// TestOwnersAndFrames: Verify judges what owners say, and Simulate runs for each frame
// of its owner.
func TestOwnersAndFrames(t *testing.T) {
	g := goscript.NewGame("owners", "1")
	racer := g.Class(world.Class{Name: "Racer", Body: goscript.Dynamic(physics.CircleShape(0.3)), Moves: &world.MoveRules{Speed: 20}})
	racer.Verify = func(_ goscript.Actor, self goscript.Object, claimed world.Placement) bool {
		return claimed.X-self.Body().Pose().X < 0.15 && claimed.X < 4
	}
	racer.ApplyInput = func(goscript.Actor, goscript.Object, *world.Input) {}
	walker := g.Class(world.Class{Name: "Walker", Body: goscript.Kinematic(physics.CircleShape(0.3)), Independent: true})
	ahead, walked := walker.Button("Ahead"), walker.Number("walked", 0)
	walker.Simulate = func(_ goscript.Actor, self goscript.Object, in *world.Input, seconds float64) {
		self.Body().MoveAndSlide(ahead.Value(in)*seconds, 0)
		walked.Add(self, seconds)
	}
	g.OnJoin = func(a goscript.Actor, player world.PlayerID) {
		y := float64(player)
		a.Spawn(racer, goscript.At(0, y), goscript.OwnedBy(player))
		a.Spawn(walker, goscript.At(-5, y), goscript.OwnedBy(player))
	}
	sim := simtest.New(t, simtest.Options{Seed: 1, Clients: 2, Profile: memlink.Average(), Bundle: roomOf(g), Compile: goscript.Compile(g),
		Controls: func(i int) client.Controls { return owner{whims{uint64(i)}} },
		Client:   func(_ int, c *client.Config) { c.FrameEvery = 7 * time.Millisecond }})
	sim.Run(18 * time.Second)
	sim.Drain()
	sim.AgreeOnHashes()
	r := sim.Host.Report(sim.Now)
	verified, simulated := r.Classes["Racer"]["verify"].Calls, r.Classes["Walker"]["simulate"].Calls
	if r.ScriptErrors != 0 || verified < 20 || simulated < 2*1000 || r.Owners.Refused == 0 || r.Owners.Taken < 10 {
		t.Errorf("%d errors, %d verified, %d frames, %+v", r.ScriptErrors, verified, simulated, r.Owners)
	}
	for _, line := range strings.Fields(fieldsOf(sim.Host.State(), sim.Host.Schema(), "Walker")) {
		if !strings.HasPrefix(line, "walked=1") {
			t.Errorf("after 18 s: %s", line)
		}
	}
}

// TestRelevantFiltersHiddenObjects: of a hidden class, a client receives the objects that
// Relevant allows, and Relevant cannot change anything.
func TestRelevantFiltersHiddenObjects(t *testing.T) {
	g := goscript.NewGame("fog", "1")
	ship := g.Class(world.Class{Name: "Ship", Body: goscript.Dynamic(physics.CircleShape(0.3)), LOD: world.Interpolate, Ranges: world.Ranges{Hidden: true}})
	team, tries := ship.Number("team", 0), ship.Number("tries", 0)
	asked := 0
	g.Relevant = func(a goscript.Actor, viewer, object goscript.Object) bool {
		asked++
		if asked == 50 {
			tries.Add(viewer, 1)
		}
		near := a.OverlapCircle(0, 0, 100)
		return len(near) > 0 && a.Random() < 2 && team.Get(viewer) == team.Get(object)
	}
	g.OnJoin = func(a goscript.Actor, player world.PlayerID) {
		a.Spawn(ship, goscript.At(float64(player), 0), goscript.OwnedBy(player), team.As(float64(player%2)))
	}
	sim := simtest.New(t, simtest.Options{Seed: 1, Clients: 4, Profile: memlink.LAN(), Bundle: roomOf(g), Compile: goscript.Compile(g)})
	sim.Run(5 * time.Second)
	for i, c := range sim.Clients {
		var teams []string
		for _, f := range strings.Fields(fieldsOf(c.State(), sim.Host.Schema(), "Ship")) {
			if strings.HasPrefix(f, "team") {
				teams = append(teams, f)
			}
		}
		if len(teams) != 2 || teams[0] != teams[1] {
			t.Errorf("client %d has %v", i, teams)
		}
	}
	if r := sim.Host.Report(sim.Now); asked < 100 || r.Interest.Failed == 0 {
		t.Errorf("asked %d times: %+v", asked, r.Interest)
	}
}
