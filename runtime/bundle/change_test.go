package bundle

import (
	"errors"
	"testing"
	"time"

	"github.com/hindcast/hindcast/world"
)

// TestFixedChange: a setting that cannot change is named as in game.toml, with the
// index of the first wall or spawn that differs.
func TestFixedChange(t *testing.T) {
	fresh := func() *Bundle {
		b := &Bundle{Setup: DefaultSetup(), Rules: DefaultRules()}
		b.Setup.Walls = []world.Wall{{W: 1, H: 1}, {W: 2, H: 1}}
		b.Setup.Spawns = []world.Spawn{{Class: "A", Count: 1}, {Class: "A", Count: 1, Fields: []world.NamedValue{{Name: "n", Value: world.NumberValue(1)}}}}
		return b
	}
	for want, change := range map[FixedError]func(b *Bundle){
		{"tick_rate", 0}:          func(b *Bundle) { b.Setup.TickRate = 30 },
		{"input.repeat", 0}:       func(b *Bundle) { b.Setup.RepeatInputTicks++ },
		{"input.max_ahead", 0}:    func(b *Bundle) { b.Rules.MaxAhead += time.Second },
		{"input.lead", 0}:         func(b *Bundle) { b.Rules.Lead += time.Second },
		{"history.max_rewind", 0}: func(b *Bundle) { b.Rules.MaxRewind += time.Second },
		{"history.max_seen", 0}:   func(b *Bundle) { b.Rules.MaxSeen += time.Second },
		{"wall", 1}:               func(b *Bundle) { b.Setup.Walls[1].X = 3 },
		{"wall", 2}:               func(b *Bundle) { b.Setup.Walls = append(b.Setup.Walls, world.Wall{}) },
		{"spawn", 0}:              func(b *Bundle) { b.Setup.Spawns = nil },
		{"spawn", 1}: func(b *Bundle) {
			b.Setup.Spawns[1].Fields = []world.NamedValue{{Name: "n", Value: world.NumberValue(2)}}
		},
	} {
		b := fresh()
		change(b)
		got := FixedChange(fresh(), b)
		if got == nil || *got != want || !errors.Is(got, ErrInvalid) {
			t.Errorf("got %+v, want %+v", got, want)
		}
	}
	if got := FixedChange(fresh(), fresh()); got != nil {
		t.Errorf("nothing has changed: %v", got)
	}
	if err := error(&RetypedError{[]string{"A.n was a number and is a string"}}); !errors.Is(err, ErrInvalid) {
		t.Error(err)
	}
}
