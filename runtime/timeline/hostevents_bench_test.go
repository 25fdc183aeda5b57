package timeline_test

import (
	"fmt"
	"testing"

	"github.com/hindcast/hindcast/runtime/internal/stub"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
)

// BenchmarkRewindOverHostEvents measures what host events cost the rewinds that pass their ticks: 20
// seconds with 100 crates and four ships whose inputs are 5 to 8 ticks late. The host program sets a
// field never, once a second, ten times a second, or in each tick. objects/tick is how many objects
// rewinds simulate again per tick, whole/tick how many ticks as a whole. So little is gained by a
// rewind in part over such ticks, as long as programs do not act in each tick, that it is not done.
func BenchmarkRewindOverHostEvents(b *testing.B) {
	for _, every := range []world.Tick{0, 60, 6, 1} {
		b.Run(fmt.Sprintf("every=%d", every), func(b *testing.B) {
			const ticks = 1200
			var sum timeline.Rewound
			for b.Loop() {
				sum = timeline.Rewound{}
				tl, ships := newScattered(b)
				for tick := tl.Now() + 1; tick <= ticks; tick++ {
					if every != 0 && tick%every == 0 {
						stub.Insert(tl, world.Event{Tick: tick, Kind: world.SetEvent, Number: uint32(tick), Object: ships[0],
							Values: []world.NamedValue{{Name: "fuel", Value: world.NumberValue(float64(tick))}}})
					}
					for i, ship := range ships {
						if late := world.Tick(5 + i); tick > late+1 {
							stub.Insert(tl, world.Event{Tick: tick - late, Kind: world.InputEvent, Player: world.PlayerID(i + 1), Object: ship, Bundle: 1,
								Input: world.Input{Buttons: uint32(tick/7) % 8}})
						}
					}
					r := tl.Rewind()
					sum.Objects += r.Objects
					sum.Whole.Add(r.Whole)
					tl.Step()
					tl.Release(max(tick, 24) - 24)
				}
			}
			b.ReportMetric(float64(sum.Objects)/ticks, "objects/tick")
			b.ReportMetric(float64(sum.Whole.Events)/ticks, "whole/tick")
		})
	}
}

// newScattered returns a Timeline after tick 1, with the ships of four players, and crates that are
// far from each other.
func newScattered(b *testing.B) (tl *timeline.Timeline, ships []world.ObjectID) {
	setup := stub.Game().Setup
	setup.Width, setup.Height, setup.Walls = 100, 100, nil
	setup.Spawns = []world.Spawn{{Class: "Crate", Count: 100, W: 90, H: 90, Speed: 1}}
	script, err := stub.Compile(nil, setup)
	if err != nil {
		b.Fatal(err)
	}
	tl = timeline.New(script, timeline.Options{States: 64})
	for p := world.PlayerID(1); p <= 4; p++ {
		stub.Insert(tl, world.Event{Tick: 1, Kind: world.JoinEvent, Player: p})
	}
	tl.Step()
	s := tl.At(1)
	for _, slot := range s.Run {
		if o := &s.Objects[slot]; o.Owner != 0 {
			ships = append(ships, o.ID)
		}
	}
	return tl, ships
}
