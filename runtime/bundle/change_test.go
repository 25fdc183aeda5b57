package bundle

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/hindcast/hindcast/world"
)

// TestFixedChange: a setting that cannot change is named as in game.toml.
func TestFixedChange(t *testing.T) {
	fresh := func() *Bundle {
		b := &Bundle{Setup: DefaultSetup(), Rules: DefaultRules()}
		b.Setup.Walls = []world.Wall{{W: 1, H: 1}, {W: 2, H: 1}}
		b.Setup.Spawns = []world.Spawn{{Class: "A", Count: 1}, {Class: "A", Count: 1, Fields: []world.NamedValue{{Name: "n", Value: world.NumberValue(1)}}}}
		return b
	}
	for want, change := range map[string]func(b *Bundle){
		"tick_rate":                  func(b *Bundle) { b.Setup.TickRate = 30 },
		"tick_rate history.max_seen": func(b *Bundle) { b.Setup.TickRate, b.Rules.MaxSeen = 30, 2*time.Second },
		"input.repeat":               func(b *Bundle) { b.Setup.RepeatInputTicks++ },
		"input.max_ahead":            func(b *Bundle) { b.Rules.MaxAhead += time.Second },
		"input.lead":                 func(b *Bundle) { b.Rules.Lead += time.Second },
		"history.max_rewind":         func(b *Bundle) { b.Rules.MaxRewind += time.Second },
		"history.max_seen":           func(b *Bundle) { b.Rules.MaxSeen += time.Second },
	} {
		b := fresh()
		change(b)
		got := FixedChange(fresh(), b)
		if got == nil || strings.Join(got.Settings, " ") != want || !errors.Is(got, ErrInvalid) {
			t.Errorf("got %+v, want %+v", got, want)
		}
	}
	level := fresh()
	level.Setup.Walls, level.Setup.Spawns, level.Setup.Levels = level.Setup.Walls[:1], nil, []world.Level{{Name: "bridge"}}
	if got := FixedChange(fresh(), level); got != nil {
		t.Errorf("a level can change: %v", got)
	}
	if err := error(&RetypedError{[]world.RetypedField{{Class: "A", Field: "n", Was: "number", Is: "string"}}}); !errors.Is(err, ErrInvalid) {
		t.Error(err)
	}
}
