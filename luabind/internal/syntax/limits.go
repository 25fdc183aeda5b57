package syntax

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/hindcast/hindcast/luabind/internal/ident"
	"github.com/hindcast/hindcast/world"
)

// Limits of a bundle's sources, checked before they are parsed.
const (
	maxFiles     = 200
	maxFileBytes = 128 << 10
	maxBundle    = 512 << 10
	maxNesting   = 100    // brackets and blocks within each other
	maxTreeDepth = 220    // of the syntax tree: nesting and chains of operators
	maxConstants = 8192   // of a function; see MostWork, too
	maxFields    = 10_000 // of a table written out
	maxFileName  = 128
)

// MaxProblems is how many errors of a file are reported. Finding the words for each takes time.
const MaxProblems = 100

// CheckSources reports files that are too big, too many, or have names that are
// not allowed.
func CheckSources(files []world.Source) (errs []error) {
	if len(files) > maxFiles {
		return []error{fmt.Errorf("%d script files: at most %d", len(files), maxFiles)}
	}
	total, seen := 0, map[string]bool{}
	for _, f := range files {
		total += len(f.Text)
		if why := badName(f.Name); why != "" {
			errs = append(errs, fmt.Errorf("script file %q: %s", f.Name, why))
		}
		if seen[f.Name] {
			errs = append(errs, fmt.Errorf("script file %q is in the bundle twice", f.Name))
		}
		seen[f.Name] = true
		if len(f.Text) > maxFileBytes {
			errs = append(errs,
				Problem(f.Name, 1, "%d bytes: a script file has at most %d; split it", len(f.Text), maxFileBytes))
		}
	}
	if total > maxBundle {
		errs = append(errs, fmt.Errorf("the scripts have %d bytes together: at most %d", total, maxBundle))
	}
	return errs
}

func badName(name string) string {
	switch {
	case name == "" || len(name) > maxFileName:
		return fmt.Sprintf("a name has 1 to %d bytes", maxFileName)
	case !utf8.ValidString(name) ||
		strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r == 0x7f || r == ':' }):
		return "a name has no control characters and no colon"
	}
	return ""
}

// checkNesting counts brackets and blocks without building a tree, so that the
// parser and the compiler never see text that is nested too deep.
func checkNesting(f world.Source) error {
	s := tokens{text: f.Text, line: 1}
	depth := 0
	for {
		word, ok := s.next()
		if !ok {
			return nil
		}
		switch word {
		case "(", "{", "[", "function", "do", "repeat", "if":
			depth++
		case ")", "}", "]", "end", "until":
			depth--
		}
		if depth > maxNesting {
			return Problem(f.Name, s.line, "brackets and blocks are nested more than %d deep", maxNesting)
		}
	}
}

// tokens splits Lua text into words, numbers and single symbols. It leaves out
// strings and comments. It never fails: errors are left to the parser.
type tokens struct {
	text   string
	at     int
	line   int
	broken int // the line of the first text without a quote at its end; 0: there is none
}

func (s *tokens) next() (word string, ok bool) {
	for s.at < len(s.text) {
		c := s.text[s.at]
		switch {
		case c == '\n':
			s.line++
			s.at++
		case c <= ' ':
			s.at++
		case strings.HasPrefix(s.text[s.at:], "--"):
			s.comment()
		case c == '"' || c == '\'':
			s.quoted(c)
		case c == '[' && s.long():
		case ident.IsByte(c):
			from := s.at
			for s.at < len(s.text) && ident.IsByte(s.text[s.at]) {
				s.at++
			}
			return s.text[from:s.at], true
		default:
			s.at++
			return s.text[s.at-1 : s.at], true
		}
	}
	return "", false
}

func (s *tokens) comment() {
	s.at += 2
	if s.at < len(s.text) && s.text[s.at] == '[' && s.long() {
		return
	}
	for s.at < len(s.text) && s.text[s.at] != '\n' {
		s.at++
	}
}

func (s *tokens) quoted(quote byte) {
	for s.at++; s.at < len(s.text) && s.text[s.at] != quote && s.text[s.at] != '\n'; s.at++ {
		if s.text[s.at] == '\\' && s.at+1 < len(s.text) {
			s.at++
			s.line += strings.Count(s.text[s.at:s.at+1], "\n")
		}
	}
	if s.at < len(s.text) && s.text[s.at] == quote {
		s.at++
	} else if s.broken == 0 {
		s.broken = s.line
	}
}

// long skips [[...]] or [==[...]==] and reports whether one began here.
func (s *tokens) long() bool {
	rest := s.text[s.at+1:]
	level := len(rest) - len(strings.TrimLeft(rest, "="))
	if level >= len(rest) || rest[level] != '[' {
		return false
	}
	end := strings.Index(rest, "]"+rest[:level]+"]")
	if end < 0 {
		end = len(rest)
	} else {
		end += level + 2
	}
	s.line += strings.Count(rest[:end], "\n")
	s.at += 1 + end
	return true
}

const (
	// MaxStringBytes is the length of the longest string of a script.
	MaxStringBytes = 64 << 10
	// MaxKeptString is the same for a string that is written out, such as the licence of a library, and for one that
	// is left when the files have been loaded.
	MaxKeptString = 8 << 10
	// ShortString is the length up to which a string changes no prices. The interpreter compares strings, and looks
	// them up in tables, within one instruction. So a hook that has made a longer string pays more for each
	// instruction.
	ShortString = 1 << 10
)

// NamedUnit packs two numbers of fields into one for Table: positional +
// NamedUnit*named.
const NamedUnit = 1 << 16
