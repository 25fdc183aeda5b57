package lint

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/hindcast/hindcast/luabind/internal/api"
	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/hindcast/hindcast/world"
)

// undefined is a name that nothing defines, in a line of a file.
type undefined struct {
	name  string
	file  world.Source
	lines []string // of the file
	at    int      // of the line, from 0
	files []world.Source
}

// explainUndefined says of names that are not defined what they are elsewhere: local variables of other lines or files,
// files that are not required, methods of objects, and parameters that a function is given and does not take.
func explainUndefined(found []Finding, files []world.Source) {
	for i := range found {
		f := &found[i]
		name, rest, isUndefined := strings.Cut(f.Message, " is not defined")
		if !isUndefined || strings.ContainsAny(name, " ") || strings.HasPrefix(f.Hint, "require takes a text") {
			continue
		}
		u := &undefined{name: name, files: files, at: f.Line - 1}

		for _, file := range files {
			if file.Name == f.File {
				u.file, u.lines = file, strings.Split(file.Text, "\n")
			}
		}
		if u.at < 0 || u.at >= len(u.lines) || u.notTaken(f) || u.unreturned(f) {
			continue
		}
		hints := []string{u.asText(), u.localBelow(), u.localElsewhere(), u.required(), u.method(), u.member()}
		if api.Instead(name, nil, "") != "" && api.Elsewhere(name) == "" {
			hints = []string{u.member()} // nothing else is called so
		} else if rest == "" && strings.HasPrefix(f.Hint, "declare it as a local") || f.Hint != "" && f.Hint == api.Elsewhere(name) || rxUndefinedClass.MatchString(f.Message) {
			hints = append(hints, u.near(), u.called())
		}
		for _, hint := range hints {
			if hint != "" {
				f.Message, f.Hint = strings.TrimSuffix(f.Message, rest), hint
				break
			}
		}
	}
}

// rxTextual are places in which a text stands, with what is said of a name without quotes.
var rxTextual = []struct {
	line *regexp.Regexp
	hint string
}{
	{regexp.MustCompile(`\bcue\s*\(\s*(\w+)\s*[,)]`), `the name of a cue is a text: cue("$1")`},
	{regexp.MustCompile(`\b(?:spawn|objects)\s*\(\s*(\w+)\s*[,)]`), `the name of a class is a text: "$1"`},
	{regexp.MustCompile(`\blabel\s*=\s*(\w+)`), `a label is a text, in which {$1} stands for the value of a field: label = "{$1}"`},
	{regexp.MustCompile(`\b(?:bar|shape|color|layer|image|type)\s*=\s*(\w+)`), `it is a text: "$1"`},
	{regexp.MustCompile(`\b([fr])["']`), `there are no texts with values in them: write "hp: " .. self.hp, or string.format("hp: %d", self.hp)`},
}

// asText explains a name that is written where a text is meant.
func (u *undefined) asText() string {
	for _, t := range rxTextual {
		for _, m := range t.line.FindAllStringSubmatchIndex(u.lines[u.at], -1) {
			if line := u.lines[u.at]; line[m[2]:m[3]] == u.name {
				return string(t.line.ExpandString(nil, t.hint, line, m))
			}
		}
	}
	return ""
}

// declaration returns what matches a line that declares a local variable with the name.
func (u *undefined) declaration() *regexp.Regexp {
	return regexp.MustCompile(`^(\s*)local\s+(function\s+)?(?:[\w\s]+,\s*)?` + regexp.QuoteMeta(u.name) + `\b`)
}

// localBelow explains a name that a line below declares as local.
func (u *undefined) localBelow() string {
	declares, elsewhere := u.declaration(), ""
	for i, line := range u.lines {
		m := declares.FindStringSubmatch(line)
		switch {
		case m == nil:
		case i > u.at && m[1] == "" && m[2] != "":
			return fmt.Sprintf("it is a local function, known only below line %d: move it above, or leave out local", i+1)
		case i > u.at && m[1] == "":
			return fmt.Sprintf("it is a local variable, known only below line %d: move that above", i+1)
		case i < u.at && m[1] != "" && u.ended(i):
			elsewhere = fmt.Sprintf("it is a local variable of another function, in line %d: declare it here, too, or pass it on", i+1)
		case i < u.at && m[1] != "":
			return fmt.Sprintf("it is a local variable of the block of line %d, and known only there: declare it before that block", i+1)
		}
	}
	return elsewhere
}

// rxOuter matches a line that begins or ends a function of the file.
var rxOuter = regexp.MustCompile(`^(?:end\b|(?:local\s+)?function\b|(?:local\s+)?[\w.]+\s*=\s*function\b)`)

// ended reports whether the function in which a line stands ends before the name is used.
func (u *undefined) ended(line int) bool {
	for _, l := range u.lines[line+1 : u.at+1] {
		if rxOuter.MatchString(l) {
			return true
		}
	}
	return false
}

// localElsewhere explains a name that another file declares as local.
func (u *undefined) localElsewhere() string {
	declares := u.declaration()
	for _, f := range u.files {
		if f.Name == u.file.Name || f.Name == api.ViewFile || syntax.IsModule(f.Name) {
			continue
		}
		for i, line := range strings.Split(f.Text, "\n") {
			if m := declares.FindStringSubmatch(line); m != nil && m[1] == "" {
				if strings.Contains(line, "require") {
					return "write " + strings.TrimSpace(line) + " in this file, too"
				}
				return fmt.Sprintf("%s:%d declares it as local: leave out local there, so that other files know it", f.Name, i+1)
			}
		}
	}
	return ""
}

// required explains a name that is that of a file in a subfolder.
func (u *undefined) required() string {
	for _, f := range u.files {
		if base := f.Name[strings.LastIndex(f.Name, "/")+1:]; syntax.IsModule(f.Name) && strings.EqualFold(base, u.name+".lua") {
			return fmt.Sprintf("write local %s = require(%q)", u.name, syntax.ModuleName(f.Name))
		}
	}
	return ""
}

// method explains a name that is that of a method of all objects, and is called.
func (u *undefined) method() string {
	if library.Method(u.name) == nil || !regexp.MustCompile(`\b`+u.name+`\s*\(`).MatchString(u.lines[u.at]) {
		return ""
	}
	return "it is a method of objects: self:" + u.name + "(...)"
}

// What functions look like that lack the parameter which they are given.
var (
	rxDottedHook = regexp.MustCompile(`^\s*function\s+(\w+)\.(\w+)\s*\(([^)]*)\)`)
	rxShows      = regexp.MustCompile(`\b(hud|camera|onCue|onCueMoved|onCueCancelled)\s*\(.*\bfunction\s*\(([^)]*)\)`)
	rxFunction   = regexp.MustCompile(`\bfunction\b`)
)

// notTaken moves the finding about a name that a function is given, and does not take, to the line of that function.
func (u *undefined) notTaken(f *Finding) bool {
	isParam := u.name == "self" || u.file.Name == api.ViewFile && (u.name == "v" || u.name == "c")
	at := u.at
	for at > 0 && isParam && !rxFunction.MatchString(u.lines[at]) {
		if at--; strings.HasPrefix(u.lines[at], "end") || !strings.HasPrefix(u.lines[at+1], " ") && !strings.HasPrefix(u.lines[at+1], "\t") {
			return false // what is above has ended
		}
	}
	if m := rxDottedHook.FindStringSubmatch(u.lines[at]); m != nil && u.name == "self" {
		f.Message = fmt.Sprintf("%s.%s is written with a dot, and so without self", m[1], m[2])
		f.Hint = fmt.Sprintf("write function %s:%s(%s)", m[1], m[2], m[3])
		f.Line, f.Column = at+1, columnOf(u.file.Text, at+1, m[2])
		return true
	}
	m := rxShows.FindStringSubmatch(u.lines[at])
	if m == nil || !isParam || u.name == "self" || (u.name == "v") != (m[1] == "hud" || m[1] == "camera") {
		return false
	}
	f.Message = fmt.Sprintf("%s is not defined", u.name)
	f.Hint = fmt.Sprintf("the function of %s is given it: function(%s) ... end", m[1], u.name)
	f.Line, f.Column = at+1, columnOf(u.file.Text, at+1, "function")
	return true
}

// What a table on a line of its own looks like, and what gives a variable the result of a call, which is then called with
// that table.
var (
	rxAlone = regexp.MustCompile(`^\s*\{.*\}\s*$`)
	rxMade  = regexp.MustCompile(`^\s*local\s+([\w\s,]+?)\s*=.*\)\s*$`)
)

// unreturned explains a name in a table that stands on a line of its own at the end of a function, behind a call: it is
// part of that statement, which declares the name.
func (u *undefined) unreturned(f *Finding) bool {
	if u.at == 0 || u.at+1 >= len(u.lines) || !rxAlone.MatchString(u.lines[u.at]) || !strings.HasPrefix(strings.TrimSpace(u.lines[u.at+1]), "end") {
		return false
	}
	m := rxMade.FindStringSubmatch(u.lines[u.at-1])
	if m == nil || !slices.Contains(strings.FieldsFunc(m[1], func(r rune) bool { return r == ',' || r == ' ' || r == '\t' }), u.name) {
		return false
	}
	f.Message = fmt.Sprintf("what line %d calls is called again with the table of line %d", u.at, u.at+1)
	f.Hint, f.Column = "write return { ... }", columnOf(u.file.Text, u.at+1, "{")
	return true
}
