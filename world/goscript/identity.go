package goscript

import (
	"fmt"
	"strings"

	"github.com/hindcast/hindcast/world"
)

// identity is what names a game in Go on the wire. The hash of a bundle covers it,
// so that bundles of different rules differ.
type identity struct {
	name, version string
	digest        string // of the declarations
}

// String returns the name and the version.
func (id identity) String() string { return id.name + " " + id.version }

// header begins the file that holds an identity.
const header = "-- Go game %q version %q declarations %s"

// text returns the identity as a file of a bundle. The second line is for programs
// that expect Lua: it is the error that they report.
func (id identity) text() string {
	return fmt.Sprintf(header+"\nerror(%q)\n", id.name, id.version, id.digest,
		fmt.Sprintf("the rules of this room are in Go: it takes a program that has the game %s", id))
}

// parseIdentity reads the result of text.
func parseIdentity(text string) (id identity, ok bool) {
	line, _, _ := strings.Cut(text, "\n")
	n, err := fmt.Sscanf(line, header, &id.name, &id.version, &id.digest)
	return id, n == 3 && err == nil
}

// refusal returns why no game fits the files of a bundle.
func refusal(files []world.Source, games []*Game) error {
	have := "none"
	var names []string
	for _, g := range games {
		names = append(names, g.identity().String())
	}
	if len(names) > 0 {
		have = world.Listed(names)
	}
	if len(files) == 0 {
		return fmt.Errorf(
			"%w: the bundle has no file; put Game.Source into its Files (of Go games this program has %s)", ErrGame,
			have)
	}
	id, ok := parseIdentity(files[0].Text)
	if !ok || len(files) > 1 {
		var scripts []string
		for _, f := range files {
			scripts = append(scripts, f.Name)
		}
		return fmt.Errorf("%w: the bundle has the files %s, not the one of a Go game (this program has %s)",
			ErrGame, world.Listed(scripts), have)
	}
	for _, g := range games {
		if g.identity().String() == id.String() {
			return fmt.Errorf(
				"%w: both are %s, but they declare different things: raise the version with every change", ErrGame,
				id)
		}
	}
	return fmt.Errorf("%w: the room has %s, this program has %s", ErrGame, id, have)
}
