package scripts

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/world"
)

// ErrNoFolder is wrapped by the errors of Files.
var ErrNoFolder = errors.New("the game cannot be written as a folder")

// Files returns the files of a folder from which Load makes this bundle: game.toml with the settings that differ
// from their defaults, then the scripts. The bundle may come from a host that nobody trusts: no name leads
// out of the folder. The error wraps ErrNoFolder. A program may make a bundle that no folder has, with a time that
// is no whole number of milliseconds, for example.
func Files(b *bundle.Bundle) ([]world.Source, error) {
	if b == nil {
		return nil, fmt.Errorf("%w: there is no bundle", ErrNoFolder)
	}
	var text string
	err := b.Check()
	if err == nil {
		text, err = writeSettings(b)
	}
	if err == nil {
		err = new(folder).makes(b, text)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoFolder, err)
	}
	return slices.Concat([]world.Source{{Name: gameTOML, Text: text}}, b.Files), nil
}

// makes returns an error if Load would make another bundle than b of the files of b and the text of a game.toml.
func (r *folder) makes(b *bundle.Bundle, text string) error {
	g := r.configure(text)
	for _, f := range b.Files {
		if strings.ContainsAny(f.Name, "\\:\x00") ||
			!isModule(f.Name) && (strings.Contains(f.Name, "/") || !bundled(f.Name)) {
			r.fail(f.Name, 1, "is not the name of a script")
			continue
		}
		read, _ := r.text(f.Name, []byte(f.Text))
		g.Bundle.Files = append(g.Bundle.Files, world.Source{Name: f.Name, Text: read})
	}
	slices.SortFunc(g.Bundle.Files, loadOrder)
	g.Bundle.Files = slices.CompactFunc(g.Bundle.Files, func(a, b world.Source) bool { return a.Name == b.Name })
	switch {
	case len(r.problems) > 0:
		return join(r.problems)
	case !bytes.Equal(g.Bundle.Encode(), b.Encode()):
		return errors.New("no folder has its settings or the order of its scripts")
	}
	return nil
}

// loadOrder orders the scripts of a game: by name, game.lua last.
func loadOrder(a, b world.Source) int {
	if last := a.Name == gameLua; last != (b.Name == gameLua) {
		if last {
			return 1
		}
		return -1
	}
	return strings.Compare(a.Name, b.Name)
}

// writeSettings returns a game.toml with the settings of a bundle.
func writeSettings(b *bundle.Bundle) (string, error) {
	all := settingsOf(b)
	without(all, settingsOf(bundle.New("")))
	all["api"] = int64(max(b.API, 1)) // newer programs may have another default
	var text bytes.Buffer
	to := toml.NewEncoder(&text)
	to.Indent = ""
	err := to.Encode(all)
	return text.String(), err
}

// without removes the keys of a table that have the same value in another table.
func without(table, defaults map[string]any) {
	for key, v := range table { // order: each key by itself
		if part, ok := v.(map[string]any); ok {
			if other, ok := defaults[key].(map[string]any); ok {
				without(part, other)
			}
			if len(part) == 0 {
				delete(table, key)
			}
			continue
		}
		if _, isList := v.([]map[string]any); !isList && v == defaults[key] {
			delete(table, key)
		}
	}
}
