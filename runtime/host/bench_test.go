package host_test

import (
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/host"
	"github.com/hindcast/hindcast/runtime/internal/stub"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
)

// benchTimeline returns the stub's arena with n ships and 10 n crates.
func benchTimeline(b *testing.B, n int) (*timeline.Timeline, []world.Object) {
	game := stub.Game()
	side := 8 * float64(n)
	game.Setup.Walls = nil
	game.Setup.Spawns = []world.Spawn{{Class: "Crate", Count: 10 * n, W: side, H: side, Speed: 1}}
	script, err := stub.Compile(nil, game.Setup)
	if err != nil {
		b.Fatal(err)
	}
	tl := timeline.New(script, timeline.Options{States: 64})
	for p := 1; p <= n; p++ {
		stub.Insert(tl, world.Event{Tick: 2, Kind: world.JoinEvent, Player: world.PlayerID(p)})
	}
	for range 100 {
		tl.Step()
	}
	var ships []world.Object
	s := tl.At(tl.Now())
	for _, slot := range s.Run {
		if s.Objects[slot].Owner != 0 {
			ships = append(ships, s.Objects[slot])
		}
	}
	return tl, ships
}

// BenchmarkStep is a tick of 16 ships and 160 crates, without Lua.
func BenchmarkStep(b *testing.B) {
	tl, _ := benchTimeline(b, 16)
	b.ReportAllocs()
	for b.Loop() {
		tl.Step()
	}
}

// BenchmarkRewind16 is a tick with one input that is 16 ticks late; x-step is how many
// times as long the rewind took as a step.
func BenchmarkRewind16(b *testing.B) {
	tl, ships := benchTimeline(b, 16)
	var forward, back time.Duration
	b.ReportAllocs()
	for n := uint32(0); b.Loop(); n++ {
		begin := time.Now()
		tl.Step()
		mid := time.Now()
		stub.Insert(tl, world.Event{Tick: tl.Now() - 15, Kind: world.InputEvent, Player: ships[0].Owner, Object: ships[0].ID, Bundle: 1,
			Input: world.Input{Buttons: 1 + n%7}})
		if r := tl.Rewind(); r.Ticks != 16 {
			b.Fatalf("rewound %+v", r)
		}
		forward, back = forward+mid.Sub(begin), back+time.Since(mid)
	}
	b.ReportMetric(float64(back)/float64(forward), "x-step")
}

// BenchmarkJudgeSights is one second of a room with 64 players who shoot five times a second, each time at
// eight objects that move; %core is how much of a core that takes.
func BenchmarkJudgeSights(b *testing.B) {
	const players, shots = 64, 5
	game := stub.Game()
	game.Files = []world.Source{{Name: "rules.lua", Text: "first sees"}}
	game.Setup.Width, game.Setup.Height, game.Setup.Walls = 200, 200, nil
	game.Setup.Spawns = []world.Spawn{{Class: "Crate", Count: players, W: 200, H: 200, Speed: 5}}
	host, err := host.New(host.Config{Bundle: game, Compile: stub.CompileWild, Link: memlink.New(1).Host()})
	if err != nil {
		b.Fatal(err)
	}
	for now := time.Duration(0); host.Now() < 200; now += host.TickLength() {
		if err := host.Tick(now); err != nil {
			b.Fatal(err)
		}
	}
	poses := world.PastPoses{State: host.State(), Schema: host.Schema()}
	sight := world.Sight(poses.List(nil)[:world.MaxSight])
	b.ReportAllocs()
	for b.Loop() {
		for range players * shots {
			host.JudgeSight(&world.Event{Kind: world.InputEvent, Tick: host.Now(), Sight: sight})
		}
	}
	if n := host.Report(0).Inputs.Sights; n.Accepted+n.Clamped != b.N*players*shots*world.MaxSight {
		b.Fatalf("%+v", n)
	}
	b.ReportMetric(100*float64(b.Elapsed())/float64(b.N)/float64(time.Second), "%core")
}
