package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/hindcast/hindcast/luabind"
	"github.com/hindcast/hindcast/scripts"
	"github.com/hindcast/hindcast/world"
)

// openedGame is a game, and the folder that it was loaded from.
type openedGame struct {
	*scripts.Game
	dir      string // "": the game is built in
	problems *problems
}

// openGame loads the game of a folder, or the built-in game of this name; "" is
// the first one of these.
func openGame(name string) (*openedGame, error) {
	if name == "" {
		name = scripts.Games()[0]
	} else if info, err := os.Stat(name); err == nil && info.IsDir() {
		game, err := scripts.LoadDir(name)
		return &openedGame{game, name, &problems{folder: name}}, err
	}
	if info, err := os.Stat(name); name != "" && err == nil && !info.IsDir() {
		return nil, fmt.Errorf("%s: is a file; a game is its folder: %s", name, filepath.Dir(name))
	}
	fsys, ok := scripts.Builtin(name)
	if !ok {
		return nil, fmt.Errorf("%s: neither a folder nor a built-in game (%s); host help lists the commands", name,
			world.Listed(scripts.Games()))
	}
	game, err := scripts.Load(fsys, name)
	return &openedGame{game, "", &problems{}}, err
}

// compiler returns a world.Compile for this game: what is wrong has its place in
// the game's own files.
func compiler(g *openedGame) world.Compile {
	return func([]world.Source, world.Setup) (world.Script, error) { return g.Compile(luabind.Compile) }
}
