package main

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"unicode"

	"github.com/hindcast/hindcast/cmd/host/cli"
	"github.com/hindcast/hindcast/luabind"
	"github.com/hindcast/hindcast/luabind/reference"
	"github.com/hindcast/hindcast/world"
)

//go:embed template/*.toml template/*.lua
var template embed.FS

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

// newGame writes a game that runs into a new folder.
func newGame(args []string) error {
	flags := cli.NewFlags("host new", "DIR\n\nWrites a new game that runs into a folder, which must be empty or not exist yet.\nExample:\n\n  host new mygame")
	words, err := flags.Parse(args)
	if err != nil {
		return err
	}
	if len(words) != 1 {
		return cli.Fail(cli.Usage, fmt.Errorf("want one folder for the new game, as in: host new mygame"))
	}
	dir := words[0]
	switch entries, err := os.ReadDir(dir); {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return err
	case len(entries) > 0:
		return fmt.Errorf("%s is not empty: name a folder that does not exist yet", dir)
	}
	if err := writeTemplate(dir); err != nil {
		return err
	}
	if err := writeDefinitions(dir); err != nil {
		return err
	}
	fmt.Printf("%s: a new game\n\n  host %s         run it; then join it with: client 127.0.0.1:7777\n  host test %s    run its tests\n  host check %s   look for mistakes\n", dir, dir, dir, dir)
	return nil
}

func writeTemplate(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	name, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	files, err := fs.Glob(template, "template/*")
	if err != nil {
		return err
	}
	for _, f := range files {
		text, err := fs.ReadFile(template, f)
		if err != nil {
			return err
		}
		text = []byte(strings.Replace(string(text), `name = "new"`, "name = "+strconv.Quote(gameName(filepath.Base(name))), 1))
		if err := os.WriteFile(filepath.Join(dir, filepath.Base(f)), text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// gameName makes a valid name for a game of a folder's name.
func gameName(folder string) string {
	name := strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) && r < unicode.MaxASCII && r != '\\' && r != '"' {
			return r
		}
		return -1
	}, folder)
	if name == "" || len(name) > 64 {
		return "game"
	}
	return name
}

// writeDefs writes a game's definitions for editors.
func writeDefs(args []string) error {
	flags := cli.NewFlags("host defs", "GAME\n\nWrites definitions for editors into a game's folder: .luarc.json, unless it exists,\nand .luals with the API and the game's own classes as they are now. Example:\n\n  host defs mygame")
	words, err := flags.Parse(args)
	if err != nil {
		return err
	}
	if len(words) != 1 {
		return cli.Fail(cli.Usage, fmt.Errorf("want the folder of one game"))
	}
	return writeDefinitions(words[0])
}

func writeDefinitions(dir string) error {
	game, err := openGame(dir)
	if err != nil {
		return cli.Fail(cli.Config, err)
	}
	if game.Dir == "" {
		return cli.Fail(cli.Usage, fmt.Errorf("%s is a built-in game: copy its folder to change it", dir))
	}
	script, err := game.Compile(luabind.Compile)
	if err != nil {
		return cli.Fail(cli.Config, err)
	}
	return writeEditor(dir, script.Schema())
}

func writeEditor(dir string, schema *world.Schema) error {
	if err := os.MkdirAll(filepath.Join(dir, ".luals"), 0o755); err != nil {
		return err
	}
	settings := filepath.Join(dir, ".luarc.json")
	if _, err := os.Lstat(settings); errors.Is(err, fs.ErrNotExist) {
		if err := os.WriteFile(settings, []byte(luarc), 0o644); err != nil {
			return err
		}
	}
	for name, text := range map[string]string{"hindcast.lua": reference.Definitions(), "game.lua": reference.ClassDefinitions(schema)} {
		if err := os.WriteFile(filepath.Join(dir, ".luals", name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}
