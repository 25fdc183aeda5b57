package runtime_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/hindcast/hindcast/runtime"
	"github.com/hindcast/hindcast/world"
)

func TestBundleSurvivesItsBytes(t *testing.T) {
	b := stubGame()
	b.Files = []world.Source{{Name: "a.lua", Text: "-- <&> ü"}}
	data := b.Encode()
	got, err := runtime.ParseBundle(data)
	if err != nil {
		t.Fatal(err)
	}
	if runtime.HashOf(got.Encode()) != runtime.HashOf(data) {
		t.Errorf("another hash after a round trip")
	}
	if b.Ticks(400*time.Millisecond) != 24 || b.Ticks(401*time.Millisecond) != 25 {
		t.Error("times are rounded up to ticks")
	}
}

func TestBadBundlesSayWhatIsWrong(t *testing.T) {
	for want, change := range map[string]func(b *runtime.Bundle){
		"tick_rate = 19":       func(b *runtime.Bundle) { b.Setup.TickRate = 19 },
		"substeps = 0":         func(b *runtime.Bundle) { b.Setup.Substeps = 0 },
		"arena of":             func(b *runtime.Bundle) { b.Setup.Width = -1 },
		"max_rewind = 3s":      func(b *runtime.Bundle) { b.Rules.MaxRewind = 3 * time.Second },
		"max_seen = -1s":       func(b *runtime.Bundle) { b.Rules.MaxSeen = -time.Second },
		"max_ahead = 0s":       func(b *runtime.Bundle) { b.Rules.MaxAhead = 0 },
		"max_players = 129":    func(b *runtime.Bundle) { b.Rules.MaxPlayers = 129 },
		"threshold":            func(b *runtime.Bundle) { b.Rules.Correct.Position = -1 },
		"count = -1":           func(b *runtime.Bundle) { b.Setup.Spawns[0].Count = -1 },
		"the room holds 16384": func(b *runtime.Bundle) { b.Setup.Spawns[0].Count = 16380 },
	} {
		b := stubGame()
		change(b)
		if err := b.Check(); !errors.Is(err, runtime.ErrBundle) || !strings.Contains(err.Error(), want) {
			t.Errorf("want an error with %q, got %v", want, err)
		}
		if _, err := runtime.NewHost(runtime.HostConfig{Bundle: b, Compile: compileStub}); err == nil {
			t.Errorf("a host takes a bundle with %q", want)
		}
	}
}

func FuzzParseBundle(f *testing.F) {
	f.Add(stubGame().Encode())
	f.Add([]byte(`{"setup":{"tick_rate":60}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		b, err := runtime.ParseBundle(data)
		if err == nil {
			_, _ = compileStub(b.Files, b.Setup) // may refuse, must not panic
		}
	})
}
