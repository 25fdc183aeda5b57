package simtest_test

import (
	"os"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/runtime/simtest/draws"
	"github.com/hindcast/hindcast/world"
)

// rig returns the game in luabind/testdata/rig: joints of all kinds, balls that are
// carried, walkers, and piles that sleep.
func rig(t *testing.T) *bundle.Bundle {
	t.Helper()
	b := bundle.New("rig")
	b.Setup.GravityY = -10
	b.Setup.Walls = []world.Wall{{Y: -7.5, W: 42, H: 1, Friction: 0.6}, {X: -20.5, W: 1, H: 16}, {X: 20.5, W: 1, H: 16}}
	for _, n := range []string{"game.lua", "rig.lua"} {
		text, err := os.ReadFile("../../luabind/testdata/rig/" + n)
		if err != nil {
			t.Fatal(err)
		}
		b.Files = append(b.Files, world.Source{Name: n, Text: string(text)})
	}
	return b
}

// driver presses buttons for a while, then others.
type driver struct{ seed uint64 }

func (d *driver) Input(r world.Reader, slot int) world.Input {
	x := (uint64(r.Tick())/37 + d.seed*1000003) * 0x9e3779b97f4a7c15
	x ^= x >> 29
	return world.Input{Buttons: uint32(x>>7) & 15}
}

// rigged counts what was found in a match, in samples taken now and then.
type rigged struct {
	carried, asleep, tied int // samples with such an object
	changes               int // of the number of joints
	joints                int
}

func (c *rigged) look(s *world.State) {
	held, sleeper := false, false
	for i := range s.Physics.Joints {
		held = held || s.Physics.Joints[i].Key == s.Physics.Joints[i].KeyB
	}
	for slot := range s.Objects {
		b := s.Body(slot)
		sleeper = sleeper || b.Key != 0 && b.Asleep()
	}
	c.carried, c.asleep, c.tied = c.carried+one(held), c.asleep+one(sleeper), c.tied+one(len(s.Physics.Joints) > 0)
	c.changes += one(c.joints != len(s.Physics.Joints))
	c.joints = len(s.Physics.Joints)
}

func one(is bool) int {
	if is {
		return 1
	}
	return 0
}

// TestJointsUnderRewinds plays the rig on bad lines, in a full run on awful ones. Check mode is on for host and
// clients, and compares rewinds with whole ones.
func TestJointsUnderRewinds(t *testing.T) {
	t.Parallel()
	looks, line := draws.Pick(32, 80), draws.Pick(memlink.Bad(), memlink.Awful()) // there a client takes 10 s to join
	var seen rigged
	sim := simtest.New(t, simtest.Options{Seed: 31, Clients: 4, Profile: line, Bundle: rig(t), Compile: compile,
		Controls: func(i int) client.Controls { return &driver{uint64(i) + 3} }})
	for range looks {
		sim.Run(250 * time.Millisecond)
		seen.look(sim.Host.State())
	}
	sim.Drain()
	sim.AgreeOnHashes()
	if r := sim.Host.Report(sim.Now); r.ScriptErrors != 0 || sim.Failed() != nil || r.Rewinds.Count == 0 {
		t.Errorf("%d script errors; %v; rewinds %+v", r.ScriptErrors, sim.Failed(), r.Rewinds)
	}
	if seen.tied < looks/2 || seen.carried < looks/8 || seen.asleep < looks/4 || seen.changes < looks/10 {
		t.Errorf("too little happened: %+v", seen)
	}
	for i := range sim.Clients {
		r := sim.Report(i).Rewinds
		inPart := r.TicksRun - r.Whole.Sum()
		if r.Count < looks/4 || inPart < looks {
			t.Errorf("client %d: %d ticks were run again in part; rewinds %+v", i, inPart, r)
		}
		t.Logf("client %d: %d ticks in part; %+v", i, inPart, r)
	}
	t.Logf("%+v", seen)
}
