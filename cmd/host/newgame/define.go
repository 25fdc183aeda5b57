package newgame

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/hindcast/hindcast/luabind/reference"
	"github.com/hindcast/hindcast/world"
)

// luarc configures the Lua language server for scripts of Hindcast.
const luarc = `{
  "runtime.version": "Lua 5.1",
  "runtime.builtin": {
    "basic": "disable", "bit": "disable", "coroutine": "disable", "debug": "disable", "io": "disable",
    "math": "disable", "os": "disable", "package": "disable", "string": "disable", "table": "disable"
  },
  "workspace.library": [".luals"],
  "diagnostics.disable": ["lowercase-global", "duplicate-set-field"]
}
`

// Define writes definitions for editors into a game's folder: .luarc.json, unless it exists, and .luals with the
// API and the game's own classes.
func Define(dir string, schema *world.Schema) error {
	if err := os.MkdirAll(filepath.Join(dir, ".luals"), 0o755); err != nil {
		return err
	}
	settings := filepath.Join(dir, ".luarc.json")
	if _, err := os.Lstat(settings); errors.Is(err, fs.ErrNotExist) {
		if err := os.WriteFile(settings, []byte(luarc), 0o644); err != nil {
			return err
		}
	}
	for name, text := range map[string]string{"hindcast.lua": reference.Definitions(),
		"game.lua": reference.ClassDefinitions(schema)} { // order: each file by itself
		if err := os.WriteFile(filepath.Join(dir, ".luals", name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}
