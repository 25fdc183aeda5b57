// Command host runs a Hindcast room: it loads a game's scripts, admits
// players, and rewinds for late inputs.
//
//	host [run] [flags] [GAME]    run a room (GAME: a folder, or a built-in game)
//	host check GAME              find every problem in a game without running it
//	host replay FILE             inspect a match that -record wrote
//	host test GAME               run a game's tests
//	host new DIR                 write a new game that runs
//	host games                   list the built-in games
//	host defs GAME               write a game's definitions for editors
//	host bench [-json]           measure the standard scenes
//	host version
//	host help
package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/hindcast/hindcast/cmd/host/cli"
)

func main() { cli.Main("host", dispatch) }

// command is one of host's commands.
type command struct {
	name, words string
	what        string
	run         func(ctx context.Context, args []string) error
}

// commands returns all commands, in the order of the help.
func commands() []command {
	plain := func(run func(args []string) error) func(context.Context, []string) error {
		return func(ctx context.Context, args []string) error { return until(ctx, func() error { return run(args) }) }
	}
	return []command{
		{"run", "[GAME]", "run a room for players to join; the word run may be left out", runRoom},
		{"new", "DIR", "write a new game that runs", plain(newGame)},
		{"games", "", "list the games that are built in", plain(listGames)},
		{"check", "GAME", "find every problem in a game's files", plain(checkGame)},
		{"test", "GAME", "run a game's tests", plain(testGame)},
		{"replay", "FILE", "inspect a match that -record wrote", replayFile},
		{"defs", "GAME", "write a game's definitions for editors", plain(writeDefs)},
		{"bench", "", "measure the standard scenes", bench},
		{"version", "", "print the version", func(context.Context, []string) error {
			fmt.Println(cli.Version("host"))
			return nil
		}},
		{"help", "[COMMAND]", "print this list, or the flags of a command", help},
	}
}

// until runs a command that has nothing to save: when it is interrupted, it is left where it is, because a tick of a
// game may take long.
func until(ctx context.Context, run func() error) error {
	done := make(chan error, 1)
	go func() { done <- run() }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return errors.New("interrupted")
	}
}

// dispatch runs the command that the first word names; without one, a room.
func dispatch(ctx context.Context, args []string) error {
	if len(args) == 0 {
		return runRoom(ctx, nil)
	}
	name := args[0]
	if name == "-version" || name == "--version" {
		name = "version"
	}
	for _, c := range commands() {
		if c.name == name {
			return c.run(ctx, args[1:])
		}
	}
	return runRoom(ctx, args)
}

// help lists the commands, or prints the usage of one.
func help(ctx context.Context, args []string) error {
	if len(args) == 0 {
		fmt.Print(commandList())
		return nil
	}
	for _, c := range commands() {
		if c.name == args[0] && c.name != "help" && c.name != "version" {
			return c.run(ctx, []string{"-h"})
		}
	}
	return cli.Fail(cli.Usage, fmt.Errorf("there is no command %s\n%s", args[0], commandList()))
}

// commandList has a line for each command.
func commandList() string {
	var b strings.Builder
	b.WriteString("usage: host COMMAND; GAME is a folder, or the name of a built-in game\n\n")
	for _, c := range commands() {
		fmt.Fprintf(&b, "  host %-17s %s\n", strings.TrimSpace(c.name+" "+c.words), c.what)
	}
	b.WriteString("\nhost COMMAND -h prints its flags.\n")
	return b.String()
}
