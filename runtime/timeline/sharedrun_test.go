package timeline_test

import (
	"testing"

	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/internal/stub"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
)

// TestAnchorOfALostRun tests that a client in check mode goes on after a desync, when a patch
// does not fit its shared set and the run stays behind the complete ticks.
func TestAnchorOfALostRun(t *testing.T) {
	setup := bundle.DefaultSetup()
	setup.Spawns = []world.Spawn{{Class: "Crate", Count: 4, W: 20, H: 20, Speed: 2}, {Class: "Bullet", Count: 4, W: 20, H: 20, Speed: 2}}
	script, err := stub.CompileWild([]world.Source{{Name: "rules.lua", Text: "first Bullet:interpolate"}}, setup)
	if err != nil {
		t.Fatal(err)
	}
	tl := timeline.New(script, timeline.Options{States: 64, Client: 1, Check: true})
	for range 10 {
		tl.Step()
	}
	k := timeline.NewSharedRun(tl)
	k.Begin(tl.At(0))
	for range 5 {
		if err := k.Complete(nil); err != nil {
			t.Fatal(err)
		}
	}
	if err := k.Complete([]byte{0xff, 0xff, 0xff}); err == nil {
		t.Fatal("a patch that is none was applied")
	}
	k.Lose()
	k.Anchor(8)
	tl.Rewind()
	tl.Step()
	if now := tl.Now(); now != 11 {
		t.Errorf("at tick %d", now)
	}
}
