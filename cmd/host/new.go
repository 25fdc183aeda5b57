package main

import (
	"embed"
	"fmt"
	"io/fs"
	"os"

	"github.com/hindcast/hindcast/cmd/host/cli"
	"github.com/hindcast/hindcast/cmd/host/newgame"
	"github.com/hindcast/hindcast/luabind"
	"github.com/hindcast/hindcast/scripts"
)

//go:embed template/*.toml template/*.lua
var template embed.FS

const newUsage = `[-from GAME] DIR

Writes a new game that runs into a folder, which must be empty or not exist yet.
With -from, it is a copy of a built-in game or of the game in another folder.
Examples:

  host new mygame
  host new -from soccer mygame`

// newGame writes a game that runs into a new folder.
func newGame(args []string) error {
	flags := cli.NewFlags("host new", newUsage)
	from := flags.String("from", "", "the game to copy: a built-in `GAME`, or the folder of one")
	words, err := flags.Parse(args)
	if err != nil {
		return err
	}
	if len(words) != 1 {
		return cli.Fail(cli.Usage, fmt.Errorf("want one folder for the new game, as in: host new mygame"))
	}
	game, err := filesOf(*from)
	if err != nil {
		return err
	}
	files, err := newgame.Read(game)
	if err != nil {
		return err
	}
	if err := newgame.Write(words[0], files); err != nil {
		return err
	}
	fmt.Print(newgame.Next(words[0]))
	return nil
}

// filesOf returns the files of a game to copy; for "", of a small one.
func filesOf(game string) (fs.FS, error) {
	if game == "" {
		return fs.Sub(template, "template")
	}
	opened, err := openGame(game)
	if err != nil {
		return nil, cli.Fail(cli.Config, err)
	}
	if opened.dir != "" {
		root, err := os.OpenRoot(opened.dir) // open until the program ends
		if err != nil {
			return nil, err
		}
		return scripts.FS(root), nil
	}
	files, _ := scripts.Builtin(game)
	return files, nil
}

// writeDefs writes a game's definitions for editors.
func writeDefs(args []string) error {
	flags := cli.NewFlags("host defs",
		"GAME\n\nWrites definitions for editors into a game's folder: .luarc.json, unless it exists,\nand .luals "+
			"with the API and the game's own classes as they are now. Example:\n\n  host defs mygame")
	words, err := flags.Parse(args)
	if err != nil {
		return err
	}
	if len(words) != 1 {
		return cli.Fail(cli.Usage, fmt.Errorf("want the folder of one game"))
	}
	game, err := openGame(words[0])
	if err != nil {
		return cli.Fail(cli.Config, err)
	}
	if game.dir == "" {
		return cli.Fail(cli.Usage,
			fmt.Errorf("%s is a built-in game: copy it with host new -from %s DIR to change it", words[0], words[0]))
	}
	script, err := game.Compile(luabind.Compile)
	if err != nil {
		return cli.Fail(cli.Config, err)
	}
	return newgame.Define(game.dir, script.Schema())
}
