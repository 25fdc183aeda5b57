package luabind

import (
	"strings"
	"testing"

	"github.com/hindcast/hindcast/world"
)

// TestLongTexts: a hook makes long strings. Each of its instructions then costs more, and the next hook is as before.
func TestLongTexts(t *testing.T) {
	loop := ` for i = 1, 100 do local x = i end`
	s := start(t, "a.lua", `
local licence = ("l"):rep(2048)
X = object "X" { state = { n = 0 } }
function X:tick() local s = ("x"):rep(1024)`+loop+` end
function X:applyInput() local s = ("x"):rep(1025)`+loop+` end
function X:think() for i = 1, 65536 do local s = ("x"):rep(65536) pcall(error, "b") end end
function X:onRemove() local s = ("x"):rep(65536) while true do end end`)
	slot := s.spawn("X")
	var spent [2]int
	for i, h := range []world.Hook{world.OnTick, world.ApplyInput} {
		for range 2 {
			if err := s.call(h, slot, world.Args{}); err != nil {
				t.Fatal(err)
			}
			spent[i] = s.vm.Instructions()
		}
	}
	if spent[1] < 5*spent[0]/2 || spent[1] > 3*spent[0] {
		t.Errorf("a short string: %d instructions, a long one: %d", spent[0], spent[1])
	}
	for h, want := range map[world.Hook]string{
		world.Think: "budget of 1024 KiB of memory, almost all of it in line 6; tables, strings and functions count, and those that " +
			"it has dropped too; join strings with table.concat, and make fewer tables and functions; is there",
		world.OnRemove: "budget of 100000 instructions, almost all of it in line 7; it has a string of 65536 bytes, so each instruction takes 129 from " +
			"the budget: make long strings last, with table.concat; is there",
	} {
		if err := s.call(h, slot, world.Args{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v does not say %q", err, want)
		}
	}
}

// TestKeptTexts: a string that the files keep raises the prices of all hooks if it is long, and cannot be any length.
func TestKeptTexts(t *testing.T) {
	spent := func(kept string) int {
		s := start(t, "a.lua", `local kept = { `+kept+` }
X = object "X" {} function X:tick() for i = 1, 100 do local x = kept end end`)
		if err := s.call(world.OnTick, s.spawn("X"), world.Args{}); err != nil {
			t.Fatal(err)
		}
		return s.vm.Instructions()
	}
	short := spent(`("x"):rep(2048)`)
	for _, long := range []string{`("x"):rep(2049)`, `[("x"):rep(2049)] = 1`, `"` + strings.Repeat("x", 2049) + `"`,
		`{ function() return ("x"):rep(1, 2) end, m = ("x"):rep(2049) }`} {
		if n := spent(long); n != 5*short {
			t.Errorf("%d instructions, and %d for a long string", short, n)
		}
	}
	for text, want := range map[string]string{
		`local t = { ("x"):rep(8193) } function f() return t end`:    "a.lua:1: the files keep a string of 8193 bytes in a table or a variable: at most 8192",
		"\nt = { ('x'):rep(8193) }":                                  "a.lua:2: the files keep a string of 8193 bytes",
		"\n\nlocal t = ('x'):rep(8193)\nfunction f()\n return t end": "a.lua:4: the files keep a string of 8193 bytes",
		"\nA = object 'A' {}\nA.t = ('x'):rep(8193)":                 "a.lua:2: the files keep a string of 8193 bytes",
		`t = { "` + strings.Repeat("x", 8193) + `" }`:                "at most 8192 are written out",
		`local t = #("x"):rep(65536)`:                                "",
	} {
		_, err := NewProgram(bundle("a.lua", text), testSetup)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%v does not say %q", err, want)
		}
	}
}

// TestWrittenOutTexts: a function pays for a long string that is written out in it.
func TestWrittenOutTexts(t *testing.T) {
	s := start(t, "a.lua", `X = object "X" { state = { n = 0 } }
function X:tick() local s = "`+strings.Repeat("x", 8000)+`" self.n = #s for i = 1, 10000 do local x = s == i end end`)
	slot := s.spawn("X")
	if err := s.call(world.OnTick, slot, world.Args{}); err == nil || s.field(slot, "n") != 8000 ||
		!strings.Contains(err.Error(), "a string of 8000 bytes") {
		t.Error(err)
	}
}

// TestLongErrors: the message of an error is cut, the value that pcall returns is not.
func TestLongErrors(t *testing.T) {
	lines, err := run(t, `local ok, e = pcall(error, ("é"):rep(5000), 0) print(ok, #e) error(("é"):rep(5000), 0)`)
	if strings.Join(lines, "\n") != "false\t10000" {
		t.Errorf("%q", lines)
	}
	if e := scriptErrors(t, err)[0]; len(e.Message) != maxMessage+len("...") {
		t.Errorf("a message of %d bytes", len(e.Message))
	}
	if _, err = run(t, `error(("x"):rep(65536))`); err == nil || !strings.Contains(err.Error(), "at most 65536") {
		t.Error(err)
	}
	if _, err = run(t, `("x"):find("["..("x"):rep(1023))`); err == nil || !strings.Contains(err.Error(), "]") {
		t.Error(err)
	}
	if _, err = run(t, `("x"):find("["..("x"):rep(1024))`); err == nil ||
		!strings.Contains(err.Error(), "a pattern of 1025 bytes: at most 1024") {
		t.Error(err)
	}
}
