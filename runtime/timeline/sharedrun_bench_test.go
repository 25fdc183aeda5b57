package timeline_test

import (
	"github.com/hindcast/hindcast/runtime/internal/stub"
	"github.com/hindcast/hindcast/runtime/timeline"
	"testing"

	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/world"
)

// BenchmarkKnownPart is what it costs a host, each tick, to find what clients have to be
// given, beside the tick itself: a room of 400 crates, a tenth of them interpolated.
func BenchmarkKnownPart(b *testing.B) {
	for name, text := range map[string]string{"all predicted": "first", "bullets told": "first Bullet:interpolate"} {
		b.Run(name, func(b *testing.B) {
			setup := bundle.DefaultSetup()
			setup.Spawns = []world.Spawn{{Class: "Crate", Count: 360, W: 60, H: 60, Speed: 2}, {Class: "Bullet", Count: 40, W: 60, H: 60, Speed: 2}}
			script, err := stub.CompileWild([]world.Source{{Name: "rules.lua", Text: text}}, setup)
			if err != nil {
				b.Fatal(err)
			}
			tl := timeline.New(script, timeline.Options{States: 64})
			give := tl.Committer()
			for range 30 {
				tl.Step()
				give()
			}
			given := 0
			b.ResetTimer()
			for range b.N {
				tl.Step()
				given += give()
			}
			b.ReportMetric(float64(given)/float64(b.N), "given-B/op")
		})
	}
}
