package main

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// TestFindingsReadNothingOutside checks a folder with a link out of it. The place of the finding would tell what is there.
func TestFindingsReadNothingOutside(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need a privilege")
	}
	dir, outside := t.TempDir(), filepath.Join(t.TempDir(), "secret.lua")
	for name, text := range map[string]string{ // order: each is a file of its own
		filepath.Join(dir, "game.toml"): `name = "g"`, filepath.Join(dir, "game.lua"): "  oops(", outside: "      secret",
	} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(outside, filepath.Join(dir, "x.lua")); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"x.lua": "", "game.lua": "  oops("} { // order: each is looked at by itself
		if text := fileText(filepath.ToSlash(filepath.Join(dir, name)), dir, nil); text != want {
			t.Errorf("%s: %q, want %q", name, text, want)
		}
	}
}
