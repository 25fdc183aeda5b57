package simtest_test

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/runtime/simtest/draws"
	"github.com/hindcast/hindcast/runtime/simtest/figures"
	"github.com/hindcast/hindcast/runtime/stats"
	"github.com/hindcast/hindcast/world"
)

// past keeps where the host had its objects, tick by tick.
type past map[world.Tick]map[world.ObjectID]spot

type spot struct{ x, y, vx, vy float64 }

func (p past) note(s *world.State) {
	at := map[world.ObjectID]spot{}
	for _, slot := range s.Run {
		if b := s.Body(int(slot)); b.Key != 0 {
			at[s.Objects[slot].ID] = spot{b.X, b.Y, b.VX, b.VY}
		}
	}
	p[s.Tick] = at
}

// wrong returns how far an object is shown from where a view of the host would show it
// at that moment, in metres.
func (p past) wrong(v *room.View, b *room.ViewBody) (float64, bool) {
	from, ok1 := p[v.Tick-1][b.ID]
	to, ok2 := p[v.Tick][b.ID]
	if !ok1 || !ok2 {
		return 0, false
	}
	return math.Hypot(from.x+(to.x-from.x)*v.Alpha-b.X, from.y+(to.y-from.y)*v.Alpha-b.Y), true
}

// TestSpectatorSeesAllObjects tests that a spectator shows all objects where they were
// one interpolation delay ago, on every kind of line, and steers its own.
func TestSpectatorSeesAllObjects(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		line memlink.Profile
		back float64 // the interpolation delay, s
	}{{"lan", memlink.LAN(), 0.1}, {"average", memlink.Average(), 0.15}, {"bad", memlink.Bad(), 0.3}} {
		if !draws.Full() && c.name != "bad" {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			sim := simtest.New(t, simtest.Options{Seed: 31, Clients: 4, Profile: c.line, Bundle: arena(t), Compile: compile,
				Controls: chasers(t), Client: func(i int, cfg *client.Config) {
					if i == 0 {
						cfg.Kind = client.Spectator
					}
				}})
			sim.Run(5 * time.Second)
			history := past{}
			var v room.View
			var wrong, back, jump stats.Series
			last, shown, moved := map[world.ObjectID]room.ViewBody{}, 0.0, 0.0
			for end := sim.Now + 6*time.Second; sim.Now < end; {
				sim.Run(4 * simtest.PollEvery)
				history.note(sim.Host.State())
				sim.Clients[0].View(&v)
				moment := float64(v.Tick) - 1 + v.Alpha
				if moment < shown {
					t.Fatalf("the picture went back from tick %v to %v", shown, moment)
				}
				back.Add((float64(sim.Host.Now()) - moment) / 60)
				for i := range v.Bodies {
					b := &v.Bodies[i]
					if s := b.Shapes(); len(s) != 1 || s[0] != *b.Shape {
						t.Fatalf("%s has %d shapes", b.Class, len(s))
					}
					if d, ok := history.wrong(&v, b); ok {
						wrong.Add(d)
					}
					if was, ok := last[b.ID]; ok && b.Class != world.WallClass {
						step := math.Hypot(b.X-was.X-(b.VX+was.VX)/2*(moment-shown)/60, b.Y-was.Y-(b.VY+was.VY)/2*(moment-shown)/60)
						jump.Add(step)
						if b.Owner == sim.Clients[0].Player() {
							moved += math.Hypot(b.X-was.X, b.Y-was.Y)
						}
					}
					last[b.ID] = *b
				}
				shown = moment
			}
			host := sim.Host.Report(sim.Now)
			each := float64(host.Bytes["snapshots"]) / sim.Now.Seconds()
			t.Logf("%d bodies; %.3f s back; wrong by %+v m; jumps %+v m; own ship moved %.1f m; %.0f bytes a second", len(v.Bodies), back.Quantile(0.5), wrong.Spread(), jump.Spread(), moved, each)
			figures.Row(t, "benchmarks.md", "spectator on "+c.name, fmt.Sprintf("%.0f ms", 1000*back.Quantile(0.5)), metres(&wrong), fmt.Sprintf("%.2f kB/s", each/1000))
			if bodies := withBody(sim.Host.State()); len(v.Bodies) != bodies {
				t.Errorf("%d bodies are shown of %d", len(v.Bodies), bodies)
			}
			if wrong.Count() < 10_000 || wrong.Quantile(0.99) > 0.02 || back.Quantile(0.5) > c.back {
				t.Errorf("%d places shown, wrong by %+v m, %+v s back", wrong.Count(), wrong.Spread(), back.Spread())
			}
			if jump.Quantile(0.99) > 0.02 {
				t.Errorf("jumps of %+v m", jump.Spread())
			}
			if moved < 1 {
				t.Errorf("its own ship went %v m", moved)
			}
			if r := sim.Report(0); r.Datagrams.Malformed > 0 || host.Datagrams.Malformed > 0 {
				t.Errorf("malformed: %+v, %+v", r.Datagrams, host.Datagrams)
			}
		})
	}
}

// TestSpectatorSurvivesAReload tests a switch to scripts with other classes in a room
// with a spectator, also while nothing moves. All objects fit into the first snapshot after the switch: in a larger room
// the others are shown again when their snapshots have come.
func TestSpectatorSurvivesAReload(t *testing.T) {
	t.Parallel()
	b := *arena(t)
	b.Setup.Spawns = slices.DeleteFunc(slices.Clone(b.Setup.Spawns), func(s world.Spawn) bool { return s.Count == 6 })
	sim := simtest.New(t, simtest.Options{Seed: 32, Clients: 2, Profile: memlink.Bad(), Bundle: &b, Compile: compile,
		Client: func(i int, cfg *client.Config) {
			if i == 0 {
				cfg.Kind = client.Spectator
			}
		}})
	var v room.View
	sim.RunUntil(time.Minute, "the spectator sees everything", func() bool {
		sim.Clients[0].View(&v)
		return sim.Clients[1].Playing() && len(v.Bodies) == withBody(sim.Host.State())
	})
	changed := b
	changed.Files = append([]world.Source{{Name: "aaa.lua", Text: "Aaa = object \"Aaa\" { state = { n = 1, s = str(9) } }\n"}}, b.Files...)
	script, err := compile(changed.Files, changed.Setup)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := sim.Host.Switch(&changed, script); err != nil {
		t.Fatal(err)
	}
	frames, fewest := 0, 1000
	for end := sim.Now + 6*time.Second; sim.Now < end; frames++ {
		sim.Run(4 * simtest.PollEvery)
		sim.Clients[0].View(&v)
		fewest = min(fewest, len(v.Bodies))
	}
	if bodies := withBody(sim.Host.State()); len(v.Bodies) != bodies || fewest < bodies {
		t.Errorf("%d bodies are shown of %d, at times %d", len(v.Bodies), bodies, fewest)
	}
	for _, b := range v.Bodies {
		if b.Class == "Aaa" {
			t.Error("a body is of a class that has none")
		}
	}
	before := sim.Host.Report(sim.Now).Bytes["snapshots"]
	shown := v.Tick
	sim.Run(2 * time.Second)
	if more := sim.Host.Report(sim.Now).Bytes["snapshots"] - before; more < 40*12 { // of 12 bytes at least
		t.Errorf("%d bytes of snapshots in 2 s in which little moves", more)
	}
	if sim.Clients[0].View(&v); v.Tick < shown+100 {
		t.Errorf("tick %d is shown, 2 s after %d", v.Tick, shown)
	}
	if r := sim.Report(0); r.Datagrams.Malformed > 0 || r.Confirmed.Compared > 0 {
		t.Errorf("%+v", r)
	}
}

// garble is a link that flips bits of received snapshots.
type garble struct {
	link.Link
	chance *rand.Rand
	share  float64
}

func (g garble) Poll(now time.Duration, f func(link.Event)) {
	g.Link.Poll(now, func(ev link.Event) {
		if ev.Kind == link.Datagram && wire.KindOf(ev.Data) == wire.KindSnapshot && g.chance.Float64() < g.share {
			ev.Data = bytes.Clone(ev.Data)
			for range 1 + g.chance.IntN(3) {
				ev.Data[1+g.chance.IntN(len(ev.Data)-1)] ^= 1 << g.chance.IntN(8)
			}
		}
		f(ev)
	})
}

// TestSpectatorSurvivesGarbledSnapshots tests that a client goes on whatever it
// receives as a snapshot.
func TestSpectatorSurvivesGarbledSnapshots(t *testing.T) {
	t.Parallel()
	for seed := range draws.Pick[uint64](4, 10) {
		g := garble{chance: rand.New(rand.NewPCG(seed, 1))}
		sim := simtest.New(t, simtest.Options{Seed: seed, Clients: 2, Profile: memlink.Average(), Bundle: arena(t), Compile: compile,
			Controls: chasers(t), Client: func(i int, cfg *client.Config) {
				if i == 0 {
					cfg.Kind, g.Link = client.Spectator, cfg.Link
					cfg.Link = &g
				}
			}})
		var v room.View
		sim.Run(2 * time.Second)
		g.share = 0.3
		for end := sim.Now + 3*time.Second; sim.Now < end; {
			sim.Run(4 * simtest.PollEvery)
			sim.Clients[0].View(&v)
		}
		counted := int64(0)
		// order: a sum
		for _, n := range sim.Report(0).Refused {
			counted += n
		}
		if r := sim.Report(0); sim.Clients[0].Err() != nil || r.Datagrams.Malformed == 0 || counted != int64(r.Datagrams.Malformed) {
			t.Errorf("seed %d: %v, %+v", seed, sim.Clients[0].Err(), r.Datagrams)
		}
	}
}

// withBody returns how many objects have a body.
func withBody(s *world.State) (n int) {
	for _, slot := range s.Run {
		if s.Body(int(slot)).Key != 0 {
			n++
		}
	}
	return n
}
