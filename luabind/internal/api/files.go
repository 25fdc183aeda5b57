package api

import (
	"slices"
	"strings"

	"github.com/hindcast/hindcast/world"
)

// Files of a game with a meaning of their own.
const (
	GameFile = "game.lua" // is loaded last; its global functions may be hooks
	ViewFile = world.ViewFile
)

// WithoutView returns the files of the simulation.
func WithoutView(files []world.Source) []world.Source {
	return slices.DeleteFunc(slices.Clone(files), func(f world.Source) bool { return f.Name == ViewFile })
}

// FieldRoot returns the name by which a script reaches a field of a schema:
// that of the list or the record that it is a part of.
func FieldRoot(name string) string {
	name = strings.TrimPrefix(name, "#")
	if i := strings.IndexAny(name, ".["); i >= 0 {
		name = name[:i]
	}
	return name
}
