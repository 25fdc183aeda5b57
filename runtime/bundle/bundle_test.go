package bundle_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/host"
	"github.com/hindcast/hindcast/world"
)

// game returns the bundle of a game with walls and a spawn.
func game() *bundle.Bundle {
	b := bundle.New("test")
	b.Setup.Walls = []world.Wall{{Y: 10.5, W: 22, H: 1}, {Y: -10.5, W: 22, H: 1}, {X: 10.5, W: 1, H: 20}, {X: -10.5, W: 1, H: 20}}
	b.Setup.Spawns = []world.Spawn{{Class: "Crate", Count: 12, W: 16, H: 16, Speed: 1}}
	return b
}

func TestBundleSurvivesItsBytes(t *testing.T) {
	b := game()
	b.Files = []world.Source{{Name: "a.lua", Text: "-- <&> ü"}}
	data := b.Encode()
	got, err := bundle.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	if bundle.HashOf(got.Encode()) != bundle.HashOf(data) {
		t.Errorf("another hash after a round trip")
	}
	if b.Ticks(400*time.Millisecond) != 24 || b.Ticks(401*time.Millisecond) != 25 {
		t.Error("times are rounded up to ticks")
	}
}

func TestErrorsOfInvalidBundles(t *testing.T) {
	for want, change := range map[string]func(b *bundle.Bundle){
		"tick_rate = 19":    func(b *bundle.Bundle) { b.Setup.TickRate = 19 },
		"substeps = 0":      func(b *bundle.Bundle) { b.Setup.Substeps = 0 },
		"arena of":          func(b *bundle.Bundle) { b.Setup.Width = -1 },
		"catch_up = 11s":    func(b *bundle.Bundle) { b.Rules.CatchUp = 11 * time.Second },
		"catch_up = 49ms":   func(b *bundle.Bundle) { b.Rules.CatchUp = 49 * time.Millisecond },
		"catch_up = -1ns":   func(b *bundle.Bundle) { b.Rules.CatchUp = -1 },
		"max_rewind = 3s":   func(b *bundle.Bundle) { b.Rules.MaxRewind = 3 * time.Second },
		"max_seen = -1s":    func(b *bundle.Bundle) { b.Rules.MaxSeen = -time.Second },
		"max_ahead = 0s":    func(b *bundle.Bundle) { b.Rules.MaxAhead = 0 },
		"max_players = 129": func(b *bundle.Bundle) { b.Rules.MaxPlayers = 129 },
		"threshold":         func(b *bundle.Bundle) { b.Rules.Correct.Position = -1 },
		"count = -1":        func(b *bundle.Bundle) { b.Setup.Spawns[0].Count = -1 },
		"a boolean of 2": func(b *bundle.Bundle) {
			b.Setup.Spawns[0].Fields = []world.NamedValue{{Name: "open", Value: world.Value{Kind: world.Bool, Word: 2}}}
		},
		"65 levels": func(b *bundle.Bundle) { b.Setup.Levels = make([]world.Level, 64) },
		"32769 walls": func(b *bundle.Bundle) {
			walls := make([]world.Wall, 16383)
			b.Setup.Walls, b.Setup.Spawns = walls[:4], nil
			b.Setup.Levels = []world.Level{{Name: "a", Width: 1, Height: 1, Walls: walls[:16382]}, {Name: "b", Walls: walls}}
		},
		"16385 spawns":         func(b *bundle.Bundle) { b.Setup.Spawns = make([]world.Spawn, 16385) },
		"ranges of layers":     func(b *bundle.Bundle) { b.Rules.Snapshots.Layers = make([]bundle.LayerRange, 65) },
		"301 values":           func(b *bundle.Bundle) { b.Setup.Spawns[0].Fields = make([]world.NamedValue, 301) },
		"the room holds 16384": func(b *bundle.Bundle) { b.Setup.Spawns[0].Count = 16380 },
	} {
		b := game()
		change(b)
		if err := b.Check(); !errors.Is(err, bundle.ErrInvalid) || !strings.Contains(err.Error(), want) {
			t.Errorf("want an error with %q, got %v", want, err)
		}
		if _, err := host.New(host.Config{Bundle: b, Compile: compile}); !errors.Is(err, bundle.ErrInvalid) {
			t.Errorf("a host takes a bundle with %q", want)
		}
	}
}

// compile returns a world.Compile that declares the classes which game spawns, and
// runs nothing.
func compile(_ []world.Source, setup world.Setup) (world.Script, error) {
	schema, err := world.NewSchema([]world.Class{{Name: "Crate"}, {Name: world.GameClass}}, setup)
	return idle{schema}, err
}

type idle struct{ schema *world.Schema }

func (s idle) Schema() *world.Schema                              { return s.schema }
func (idle) Call(world.Actor, world.Hook, int, *world.Args) error { return nil }

func FuzzParse(f *testing.F) {
	f.Add(game().Encode())
	f.Add([]byte(`{"setup":{"tick_rate":60}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		b, err := bundle.Parse(data)
		if err == nil {
			_, _ = compile(b.Files, b.Setup) // may refuse, must not panic
		}
	})
}
