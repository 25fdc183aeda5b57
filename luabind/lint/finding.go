package lint

import (
	"cmp"
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hindcast/hindcast/luabind/internal/api"
	"github.com/hindcast/hindcast/luabind/internal/ident"
	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/hindcast/hindcast/world"
)

// Finding is one thing that is wrong with the scripts of a game, or likely to
// be.
type Finding struct {
	File    string // of the script
	Line    int    // from 1
	Column  int    // from 1, in characters
	Message string // the problem
	Hint    string // what to do about it
	Parse   bool   // the file does not parse: such findings come first
	Stops   bool   // the scripts do not load because of it: such findings come next

	about topic  // what it is about, so that one cause gives one finding; see oncePerTopic
	used  string // where what stands at the place is used; empty: there
}

// AboutSettings reports whether a finding says that game.toml lacks something. It says nothing if that file cannot be
// read.
func (f Finding) AboutSettings() bool { return f.about.sort == aLevel }

// String returns FILE:LINE:COL: message; hint.
func (f Finding) String() string {
	s := fmt.Sprintf("%s:%d:%d: %s", f.File, f.Line, f.Column, f.Message)
	if f.Hint != "" {
		s += "; " + f.Hint
	}
	return s
}

// compacted drops what both the compiler and the linter found, but for the first of each in a sorted list.
func compacted(found []Finding) []Finding {
	type said struct {
		file    string
		line    int
		message string
	}
	before := map[said]bool{}
	return slices.DeleteFunc(found, func(f Finding) bool {
		key := said{f.File, f.Line, f.Message}
		again := before[key]
		before[key] = true
		return again
	})
}

// causes drops what may follow from a class that is missing: it may have the members that no other class has.
func causes(found []Finding) []Finding {
	found = oncePerTopic(oncePerPlace(withoutLibrary(found)))
	if slices.ContainsFunc(found, func(f Finding) bool { return strings.HasPrefix(f.Message, "goto is ") }) {
		found = slices.DeleteFunc(found, func(f Finding) bool { return strings.HasPrefix(f.Message, "labels are ") })
	}
	found = withoutBases(withoutShapeless(withoutFollowing(found)))
	if !slices.ContainsFunc(found, func(f Finding) bool { return strings.Contains(f.Message, noClass) }) {
		return found
	}
	return slices.DeleteFunc(found, func(f Finding) bool { return strings.HasPrefix(f.Message, noMember) })
}

// following are messages that follow from others in the same file. $1 and $2 in what follows are what the cause names.
var following = []struct {
	cause *regexp.Regexp
	then  string // what begins with it follows
}{
	{regexp.MustCompile(`^(\w+): unknown key inputs\b`), "$1: unknown key controls."},
	{regexp.MustCompile(`^(\w+)\.input\.(\w+): `), "$1: unknown key controls.$2"},
	{regexp.MustCompile(`^(\w+): unknown key body\.(?:circle|box|polygon)\b`), "$1.body.shape must be one of "},
	{regexp.MustCompile(`^(\w+)\.input\.\d+: `), "$1: unknown key controls."},
	{regexp.MustCompile(`^(\w+) has no field or method (\w+)`), "$1 has no method $2"},
	{regexp.MustCompile(`^object takes 1 argument`), "attempt to index a function value"},
	{regexp.MustCompile(`^game\.calls\.(\w+): parameter `), "$1 has "},
	{regexp.MustCompile(`^(\w+)\.ticking = "independent" needs a function `), "$1 ticks independently: "},
	{regexp.MustCompile(`^(\w+)\.controls\.(\w+): "[^"]+" is not a key or button`), "$1.controls.$2 = "},
	{regexp.MustCompile(`^(\w+)\.controls\.(\w+): there is not a key or button `), "$1: unknown key controls.$2"},
	{regexp.MustCompile(`^(\w+)\.body\.shape must be one of `), "$1: unknown key body.radius"},
	{regexp.MustCompile(`^(\w+)\.body\.shape must be one of `), "$1: unknown key body.width"},
	{regexp.MustCompile(`^(\w+)\.body\.shape must be one of `), "$1: unknown key body.height"},
	{regexp.MustCompile(`^(\w+)\.body\.shape must be one of `), "$1: unknown key body.size"},
	{regexp.MustCompile(`^(\w+)\.body\.shape must be one of `), "$1: unknown key body.r;"},
	{regexp.MustCompile(`^(\w+)\.controls: the input comes first`), "$1: unknown key controls."},
	{regexp.MustCompile(`^(game|player): unknown key \w+`), "$1: unknown key "},
	{regexp.MustCompile(`^([\w.]+) (?:is not defined|does not exist)`), foreignNames},
	{regexp.MustCompile(`^(?:hud|camera): \w+ must be a function`), afterThat},
	{regexp.MustCompile(`^new is not defined`), ""},
	{regexp.MustCompile(`^v is not defined`), "camera: look must be "},
	{regexp.MustCompile(`^object\("(\w+)"\) declares nothing`), "attempt to index a function value"},
}

// rxBody matches the message about a key of a body, and rxShapeless that about a body whose shape is not known.
var (
	rxBody      = regexp.MustCompile(`^\w+(?:: unknown key body|\.body)\.\w+`)
	rxShapeless = regexp.MustCompile(`^\w+\.body: bad body definition: shape 1: bad shape: radius = 0:`)
)

// withoutShapeless drops what follows from a body with a mistake: the classes that extend its class have no shape, either.
func withoutShapeless(found []Finding) []Finding {
	if !slices.ContainsFunc(found, func(f Finding) bool { return rxBody.MatchString(f.Message) }) {
		return found
	}
	return slices.DeleteFunc(found, func(f Finding) bool { return rxShapeless.MatchString(f.Message) })
}

// withoutBases drops what is said of a class whose base is missing, where another file stops before it declares its
// classes.
func withoutBases(found []Finding) []Finding {
	stops := func(f Finding) bool { return strings.Contains(f.Message, " is not defined") && f.Stops }
	return slices.DeleteFunc(slices.Clone(found), func(f Finding) bool {
		return strings.Contains(f.Message, ".extends is nil") &&
			slices.ContainsFunc(found, func(o Finding) bool { return stops(o) && o.File != f.File })
	})
}

// foreignNames stands for messages about names of other engines, of which the first in a line is enough.
const foreignNames = "names of other engines"

// sameCall reports whether two findings are about what a function of view.lua is given in one line.
func sameCall(a, b Finding) bool {
	of, _, _ := strings.Cut(a.Message, ": ")
	return a.File == api.ViewFile && b.File == a.File && a.Line == b.Line && api.ViewFunction(of) != nil && strings.HasPrefix(b.Message, of+": ")
}

// afterThat stands for messages about widgets where the function of hud should be.
const afterThat = "widgets without a function"

// rxOnlyIn matches the message about a function of view.lua that is called where it cannot be.
var rxOnlyIn = regexp.MustCompile(`^\w+ can be called only in `)

// isViewName reports whether a finding is about a function of view.lua in another file.
func isViewName(f Finding) bool {
	name, _, isUndefined := strings.Cut(f.Message, " is not defined")
	return isUndefined && f.File != api.ViewFile && api.ViewFunction(name) != nil
}

// isForeignName reports whether a message is about a name of another engine that is not defined.
func isForeignName(message string) bool {
	name, _, isMissing := strings.Cut(message, " is not defined")
	if !isMissing {
		name, _, isMissing = strings.Cut(message, " does not exist")
	}
	return isMissing && api.Instead(name, nil, "") != ""
}

// alsoForeign returns the other names of other engines that stand behind the first one in its line; nil: it is not the
// first.
func alsoForeign(found []Finding, at int) (names []string) {
	nameOf := func(message string) string {
		name, _, _ := strings.Cut(message, " ")
		return name
	}
	for i, f := range found {
		switch {
		case !isForeignName(f.Message) || !isForeignName(found[at].Message) || f.File != found[at].File || f.Line != found[at].Line:
		case i < at:
			return nil
		case nameOf(f.Message) == "catch" || nameOf(f.Message) == "finally": // they belong to try
		case nameOf(f.Message) != nameOf(found[at].Message) && !slices.Contains(names, nameOf(f.Message)):
			names = append(names, nameOf(f.Message))
		}
	}
	return names
}

// tellsOfMember reports whether a finding says what stands for a member that objects have in other engines: a name of
// such an engine in the same line is meant for it.
func tellsOfMember(f Finding) bool {
	return f.about.sort == aMember && strings.Contains(f.about.name, " ")
}

// rxField matches the message about what stands beside state in game { ... } and player { ... }.
var rxField = regexp.MustCompile(`^(game|player): unknown key (\w+); there are `)

// lacksPlace reports whether a finding is about a variable for the place of an item.
func (f Finding) lacksPlace() bool {
	name, _, undefined := strings.Cut(f.Message, " is not defined")
	return undefined && slices.Contains(placeNames, name)
}

// longLoop is how many lines a loop has at most in which one of two findings is the cause of the other.
const longLoop = 6

// nearBy reports whether two lines may be of one loop.
func nearBy(a, b int) bool { return max(a-b, b-a) < longLoop }

// withoutFollowing drops the messages that follow from others.
func withoutFollowing(found []Finding) (kept []Finding) {
	follows := func(i int) bool {
		for j := range found {
			if found[j].Stops && !found[i].Stops && sameCall(found[i], found[j]) {
				return true
			}
			if found[i].File == found[j].File && found[i].Line == found[j].Line && isForeignName(found[i].Message) && tellsOfMember(found[j]) {
				return true
			}
			if strings.HasPrefix(found[j].Hint, valueIs) && found[i].lacksPlace() && found[i].File == found[j].File &&
				nearBy(found[i].Line, found[j].Line) {
				return true
			}
			for _, f := range following {
				m := f.cause.FindStringSubmatchIndex(found[j].Message)
				if m == nil || i == j || found[i].File != found[j].File {
					continue
				}
				begin := string(f.cause.ExpandString(nil, f.then, found[j].Message, m))
				same := f.cause.MatchString(found[i].Message) // of several of one kind the first stays
				switch {
				case f.then == foreignNames:
					if j < i && found[i].Line == found[j].Line && isForeignName(found[i].Message) && isForeignName(found[j].Message) ||
						j < i && isViewName(found[i]) && isViewName(found[j]) {
						return true
					}
				case f.then == afterThat:
					if rxOnlyIn.MatchString(found[i].Message) {
						return true
					}
				case same && i < j:
				case begin == "" && found[i].Line == found[j].Line && strings.HasSuffix(found[i].Message, ", which is not called"):
					return true
				case begin != "" && strings.HasPrefix(found[i].Message, begin):
					return true
				}
			}
		}
		return false
	}
	for i := range found {
		if follows(i) {
			continue
		}
		f := found[i]
		if also := alsoForeign(found, i); len(also) > 0 {
			either := " (" + world.Listed(also) + map[bool]string{true: " does not exist, either)", false: " do not exist, either)"}[len(also) == 1]
			if f.Hint == "" { // the message has it
				f.Message += either
			} else {
				f.Hint += either
			}
		}
		if m := rxField.FindStringSubmatch(f.Message); m != nil {
			f.Message = m[1] + ": unknown key " + m[2]
			f.Hint = "fields stand in state: " + m[1] + " { state = { " + m[2] + " = 0 } }"
		}
		if m := rxShape.FindStringSubmatch(f.Message); m != nil {
			f.Message, f.Hint = m[1], "write body = { shape = { "+m[2]+" = ... } }"
		}
		kept = append(kept, f)
	}
	return kept
}

// rxShape matches the message about a shape that stands in body.
var rxShape = regexp.MustCompile(`^(\w+: unknown key body\.(circle|box|polygon)); there are `)

// What the messages about a class that is missing contain, and those about a member that no class has begin with.
const (
	noClass  = "there is no class "
	noMember = "no class has a "
)

// At makes a finding of a message from elsewhere. Its column is that of the
// first name in the message that stands on the line.
func At(file, text string, line int, message string) Finding {
	f := Finding{File: file, Line: max(line, 1), Message: message}
	if name, _, isUndefined := strings.Cut(message, " is not defined"); isUndefined && api.Elsewhere(name) != "" {
		f.Message, f.Hint = name+" is not defined", api.Elsewhere(name)
		f.Column = columnOf(text, f.Line, name)
		return f
	}
	if m := rxMember.FindStringSubmatch(message); m != nil {
		f.Message, f.Hint, f.Column = m[1], m[3], columnOf(text, f.Line, m[2])
		return f
	}
	f.Column = columnOf(text, f.Line, namesIn(message)...)
	if hinted(message) {
		return f
	}
	if f.Hint = hintFor(message); f.Hint == "" {
		f.Hint = noHint
	}
	return f
}

// rxMember matches a message about a member that a class, or several, do not have, with what stands for it.
var rxMember = regexp.MustCompile(`^((?:\w+(?:, | and ))*\w+ ha(?:s|ve) no (?:field or )?(?:field|method) (\w+)): ([^;]+)$`)

// OfFile is At for what is wrong with a file, and not with what a script declares or uses.
func OfFile(file, text string, line int, message string) Finding {
	f := At(file, text, line, message)
	if !hinted(message) {
		f.Hint = hintFor(message)
	}
	return f
}

// rxMemberOf matches a member in a message: Ship.fuel, stats(player).goals or Ship:getPosition().
var rxMemberOf = regexp.MustCompile(`\w(?:\(\w*\))?[.:]([A-Za-z_]\w*)`)

// Place returns FILE:LINE:COL of an error that a script has caused while it ran, which knows its line: the column is that of
// the member that the message is about or, if that is not in the line, of the first name of the message that is.
func Place(e *world.ScriptError, files []world.Source) string {
	message := e.Full()
	if m := rxMemberOf.FindStringSubmatch(message); m != nil {
		message = m[1] + " " + message
	}
	return fmt.Sprintf("%s:%d", e.Place(), OfFile(e.File, textOf(files, e.File), e.Line, message).Column)
}

func findingsOf(err error, files []world.Source) (out []Finding) {
	if many, ok := err.(interface{ Unwrap() []error }); ok {
		for _, e := range many.Unwrap() {
			out = append(out, findingsOf(e, files)...)
		}
		return out
	}
	var se *world.ScriptError
	switch {
	case err == nil:
		return nil
	case !errors.As(err, &se):
		return []Finding{{File: api.GameFile, Line: 1, Column: 1, Message: err.Error()}}
	}
	f := At(se.File, textOf(files, se.File), se.Line, se.Message)
	f.Parse, f.Stops = !parses(files, se.File), true
	if name, _, isUndefined := strings.Cut(se.Message, " is not defined"); isUndefined {
		f.about = topic{sort: aClassName, name: name}
	}
	return []Finding{f}
}

func parses(files []world.Source, name string) bool {
	i := slices.IndexFunc(files, func(f world.Source) bool { return f.Name == name })
	if i < 0 {
		return true
	}
	_, err := syntax.Parse(files[i])
	return err == nil
}

func textOf(files []world.Source, name string) string {
	for _, f := range files {
		if f.Name == name {
			return f.Text
		}
	}
	return ""
}

// Sort sorts findings, causes first: those in files that do not parse, then others because of which the scripts do
// not load, with game.lua last as it is loaded, then the rest; each by file and line.
func Sort(list []Finding) {
	slices.SortStableFunc(list, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.rank(), b.rank()), strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line),
			cmp.Compare(a.Column, b.Column), strings.Compare(a.Message, b.Message))
	})
}

// rank is less for what others may follow from.
func (f Finding) rank() int {
	switch {
	case f.Parse:
		return 0
	case f.Stops && path.Base(f.File) != api.GameFile:
		return 1
	case f.Stops:
		return 2
	}
	return 3
}

// namesIn returns the names in a message, the most relevant first: a quoted
// name, then the last part of a chain such as A:onTick or A.body, then other
// names. The first name of a message such as "A: unknown key b" comes last.
func namesIn(message string) []string {
	message, _, _ = strings.Cut(message, "; ")
	var names []string
	if m := rxQuoted.FindStringSubmatch(message); m != nil {
		names = append(names, m[1])
	}
	chain := rxChain.FindString(message)
	all := rxName.FindAllString(message, -1)
	inChain := len(rxName.FindAllString(chain, -1))
	if inChain > 1 || inChain == 1 && !strings.HasPrefix(message[len(chain):], ":") {
		names = append(names, all[inChain-1])
	}
	return append(append(names, all[inChain:]...), all[:inChain]...)
}

var (
	rxQuoted = regexp.MustCompile(`near "([^"]+)"`)
	rxChain  = regexp.MustCompile(`^\w+([.:]\w+)*`)
)

// rxUndefinedClass matches the message about a name that is written like one of a class.
var rxUndefinedClass = regexp.MustCompile(`^([A-Z]\w*[a-z]\w*) is not defined$`)

var rxName = regexp.MustCompile(`[A-Za-z_]\w*`)

// columnOf returns the column, in characters from 1, of the first of the names
// that stands on a line of text. If none does, it returns the column of the
// first character that is not white space.
func columnOf(text string, line int, names ...string) int {
	lines := strings.Split(text, "\n")
	if line < 1 || line > len(lines) {
		return 1
	}
	at := lines[line-1]
	for _, n := range names {
		if i := wordIn(at, n); i >= 0 {
			return 1 + utf8.RuneCountInString(at[:i])
		}
	}
	return 1 + len(at) - len(strings.TrimLeft(at, " \t\r"))
}

// wordIn returns the index of a whole word, or of a symbol, in a line, or -1.
func wordIn(line, word string) int {
	for from := 0; word != ""; {
		i := strings.Index(line[from:], word)
		if i < 0 {
			return -1
		}
		i += from
		end := i + len(word)
		inWord := ident.IsByte(word[0]) &&
			(i > 0 && ident.IsByte(line[i-1]) || end < len(line) && ident.IsByte(line[end]))
		if !inWord {
			return i
		}
		from = i + 1
	}
	return -1
}

// hinted reports whether a message already says what to do.
func hinted(message string) bool {
	for _, sign := range []string{"; ", "there are", "there is only", "did you mean", "must ", "needs ", "are: ",
		"has: ", "one of", "at most", "is set with", "Lua 5.1: ", ": declare ", ": keep it with ", ": write ", ": call it "} {
		if strings.Contains(message, sign) {
			return true
		}
	}
	return false
}

// hints say what to do about messages that do not.
var hints = []struct{ part, hint string }{
	{" ended with an error when it was loaded: ", "mend that file first"},
	{"can be called only in the function of hud", "write it into hud(function(v) ... end)"},
	{".color is ", "a colour is a text: #rgb, #rrggbb or a name such as orange"},
	{".controls.", `a key is a text, and several are a list of texts: { "space", "pad:a" }`},
	{"is not a finite number", "write a number"},
	{"is only for classes with", "declare that in the class, or remove the function"},
	{"cannot declare classes", "write the class into a file of its own"},
	{"is a string, not a table", "write it in braces: { ... }"},
	{"is already declared", "write both into one"},
	{"a list holds ", "texts have a length: str(16)"},
	{"syntax error", "look before it for a missing 'then', 'do', 'end', comma or bracket"},
	{"unterminated string", "close it with the quote that it begins with, on the same line"},
	{"ends too early", "count the 'end's"},
	{"call a nil value (field 'spawn')", `spawn("Class", { x = 1, y = 2 }) makes an object, and onSpawn runs for it`},
	{"attempt to call ", "is the name right, and is it called with a colon?"},
	{"nil", "a value is missing here: print it, or test it first"},
	{"read-only", "keep what changes in state"},
	{"does not exist", "docs/reference.md lists what scripts can use"},
	{"not defined", "declare it as a local variable, or as a function of another file"},
	{"declared twice", "give one of them another name"},
}

func hintFor(message string) string {
	if m := rxUndefinedClass.FindStringSubmatch(message); m != nil && m[1] == "Self" {
		return "write self"
	} else if m != nil {
		return fmt.Sprintf(`if it is a class, declare it: %s = object "%s" { ... }`, m[1], m[1])
	}
	for _, h := range hints {
		if strings.Contains(message, h.part) {
			return h.hint
		}
	}
	return ""
}

// oncePerPlace keeps one of several findings at a place because of which the scripts do not load: the first that says
// what to do about it. The others are about the same.
func oncePerPlace(found []Finding) (kept []Finding) {
	for _, f := range found {
		at := slices.IndexFunc(kept, func(k Finding) bool {
			return k.File == f.File && k.Line == f.Line && k.Column == f.Column && k.Stops
		})
		switch {
		case at < 0:
			kept = append(kept, f)
		case kept[at].Hint == noHint:
			f.Parse, f.Stops = kept[at].Parse, kept[at].Stops
			kept[at] = f
		}
	}
	return kept
}

// noHint stands where nothing better is known.
const noHint = "docs/reference.md lists what scripts can declare and use"
