package gametest

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	_ "github.com/hindcast/hindcast/runtime/simtest/draws" // collects garbage less often
)

// rxArchived matches the line above a file of an archive.
var rxArchived = regexp.MustCompile(`(?m)^-- (\S+) --\n`)

// overlooking are the games in which hooks read old values of what they have changed, and how often.
var overlooking = map[string]int{"not-stale.txtar": 3, "reassigned-variables.txtar": 2, "n-none-sure.txtar": 1,
	"filled-lists.txtar": 1}

// TestGoodGames: the games in which package lint finds nothing also run without an error: with players who press random
// keys, until every hook has been called or a minute of the game is over.
func TestGoodGames(t *testing.T) {
	paths, err := filepath.Glob("../../../luabind/lint/testdata/good/*.txtar")
	if err != nil || len(paths) < 30 {
		t.Fatalf("%d archives (%v)", len(paths), err)
	}
	reached := 0
	for _, p := range paths {
		text, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		files := map[string]string{"game.toml": "name = \"small\"\n"}
		parts := rxArchived.Split(string(text), -1)
		for i, m := range rxArchived.FindAllStringSubmatch(string(text), -1) {
			files[m[1]] = parts[i+1]
		}
		found := Try(trialGame(t, files), TrialOptions{})
		for _, e := range found.Errors {
			t.Errorf("%s: %v", filepath.Base(p), e)
		}
		if len(found.Overlooked) != overlooking[filepath.Base(p)] {
			t.Errorf("%s: overlooks %v", filepath.Base(p), found.Overlooked)
		}
		if len(found.Missed) == 0 {
			reached++
		} else {
			t.Logf("%s: not reached: %s", filepath.Base(p), strings.Join(found.Missed, ", "))
		}
	}
	if reached < len(paths)/2 {
		t.Errorf("all hooks were reached in %d of %d games", reached, len(paths))
	}
}
