package luabind

import (
	"strings"
	"testing"
)

func TestLooksNameFields(t *testing.T) {
	prog, err := NewProgram(bundle("a.lua", `A = object "A" { state = { hp = { "number", min = 0, max = 9 }, name = str(8), on = true },
		look = { label = "{name}: {hp} {on}", bar = "hp" } }`), testSetup)
	if err != nil {
		t.Fatal(err)
	}
	i, _ := prog.Schema().ClassByName("A")
	var parts []string
	look := prog.Schema().Classes[i].Look
	look.LabelParts(func(text, field string) { parts = append(parts, text+"|"+field) })
	if got := strings.Join(parts, " "); got != "|name : |hp  |on |" || look.Bar != "hp" || !look.Changes() {
		t.Errorf("%q, %+v", got, look)
	}
	for source, want := range map[string]string{
		`object "A" { state = { hp = 5 }, look = { label = "{hpp}" } }`:                                                  `a.lua:1: A.look.label: there is no field hpp; there are hp`,
		`object "A" { state = { hp = 5 }, look = { color = "{hp}" } }`:                                                   `a.lua:1: A.look.color: {hp} is not a string: declare it as hp = str(16)`,
		`object "A" { state = { bag = list("number", 3), at = record { x = 1 } }, look = { label = "{bag}" } }`:          `A.look.label: bag is a list or a record, of which nothing is shown there`,
		`object "A" { state = { bag = list("number", 3), at = record { x = 1 }, hp = 1 }, look = { label = "{bags}" } }`: `A.look.label: there is no field bags; there are hp`,
		`object "A" { look = { shape = "{hp}" } }`:                                                                       `A.look.shape: there is no field hp; it has no fields`,
		`object "A" { state = { hp = { "number", default = 9, min = 0, max = 3 } }, look = { bar = "hp" } }`:             `a.lua:1: A.state.hp: the default must be within the range of 0 to 3, and is 9`,
		`object "A" { look = { label = "{hp}" } }`:                                                                       `A.look.label: there is no field hp; it has no fields`,
		`object "A" { state = { at = ref() }, look = { label = "{at}" } }`:                                               `A.look.label: {at} is not a number, string or boolean`,
		`object "A" { state = { hp = 5 }, look = { bar = "hp" } }`:                                                       `A.look.bar: hp is not a number with a range: declare it as hp = { "number", min = 0, max = 100 }`,
		`object "A" { look = { bar = 5 } }`:                                                                              `A.look.bar is a number, not a string`,
	} {
		if _, err := NewProgram(bundle("a.lua", source), testSetup); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", source, err)
		}
	}
	if _, err = NewProgram(bundle("a.lua", `object "A" { look = { label = "a { b } c {" } }`), testSetup); err == nil {
		t.Error("a label with a field named ' b ' compiles")
	}
	if _, err = NewProgram(bundle("a.lua", `object "A" { look = { label = "plain { words" } }`), testSetup); err != nil {
		t.Error(err)
	}
}
