package bundle

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/hindcast/hindcast/world"
)

// FixedError refuses a switch to a bundle in which settings differ that cannot change
// while the room runs. It is an ErrInvalid.
type FixedError struct {
	Settings []string // their names in game.toml: "tick_rate", "input.lead"
}

// Error names the settings and says what to do.
func (e *FixedError) Error() string {
	return fmt.Sprintf("%s cannot change while the room runs: restart the host", world.Listed(e.Settings))
}

// Unwrap returns ErrInvalid.
func (e *FixedError) Unwrap() error { return ErrInvalid }

// RetypedError refuses a switch to a bundle in which fields have another type. It is an
// ErrInvalid.
type RetypedError struct {
	Fields []world.RetypedField
}

// Error names the fields and says what to do.
func (e *RetypedError) Error() string {
	names := make([]string, len(e.Fields))
	for i, f := range e.Fields {
		names[i] = f.String()
	}
	return strings.Join(names, ", ") +
		": what it holds cannot carry over; give the new field another name (migrate can fill it), or start " +
		"the room again (another seed in game.toml does)"
}

// Unwrap returns ErrInvalid.
func (e *RetypedError) Unwrap() error { return ErrInvalid }

// FixedChange compares two bundles. It returns the settings that differ and
// cannot change while a room runs, nil if there are none.
func FixedChange(a, b *Bundle) *FixedError {
	var fixed []string
	for _, s := range []struct {
		name   string
		differ bool
	}{
		{"tick_rate", a.Setup.TickRate != b.Setup.TickRate},
		{"input.repeat", !sameRepeat(a.Setup, b.Setup)},
		{"input.max_ahead", a.Rules.MaxAhead != b.Rules.MaxAhead},
		{"input.lead", a.Rules.Lead != b.Rules.Lead},
		{"history.max_rewind", a.Rules.MaxRewind != b.Rules.MaxRewind},
		{"history.max_seen", a.Rules.MaxSeen != b.Rules.MaxSeen},
	} {
		if s.differ {
			fixed = append(fixed, s.name)
		}
	}
	if fixed == nil {
		return nil
	}
	return &FixedError{fixed}
}

// sameRepeat reports whether inputs are repeated for as long. At another rate the same time is another number of ticks,
// rounded.
func sameRepeat(a, b world.Setup) bool {
	if a.RepeatInputTicks == b.RepeatInputTicks {
		return true
	}
	ms := func(s world.Setup) int { return int(s.RepeatInputTicks) * 1000 / s.TickRate }
	d := ms(a) - ms(b)
	return a.TickRate != b.TickRate && max(d, -d) <= 1000/min(a.TickRate, b.TickRate)
}

// SameSimulation reports whether two bundles differ at most in view.lua, which is not simulated.
func SameSimulation(a, b *Bundle) bool {
	if a == nil || b == nil {
		return a == b
	}
	return bytes.Equal(a.simulated(), b.simulated())
}

// SimulationHash returns the hash of the bundle without view.lua: two bundles have the same one if SameSimulation
// reports true for them.
func (b *Bundle) SimulationHash() Hash { return HashOf(b.simulated()) }

// simulated returns the bytes of the bundle without view.lua.
func (b *Bundle) simulated() []byte {
	bare := *b
	bare.Files = slices.DeleteFunc(slices.Clone(b.Files), func(f world.Source) bool { return f.Name == world.ViewFile })
	return bare.Encode()
}

// ChangedFiles names the scripts in which bundle b differs from bundle a, with " (gone)"
// after those that b lacks, and game.toml if anything else differs.
func ChangedFiles(a, b *Bundle) (names []string) {
	text := func(files []world.Source, name string) (string, bool) {
		i := slices.IndexFunc(files, func(f world.Source) bool { return f.Name == name })
		if i < 0 {
			return "", false
		}
		return files[i].Text, true
	}
	for _, f := range b.Files {
		if old, ok := text(a.Files, f.Name); !ok || old != f.Text {
			names = append(names, f.Name)
		}
	}
	for _, f := range a.Files {
		if _, ok := text(b.Files, f.Name); !ok {
			names = append(names, f.Name+" (gone)")
		}
	}
	if settings := *a; len(names) == 0 {
		names = append(names, "game.toml")
	} else if settings.Files = b.Files; !bytes.Equal(settings.Encode(), b.Encode()) {
		names = append(names, "game.toml")
	}
	return names
}
