package scripts_test

import (
	"math"
	"testing"
	"time"

	"github.com/hindcast/hindcast/luabind"
	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/host"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/runtime/simtest/draws"
	"github.com/hindcast/hindcast/world"
)

// mind plays a footballer from what a client predicts, as the bot of the game would: it sends what think decides there.
// What think remembers between its decisions, which the host does not learn, is kept here.
type mind struct {
	t      *testing.T
	script world.Script
	skill  float64
	w      *world.World
	kept   map[string][]uint64 // by name: fields of the footballer
}

func newMind(t *testing.T, g *bundle.Bundle, skill float64) *mind {
	script, err := luabind.Compile(g.Files, g.Setup)
	if err != nil {
		t.Fatal(err)
	}
	return &mind{t: t, script: script, skill: skill, w: world.New(), kept: map[string][]uint64{}}
}

// Input implements client.Controls.
func (m *mind) Input(r world.Reader, slot int) world.Input {
	class := r.Class(slot)
	if class.Name != "Player" {
		return world.Input{}
	}
	m.w.Load(r.State(), r.Schema())
	m.w.Begin()
	m.w.BeginBlock(0)
	m.w.Act(slot)
	row := m.w.Now.Row(slot)
	for i := range class.Fields {
		switch f := &class.Fields[i]; f.Name {
		case "skill":
			row.SetWord(f, math.Float64bits(m.skill))
		case "plan", "tx", "ty", "hold":
			if words, ok := m.kept[f.Name]; ok {
				copy(row.Words(f), words)
			}
		}
	}
	var args world.Args
	if err := m.script.Call(m.w.Actor(), world.Think, slot, &args); err != nil {
		m.t.Error(err)
	}
	row = m.w.Now.Row(slot)
	for i := range class.Fields {
		switch f := &class.Fields[i]; f.Name {
		case "plan", "tx", "ty", "hold":
			m.kept[f.Name] = append(m.kept[f.Name][:0], row.Words(f)...)
		}
	}
	return args.Input
}

// playOverLine plays a match in which the red footballers are medium and played by clients over a line, and the blue
// ones are easy bots. It returns the goals of both.
func playOverLine(t *testing.T, seed uint64, line memlink.Profile) (red, blue float64) {
	t.Helper()
	b := simtest.Game(t, "soccer").Bundle
	b.Setup.Seed = seed
	sim := simtest.New(t, simtest.Options{Seed: seed, Clients: 2, Profile: line, Bundle: b,
		Compile: luabind.Compile, Log: complain{t},
		Host:     func(c *host.Config) { c.Verify = false },
		Client:   func(_ int, c *client.Config) { c.Verify = false },
		Controls: func(int) client.Controls { return newMind(t, b, 2) }})
	for i := range 2 {
		sim.RunUntil(time.Minute, "a player has come", func() bool { return sim.Clients[i].Playing() })
		sim.Clients[i].Say(sim.Now, "/enter team=Red")
	}
	// The bots are beginners at first.
	find := func(is func(o *world.Object, class string) bool) (found []world.ObjectID) {
		s := sim.Host.State()
		for _, slot := range s.Run {
			if o := &s.Objects[slot]; is(o, sim.Host.Schema().Classes[o.Class].Name) {
				found = append(found, o.ID)
			}
		}
		return found
	}
	played := func(o *world.Object, class string) bool { return class == "Player" && o.Owner != 0 }
	sim.RunUntil(time.Minute, "both play", func() bool { return len(find(played)) == 2 })
	match := find(func(_ *world.Object, class string) bool { return class == world.GameClass })
	if err := sim.Host.Set(match[0], host.Fields{"level": 1}); err != nil {
		t.Fatal(err)
	}
	w := world.New()
	sim.RunUntil(7*time.Minute, "the match is over", func() bool {
		w.Load(sim.Host.State(), sim.Host.Schema())
		match := w.Reader().Match()
		phase, _ := match.Text("phase")
		red, _ = match.Number("red")
		blue, _ = match.Number("blue")
		return phase == "over"
	})
	if owned := len(find(played)); owned != 2 {
		t.Errorf("seed %d: clients play %d footballers", seed, owned)
	}
	return red, blue
}

// TestSoccerOnBadLines: medium footballers that clients play are about as good against easy bots over a bad line as over
// a good one: of 50 matches they win about as many, and of the goals their share differs by less than 10 points. By
// chance alone the numbers of 50 matches that they win differ by 8 points; those of fewer matches say little.
func TestSoccerOnBadLines(t *testing.T) {
	t.Parallel()
	n := soccerSeeds(0)
	if n == 0 {
		t.Skip("in full only")
	}
	var won, red, all [2]float64
	for seed := range n {
		for i, line := range []memlink.Profile{memlink.LAN(), memlink.Bad()} {
			r, b := playOverLine(t, uint64(seed+1), line)
			t.Logf("seed %d on line %d: %v:%v", seed+1, i, r, b)
			red[i] += r
			all[i] += r + b
			if r > b {
				won[i]++
			}
		}
	}
	good, bad := 100*red[0]/all[0], 100*red[1]/all[1]
	t.Logf("of %d matches the medium ones win %v on a good line and %v on a bad one; of the goals, %.0f and %.0f %%",
		n, won[0], won[1], good, bad)
	most := 10.0
	if n < 50 {
		most = 20 // about 8 goals a match: chance alone is worth 5 points or more
	}
	if n >= 50 && 100*math.Abs(won[0]-won[1])/float64(n) > 16 {
		t.Errorf("of %d matches the medium ones win %v on a good line, and %v on a bad one", n, won[0], won[1])
	}
	if math.Abs(good-bad) >= most {
		t.Errorf("the medium ones score %.0f %% of the goals on a good line, and %.0f %% on a bad one", good, bad)
	}
}

// TestSoccerOnAwfulLines: four people play soccer over an awful line. All screens agree with the host, bit for bit, and
// nothing is missing: late inputs are rewound, goals fall, and everybody has a footballer.
func TestSoccerOnAwfulLines(t *testing.T) {
	t.Parallel()
	b := simtest.Game(t, "soccer").Bundle
	sim := simtest.New(t, simtest.Options{Seed: 5, Clients: 4, Profile: memlink.Awful(), Bundle: b,
		Compile: luabind.Compile, Log: complain{t},
		Client:   func(_ int, c *client.Config) { c.VerifyEvery = draws.Pick(5, 0) },
		Controls: func(int) client.Controls { return newMind(t, b, 2) }})
	for i := range 4 {
		sim.RunUntil(time.Minute, "a player has come", func() bool { return sim.Clients[i].Playing() })
		sim.Clients[i].Say(sim.Now, "/enter team="+[]string{"Red", "Blue"}[i%2])
	}
	sim.Run(time.Duration(draws.Pick(7, 60)) * time.Second)
	owners := map[world.PlayerID]bool{}
	s := sim.Host.State()
	for _, slot := range s.Run {
		if o := &s.Objects[slot]; sim.Host.Schema().Classes[o.Class].Name == "Player" && o.Owner != 0 {
			owners[o.Owner] = true
		}
	}
	r := sim.Host.Report(sim.Now)
	if len(owners) != 4 || r.Rewinds.Count < 50 {
		t.Errorf("%d players have a footballer, %d rewinds", len(owners), r.Rewinds.Count)
	}
	sim.Drain()
	compared := sim.AgreeOnHashes()
	for i := range sim.Clients {
		if c := sim.Report(i).Confirmed; c.Mismatched > 0 || c.Compared < 100 {
			t.Errorf("client %d: %+v", i, c)
		}
	}
	if compared < 500 {
		t.Errorf("%d ticks compared", compared)
	}
}
