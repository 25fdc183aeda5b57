package runtime_test

import (
	"testing"
	"time"

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
