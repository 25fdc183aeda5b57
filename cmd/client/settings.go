package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/hindcast/hindcast/luabind/keyname"
	"github.com/hindcast/hindcast/scripts"
)

// settings is what a player has chosen on the page. It is kept in a file of the user, because what a
// browser stores belongs to a port. Its methods are safe for concurrent use.
type settings struct {
	path string // "": nothing is kept
	log  *slog.Logger

	mu     sync.Mutex
	chosen chosen
	bound  []func(game string)
}

// chosen is the content of the file.
type chosen struct {
	Volume float64                        `json:"volume"` // 0 to 1
	Muted  bool                           `json:"muted"`
	Keys   map[string]map[string][]string `json:"keys,omitempty"` // by game and input, as in a helpRow
}

// Limits of the file.
const (
	maxSettings = 4 << 20 // bytes
	maxGames    = 256
	maxBound    = 64 // inputs of a game
	maxBindings = 8  // keys of an input
	maxWhat     = 64 // bytes of the name of a game or an input
)

// openSettings reads the user's settings. A file that cannot be read is left alone, and nothing is kept.
func openSettings(log *slog.Logger) *settings {
	s := &settings{log: log, chosen: chosen{Volume: 1}}
	dir, err := os.UserConfigDir()
	if err != nil {
		log.Debug("settings are not kept", "error", err)
		return s
	}
	path := filepath.Join(dir, "hindcast", "settings.json")
	read := s.chosen
	switch err := readSettings(path, &read); {
	case err == nil:
		s.chosen = read
	case !errors.Is(err, fs.ErrNotExist):
		log.Warn("the settings are the defaults, and changes are not kept: mend or remove the file", "file", path,
			"error", err)
		return s
	}
	s.path = path
	return s
}

func readSettings(path string, c *chosen) error {
	data, err := scripts.ReadFile(path, maxSettings)
	if err != nil {
		return err
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(c); err != nil {
		return err
	}
	for game, inputs := range c.Keys {
		for what, keys := range inputs {
			if err := checkBinding(game, what, keys); err != nil {
				return err
			}
		}
	}
	return checkVolume(c.Volume)
}

func checkVolume(v float64) error {
	if !(v >= 0 && v <= 1) {
		return fmt.Errorf("volume %v, want 0 to 1", v)
	}
	return nil
}

func checkBinding(game, what string, keys []string) error {
	for _, name := range []string{game, what} {
		if name == "" || len(name) > maxWhat {
			return fmt.Errorf("the name of a game or an input has %d bytes, not 1 to %d", len(name), maxWhat)
		}
	}
	if len(keys) > maxBindings {
		return fmt.Errorf("%d keys for %s, at most %d", len(keys), what, maxBindings)
	}
	for _, key := range keys {
		if key == "" || len(key) > maxKeyName {
			return fmt.Errorf("the name of a key for %s has %d bytes, not 1 to %d", what, len(key), maxKeyName)
		}
	}
	return nil
}

// Sound returns the volume, 0 to 1, and whether sounds are muted.
func (s *settings) Sound() (volume float64, muted bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.chosen.Volume, s.chosen.Muted
}

// SetSound chooses the volume.
func (s *settings) SetSound(volume float64, muted bool) error {
	if err := checkVolume(volume); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.chosen.Volume, s.chosen.Muted = volume, muted
	s.save()
	return nil
}

// Keys returns the keys that were chosen for the inputs of a game.
func (s *settings) Keys(game string) map[string][]string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.chosen.Keys[game])
}

// Bind chooses the keys of an input of a game; no keys: those that the game declares.
func (s *settings) Bind(game, what string, keys []string) error {
	if err := checkBinding(game, what, keys); err != nil {
		return err
	}
	if err := s.bind(game, what, keys); err != nil {
		return err
	}
	for _, call := range s.bound {
		call(game)
	}
	return nil
}

func (s *settings) bind(game, what string, keys []string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(keys) == 0 {
		delete(s.chosen.Keys[game], what)
	} else if err := s.add(game, what, keys); err != nil {
		return err
	}
	s.save()
	return nil
}

// OnBind has f called whenever keys were chosen for an input of a game.
func (s *settings) OnBind(f func(game string)) { s.bound = append(s.bound, f) }

func (s *settings) add(game, what string, keys []string) error {
	inputs := s.chosen.Keys[game]
	if _, has := inputs[what]; !has && len(inputs) >= maxBound || inputs == nil && len(s.chosen.Keys) >= maxGames {
		return fmt.Errorf("keys of %d inputs in %d games are kept, which is the limit", maxBound, maxGames)
	}
	if s.chosen.Keys == nil {
		s.chosen.Keys = map[string]map[string][]string{}
	}
	if inputs == nil {
		inputs = map[string][]string{}
		s.chosen.Keys[game] = inputs
	}
	names := make([]string, len(keys))
	for i, key := range keys {
		back := ""
		if len(key) > 1 && key[0] == '-' {
			back, key = "-", key[1:]
		}
		names[i] = back + keyname.Canonical(key)
	}
	inputs[what] = slices.Compact(names)
	return nil
}

// save writes the file, and says once why it cannot.
func (s *settings) save() {
	if s.path == "" {
		return
	}
	if err := s.write(); err != nil {
		s.log.Warn("settings are not kept", "error", err)
		s.path = ""
	}
}

// write replaces the file as a whole, so that a program that ends meanwhile leaves no half of one.
func (s *settings) write() error {
	if err := os.MkdirAll(filepath.Dir(s.path), 0o700); err != nil {
		return err
	}
	data, err := json.MarshalIndent(&s.chosen, "", "  ")
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(s.path), "settings-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.Write(append(data, '\n'))
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil { // or a loss of power may leave an empty file
		return err
	}
	return os.Rename(f.Name(), s.path)
}
