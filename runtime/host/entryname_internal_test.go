package host

import (
	"testing"

	"github.com/hindcast/hindcast/world"
)

// TestNameIsInTheLastArgument tests entry forms of functions that a Script in Go declares with other parameters than Lua
// does.
func TestNameIsInTheLastArgument(t *testing.T) {
	number, word := world.NamedValue{Value: world.NumberValue(1)}, func(s string) world.NamedValue { return world.NamedValue{Value: world.TextValue(s)} }
	for _, c := range []struct {
		values []world.NamedValue
		name   string
		others string
	}{
		{nil, "", ""},
		{[]world.NamedValue{number}, "", ""},
		{[]world.NamedValue{number, word("kit=Tank name=Ada")}, "Ada", "kit=Tank"},
		{[]world.NamedValue{number, word("name=Eve"), word("name=Ada Lovelace")}, "Ada Lovelace", "-"},
		{[]world.NamedValue{number, word("name=Eve"), number}, "", ""},
	} {
		fs := world.Functions{{Name: "enter", Command: true, Entry: &world.EntryForm{Name: true}}}
		e := world.Event{Kind: world.CallEvent, Name: "enter", Values: c.values}
		if got := splitName(fs, &e); got != c.name {
			t.Errorf("%v: the name is %q, want %q", c.values, got, c.name)
		}
		if n := len(e.Values); n > 0 && e.Values[n-1].Text != c.others {
			t.Errorf("the other answers are %q, want %q", e.Values[n-1].Text, c.others)
		}
	}
	if got := usage(&world.Function{Name: "enter", Command: true}); got != "/enter" {
		t.Errorf("a command without parameters is written %q", got)
	}
}
