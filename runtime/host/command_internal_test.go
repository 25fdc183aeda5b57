package host

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/hindcast/hindcast/world"
)

// commandsOfTests are functions of which kick and vote are commands.
var commandsOfTests = world.Functions{
	{Name: "kick", Params: []world.FieldKind{world.Number, world.Number}, Command: true},
	{Name: "reset", Params: []world.FieldKind{world.Number}},
	{Name: "vote", Params: []world.FieldKind{world.Number, world.String, world.Bool, world.String}, Command: true},
}

func TestCommandsAreRead(t *testing.T) {
	for line, want := range map[string]string{
		"/kick 3":                    "kick 7 3",
		"/kick   -2.5e1  ":           "kick 7 -25",
		"/vote map true  old bridge": `vote 7 "map" true "old bridge"`,
		"/help":                      "there are /kick number and /vote string bool string",
		"/reset 1":                   "no such function: /reset; there are /kick number and /vote string bool string",
		"/":                          "no such function: /; there are /kick number and /vote string bool string",
		"/kick":                      `bad value: write /kick number; a number is missing`,
		"/kick 1 2":                  `bad value: write /kick number, without "2"`,
		"/kick inf":                  `bad value: write /kick number; "inf" is not a number`,
		"/vote a b c":                `bad value: write /vote string bool string; "b" is not a bool`,
		"/vote a true":               `bad value: write /vote string bool string; a string is missing`,
	} {
		name, args, err := readCommand(commandsOfTests, 7, line)
		got := name
		for _, a := range args {
			got += " " + a.Value.String()
		}
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%q is %s, want %s", line, got, want)
		}
	}
	if _, _, err := readCommand(nil, 7, "/help"); err == nil || err.Error() != "this game has no commands" {
		t.Error(err)
	}
}

// FuzzCommand: what is read from a line fits the function, and only declared commands are read.
func FuzzCommand(f *testing.F) {
	for _, line := range []string{"/kick 3", "/vote a true b c", "/help", "/reset 1", "/vote \t true \x00"} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		if !isCommand(line) {
			return
		}
		name, args, err := readCommand(commandsOfTests, 7, line)
		if err != nil {
			if errors.Is(err, world.ErrNoFunction) || errors.Is(err, world.ErrValue) || strings.HasPrefix(line, "/help") {
				return
			}
			t.Fatal(err)
		}
		for i := range commandsOfTests {
			c := &commandsOfTests[i]
			if c.Name != name {
				continue
			}
			if !c.Command || len(args) != len(c.Params) || args[0].Value.Word != math.Float64bits(7) {
				t.Fatalf("%q is %s %v", line, name, args)
			}
			for j, kind := range c.Params {
				if args[j].Value.Kind != kind || kind == world.Number && math.IsNaN(math.Float64frombits(args[j].Value.Word)) {
					t.Fatalf("%q: argument %d is %v", line, j, args[j])
				}
			}
			return
		}
		t.Fatalf("%q calls %q", line, name)
	})
}
