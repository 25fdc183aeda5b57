package scripts_test

import (
	"flag"
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/hindcast/hindcast/luabind"
	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/runtime/simtest/draws"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/scripts"
	"github.com/hindcast/hindcast/world"
)

// soccerMatch is a match of soccer that bots play against each other, in seconds of its own time.
type soccerMatch struct {
	first     float64 // when the first kick, pass or tackle was
	length    float64 // until it was over
	dead      float64 // in which nobody could play
	goals     int
	leads     int // how often another team than before took the lead
	red, blue int
	most      map[string]int // by class and hook: the instructions of the most expensive call
}

// costly is a Script that notes the most expensive call of each hook.
type costly struct {
	world.Script
	most map[string]int
}

func (c costly) Call(a world.Actor, h world.Hook, slot int, args *world.Args) error {
	class := c.Schema().Classes[a.State().Objects[slot].Class].Name // before the hook removes the object
	err := c.Script.Call(a, h, slot, args)
	name := class + ":" + h.String()
	c.most[name] = max(c.most[name], c.Script.(world.InstructionCounter).Instructions())
	return err
}

// skills gives the bots of the teams skills, 1 (easy) to 3 (hard).
type skills struct{ red, blue float64 }

// playSoccer plays a match from a seed.
func playSoccer(t *testing.T, seed uint64, bots skills) (m soccerMatch) {
	t.Helper()
	files, _ := scripts.Builtin("soccer")
	game, err := scripts.Load(files, "soccer")
	if err != nil {
		t.Fatal(err)
	}
	setup := game.Bundle.Setup
	setup.Seed = seed
	script, err := luabind.Compile(game.Bundle.Files, setup)
	if err != nil {
		t.Fatal(err)
	}
	m.most = map[string]int{}
	tl := timeline.New(costly{script, m.most}, timeline.Options{States: 2})
	tl.KeepCues(true)
	rate := float64(setup.TickRate)
	leader, number := 0, uint32(0)
	for tick := 1; tick < 400*setup.TickRate; tick++ {
		tl.Step()
		if tick == 2 {
			giveSkills(t, tl, bots, &number)
		}
		var phase string
		var red, blue float64
		_ = tl.Past().Read(tl.Now(), func(r world.Reader) {
			phase, _ = r.Match().Text("phase")
			red, _ = r.Match().Number("red")
			blue, _ = r.Match().Number("blue")
		})
		m.first = firstEvent(tl, m.first, float64(tick)/rate)
		if phase == "over" && tick > 2 {
			m.length, m.red, m.blue, m.goals = float64(tick)/rate, int(red), int(blue), int(red+blue)
			return m
		}
		if phase != "play" && phase != "golden" {
			m.dead += 1 / rate
		}
		if side := int(red) - int(blue); side != 0 {
			if side > 0 != (leader > 0) && leader != 0 {
				m.leads++
			}
			leader = side
		}
	}
	t.Fatalf("seed %d: the match has no end", seed)
	return m
}

// firstEvent returns the time of the first cue of a footballer.
func firstEvent(tl *timeline.Timeline, first, now float64) float64 {
	if first > 0 {
		return first
	}
	for _, c := range tl.Past().Cues(tl.Now()) {
		if c.Name == "kick" || c.Name == "pass" || c.Name == "tackle" {
			return now
		}
	}
	return 0
}

// giveSkills sets the skills of all footballers.
func giveSkills(t *testing.T, tl *timeline.Timeline, bots skills, number *uint32) {
	t.Helper()
	s := tl.At(tl.Now())
	for slot := range s.Objects {
		o := &s.Objects[slot]
		if o.ID == 0 || tl.Schema(tl.Now()).Classes[o.Class].Name != "Player" {
			continue
		}
		skill := bots.blue
		if x := s.Body(slot).X; x < 0 {
			skill = bots.red
		}
		*number++
		e := world.Event{Tick: tl.Now() + 1, Kind: world.SetEvent, Number: *number, Object: o.ID, Values: []world.NamedValue{{Name: "skill", Value: world.NumberValue(skill)}}}
		if _, err := tl.Insert(e, timeline.Origin{}); err != nil {
			t.Fatal(err)
		}
	}
}

var matches = flag.Int("matches", 0, "how many matches of soccer bots play against each other; 0: few, and 20 in a full run")

// soccerSeeds returns how many matches are played: few in a plain run.
func soccerSeeds(few int) int {
	if *matches > 0 {
		return *matches
	}
	return draws.Pick(few, 20)
}

// TestSoccerIsFun plays matches of medium bots, and compares what can be measured of fun: the first event comes within 5 s, goals fall each 5 to
// 25 s (in one match of 20 less often), nobody waits for more than 15 % of the time, the lead changes in 60 % of the matches, and they last 60 to 240 s. The
// most expensive call of each hook takes less than a tenth of its budget.
func TestSoccerIsFun(t *testing.T) {
	t.Parallel()
	n := soccerSeeds(3)
	leads, slow := 0, 0
	most := map[string]int{}
	for seed := range n {
		m := playSoccer(t, uint64(seed+1), skills{2, 2})
		for name, used := range m.most {
			most[name] = max(most[name], used)
		}
		each := m.length / float64(max(m.goals, 1))
		line := fmt.Sprintf("seed %d: %d:%d in %.0f s, a goal each %.0f s, first event after %.1f s, dead %.0f %%, %d changes of the lead",
			seed+1, m.red, m.blue, m.length, each, m.first, 100*m.dead/m.length, m.leads)
		t.Log(line)
		if m.first > 5 || m.dead/m.length > 0.15 || m.length < 60 || m.length > 240 || each < 5 {
			t.Error(line)
		}
		if m.leads > 0 {
			leads++
		}
		if each > 25 {
			slow++
		}
	}
	t.Logf("instructions of the most expensive calls: %v", most)
	for _, hook := range []string{"Player:think", "Player:applyInput", "Player:onContact", "Ball:tick", "game:tick"} {
		if used := most[hook]; used == 0 || used >= luabind.HookInstructions/10 {
			t.Errorf("%s takes up to %d of %d instructions", hook, used, luabind.HookInstructions)
		}
	}
	for hook, used := range most {
		if used >= luabind.HookInstructions/10 {
			t.Errorf("%s takes up to %d of %d instructions", hook, used, luabind.HookInstructions)
		}
	}
	t.Logf("the lead changes in %d of %d matches; in %d of them goals are rare", leads, n, slow)
	if n >= 20 && (10*leads < 6*n || 20*slow > n) {
		t.Errorf("the lead changes in %d of %d matches, want 60 %%; in %d of them goals are rare, want 5 %% at most", leads, n, slow)
	}
}

// TestSoccerBotsDiffer: medium bots win 75 to 90 % of the matches against easy ones.
func TestSoccerBotsDiffer(t *testing.T) {
	t.Parallel()
	n, won := soccerSeeds(0), 0
	if n == 0 {
		t.Skip("in full only")
	}
	for seed := range n {
		bots := skills{2, 1}
		if seed%2 == 1 {
			bots = skills{1, 2}
		}
		m := playSoccer(t, uint64(seed+1), bots)
		if (m.red > m.blue) == (bots.red > bots.blue) {
			won++
		}
	}
	t.Logf("the medium bots win %d of %d matches", won, n)
	if 100*won < 75*n || 100*won > 90*n {
		t.Errorf("the medium bots win %d of %d matches, want 75 to 90 %%", won, n)
	}
}

// TestALeaverIsReplaced: within a second after a player has left, a bot plays the footballer on. The player who returns
// within the grace time plays again, for the same team and with the goals of before.
func TestALeaverIsReplaced(t *testing.T) {
	t.Parallel()
	sim := play(t, simtest.Game(t, "soccer"), memlink.Average(), 0, "circle", "circle")
	owned := func(p world.PlayerID) (slot int) {
		s := sim.Host.State()
		if s == nil {
			return -1
		}
		ci, _ := sim.Host.Schema().ClassByName("Player")
		for _, slot := range s.Run {
			if o := &s.Objects[slot]; int(o.Class) == ci && o.Owner == p {
				return int(slot)
			}
		}
		return -1
	}
	for i := range 2 { // they answer what the game asks
		sim.RunUntil(time.Minute, "a player plays", func() bool { return sim.Clients[i].Playing() })
		sim.Clients[i].Say(sim.Now, "/enter -")
	}
	first := sim.Clients[0].Player()
	sim.RunUntil(time.Minute, "both have a footballer", func() bool {
		return owned(first) >= 0 && owned(sim.Clients[1].Player()) >= 0
	})
	id := sim.Host.State().Objects[owned(first)].ID
	sim.Leave(0)
	sim.RunUntil(time.Minute, "the host knows", func() bool { return sim.Host.Players() == 1 })
	left := sim.Host.Now()
	sim.RunUntil(time.Second, "a bot plays", func() bool { return owned(first) < 0 })
	slot, ok := sim.Host.State().Find(id)
	if !ok || sim.Host.State().Objects[slot].Owner != 0 || sim.Host.Now() > left+60 {
		t.Errorf("the footballer is there: %v, %d ticks later", ok, sim.Host.Now()-left)
	}
	at := *sim.Host.State().Body(slot)
	sim.Run(2 * time.Second)
	if now := sim.Host.State().Body(slot); math.Hypot(now.X-at.X, now.Y-at.Y) < 1 {
		t.Error("the bot stands still")
	}
	back := sim.Return(0)
	sim.RunUntil(time.Minute, "the player is back and plays", func() bool {
		return back.Playing() && owned(back.Player()) >= 0
	})
	if back.Player() != first {
		t.Errorf("player %d is back as %d", first, back.Player())
	}
}
