package lint

import (
	"strings"
	"testing"
)

// TestOverloads: an operand that may be a table with a metamethod computes with anything. What is known not to be such a
// table does not, and the metamethod is that of the operator.
func TestOverloads(t *testing.T) {
	const set = " local Set = {} Set.__add = function(a, b) return a end local s = setmetatable({}, Set)"
	for body, want := range map[string]string{
		set + " print(s + 'c', 'c' + s, s + nil, true + s, s + self)": "",
		set + " print(s - 'c')":          `ship.lua:9:100: "c" is a string, which - cannot take; use a number`,
		set + " print(1 + 'c')":          `ship.lua:9:100: "c" is a string, which + cannot take; write .. to join texts`,
		set + " print(self.fuel + true)": "ship.lua:9:107: this is true or false, which + cannot take; write (this and 1 or 0)",
		set + " print(self.fuel + nil)":  "ship.lua:9:107: this is nil, which + cannot take; use a number",
		set + " print(({}) + false)":     "ship.lua:9:14: this is a table, which + cannot take; use a number",
		set + " print(s .. true)":        "ship.lua:9:100: this is true or false, which .. cannot take; write tostring(...) around it",
		"print(('__' .. 'add'):len()) local s = scores[1].x print(s * 'y')": "",
		"local s = scores[1].x print(s * 'y')":                              `ship.lua:9:34: "y" is a string, which * cannot take; write ("y"):rep(n) to repeat it`,
	} {
		var got []string
		for _, f := range Check(bundle("ship.lua", strings.Replace(mistakes, "%s", body, 1)), testSetup) {
			got = append(got, f.String())
		}
		if all := strings.Join(got, "\n"); all != want {
			t.Errorf("%s:\ngot  %q\nwant %q", body, all, want)
		}
	}
}
