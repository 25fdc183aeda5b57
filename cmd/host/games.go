package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"text/tabwriter"

	"github.com/hindcast/hindcast/cmd/host/cli"
	"github.com/hindcast/hindcast/scripts"
)

const gamesUsage = `

Lists the games that are built in, and says what each is. Examples:

  host games
  host soccer
  host new -from soccer mygame`

// listGames prints a line for each built-in game.
func listGames(args []string) error {
	words, err := cli.NewFlags("host games", gamesUsage).Parse(args)
	if err != nil {
		return err
	}
	if len(words) > 0 {
		return cli.Fail(cli.Usage, errors.New("host games takes no words: host check GAME looks at one"))
	}
	out := tabwriter.NewWriter(os.Stdout, 0, 0, 3, ' ', 0)
	for _, name := range scripts.Games() {
		about, err := aboutGame(name)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "%s\t%s\n", name, about)
	}
	return out.Flush()
}

// aboutGame returns what a built-in game is: the comment that its game.toml begins with.
func aboutGame(name string) (string, error) {
	fsys, _ := scripts.Builtin(name)
	text, err := fs.ReadFile(fsys, "game.toml")
	if err != nil {
		return "", err
	}
	var about []string
	for line := range strings.Lines(string(text)) {
		comment, ok := strings.CutPrefix(strings.TrimSpace(line), "# ")
		if !ok {
			break
		}
		about = append(about, comment)
	}
	return strings.Join(about, " "), nil
}
