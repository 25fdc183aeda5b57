package timeline_test

import (
	"testing"

	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/internal/stub"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
)

// BenchmarkSharedRun is what a tick and the patch for clients cost a host, in a room of 400
// objects of which a tenth is replicated.
func BenchmarkSharedRun(b *testing.B) {
	for name, text := range map[string]string{"all predicted": "first", "bullets replicated": "first Bullet:interpolate"} {
		b.Run(name, func(b *testing.B) {
			setup := bundle.DefaultSetup()
			setup.Spawns = []world.Spawn{{Class: "Crate", Count: 360, W: 60, H: 60, Speed: 2}, {Class: "Bullet", Count: 40, W: 60, H: 60, Speed: 2}}
			script, err := stub.CompileWild([]world.Source{{Name: "rules.lua", Text: text}}, setup)
			if err != nil {
				b.Fatal(err)
			}
			tl := timeline.New(script, timeline.Options{States: 64})
			commit := tl.Committer()
			for range 30 {
				tl.Step()
				commit()
			}
			bytes := 0
			b.ResetTimer()
			for range b.N {
				tl.Step()
				bytes += commit()
			}
			b.ReportMetric(float64(bytes)/float64(b.N), "patch-B/op")
		})
	}
}
