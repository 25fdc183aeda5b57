package main

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hindcast/hindcast/cmd/host/cli"
	"github.com/hindcast/hindcast/cmd/host/gametest"
	"github.com/hindcast/hindcast/luabind/lint"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/scripts"
	"github.com/hindcast/hindcast/world"
)

const checkUsage = `GAME [BOT.lua ...]

Finds what is wrong with a game, a folder or the name of a game built in, and
with bots for it. A line for each thing, as FILE:LINE:COL: message. As in

  host check mygame`

// checkGame finds what is wrong with a game, and prints all of it.
func checkGame(args []string) error {
	fs := cli.NewFlags("host check", checkUsage)
	words, err := fs.Parse(args)
	if err != nil {
		return err
	}
	if len(words) == 0 {
		return cli.Fail(cli.Usage, fmt.Errorf("want one folder with game.toml and *.lua; after it, bots to check too"))
	}
	game, found, err := findings(words[0], words[1:])
	if err != nil {
		return cli.Fail(cli.Config, err)
	}
	for _, f := range found {
		fmt.Println(f)
	}
	if len(found) > 0 {
		return cli.Fail(cli.Config, fmt.Errorf("%s: %d to put right", words[0], len(found)))
	}
	fmt.Printf("%s: ok (Lua files: %d, tests: %d)\n", words[0], len(game.Bundle.Files), len(game.Tests))
	return nil
}

// findings are all that is wrong with a game: its folder and settings, else
// its scripts, test files and bots, else what happens when it runs for a moment.
func findings(name string, bots []string) (game *openedGame, found []lint.Finding, err error) {
	game, err = openGame(name)
	if err != nil {
		found, err = brokenFolder(err, name)
		return nil, found, err
	}
	bare := game.Bundle.Setup
	bare.Spawns = nil // a [[spawn]] of a class that nobody declares is the next one's to tell
	for _, f := range lint.Check(game.Bundle.Files, bare) {
		f.File = game.Path(f.File)
		found = append(found, f)
	}
	_, err = game.Compile(compile)
	for _, f := range placedFindings(err, name, game.Game) {
		if f.File == game.Path("game.toml") {
			found = append(found, f)
		}
	}
	for _, f := range lint.CheckTests(game.Bundle.Files, bare, game.Tests) {
		f.File = game.Path(f.File)
		found = append(found, f)
	}
	for _, bot := range bots {
		text, err := os.ReadFile(bot)
		if err != nil {
			return nil, nil, err
		}
		found = append(found, lint.CheckBot(game.Bundle.Files, bare, world.Source{Name: bot, Text: string(text)})...)
	}
	if len(found) == 0 {
		for _, e := range gametest.Trial(game.Game) {
			f := lint.At(e.File, textOf(game.Game, e.File), e.Line, "in a trial run: "+e.Message)
			f.File = game.Path(e.File)
			found = append(found, f)
		}
	}
	lint.Sort(found)
	return game, found, nil
}

// brokenFolder is what is wrong with a folder that cannot be opened as a game,
// and with its scripts as far as they can be read.
func brokenFolder(err error, name string) (found []lint.Finding, _ error) {
	if found = placedFindings(err, name, nil); found == nil {
		return nil, err
	}
	files, _ := scripts.Sources(os.DirFS(name))
	for _, f := range lint.Check(files, bundle.DefaultSetup()) {
		f.File = path.Join(filepath.ToSlash(name), f.File)
		found = append(found, f)
	}
	return found, nil
}

// placedFindings takes an error apart that joins *scripts.Problems. game is
// nil when there is none yet.
func placedFindings(err error, name string, game *scripts.Game) (out []lint.Finding) {
	if many, ok := err.(interface{ Unwrap() []error }); ok {
		for _, e := range many.Unwrap() {
			out = append(out, placedFindings(e, name, game)...)
		}
		return out
	}
	var p *scripts.Problem
	if err == nil || !errors.As(err, &p) {
		return nil
	}
	f := lint.At(p.File, fileText(p.File, name, game), p.Line, p.Message)
	return []lint.Finding{f}
}

// fileText is what stands in a file of the game, "" if that is not known.
func fileText(file, name string, game *scripts.Game) string {
	if game != nil {
		if text := textOf(game, strings.TrimPrefix(strings.TrimPrefix(file, name), "/")); text != "" {
			return text
		}
	}
	text, err := os.ReadFile(filepath.FromSlash(file))
	if err != nil {
		return "" // its column is 1
	}
	return string(text)
}

// textOf is the text of a script or a test of a game.
func textOf(game *scripts.Game, file string) string {
	for _, f := range slices.Concat(game.Bundle.Files, game.Tests) {
		if f.Name == file {
			return f.Text
		}
	}
	return ""
}
