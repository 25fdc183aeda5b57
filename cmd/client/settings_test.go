package main

import (
	"bytes"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// logTo returns a logger, and what it has written.
func logTo() (*slog.Logger, *bytes.Buffer) {
	var b bytes.Buffer
	return slog.New(slog.NewTextHandler(&b, nil)), &b
}

func TestSettingsAreKept(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", dir)
	log, said := logTo()
	s := openSettings(log)
	if volume, muted := s.Sound(); volume != 1 || muted {
		t.Errorf("at first the volume is %v, muted %v", volume, muted)
	}
	for _, err := range []error{s.SetSound(0.25, true), s.Bind("arena", "Fire", []string{"K", "mouse:left"}),
		s.Bind("arena", "Turn", []string{"-A", "D"}), s.Bind("arena", "Gone", []string{"x"}), s.Bind("arena", "Gone", nil)} {
		if err != nil {
			t.Error(err)
		}
	}
	again := openSettings(log)
	volume, muted := again.Sound()
	keys := again.Keys("arena")
	if volume != 0.25 || !muted || len(keys) != 2 || !slices.Equal(keys["Fire"], []string{"k", "mouse:left"}) || !slices.Equal(keys["Turn"], []string{"-a", "d"}) {
		t.Errorf("volume %v, muted %v, keys %v", volume, muted, keys)
	}
	if len(again.Keys("soccer")) != 0 || said.Len() != 0 {
		t.Errorf("another game has keys %v; the log says %s", again.Keys("soccer"), said)
	}
}

func TestBadSettings(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", dir)
	path := filepath.Join(dir, "hindcast", "settings.json")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{`{"volume": 2}`, `{"volume":`, `{"loud": 1}`, `{"volume": 1, "keys": {"arena": {"Fire": [""]}}}`} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		log, said := logTo()
		s := openSettings(log)
		if volume, _ := s.Sound(); volume != 1 || !strings.Contains(said.String(), "mend or remove") || !strings.Contains(said.String(), path) {
			t.Errorf("%s: volume %v, and the log says %s", text, volume, said)
		}
		if err := s.SetSound(0.5, false); err != nil {
			t.Error(err)
		}
		if now, err := os.ReadFile(path); err != nil || string(now) != text {
			t.Errorf("%s became %s, %v", text, now, err)
		}
	}
	log, _ := logTo()
	s := openSettings(log)
	many := make([]string, maxBindings+1)
	for i := range many {
		many[i] = "k"
	}
	for _, err := range []error{s.SetSound(-1, false), s.Bind("", "Fire", nil), s.Bind("arena", strings.Repeat("x", 65), nil), s.Bind("arena", "Fire", many), s.Bind("arena", "Fire", []string{""})} {
		if err == nil {
			t.Error("a setting that cannot be was taken")
		}
	}
	for i := range maxBound + 1 {
		if err := s.Bind("arena", fmt.Sprint("Input", i), []string{"k"}); (err != nil) != (i >= maxBound) {
			t.Errorf("input %d: %v", i, err)
		}
	}
}
