package bundle

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hindcast/hindcast/world"
)

// FixedError refuses a bundle in which a setting differs that holds for as
// long as the room lives. It is an ErrInvalid.
type FixedError struct {
	Setting string // as game.toml has it: "tick_rate", "input.lead", "wall", "spawn"
	Index   int    // of a wall or spawn: the first of Setup.Walls or Setup.Spawns that differs
}

// Error is what cannot change, and what to do.
func (e *FixedError) Error() string {
	return fmt.Sprintf("%s cannot change while the room runs: restart the host", e.Setting)
}

// Unwrap is ErrInvalid.
func (e *FixedError) Unwrap() error { return ErrInvalid }

// RetypedError refuses a bundle in which fields have another type. It is an
// ErrInvalid.
type RetypedError struct {
	Fields []string // what each was and is, as world.Retyped tells
}

// Error is which fields, and what to do.
func (e *RetypedError) Error() string {
	return strings.Join(e.Fields, ", ") + ": what it holds cannot carry over; give the new field another name (migrate can fill it), or restart the host"
}

// Unwrap is ErrInvalid.
func (e *RetypedError) Unwrap() error { return ErrInvalid }

// FixedChange returns the first such setting that differs between two bundles,
// nil if none does.
func FixedChange(a, b *Bundle) *FixedError {
	for _, s := range []struct {
		name   string
		differ bool
	}{
		{"tick_rate", a.Setup.TickRate != b.Setup.TickRate},
		{"input.repeat", a.Setup.RepeatInputTicks != b.Setup.RepeatInputTicks},
		{"input.max_ahead", a.Rules.MaxAhead != b.Rules.MaxAhead},
		{"input.lead", a.Rules.Lead != b.Rules.Lead},
		{"history.max_rewind", a.Rules.MaxRewind != b.Rules.MaxRewind},
		{"history.max_seen", a.Rules.MaxSeen != b.Rules.MaxSeen},
	} {
		if s.differ {
			return &FixedError{Setting: s.name}
		}
	}
	if i, differ := firstChange(a.Setup.Walls, b.Setup.Walls); differ {
		return &FixedError{"wall", i}
	}
	if i, differ := firstChange(a.Setup.Spawns, b.Setup.Spawns); differ {
		return &FixedError{"spawn", i}
	}
	return nil
}

// firstChange is where two lists begin to differ.
func firstChange[T comparable](a, b []T) (i int, differ bool) {
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	return i, i < len(a) || i < len(b)
}

// ChangedFiles names the scripts that differ between two bundles. If none does,
// the difference is in the settings, and it names game.toml.
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
	if len(names) == 0 {
		names = append(names, "game.toml")
	}
	return names
}
