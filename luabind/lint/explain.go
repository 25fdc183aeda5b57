package lint

import (
	"regexp"
	"strings"

	"github.com/hindcast/hindcast/world"
)

// explained are messages of the loader that mean something else where a line is written in a certain way. $1 and so on
// are what the line matches; an empty message stays.
var explained = []struct {
	message, line *regexp.Regexp
	says, hint    string
}{
	{regexp.MustCompile(`^the world does not exist yet|^attempt to index a (function|nil) value`),
		regexp.MustCompile(`^\s*function\s+(game|player)\s*[.:]\s*(\w+)\s*\(`),
		"$1 has no functions", "the hooks of game.lua are global functions: write function $2(...)"},
	{regexp.MustCompile(`^attempt to `),
		regexp.MustCompile(`^\s*(?:local\s+)?(\w+)\s*=\s*(\w+)\s*[:.]\s*(?:extend|Extend|derive|inherit|subclass|new_class)\b`),
		"$2 has no function that makes a class of it", "write $1 = object \"$1\" { extends = $2 }"},
	{regexp.MustCompile(` is not defined`),
		regexp.MustCompile(`\brequire\s*\(\s*([A-Za-z_]\w*(?:\.\w+)*)\s*\)`),
		"", "require takes a text, such as require(\"lib.util\") for the file lib/util.lua"},
}

// explainLines says of messages of the loader what the line that they are about means.
func explainLines(found []Finding, files []world.Source) {
	for i := range found {
		f := &found[i]
		lines := strings.Split(textOf(files, f.File), "\n")
		if f.Line < 1 || f.Line > len(lines) {
			continue
		}
		for _, e := range explained {
			m := e.line.FindStringSubmatchIndex(lines[f.Line-1])
			if m == nil || !e.message.MatchString(f.Message) {
				continue
			}
			if f.Message, _, _ = strings.Cut(f.Message, "; "); e.says != "" {
				f.Message = string(e.line.ExpandString(nil, e.says, lines[f.Line-1], m))
			}
			f.Hint = string(e.line.ExpandString(nil, e.hint, lines[f.Line-1], m))
		}
	}
}
