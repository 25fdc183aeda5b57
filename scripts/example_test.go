package scripts_test

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/hindcast/hindcast/luabind"
	"github.com/hindcast/hindcast/scripts"
	"github.com/hindcast/hindcast/world"
)

// A built-in game, compiled and ready for a host.Config.
func ExampleLoad() {
	fmt.Println("games:", world.Listed(scripts.Games()))
	folder, _ := scripts.Builtin("grapple")
	game, err := scripts.Load(folder, "grapple")
	if err != nil {
		fmt.Println(err)
		return
	}
	script, err := game.Compile(luabind.Compile)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(game.Bundle.Game, "has", len(game.Bundle.Files), "scripts and", len(script.Schema().Classes), "classes")
	// Output:
	// games: arena, grapple and soccer
	// grapple has 5 scripts and 6 classes
}

// A folder with two mistakes: the error names both, with their lines.
func ExampleLoadDir() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	settings := "name = \"mine\"\ntick_rat = 60\n[players]\nmax = 1000\n"
	if err := os.WriteFile(filepath.Join(dir, "game.toml"), []byte(settings), 0o644); err != nil {
		fmt.Println(err)
		return
	}
	if err := os.WriteFile(filepath.Join(dir, "game.lua"), nil, 0o644); err != nil {
		fmt.Println(err)
		return
	}
	_, err = scripts.LoadDir(dir)
	for _, problem := range err.(interface{ Unwrap() []error }).Unwrap() {
		p := problem.(*scripts.Problem)
		fmt.Printf("%s:%d: %s\n", filepath.Base(p.File), p.Line, p.Message)
	}
	files, tests, bots := scripts.Sources(os.DirFS(dir)) // can be read all the same
	fmt.Println(len(files), "script,", len(tests), "tests,", len(bots), "bots")
	// Output:
	// game.toml:2: tick_rat is unknown: did you mean tick_rate?
	// game.toml:4: players.max = 1000: must be 1 to 128
	// 1 script, 0 tests, 0 bots
}

// A built-in bot.
func ExampleBot() {
	fmt.Println("bots:", world.Listed(scripts.Bots()))
	source, ok := scripts.Bot("circle")
	if !ok {
		return
	}
	bot, err := luabind.NewBot("circle.lua", source)
	fmt.Println(bot != nil, err)
	// Output:
	// bots: chase, circle, idle and random
	// true <nil>
}
