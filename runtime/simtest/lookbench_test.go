package simtest_test

import (
	"testing"
	"time"

	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/scripts"
	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
)

// BenchmarkLook plays a room of 64 fighters who shoot five times a second at what eight poses show, and compares
// costs with that of a tick. look is what it costs a client to find out, for each input of its player, what asSeen
// will ask for, look-shot is that of inputs that shoot, and look-delayed that of inputs with an input delay of 6
// ticks. judge is what it costs the host to judge the poses of all players.
func BenchmarkLook(b *testing.B) {
	for _, c := range []struct {
		name  string
		loose int
	}{{"64 players", 0}, {"and 1000 bodies", 1000}} {
		b.Run(c.name, func(b *testing.B) { benchmarkLook(b, c.loose) })
	}
}

func benchmarkLook(b *testing.B, loose int) {
	const players, shotEvery = 64, 12
	game, err := scripts.LoadDir("../../cmd/host/netbench/games/range")
	if err != nil {
		b.Fatal(err)
	}
	files := append(game.Bundle.Files, world.Source{Name: "crate.lua", Text: `Crate = object "Crate" { body = { shape = { circle = 0.3 } } }`})
	setup := game.Bundle.Setup
	setup.Spawns = []world.Spawn{{Class: "Crate", Count: loose, W: 38, H: 28, Speed: 1}}
	script, err := compile(files, setup)
	if err != nil {
		b.Fatal(err)
	}
	tl := timeline.New(script, timeline.Options{States: 64, Client: 1, PoseHistory: 64})
	insert := func(e world.Event) {
		if _, err := tl.Insert(e, timeline.Origin{}); err != nil {
			b.Fatal(err)
		}
	}
	for p := range world.PlayerID(players) {
		insert(world.Event{Tick: 1, Kind: world.JoinEvent, Player: p + 1})
	}
	tl.Step()
	number, _ := script.Schema().ClassByName("Fighter")
	fighter := &script.Schema().Classes[number]
	fire, _ := world.FindInput(fighter.Inputs, "Fire")
	var inputs []world.Event
	for s := tl.At(1); len(inputs) < players; {
		for _, slot := range s.Run {
			if o := &s.Objects[slot]; o.Owner != 0 {
				inputs = append(inputs, world.Event{Kind: world.InputEvent, Player: o.Owner, Object: o.ID, Bundle: 1})
			}
		}
	}
	drawn := func(id world.ObjectID) (physics.Pose, bool) {
		s := tl.At(tl.Now())
		slot, ok := s.Find(id)
		if !ok {
			return physics.Pose{}, false
		}
		return s.Body(slot).Pose, true
	}
	var ticks, looks, late, shots, judging time.Duration
	var seen world.Sight // by all who shoot
	poses := 0
	for b.Loop() {
		for range shotEvery {
			var mine world.Event
			for i := range inputs {
				e := inputs[i]
				e.Tick = tl.Now() + 1
				if err := e.Input.Set(fighter, []string{"Left", "Right"}[(int(e.Tick)/30+i)%2], 1); err != nil {
					b.Fatal(err)
				}
				switch held := &inputs[i].Input.Edges; (int(e.Tick) + i) % shotEvery {
				case 0:
					held.Turn(fire.Index)
					e.Input.Press(fire.Index, 1)
					e.Input.Axes[0], e.Sight = float64(i)/10, seen
				case 1:
					held.Turn(fire.Index)
				}
				e.Input.Edges = inputs[i].Input.Edges
				if e.Player == 1 {
					mine = e
				}
				insert(e)
			}
			begin := time.Now()
			sight := tl.Look(&mine, drawn)
			took := time.Since(begin)
			looks += took
			delayed := mine
			delayed.Tick += 6
			begin = time.Now()
			tl.Look(&delayed, drawn)
			late += time.Since(begin)
			if len(sight) > 0 {
				shots += took
				poses += len(sight)
				seen = sight
			}
			begin = time.Now()
			for i := range players * len(seen) / shotEvery {
				now := tl.Now()
				if _, ok := tl.Past().Approach(seen[i%len(seen)], now-min(now-1, world.Tick(setup.TickRate)), now); !ok {
					b.Fatal("nothing is known of where it was")
				}
			}
			judging += time.Since(begin)
			begin = time.Now()
			tl.Step()
			ticks += time.Since(begin)
		}
	}
	if poses == 0 {
		b.Fatal("no look found anything")
	}
	b.ReportMetric(float64(looks)/float64(ticks), "look/tick")
	b.ReportMetric(float64(late)/float64(ticks), "look-delayed/tick")
	b.ReportMetric(shotEvery*float64(shots)/float64(ticks), "look-shot/tick")
	b.ReportMetric(float64(judging)/float64(ticks), "judge/tick")
	b.ReportMetric(100*float64(judging)/float64(b.N)/(shotEvery*float64(game.Bundle.TickLength())), "%core")
	b.ReportMetric(float64(poses)/float64(b.N), "poses")
}
