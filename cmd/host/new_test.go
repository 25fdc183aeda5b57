package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/hindcast/hindcast/luabind/reference"
)

// TestEditorFiles: the files have what package reference returns, and valid JSON.
func TestEditorFiles(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "tag")
	if err := newGame([]string{dir}); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(filepath.Join(dir, ".luals", "hindcast.lua")); err != nil || string(text) != reference.Definitions() {
		t.Errorf("definitions: %v, %d bytes", err, len(text))
	}
	text, err := os.ReadFile(filepath.Join(dir, ".luarc.json"))
	var settings map[string]any
	if err == nil {
		err = json.Unmarshal(text, &settings)
	}
	if err != nil || settings["runtime.version"] != "Lua 5.1" {
		t.Errorf(".luarc.json: %v %v", err, settings)
	}
}
