package lint

import (
	"regexp"
	"strings"

	"github.com/hindcast/hindcast/luabind/internal/api"
	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/hindcast/hindcast/world"
)

// noMethods is what is said of a method of a class in view.lua.
const noMethods = "classes and their hooks are written in other files"

// explained are messages of the loader that mean something else where a line is written in a certain way. $1 and so on
// are what the line matches; an empty message stays.
var explained = []struct {
	message, line *regexp.Regexp
	says, hint    string
}{
	{regexp.MustCompile(`^the world does not exist yet|^attempt to index a (function|nil) value`),
		regexp.MustCompile(`^\s*function\s+(game|player)\s*[.:]\s*(\w+)\s*\(`),
		"$1 has no functions", "the hooks of game.lua are global functions: write function $2(...)"},
	{regexp.MustCompile(`^[A-Z]\w* is not defined`), regexp.MustCompile(`^\s*function\s+([A-Z]\w*)\s*[.:]\s*\w+\s*\(`), "", noMethods},
	{regexp.MustCompile(`^onJoin|^onLeave|^onStart|^tick|^migrate`), regexp.MustCompile(`^\s*(?:local\s+)?function\s+(\w+)\s*\(`),
		"", "write it in game.lua, or a method of the class: function Class:$1(...)"},
	{regexp.MustCompile(`^attempt to `),
		regexp.MustCompile(`^\s*(?:local\s+)?(\w+)\s*=\s*(\w+)\s*[:.]\s*(?:extend|Extend|derive|inherit|subclass|new_class)\b`),
		"$2 has no function that makes a class of it", "write $1 = object \"$1\" { extends = $2 }"},
	{regexp.MustCompile(` can be called only in `), regexp.MustCompile(`\bhud\s*\(?\s*(\w+)\s*[{(]`),
		"", "hud takes a function: hud(function(v) $1 { ... } end)"},
	{regexp.MustCompile(`^attempt to call something that is not a function`), regexp.MustCompile(`=\s*string\s*\(\s*(\d*)\s*\)`),
		"string is a table of functions, and cannot be called", "a text in state is declared with its length: str($1)"},
	{regexp.MustCompile(`^v is not defined`), regexp.MustCompile(`^camera\s*\(?\s*\{`),
		"", "camera takes a function: camera(function(v) return { ... } end)"},
	{regexp.MustCompile(` is not defined`),
		regexp.MustCompile(`\brequire\s*\(\s*([A-Za-z_]\w*(?:\.\w+)*)\s*\)`),
		"", "require takes a text, such as require(\"lib.util\") for the file lib/util.lua"},
}

// rxBadBody matches the message about a value in body that is out of its range.
var rxBadBody = regexp.MustCompile(`^\w+\.body: bad body definition: ([\w ]+) = `)

// rxSensor matches the declaration of a body that is a sensor.
var rxSensor = regexp.MustCompile(`\bsensor\s*=\s*true`)

// rxNilField matches the message about a member of a table that is nil.
var rxNilField = regexp.MustCompile(`^attempt to (?:index|call) a nil value \(field '(\w+)'\)`)

// keyBelow returns the first line of a declaration, from a line on, that gives a key a value; 0: there is none before the
// declaration ends.
func keyBelow(lines []string, from int, key string) int {
	gives := regexp.MustCompile(`\b` + key + `\s*=`)
	for i := from - 1; i < len(lines); i++ {
		switch {
		case gives.MatchString(lines[i]):
			return i + 1
		case i >= from && strings.HasPrefix(lines[i], "}"):
			return 0
		}
	}
	return 0
}

// rxUsedBoolean matches the messages of the interpreter about true in a variable, as require gives it for a file that
// returns nothing.
var rxUsedBoolean = regexp.MustCompile(`^attempt to (?:index|call) a boolean value \((?:local|upvalue|global) '(\w+)'\)(?: with key '(\w+)')?`)

// explainNothing says of a file that cannot use what require gave it that the required file returns nothing.
func explainNothing(found []Finding, files []world.Source) {
	for i := range found {
		f := &found[i]
		m := rxUsedBoolean.FindStringSubmatch(f.Message)
		if m == nil {
			continue
		}
		required := regexp.MustCompile(`(?m)^\s*(?:local\s+)?` + m[1] + `\s*=\s*require\s*\(?\s*["']([^"']+)["']`)
		r := required.FindAllStringSubmatch(textOf(files, f.File), -1)
		if len(r) != 1 {
			continue
		}
		file, ok := syntax.ModuleFile(r[0][1], names(files))
		if !ok || rxReturn.MatchString(textOf(files, file)) {
			continue
		}
		what := "cannot be called"
		if m[2] != "" {
			what = "has no member " + m[2]
		}
		f.Message, f.Hint = file+" returns nothing, and "+what, "end "+file+" with return and its table"
	}
}

// rxReturn matches a return that may be one of the file, and not of a function in it.
var rxReturn = regexp.MustCompile(`(?m)^(?:do\s+)?return\b`)

// explainLines says of messages of the loader what the line that they are about means.
func explainLines(found []Finding, files []world.Source) {
	for i := range found {
		f := &found[i]
		if f.File == api.ViewFile && strings.HasPrefix(f.Message, "the world does not exist yet") {
			f.Message, f.Hint = "view.lua cannot reach the world", "call it in a hook of another file; the functions of hud and camera are given v"
		}
		lines := strings.Split(textOf(files, f.File), "\n")
		if f.Line < 1 || f.Line > len(lines) {
			continue
		}
		if m := rxBadBody.FindStringSubmatch(f.Message); m != nil {
			key := strings.ReplaceAll(m[1], " ", "_")
			if line := keyBelow(lines, f.Line, key); line > 0 {
				f.Line, f.Column = line, columnOf(textOf(files, f.File), line, key)
			}
		}
		if m := rxNilField.FindStringSubmatch(f.Message); m != nil && !strings.HasPrefix(f.Hint, "spawn(") {
			f.Hint = or(or(api.ForeignHook(m[1]), or(membersElsewhere[m[1]], api.ForeignMember(m[1]))), f.Hint)
			if strings.HasPrefix(f.Hint, "onContact(") && rxSensor.MatchString(textOf(files, f.File)) {
				f.Hint = "the body is a sensor: onTrigger(self, other) runs when another body enters it"
			}
		}
		for _, e := range explained {
			m := e.line.FindStringSubmatchIndex(lines[f.Line-1])
			if m == nil || !e.message.MatchString(f.Message) || e.hint == noMethods && f.File != api.ViewFile ||
				strings.HasPrefix(e.hint, "write it in game.lua") && !strings.Contains(f.Message, "is a hook of game.lua when") {
				continue
			}
			if f.Message, _, _ = strings.Cut(f.Message, "; "); e.says != "" {
				f.Message = string(e.line.ExpandString(nil, e.says, lines[f.Line-1], m))
			}
			f.Hint = string(e.line.ExpandString(nil, e.hint, lines[f.Line-1], m))
		}
	}
}
