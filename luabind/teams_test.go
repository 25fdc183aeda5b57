package luabind

import (
	"strings"
	"testing"
)

// TestTeamErrors tests the errors of declarations of teams.
func TestTeamErrors(t *testing.T) {
	const red = `teams { Red = { color = "#f55" } } `
	for text, want := range map[string]string{
		`teams()`:                     "teams must be declared with a table: teams { Red",
		`teams {}`:                    "teams: 0 teams; a game has 1 to 16",
		`teams { "Red" }`:             "teams: a team has a name of letters",
		`teams { Red = "#f55" }`:      "teams: a team has a name of letters",
		`teams { ["Red Army"] = {} }`: "teams: a team has a name of letters",
		`teams { ` + strings.Repeat("R", 17) + ` = {} }`: "at most 16 bytes",
		`teams { Red = { colour = "#f55" } }`:            `teams.Red.colour: a team has a color, which is a text: Red = { color = "#f55" }`,
		`teams { Red = { color = 5 } }`:                  "teams.Red.color: a team has a color",
		red + red:                                        "teams { ... } is declared twice",
		red + `player { state = { team = 0 } }`:          "player.state.team: teams { ... } declares this field already",
		red + `function tick() teams {} end`:             "",
		red:                                              "",
		red + `player { state = { kills = 0 } }`:         "",
	} {
		_, err := NewProgram(bundle("game.lua", text), testSetup)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "game.lua:1: ")) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}
