package scripts

import (
	"embed"
	"io/fs"
	"slices"
	"strings"
)

// first is the game that is played by default.
const first = "arena"

//go:embed */game.toml */*.lua */assets
var files embed.FS

// Games returns the names of the built-in games: arena first, then by name.
func Games() []string {
	found, _ := fs.Glob(files, "*/game.toml") // fails for a bad pattern only
	names := []string{first}
	for _, f := range found {
		if name := strings.TrimSuffix(f, "/"+gameTOML); name != first {
			names = append(names, name)
		}
	}
	return names
}

// Builtin returns the folder of a built-in game, for Load.
func Builtin(name string) (fs.FS, bool) {
	if !slices.Contains(Games(), name) {
		return nil, false
	}
	dir, err := fs.Sub(files, name)
	return dir, err == nil
}

// Bots returns the names of the built-in bots, sorted.
func Bots() []string {
	found, _ := fs.Glob(files, "bots/*.lua")
	for i, f := range found {
		found[i] = strings.TrimSuffix(strings.TrimPrefix(f, "bots/"), ".lua")
	}
	return found
}

// Bot returns the Lua source of a built-in bot.
func Bot(name string) (source string, ok bool) {
	if !slices.Contains(Bots(), name) {
		return "", false
	}
	text, err := fs.ReadFile(files, "bots/"+name+".lua")
	return string(text), err == nil
}
