package luabind

import (
	"strings"
	"testing"

	"github.com/hindcast/hindcast/world"
)

// TestEntryErrors tests the errors of declarations of entry forms.
func TestEntryErrors(t *testing.T) {
	const red = `teams { Red = {}, Blue = { color = "#59f" } } `
	for text, want := range map[string]string{
		`entry()`:                                             "entry must be declared with a table: entry { name = true, team",
		`entry { { "a" } }`:                                   "entry: 1: a question has a name of letters",
		`entry { ["a b"] = { "a" } }`:                         "entry: a b: a question has a name of letters",
		`entry { team = "choose" }`:                           `entry.team = "choose": no file declares teams`,
		`entry { kit = "choose" }`:                            `entry.kit = "choose": there are note`,
		`entry { kit = 3 }`:                                   "entry.kit: must be a list of answers",
		`entry { kit = {} }`:                                  "entry.kit: must be a list of 1 to 16 answers",
		`entry { kit = { "a", b = 1 } }`:                      "entry.kit: must be a list of 1 to 16 answers",
		`entry { kit = { "a", "b c" } }`:                      "entry.kit: answer 2 must be a text of letters",
		`entry { note = "` + strings.Repeat("x", 201) + `" }`: "a text of at most 200 bytes",
		`entry {} entry {}`:                                   "entry { ... } is declared twice",
		`entry { name = true } player { state = { entered = false } }`:             "player.state.entered: entry { ... } declares this field already",
		`entry {} game { calls = { enter = { "player" } } } function enter(p) end`: "game.calls.enter: players call the function of this name",
		`entry { kit = true }`:               "entry.kit: must be a list of answers",
		`entry { name = "Ada" }`:             `entry.name = "Ada": there are note`,
		`entry { name = true, note = "hi" }`: "",
		`entry {}`:                           "",
		red + `entry { team = "choose", kit = { "Scout", "Tank" }, note = "30 wins" } function onJoin(p, asked) end`: "",
	} {
		_, err := NewProgram(bundle("game.lua", text), testSetup)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "game.lua:1: ")) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
	p, err := NewProgram(bundle("game.lua", red+`entry { team = "choose", kit = { "Scout" }, note = "30 wins", name = true }`), testSetup)
	if err != nil {
		t.Fatal(err)
	}
	name, s := p.Schema().Functions.EntryForm()
	if name != "enter" || s == nil || s.Note != "30 wins" || !s.Name || len(s.Questions) != 2 || s.Questions[0].Name != "kit" || len(s.Questions[1].Options) != 2 || s.Questions[1].Options[0] != (world.Option{Name: "Blue", Color: "#59f"}) {
		t.Errorf("%q %+v", name, s)
	}
}

// TestANoteAsksNothing: a form with only a note has nothing to answer, so players join with the hook, and no field says
// whether they have answered.
func TestANoteAsksNothing(t *testing.T) {
	p, err := NewProgram(bundle("game.lua", `entry { note = "30 wins" } function onJoin(p) end`), testSetup)
	if err != nil {
		t.Fatal(err)
	}
	_, form := p.Schema().Functions.EntryForm()
	ci, ok := p.Schema().ClassByName(world.GameClass)
	if form == nil || form.Note != "30 wins" || form.Asks() || !ok || !p.Schema().Classes[ci].Hooks.Has(world.OnJoin) {
		t.Errorf("%+v, hook of the game: %v", form, ok)
	}
	if _, ok := p.Schema().ClassByName(world.PlayerClass); ok {
		t.Error("players have fields, such as entered")
	}
}
