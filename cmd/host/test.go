package main

import (
	"fmt"
	"os"
	"regexp"
	"time"

	"github.com/hindcast/hindcast/cmd/host/cli"
	"github.com/hindcast/hindcast/cmd/host/gametest"
)

// below prints in the place of the progress.
type below struct{ bar *cli.Progress }

func (b below) Write(text []byte) (int, error) {
	b.bar.Close()
	return os.Stdout.Write(text)
}

// testGame runs a game's *_test.lua files.
func testGame(args []string) error {
	fs := cli.NewFlags("host test",
		"[-run REGEXP] [-v] [-timeout DUR] GAME\n\nRuns the *_test.lua files of a game. GAME is a folder, or the "+
			"name of a built-in\ngame. Example:\n\n  host test -v -run fuel mygame")
	only := fs.String("run", "", "run only the tests whose names match `REGEXP`")
	verbose := fs.Bool("v", false, "print every test, and what scripts print")
	limit := fs.Duration("timeout", 10*time.Minute, "the longest that all tests together may take; 0: no limit")
	words, err := fs.Parse(args)
	if err != nil {
		return err
	}
	if len(words) != 1 {
		return cli.Fail(cli.Usage, fmt.Errorf("want the folder of one game"))
	}
	match, err := regexp.Compile(*only)
	if err != nil {
		return cli.Fail(cli.Usage, fmt.Errorf("-run: %w", err))
	}
	game, err := openGame(words[0])
	if err != nil {
		return cli.Fail(cli.Config, err)
	}
	start := time.Now()
	bar := cli.NewProgress(os.Stderr, "tests")
	defer bar.Close()
	result, err := gametest.Run(words[0], game.Game, gametest.Options{Out: below{bar}, Run: match, Verbose: *verbose,
		Stopwatch: func() time.Duration { return time.Since(start) }, Limit: *limit, Progress: bar.Show})
	switch {
	case err != nil:
		return cli.Fail(cli.Config, err)
	case result.Left > 0:
		return fmt.Errorf("the time limit of %v is over: %d tests failed, %d did not run", *limit, result.Failed,
			result.Left)
	case result.Failed > 0:
		return fmt.Errorf("%d of %d tests failed", result.Failed, result.Run)
	case result.Run == 0 && len(game.Tests) > 0:
		fmt.Fprintf(os.Stderr, "host: warning: no tests to run: no test's name matches -run %q\n", *only)
	}
	return nil
}
