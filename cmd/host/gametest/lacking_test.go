package gametest

import (
	"strings"
	"testing"
)

// TestTrialNamesTheClassesAtOnce: a field that objects of several classes lack at a place is one error, which says to
// look at the class. What self lacks is declared.
func TestTrialNamesTheClassesAtOnce(t *testing.T) {
	for body, want := range map[string]string{
		"if other and other.class ~= 'Gate' and other.team == 1 then self.n = 1 end":               "Barge and Rock have no field or method team: look at other.class first",
		"if other and other:is('Rock') then self.n = other.mm end":                                 "Rock has no field or method mm: look at other.class first",
		"for _, o in ipairs(overlapCircle(0, 0, 50)) do if o ~= self then self.n = o.team end end": "look at o.class first",
		"if other and other.class ~= 'Gate' then self.n = other.team + other.n end":                "Barge and Rock have no field or method team: look at other.class first",
	} {
		game := trialGame(t, map[string]string{
			"game.toml": "name = \"small\"\n[[spawn]]\nclass = \"Gate\"\n[[spawn]]\nclass = \"Rock\"\nx = 1\n[[spawn]]\nclass = \"Gate\"\nx = 30\n[[spawn]]\nclass = \"Barge\"\nx = 31\n",
			"things.lua": `
Gate = object "Gate" { state = { n = 0 }, body = { shape = { circle = 1 } } }
function Gate:onContact(other) ` + body + ` end
Rock = object "Rock" { state = { n = 0 }, body = { shape = { circle = 1 } } }
Barge = object "Barge" { state = { n = 0 }, body = { shape = { circle = 1 } } }
Tug = object "Tug" { state = { team = 1 }, body = { shape = { circle = 1 } } }`,
		})
		var said []string
		for _, e := range Try(game, TrialOptions{}).Errors {
			said = append(said, e.Message)
		}
		if len(said) != 1 || !strings.Contains(said[0], want) {
			t.Errorf("%s: %q, want %q", body, said, want)
		}
	}
}

// TestTrialSaysOneLineOnce: a field that is given the id of an object, and nil where the object has none, is one mistake.
func TestTrialSaysOneLineOnce(t *testing.T) {
	game := trialGame(t, map[string]string{
		"game.toml": "name = \"small\"\n",
		"things.lua": `
Tug = object "Tug" { state = { rival = ref() }, body = { shape = { circle = 1 } } }
function Tug:onSpawn(args) self.rival = args.rival.id end`,
		"game.lua": `function onJoin(p) spawn("Tug", { rival = objects("Tug")[1] }) end`,
	})
	var said []string
	for _, e := range Try(game, TrialOptions{}).Errors {
		said = append(said, e.Error())
	}
	if len(said) != 1 || !strings.Contains(said[0], "cannot hold a string") {
		t.Errorf("%q", said)
	}
}
