// Command host runs a Hindcast room: it loads a game's scripts, takes in
// players, and rewinds for those whose inputs come late.
//
//	host [run] [flags] [GAME]    run a room (GAME: a folder, or a game built in)
//	host check GAME              find every problem in a game without running it
//	host replay FILE             look into a match that -record wrote
//	host test GAME               run a game's tests
//	host new DIR                 write a new game that runs
//	host defs GAME               write what editors want to know of a game
//	host bench [-json]           measure the standard scenes
//	host version
package main

import (
	"context"
	"fmt"

	"github.com/hindcast/hindcast/cmd/host/cli"
)

func main() { cli.Main("host", dispatch) }

// dispatch finds the command among the words; without one it is run.
func dispatch(ctx context.Context, args []string) error {
	if len(args) == 0 {
		return runRoom(ctx, nil)
	}
	switch args[0] {
	case "run":
		return runRoom(ctx, args[1:])
	case "check":
		return checkGame(args[1:])
	case "replay":
		return replayFile(ctx, args[1:])
	case "test":
		return testGame(args[1:])
	case "new":
		return newGame(args[1:])
	case "defs":
		return writeDefs(args[1:])
	case "bench":
		return bench(ctx, args[1:])
	case "version", "-version", "--version":
		fmt.Println(cli.Version("host"))
		return nil
	}
	return runRoom(ctx, args)
}
